"""What is scored and not judged, or judged and not scored, in the user's words."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from rouge_cli.errors import InputError
from rouge_cli.inputs.evaluation import Instances, in_byte_order
from rouge_cli.inputs.judgements import Judgements

__all__ = [
    "Evals",
    "check_common",
    "first_of",
    "gaps_of",
    "judged_evals",
    "lone_systems",
    "scored_evals",
]

Evals = dict[str, frozenset[str]]
"""System to its EVALs."""

MOST_PROBLEMS = 20
"""More are counted, not named: one mistake may be in every cell."""

LONGEST_NUMBER = 20


def scored_evals(instances: Instances) -> Evals:
    """Return the EVALs of each system; raises InputError if one has an EVAL twice."""
    scored: dict[str, list[str]] = {system: [] for system in instances.systems}
    for eval_id, number in zip(instances.eval_ids, instances.system_numbers, strict=True):
        scored[instances.systems[number]].append(eval_id)
    problems = [
        f"system {system!r} has more than one EVAL {eval_id!r}; expected an ID for each, to find "
        "its judgement by"
        for system, evals in scored.items()
        for eval_id, count in Counter(evals).items()
        if count > 1
    ]
    if problems:
        raise InputError(first_of(problems))
    return {system: frozenset(evals) for system, evals in scored.items()}


def judged_evals(judgements: Judgements, scored: Evals) -> Evals:
    """Return the EVALs in which each system is judged: all, where there is one judgement."""
    if not judgements.is_per_eval:
        every = frozenset[str]().union(*scored.values())
        return {row.system: every for row in judgements.rows}
    judged: dict[str, set[str]] = {}
    for row in judgements.rows:
        judged.setdefault(row.system, set()).add(row.eval_id or "")
    return {system: frozenset(evals) for system, evals in judged.items()}


def lone_systems(scored: Evals, judged: Evals, name: str) -> Iterator[str]:
    """Word each system that has only scores, or only judgements."""
    for system in in_byte_order(scored.keys() - judged.keys()):
        yield f"{name}: no judgement of system {system!r}, which is scored"
    for system in in_byte_order(judged.keys() - scored.keys()):
        yield f"{name}: system {system!r} is judged, but not scored"


def gaps_of(
    eval_id: str, systems: Sequence[str], evals: tuple[Evals, Evals], name: str
) -> Iterator[str]:
    """Word what is missing of an EVAL: scores or judgements, of all systems or of one."""
    scored, judged = evals
    unscored = [system for system in systems if eval_id not in scored[system]]
    unjudged = [system for system in systems if eval_id not in judged[system]]
    if len(unscored) == len(systems):
        yield f"{name}: EVAL {eval_id!r} is judged, but not scored"
    elif len(unjudged) == len(systems):
        yield f"{name}: no judgement of EVAL {eval_id!r}, which is scored"
    else:
        yield from (f"system {one!r} has no score in EVAL {eval_id!r}" for one in unscored)
        yield from (
            f"{name}: no judgement of system {one!r} in EVAL {eval_id!r}" for one in unjudged
        )


def first_of(problems: Sequence[str]) -> list[str]:
    """Return the first problems, how many more there are."""
    more = len(problems) - MOST_PROBLEMS
    return [*problems[:MOST_PROBLEMS], *([f"{more} more of these"] if more > 0 else [])]


def check_common(scored: Evals, judged: Evals, systems: Sequence[str], name: str) -> None:
    """Refuse scores and judgements that have no ID in common, which is one mistake and not many."""
    if not systems:
        raise InputError(_nothing_common("system", scored.keys(), judged.keys(), name))
    of_scores = frozenset[str]().union(*(scored[system] for system in systems))
    of_judges = frozenset[str]().union(*(judged[system] for system in systems))
    if of_scores and of_judges and of_scores.isdisjoint(of_judges):
        raise InputError(_nothing_common("EVAL", of_scores, of_judges, name))


def _nothing_common(
    what: str, scored: Collection[str], judged: Collection[str], name: str
) -> list[str]:
    """Say so, with two IDs of each, and with the likely cause if there is one."""
    examples = [", ".join(map(repr, in_byte_order(ids)[:2])) for ids in (scored, judged)]
    problem = (
        f"{name}: no {what} is both scored and judged: the scores have {examples[0]}, the "
        f"judgements {examples[1]}"
    )
    alike = {_bare(one): one for one in in_byte_order(scored)}
    pair = next(
        ((alike[_bare(one)], one) for one in in_byte_order(judged) if _bare(one) in alike), None
    )
    if pair is None:
        return [problem]
    return [
        problem,
        f"{name}: {pair[0]!r} and {pair[1]!r} differ in a prefix, in upper case or in zeros in "
        "front; write the IDs of both in the same way",
    ]


def _bare(name: str) -> str:
    """Return what is left of an ID without what people write in different ways."""
    number = re.search("([0-9]+)[^0-9]*$", name)
    return str(int(number[1])) if number and len(number[1]) < LONGEST_NUMBER else name.lower()
