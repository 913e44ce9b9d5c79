"""What a self-test found, as text: a table, the first differences, the verdict."""

from collections.abc import Iterable, Iterator, Sequence

from rouge_cli.quick_dataclass import dataclass
from rouge_cli.selftest.running import FAMILIES, Difference, Outcome
from rouge_cli.selftest.words import Check
from rouge_cli.version import __version__

__all__ = ["Row", "rows", "selftest_report"]

OPTION_GROUPS = (
    ("-m -M", "stems"),
    ("-s", "stopwords"),
    ("-l -b", "limits"),
    ("-f", "several models"),
    ("-p", "weight of F"),
    ("-t", "pooled counts"),
    ("-c -r", "bootstrap"),
    ("-d", "each EVAL"),
    ("-a", "all systems"),
)
"""Letters and what they are about; those of metrics and of the input have rows of their own."""

RUNS_SHOWN, LINES_SHOWN, WORDS_SHOWN = 3, 3, 5


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table.

    Parameters
    ----------
    n_runs : int or None
        None where no runs are compared.
    n_compared : int
        Lines, or whatever is compared.
    """

    what: str
    n_runs: int | None
    n_compared: int
    is_same: bool


def selftest_report(
    outcomes: Sequence[Outcome], checks: Sequence[Check], notes: Iterable[str]
) -> Iterator[str]:
    """Yield the report, a line at a time, without newlines.

    Parameters
    ----------
    notes : iterable of str
        What else the reader should know; stands above the verdict.
    """
    yield f"rouge-cli {__version__} against stored runs of ROUGE-1.5.5, byte by byte"
    yield ""
    yield from _table(rows(outcomes, checks))
    yield ""
    different = [outcome for outcome in outcomes if not outcome.is_same]
    for outcome in different[:RUNS_SHOWN]:
        yield from _run_lines(outcome)
        yield ""
    if len(different) > RUNS_SHOWN:
        yield from (f"... and {len(different) - RUNS_SHOWN} more runs that differ", "")
    for check in checks:
        if not check.is_same:
            yield from (*_first(check.differences), "")
    for note in notes:
        yield from (f"Note: {note}", "")
    yield _verdict(outcomes, checks)


def rows(outcomes: Sequence[Outcome], checks: Iterable[Check]) -> Iterator[Row]:
    """Yield what was compared: by metric, by input, by option; then all that is no run."""
    for family in FAMILIES:
        lines = [outcome.family_lines[family] for outcome in outcomes]
        is_same = not any(outcome.differs_in(family) for outcome in outcomes)
        yield Row(f"ROUGE-{family}", sum(map(bool, lines)), sum(lines), is_same)
    for name in sorted({outcome.run.input for outcome in outcomes}):
        chosen = [outcome for outcome in outcomes if outcome.run.input == name]
        yield _row_of_runs(name, chosen)
    for letters, subject in OPTION_GROUPS:
        wanted = set(letters) - set(" -")
        chosen = [outcome for outcome in outcomes if wanted & set(outcome.run.letters)]
        yield _row_of_runs(f"{letters}, {subject}", chosen)
    for check in checks:
        yield Row(check.what, None, check.n_compared, check.is_same)


def _row_of_runs(what: str, outcomes: Sequence[Outcome]) -> Row:
    """Sum up some runs."""
    is_same = all(outcome.is_same for outcome in outcomes)
    n_lines = sum(outcome.n_lines for outcome in outcomes)
    return Row(what, len(outcomes), n_lines, is_same)


def _table(table: Iterable[Row]) -> Iterator[str]:
    """Yield the table."""
    yield f"{'what':<22}  {'runs':>4}  {'compared':>8}"
    for row in table:
        runs = "" if row.n_runs is None else str(row.n_runs)
        verdict = "ok" if row.is_same else "DIFFERENT"
        yield f"{row.what:<22}  {runs:>4}  {row.n_compared:>8,}  {verdict}"


def _run_lines(outcome: Outcome) -> Iterator[str]:
    """Yield the command of a run and the first lines that differ."""
    run = outcome.run
    yield f"DIFFERENT in {run.id}: rouge-cli {' '.join(run.arguments)}"
    if outcome.stopped is not None:
        yield f"  stopped by {outcome.stopped}"
    for difference in outcome.differences[:LINES_SHOWN]:
        yield from _difference_lines(difference)
    if (n_more := len(outcome.differences) - LINES_SHOWN) > 0:
        yield f"  ... and {n_more:,} more of its {outcome.n_lines:,} lines"


def _difference_lines(difference: Difference) -> Iterator[str]:
    """Yield a line as it was and as it is."""
    yield f"  line {difference.line}"
    yield f"    original  {_shown(difference.expected)}"
    yield f"    here      {_shown(difference.found)}"


def _shown(line: bytes | None) -> str:
    """Return a line so that every byte of it can be seen, but for the newline that ends it."""
    if line is None:
        return "(nothing)"
    return ascii(line.removesuffix(b"\n"))[2:-1] + ("" if line.endswith(b"\n") else " (no newline)")


def _first(differences: Sequence[str]) -> Iterator[str]:
    """Yield the first of many differences."""
    for difference in differences[:WORDS_SHOWN]:
        yield f"DIFFERENT {difference}"
    if (n_more := len(differences) - WORDS_SHOWN) > 0:
        yield f"... and {n_more:,} more"


def _verdict(outcomes: Sequence[Outcome], checks: Sequence[Check]) -> str:
    """Sum it all up in a line."""
    n_different = sum(not outcome.is_same for outcome in outcomes)
    different = [f"{n_different} of {len(outcomes)} runs"] if n_different else []
    different += [check.what for check in checks if not check.is_same]
    if different:
        return (
            f"NOT THE SAME: {', '.join(different)}. This installation does not give the scores of "
            "ROUGE-1.5.5; please report it with the output of: rouge-cli selftest --verbose"
        )
    n_lines = sum(outcome.n_lines for outcome in outcomes)
    beside = [f"{check.n_compared:,} {check.what}" for check in checks]
    return f"All the same: {', '.join([f'{len(outcomes)} runs with {n_lines:,} lines', *beside])}."
