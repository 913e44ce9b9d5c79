"""The fixture ``rouge`` in a run of pytest of its own."""

import os
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

PLUGIN = "rouge_cli.integrations.pytest_plugin"

ALONE = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"

PROGRAM = """
    PREDICTIONS = ["the cat sat", "a b c", "x y", "q r"]
    REFERENCES = ["the cat sat on the mat", "a d e f", "x z", "q"]

    def test_scores(rouge):
        rouge.check(PREDICTIONS, REFERENCES, {arguments})
"""


@pytest.fixture(autouse=True)
def alone(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read no settings of a folder above, and load no other plug-ins: that takes long."""
    pytester.makeini("[pytest]")
    monkeypatch.setenv(ALONE, "1")


def outcome(
    pytester: pytest.Pytester, arguments: str, *options: str, program: str = PROGRAM
) -> pytest.RunResult:
    """Run a test with a check that has these arguments."""
    pytester.makepyfile(program.format(arguments=arguments))
    # Where the package is installed whole, pytest finds the plug-in by itself, if it looks for any.
    is_found = entry_points(group="pytest11", name="rouge") and ALONE not in os.environ
    named = [] if is_found else ["-p", PLUGIN]
    return pytester.runpytest_subprocess(*named, "-p", "no:cacheprovider", *options)


def test_what_holds(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ALONE)
    # The last word of "the cat sat" stands third of six in the reference: R = 3/6.
    program = """
        def test_scores(rouge):
            results = rouge.check(["the cat sat"], ["the cat sat on the mat"], {arguments})
            assert results["ROUGE-L"].recall.mean == 0.5
    """
    found = outcome(pytester, 'require="ROUGE-L:R>=0.5"', program=program)
    found.assert_outcomes(passed=1)


def test_what_does_not_hold(pytester: pytest.Pytester) -> None:
    found = outcome(pytester, 'require=["ROUGE-L:F>=0.1", "ROUGE-2:F>=0.5"], max_ngram=2')
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(
        [
            # "the cat sat" alone shares bigrams: 2 of 5 and 2 of 2, F 0.57143; a quarter of it, and
            # the mean of resampled means is near.
            "E*Failed: X ROUGE-2 F: 0.14*, required >= 0.5",
            "E*System *ROUGE-2 F*",
            "E*Text 2",
            "E*a d e f",
            "E*chosen by    ROUGE-2 F 0.00000",
            "E*a b c",
            "E*R            0 / 3 = 0.00000  (hit / reference count)",
            "E*Text 3",
            "E*Text 4",
        ]
    )
    # The best EVAL and the other metrics are not explained, nor is this package's own code shown.
    found.stdout.no_fnmatch_line("E*Text 1")
    found.stdout.no_fnmatch_line("E*ROUGE-L")
    found.stdout.no_fnmatch_line("*pytest_plugin.py*")


def test_a_baseline(pytester: pytest.Pytester) -> None:
    path = Path(pytester.path, "scores.json")
    arguments = 'baseline="scores.json"'
    missing = outcome(pytester, arguments)
    missing.assert_outcomes(failed=1)
    missing.stdout.fnmatch_lines(
        [f"E*{path}: there is no baseline yet; make it with: pytest --rouge-update-baseline"]
    )
    outcome(pytester, arguments, "--rouge-update-baseline").assert_outcomes(passed=1)
    assert '"signature"' in path.read_text("utf-8")
    outcome(pytester, arguments).assert_outcomes(passed=1)
    worse = PROGRAM.replace('"a b c"', '"b c"')
    fallen = outcome(pytester, arguments, program=worse)
    fallen.assert_outcomes(failed=1)
    fallen.stdout.fnmatch_lines(["E*X ROUGE-L F: mean *"])
    outcome(pytester, f"{arguments}, max_drop=0.2", program=worse).assert_outcomes(passed=1)
    # A demand that is not met writes nothing.
    before = path.read_bytes()
    unmet = f'{arguments}, require="ROUGE-L:F>=0.9"'
    outcome(pytester, unmet, "--rouge-update-baseline", program=worse).assert_outcomes(failed=1)
    assert path.read_bytes() == before


def test_a_baseline_held_against_eval_by_eval(pytester: pytest.Pytester) -> None:
    path = Path(pytester.path, "scores.json")
    # 3 in 4 texts of 0.53 might fail unseen.
    arguments = 'baseline="scores.json", not_worse_than=0.45'
    outcome(pytester, arguments, "--rouge-update-baseline").assert_outcomes(passed=1)
    assert '"per_eval"' in path.read_text("utf-8")
    outcome(pytester, arguments).assert_outcomes(passed=1)
    worse = PROGRAM.replace('"a b c"', '"b c"')
    fallen = outcome(pytester, arguments, program=worse)
    fallen.assert_outcomes(failed=1)
    # Of "b c" and "a d e f" nothing is the same, where one word of three and of four was: the mean
    # of four EVALs falls by 2/7 / 4.
    fallen.stdout.fnmatch_lines(["E*X ROUGE-L F: 0.07143 worse than the baseline in 4 texts*"])
    few = outcome(pytester, arguments.replace("0.45", "0.3"))
    few.stdout.fnmatch_lines(["E*X ROUGE-L F: as good as the baseline in 4 texts*too few texts*"])


UNCHECKED = {
    'require="ROUGE-9:F>=0.5"': "OptionError: --require: 'ROUGE-9:F>=0.5': no metric",
    'require="high"': "OptionError: --require: found 'high'",
    "max_drop=0.1": "OptionError: --max-drop needs --baseline",
    "not_worse_than=0.1": "OptionError: --not-worse-than needs --baseline",
    'baseline="b", not_worse_than=0.1, counting=1': (
        "OptionError: --not-worse-than compares the scores of texts"
    ),
    "max_ngrm=2": "OptionError: unknown option 'max_ngrm'",
}


def test_what_cannot_be_checked(pytester: pytest.Pytester) -> None:
    # All in one run, where each is a test of its own.
    checks = "".join(
        f"""
    def test_{number}(rouge):
        rouge.check(PREDICTIONS, REFERENCES, {arguments})
"""
        for number, arguments in enumerate(UNCHECKED)
    )
    found = outcome(pytester, "", program=PROGRAM.partition("    def")[0] + checks)
    found.assert_outcomes(failed=len(UNCHECKED))
    found.stdout.fnmatch_lines([f"E*{message}*" for message in UNCHECKED.values()])


def test_warnings_are_shown(pytester: pytest.Pytester) -> None:
    program = """
        def test_scores(rouge):
            rouge.check(["", "a"], ["a", "a"], {arguments})
    """
    found = outcome(pytester, 'require="ROUGE-L:F>=0"', program=program)
    found.assert_outcomes(passed=1, warnings=1)
    found.stdout.fnmatch_lines(["*UserWarning: *no tokens*"])


def test_the_worst_evals_of_the_system_that_failed(pytester: pytest.Pytester) -> None:
    # A fails nothing, and is worst where B is best; the texts come from generators.
    program = """
        def test_scores(rouge):
            predictions = {{"A": iter(["a b", "q", "z"]), "B": iter(["q", "a b", "w"])}}
            rouge.check(predictions, iter(["a b", "a b", "z"]), {arguments}, resamples=0)
    """
    found = outcome(pytester, 'require="B:ROUGE-L:F>=0.5"', program=program)
    found.assert_outcomes(failed=1)
    found.stdout.fnmatch_lines(["E*B ROUGE-L F: 0.33333, required >= 0.5", "E*Text 1", "E*Text 3"])
    found.stdout.no_fnmatch_line("E*System A")


# pytester forgets what a test imports, and NumPy cannot be loaded twice: nothing is imported here.
@pytest.mark.skipif(not (find_spec("pandas") and find_spec("sacrebleu")), reason="packages missing")
def test_a_data_frame(pytester: pytest.Pytester) -> None:
    program = """
        import pandas

        def test_scores(rouge):
            frame = pandas.DataFrame({{"prediction": ["a b"], "reference": ["a c"]}})
            rouge.check(frame, None, {arguments}, add="metric:corpus-bleu")
    """
    found = outcome(pytester, 'require="ROUGE-L:F>=0.9"', program=program)
    found.stdout.fnmatch_lines(["E*X ROUGE-L F: 0.50000, required >= 0.9", "E*Text 1"])
