"""Which files hold records, and in which format: by their names, or by how they begin."""

from rouge_cli.options.every import Options

__all__ = ["records_format", "sniffed_format"]

FORMATS_BY_SUFFIX = {
    ".jsonl": "JSONL",
    ".ndjson": "JSONL",
    ".json": "JSON",
    ".csv": "CSV",
    ".tsv": "TSV",
    ".parquet": "PARQUET",
}
COMPRESSED = ".gz"

_PARQUET_START = b"PAR1"
_XML_IN_UTF16 = (b"\xff\xfe<\0", b"\xfe\xff\0<")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def records_format(path: str, options: Options) -> str | None:
    """Return the format of a file of records; None if it holds none.

    Parameters
    ----------
    path : str
        Its suffix, less ``.gz``, says the format, unless `Options.records_format` does.
    options : Options

    Returns
    -------
    str or None
        ``"JSONL"``, ``"JSON"``, ``"CSV"``, ``"TSV"`` or ``"PARQUET"``.
    """
    if options.inputs.records_format is not None:
        return options.inputs.records_format
    name = path.lower().removesuffix(COMPRESSED)
    for suffix, form in FORMATS_BY_SUFFIX.items():
        if name.endswith(suffix):
            return form
    return None


def sniffed_format(data: bytes) -> str | None:
    """Tell the format of an input without a name from how it begins.

    Parameters
    ----------
    data : bytes
        The whole input, not compressed, in UTF-8 if it is text.

    Returns
    -------
    str or None
        ``"XML"`` for a configuration, ``"JSONL"``, ``"JSON"``, ``"PARQUET"``; None if nothing
        can be told, as with CSV.
    """
    if data.startswith(_PARQUET_START):
        return "PARQUET"
    start = data.removeprefix(_BYTE_ORDER_MARK).lstrip()
    if start.startswith((b"<", *_XML_IN_UTF16)):
        return "XML"
    if start.startswith(b"["):
        return "JSON"
    if not start.startswith(b"{"):
        return None
    # An object over several lines is a document; whatever is wrong elsewhere is wrong in JSONL.
    first_line = start.partition(b"\n")[0]
    return "JSON" if not _is_json(first_line) and _is_json(start) else "JSONL"


def _is_json(data: bytes) -> bool:
    """Say whether bytes are a JSON document in UTF-8."""
    # Imported late: few runs need it.
    import json

    try:
        json.loads(data.decode())
    except (ValueError, RecursionError):
        return False
    return True
