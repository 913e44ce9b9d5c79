"""Options of the input: the source of the texts, and how each layout is read.

The `layouts` of a declaration are the layouts that use the option.
Source: specification, sections 1 and 2.
"""

from collections.abc import Collection, Mapping
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import Heading, OptionGroup, Step, options_under
from rouge_cli.quick_dataclass import dataclass

TEXT_FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")
RECORD_FORMATS = ("JSONL", "JSON", "CSV", "TSV", "PARQUET")

XML, FILE_LIST, PATTERNS, DUC, PAIR = "xml", "file list", "patterns", "duc", "pair"
LINE_FILES, RECORD_FILES, DATA_FRAMES = "line files", "record files", "data frames"
LISTS, BATCHES, STRINGS = "lists", "batches", "strings"
"""The layouts of texts: in files, in records, and in memory."""

FILE_FOLDERS = (PATTERNS, DUC, PAIR)
TEXT_FILES = (XML, FILE_LIST, *FILE_FOLDERS)
RECORD_LAYOUTS = (RECORD_FILES, DATA_FRAMES, BATCHES)

INPUT = Heading("Input", step=Step.TEXTS)
TYPED = Heading(
    INPUT,
    step=Step.TEXTS,
    layouts=(STRINGS,),
    python_advice="rouge_cli.score takes a text and its references",
)
FOLDERS = Heading("Folders of texts", step=Step.TEXTS, layouts=FILE_FOLDERS)
LINES = Heading("Line files", step=Step.TEXTS, layouts=(LINE_FILES,))
RECORDS = Heading("Records", step=Step.TEXTS, layouts=RECORD_LAYOUTS)
FILES_OF_RECORDS = Heading(RECORDS, step=Step.TEXTS, layouts=(RECORD_FILES,))
READING = Heading("Reading", step=Step.TEXTS)

input_option, typed_option, folder_option = map(options_under, (INPUT, TYPED, FOLDERS))
line_option, record_option, file_option, reading_option = map(
    options_under, (LINES, RECORDS, FILES_OF_RECORDS, READING)
)

# Options for predictions, each with the option for its references: neither works alone.
_TOGETHER = (("peers", "models"), ("peer_lines", "model_lines"), ("text", "reference"))

EXPECTED_COLUMN = "[NAME=]FIELD, such as human=annotation.score, with a NAME without : and |"


@dataclass(frozen=True, slots=True)
class NamedField:
    """A field of records that holds the scores of a metric, and the name of that metric."""

    name: str
    path: str

    def __str__(self) -> str:
        return self.path if self.name == self.path else f"{self.name}={self.path}"


def _named_field(raw: Any) -> NamedField:
    name, equals, path = str(raw).partition("=")
    name, path = name.strip(), (path if equals else name).strip()
    is_usable = name and path and name.isprintable() and not set(name) & set(":|")
    if not isinstance(raw, str) or not is_usable:
        raise ValueError(EXPECTED_COLUMN)
    return NamedField(name, path)


named_fields = readers.Several(_named_field, str | NamedField, EXPECTED_COLUMN)


def with_line_files(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options in which ``predictions``, with its ``references``, names line files.

    ``references`` alone is the field of records with the references.
    """
    # Python programs may use the alias of `peer_lines` as a keyword.
    if "predictions" in raw:
        raw = {name: value for name, value in raw.items() if name != "predictions"} | {
            "peer_lines": raw["predictions"]
        }
    if not raw.get("peer_lines") or raw.get("model_lines") or not raw.get("references"):
        return raw
    return {**raw, "model_lines": raw["references"], "references": None}


# In `source`, the text that was summarised takes the place of references.
_SOURCE = {"source": "--sources names the field of the only reference"}


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions(OptionGroup):
    """Options of the input."""

    all: bool = input_option(
        "-a --all: Score every system in CONFIG, in byte order of the IDs.",
        layouts=(*TEXT_FILES, LINE_FILES, RECORD_FILES, STRINGS),
        step=Step.OUTPUT,
        not_for=dict.fromkeys(("study", "source"), "every system is scored"),
        is_common=True,
    )
    list_format: str | None = input_option(
        "-z --list-format FORMAT: CONFIG is a file list instead of XML; its texts are SEE, SPL, "
        "ISI or SIMPLE.",
        readers.choice(*TEXT_FORMATS),
        layouts=(FILE_LIST,),
    )
    confine: bool = input_option(
        "--confine: Refuse texts outside the folder of CONFIG.", layouts=(*TEXT_FILES, RECORD_FILES)
    )
    text: str | None = typed_option(
        "--text TEXT: In place of CONFIG: a text to score, typed; a newline ends a sentence.",
        readers.string,
    )
    reference: tuple[str, ...] = typed_option(
        "--reference TEXT: The reference of --text; repeat for several.",
        readers.strings,
    )
    pair: tuple[str, ...] = folder_option(
        "--pair PREDICTIONS REFERENCES: In place of CONFIG: two folders, whose files are paired "
        "by their names, or two files with one text each.",
        readers.paths,
        layouts=(PAIR,),
    )
    peers: tuple[str, ...] = folder_option(
        "--peers [NAME=]PATTERN: In place of CONFIG: names of the files of predictions; a group, "
        "as in (\\d+), is the ID of the text.",
        readers.strings,
        layouts=(PATTERNS,),
    )
    models: tuple[str, ...] = folder_option(
        "--models PATTERN: Names of the files of references, with #ID# in place of the ID.",
        readers.strings,
        layouts=(PATTERNS,),
    )
    duc: tuple[str, ...] = folder_option(
        "--duc PEERS_DIR MODELS_DIR: In place of CONFIG: folders of files with DUC or TAC names, "
        "such as D061.M.100.J.26.",
        readers.paths,
        layouts=(DUC,),
    )
    input_format: str | None = folder_option(
        "--input-format FORMAT: Format of these texts: SPL, SEE, ISI or SIMPLE; by default SPL, "
        "and SEE for .html of DUC.",
        readers.choice(*TEXT_FORMATS),
    )
    unpaired: str = folder_option(
        "--unpaired error|skip: Files that belong to nothing: stop, or leave them out with a "
        "warning.",
        default="error",
    )
    peer_lines: tuple[str, ...] = line_option(
        "--peer-lines [NAME=]FILE: In place of CONFIG: predictions, one text per line; repeat for "
        "several systems.",
        readers.paths,
        alias="--predictions",
        is_common=True,
    )
    model_lines: tuple[str, ...] = line_option(
        "--model-lines FILE: References for the lines of the predictions, also as --references; "
        "repeat for several.",
        readers.paths,
    )
    prediction: tuple[str, ...] = record_option(
        "--prediction [NAME=]FIELD: CONFIG is a file of records: the field with the text, such as "
        "outputs.text; repeat for several systems.",
        readers.strings,
    )
    references: tuple[str, ...] = record_option(
        "--references FIELD: The field with the reference, or with a list of them; repeat for "
        "several fields. With --predictions: a file with one reference per line.",
        readers.strings,
        not_for=_SOURCE,
        is_common=True,
    )
    references_json: bool = file_option(
        '--references-json: References are JSON in a string, such as ["One.", "Another."] in a '
        "cell of CSV: each string in the list is a reference.",
        not_for=_SOURCE,
    )
    references_from: str | None = file_option(
        "--references-from FILE: The references are in another file of records: joined by --id, "
        "several records of an ID are several references.",
        readers.path,
        not_for=_SOURCE,
    )
    records_at: str | None = file_option(
        "--records-at PATH: Where the records are in a JSON document, such as results.results; by "
        "itself found where there is one list of objects.",
        readers.string,
    )
    id: str | None = record_option("--id FIELD: The field with the ID of the text.", readers.string)
    system: str | None = record_option(
        "--system FIELD: The field with the ID of the system.", readers.string
    )
    cluster: str | None = record_option(
        "--cluster FIELD: Texts of one document or topic, named by FIELD, are drawn and swapped "
        "as one.",
        readers.string,
        step=Step.INTERVALS,
    )
    run: str | None = record_option(
        "--run FIELD: The field that names the run of a system, such as its seed: each run is a "
        "system of its own, 'SYSTEM FIELD=RUN'.",
        readers.string,
        layouts=(RECORD_FILES, DATA_FRAMES),
        step=Step.OUTPUT,
    )
    column: tuple[NamedField, ...] = file_option(
        "--add column:[NAME=]FIELD: A number in each record is a metric of its own, with the one "
        "measure S; repeat for each.",
        named_fields,
        has_no_counts=True,
        adds_metric=True,
        not_for={"convert": "it is not about the texts"},
    )
    page_field: tuple[str, ...] = record_option(
        "--page-field FIELD: Have --report html choose texts by the values of FIELD, such as "
        "topic; repeat for each.",
        readers.strings,
        for_eval_pages=True,
        layouts=(RECORD_FILES, DATA_FRAMES),
    )
    page_source: str | None = file_option(
        "--page-source FIELD: Have --report html show the source document in FIELD beside each "
        "text.",
        readers.string,
        for_eval_pages=True,
    )
    records_format: str | None = file_option(
        "--records-format FORMAT: JSONL, JSON, CSV, TSV or PARQUET, if the file name does not "
        "tell.",
        readers.choice(*RECORD_FORMATS),
    )
    delimiter: str | None = file_option(
        "--delimiter CHAR: Separator of the fields of CSV and TSV; by default found in the "
        "header: , ; or tab.",
        readers.delimiter,
    )
    sentence_separator: str | None = reading_option(
        "--sentence-separator STRING: Separator of the sentences of a line or a field, such as "
        "'<q>' or '<t> </t>'.",
        readers.string,
        layouts=(LINE_FILES, *RECORD_LAYOUTS),
        is_common=True,
    )
    sentences: str | None = reading_option(
        "--sentences TAG|auto|punkt: Find the sentences of raw text in a language (en, pt-BR; "
        "auto: that of --language).",
        readers.sentence_finder,
        layouts=(*TEXT_FILES, LINE_FILES, *RECORD_LAYOUTS, LISTS, STRINGS),
    )
    strip: tuple[str, ...] = reading_option(
        "--strip WHAT,WHAT: Clean the texts: special-tokens of models, think (blocks of "
        "reasoning), subwords (pieces are joined), entities of HTML.",
        readers.Choices(("special-tokens", "think", "subwords", "entities")),
        (),
        layouts=(*TEXT_FILES, LINE_FILES, RECORD_FILES, DATA_FRAMES, LISTS, STRINGS),
        step=Step.EVALS,
    )
    as_is: bool = reading_option(
        "--as-is: Score texts that look like something else, such as JSON in each line or a PDF "
        "file.",
        layouts=(*TEXT_FILES, LINE_FILES),
    )
    max_record: int = reading_option(
        "--max-record MB: Refuse records with a line or a field of more megabytes, once "
        "decompressed.",
        readers.whole(1, 2000),
        64,
        layouts=(LINE_FILES, RECORD_FILES),
    )
    encoding: tuple[str, ...] = reading_option(
        "--encoding [FILE:]NAME: Encoding of line files and records, of all or of FILE; a byte "
        "order mark tells it anyway, and records are UTF-8 by default.",
        readers.encodings,
        layouts=(LINE_FILES, RECORD_FILES),
    )

    @classmethod
    def of_layout(cls, name: str) -> frozenset[str]:
        """Return the names of the options that a layout uses."""
        options = cls.options().items()
        return frozenset(option for option, declared in options if name in declared.layouts)

    def encoding_of(self, path: str) -> str | None:
        """Return the encoding that is given for a file, or else for all files."""
        # An encoding for all files may have exceptions, such as FILE:latin-1, in any order.
        of_all = None
        for value in self.encoding:
            name, colon, encoding = value.rpartition(":")
            if colon and name == path:
                return encoding
            of_all = of_all if colon else encoding
        return of_all

    def check_encodings(self, paths: Collection[str]) -> None:
        """Raise OptionError for encodings of files that are not read."""
        files = [value.rpartition(":")[0] for value in self.encoding if ":" in value]
        if unread := [file for file in files if file not in paths]:
            raise OptionError(f"--encoding: {unread[0]!r} is not among the files that are read")

    @property
    def page_fields(self) -> tuple[str, ...]:
        """The fields of records that a page shows: those of its filters, then the source."""
        return self.page_field + ((self.page_source,) if self.page_source else ())

    def check(self) -> None:
        """Raise OptionError for incomplete layouts and for contradictions."""
        spelling = {name: declared.spelling for name, declared in self.options().items()}
        # Beside --predictions, --references names files of lines: see `with_line_files`.
        spelling["model_lines"] = "--references"
        used = set(self.given())
        for peers, models in _TOGETHER:
            if (peers in used) != (models in used):
                raise OptionError(
                    f"{spelling[peers]} and {spelling[models]} go together; give both"
                )
        if self.system is not None and len(self.prediction) > 1:
            raise OptionError(
                "--system and several --prediction exclude each other: each of these is a system"
            )
        if self.column and len(self.prediction) > 1:
            raise OptionError(
                "--add column is a number of one system in each record, and several --prediction "
                "make several; give the numbers with --add scores:FILE"
            )
        names = [field.name for field in self.column]
        if len(set(names)) < len(names):
            raise OptionError("--add column: two have the same name; give each a NAME of its own")
        if len(set(self.page_fields)) < len(self.page_fields):
            raise OptionError("--page-field: a field is given twice; give each once")
        if sum(":" not in value for value in self.encoding) > 1:
            of_all = [value for value in self.encoding if ":" not in value]
            raise OptionError(
                f"--encoding takes one value for all files; found {of_all[0]!r} and {of_all[1]!r}; "
                "give FILE:NAME for one file"
            )
        if self.sentences and self.sentence_separator is not None:
            raise OptionError("--sentences and --sentence-separator exclude each other; give one")
