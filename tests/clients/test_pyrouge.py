"""pyrouge, which names the home in its constructor or in a settings file and runs the script."""

import json
import re
from ast import literal_eval
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.clients.classic import scores_in
from tests.clients.environments import client, client_environment

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
# What pyrouge asks for if nobody says otherwise. It calls the system 1, and EVALs by their order.
OPTIONS = ["-c", "95", "-2", "-1", "-U", "-r", "1000", "-n", "4", "-w", "1.2", "-m"]
PAIRS = ["--peers", r"1=peers/(\w+)\.{}\.txt", "--models", r"models/#ID#\.[A-Z]\.txt"]
MEASURES = {"R": "recall", "P": "precision", "F": "f_score"}

PROGRAM = """
import json, sys
from pyrouge import Rouge155

folder, system, *rest = sys.argv[1:]
rouge = Rouge155(*rest[:1])
rouge.system_dir = folder + "/peers"
rouge.model_dir = folder + "/models"
rouge.system_filename_pattern = r"(\\w+)." + system + ".txt"
rouge.model_filename_pattern = "#ID#.[A-Z].txt"
output = rouge.convert_and_evaluate(rouge_args=rest[1] if rest[1:] else None)
print(json.dumps([output, rouge.output_to_dict(output)]))
"""


@pytest.fixture(scope="session")
def programs(environments: Path) -> Path:
    return client_environment("pyrouge==0.1.3", environments)


def dictionary(report: bytes) -> dict[str, float]:
    """Return a report as pyrouge would: names in small letters, cb and ce for the interval."""
    values: dict[str, float] = {}
    for score in scores_in(report):
        metric = score.metric.lower().replace("-", "_")
        name = f"rouge_{metric}_{MEASURES[score.letter]}"
        values |= {name: score.mean, f"{name}_cb": score.low, f"{name}_ce": score.high}
    return values


def expected_report(run: Run, system: str, *options: str) -> bytes:
    """Return the classic report of a system, called 1, on the texts as they are."""
    pairs = [one.format(system) for one in PAIRS]
    finished = run(*options, *pairs, "--report", "classic", cwd=SAMPLE)
    assert (finished.code, finished.err) == (0, "")
    return finished.out


@pytest.mark.parametrize("system", ["neural", "lead"])
def test_convert_and_evaluate(
    system: str, programs: Path, home: Path, run: Run, tmp_path: Path
) -> None:
    out = client(programs / "python", "-c", PROGRAM, str(SAMPLE), system, str(home), cwd=tmp_path)
    output, found = json.loads(out)
    expected = expected_report(run, system, *OPTIONS)
    assert output.encode() == expected
    assert found == dictionary(expected)
    # ROUGE-1 to 4, L, W, S* and SU*: three measures, each a mean and an interval.
    assert len(found) == 8 * 3 * 3
    assert found["rouge_1_f_score"] > 0


def test_arguments_of_its_user(programs: Path, home: Path, run: Run, tmp_path: Path) -> None:
    # pyrouge splits them at blanks, so that a path in them has none.
    (tmp_path / "home").symlink_to(home)
    arguments = f"-e {tmp_path}/home/data -n 2 -m -s -l 20 -f B -a"
    out = client(
        programs / "python",
        *("-c", PROGRAM, str(SAMPLE), "extract", str(home), arguments),
        cwd=tmp_path,
    )
    output, found = json.loads(out)
    expected = expected_report(run, "extract", "-n", "2", "-m", "-s", "-l", "20", "-f", "B")
    assert output.encode() == expected
    assert found == dictionary(expected)


def test_settings_file(programs: Path, home: Path, run: Run, tmp_path: Path) -> None:
    client(programs / "python", str(programs / "pyrouge_set_rouge_path"), str(home), cwd=tmp_path)
    out = client(programs / "python", "-c", PROGRAM, str(SAMPLE), "lead", cwd=tmp_path)
    assert json.loads(out)[1] == dictionary(expected_report(run, "lead", *OPTIONS))


def test_its_own_command(programs: Path, home: Path, run: Run, tmp_path: Path) -> None:
    out = client(
        programs / "python",
        str(programs / "pyrouge_evaluate_plain_text_files"),
        *("-s", str(SAMPLE / "peers"), "-sfp", r"(\w+).neural.txt"),
        *("-m", str(SAMPLE / "models"), "-mfp", "#ID#.[A-Z].txt"),
        *("-hd", str(home)),
        cwd=tmp_path,
    )
    # It prints the output of ROUGE and a line break of its own.
    assert out.encode() == expected_report(run, "neural", *OPTIONS) + b"\n"


def test_documented_program(programs: Path, home: Path, run: Run, tmp_path: Path) -> None:
    text = (SAMPLE.parents[1] / "docs" / "guide" / "moving-here.md").read_text("utf-8")
    (program,) = re.findall(r"^```python\n(from pyrouge.*?)^```$", text, re.MULTILINE | re.DOTALL)
    for name, target in (("rouge-home", home), ("peers", SAMPLE), ("models", SAMPLE)):
        (tmp_path / name).symlink_to(target if target == home else target / name)
    out = client(programs / "python", "-c", program, cwd=tmp_path)
    expected = expected_report(run, "neural", *OPTIONS)
    assert out.encode().startswith(expected)
    assert literal_eval(out[len(expected) :].strip()) == dictionary(expected)
