"""The names of metrics in this interface: ``rouge1``, ``rougeL``, ``rougeLsum`` and a few more."""

import re
from collections.abc import Iterable
from math import inf

from rouge_cli.compat.scoring import ORIGINAL
from rouge_cli.metrics.single_pair import PairCounts, SinglePair
from rouge_cli.options.declaration import Number
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.quick_dataclass import dataclass

__all__ = ["RougeType", "read_types"]

LARGEST_ORDER = 1000
LARGEST_ORDER_OF_GOOGLE = 9
KNOWN_TO_GOOGLE = "rouge1 to rouge9, rougeL or rougeLsum"
KNOWN = (
    f"rouge1 to rouge{LARGEST_ORDER}, rougeL, rougeLsum, or such as rougeW1.2, rougeS4, rougeSU4, "
    "rougeS* or rougeSU*"
)
NAME = re.compile(
    r"rouge(?:(?P<order>[1-9][0-9]{0,3})|(?P<lcs>L|Lsum)|W(?P<weight>[0-9]+(?:\.[0-9]+)?)"
    r"|(?P<skip>SU?)(?P<gap>[0-9]{1,9}|\*))"
)


@dataclass(frozen=True, slots=True)
class RougeType:
    """A metric of this interface.

    Parameters
    ----------
    name : str
        As it was asked for.
    options : MetricOptions
        Those that ask for it alone, or for ROUGE-1 to ROUGE-N.
    order : int
        N of ROUGE-N, else 0.
    reads_sentences : bool
        Whether sentences matter: in the union LCS and in ROUGE-W.
    """

    name: str
    options: MetricOptions
    order: int = 0
    reads_sentences: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is ROUGE-N or an LCS without weights, which ``rouge_score`` has too."""
        return self.options.lcs or self.order > 0

    def count_pair(self, pair: SinglePair) -> PairCounts:
        """Count the hits of one pair in a metric that `is_plain`."""
        if self.order:
            return pair.count_ngrams(self.order)
        return pair.count_union_lcs() if self.reads_sentences else pair.count_lcs()


def read_types(names: Iterable[str], like: str) -> tuple[RougeType, ...]:
    """Read the names of metrics; one that stands there twice counts once.

    Raises
    ------
    TypeError
        If it is one string, or no list of names.
    ValueError
        If a name is none.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise TypeError(
            f"rouge_types: found {names!r}, expected a list of names such as ['rouge1']"
        )
    return tuple(dict.fromkeys(_read(name, like) for name in names))


def _read(name: object, like: str) -> RougeType:
    """Read one name; raises ValueError."""
    found = NAME.fullmatch(name) if isinstance(name, str) else None
    rouge_type = _type_of(found) if found else None
    if rouge_type is None or not _is_known(rouge_type, like):
        known = KNOWN if like == ORIGINAL else KNOWN_TO_GOOGLE
        raise ValueError(f"rouge_types: found {name!r}, expected {known}")
    return rouge_type


def _type_of(found: re.Match[str]) -> RougeType:
    """Return the metric that a name spells."""
    name = found[0]
    if found["order"]:
        order = int(found["order"])
        return RougeType(name, MetricOptions(lcs=False, max_ngram=order), order)
    if found["lcs"]:
        is_union = found["lcs"] == "Lsum"
        options = MetricOptions(lcs_unit="sentence" if is_union else "text")
        return RougeType(name, options, reads_sentences=is_union)
    if weight := found["weight"]:
        options = MetricOptions(lcs=False, weight=Number(weight, float(weight)))
        return RougeType(name, options, reads_sentences=True)
    gap = "-1" if found["gap"] == "*" else found["gap"]
    options = MetricOptions(
        lcs=False, max_gap=Number(gap, int(gap)), skip_unigram=found["skip"] == "SU"
    )
    return RougeType(name, options)


def _is_known(rouge_type: RougeType, like: str) -> bool:
    """Return whether a metric exists there."""
    if like != ORIGINAL:
        return rouge_type.is_plain and rouge_type.order <= LARGEST_ORDER_OF_GOOGLE
    weight = rouge_type.options.weight
    return rouge_type.order <= LARGEST_ORDER and (weight is None or 0 < weight.value < inf)
