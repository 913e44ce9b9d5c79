"""Refusals of a CONFIG that is something else, with the options that read it."""

import os
from shlex import quote

from rouge_cli.errors import InputError
from rouge_cli.inputs.decoding import HEAD_BYTES
from rouge_cli.inputs.source import Source, sniffed_format

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
    # A path may begin like anything.
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
