"""Scores that stand beside those of the texts: computed elsewhere, or fused of others."""

import re
from collections import Counter
from collections.abc import Iterable
from math import inf
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import ItemError, OptionGroup, option
from rouge_cli.options.fusions import Fusion, fusions
from rouge_cli.options.values import choice, paths, strings
from rouge_cli.quick_dataclass import dataclass

__all__ = ["UNMATCHED", "BesideOptions", "NamedField", "Scale", "named_fields", "scales"]

BESIDE = "Beside ROUGE"
UNMATCHED = ("error", "skip", "skip-cells")
NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
SCALE = re.compile(rf"\s*([^=]*[^=\s])\s*=\s*({NUMBER})\s*-\s*({NUMBER}|inf)\s*")
EXPECTED_SCALE = "NAME=LOW-HIGH, such as human=1-5 or judge=0-100"
EXPECTED_COLUMN = "[NAME=]FIELD, such as human=annotation.score, with a NAME without : and |"


@dataclass(frozen=True, slots=True)
class NamedField:
    """A field of records, and what the metric of its numbers is called."""

    name: str
    path: str

    def __str__(self) -> str:
        """Return it as it is typed."""
        return self.path if self.name == self.path else f"{self.name}={self.path}"


def named_fields(given: Any) -> tuple[NamedField, ...]:
    """Read ``[NAME=]FIELD``, one or several; without a name the field gives it."""
    if isinstance(given, str | NamedField):
        return (_named_field(given),)
    if not isinstance(given, Iterable):
        raise ValueError(EXPECTED_COLUMN)
    return tuple(map(_named_field, given))


def _named_field(given: Any) -> NamedField:
    """Read ``[NAME=]FIELD``."""
    if isinstance(given, NamedField):
        return given
    name, equals, path = str(given).partition("=")
    name, path = name.strip(), (path if equals else name).strip()
    if not isinstance(given, str) or not name or not path or not name.isprintable():
        raise ItemError(given, EXPECTED_COLUMN)
    if set(name) & set(":|"):
        raise ItemError(given, EXPECTED_COLUMN)
    return NamedField(name, path)


@dataclass(frozen=True, slots=True)
class Scale:
    """From which number to which the scores of a metric go.

    Parameters
    ----------
    text : str
        What is declared: only scores of one scale can be fused.
    """

    metric: str
    text: str
    low: float
    high: float

    def __str__(self) -> str:
        """Return it as it is typed."""
        return f"{self.metric}={self.text}"


def scales(given: Any) -> tuple[Scale, ...]:
    """Read ``NAME=LOW-HIGH``, one or several."""
    if isinstance(given, str | Scale):
        return (_scale(given),)
    if not isinstance(given, Iterable):
        raise ValueError(EXPECTED_SCALE)
    return tuple(map(_scale, given))


def _scale(given: Any) -> Scale:
    """Read ``NAME=LOW-HIGH``."""
    if isinstance(given, Scale):
        return given
    found = SCALE.fullmatch(given) if isinstance(given, str) else None
    if found is None or not float(found[2]) < float(found[3]):
        raise ItemError(given, EXPECTED_SCALE)
    low, high = float(found[2]), float(found[3])
    # 1-5 and 1.0-5.0 are one scale.
    text = f"{_plain(low)}-{_plain(high)}"
    return Scale(found[1], text, low, high)


def _plain(number: float) -> str:
    """Write a bound by its value; whole ones without .0."""
    return "inf" if number == inf else repr(number + 0.0).removesuffix(".0")


@dataclass(frozen=True, slots=True, kw_only=True)
class BesideOptions(OptionGroup):
    """Which scores from elsewhere join those of the run, and what is made of them."""

    scores: tuple[str, ...] = option(
        "--scores FILE",
        BESIDE,
        "Scores computed elsewhere (.csv, .tsv, .jsonl, .parquet): system, eval, a column for "
        "each metric.",
        paths,
        (),
        is_many=True,
    )
    unmatched: str = option(
        "--unmatched error|skip|skip-cells",
        BESIDE,
        "What lacks scores: stop, or leave out systems and whole EVALs, or single cells.",
        choice(*UNMATCHED),
        "error",
    )
    lower_is_better: tuple[str, ...] = option(
        "--lower-is-better NAME",
        BESIDE,
        "Lower scores of this metric are better; repeat for each.",
        strings,
        (),
        is_many=True,
    )
    scale: tuple[Scale, ...] = option(
        "--scale NAME=LOW-HIGH",
        BESIDE,
        "The scale of scores from elsewhere, such as human=1-5; only equal scales can be fused.",
        scales,
        (),
        is_many=True,
    )
    fuse: tuple[Fusion, ...] = option(
        "--fuse NAME=KIND(...)",
        BESIDE,
        "Fuse metrics: 'G=geomean(ROUGE-1:F,2*ROUGE-2:F)', mean or harmonic; eval-geomean and so "
        "on fuse each EVAL.",
        fusions,
        (),
        is_many=True,
    )

    def check(self) -> None:
        """Refuse two metrics of one name, and two scales of one metric."""
        for what, names in (
            ("--fuse", [one.label for one in self.fuse]),
            ("--scale", [one.metric for one in self.scale]),
        ):
            if twice := [name for name, count in Counter(names).items() if count > 1]:
                raise OptionError(f"{what}: {twice[0]!r} is given twice; give each name once")
