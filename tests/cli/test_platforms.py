"""Golden runs as on other systems, with other line ends and names of folders."""

import os
import shutil
import subprocess
import sys
import zipapp
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.atomic_files import NewFiles
from rouge_cli.cli.output import write_output
from rouge_cli.core import VARIABLE
from tests.cli.running import Run, others, python, write_files
from tests.golden.test_golden import CASES, FOLDERS, ROOT, check_output

AS_ORIGINAL = {"lcs": True}
ODD_NAME = "R\u00d6UGE d\u00e9j\u00e0 vu \u6458\u8981 (1) & 'x'"
GOLDEN = FOLDERS[0]
RUNS = [case for case in CASES if case["folder"] == GOLDEN]
IDS = [case["id"] for case in RUNS]
CONFIGS = sorted({case["cwd"] for case in RUNS})
# The ends of lines of a file are read once, whatever the options.
ONE_EACH = list({(case["cwd"], *case["args"][-2:]): case for case in RUNS}.values())


def copied(folder: Path) -> Path:
    """Copy the corpora; configurations and lists get other ends of lines."""
    shutil.copytree(GOLDEN / "corpora", folder / "corpora")
    for path in folder.glob("corpora/*/*"):
        if path.suffix in {".xml", ".lst", ".list"}:
            content = path.read_bytes().replace(b"\r\n", b"\n")
            path.write_bytes(content.replace(b"\n", b"\r\n"))
    return folder


@pytest.fixture(scope="module")
def crlf_corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("crlf") / ODD_NAME)


def test_every_configuration_is_changed(crlf_corpora: Path) -> None:
    used = {(case["cwd"], one) for case in RUNS for one in case["args"]}
    files = [crlf_corpora / folder / name for folder, name in used]
    read = [path for path in files if path.is_file()]
    assert len(read) >= len(CONFIGS)
    assert [path for path in read if b"\r\n" not in path.read_bytes()] == []


@pytest.mark.parametrize("case", ONE_EACH, ids=[case["id"] for case in ONE_EACH])
def test_golden_with_crlf_in_an_odd_folder(
    case: dict[str, Any], run: Run, crlf_corpora: Path
) -> None:
    finished = run(*case["args"], cwd=crlf_corpora / case["cwd"])
    check_output(case, finished.out)
    assert finished.code == 0


@pytest.mark.parametrize("case", RUNS[5::40], ids=IDS[5::40])
def test_golden_of_a_process_in_an_odd_folder(
    case: dict[str, Any], crlf_corpora: Path, tmp_path: Path
) -> None:
    report = tmp_path / f"{ODD_NAME}.txt"
    finished = subprocess.run(
        [sys.executable, "-m", "rouge_cli", *case["args"], "-o", str(report)],
        cwd=crlf_corpora / case["cwd"],
        # Neither the language nor UTF-8 is set: names are bytes all the same.
        env={"PYTHONPATH": str(ROOT), "PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
        capture_output=True,
        check=False,
    )
    assert (finished.stdout, finished.returncode) == (b"", 0)
    check_output(case, report.read_bytes())


def test_all_of_it_by_its_whole_path(run: Run, crlf_corpora: Path, tmp_path: Path) -> None:
    # A list names the texts by paths below a folder with an odd name, which has no blanks there.
    folder = tmp_path / "d\u00e9j\u00e0-\u6458\u8981"
    folder.mkdir()
    (folder / "text").write_bytes(b"a b c\r\n")
    (folder / "list").write_bytes(os.fsencode(f"{folder}/text {folder}/./text\r\n"))
    finished = run("-n1", "-x", "-r1", "-z", "SPL", str(folder / "list"))
    assert (finished.code, finished.err) == (0, "")
    assert finished.out.splitlines()[1].startswith(b"X ROUGE-1 Average_R: 1.00000 ")


@pytest.mark.parametrize("layout", ["duc", "peers", "lines", "records"])
def test_layouts_in_an_odd_folder(layout: str, run: Run, tmp_path: Path) -> None:
    # In a pattern, the parentheses of a folder that is there by that very name are literal.
    folder = tmp_path / ODD_NAME
    folder.mkdir()
    write_files(folder, {"D1.M.9.A.1": b"a b c\r\n", "D1.M.9.A.B": b"a b c\r\n"})
    (tmp_path / "\u6458 r.csv").write_bytes(b"prediction,reference\r\na b c,a b c\r\n")
    arguments = {
        "duc": ["--duc", f"{folder}/", f"{folder}"],
        "peers": ["--peers", f"{folder}/(D\\d)\\.M\\.9\\.A\\.1", "--models", f"{folder}/#ID#.*B"],
        "lines": ["--peer-lines", f"{folder}/D1.M.9.A.1", "--model-lines", f"{folder}/D1.M.9.A.B"],
        "records": [f"{tmp_path}/\u6458 r.csv"],
    }[layout]
    finished = run("-n1", "-x", "-r1", *arguments)
    assert (finished.code, finished.err) == (0, "")
    assert b" ROUGE-1 Average_R: 1.00000 " in finished.out.splitlines()[1]


@pytest.mark.parametrize("name", ["O_BINARY", "O_NONBLOCK"])
def test_flags_that_other_systems_have_or_lack(name: str, run: Run, tmp_path: Path) -> None:
    # Whatever the system: no newline becomes two bytes.
    with NewFiles() as files:
        files.write(str(tmp_path / "report"), b"a\nb\n")
        files.put_in_place()
    assert (tmp_path / "report").read_bytes() == b"a\nb\n"
    code = f"import os; vars(os).pop({name!r}, None); import rouge_cli.inputs.files as f;"
    code += "import rouge_cli.atomic_files; print(f.read_file('report'))"
    finished = python("-c", code, cwd=tmp_path, text=True, check=True)
    assert finished.stdout == "b'a\\nb\\n'\n"


def test_newlines_of_reports(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    # Standard output in text mode would translate them on Windows.
    write_output(["a\n", "b\n"])
    assert capsysbinary.readouterr().out == b"a\nb\n"


def test_from_an_archive(run: Run, tmp_path: Path) -> None:
    # As zipapp and its like pack programs: the word lists are no files then, and there is no core.
    shutil.copytree(ROOT / "rouge_cli", tmp_path / "app" / "rouge_cli")
    zipapp.create_archive(tmp_path / "app", tmp_path / "app.pyz", main="rouge_cli.__main__:main")
    arguments = ["-n", "1", "-x", "-m", "-s", "-a", "config.xml"]
    sample = ROOT / "fixtures" / "sample"
    for words in (arguments, ["selftest"]):
        finished = subprocess.run(
            [sys.executable, tmp_path / "app.pyz", *words],
            cwd=sample,
            env={name: os.environ[name] for name in os.environ.keys() - {"PYTHONPATH", VARIABLE}},
            capture_output=True,
            check=False,
        )
        assert (others(finished.stderr.decode()), finished.returncode) == ("", 0)
        if words is arguments:
            assert finished.stdout == run(*arguments, cwd=sample).out
