"""The shortest command lines that no transcript has: without any words, or with ambiguous names."""

from pathlib import Path

from tests.cli.running import SAMPLE, Run


def test_original_command_line_stays(run: Run, tmp_path: Path) -> None:
    # A file that is called like the system, and a configuration without a suffix.
    for name in ("peers", "models"):
        (tmp_path / name).symlink_to(SAMPLE / name)
    config = (SAMPLE / "config.xml").read_text("utf-8")
    expected = run("-n", "1", "config.xml", "lead", cwd=SAMPLE).out
    (tmp_path / "lead").write_text("A text.\n", "utf-8")
    (tmp_path / "config").write_text(config, "utf-8")
    assert run("-n", "1", "config", "lead", cwd=tmp_path).out == expected
    # Names of elements in any case, and in UTF-16.
    for content in (config.replace("EVAL", "Eval").encode(), config.encode("utf-16")):
        (tmp_path / "config").write_bytes(content)
        assert "taken for" not in run("-n", "1", "config", "lead").err


def test_no_word_prints_the_overview(run: Run) -> None:
    bare = run()
    assert (bare.code, bare.out) == (2, run("--help").out)
