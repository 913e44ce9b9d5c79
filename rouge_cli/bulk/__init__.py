"""ROUGE in bulk: scores of many pairs of texts, as arrays.

Options are those of `rouge_cli.evaluate` that say how texts become scores; without any, words are
those of ROUGE-1.5.5, unstemmed. A measure of a metric is named as in ``--require``, such as
``metric="ROUGE-2:F"``; under a protocol it has the package's name, such as ``metric="rougeL:F"``.
"""

from rouge_cli.bulk.above import pairs_above
from rouge_cli.bulk.filtering import FilteredTexts, SimilarityFilter, filter_similar
from rouge_cli.bulk.pairs import iter_pairwise, neighbours, pairwise
from rouge_cli.bulk.risk import mbr
from rouge_cli.bulk.scorer import Scorer
from rouge_cli.bulk.texts import BulkTexts, read

__all__ = [
    "BulkTexts",
    "FilteredTexts",
    "Scorer",
    "SimilarityFilter",
    "filter_similar",
    "iter_pairwise",
    "mbr",
    "neighbours",
    "pairs_above",
    "pairwise",
    "read",
]
