"""Read a file of human judgements: CSV, TSV or JSONL."""

from io import StringIO

from rouge_cli.errors import InputError, OptionError
from rouge_cli.inputs.compressed import input_name, open_input
from rouge_cli.inputs.judgements import JudgedRow, Judgements, gather_judgements

__all__ = ["JudgedRow", "Judgements", "read_judgements"]

DELIMITERS = {".csv": ",", ".tsv": "\t"}
LINES_OF_JSON = (".jsonl", ".ndjson")
COMPRESSED = ".gz"


def read_judgements(path: str, wanted: tuple[str, ...] = ()) -> Judgements:
    """Read a file of judgements.

    Parameters
    ----------
    path : str
        Its suffix, less ``.gz``, says the format. UTF-8; a byte that is none counts as it does in
        the names of a configuration.
    wanted : tuple of str
        The columns to take; without any, every one with numbers.

    Raises
    ------
    OptionError
        If the suffix says no format.
    InputError
        If the file cannot be read, or holds something else.
    """
    suffix = _suffix(path)
    name = input_name(path)
    with open_input(path, "judgements") as file:
        text = file.read().decode("utf-8-sig", "surrogateescape")
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise InputError(f"{name}, line {line}: a zero byte; expected judgements in UTF-8")
    lines = StringIO(text, newline="")
    if suffix in DELIMITERS:
        from rouge_cli.inputs.records.table_rows import table_rows

        return gather_judgements(table_rows(lines, DELIMITERS[suffix]), name, wanted)
    from rouge_cli.inputs.records.json_rows import jsonl_rows

    return gather_judgements(jsonl_rows(lines), name, wanted)


def _suffix(path: str) -> str:
    """Return the suffix that says the format; raises OptionError."""
    bare = path.lower().removesuffix(COMPRESSED)
    for suffix in (*DELIMITERS, *LINES_OF_JSON):
        if bare.endswith(suffix):
            return suffix
    raise OptionError(
        f"--judgements: found {path!r}, expected a file whose name ends in .csv, .tsv or .jsonl"
    )
