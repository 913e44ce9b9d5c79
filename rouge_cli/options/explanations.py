"""The options of ``explain``, and those that choose EVALs by their scores for ``score`` too."""

from typing import Any

from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import OptionGroup, option
from rouge_cli.options.values import choice, path, string, strings, switch, whole
from rouge_cli.quick_dataclass import dataclass

__all__ = ["EXPLANATION_REPORTS", "ExplanationOptions", "against", "best", "texts", "worst"]

EXPLAIN = "Explain"
EXPLANATION_REPORTS = ("table", "json", "markdown", "html")
EVAL_COUNT = whole(1, 1_000_000_000, "a whole number from 1 on")


def worst(heading: str, more: str = "") -> Any:
    """Declare ``--worst``."""
    return option(
        "--worst N", heading, f"The N EVALs with the lowest scores{more}.", EVAL_COUNT, None
    )


def best(heading: str, more: str = "") -> Any:
    """Declare ``--best``."""
    return option(
        "--best N", heading, f"The N EVALs with the highest scores{more}.", EVAL_COUNT, None
    )


def against(heading: str, what: str) -> Any:
    """Declare ``--against``."""
    return option("--against SYSTEM", heading, what, string, None)


def texts(heading: str, what: str) -> Any:
    """Declare ``--texts``."""
    return option("--texts", heading, what, switch, False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationOptions(OptionGroup):
    """What ``explain`` explains, and how it is shown."""

    eval_ids: tuple[str, ...] = option(
        "--eval ID",
        EXPLAIN,
        "Explain this EVAL; repeat for each.",
        strings,
        (),
        is_many=True,
    )
    worst: int | None = worst(EXPLAIN, " of each system")
    best: int | None = best(EXPLAIN, " of each system")
    sort: str | None = option(
        "--sort METRIC",
        EXPLAIN,
        "What --worst and --best go by, such as ROUGE-2 or ROUGE-2:R; by default the first metric.",
        string,
        None,
    )
    against: str | None = against(
        EXPLAIN,
        "Show this system beside the others; --worst and --best go by their lead over it.",
    )
    system_ids: tuple[str, ...] = option(
        "--system-id ID",
        EXPLAIN,
        "Explain this system, as SYSTEM_ID does; repeat for each; by default all.",
        strings,
        (),
        is_many=True,
    )
    texts: bool = texts(EXPLAIN, "Show the texts as they stand in the input, too.")
    report: str = option(
        "--report KIND",
        EXPLAIN,
        "table (by default: plain text), json, markdown or html.",
        choice(*EXPLANATION_REPORTS),
        "table",
    )
    output: str | None = option(
        "-o --output FILE", EXPLAIN, "Write the report to FILE, whole or not at all.", path, None
    )

    def check(self) -> None:
        """Refuse two ways to choose EVALs, and an order for none."""
        if self.eval_ids and (self.worst or self.best):
            given = "--worst" if self.worst else "--best"
            raise OptionError(f"--eval and {given} exclude each other; give one")
        if self.sort is not None and not (self.worst or self.best):
            raise OptionError("--sort is what --worst and --best go by; give one of them")
