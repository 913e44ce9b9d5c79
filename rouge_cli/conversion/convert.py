"""Write a corpus in another layout: the one way in, and JSON lines."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import BinaryIO

from rouge_cli.atomic_files import new_folder
from rouge_cli.conversion.files import write_lines, write_lists, write_xml
from rouge_cli.conversion.names import Written, check_ids, count
from rouge_cli.errors import InputError, Problems
from rouge_cli.inputs.checks import ElementsError
from rouge_cli.inputs.corpus import Corpus, EvalTexts
from rouge_cli.inputs.evaluation import in_byte_order
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, SENTENCE_FORMATS, sentences_of
from rouge_cli.inputs.layout import open_corpus
from rouge_cli.inputs.source import Source, records_format
from rouge_cli.options.options import Options

# IDs that records are read with: not blank, and without characters that break a line of a report.
_HELD = re.compile(r"(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")

# As records are read: the half of a surrogate pair is text too.
_ENCODING = ("utf-8", "surrogatepass")
# JSON reads both halves of a pair as one character, of other bytes.
_BOTH_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NOT_UTF8 = (
    "not UTF-8, and records can hold no other bytes; use --to list, which keeps them, or save it "
    "as UTF-8"
)


def convert_to_records(corpus: Corpus, file: BinaryIO, path: str) -> Written:
    """Write a record for each peer: ``id``, ``system``, ``prediction`` and ``references``.

    Texts are lists of sentences. `path` is what the file will be called, ``-`` for standard output.
    Raises InputError with all IDs, or all texts, that records cannot hold; or a text that cannot be
    read.
    """
    check_ids(corpus, _HELD, "a file of records")
    n_evals = n_records = 0
    problems, names = Problems(), corpus.used_texts()
    for texts in corpus.eval_texts():
        for text, (eval_id, number) in zip(_texts_of(texts), names, strict=False):
            if not _is_held(text):
                problems.add(corpus.texts.describe(number, eval_id), _NOT_UTF8)
        if problems:
            continue
        lines = list(_records(texts))
        file.writelines(lines)
        n_evals, n_records = n_evals + 1, n_records + len(lines)
    problems.raise_any()
    is_known = records_format(path) == "JSONL"
    command = ("rouge-cli", *(() if is_known else ("--records-format", "JSONL")), path)
    systems = count(len(corpus.systems), "systems")
    what = f"{count(n_evals, 'EVALs')}, {systems}, {count(n_records, 'records')}"
    return _warned_of_order(corpus, Written(what, (command,)))


def _records(texts: EvalTexts) -> Iterator[bytes]:
    """Yield the records of an EVAL, each with its newline."""
    references = [_sentences(model) for model in texts.models]
    for system, peer in texts.peers.items():
        record = {
            "id": texts.evaluation.id,
            "system": system,
            "prediction": _sentences(peer),
            "references": references,
        }
        try:
            yield json.dumps(record, ensure_ascii=False).encode() + b"\n"
        except UnicodeEncodeError:
            yield json.dumps(record).encode() + b"\n"


def _texts_of(texts: EvalTexts) -> Iterator[bytes]:
    """Yield the texts of an EVAL in the order of `Corpus.used_texts`."""
    yield from texts.peers.values()
    yield from texts.models


def _is_held(text: bytes) -> bool:
    """Say whether JSON holds a text, so that the same bytes are read back."""
    try:
        return text.isascii() or not _BOTH_HALVES.search(text.decode(*_ENCODING))
    except UnicodeDecodeError:
        return False


def _sentences(text: bytes) -> list[str]:
    """Return the sentences of a text; an empty sentence if it has none."""
    return [part.decode(*_ENCODING) for part in sentences_of(text)] or [""]


@contextmanager
def open_convertible(source: Source, options: Options) -> Iterator[Corpus]:
    """Open a corpus in sentences, with all its systems or the one that is asked for.

    It is usable until the context ends. Raises OptionError and InputError as `open_corpus` does,
    and for Basic Elements, which no other layout holds.
    """
    wanted = options.changed(all=options.inputs.all or source.system_id is None)
    with ExitStack() as stack:
        try:
            corpus = stack.enter_context(open_corpus(source, wanted.inputs, wanted.metrics))
        except ElementsError:
            name = "the texts" if source.config is None else source.name
            raise InputError(
                f"{name}: Basic Elements ({ELEMENTS_FORMAT}) cannot be converted: the other "
                "formats hold sentences; score them as they are, with -3"
            ) from None
        yield corpus


def convert_to_folder(corpus: Corpus, kind: str, path: str, text_format: str) -> Written:
    """Write a corpus into a new or empty folder, whole or not at all.

    `kind` is ``"xml"``, ``"list"`` or ``"lines"``; `text_format` is ``"SPL"``, ``"SEE"`` or
    ``"ISI"``, and means nothing for line files. Raises InputError with what the layout cannot hold;
    a text that cannot be read; a folder that cannot be written.
    """
    with new_folder(path) as folder:
        if kind == "lines":
            return write_lines(corpus, folder)
        form = SENTENCE_FORMATS[text_format]
        if kind == "list":
            return write_lists(corpus, folder, form)
        return _warned_of_order(corpus, write_xml(corpus, folder, form))


def _warned_of_order(corpus: Corpus, written: Written) -> Written:
    """Warn if the systems will be printed in another order."""
    in_order = in_byte_order(corpus.systems)
    if list(corpus.systems) == in_order:
        return written
    warning = f"the systems will be printed in byte order: {', '.join(in_order)}"
    return replace(written, warnings=(*written.warnings, warning))
