"""JSON files that are no baseline: what is said of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.errors import InputError
from rouge_cli.options.options import Options
from rouge_cli.scores.baselines import ADVICE, Baseline, read_baseline
from rouge_cli.scores.columns import run_metrics
from rouge_cli.scores.signature import signature
from tests.tables import rows_of

NO_NUMBER = {
    '"0.44"': '"0.44"', "None": "null", "False": "false", "-0.1": "-0.1", "[1]": "a list",
    "10**400": "1" + "0" * 36 + "...",
}  # fmt: skip
NO_BASELINE = r"""
data = b""
  no JSON: line 1, column 1: Expecting value
data = b'{"signature":\n  }'
  no JSON: line 2, column 3: Expecting value
data = b"X ROUGE-1 Average_R: 0.5"
  no JSON: line 1, column 1: Expecting value
data = b'{"signature": NaN}'
  no JSON: found NaN, which JSON does not have
data = b"[" * 100_000
  no JSON: brackets nested too deeply
data = b'{"signature": "\xff"}'
  no JSON: 'utf-8' codec can't decode byte 0xff in position 15: invalid start byte
data = b'{"signature": "x",\n"signature": "y"}'
  line 2: the key 'signature' more than once in an object; expected each key once: rename it, or
    take one out
data = b"[1, 2]"
  the document: found a list, expected an object
data = b"3"
  the document: found 3, expected an object
data = b"{}"
  signature: missing, expected a string
data = b'{"signature": 3}'
  signature: found 3, expected a string
data = b'{"signature": "rouge"}'
  systems: missing, expected a list
data = b'{"signature": "x", "systems": {}}'
  systems: found an object, expected a list
systems[0] = "x"
  systems[0]: found "x", expected an object
system["id"] = 7
  systems[0].id: found 7, expected a string
system["n_evals"] = 2.5
  systems[0].n_evals: found 2.5, expected a whole number from 0 on
system["n_evals"] = True
  systems[0].n_evals: found true, expected a whole number from 0 on
del system["n_evals"]
  systems[0].n_evals: missing, expected a whole number from 0 on
system["metrics"] = []
  systems[0].metrics: found a list, expected an object
del system["metrics"]["ROUGE-1"]
  systems[0].metrics.ROUGE-1: missing, expected an object
system["metrics"]["ROUGE-2"]["f_measure"] = None
  systems[0].metrics.ROUGE-2.f_measure: found null, expected an object
del system["metrics"]["ROUGE-1"]; system["metrics"]["ROUGE-2"]["f_measure"] = 0.5
  systems[0].metrics.ROUGE-1: missing, expected an object
  systems[0].metrics.ROUGE-2.f_measure: found 0.5, expected an object
systems *= 2
  systems: 2 times the ID 'a'
del systems[0]
  systems: empty, expected at least one system
""" + "".join(
    f"""system["metrics"]["ROUGE-1"]["f_measure"]["mean"] = {value}
  systems[0].metrics.ROUGE-1.f_measure.mean: found {shown}, expected a number from 0 on
"""
    for value, shown in NO_NUMBER.items()
)
"""What a file holds, or what is changed in the report of `read`; and what is said of it."""


def read(change: str, path: Path) -> Baseline:
    """Read a baseline of one system, of which only F is compared."""
    names = ("ROUGE-1", "ROUGE-2")
    metrics = {name: {"recall": None, "f_measure": {"mean": 0.5}} for name in names}
    systems = [{"id": "a", "n_evals": 2, "metrics": metrics}]
    options = Options.of({"max_ngram": 2, "lcs": False})
    report = {"signature": signature(options), "systems": systems}
    scope: dict[str, Any] = {"systems": systems, "system": systems[0]}
    exec(change, scope)
    path.write_bytes(scope.get("data", json.dumps(report).encode()))
    return read_baseline(str(path), options, run_metrics(options))


def test_what_is_not_compared_need_not_fit(tmp_path: Path) -> None:
    (system,) = read("", tmp_path / "baseline.json").systems
    assert (system.id, system.n_evals) == ("a", 2)


@pytest.mark.parametrize(("change", "problems"), rows_of(NO_BASELINE))
def test_no_baseline(change: str, problems: list[str], tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    with pytest.raises(InputError) as caught:
        read(change, path)
    assert caught.value.problems == tuple(f"{path}: {line}" for line in (*problems, ADVICE))
