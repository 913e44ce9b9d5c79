"""To records: a JSON object a line, for each peer with its models."""

import json
import re
from collections.abc import Iterator
from typing import BinaryIO

from rouge_cli.conversion.names import check_ids
from rouge_cli.conversion.written import Written, count
from rouge_cli.inputs.corpus import Corpus, EvalTexts, read_texts, scored_evaluations
from rouge_cli.inputs.formats import sentences_of
from rouge_cli.inputs.source import records_format

__all__ = ["write_records"]

# Such as records are read with: not blank, and without what would break a line of a report.
_HELD = re.compile(r"(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def write_records(corpus: Corpus, file: BinaryIO, path: str) -> Written:
    """Write a record for each peer: ``id``, ``system``, ``prediction`` and ``references``.

    Texts are lists of sentences. Bytes that are no UTF-8 become lone surrogates, U+DC80 to U+DCFF.

    Raises InputError with all IDs that records cannot hold; a text that cannot be read.

    Parameters
    ----------
    path : str
        What it will be called, ``-`` for standard output.
    """
    check_ids(corpus, _HELD, "a file of records")
    n_evals = n_records = 0
    for evaluation in scored_evaluations(corpus):
        lines = list(_records(read_texts(corpus, evaluation)))
        file.writelines(lines)
        n_evals, n_records = n_evals + 1, n_records + len(lines)
    is_known = records_format(path) == "JSONL"
    command = ("rouge-cli", *(() if is_known else ("--records-format", "JSONL")), path)
    systems = count(len(corpus.systems), "systems")
    what = f"{count(n_evals, 'EVALs')}, {systems}, {count(n_records, 'records')}"
    return Written(what, (command,))


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


def _sentences(text: bytes) -> list[str]:
    """Return the sentences of a text, one that is empty if it has none."""
    return [one.decode("utf-8", "surrogateescape") for one in sentences_of(text)] or [""]
