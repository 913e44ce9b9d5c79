"""What can be left untyped: the option for two files or folders, and the usual metrics."""

import os
import re
from collections.abc import Mapping, Sequence
from itertools import chain, islice
from typing import Any

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.files import bare_name, is_compressed
from rouge_cli.inputs.layout import LAYOUTS
from rouge_cli.inputs.source import (
    BYTE_ORDER_MARK,
    HEAD_BYTES,
    SPREADSHEETS,
    STARTS_OF_CONFIG,
    Source,
    named_file,
    records_format,
    sniffed_format,
)
from rouge_cli.options.inputs import RECORD_FORMATS
from rouge_cli.options.presets import DEFAULT_PRESET

MOST_SENTENCES = 50  # lines of a text; longer files of different lengths lack a line
FEW_SENTENCES = 10  # lines up to which files of equal length may be two texts
SENTENCE_ENDS = re.compile(rb"[.!?][\"')]?(?:\s|\Z)|<[a-zA-Z/]")

SELECTORS = frozenset(filter(None, (layout.selector for layout in LAYOUTS)))


def spelled_out(
    words: Sequence[str], typed: Mapping[str, Any]
) -> tuple[Sequence[str], Mapping[str, Any], str]:
    """Replace two folders, or two files of text, by the option that names them.

    Returns the other words, the options by name, and what the words were taken for; other inputs
    are returned unchanged. The original's command lines are never changed: a configuration begins
    with ``<``, and a file list needs ``-z``. Raises InputError for an empty file.
    """
    if len(words) != len(("predictions", "references")) or any(map(typed.get, SELECTORS)):
        return words, typed, ""
    first, second = named_file(words[0])[1], words[1]
    names = f"{escaped(first)} and {escaped(second)}"
    if os.path.isdir(first) and os.path.isdir(second):
        if _holds_scores(first) or _holds_scores(second):
            return words, typed, ""
        note = f"{names}: taken for folders of texts, paired by name; --dry-run shows the pairs"
        return (), {**typed, "pair": (first, second)}, note
    others = [path for path in (first, second) if not _is_text(path)]
    if len(others) == 1 and os.path.isfile(others[0]) and not os.path.getsize(others[0]):
        raise InputError(f"{escaped(others[0])}: an empty file; expected texts")
    if others:
        return words, typed, ""
    if _are_lines(first, second):
        of_lines = {"peer_lines": (words[0],), "model_lines": (second,)}
        note = f"{names}: taken for files with one text per line; --pair reads each as one text"
        return (), {**typed, **of_lines}, note
    note = (
        f"{names}: taken for two texts with one sentence per line; for one text per line, give "
        "--predictions and --references"
    )
    return (), {**typed, "pair": (first, second)}, note


def default_preset(source: Source, typed: Mapping[str, Any]) -> str | None:
    """Return the preset of a run without options of metrics and texts.

    None for what ROUGE-1.5.5 reads, a configuration and a file list. Raises InputError if standard
    input cannot be read.
    """
    if typed.get("paper_table") or typed.get("conditions"):
        # These studies of ``correlate`` choose metrics and stems themselves.
        return None
    if source.config is None:
        return DEFAULT_PRESET
    if typed.get("list_format"):
        return None
    form = source.form_of_records(typed.get("records_format"))
    is_other = form not in {None, "XML"} or _holds_scores(source.config)
    return DEFAULT_PRESET if is_other else None


def is_single_text(typed: Mapping[str, Any]) -> bool:
    """Return whether the options name a single text, whose scores have no interval to report."""
    is_classic = any(str(kind).startswith("classic") for kind in typed.get("report") or ())
    names_one = typed.get("text") or not any(map(os.path.isdir, typed.get("pair") or "."))
    return bool(names_one) and not is_classic


def _holds_scores(folder: str) -> bool:
    # Few inputs are folders, and the module imports json.
    if not os.path.isdir(folder):
        return False
    from rouge_cli.scores.saved_scores import is_saved

    return is_saved(folder)


def _is_text(path: str) -> bool:
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


def _are_lines(*paths: str) -> bool:
    # Lines are the sentences of a single text if the files are short, and differ in length or have
    # single sentences in all lines.
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
    # A sentence ends where the line does, and nowhere before.
    are_sentences = max(lengths) <= FEW_SENTENCES and all(
        [match.end() for match in SENTENCE_ENDS.finditer(line)] == [len(line)] for line in lines
    )
    return len(set(lengths)) == 1 and (max(lengths) == 1 or not are_sentences)
