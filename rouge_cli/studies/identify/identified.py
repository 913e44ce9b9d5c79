"""The question and the answer of ``identify``: published numbers, settings, classes."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from rouge_cli.quick_dataclass import dataclass

ORDERS = ("lines", "numbers-from-0", "numbers-from-1", "ids")
"""Orders of EVALs that come about in programs. Numbers without leading zeros are sorted as text;
with them, the order is that of the lines."""


class PublishedNumber(NamedTuple):
    """A number of a table.

    - `name`: the metric, such as ``"ROUGE-L"``.
    - `letter`: R, P or F.
    - `text`: as typed, without a percent sign.
    - `value`, `half_unit`: as shares of 1; half a unit of its last decimal.
    - `decimals`: of a percentage.
    """

    name: str
    letter: str
    text: str
    value: float
    half_unit: float
    decimals: int


class IdentifyQuestion(NamedTuple):
    """The question.

    - `published`: the numbers.
    - `order`: the only order of EVALs to try, or None.
    - `is_deep`: whether texts are changed too.
    - `lang`: the language of the texts, for the protocol that needs it, or None.
    """

    published: tuple[PublishedNumber, ...]
    order: str | None = None
    is_deep: bool = False
    lang: str | None = None


_NAME = re.compile(
    r"(?:ROUGE|R)[-_ ]?(?:(?P<order>[1-9])|(?P<sum>L-?SUM)|(?P<lcs>L)|(?P<weighted>W)(?:-1\.2)?"
    r"|(?P<skip>SU?(?:\*|[0-9]{1,2})))(?::(?P<letter>[RPF]))?",
    re.IGNORECASE,
)
_VALUE = re.compile(r"([0-9]{1,3})(?:\.([0-9]{1,17}))?(%?)")
EXPECTED = "numbers by metric, such as 'ROUGE-1=44.16 ROUGE-2=21.28 ROUGE-L:R=0.409'"


def published(raw: Any) -> tuple[PublishedNumber, ...]:
    """Read published numbers: a string, or a mapping from metric to number or its text."""
    if isinstance(raw, Mapping):
        items = [(str(name), str(value)) for name, value in raw.items()]
    elif isinstance(raw, str):
        words = raw.replace(",", " ").split()
        items = [(name, value) for name, _, value in (word.partition("=") for word in words)]
    else:
        items = []
    if not items:
        raise ValueError(EXPECTED)
    matched = [(_NAME.fullmatch(name.strip()), _VALUE.fullmatch(text)) for name, text in items]
    numbers = [_number(name, value) for name, value in matched if name and value]
    if len(numbers) < len(items) or len({number[:2] for number in numbers}) < len(numbers):
        raise ValueError(EXPECTED)
    # A table has one scale. ROUGE above 1 is a percentage; nobody prints less than 1 percent alone.
    is_percent = any(
        value and (value[3] or float(value[0].rstrip("%")) > 1) for _, value in matched
    )
    if is_percent:
        return tuple(
            number._replace(value=number.value / 100, half_unit=number.half_unit / 100)
            for number in numbers
        )
    return tuple(number._replace(decimals=number.decimals - 2) for number in numbers)


def _number(name: "re.Match[str]", value: "re.Match[str]") -> PublishedNumber:
    """Return a number, not yet as a share of 1."""
    if name["sum"]:
        metric = "Lsum"
    else:
        metric = (name["order"] or name["lcs"] or name["weighted"] or name["skip"]).upper()
    text = value[0].rstrip("%")
    decimals = len(value[2] or "")
    letter = (name["letter"] or "F").upper()
    return PublishedNumber(
        f"ROUGE-{metric}", letter, text, float(text), 0.5 * 10.0**-decimals, decimals
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A candidate, and how its numbers compare with the published ones.

    Parameters
    ----------
    name : str
        The protocol with its options.
    metric : str
        Which of the package's metrics is taken for ROUGE-L, if it has two.
    sentences : str
        How they were found, if that was left to the caller.
    direction : str
        ``as given``, ``exchanged``, or ``either`` where both come to the same numbers.
    mean : str
        What averages: ``mean``, ``f-of-means``, ``median-of-resamples`` or ``original``.
    texts : str
        ``all`` texts as they are, or what was done to them.
    n_texts : int
    match : str
        ``exact``, ``exact in the order ...``, ``within the error of the draws``; empty if the
        numbers are not consistent.
    values : tuple of float
        Of the published metrics, as shares of 1.
    means : tuple of float
        Of the same metrics, plain ones: those that resampled means scatter around.
    tolerances : tuple of float
        Three standard errors of the draws, if it has any.
    distance : float
        The greatest difference from a published number, as a share of 1.
    others : tuple of pairs of str and float
        Its other numbers, by metric and letter: ``"ROUGE-2 R"``.
    """

    name: str
    metric: str
    sentences: str
    direction: str
    mean: str
    texts: str
    n_texts: int
    match: str
    values: tuple[float, ...]
    means: tuple[float, ...]
    tolerances: tuple[float, ...]
    distance: float
    others: tuple[tuple[str, float], ...]


class SettingClass(NamedTuple):
    """Settings that print the same numbers for these texts, and so cannot be told apart by them.

    `letter` names the class: A, B and so on, the nearest first.
    """

    letter: str
    settings: tuple[Setting, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """The numbers of the first setting."""
        return self.settings[0].values


class Telling(NamedTuple):
    """What would tell consistent settings apart.

    - `name`: a metric with its measure, ``"ROUGE-2 R"``; empty for decimals of the same numbers.
    - `decimals`: of a percentage.
    - `n_groups`: into how many groups they fall.
    """

    name: str
    decimals: int
    n_groups: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Identification:
    """What could have printed some numbers.

    Parameters
    ----------
    system : str
    n_texts : int
    published : tuple of PublishedNumber
    n_tried : int
        Number of settings.
    orders : tuple of str
        The orders of EVALs that were tried.
    consistent : tuple of SettingClass
    nearest : tuple of SettingClass
        Of all others, the nearest.
    telling : tuple of Telling
        What would tell the consistent ones apart, the best first.
    chance : float
        How often numbers that have nothing to do with the texts, but lie within a quarter of a
        point of those of some setting, are consistent with any setting.
    is_deep : bool
    remarks : tuple of str
        What was not tried.
    warnings : tuple of str
    """

    system: str
    n_texts: int
    published: tuple[PublishedNumber, ...]
    n_tried: int
    orders: tuple[str, ...]
    consistent: tuple[SettingClass, ...]
    nearest: tuple[SettingClass, ...]
    telling: tuple[Telling, ...]
    chance: float
    is_deep: bool
    remarks: tuple[str, ...]
    warnings: tuple[str, ...] = ()
