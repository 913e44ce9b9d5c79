"""Options of scores, of external scores, and of thresholds.

Source: specification, sections 1, 5 ("Several models") and 6.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options import readers
from rouge_cli.options.declaration import PACKAGES_DECIDE, Heading, OptionGroup, Step, options_under
from rouge_cli.options.readers import Number, plain
from rouge_cli.quick_dataclass import dataclass

SINGLE_MEASURE = "S"
"""The only measure of a metric with a single score."""

MEASURE_NAMES: Mapping[str, str] = {
    "R": "recall",
    "P": "precision",
    "F": "f_measure",
    SINGLE_MEASURE: "score",
}
"""The names of measures in JSON and CSV by their letters, in the order of reports."""

# Groups: system, metric and measure. Only the ID of a system may contain colons.
NAMED = r"(?:(.+):)?([^:]+):([RPFS])"

CONDITION = "a condition such as 'ROUGE-2:F>=0.18', with a limit from 0 to 1"
CONDITION_ON_SCORE = "a condition such as 'human:S>=3', with a number as its limit"
NAMED_SCORE = "a score such as 'ROUGE-2:F', or 'SYSTEM:ROUGE-2:F'"


@dataclass(frozen=True, slots=True)
class NamedScore:
    """The name of a score.

    `system` is None if there is only one system; `measure` is a key of `MEASURE_NAMES`.
    """

    system: str | None
    metric: str
    measure: str


@dataclass(frozen=True, slots=True)
class Requirement:
    """A condition on scores.

    - `text`: the condition as typed, for example ``"ROUGE-2:F>=0.18"``.
    - `system`: the system to which it applies; None for all systems.
    - `measure`: a key of `MEASURE_NAMES`.
    - `comparison`: ``">="``, ``">"``, ``"<="`` or ``"<"``.
    """

    text: str
    system: str | None
    metric: str
    measure: str
    comparison: str
    limit: Number


def _requirement(raw: Any) -> Requirement:
    match = re.fullmatch(rf"{NAMED}\s*([<>]=?)\s*([-+]?[0-9.]+)", str(raw).strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(CONDITION)
    # The pattern accepts any digits and periods; reading the limit checks that it is a number.
    system, metric, measure, comparison, limit = match.groups()
    is_single = measure.upper() == SINGLE_MEASURE
    try:
        # Single scores need not be between 0 and 1.
        number = (readers.FINITE if is_single else readers.SHARE)(limit)
    except ValueError:
        raise ValueError(CONDITION_ON_SCORE if is_single else CONDITION) from None
    return Requirement(str(raw).strip(), system, metric, measure.upper(), comparison, number)


requirements = readers.Several(_requirement, str | Requirement, "a condition, or several")


def named_metric(wanted: str, names: Sequence[str]) -> str | None:
    """Return the metric with this name, ignoring case; None if there is no such metric.

    A final part in brackets may be omitted if the rest is unambiguous.
    """
    lower = wanted.strip().lower()
    for name in names:
        if name.lower() == lower:
            return name
    # The names of fusions end in a description, as in "G (geomean of means)".
    begun = [name for name in names if name.partition(" (")[0].lower() == lower]
    return begun[0] if len(begun) == 1 else None


def named_score(raw: Any) -> NamedScore:
    """Read ``[SYSTEM:]METRIC:MEASURE``."""
    if isinstance(raw, NamedScore):
        return raw
    match = re.fullmatch(NAMED, str(raw).strip(), re.IGNORECASE)
    if match is None:
        raise ValueError(NAMED_SCORE)
    system, metric, measure = match.groups()
    return NamedScore(system, metric.strip(), measure.upper())


SCORES = Heading("Scores", step=Step.EVALS, not_for=PACKAGES_DECIDE)
THRESHOLDS = Heading("Thresholds", python_advice="compare the numbers of the results")
score_option, threshold_option = options_under(SCORES), options_under(THRESHOLDS)
MEAN_OVER_EVALS, POOLED_COUNTS, RAW_COUNTS = range(3)
EXACT, HISTOGRAM = "exact", "histogram"
FORMULAS = SUM_OF_COUNTS, BEST_RECALL, BEST_F = "A", "B", "best-f"

_SEVERAL_SCORES = "it scores a text several times; score the texts on one machine"
_LEAVES_MODELS_OUT = "everything is measured against all references but one where humans are shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions(OptionGroup):
    """Options that determine how counts become scores of systems."""

    # The original takes any word except B for A, so b means A there.
    formula: str = score_option(
        "-f --formula A|B|best-f: Several references: sum the counts (A), or take the one with "
        "the best recall (B) or F.",
        readers.choice(*FORMULAS, in_capitals=[BEST_RECALL]),
        "A",
        for_single_pairs=True,
        not_for={"bulk": "a pair has one reference"},
    )
    alpha: Number = score_option(
        "-p --alpha ALPHA: Weight of precision in F, 0 to 1.",
        readers.SHARE,
        Number("0.5", 0.5),
        step=Step.F_MEASURE,
        for_single_pairs=True,
    )
    counting: int = score_option(
        "-t --counting 0|1|2: 0: mean over texts; 1: counts pooled over texts; 2: print the "
        "pooled raw counts.",
        readers.COUNTING,
        0,
        step=Step.MEANS,
        for_single_pairs=True,
    )
    confidence: Number = score_option(
        "-c --confidence CF: Confidence level in percent, 0 to 100.",
        readers.PERCENT,
        Number("95", 95.0),
        step=Step.INTERVALS,
        for_single_pairs=True,
    )
    resamples: int = score_option(
        "-r --resamples N: Number of bootstrap resamples.",
        readers.RESAMPLE_COUNT,
        1000,
        step=Step.INTERVALS,
        not_for={"plan": "power is simulated with as many resamples as its level needs"},
        for_single_pairs=True,
    )
    bootstrap: str = score_option(
        "--bootstrap exact|histogram: Draw texts as the original does, or numbers of equal "
        "scores: for millions of texts.",
        default=EXACT,
        step=Step.INTERVALS,
        not_for=dict.fromkeys(("plan", "correlate", "context"), "it draws texts in its own way"),
    )
    jackknife: bool = score_option(
        "--jackknife: Score each prediction against all references but one, averaged over the one "
        "left out.",
        not_for={
            "context": _LEAVES_MODELS_OUT,
            **dict.fromkeys(("batches", "bulk", "scorer"), _SEVERAL_SCORES),
        },
    )
    humans: bool = score_option(
        "--humans: Score the references too, each against the others of its text; implies "
        "--jackknife.",
        implies=("jackknife",),
        not_for={
            "context": _LEAVES_MODELS_OUT,
            "correlate": "nobody judges the references",
            **dict.fromkeys(("batches", "bulk", "scorer"), _SEVERAL_SCORES),
            "torchmetrics": "makes several systems, and this metric is of a single system",
        },
    )

    @property
    def warnings(self) -> tuple[str, ...]:
        """A warning if the confidence is below 1%, since a fraction was probably meant."""
        level = self.confidence
        if not 0 < level.value < 1:
            return ()
        return (
            f"{self.options()['confidence'].spelling}: found {level.text!r}, which is "
            f"{level.text.strip()}% as in ROUGE-1.5.5, expected a percentage; for "
            f"{100 * level.value:.10g}% give {100 * level.value:.10g}",
        )

    def check(self) -> None:
        """Raise OptionError for combinations that cannot be computed."""
        if self.humans and not self.jackknife:
            raise OptionError("--humans needs --jackknife")
        if self.jackknife and self.counting != MEAN_OVER_EVALS:
            raise OptionError(f"--jackknife has no counts to pool: it excludes -t {self.counting}")
        if self.bootstrap == HISTOGRAM and self.counting != MEAN_OVER_EVALS:
            raise OptionError(
                "--bootstrap histogram is of scores, and pooled counts have none for each text: it "
                f"excludes -t {self.counting}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdOptions(OptionGroup):
    """Options of thresholds."""

    require: tuple[Requirement, ...] = threshold_option(
        "--require CONDITION: Exit with 1 unless it holds: 'ROUGE-2:F>=0.18', or "
        "'SYSTEM:ROUGE-2:F>=0.18'.",
        requirements,
    )
    baseline: str | None = threshold_option(
        "--baseline FILE: Exit with 1 if a score has dropped since this earlier --report json.",
        readers.path,
    )
    max_drop: Number | None = threshold_option(
        "--max-drop X: How far a score may fall below the baseline; by default 0.",
        readers.SHARE,
    )
    not_worse_than: Number | None = threshold_option(
        "--not-worse-than MARGIN: Exit with 1 unless each score is less than this worse than in "
        "--baseline, by a lower bound of the differences of texts.",
        readers.DIFFERENCE,
        python_advice="the method check of the results takes it",
    )

    def check(self) -> None:
        """Raise OptionError for options that lack another, or exclude each other."""
        for name in ("max_drop", "not_worse_than"):
            if getattr(self, name) is not None and self.baseline is None:
                raise OptionError(f"{self.options()[name].spelling} needs --baseline")
        if self.max_drop is not None and self.not_worse_than is not None:
            raise OptionError(
                "--max-drop compares means, and --not-worse-than texts; give one of the two"
            )


KINDS = MEAN, *_ = "mean", "geomean", "harmonic"
PER_EVAL = "eval-"

EXPECTED_FUSION = (
    "NAME=KIND(METRIC:MEASURE,...), such as 'G=geomean(ROUGE-1:F,2*ROUGE-2:F)', with a KIND of "
    f"{', '.join(KINDS)}, alone or after {PER_EVAL}"
)
# Groups: label, `PER_EVAL` if given, kind, and the terms between the brackets.
FUSION = re.compile(
    r"\s*([^=:|\s](?:[^=:|]*[^=:|\s])?)\s*=\s*(eval-)?(\w+)\s*\((.*)\)\s*", re.DOTALL
)
WEIGHTED_TERM = re.compile(rf"\s*({readers.DECIMAL})\s*\*\s*(.*)", re.DOTALL)
FEWEST_TERMS = 2


@dataclass(frozen=True, slots=True)
class Term:
    """A measure of a metric, and its positive weight in a fusion.

    `measure` is a key of `MEASURE_NAMES`; None means F or, if the metric has one, the single score.
    """

    metric: str
    measure: str | None = None
    weight: Number = Number("1", 1.0)

    def __str__(self) -> str:
        # A weight of 1 is left out, so that 1*ROUGE-1 and ROUGE-1 read the same.
        weight = "" if self.weight.value == 1 else f"{self.weight.text}*"
        return f"{weight}{self.metric}" + ("" if self.measure is None else f":{self.measure}")


@dataclass(frozen=True, slots=True)
class Fusion:
    """A metric that fuses at least two others, with a label by the user.

    `kind` is one of `KINDS`. With `is_per_eval`, it fuses the scores of each EVAL instead of the
    means of systems.
    """

    label: str
    kind: str
    is_per_eval: bool
    terms: tuple[Term, ...]

    @property
    def name(self) -> str:
        """The name in reports, which says how the numbers are computed."""
        if self.is_per_eval:
            return f"{self.label} (mean of {PER_EVAL}{self.kind})"
        return f"{self.label} ({self.kind} of means)"

    def __str__(self) -> str:
        kind = f"{PER_EVAL if self.is_per_eval else ''}{self.kind}"
        return f"{self.label}={kind}({','.join(map(str, self.terms))})"


def _fusion(raw: Any) -> Fusion:
    match = FUSION.fullmatch(raw) if isinstance(raw, str) else None
    if match is None or match[3] not in KINDS or not match[1].isprintable():
        raise ValueError(EXPECTED_FUSION)
    label, per_eval, kind, inner = match.groups()
    terms = tuple(_term(part) for part in _parts(inner))
    if len(terms) < FEWEST_TERMS:
        raise ValueError(f"{EXPECTED_FUSION}, of two measures or more")
    return Fusion(label, kind, per_eval is not None, terms)


def _parts(inner: str) -> Iterator[str]:
    # Split at commas outside of brackets, since names of metrics may contain others.
    depth = start = 0
    for index, character in enumerate(inner):
        depth += (character in "([") - (character in ")]")
        if character == "," and not depth:
            yield inner[start:index]
            start = index + 1
    yield inner[start:]


def _term(text: str) -> Term:
    # WEIGHT*METRIC:MEASURE, of which weight and measure are optional.
    weighted = WEIGHTED_TERM.fullmatch(text)
    weight = Number("1", 1.0)
    if weighted is not None:
        weight, text = Number(weighted[1], float(weighted[1])), weighted[2]
    if not (weight.value > 0 and isfinite(weight.value)):
        raise ValueError(f"{EXPECTED_FUSION}, with weights above 0")
    metric, colon, measure = text.rpartition(":")
    if not colon:
        metric, measure = text, ""
    measure = measure.strip().upper()
    if not metric.strip() or (colon and measure not in MEASURE_NAMES):
        raise ValueError(EXPECTED_FUSION)
    return Term(metric.strip(), measure or None, weight)


fusions = readers.Several(_fusion, str | Fusion, EXPECTED_FUSION)

JOINED = Heading(
    "Beside ROUGE",
    not_for={**PACKAGES_DECIDE, "context": "there are no such scores of sentences"},
)
joined_option = options_under(JOINED)
UNMATCHED = ERROR, SKIP, SKIP_CELLS = "error", "skip", "skip-cells"
"""What to do if scores are missing: stop, leave out systems and whole EVALs, or leave out systems
and single scores of EVALs."""
# Groups: metric, low and high. The bounds may have signs, so the dash alone cannot separate them.
SCALE = re.compile(
    rf"\s*([^=\s](?:[^=]*[^=\s])?)\s*=\s*([-+]?{readers.DECIMAL})\s*-\s*([-+]?{readers.DECIMAL}|inf)\s*"
)
EXPECTED_SCALE = "NAME=LOW-HIGH, such as human=1-5 or judge=0-100"


@dataclass(frozen=True, slots=True)
class Scale:
    """The range of possible scores of a metric. Metrics can be fused if their `text` is equal."""

    metric: str
    text: str
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.metric}={self.text}"


def _scale(raw: Any) -> Scale:
    match = SCALE.fullmatch(raw) if isinstance(raw, str) else None
    if match is None or not float(match[2]) < float(match[3]):
        raise ValueError(EXPECTED_SCALE)
    low, high = float(match[2]), float(match[3])
    # Formatted anew, because 1-5 and 1.0-5.0 are the same scale.
    text = f"{plain(low)}-{plain(high)}"
    return Scale(match[1], text, low, high)


scales = readers.Several(_scale, str | Scale, EXPECTED_SCALE)


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedOptions(OptionGroup):
    """Options of external scores, and of fusions of metrics."""

    scores: tuple[str, ...] = joined_option(
        "--add scores:FILE: Scores computed elsewhere (.csv, .tsv, .jsonl, .parquet): system, "
        "eval, a column for each metric.",
        readers.paths,
        adds_metric=True,
        has_no_counts=True,
        not_for={
            "torchmetrics": "its files are about all texts together, and an update is about some"
        },
    )
    unmatched: str = joined_option(
        "--unmatched error|skip|skip-cells: What lacks scores: stop, or leave out systems and "
        "whole texts, or single cells.",
        default=ERROR,
    )
    lower_is_better: tuple[str, ...] = joined_option(
        "--lower-is-better NAME: Lower scores of this metric are better; repeat for each.",
        readers.strings,
    )
    scale: tuple[Scale, ...] = joined_option(
        "--scale NAME=LOW-HIGH: The scale of scores from elsewhere, such as human=1-5; only equal "
        "scales can be fused.",
        scales,
    )
    fuse: tuple[Fusion, ...] = joined_option(
        "--fuse NAME=KIND(...): Fuse metrics: 'G=geomean(ROUGE-1:F,2*ROUGE-2:F)', mean or "
        "harmonic; eval-geomean and so on fuse each text.",
        fusions,
        adds_metric=True,
        has_no_counts=True,
    )

    def check(self) -> None:
        """Raise OptionError for two fusions with the same name, and for two scales of a metric."""
        for what, names in (
            ("--fuse", [fusion.label for fusion in self.fuse]),
            ("--scale", [scale.metric for scale in self.scale]),
        ):
            if twice := [name for name, count in Counter(names).items() if count > 1]:
                raise OptionError(f"{what}: {twice[0]!r} is given twice; give each name once")
