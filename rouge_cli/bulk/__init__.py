"""ROUGE in bulk: scores of many pairs of texts, as arrays.

Options are those of `rouge_cli.evaluate` that say how texts become scores; without any, words are
those of ROUGE-1.5.5, unstemmed.
"""

from rouge_cli.bulk.labels import OracleLabels, oracle_labels
from rouge_cli.bulk.scorer import Scorer
from rouge_cli.bulk.sources import source_statistics

__all__ = ["OracleLabels", "Scorer", "oracle_labels", "source_statistics"]
