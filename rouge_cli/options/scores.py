"""How counts become scores, averages and confidence intervals.

Source: specification, sections 1, 5 ("Several models") and 6.
"""

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import Number, OptionGroup, option
from rouge_cli.options.values import (
    COUNTINGS,
    PERCENT,
    RESAMPLE_COUNT,
    SHARE,
    choice,
    counting,
    switch,
)
from rouge_cli.quick_dataclass import dataclass

__all__ = [
    "BEST_F",
    "EXACT",
    "HISTOGRAM",
    "MEAN_OVER_EVALS",
    "POOLED_COUNTS",
    "RAW_COUNTS",
    "SCORES",
    "SUM_OF_COUNTS",
    "ScoreOptions",
]

SCORES = "Scores"
MEAN_OVER_EVALS, POOLED_COUNTS, RAW_COUNTS = COUNTINGS
BOOTSTRAPS = EXACT, HISTOGRAM = "exact", "histogram"
FORMULAS = SUM_OF_COUNTS, BEST_RECALL, BEST_F = "A", "B", "best-f"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions(OptionGroup):
    """From the counts of each pair to what is printed of a system."""

    formula: str = option(
        "-f --formula A|B|best-f",
        SCORES,
        "Several models: sum the counts (A), or take the model with the best recall (B) or F.",
        choice(*FORMULAS),
        "A",
    )
    alpha: Number = option(
        "-p --alpha ALPHA", SCORES, "Weight of precision in F, 0 to 1.", SHARE, Number("0.5", 0.5)
    )
    counting: int = option(
        "-t --counting 0|1|2",
        SCORES,
        "0: mean over EVALs; 1: counts pooled over EVALs; 2: print the pooled raw counts.",
        counting,
        0,
    )
    confidence: Number = option(
        "-c --confidence CF",
        SCORES,
        "Confidence level in percent, 0 to 100.",
        PERCENT,
        Number("95", 95.0),
    )
    resamples: int = option(
        "-r --resamples N", SCORES, "Number of bootstrap resamples.", RESAMPLE_COUNT, 1000
    )
    bootstrap: str = option(
        "--bootstrap exact|histogram",
        SCORES,
        "Draw EVALs as the original does, or numbers of equal scores: for millions of EVALs.",
        choice(*BOOTSTRAPS),
        EXACT,
    )
    jackknife: bool = option(
        "--jackknife",
        SCORES,
        "Score each peer against all models but one, averaged over the model left out.",
        switch,
        False,
    )
    humans: bool = option(
        "--humans",
        SCORES,
        "With --jackknife: score the models too, each against the others of its EVAL.",
        switch,
        False,
    )

    def check(self) -> None:
        """Refuse scores that cannot be made."""
        if self.humans and not self.jackknife:
            raise OptionError("--humans needs --jackknife")
        if self.jackknife and self.counting != MEAN_OVER_EVALS:
            raise OptionError(f"--jackknife has no counts to pool: it excludes -t {self.counting}")
        if self.bootstrap == HISTOGRAM and self.counting != MEAN_OVER_EVALS:
            raise OptionError(
                "--bootstrap histogram is of scores, and pooled counts have none for each EVAL: it "
                f"excludes -t {self.counting}"
            )
