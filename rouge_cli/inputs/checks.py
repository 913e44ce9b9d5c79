"""Refusals of files that are something else, with the options or commands that read them."""

import os
from shlex import quote

from rouge_cli.errors import InputError
from rouge_cli.inputs.decoding import HEAD_BYTES
from rouge_cli.inputs.files import MAGIC
from rouge_cli.inputs.source import Source, sniffed_format

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
    start = data[:HEAD_BYTES].removeprefix(BYTE_ORDER_MARK).lstrip()
    if not start or start.startswith(STARTS_OF_CONFIG) or b"\0" in start:
        return
    raise InputError(
        f"{source.name}: a text, not a configuration in XML; name the file of its references too: "
        f"rouge-cli {quote(source.config or '')} {REFERENCES}; if each line names files, give -z "
        "FORMAT"
    )
