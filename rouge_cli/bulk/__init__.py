"""ROUGE in bulk: scores of many pairs of texts, as arrays.

The functions take the options of `rouge_cli.evaluate` that affect how texts become scores. By
default, texts are tokenized as in ROUGE-1.5.5, without stemming. A measure of a metric is named as
in ``--require``, such as ``metric="ROUGE-2:F"``; under a protocol it has the package's name, such
as ``metric="rougeL:F"``.
"""

from rouge_cli.bulk.above import pairs_above
from rouge_cli.bulk.documents import OracleLabels, oracle_labels, source_statistics
from rouge_cli.bulk.filtering import FilteredTexts, SimilarityFilter, filter_similar
from rouge_cli.bulk.pairs import iter_pairwise, neighbours, pairwise
from rouge_cli.bulk.risk import mbr
from rouge_cli.bulk.scorer import Reward, Scorer, reward
from rouge_cli.bulk.texts import BulkTexts, read

__all__ = [
    "BulkTexts",
    "FilteredTexts",
    "OracleLabels",
    "Reward",
    "Scorer",
    "SimilarityFilter",
    "filter_similar",
    "iter_pairwise",
    "mbr",
    "neighbours",
    "oracle_labels",
    "pairs_above",
    "pairwise",
    "read",
    "reward",
    "source_statistics",
]
