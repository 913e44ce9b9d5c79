"""Frameworks that score with ``rouge_score`` get the same numbers from this package."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.clients.environments import client_environment

ROOT = Path(__file__).parents[2]
USERS = Path(__file__).with_name("users.py")
SECONDS = 300

VERSIONS = {
    "deepeval": "4.3.1",
    "lm-eval": "0.4.13",
    "opik": "2.2.122",
    "ragas": "0.4.3",
    "unitxt": "1.26.10",
}
OTHERS = {"ragas": ("langchain-community<0.4",)}
"""What a framework needs besides what it names: this one imports a module that has gone since."""


def scores(python: Path, framework: str, back_end: str) -> dict[str, Any]:
    """Score in the environment of a framework."""
    finished = subprocess.run(
        [str(python), str(USERS), framework, back_end],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert finished.returncode == 0, finished.stderr
    found: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("framework", VERSIONS)
def test_equal_scores(framework: str, environments: Path) -> None:
    requirement = f"{framework}=={VERSIONS[framework]}"
    needed = ("rouge-score==0.1.2", *OTHERS.get(framework, ()))
    programs = client_environment(requirement, environments, *needed)
    package = scores(programs / "python", framework, "package")
    installed = scores(programs / "python", framework, "installed")
    # The frameworks really use what `install` puts in the package's place.
    assert package["scorer"] == "rouge_score.rouge_scorer"
    assert installed["scorer"] == "rouge_cli.compat.google"
    assert installed["scores"] == package["scores"]
    assert len(set(package["scores"])) > len(package["scores"]) / 4
