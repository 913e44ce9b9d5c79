"""A run from its inputs to its results, step by step.

Source: specification, as a whole.
"""

import os
from collections.abc import Callable, Iterable, Mapping

from rouge_cli.errors import InputError
from rouge_cli.layouts.config import parse_config
from rouge_cli.layouts.evaluation import Evaluation
from rouge_cli.layouts.file_list import parse_file_list
from rouge_cli.metrics.counts import Counts, joined_counts
from rouge_cli.options import Options
from rouge_cli.scoring.blocks import Portion
from rouge_cli.scoring.checks import check_inputs
from rouge_cli.scoring.counting import count_block
from rouge_cli.scoring.evaluation_portions import evaluation_portions
from rouge_cli.scoring.files import file_problem, read_file
from rouge_cli.scoring.instances import Instances, choose_systems, instances_of
from rouge_cli.scoring.metric_names import metrics_of
from rouge_cli.scoring.results import Results
from rouge_cli.scoring.summaries import summarise
from rouge_cli.scoring.word_lists import WordLists, load_word_lists

__all__ = ["load_evaluations", "score_config", "score_portions"]

DEFAULT_SYSTEM = "X"


def score_config(
    path: str,
    system_id: str | None,
    options: Options,
    *,
    environment: Mapping[str, str] = os.environ,
    progress: Callable[[int, int], None] | None = None,
) -> Results:
    """Score what a configuration or a file list names.

    Parameters
    ----------
    path : str
        The XML configuration or, with `Options.list_format`, the file list.
    system_id : str or None
        The system to score; not needed with `Options.all`, and with a file list a mere name.
    options : Options
    environment : mapping of str to str
        Names the data directory if the options do not.
    progress : callable, optional
        Called now and then with the number of instances done and of all.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    evaluations = load_evaluations(path, system_id, options)
    if options.list_format is not None:
        systems: tuple[str, ...] = (system_id or DEFAULT_SYSTEM,)
    else:
        systems = choose_systems(evaluations, system_id, all_systems=options.all)
    check_inputs(evaluations, systems, options, path)
    words = load_word_lists(options, environment)
    instances = instances_of(evaluations, systems)
    as_elements = options.metric_families == ("BE",)
    portions = evaluation_portions(evaluations, systems, as_elements=as_elements)
    return score_portions(portions, instances, options, words, progress)


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


def score_portions(
    portions: Iterable[Portion],
    instances: Instances,
    options: Options,
    words: WordLists,
    progress: Callable[[int, int], None] | None = None,
) -> Results:
    """Score portions of work, which together have the given instances, in their order."""
    counted: list[list[Counts]] = [[] for _ in metrics_of(options)]
    notices = dict.fromkeys((*words.warnings, *instances.absences))
    n_done = 0
    for portion in portions:
        for block in portion.blocks():
            counts, empty_texts = count_block(block, options, words)
            for blocks_of_metric, count in zip(counted, counts, strict=True):
                blocks_of_metric.append(count)
            notices |= dict.fromkeys(f"{block.describe(text)}: no tokens" for text in empty_texts)
            n_done += block.pairs.starts.size
        if progress is not None:
            progress(n_done, len(instances.eval_ids))
    counts_of_run = [joined_counts(blocks_of_metric) for blocks_of_metric in counted]
    return Results(summarise(instances, counts_of_run, options), options, tuple(notices))
