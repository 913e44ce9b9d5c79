"""Check all inputs of a run before anything is scored.

Source: specification, section 8.
"""

from collections.abc import Iterator, Sequence

from rouge_cli.errors import InputError
from rouge_cli.escapes import escaped
from rouge_cli.inputs.evaluation import Evaluation, TextSource
from rouge_cli.inputs.files import file_problem, read_file, read_source
from rouge_cli.inputs.formats import ELEMENTS_FORMAT, FORMAT_NAMES, element_problems
from rouge_cli.options.every import Options

__all__ = ["check_inputs"]

READ_AS_NO_ELEMENTS = "ISI"

READ_AHEAD_BYTES = 1 << 25


def check_inputs(
    evaluations: Sequence[Evaluation], systems: Sequence[str], options: Options, config: str
) -> dict[str, bytes]:
    """Check every text that a run will read, and read what may be held in memory.

    To read a file is the surest check, so the first files are read, up to `READ_AHEAD_BYTES`; of
    the others only is looked up whether they can be read.

    Parameters
    ----------
    evaluations : sequence of Evaluation
    systems : sequence of str
        The systems to score.
    options : Options
    config : str
        Name of the configuration, for messages.

    Returns
    -------
    dict of str to bytes
        Content of the files that were read, by name.

    Raises
    ------
    InputError
        All formats that do not suit the metrics; or else all files that cannot be read; or else
        all lines that are no Basic Elements.
    """
    used = list(_used_sources(evaluations, systems))
    unsuitable = _unsuitable_formats(options)
    found = [
        f"{_place(config, evaluation, source)}: {unsuitable[source.format]}"
        for evaluation, source in used
        if source.format in unsuitable
    ]
    contents: dict[str, bytes] = {}
    if not found:
        found = [
            f"{_place(config, evaluation, source)}: {escaped(source.name)}: {problem}"
            for evaluation, source, problem in _file_problems(used, contents)
        ]
    if not found:
        found = [
            problem
            for evaluation, source in used
            if source.format == ELEMENTS_FORMAT
            for problem in element_problems(read_source(evaluation, source, contents), source.name)
        ]
    if found:
        raise InputError(list(dict.fromkeys(found)))
    return contents


def _file_problems(
    used: Sequence[tuple[Evaluation, TextSource]], contents: dict[str, bytes]
) -> Iterator[tuple[Evaluation, TextSource, str]]:
    """Yield the files that cannot be read, and why; fill `contents` with those that are read."""
    left = READ_AHEAD_BYTES
    for evaluation, source in used:
        name = source.name
        if name in contents or source.content is not None:
            continue
        if left > 0:
            try:
                content = contents[name] = read_file(name)
                left -= len(content)
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                yield evaluation, source, file_problem(name) or reason
        elif problem := file_problem(name):
            yield evaluation, source, problem


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
    return f"{config}{line}, EVAL {escaped(evaluation.id)}"


def _unsuitable_formats(options: Options) -> dict[str, str]:
    """Return the formats that the metrics cannot read, and why."""
    reads_elements = options.metrics.basic_elements is not None
    reasons = {}
    if not options.metrics.reads_only_elements:
        asked_for = "metrics on words are asked for too" if reads_elements else "-3 is not given"
        reasons[ELEMENTS_FORMAT] = (
            f"format {ELEMENTS_FORMAT} holds Basic Elements, but {asked_for}; "
            "expected -3 without -n, -w and -2"
        )
    if reads_elements:
        for name in set(FORMAT_NAMES) - {ELEMENTS_FORMAT, READ_AS_NO_ELEMENTS}:
            reasons[name] = f"format {name} has no Basic Elements; -3 expects {ELEMENTS_FORMAT}"
    return reasons
