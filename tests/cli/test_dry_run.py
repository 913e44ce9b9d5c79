"""``--dry-run``: what transcripts cannot tell of it."""

from pathlib import Path

from tests.cli.running import SAMPLE, Run, eval_xml, write_files


def test_names_are_whole_and_safe(run: Run, tmp_path: Path) -> None:
    long = "s" * 120
    models = {"A": "./m"}
    evals = [
        eval_xml("日&#9;本", {long: "x\x7f.txt", "b": "p"}, models),
        eval_xml("2", {long: "p"}, models),
    ]
    write_files(tmp_path, {"x\x7f.txt": "a", "p": " \n", "m": "a\nb\nc"})
    write_files(tmp_path, {"config.xml": f"<R>{''.join(evals)}</R>"})
    rows = run("--dry-run", "-a", "config.xml", cwd=tmp_path).out.decode().splitlines()
    # The escaped tab has two columns and each of the other two letters has two.
    assert rows[2] == f"日\\t本  prediction b{' ' * 119}          1      0  ./p"
    assert rows[3] == f"日\\t本  prediction {long}          1      1  ./x\\x7f.txt"
    assert rows[6].startswith(f"2       prediction {long} ")


def test_errors_are_those_of_a_run(run: Run, tmp_path: Path) -> None:
    config = eval_xml("1", {"a": "p"}, {"A": "gone"})
    write_files(tmp_path, {"config.xml": f"<R>{config}</R>", "p": "a\n"})
    scored = run("-a", "config.xml", cwd=tmp_path)
    assert run("--dry-run", "-a", "config.xml").refusal == "\n".join(scored.error_lines)
    assert "gone: no such file" in scored.err


def test_it_may_be_written_to_a_file(run: Run, tmp_path: Path) -> None:
    printed = run("--dry-run", "-a", "config.xml", cwd=SAMPLE)
    path = tmp_path / "table.txt"
    assert run("--dry-run", "-a", "config.xml", "-o", str(path)).out == b""
    assert path.read_bytes() == printed.out
