"""Check all inputs of a run before anything is scored.

Source: specification, section 8.
"""

from collections.abc import Iterator, Sequence

from rouge_cli.errors import InputError
from rouge_cli.formats import ELEMENTS_FORMAT, element_problems
from rouge_cli.layouts.evaluation import Evaluation, TextSource
from rouge_cli.options import Options
from rouge_cli.scoring.files import file_problem, read_source

__all__ = ["check_inputs"]

READ_AS_NO_ELEMENTS = "ISI"


def check_inputs(
    evaluations: Sequence[Evaluation], systems: Sequence[str], options: Options, config: str
) -> None:
    """Check every text that a run will read.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    systems : sequence of str
        The systems to score.
    options : Options
    config : str
        Name of the configuration, for messages.

    Raises
    ------
    InputError
        All formats that do not suit the metrics; or else all files that cannot be read; or else
        all lines that are no Basic Elements.
    """
    used = list(_used_sources(evaluations, systems))
    for find_problems in (_format_problems, _file_problems, _element_problems):
        problems = [
            problem
            for evaluation, source in used
            for problem in find_problems(config, evaluation, source, options)
        ]
        if problems:
            raise InputError(list(dict.fromkeys(problems)))


def _used_sources(
    evaluations: Sequence[Evaluation], systems: Sequence[str]
) -> Iterator[tuple[Evaluation, TextSource]]:
    """Yield each text that will be read and its EVAL; models only where a peer is."""
    for evaluation in evaluations:
        peers = [evaluation.peers[system] for system in systems if system in evaluation.peers]
        if peers:
            for source in (*peers, *evaluation.models):
                yield evaluation, source


def _place(config: str, evaluation: Evaluation, source: TextSource) -> str:
    """Name the line of the configuration that a problem goes back to."""
    line = "" if source.line is None else f", line {source.line}"
    return f"{config}{line}, EVAL {evaluation.id}"


def _format_problems(
    config: str, evaluation: Evaluation, source: TextSource, options: Options
) -> Iterator[str]:
    """Yield why the format of a text does not suit the metrics, if it does not."""
    place = _place(config, evaluation, source)
    families = set(options.metric_families)
    if source.format == ELEMENTS_FORMAT and families != {"BE"}:
        asked_for = "metrics on words are asked for too" if "BE" in families else "-3 is not given"
        yield (
            f"{place}: format SIMPLE holds Basic Elements, but {asked_for}; "
            "expected -3 without -n, -w and -2"
        )
    if "BE" in families and source.format not in {ELEMENTS_FORMAT, READ_AS_NO_ELEMENTS}:
        yield f"{place}: format {source.format} has no Basic Elements; -3 expects SIMPLE"


def _file_problems(
    config: str, evaluation: Evaluation, source: TextSource, options: Options
) -> Iterator[str]:
    """Yield why the file of a text cannot be read, if it cannot."""
    problem = None if source.content is not None else file_problem(source.name)
    if problem:
        yield f"{_place(config, evaluation, source)}: {source.name}: {problem}"


def _element_problems(
    config: str, evaluation: Evaluation, source: TextSource, options: Options
) -> Iterator[str]:
    """Yield the lines of a text that are no Basic Elements."""
    if source.format == ELEMENTS_FORMAT:
        yield from element_problems(read_source(evaluation, source), source.name)
