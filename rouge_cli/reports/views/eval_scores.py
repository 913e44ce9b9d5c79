"""The scores of EVALs as a table: all of them, or those that stand out."""

from collections.abc import Callable, Iterator, Sequence

from rouge_cli.errors import OptionError
from rouge_cli.escapes import escape_unprintable, escaped
from rouge_cli.inputs.corpus import Corpus
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.options.every import Options
from rouge_cli.reports.table import Cell, Note, Role, Table
from rouge_cli.reports.table import Column as TableColumn
from rouge_cli.reports.views.score_cells import bar_of, measures_of, score_columns, score_digits
from rouge_cli.reports.views.wording import measure_label
from rouge_cli.scoring.eval_order import EvalOrder, RankedEval
from rouge_cli.scoring.left_out import shown
from rouge_cli.scoring.results import SystemScores
from rouge_cli.statistics.score_columns import Column

__all__ = ["eval_table", "eval_texts", "held_against"]

EVAL_DECIMALS = 5

Row = tuple[Cell, ...]


def eval_table(
    systems: Sequence[SystemScores], options: Options, column: Column
) -> tuple[Table, str]:
    """Make the table of the EVALs, and say what is in it.

    Parameters
    ----------
    systems : sequence of SystemScores
        In the order of their table.
    column : Column
        The score that EVALs are ordered by, if they are.

    Returns
    -------
    table : Table
        All EVALs in the order of the input, systems in that of their table; or system by system
        those that are asked for.
    caption : str
        Without a full stop.

    Raises
    ------
    OptionError
        If the system that the others are held against is not among them.
    """
    labels = (TableColumn("EVAL", "l", Role.NAME), TableColumn("System", "l", Role.NAME))
    columns = (*labels, *score_columns(systems[0], options))
    rows = _rows(systems, options)
    if not _is_ordered(options):
        eval_ids = dict.fromkeys(eval_id for system in systems for eval_id in system.eval_ids)
        in_order = [
            rows[eval_id, system.id]
            for eval_id in eval_ids
            for system in systems
            if (eval_id, system.id) in rows
        ]
        return Table(columns, tuple(in_order), is_long=True), "Scores of each EVAL"
    other = held_against(systems, options)
    chosen = [
        (*rows[one.id, system.id], *_difference(one, column, options))
        for system, one in _chosen(systems, options, column)
    ]
    if other is not None:
        name = escape_unprintable(other.id)
        label = measure_label(column.metric, column.letter)
        columns += (TableColumn(f"{name} {label}"), TableColumn("Difference", is_signed=True))
    return Table(columns, tuple(chosen), is_long=True), _caption(options, column, other)


def _is_ordered(options: Options) -> bool:
    """Say whether EVALs are ordered by a score, and perhaps not all of them are shown."""
    reports = options.reports
    return any(one is not None for one in (reports.sort, *_ends(options), reports.against))


def _ends(options: Options) -> tuple[int | None, int | None]:
    """Return how many of the best and of the worst EVALs are asked for."""
    return options.reports.best, options.reports.worst


def _rows(systems: Sequence[SystemScores], options: Options) -> dict[tuple[str, str], Row]:
    """Make the row of each EVAL and system."""
    most = [
        max(float(one.per_eval.max(initial=0.0)) for _, _, one in measures)
        for measures in zip(*(measures_of(one, options) for one in systems), strict=True)
    ]
    rows: dict[tuple[str, str], Row] = {}
    for system in systems:
        name = Cell(escape_unprintable(system.id))
        columns = [
            [
                Cell(
                    score_digits(one, EVAL_DECIMALS, letter, options),
                    bar=bar_of(one, most[place], options),
                )
                for one in found.per_eval.tolist()
            ]
            for place, (_, letter, found) in enumerate(measures_of(system, options))
        ]
        for eval_id, scores in zip(system.eval_ids, zip(*columns, strict=True), strict=True):
            rows[eval_id, system.id] = (Cell(escape_unprintable(eval_id)), name, *scores)
    return rows


def held_against(systems: Sequence[SystemScores], options: Options) -> SystemScores | None:
    """Return the system that the others are held against; raises OptionError."""
    against = options.reports.against
    if against is None:
        return None
    found = next((one for one in systems if one.id == against), None)
    if found is None or len(systems) == 1:
        known = ", ".join(escaped(one.id) for one in systems)
        raise OptionError(
            f"--against: found {against!r}, expected one of several systems that are scored; "
            f"scored are: {known} (-a scores all)"
        )
    return found


def _chosen(
    systems: Sequence[SystemScores], options: Options, column: Column
) -> Iterator[tuple[SystemScores, RankedEval]]:
    """Yield system by system the EVALs that are asked for."""
    other = held_against(systems, options)
    order = EvalOrder(column.metric, column.letter, *_ends(options), column.is_lower_better)
    for system in systems:
        if system is not other:
            yield from ((system, one) for one in order.chosen(system, other))


def _difference(one: RankedEval, column: Column, options: Options) -> Row:
    """Return the other system's score and the difference from it, if there is one."""
    if one.other is None:
        return ()
    return (
        Cell(score_digits(one.other, EVAL_DECIMALS, column.letter, options)),
        Cell(score_digits(one.score - one.other, EVAL_DECIMALS, column.letter, options, "+")),
    )


def _caption(options: Options, column: Column, other: SystemScores | None) -> str:
    """Say which EVALs are in the table, and in which order."""
    best, worst = _ends(options)
    ends = [
        name if number == 1 else f"{number} {name}"
        for number, name in ((best, "best"), (worst, "worst"))
        if number
    ]
    by = measure_label(column.metric, column.letter)
    if other is not None:
        by = f"the difference in {by} from {escape_unprintable(other.id)}"
    if not ends:
        return f"Scores of each EVAL, the best by {by} first"
    evals = "EVAL" if {best, worst} <= {1, None} and len(ends) == 1 else "EVALs"
    return f"Scores of the {' and the '.join(ends)} {evals} of each system, by {by}"


def eval_texts(
    corpus: Corpus, systems: Sequence[SystemScores], options: Options, column: Column
) -> tuple[Note, ...]:
    """Return the texts of the EVALs that the table shows, in its order.

    Raises
    ------
    InputError
        If a text cannot be read any more.
    """
    wanted: dict[str, list[str]] = {}
    other = held_against(systems, options)
    if _is_ordered(options):
        for system, one in _chosen(systems, options, column):
            wanted.setdefault(one.id, []).append(system.id)
    else:
        for system in systems:
            for eval_id in system.eval_ids:
                wanted.setdefault(eval_id, []).append(system.id)
    found = {one.id: one for one in corpus.evaluations() if one.id in wanted}
    beside = () if other is None else (other.id,)
    return tuple(
        note
        for eval_id, of_eval in wanted.items()
        for note in _texts(found[eval_id], (*of_eval, *beside), corpus.reader.read)
    )


def _texts(
    evaluation: Evaluation,
    systems: Sequence[str],
    read: Callable[[str, TextSource], bytes],
) -> Iterator[Note]:
    """Yield the peers and models of an EVAL."""
    # A human that is scored as a system is shown among the models.
    present = [system for system in systems if system in evaluation.peers]
    sources = [(f"peer {system}", evaluation.peers[system]) for system in present]
    models = zip(evaluation.humans, evaluation.models, strict=True)
    sources += [(f"model {name}", source) for name, source in models]
    for label, source in sources:
        sentences = filter(None, shown(read(evaluation.id, source)).split("\n"))
        text = " ".join(map(escape_unprintable, sentences))
        eval_id = escape_unprintable(evaluation.id)
        yield Note.of(f"EVAL {eval_id}, {escape_unprintable(label)}: {text}")
