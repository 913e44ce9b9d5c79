"""A run from its inputs to its results, step by step.

Source: specification, as a whole.
"""

from collections.abc import Iterable
from functools import partial

from rouge_cli.errors import InputError, OptionError
from rouge_cli.layouts.config import parse_config
from rouge_cli.layouts.evaluation import Evaluation
from rouge_cli.layouts.file_list import parse_file_list
from rouge_cli.layouts.lines import named_files
from rouge_cli.metrics.counts import Counts, joined_counts
from rouge_cli.options import Options
from rouge_cli.scoring.blocks import Portion
from rouge_cli.scoring.checks import check_inputs
from rouge_cli.scoring.context import RunContext
from rouge_cli.scoring.counting import count_portion
from rouge_cli.scoring.evaluation_portions import evaluation_portions
from rouge_cli.scoring.files import file_problem, read_file
from rouge_cli.scoring.instances import Instances, choose_systems, instances_of
from rouge_cli.scoring.line_portions import LineFiles, index_line_files
from rouge_cli.scoring.memory import keep_freed_memory
from rouge_cli.scoring.metric_names import metrics_of
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.summaries import summarise
from rouge_cli.scoring.word_lists import load_word_lists
from rouge_cli.scoring.workers import ordered_map

__all__ = ["load_evaluations", "score_config", "score_lines", "score_portions"]

DEFAULT_SYSTEM = "X"

INSTANCES_THAT_PAY = 20_000
"""From so many on a second process gains more than its start costs."""


def score_config(
    path: str, system_id: str | None, options: Options, context: RunContext
) -> Results:
    """Score what a configuration or a file list names.

    Parameters
    ----------
    path : str
        The XML configuration or, with `Options.list_format`, the file list.
    system_id : str or None
        The system to score; not needed with `Options.all`, and with a file list a mere name.
    options : Options
    context : RunContext

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    if options.peer_lines:
        raise OptionError(f"CONFIG {path!r} and --peer-lines exclude each other; give one")
    evaluations = load_evaluations(path, system_id, options)
    if options.list_format is not None:
        systems: tuple[str, ...] = (system_id or DEFAULT_SYSTEM,)
    else:
        systems = choose_systems(evaluations, system_id, all_systems=options.all)
    contents = check_inputs(evaluations, systems, options, path)
    as_elements = options.metric_families == ("BE",)
    portions = evaluation_portions(evaluations, systems, contents, as_elements=as_elements)
    return score_portions(portions, instances_of(evaluations, systems), options, context)


def load_evaluations(path: str, system_id: str | None, options: Options) -> list[Evaluation]:
    """Read the EVALs of a configuration or a file list; raises InputError."""
    expected = "the configuration" if options.list_format is None else "the file list"
    problem = file_problem(path)
    if problem:
        raise InputError(f"{path}: {problem}; expected {expected}")
    try:
        data = read_file(path)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; expected {expected}") from None
    if options.list_format is None:
        return parse_config(data, path)
    return parse_file_list(
        data, path, format=options.list_format, system_id=system_id or DEFAULT_SYSTEM
    )


def score_lines(options: Options, context: RunContext) -> Results:
    """Score the parallel line files that `options` name; see `score_config`."""
    try:
        peers = named_files(options.peer_lines, DEFAULT_SYSTEM)
    except ValueError as error:
        raise OptionError(f"--peer-lines: expected {error}") from None
    index = index_line_files(LineFiles(peers, options.model_lines, options.sentence_separator))
    return score_portions(index.portions(), index.instances(), options, context)


def score_portions(
    portions: Iterable[Portion], instances: Instances, options: Options, context: RunContext
) -> Results:
    """Score portions of work, which together have the given instances, in their order."""
    keep_freed_memory()
    words = load_word_lists(options, context.environment)
    n_instances = len(instances.eval_ids)
    jobs = options.jobs or (context.max_jobs if n_instances >= INSTANCES_THAT_PAY else 1)
    counted: list[list[Counts]] = [[] for _ in metrics_of(options)]
    notices = dict.fromkeys((*words.warnings, *instances.absences))
    n_done = 0
    count = partial(count_portion, options=options, words=words)
    for counts, empty_texts in ordered_map(count, portions, jobs):
        for pieces_of_metric, piece in zip(counted, counts, strict=True):
            pieces_of_metric.append(piece)
        notices |= dict.fromkeys(empty_texts)
        n_done += len(counts[0].hit)
        if context.progress is not None:
            context.progress(n_done, n_instances)
    counts_of_run = [joined_counts(pieces_of_metric) for pieces_of_metric in counted]
    systems = summarise(instances, counts_of_run, options, jobs)
    return Results(systems, options, tuple(notices))
