"""Frameworks that use ``rouge_score`` get the same numbers from this package, and have adapters."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.clients.environments import INSTALL, client_environment
from tests.frameworks.users import PAIRS

ROOT = Path(__file__).parents[2]
USERS = Path(__file__).with_name("users.py")
RECIPES = Path(__file__).with_name("recipes.py")
PROCESSES = Path(__file__).with_name("processes.py")
PAGE = ROOT / "docs" / "guide" / "frameworks.md"
SECONDS = 300

VERSIONS = {
    "azure-ai-evaluation": "1.18.10",
    "deepeval": "4.3.1",
    "lm-eval": "0.4.13",
    "opik": "2.2.122",
    "ragas": "0.4.3",
    "unitxt": "1.26.10",
}
OTHERS = {"ragas": ("langchain-community<0.4",)}
"""What a framework needs besides what it names: this one imports a module that has gone since."""

ADAPTERS = {
    "deepeval": "4.3.1",
    "evaluate": "0.4.6",
    "google-adk": "2.13.0",
    "inspect-ai": "0.3.285",
    "mlflow": "3.17.2",
    "torchmetrics": "1.9.0",
}
"""Frameworks with an example in Python on the page on frameworks, and the versions it names."""

PROMPTFOO = "0.121.20"
TORCH = "2.14.1"

DEEPEVAL_TEST = """
from deepeval import assert_test
from deepeval.test_case import LLMTestCase
from rouge_cli.integrations.deepeval import RougeMetric

case = LLMTestCase(
    input="Summarise: ...",
    actual_output="the gunman kill police",
    expected_output="police killed the gunman",
)
for is_async in (False, True):
    recall = RougeMetric("ROUGE-1:R", 0.8, {"max_ngram": 1})
    try:
        assert_test(case, [recall, RougeMetric("ROUGE-L")], run_async=is_async)
    except AssertionError as error:
        print(error)
"""
ADK_AGENT = """
from google.adk.agents import BaseAgent
from google.adk.events import Event
from google.genai.types import Content, Part


class Known(BaseAgent):
    async def _run_async_impl(self, context):
        part = Part(text="the gunman kill police")
        yield Event(author=self.name, content=Content(role="model", parts=[part]))


root_agent = Known(name="known")
"""
INSPECT_LOG = """
import inspect_ai
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver


@solver
def known_output():
    async def solve(state, generate):
        state.output = ModelOutput.from_content("none", "the gunman kill police")
        return state

    return solve


sample = Sample(input="Summarise: ...", target="police killed the gunman")
task = inspect_ai.Task(dataset=[sample], solver=known_output())
inspect_ai.eval(task, model="none/none", display="none", log_dir="logs")
"""
INSPECT_SCORE = """
import sys
from inspect_ai.log import read_eval_log

(sample,) = read_eval_log(sys.argv[1]).samples
(score,) = sample.scores.values()
print(score.value["ROUGE-1"])
"""
DOCUMENTS = """\
{"document": "a", "reference": "lol lol", "references": ["lol", "lol lol"]}
{"document": "b", "reference": "c", "references": ["c", "d"]}
"""


def run(*arguments: "str | Path", **options: Any) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "DEEPEVAL_TELEMETRY_OPT_OUT": "YES"}
    finished = subprocess.run(
        [str(argument) for argument in arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        **{"env": environment, **options},
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished


def scores(python: Path, framework: str, back_end: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(
        run(python, USERS, framework, back_end).stdout.splitlines()[-1]
    )
    return report


def adapter_environment(framework: str, environments: Path) -> Path:
    """Return the folder of programs of a framework with an adapter."""
    requirement = f"{framework}=={ADAPTERS[framework]}"
    needed = {"torchmetrics": f"torch=={TORCH}", "google-adk": "google-adk[eval]"}.get(framework)
    others = ("rouge-score==0.1.2", *([needed] if needed else []))
    return client_environment(requirement, environments, *others)


def configurations(heading: str) -> list[str]:
    """Return the YAML files in a section of the page."""
    section = PAGE.read_text("utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^```yaml\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("framework", VERSIONS)
def test_equal_scores(framework: str, environments: Path) -> None:
    requirement = f"{framework}=={VERSIONS[framework]}"
    needed = ("rouge-score==0.1.2", *OTHERS.get(framework, ()))
    programs = client_environment(requirement, environments, *needed)
    package = scores(programs / "python", framework, "package")
    installed = scores(programs / "python", framework, "installed")
    # The frameworks really use what `install` puts in the package's place.
    assert package["scorer"].endswith("rouge_score.rouge_scorer")
    assert installed["scorer"] == "rouge_cli.compat.google"
    assert installed["scores"] == package["scores"]
    assert len(set(package["scores"])) > len(PAIRS)


@pytest.mark.parametrize("framework", ADAPTERS)
def test_examples(framework: str, environments: Path) -> None:
    programs = adapter_environment(framework, environments)
    assert int(run(programs / "python", RECIPES).stdout.splitlines()[-1]) >= 1


def test_deepeval_scores_with_copies(environments: Path) -> None:
    programs = adapter_environment("deepeval", environments)
    printed = run(programs / "python", "-c", DEEPEVAL_TEST).stdout
    # Without stems 3 of 4 words; the other metric has stems, and does not fail.
    failures = re.findall(r"(\S+ \w+ \(score: .+?), strict", printed)
    assert failures == ["ROUGE-1 recall (score: 0.75, threshold: 0.8"] * 2


def test_google_adk_evaluates_an_agent(environments: Path, tmp_path: Path) -> None:
    programs = adapter_environment("google-adk", environments)
    (tmp_path / "known").mkdir()
    (tmp_path / "known" / "__init__.py").write_text("from . import agent\n", "utf-8")
    (tmp_path / "known" / "agent.py").write_text(ADK_AGENT, "utf-8")
    contents = [{"parts": [{"text": text}]} for text in ("?", "police killed the gunman")]
    turn = dict(zip(("user_content", "final_response"), contents, strict=True))
    session = {"app_name": "known", "user_id": "user", "state": {}}
    case = {"eval_id": "one", "conversation": [turn], "session_input": session}
    evals = {"eval_set_id": "set", "eval_cases": [case]}
    (tmp_path / "evals.json").write_text(json.dumps(evals), "utf-8")
    criterion = {"threshold": 0.3, "metric": "ROUGE-2:R", "language": "en", "max_ngram": 2}
    code = {"code_config": {"name": "rouge_cli.integrations.google_adk.rouge"}}
    config = {"criteria": {"rouge": criterion}, "custom_metrics": {"rouge": code}}
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    words = ("eval", "known", "evals.json", "--config_file_path", "config.json")
    command = (programs / "python", programs / "adk", *words, "--print_detailed_results")
    printed = run(*command, cwd=tmp_path).stdout
    # Of the three bigrams of the reference, the output has "the gunman".
    assert "Metric: rouge, Status: PASSED, Score: 0.33333, Threshold: 0.3" in printed


def test_inspect_knows_the_name(environments: Path, tmp_path: Path) -> None:
    programs = adapter_environment("inspect-ai", environments)
    # Only packages that are installed have scorers with names.
    prefix = ("--prefix", programs.parent, "--no-deps", "--no-build-isolation")
    run(sys.executable, *INSTALL, *prefix, "--editable", ROOT)
    bare = {"cwd": tmp_path, "env": {**os.environ, "HOME": str(tmp_path)}}
    run(programs / "python", "-c", INSPECT_LOG, **bare)
    (log,) = (tmp_path / "logs").iterdir()
    options = ("--scorer", "rouge_cli/rouge", "-S", "max_ngram=1", "--overwrite", "--action")
    run(programs / "python", programs / "inspect", "score", *options, "append", log, **bare)
    # The words "killed" and "kill" are different without stems: 3 of 4 words.
    assert run(programs / "python", "-c", INSPECT_SCORE, log, **bare).stdout == "0.75\n"


def test_lm_eval_task(environments: Path, tmp_path: Path) -> None:
    programs = client_environment(
        f"lm-eval=={VERSIONS['lm-eval']}", environments, "rouge-score==0.1.2"
    )
    for name, text in zip(
        ("summaries", "several"), configurations("lm-evaluation-harness"), strict=True
    ):
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    (tmp_path / "data.jsonl").write_text(DOCUMENTS, "utf-8")
    tasks = ("--include_path", ".", "--tasks", "summaries", "several_summaries")
    command = (programs / "python", "-m", "lm_eval", "run", "--model", "dummy", *tasks)
    run(*command, "--output_path", "output", cwd=tmp_path)
    (path,) = (tmp_path / "output").rglob("results_*.json")
    results = json.loads(path.read_text("utf-8"))["results"]
    # The model says "lol". R 1/2, P 1, F 2/3; and 0 in the other document.
    assert results["summaries"]["ROUGE-1,none"] == pytest.approx(0.66667 / 2)
    # Against both models R 2/3, P 2/2, F 4/5.
    assert results["several_summaries"]["ROUGE-1,none"] == pytest.approx(0.8 / 2)


def test_promptfoo_assertion(environments: Path, tmp_path: Path) -> None:
    npm, folder = shutil.which("npm"), environments / f"promptfoo-{PROMPTFOO}"
    program = folder / "node_modules" / ".bin" / "promptfoo"
    if npm is None:
        pytest.skip("there is no npm")
    if not program.exists():
        install = [npm, "install", "--no-fund", "--no-audit", "--prefix", str(folder)]
        if subprocess.run([*install, f"promptfoo@{PROMPTFOO}"], check=False).returncode:
            pytest.skip("npm cannot install promptfoo")
    tests, others = configurations("promptfoo")
    tests += others.removeprefix("tests:\n")
    tests = tests.replace('"..."', "the gunman kill police")
    module = "from rouge_cli.integrations.promptfoo import get_assert\n"
    (tmp_path / "rouge.py").write_text(module, "utf-8")
    head = 'prompts: ["{{text}}"]\nproviders: [echo]\n'
    (tmp_path / "promptfooconfig.yaml").write_text(head + tests, "utf-8")
    variables = {
        "HOME": str(tmp_path),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
    }
    command = [str(program), "eval", "--no-cache", "--output", "output.json"]
    # Its exit code says that a test failed.
    subprocess.run(
        command, cwd=tmp_path, env={**os.environ, **variables}, check=False, timeout=SECONDS
    )
    report = json.loads((tmp_path / "output.json").read_text("utf-8"))["results"]["results"]
    # Of the bigrams of the output, the first reference has one in three, the second all.
    tested = {result["testIdx"]: (result["success"], result["score"]) for result in report}
    assert tested == {0: (False, 0.33333), 1: (True, 0.66667), 2: (True, 1)}
    assert report[0]["namedScores"]["ROUGE-1 F"] == 1


def test_torchmetrics_adds_up_over_processes(environments: Path, tmp_path: Path) -> None:
    programs = adapter_environment("torchmetrics", environments)
    run(programs / "python", PROCESSES, tmp_path / "store")


def test_the_page_names_these_versions() -> None:
    page = PAGE.read_text("utf-8")
    for version in (*ADAPTERS.values(), VERSIONS["lm-eval"], PROMPTFOO):
        assert f"| {version} |" in page
    assert f"torch {TORCH}" in page
