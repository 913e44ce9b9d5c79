"""A complete plain program: ``run(args, cwd)`` returns what is printed (section 7)."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cmp_to_key, partial
from pathlib import Path

from .evaluate import Metric, Readings, all_metrics, count
from .inputs import Evaluation, read_config, read_list, read_sentences
from .numbers import printed, printed_cut
from .options import Options, parse
from .scores import Triple, bootstrap, eval_scores, pooled
from .texts import Stem


@dataclass(frozen=True)
class Instance:
    """One EVAL of one system, with its values."""

    evaluation: str
    values: Triple


def instance_order(evaluation: Evaluation, system: str) -> bytes:
    """Instances stand in byte order of EVALID.SYSTEMID (section 6)."""
    return f"{evaluation.identifier}.{system}".encode()


def score_instances(
    metric: Metric, system: str, evaluations: list[Evaluation], readings: Readings
) -> list[Instance]:
    """The values of a system in every EVAL that has it, in order."""
    options = readings.options
    instances = []
    for evaluation in evaluations:
        if system not in evaluation.peers:
            continue
        counts = count(metric, readings, evaluation, system)
        if options.whole("t") == 0:
            values = eval_scores(counts, options.real("p", 0.5), metric.weight)
        else:
            hit, model_count, peer_count = counts
            values = model_count, peer_count, hit
        instances.append(Instance(evaluation.identifier, values))
    return instances


def leading_number(identifier: str) -> int | None:
    """The number that an EVAL ID begins with, if it begins with one."""
    match = re.match("[0-9]+", identifier)
    return int(match[0]) if match else None


def compare_evals(one: Instance, other: Instance, system: str) -> int:
    """The order of ``-d``: by leading number if both have one, otherwise by bytes of the names."""
    one_number, other_number = leading_number(one.evaluation), leading_number(other.evaluation)
    if one_number is not None and other_number is not None:
        return one_number - other_number
    one_bytes = f"{one.evaluation}.{system}".encode()
    other_bytes = f"{other.evaluation}.{system}".encode()
    return (one_bytes > other_bytes) - (one_bytes < other_bytes)


def averages(name: str, options: Options, instances: list[Instance]) -> list[str]:
    """The lines of a metric before those of ``-d`` (section 7)."""
    values = [instance.values for instance in instances]
    mode = options.whole("t")
    if mode == 2:
        model_count, peer_count, hit = (printed_cut(number) for number in pooled(values))
        return [f"{name} M_count: {model_count} P_count: {peer_count} H_count: {hit}"]
    confidence = options.text("c", "95")
    estimates = bootstrap(
        values, options.whole("r", 1000), float(confidence), mode, options.real("p", 0.5)
    )
    return [
        f"{name} Average_{letter}: {average:7.5f} "
        f"({confidence}%-conf.int. {lower:7.5f} - {upper:7.5f})"
        for letter, (average, lower, upper) in zip("RPF", estimates, strict=True)
    ]


def eval_line(name: str, system: str, mode: int, instance: Instance) -> str:
    """A line of ``-d`` (section 7)."""
    first, second, third = (
        f"{value:7.5f}" if mode == 0 else printed(value) for value in instance.values
    )
    return f"{name} Eval {instance.evaluation}.{system} R:{first} P:{second} F:{third}"


def report(
    metric: Metric, system: str, evaluations: list[Evaluation], readings: Readings
) -> list[str]:
    """Everything that is printed for one metric of one system (section 7)."""
    options = readings.options
    instances = score_instances(metric, system, evaluations, readings)
    name = f"{system} {metric.label}"
    lines = ["-" * 45, *averages(name, options, instances)]
    if options.has("d"):
        lines.append("." * 45)
        for instance in sorted(instances, key=cmp_to_key(partial(compare_evals, system=system))):
            lines.append(eval_line(name, system, options.whole("t"), instance))
    return lines


def run(
    args: list[str],
    cwd: Path,
    *,
    stopwords: Collection[bytes] = frozenset(),
    stem: Stem | None = None,
) -> bytes:
    """Run the program with the given arguments and directory; return standard output.

    The stopwords of ``-s`` and the stemmer of ``-m`` are passed in.
    """
    options = parse(args)
    config = cwd / options.config
    if options.has("z"):
        system = options.system or "X"
        evaluations = read_list(config, options.text("z"), system)
        systems = [system]
    else:
        evaluations = read_config(config)
        named = {name for evaluation in evaluations for name in evaluation.peers}
        systems = sorted(named, key=str.encode) if options.has("a") else [options.system or ""]
    readings = Readings(
        options=options,
        read=lambda path, layout: read_sentences(cwd / path, layout),
        stopwords=stopwords if options.has("s") else frozenset(),
        stem=stem,
    )
    lines = []
    for system in systems:
        ordered = sorted(evaluations, key=lambda one: instance_order(one, system))
        for metric in all_metrics(options):
            lines += report(metric, system, ordered, readings)
    return "".join(line + "\n" for line in lines).encode()
