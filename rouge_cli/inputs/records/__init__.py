"""The layout of files of records, which their names tell, or how they begin."""

from functools import partial

from rouge_cli.errors import OptionError
from rouge_cli.inputs.index import Input
from rouge_cli.inputs.source import Source
from rouge_cli.options.inputs import RECORD_FILES, RECORD_FORMATS, InputOptions
from rouge_cli.options.metrics import MetricOptions


class Records:
    """The layout of a file of records."""

    kind = "records"
    takes_config = True
    takes_files = True
    selector = "records_format"
    options = InputOptions.of_layout(RECORD_FILES)
    has_elements = False

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim CONFIG if its format is given, or told by its name or its beginning."""
        return source.form_of_records(inputs.records_format) in RECORD_FORMATS

    def open(self, source: Source, inputs: InputOptions, metrics: MetricOptions) -> Input:
        """Find the files and their formats; raises OptionError and InputError."""
        from rouge_cli.inputs.records.grouping import RecordInput
        from rouge_cli.inputs.records.reading import record_file

        files, system_id = source.files(inputs.records_format)
        if system_id is not None and not source.takes_system:
            source.check_others()
        has_others = len(files) > 1 or inputs.references_from is not None
        read = [
            record_file(file, self._checked_format(file, inputs), has_others=has_others)
            for file in files
        ]
        fields_of = None
        if inputs.page_fields:
            from rouge_cli.inputs.records.fields import read_fields

            fields_of = partial(read_fields, read, inputs)
        paths = [file.config or "" for file in files]
        references = None
        if inputs.references_from is not None:
            paths.append(inputs.references_from)
            file = Source(inputs.references_from, states=source.states, spools=source.spools)
            references = record_file(file, self._checked_format(file, inputs), has_others=True)
        inputs.check_encodings(paths)
        return RecordInput(read, inputs, metrics, system_id, fields_of, references)

    def _checked_format(self, file: Source, inputs: InputOptions) -> str:
        form = file.form_of_records(inputs.records_format)
        if form is None:
            raise OptionError(
                f"{file.name}: nothing tells the format of its records; give --records-format"
            )
        if form == "PARQUET" and inputs.encoding_of(file.config or "") is not None:
            raise OptionError(
                "--encoding is not for Parquet, which says itself how text is encoded"
            )
        is_joined = file.config == inputs.references_from
        if inputs.records_at is not None and form != "JSON" and not is_joined:
            raise OptionError(f"--records-at is for JSON documents, and {file.name} is {form}")
        if inputs.delimiter is not None and form not in {"CSV", "TSV"}:
            raise OptionError(f"--delimiter is for CSV and TSV, and {file.name} is {form}")
        return form
