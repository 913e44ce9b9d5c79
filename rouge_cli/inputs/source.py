"""The input of a run: CONFIG with its SYSTEM_ID, files of systems, or texts from Python.

Without any of these, the options name the texts. Files of a known foreign format are refused with
the option or the command that reads them.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from shlex import quote
from typing import TYPE_CHECKING, Any, BinaryIO

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.files import MAGIC, STANDARD_INPUT, Spools, bare_name, input_name
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
"""They hold the first line of most inputs."""

_XML_STARTS = (b"<", b"\xff\xfe<\0", b"\xfe\xff\0<")
_PARQUET_START = b"PAR1"


@dataclass(frozen=True, slots=True)
class GivenTexts:
    """Texts from Python: predictions of one system, or of several by their IDs.

    `references` has the models of each prediction; a lone string is one model.
    """

    predictions: Sequence[Text] | Mapping[str, Sequence[Text]]
    references: Sequence[Text | Sequence[Text]]


@dataclass(frozen=True)
class Source:
    """The input that the user named.

    - `config`: path of CONFIG; ``-`` is standard input.
    - `others`: what stands behind CONFIG: a SYSTEM_ID or, with records and saved scores, more
      files.
    - `frame`: from Python, in place of files.
    - `file_system`: the NAME of ``NAME=FILE``: what the system in CONFIG is to be called.
    - `takes_system`: whether a SYSTEM_ID may stand behind CONFIG; not for commands about all
      systems.
    - `outputs`: files that are there and will be replaced: none of them may be a text.
    - `states`: the files that were opened, by path, as they were then; shared with copies.
    - `spools`: copies of what can be read only once, by path; shared with copies.
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
        """Read ``CONFIG [SYSTEM_ID]`` or ``[NAME=]FILE ...``; without words there is no CONFIG."""
        if not words:
            return cls(takes_system=takes_system)
        name, path = named_file(words[0])
        return cls(path, tuple(words[1:]), file_system=name, takes_system=takes_system)

    @property
    def system_id(self) -> str | None:
        """The system to score, where no more files can be meant."""
        return self.others[0] if self.others else None

    @property
    def name(self) -> str:
        """Its name in messages."""
        return "the input" if self.config is None else input_name(self.config)

    @property
    def names(self) -> str:
        """The names of all files, for messages."""
        others = [path for path in self.paths[1:] if os.path.lexists(path)]
        return ", ".join([self.name, *map(input_name, others)])

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths of everything that may be a file."""
        config = () if self.config is None else (self.config,)
        return (*config, *(named_file(word)[1] for word in self.others))

    def check_others(self) -> None:
        """Raise OptionError for more than one SYSTEM_ID, or any where there is no use for it."""
        hint = ""
        if self.others and os.path.isfile(self.others[0]):
            hint = "; files with one text per line: --predictions NAME=FILE --references FILE"
        if self.others and not self.takes_system:
            raise OptionError(
                f"unexpected {self.others[0]!r} behind {self.name}: it is no file of records or "
                "saved scores, and all systems are used; --system-id chooses in compare and plan"
                f"{hint}"
            )
        if len(self.others) > 1:
            raise OptionError(
                f"unexpected {self.others[1]!r}: one SYSTEM_ID at most stands behind {self.name}; "
                f"several files are for records and saved scores{hint}"
            )

    def files(self, records_format: str | None = None) -> "tuple[list[Source], str | None]":
        """Return the files of records, each alone and this one first, and the SYSTEM_ID or None.

        The SYSTEM_ID is the one word that names no file. With a `records_format` that is asked for,
        any file that exists is meant as a file. Raises OptionError if several words name no file,
        if there is a SYSTEM_ID next to several files, or if standard input is to be read twice, or
        has no name next to other files.
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
        """Return the format of CONFIG: the one asked for, or what its name or beginning tells.

        None without CONFIG, or if nothing tells it.
        """
        if self.config is None:
            return None
        if given is not None or not self.is_standard_input:
            return records_format(self.config, given)
        return self._sniffed_format

    @property
    def is_standard_input(self) -> bool:
        """Whether CONFIG is standard input, which has no name to tell the format."""
        return self.config == STANDARD_INPUT

    @cached_property
    def _sniffed_format(self) -> str | None:
        with self.opened("a configuration in XML or records") as stream:
            head = stream.read(HEAD_BYTES)
            if head.startswith(b"{") and not _is_json(head.partition(b"\n")[0]):
                # This may be a document of several lines.
                head += stream.read()
        return sniffed_format(head)

    def opened(self, expected: str) -> "AbstractContextManager[BinaryIO]":
        """Open CONFIG, decompressed, as often as it is wanted; raises InputError.

        `expected` says in messages what it should be.
        """
        from rouge_cli.inputs.files import open_again

        return open_again(self.config or "", expected, self.states, self.spools)


def named_file(word: str) -> tuple[str | None, str]:
    """Split ``NAME=FILE``; the name is None if the whole word is a file, or FILE is not."""
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
    """Explain why a word after several files is not taken for a file."""
    if os.path.lexists(word):
        return f"{word!r}: its name tells no format of records; give --records-format"
    return f"{word!r}: no such file, and behind several files no system is named"


def records_format(path: str, given: str | None = None) -> str | None:
    """Return the format of a file of records: the one given, or what the suffix less ``.gz`` says.

    It is ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"TSV"`` or ``"PARQUET"``; None if it holds no
    records.
    """
    name = bare_name(path)
    by_name = (form for suffix, form in FORMATS_BY_SUFFIX.items() if name.endswith(suffix))
    return given or next(by_name, None)


def sniffed_format(data: bytes) -> str | None:
    """Tell the format of a whole input without a name from how it begins.

    `data` is not compressed, in UTF-8 if it is text. The format is ``"XML"`` for a configuration,
    ``"JSONL"``, ``"JSON"`` or ``"PARQUET"``; None if nothing can be told, as with CSV.
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
    # An object over several lines is a document; whatever is wrong elsewhere is wrong in JSONL.
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
"""First bytes of files that hold no texts, what these files are, and how to read their texts."""

COMPRESSED_TEXT = {
    **{magic: f"compressed with {kind}; decompress it first" for magic, kind in MAGIC.items()},
    b"PAR1": "Parquet, a file of records; name it alone, as CONFIG",
}
"""Compressed formats that are accepted elsewhere, but not as single texts."""

_STARTS = (*FOREIGN, *COMPRESSED_TEXT)

AS_IS = "; --as-is scores the bytes all the same"


def foreign_kind(head: bytes, *, is_text: bool = False) -> str | None:
    """Return what the first bytes say a file is, and what to do; None if it may be valid.

    `is_text` means that the file should be a single text.
    """
    # Fast path: there are many texts, and nearly all begin otherwise.
    if not head.startswith(_STARTS):
        return None
    kinds = {**FOREIGN, **(COMPRESSED_TEXT if is_text else {})}
    return next((kind for start, kind in kinds.items() if head.startswith(start)), None)


def refuse_foreign(name: str, head: bytes, after: str = "") -> None:
    """Raise InputError if the first bytes of a file are those of another format."""
    if (kind := foreign_kind(head.removeprefix(BYTE_ORDER_MARK))) is not None:
        raise InputError(f"{name}: {kind}{after}")


SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".ods", ".numbers")
STARTS_OF_CONFIG = (b"<", b"{", b"[", b"\xff\xfe", b"\xfe\xff")
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
TEXT_HEAD_BYTES = 1 << 12
REFERENCES = "REFERENCES"


def refuse_folder_or_spreadsheet(source: Source) -> None:
    """Raise InputError for what cannot be a configuration, and say how it can be scored."""
    config = source.config or ""
    if os.path.isdir(config):
        raise InputError(
            f"{source.name}: a folder, not a configuration; to score the files there, name the "
            f"folder of their references too: rouge-cli {quote(config)} {REFERENCES}"
        )
    if config.lower().endswith(SPREADSHEETS) and os.path.exists(config):
        raise InputError(
            f"{source.name}: a spreadsheet, not a configuration; export it as CSV in UTF-8 and "
            "score that file"
        )


def refuse_no_list(name: str, data: bytes, format: str) -> None:
    """Raise InputError if a file list turns out to be a configuration or records.

    `format` is what ``-z`` says of the texts.
    """
    kind = sniffed_format(data)
    # A path may begin with any bytes.
    if kind is None or os.path.lexists(data.split(maxsplit=1)[0]):
        return
    raise InputError(
        f"{name}: {kind}, not a file list; leave out -z {format}, which says that each line names "
        "files"
    )


def refuse_text(source: Source, data: bytes) -> None:
    """Refuse a text, and say which options read texts; raises InputError."""
    start = data[:TEXT_HEAD_BYTES].removeprefix(BYTE_ORDER_MARK).lstrip()
    if not start or start.startswith(STARTS_OF_CONFIG) or b"\0" in start:
        return
    raise InputError(
        f"{source.name}: a text, not a configuration in XML; name the file of its references too: "
        f"rouge-cli {quote(source.config or '')} {REFERENCES}; if each line names files, give -z "
        "FORMAT"
    )
