"""JSON reports with the scores of each EVAL, read as saved scores."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rouge_cli.errors import InputError, OptionError
from rouge_cli.escapes import escaped
from rouge_cli.metrics.counts import SHARES
from rouge_cli.options.every import OPTIONS, Options
from rouge_cli.options.requirements import MEASURE_NAMES
from rouge_cli.scoring.saved_scores import CLUSTER, FORMAT, plain_options
from rouge_cli.scoring.score_rows import Key, PartRows, number_array

__all__ = ["has_report", "read_report"]

OPENING = re.compile(rb'\s*\{\s*"program"\s*:\s*"rouge-cli"')
ADVICE = "expected a report of score, written with --report json and -d"
AVERAGES = re.compile(r"\|alpha:")
LETTERS = {name: letter for letter, name in MEASURE_NAMES.items()}
COUNTS = {"hit": "hit", "model": "model_count", "peer": "peer_count", "peer_hit": "peer_hit"}
WHOLE_IN_DOUBLES, LONGEST_START = 1 << 53, 1 << 10


def has_report(name: str) -> bool:
    """Say whether a file begins as a JSON report of this program does; raises OSError."""
    with open(name, "rb") as file:
        return OPENING.match(file.read(LONGEST_START)) is not None


def read_report(name: str) -> tuple[dict[str, Any], PartRows]:
    """Read a JSON report as saved scores.

    Parameters
    ----------
    name : str
        Of the file.

    Returns
    -------
    header : dict
        What that of saved scores would be.
    rows : PartRows

    Raises
    ------
    InputError
        If it is no report of ``score``, has no scores of EVALs, or not all that it should have.
    """
    with open(name, "rb") as file:
        data = file.read()
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{escaped(name)}: no JSON: {error}") from None
    systems = document.get("systems")
    if not isinstance(systems, list) or not all(isinstance(one, dict) for one in systems):
        raise InputError(f"{escaped(name)}: another report of rouge-cli; {ADVICE}")
    if not systems or any("evals" not in one for one in systems):
        raise InputError(f"{escaped(name)}: a report without the scores of each EVAL; {ADVICE}")
    if "|cluster:" in document["signature"]:
        raise InputError(
            f"{escaped(name)}: a report does not say which EVALs are of one cluster; save the "
            "scores with --save"
        )
    try:
        header = _header(document, systems)
        return header, _rows(name, systems)
    except (KeyError, TypeError, ValueError, AttributeError, OptionError) as error:
        reason = f"no {error}" if isinstance(error, KeyError) else error
        raise InputError(f"{escaped(name)}: a damaged report: {reason}; {ADVICE}") from None


def _rows(name: str, systems: Sequence[Mapping[str, Any]]) -> PartRows:
    """Return the rows of a report; raises ValueError and others where something is missing."""
    columns: dict[Key, list[float]] = {}
    for system in systems:
        n_evals = len(system["evals"])
        for metric, scores in system["metrics"].items():
            for key, values in _arrays(scores).items():
                if len(values) != n_evals:
                    raise ValueError(f"{metric} has {len(values)} scores of {n_evals} EVALs")
                numbers = [_number(value, key) for value in values]
                columns.setdefault((metric, key), []).extend(numbers)
    eval_ids = [one for system in systems for one in system["evals"]]
    if any(len(values) != len(eval_ids) for values in columns.values()):
        raise ValueError("systems with different metrics")
    return PartRows(
        name,
        [system["id"] for system in systems for _ in system["evals"]],
        eval_ids,
        None,
        np.concatenate([np.arange(len(system["evals"])) for system in systems]),
        {key: _array(values) for key, values in columns.items()},
    )


def _header(document: Mapping[str, Any], systems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the header of saved scores would be."""
    signature = document["signature"]
    given = {name: value for name, value in document["options"].items() if name in OPTIONS}
    sentences = given.pop("sentences", None)
    given.pop("per_eval", None)
    # The names of metrics that Python gave are not what could be typed.
    given.pop("also", None)
    return {
        "format": FORMAT,
        "signature": signature,
        "scored_as": signature[: [one.start() for one in AVERAGES.finditer(signature)][-1]],
        "command": document["command"],
        "is_original": document["command"] is not None and document["command_note"] is None,
        "options": plain_options(Options.of(given)),
        "sentences": sentences,
        CLUSTER: None,
        "metrics": [_metric(*one) for one in systems[0]["metrics"].items()],
        "systems": [system["id"] for system in systems],
        "warnings": document["warnings"],
    }


def _metric(name: str, scores: Mapping[str, Any]) -> dict[str, Any]:
    """Return what there is to know of a metric."""
    measures = [letter for key, letter in LETTERS.items() if key in scores]
    found = {
        "name": name,
        "measures": measures,
        # ROUGE counts, and needs no word on its scale.
        "scale": scores.get("scale", None if scores["counts"] is None else SHARES),
        "counts": [key for key in _arrays(scores) if key not in measures],
    }
    if "metric" in scores.get("aggregation", {}):
        raise ValueError(f"{name} is made of counts, which no report has; save with --save")
    kept = ("lower_is_better", "aggregation")
    return found | {key: scores[key] for key in kept if key in scores}


def _arrays(scores: Mapping[str, Any]) -> dict[str, Sequence[float]]:
    """Return counts and measures of a metric by their names in saved scores."""
    counts = (scores["counts"] or {}).get("per_eval", {})
    found = {COUNTS[key]: values for key, values in counts.items()}
    measures = {letter: scores[key]["per_eval"] for key, letter in LETTERS.items() if key in scores}
    return found | measures


def _number(value: Any, key: str) -> float:
    """Return a number as it is, and a count beyond all numbers as infinite; raises ValueError."""
    if value is None and key not in MEASURE_NAMES:
        return np.inf
    if type(value) is int or (type(value) is float and np.isfinite(value)):
        return float(value) if isinstance(value, float) else value
    raise ValueError(f"found {value!r}, expected a number")


def _array(numbers: Sequence[float]) -> NDArray[Any]:
    """Return numbers as an array; a report writes whole doubles as integers."""
    has_doubles = any(isinstance(number, float) for number in numbers)
    if has_doubles and all(abs(number) < WHOLE_IN_DOUBLES for number in numbers):
        return np.array(numbers, np.float64)
    return number_array(numbers)
