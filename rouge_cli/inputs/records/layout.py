"""The layout of files of records, which their names tell, or how they begin."""

from collections.abc import Iterator
from contextlib import contextmanager

from rouge_cli.errors import OptionError
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.files import bare_name
from rouge_cli.inputs.source import Source, sniffed_format
from rouge_cli.options.inputs import RECORD_FORMATS, InputOptions
from rouge_cli.options.metrics import MetricOptions

__all__ = ["Records", "records_format"]

FORMATS_BY_SUFFIX = {
    ".jsonl": "JSONL",
    ".ndjson": "JSONL",
    ".json": "JSON",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "PARQUET",
}


class Records:
    """The layout of a file of records."""

    kind = "records"
    takes_config = True
    selector = "records_format"
    options = frozenset(
        {"prediction", "references", "id", "system", "cluster", "records_format"}
        | {"sentence_separator", "encoding", "all", "confine", "sentences"}
    )
    has_elements = False

    def claims(self, source: Source, inputs: InputOptions) -> bool:
        """Claim CONFIG if its format is given, or told by its name or its beginning."""
        return self._format(source, inputs) in RECORD_FORMATS

    @contextmanager
    def open(
        self, source: Source, inputs: InputOptions, metrics: MetricOptions
    ) -> Iterator[Corpus]:
        """Read the file; raises OptionError and InputError."""
        from rouge_cli.inputs.records.reading import read_records

        form = self._format(source, inputs) or ""
        if form == "PARQUET" and inputs.encoding is not None:
            raise OptionError(
                "--encoding is not for Parquet, which says itself how text is encoded"
            )
        yield read_records(source, form, inputs, metrics)

    def _format(self, source: Source, inputs: InputOptions) -> str | None:
        """Return the format of CONFIG; None for no CONFIG, or one that holds no records."""
        if source.config is None:
            return None
        if inputs.records_format is not None or not source.is_standard_input:
            return records_format(source.config, inputs.records_format)
        return sniffed_format(source.standard_input)


def records_format(path: str, given: str | None = None) -> str | None:
    """Return the format of a file of records; None if it holds none.

    Parameters
    ----------
    path : str
        Its suffix, less ``.gz``, says the format, unless it is given.
    given : str or None

    Returns
    -------
    str or None
        ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"TSV"`` or ``"PARQUET"``.
    """
    name = bare_name(path)
    by_name = (form for suffix, form in FORMATS_BY_SUFFIX.items() if name.endswith(suffix))
    return given or next(by_name, None)
