"""Options of the input: the source of the texts, and the reading of each layout.

The `layouts` of a declaration name the layouts that use the option.
Source: specification, sections 1 and 2.
"""

from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import (
    Heading,
    OptionGroup,
    Step,
    choice,
    delimiter,
    encoding,
    option,
    paths,
    sentence_finder,
    several,
    string,
    strings,
    whole,
)
from rouge_cli.quick_dataclass import dataclass

INPUT, FOLDERS, LINES, RECORDS, READING = (
    Heading(title, Step.TEXTS)
    for title in ("Input", "Folders of texts", "Line files", "Records", "Reading")
)
TEXT_FORMATS = ("SEE", "SPL", "ISI", "SIMPLE")
RECORD_FORMATS = ("JSONL", "JSON", "CSV", "TSV", "PARQUET")

XML, FILE_LIST, PATTERNS, DUC = "xml", "file list", "patterns", "duc"
LINE_FILES, RECORD_FILES, DATA_FRAMES = "line files", "record files", "data frames"
LISTS, BATCHES = "lists", "batches"
"""The layouts of texts: in files, in records, and at hand in Python."""

FILE_FOLDERS = (PATTERNS, DUC)
TEXT_FILES = (XML, FILE_LIST, *FILE_FOLDERS)
RECORD_LAYOUTS = (RECORD_FILES, DATA_FRAMES, BATCHES)

_TOGETHER = (("peers", "models"), ("peer_lines", "model_lines"))

EXPECTED_COLUMN = "[NAME=]FIELD, such as human=annotation.score, with a NAME without : and |"


@dataclass(frozen=True, slots=True)
class NamedField:
    """A field of records with the scores of a metric, and the name of that metric."""

    name: str
    path: str

    def __str__(self) -> str:
        """Return the value as typed on the command line."""
        return self.path if self.name == self.path else f"{self.name}={self.path}"


def _named_field(raw: Any) -> NamedField:
    if isinstance(raw, NamedField):
        return raw
    name, equals, path = str(raw).partition("=")
    name, path = name.strip(), (path if equals else name).strip()
    is_usable = name and path and name.isprintable() and not set(name) & set(":|")
    if not isinstance(raw, str) or not is_usable:
        raise ValueError(EXPECTED_COLUMN)
    return NamedField(name, path)


named_fields = several(_named_field, str | NamedField, EXPECTED_COLUMN)


@dataclass(frozen=True, slots=True, kw_only=True)
class InputOptions(OptionGroup):
    """Options of the input."""

    all: bool = option(
        "-a --all",
        INPUT,
        "Score every system in CONFIG, in byte order of the IDs.",
        layouts=(*TEXT_FILES, LINE_FILES, RECORD_FILES),
        step=Step.OUTPUT,
        not_for={"study": "every system is scored"},
        is_common=True,
    )
    list_format: str | None = option(
        "-z --list-format FORMAT",
        INPUT,
        "CONFIG is a file list instead of XML; its texts are SEE, SPL, ISI or SIMPLE.",
        choice(*TEXT_FORMATS),
        layouts=(FILE_LIST,),
    )
    confine: bool = option(
        "--confine",
        INPUT,
        "Refuse texts outside the folder of CONFIG.",
        layouts=(*TEXT_FILES, RECORD_FILES),
    )
    peers: tuple[str, ...] = option(
        "--peers [NAME=]PATTERN",
        FOLDERS,
        "In place of CONFIG: names of the peers, the texts of systems; a group, as in (\\d+), is "
        "the ID of the EVAL.",
        strings,
        is_many=True,
        layouts=(PATTERNS,),
    )
    models: tuple[str, ...] = option(
        "--models PATTERN",
        FOLDERS,
        "Names of the models, the human references, with #ID# in place of the ID.",
        strings,
        is_many=True,
        layouts=(PATTERNS,),
    )
    duc: tuple[str, ...] = option(
        "--duc PEERS_DIR MODELS_DIR",
        FOLDERS,
        "In place of CONFIG: folders of files with DUC or TAC names, such as D061.M.100.J.26.",
        paths,
        n_values=2,
        layouts=(DUC,),
    )
    input_format: str | None = option(
        "--input-format FORMAT",
        FOLDERS,
        "Format of these texts: SPL, SEE, ISI or SIMPLE; by default SPL, and SEE for .html of DUC.",
        choice(*TEXT_FORMATS),
        layouts=FILE_FOLDERS,
    )
    unpaired: str = option(
        "--unpaired error|skip",
        FOLDERS,
        "Files that belong to nothing: stop, or leave them out with a warning.",
        choice("error", "skip"),
        "error",
        layouts=FILE_FOLDERS,
    )
    peer_lines: tuple[str, ...] = option(
        "--peer-lines [NAME=]FILE",
        LINES,
        "In place of CONFIG: peers, the texts of a system, one a line; repeat for several systems.",
        paths,
        is_many=True,
        layouts=(LINE_FILES,),
        is_common=True,
    )
    model_lines: tuple[str, ...] = option(
        "--model-lines FILE",
        LINES,
        "Models, the human references, for the lines of the peers; repeat for several.",
        paths,
        is_many=True,
        layouts=(LINE_FILES,),
        is_common=True,
    )
    prediction: tuple[str, ...] = option(
        "--prediction [NAME=]FIELD",
        RECORDS,
        "CONFIG is a file of records: the field with the peer, such as outputs.text; repeat for "
        "several systems.",
        strings,
        is_many=True,
        layouts=RECORD_LAYOUTS,
    )
    references: tuple[str, ...] = option(
        "--references FIELD",
        RECORDS,
        "The field with the model, or with a list of models; repeat for several fields.",
        strings,
        is_many=True,
        layouts=RECORD_LAYOUTS,
    )
    references_json: bool = option(
        "--references-json",
        RECORDS,
        'References are JSON in a string, such as ["One.", "Another."] in a cell of CSV: each '
        "string in the list is a model.",
        layouts=(RECORD_FILES,),
    )
    id: str | None = option(
        "--id FIELD",
        RECORDS,
        "The field with the ID of the EVAL.",
        string,
        layouts=RECORD_LAYOUTS,
    )
    system: str | None = option(
        "--system FIELD",
        RECORDS,
        "The field with the ID of the system.",
        string,
        layouts=RECORD_LAYOUTS,
    )
    cluster: str | None = option(
        "--cluster FIELD",
        RECORDS,
        "EVALs of one document or topic, named by FIELD, are drawn and swapped as one.",
        string,
        layouts=RECORD_LAYOUTS,
        step=Step.INTERVALS,
    )
    run: str | None = option(
        "--run FIELD",
        RECORDS,
        "The field that names the run of a system, such as its seed: each run is a system of its "
        "own, 'SYSTEM FIELD=RUN'.",
        string,
        layouts=(RECORD_FILES, DATA_FRAMES),
        step=Step.OUTPUT,
    )
    column: tuple[NamedField, ...] = option(
        "--column [NAME=]FIELD",
        RECORDS,
        "A number in each record is a metric of its own, with the one measure S; repeat for each.",
        named_fields,
        is_many=True,
        has_no_counts=True,
        layouts=(RECORD_FILES,),
        adds_metric=True,
        not_for={"convert": "it is not about the texts"},
    )
    page_field: tuple[str, ...] = option(
        "--page-field FIELD",
        RECORDS,
        "Have --report html choose EVALs by the values of FIELD, such as topic; repeat for each.",
        strings,
        is_many=True,
        for_eval_pages=True,
        layouts=(RECORD_FILES, DATA_FRAMES),
    )
    page_source: str | None = option(
        "--page-source FIELD",
        RECORDS,
        "Have --report html show the source document in FIELD beside each EVAL.",
        string,
        for_eval_pages=True,
        layouts=(RECORD_FILES,),
    )
    records_format: str | None = option(
        "--records-format FORMAT",
        RECORDS,
        "JSONL, JSON, CSV, TSV or PARQUET, where the file name does not tell.",
        choice(*RECORD_FORMATS),
        layouts=(RECORD_FILES,),
    )
    delimiter: str | None = option(
        "--delimiter CHAR",
        RECORDS,
        "What stands between the fields of CSV and TSV; by default the header tells: , ; or tab.",
        delimiter,
        layouts=(RECORD_FILES,),
    )
    sentence_separator: str | None = option(
        "--sentence-separator STRING",
        READING,
        "What stands between the sentences of a line or a field, such as '<q>' or '<t> </t>'.",
        string,
        layouts=(LINE_FILES, *RECORD_LAYOUTS),
        is_common=True,
    )
    sentences: str | None = option(
        "--sentences TAG|auto|punkt",
        READING,
        "Find the sentences of raw text in a language (en, pt-BR; auto: that of --language).",
        sentence_finder,
        layouts=(*TEXT_FILES, LINE_FILES, *RECORD_LAYOUTS, LISTS),
    )
    max_record: int = option(
        "--max-record MB",
        READING,
        "Refuse records with a line or a field of more megabytes, once decompressed.",
        whole(1, 2000, "a whole number from 1 to 2000"),
        64,
        layouts=(LINE_FILES, RECORD_FILES),
    )
    encoding: str | None = option(
        "--encoding NAME",
        READING,
        "Encoding of line files and records; records are UTF-8 by default.",
        encoding,
        layouts=(LINE_FILES, RECORD_FILES),
    )

    @classmethod
    def of_layout(cls, name: str) -> frozenset[str]:
        """Return the names of the options that a layout uses."""
        options = cls.options().items()
        return frozenset(option for option, declared in options if name in declared.layouts)

    @property
    def page_fields(self) -> tuple[str, ...]:
        """The fields of records that a page shows: those to choose by, then the source."""
        return self.page_field + ((self.page_source,) if self.page_source else ())

    def check(self) -> None:
        """Refuse incomplete layouts and contradictions; raises OptionError."""
        spelling = {name: declared.spelling for name, declared in self.options().items()}
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
                "--column is a number of one system in each record, and several --prediction make "
                "several; give the numbers with --scores FILE"
            )
        names = [field.name for field in self.column]
        if len(set(names)) < len(names):
            raise OptionError("--column: two are called alike; give each a NAME of its own")
        if len(set(self.page_fields)) < len(self.page_fields):
            raise OptionError("--page-field: a field is given twice; give each once")
        if self.sentences and self.sentence_separator is not None:
            raise OptionError("--sentences and --sentence-separator exclude each other; give one")
