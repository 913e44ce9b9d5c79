"""Folders of texts print what the same texts print with a configuration, and say what is wrong."""

import os
from pathlib import Path

import pytest

from tests.cli.parallel import Texts, some_texts
from tests.cli.running import Run, eval_xml

AS_ORIGINAL = {"lcs": True}
EVERYTHING = ["-n", "3", "-w", "1.2", "-2", "4", "-U", "-d", "-r", "50"]
INPUT_ERROR = 3
N_EVALS = 12


def write_text(folder: Path, name: str, text: bytes | str = "a b\n") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


def write_texts(folder: Path, *names: str) -> None:
    for name in names:
        write_text(folder, name)


@pytest.fixture
def texts(tmp_path: Path) -> Texts:
    """The systems a and b, two models, as files ``texts/NAME/EVAL`` and in ``config.xml``."""
    texts = some_texts(N_EVALS, systems="ab", n_models=2)
    texts.write_files(tmp_path)
    return texts


MODELS = ["--models", r"texts/model\d/#ID#"]


def test_absolute_paths(texts: Texts, run: Run, tmp_path: Path) -> None:
    expected = run("-n2", "-d", "-a", "config.xml", cwd=tmp_path)
    peers, models = f"{tmp_path}/texts/(?P<system>[ab])/(.+)", f"{tmp_path}/texts/model[01]/#ID#"
    assert run("-n2", "-d", "--peers", peers, "--models", models).out == expected.out


def write_duc(folder: Path, texts: Texts, *, as_see: bool) -> None:
    """Write texts under DUC names, peers and models apart and together, and ``duc.xml``."""
    evaluations = []
    for number in range(N_EVALS):
        eval_id = f"D{number}.M.100.{'JKL'[number % 3]}"
        systems = {"2": texts.peers["a"][number], "10": texts.peers["b"][number]}
        models = {"A": texts.models[0][number], "B": texts.models[1][number]}
        for kind, part in (("peers", systems), ("models", models)):
            for who, text in part.items():
                name = f"{eval_id}.{who}{'.html' if as_see else ''}"
                content = see(text) if as_see else text
                write_text(folder, f"{kind}/{name}", content)
                write_text(folder, f"both/{name}", content)
        end = ".html" if as_see else ""
        names = [{who: f"{eval_id}.{who}{end}" for who in part} for part in (systems, models)]
        form = "SEE" if as_see else "SPL"
        evaluations.append(eval_xml(eval_id, *names, roots=("peers", "models"), form=form))
    config = f'<ROUGE-EVAL version="1.55">{"".join(evaluations)}</ROUGE-EVAL>'
    write_text(folder, "duc.xml", config)


def see(text: bytes) -> bytes:
    lines = [
        b'<a name="%d">[%d]</a> <a href="#%d" id=%d>%s</a>\n'
        % (number, number, number, number, sentence)
        for number, sentence in enumerate(text.split(b"\n"), 1)
    ]
    return b"<html>\n<body>\n" + b"".join(lines) + b"</body>\n</html>\n"


@pytest.mark.parametrize("folders", [("peers", "models"), ("both", "both/"), ("peers/", "both/.")])
@pytest.mark.parametrize("as_see", [True, False], ids=["SEE", "SPL"])
def test_duc_names_are_a_configuration(
    as_see: bool, folders: tuple[str, str], texts: Texts, run: Run, tmp_path: Path
) -> None:
    write_duc(tmp_path, texts, as_see=as_see)
    options = [*EVERYTHING, "-m", "-s"]
    expected = run(*options, "-a", "duc.xml", cwd=tmp_path)
    skip = ["--unpaired", "skip"] if folders[0] == "peers/" else []
    found = run(*options, "--duc", *folders, *skip)
    assert (found.out, found.code) == (expected.out, 0)
    if not skip:
        assert found.err == ""
    assert expected.out.count(b" Eval ") == 2 * N_EVALS * 7


@pytest.mark.parametrize(("form", "n_words"), [("SPL", 22), ("SEE", 2), ("ISI", 1)])
def test_input_format(form: str, n_words: int, run: Run, tmp_path: Path) -> None:
    # Of three texts in one, each format sees another; SPL sees all tags.
    text = see(b"x y") + b'<S SNTNO="1">z</S>\n'
    for name in ("p/1", "duc/D1.M.9.J.2.html"):
        write_text(tmp_path, name, text)
    write_texts(tmp_path, "m/1", "duc/D1.M.9.J.A.html")
    count = ["-n1", "-x", "-t2", "--input-format", form]
    for options, system in (
        (["--peers", r"p/(\d)", "--models", "m/#ID#"], "X"),
        (["--duc", "duc", "duc"], "2"),
    ):
        line = run(*count, *options, cwd=tmp_path).out.decode().splitlines()[-1]
        assert line.startswith(f"{system} ROUGE-1 M_count: ")
        assert f" P_count: {n_words} " in line


def test_html_that_is_no_see(run: Run, tmp_path: Path) -> None:
    for number, text in enumerate((b"x y", b"<p>x</p>", b"<b>y", see(b""), see(b"x"))):
        write_text(tmp_path, f"p/D{number}.M.9.J.1.html", text)
        write_text(tmp_path, f"m/D{number}.M.9.J.A", "x y p b\n")
    found = run("-n1", "-x", "-t2", "-d", "--duc", "p", "m", cwd=tmp_path)
    assert [line.split()[-2] for line in found.out.splitlines() if b" Eval " in line] == [
        b"P:2",
        b"P:3",
        b"P:2",
        b"P:0",
        b"P:1",
    ]
    assert found.err.splitlines() == [
        "Warning: HTML without a sentence of SEE is read as SPL, tags are words: "
        "p/D1.M.9.J.1.html, and 1 more",
        "Warning: 2 of 10 texts hold entities or tags of HTML, such as &amp; or <br>, the first "
        "text D1.M.9.J: p/D1.M.9.J.1.html: their letters count as words; convert the texts to "
        "plain text; --strip entities decodes the entities",
        "Warning: text D3.M.9.J: p/D3.M.9.J.1.html: no tokens",
    ]


def test_hidden_files_folders_and_other_files(run: Run, tmp_path: Path) -> None:
    write_texts(tmp_path, "p/s/1", "p/.s/2", "p/s/.3", "p/README", "p/s/4/5", "p/s/x", "m/1.a")
    write_texts(tmp_path, "m/.2.a", "m/notes", ".hid/m/1.a")
    (tmp_path / "m" / "6.a").mkdir()
    models = ["--models", r"m/#ID#\.a"]
    # Hidden or not: only what the user names by its full name.
    for peers in (r"p/(?P<system>.*)/(\d)", r"p/(?P<system>[^/]+)/(\d)"):
        found = run("-n1", "--peers", peers, *models, cwd=tmp_path)
        assert (found.err, found.code) == ("", 0)
        assert b"\ns ROUGE-1 Average_R: 1.00000" in found.out
    found = run("-n1", "--peers", r"p/s/(\d)", "--models", r".hid/m/#ID#\.a")
    assert (found.err, found.code) == ("", 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no links or pipes here")
def test_links_and_pipes(run: Run, tmp_path: Path) -> None:
    write_texts(tmp_path, "elsewhere/1", "m/1", "m/2")
    folder = tmp_path / "p"
    folder.mkdir()
    (folder / "1").symlink_to(tmp_path / "elsewhere" / "1")
    (folder / "2").symlink_to(tmp_path / "nothing")
    (folder / "round").symlink_to(folder)
    (folder / "self").symlink_to(folder / "self")
    os.mkfifo(folder / "3")
    found = run("--peers", r"p/(\d)", "--models", "m/#ID#", cwd=tmp_path)
    assert found.error_lines == ["Error: folders, text 2: p/2: no such file"]
    # Around the circle as often as the pattern says.
    write_texts(tmp_path, "elsewhere/2")
    (folder / "2").unlink()
    peers = r"p/[^/]+/[^/]+/[^/]+/(?P<system>[^/]+)/(\d)"
    found = run("-n1", "--peers", peers, "--models", "m/#ID#", "--unpaired", "skip")
    assert b"\nround ROUGE-1 Average_R: 1.00000" in found.out
    assert found.err == "Warning: m/2: a reference without a prediction; left out\n"


def test_names_of_any_bytes(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9")
    write_texts(tmp_path, f"p/{name}", f"m/{name}.a", f"m/{name}2.a")
    found = run("-n1", "-d", "--peers", "p/(.+)", "--models", r"m/#ID#\.a", cwd=tmp_path)
    assert found.error_lines == [
        r"Error: 'm/caf\udce92.a': a reference without a prediction",
        "Error: 1 file is unpaired; correct the names or the patterns, or use --unpaired skip",
    ]
    (tmp_path / "m" / f"{name}2.a").unlink()
    found = run("-n1", "-d", "--peers", "p/(.+)", "--models", r"m/#ID#\.a")
    assert b"X ROUGE-1 Eval caf\xe9.X R:1.00000" in found.out


PATTERNS = ["--peers", r"p/(\d+)\.txt", "--models", r"m/#ID#\.[A-Z]\.txt"]
DUC = ["--duc", "p", "m"]


def test_unpaired_patterns(run: Run, tmp_path: Path) -> None:
    write_texts(tmp_path, "p/1.txt", "p/2.txt", "p/10.txt", "p/READ.ME")
    write_texts(tmp_path, "m/1.A.txt", "m/1.B.txt", "m/3.A.txt", "m/3.txt")
    found = run("-n1", *PATTERNS, cwd=tmp_path)
    lines = [
        "p/10.txt (text 10): a prediction without a reference",
        "p/2.txt (text 2): a prediction without a reference",
        "m/3.A.txt: a reference without a prediction",
    ]
    advice = "3 files are unpaired; correct the names or the patterns, or use --unpaired skip"
    assert found.refusal.splitlines() == [f"Error: {line}" for line in (*lines, advice)]
    found = run("-n1", "-d", *PATTERNS, "--unpaired", "skip")
    assert found.err.splitlines() == [f"Warning: {line}; left out" for line in lines]
    assert found.code == 0
    write_text(tmp_path, "list", "p/1.txt m/1.A.txt m/1.B.txt\n")
    assert found.out == run("-n1", "-d", "-z", "SPL", "list").out


def test_see_of_duc_that_leads_nowhere(run: Run, tmp_path: Path) -> None:
    write_texts(tmp_path, "p/notes", "m/D1.M.9.J.A")
    (tmp_path / "p" / "D1.M.9.J.1.html").symlink_to("gone")
    found = run("-n1", *DUC, "--unpaired", "skip", cwd=tmp_path)
    assert found.refusal == "Error: folders, text D1.M.9.J: p/D1.M.9.J.1.html: no such file"


@pytest.mark.parametrize(
    ("options", "place"),
    [
        (["-a", "in/config.xml"], "in/config.xml, line 2, text 1"),
        (["-z", "SPL", "in/list"], "in/list, line 1, text 1"),
        (["--peers", "in/p/(.)", "--models", "in/m/#ID#", "--unpaired", "skip"], "text 1"),
        (["--duc", "in/p", "in/m", "--unpaired", "skip"], "text D1.M.9.J"),
    ],
    ids=["xml", "list", "patterns", "duc"],
)
def test_confined(options: list[str], place: str, run: Run, tmp_path: Path) -> None:
    write_texts(tmp_path, "in/p/1", "in/p/D1.M.9.J.1", "in/m/1", "in/m/D1.M.9.J.A")
    write_text(tmp_path, "in/list", "in/p/1 in/m/1\n")
    config = eval_xml("1", {"X": "1"}, {"A": "1"}, roots=("in/p", "in/m"))
    write_text(tmp_path, "in/config.xml", f"<R>\n{config}</R>")
    inside = run("-n1", *options, "--confine", cwd=tmp_path)
    assert inside.code == 0
    assert inside.out == run("-n1", *options).out
    # The same names, but the models now stand somewhere else.
    (tmp_path / "in" / "m").rename(tmp_path / "out")
    (tmp_path / "in" / "m").mkdir()
    for name in ("1", "D1.M.9.J.A"):
        (tmp_path / "in" / "m" / name).symlink_to(f"../../out/{name}")
    assert run("-n1", *options).out == inside.out
    outside = run("-n1", *options, "--confine")
    assert (outside.code, outside.out) == (INPUT_ERROR, b"")
    assert len(outside.error_lines) == 1
    assert outside.error_lines[0].startswith(f"Error: {place}: in/m/")
    assert ": outside of " in outside.error_lines[0]
    assert outside.error_lines[0].endswith(", where --confine keeps a run")


def test_a_folder_in_folders_cannot_be_listed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_texts(tmp_path, "p/a/1", "m/1")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path == "p/a/":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("rouge_cli.inputs.pairing.os.scandir", refuse)
    peers = "p/(?P<system>.)/(.)"
    found = run("-n1", "--peers", peers, "--models", "m/#ID#", cwd=tmp_path)
    assert found.refusal == f"Error: --peers '{peers}': p/a/: cannot be listed: permission denied"
