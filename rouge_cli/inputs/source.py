"""The source of a run: CONFIG with its SYSTEM_ID, files of systems, or texts from Python.

If there is none of these, the options name the texts. Files in known foreign formats are refused
with advice on how to read them.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, BinaryIO

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.files import (
    MAGIC,
    STANDARD_INPUT,
    Spools,
    bare_name,
    input_name,
    is_compressed,
)
from rouge_cli.options.inputs import RECORD_FORMATS
from rouge_cli.quick_dataclass import dataclass

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from rouge_cli.inputs.files import FileState

FORMATS_BY_SUFFIX = {
    ".jsonl": "JSONL",
    ".ndjson": "JSONL",
    ".json": "JSON",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "PARQUET",
}

Text = str | bytes | Sequence[str | bytes]
"""A text: a string with a newline between sentences, or a sequence of sentences."""

HEAD_BYTES = 1 << 16
"""Number of bytes read to recognise a format; enough for the first line of most inputs."""

_XML_STARTS = (b"<", b"\xff\xfe<\0", b"\xfe\xff\0<")
_PARQUET_START = b"PAR1"


@dataclass(frozen=True, slots=True)
class GivenTexts:
    """Texts passed in Python: predictions of one system, or a map from systems to predictions.

    `references` has the models of each prediction; a single string is one model.
    """

    predictions: Sequence[Text] | Mapping[str, Sequence[Text]]
    references: Sequence[Text | Sequence[Text]]


@dataclass(frozen=True)
class Source:
    """The input named by the user.

    - `config`: the path of CONFIG; ``-`` is standard input.
    - `others`: the words after CONFIG: a SYSTEM_ID or, for records and saved scores, other files.
    - `texts`, `frame`: lists or a data frame, passed in Python.
    - `file_system`: the NAME in ``NAME=FILE``, which is to be the name of the system in CONFIG.
    - `takes_system`: whether a SYSTEM_ID may follow CONFIG; false for commands about all systems.
    - `outputs`: existing files that the run will replace, so that they must not be texts.
    - `states`: the state of each file, by path, when it was first opened; shared with copies.
    - `spools`: copies of inputs that can be read only once, by path; shared with copies.
    """

    config: str | None = None
    others: tuple[str, ...] = ()
    texts: GivenTexts | None = None
    frame: Any = None
    file_system: str | None = None
    takes_system: bool = True
    outputs: tuple[str, ...] = ()
    states: dict[str, "FileState"] = field(default_factory=dict, compare=False, repr=False)
    spools: Spools = field(default_factory=Spools, compare=False, repr=False)

    @classmethod
    def of(cls, words: Sequence[str], *, takes_system: bool = True) -> "Source":
        """Parse the words ``CONFIG [SYSTEM_ID]`` or ``[NAME=]FILE ...``, which may be missing."""
        if not words:
            return cls(takes_system=takes_system)
        name, path = named_file(words[0])
        return cls(path, tuple(words[1:]), file_system=name, takes_system=takes_system)

    @property
    def system_id(self) -> str | None:
        """The system to score, for layouts that read only one file."""
        return self.others[0] if self.others else None

    @property
    def name(self) -> str:
        """The name of CONFIG in messages."""
        return "the input" if self.config is None else input_name(self.config)

    @property
    def names(self) -> str:
        """The names of all files, for messages."""
        others = [path for path in self.paths[1:] if os.path.lexists(path)]
        return ", ".join([self.name, *map(input_name, others)])

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of CONFIG and of all words that may be files."""
        config = () if self.config is None else (self.config,)
        return (*config, *(named_file(word)[1] for word in self.others))

    def check_others(self) -> None:
        """Raise OptionError if there are several SYSTEM_IDs, or one that cannot be used."""
        if not self.others:
            return
        hint = ""
        if os.path.isfile(self.others[0]):
            hint = "; files with one text per line: --predictions NAME=FILE --references FILE"
        if not self.takes_system:
            raise OptionError(
                f"unexpected {self.others[0]!r} behind {self.name}: it is not a file of records or "
                "saved scores, and all systems are used; --system-id chooses in compare and plan"
                f"{hint}"
            )
        if len(self.others) > 1:
            raise OptionError(
                f"unexpected {self.others[1]!r}: at most one SYSTEM_ID may follow {self.name}; "
                f"several files are for records and saved scores{hint}"
            )

    def files(self, records_format: str | None = None) -> "tuple[list[Source], str | None]":
        """Return a source for each file of records, this one first, and the SYSTEM_ID or None.

        The SYSTEM_ID is the only word that does not name a file of records. With `records_format`,
        as given by the user, every existing file is one. Raises OptionError if several words name
        no file, if there are both several files and a SYSTEM_ID, or if standard input is given
        twice, or without a name among other files.
        """
        files, words = [self], []
        for word in self.others:
            name, path = named_file(word)
            if _is_file_of_records(path, records_format):
                files.append(Source(path, file_system=name, states=self.states, spools=self.spools))
            else:
                words.append(word)
        if len(words) > 1 or (words and len(files) > 1):
            raise OptionError(no_file(words[0]))
        if [file.config for file in files].count(STANDARD_INPUT) > 1:
            raise OptionError("- (standard input) is given twice; it can be read once")
        if len(files) > 1 and any(
            file.is_standard_input and not file.file_system for file in files
        ):
            raise OptionError("-: standard input needs a name beside other files; give NAME=-")
        return files, words[0] if words else None

    def form_of_records(self, given: str | None) -> str | None:
        """Return the records format of CONFIG: `given`, or as shown by its name or first bytes.

        None if there is no CONFIG, or if it cannot be told.
        """
        if self.config is None:
            return None
        if given is not None or not self.is_standard_input:
            return records_format(self.config, given)
        return self._sniffed_format

    @property
    def is_standard_input(self) -> bool:
        """Whether CONFIG is standard input, whose format no name can tell."""
        return self.config == STANDARD_INPUT

    @cached_property
    def _sniffed_format(self) -> str | None:
        with self.opened("a configuration in XML or records") as stream:
            head = stream.read(HEAD_BYTES)
            if head.startswith(b"{") and not _is_json(head.partition(b"\n")[0]):
                # This may be a document that spans several lines, so all of it has to be parsed.
                head += stream.read()
        return sniffed_format(head)

    def opened(self, expected: str) -> "AbstractContextManager[BinaryIO]":
        """Open CONFIG, decompressed; can be called repeatedly. Raises InputError.

        `expected` describes the expected content in messages.
        """
        from rouge_cli.inputs.files import open_again

        return open_again(self.config or "", expected, self.states, self.spools)


def named_file(word: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE``; the name is None if the whole word is a file, or FILE does not exist."""
    name, equals, path = word.partition("=")
    is_named = name and equals and not os.path.lexists(word)
    if is_named and (_is_file_of_records(path, None) or os.path.lexists(path)):
        return name, path
    return None, word


def _is_file_of_records(path: str, given_format: str | None) -> bool:
    if path == STANDARD_INPUT or records_format(path) is not None:
        return True
    return given_format is not None and os.path.lexists(path)


def no_file(word: str) -> str:
    """Return the message about a word that follows several files and is not a file of records."""
    if os.path.lexists(word):
        return f"{word!r}: its name shows no format of records; give --records-format"
    return f"{word!r}: no such file, and behind several files no system is named"


def records_format(path: str, given: str | None = None) -> str | None:
    """Return `given`, or the format of a file of records by its suffix, ignoring ``.gz``.

    The format is a value of `FORMATS_BY_SUFFIX`; None if the suffix is not one of records.
    """
    name = bare_name(path)
    by_name = (form for suffix, form in FORMATS_BY_SUFFIX.items() if name.endswith(suffix))
    return given or next(by_name, None)


def sniffed_format(data: bytes) -> str | None:
    """Recognise the format of an input without a name by its content.

    `data` is uncompressed and, if it is text, in UTF-8. Returns ``"XML"`` for a configuration,
    ``"JSONL"``, ``"JSON"`` or ``"PARQUET"``; None for anything else, such as CSV.
    """
    if data.startswith(_PARQUET_START):
        return "PARQUET"
    start = data.removeprefix(BYTE_ORDER_MARK).lstrip()
    if start.startswith(_XML_STARTS):
        return "XML"
    if start.startswith(b"["):
        return "JSON"
    if not start.startswith(b"{"):
        return None
    # An object that spans several lines is a document. Treat malformed JSON as JSONL, whose
    # messages name the line.
    first_line = start.partition(b"\n")[0]
    return "JSON" if not _is_json(first_line) and _is_json(start) else "JSONL"


def _is_json(data: bytes) -> bool:
    # Imported late, because few runs need it.
    import json

    try:
        json.loads(data.decode())
    except (ValueError, RecursionError):
        return False
    return True


FOREIGN = {
    b"version https://git-lfs.github.com/spec/": (
        "a pointer of Git LFS, not the data; get the data with: git lfs pull"
    ),
    b"{\\rtf": "RTF, as word processors write it; save it as plain text in UTF-8",
    b"%PDF-": "PDF; extract its text first, for instance with: pdftotext FILE.pdf",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "a file of Microsoft Office; save it as plain text or CSV",
    b"PK\x03\x04": "a ZIP archive or an Office file; unpack it, or save it as text or CSV",
    b"\x28\xb5\x2f\xfd": "compressed with zstd; decompress it with: zstd -d FILE",
    b"\x04\x22\x4d\x18": "compressed with lz4; decompress it with: lz4 -d FILE",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive; unpack it first",
    b"Rar!\x1a\x07": "a RAR archive; unpack it first",
    b"ARROW1": "Arrow or Feather; save it as Parquet",
    b"FEA1": "Feather; save it as Parquet",
    b"\x89HDF\r\n\x1a\n": "HDF5; save it as Parquet or CSV",
    b"SQLite format 3\0": "a database of SQLite; export the table as CSV",
    b"\x80\x04\x95": "a pickle of Python; save it as JSONL",
    b"\x80\x05\x95": "a pickle of Python; save it as JSONL",
}
"""Maps the first bytes of files that are not texts to a description, with advice."""

COMPRESSED_TEXT = {
    **{magic: f"compressed with {kind}; decompress it first" for magic, kind in MAGIC.items()},
    b"PAR1": "Parquet, a file of records; name it alone, as CONFIG",
}
"""Compressed formats that are accepted elsewhere, but not as single texts."""

_STARTS = (*FOREIGN, *COMPRESSED_TEXT)

AS_IS = "; --as-is scores the bytes all the same"


def foreign_kind(head: bytes, *, is_text: bool = False) -> str | None:
    """Return a description of a file in a foreign format, with advice; None if it may be valid.

    `is_text` is whether the file should be a single text, which must not be compressed.
    """
    # One test for all formats, because there may be many texts, and hardly any is foreign.
    if not head.startswith(_STARTS):
        return None
    kinds = {**FOREIGN, **(COMPRESSED_TEXT if is_text else {})}
    return next((kind for start, kind in kinds.items() if head.startswith(start)), None)


def refuse_foreign(name: str, head: bytes, after: str = "") -> None:
    """Raise InputError if the first bytes of a file show a foreign format."""
    if (kind := foreign_kind(head.removeprefix(BYTE_ORDER_MARK))) is not None:
        raise InputError(f"{name}: {kind}{after}")


SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")
STARTS_OF_CONFIG = (b"<", b"{", b"[", b"\xff\xfe", b"\xfe\xff")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


# Two files without an option: one text per line, or a single text each.

MOST_SENTENCES = 50
"""Maximum number of lines of a file that may be a single text. In longer files, a line is a text;
if their lengths differ, one of them lacks a line."""

FEW_SENTENCES = 10
"""Maximum number of lines of two files of equal length that may be two texts, sentence by
sentence."""

SENTENCE_ENDS = re.compile(rb"[.!?][\"')]?(?:\s|\Z)|<[a-zA-Z/]")


def is_text_file(path: str) -> bool:
    """Return whether a path is that of a text, not a folder, spreadsheet, records or configuration.

    The beginning of the file decides if its name does not. Anything but an ordinary file, such as a
    pipe, counts as a text, since its beginning cannot be read twice.
    """
    suffix = os.path.splitext(bare_name(path))[1]
    if not os.path.exists(path) or os.path.isdir(path) or suffix in {".xml", *SPREADSHEETS}:
        return False
    if records_format(path) is not None:
        return False
    if not os.path.isfile(path):
        return True
    try:
        with open(path, "rb") as file:
            head = file.read(HEAD_BYTES).removeprefix(BYTE_ORDER_MARK).lstrip()
    except OSError:
        return False
    if head.startswith(STARTS_OF_CONFIG):
        # Names of elements are in any case, and in UTF-16 with zero bytes.
        is_config = head.startswith(b"<?xml") or b"EVAL" in head.replace(b"\0", b"").upper()
        return sniffed_format(head) not in RECORD_FORMATS and not is_config
    lines = (line for line in head.split(b"\n") if line.strip() and not line.startswith(b"#"))
    # A line of a file list begins with the path of a file.
    words = next(lines, b"").split(maxsplit=1)
    return bool(words) and not os.path.isfile(words[0])


def are_line_files(*paths: str) -> bool:
    """Return whether files of text have a text per line, and not a single text of sentences.

    They are a single text each if they are short, and differ in length or have single sentences in
    all lines.
    """
    if any(not os.path.isfile(path) or is_compressed(path) for path in paths):
        return True
    heads = []
    for path in paths:
        with open(path, "rb") as file:
            heads.append(list(islice(file, MOST_SENTENCES + 1)))
    lengths = [len(lines) for lines in heads]
    if max(lengths) > MOST_SENTENCES:
        return True
    lines = [line.strip() for line in chain(*heads)]
    # Each line ends with a sentence, and no sentence ends before.
    are_sentences = max(lengths) <= FEW_SENTENCES and all(
        [match.end() for match in SENTENCE_ENDS.finditer(line)] == [len(line)] for line in lines
    )
    return len(set(lengths)) == 1 and (max(lengths) == 1 or not are_sentences)
