"""Every option: what it takes, what it refuses, and the exact message."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

from rouge_cli.cli.arguments import DeclaredOption
from rouge_cli.cli.group import COMMANDS
from rouge_cli.errors import OptionError
from rouge_cli.options.declaration import NEW_LETTERS, Option
from rouge_cli.options.options import OPTIONS, Options
from rouge_cli.options.readers import Choice, switch
from tests.cli.running import ROOT, python
from tests.tables import rows_of
from tools import make_keywords

DECLARED = {
    parameter.declared.spelling: parameter.declared
    for command in COMMANDS.values()
    for parameter in command.load().params
    if isinstance(parameter, DeclaredOption)
}
"""The options of all commands; of two that are spelt alike, the later one."""

CHOICES = [declared for declared in DECLARED.values() if isinstance(declared.parse, Choice)]
SWITCHES = [declared for declared in DECLARED.values() if declared.parse is switch]

LETTERS_OF_THE_ORIGINAL = "23UbceflnprtuwzHadhmMsvx"
"""See section 1 of the specification."""

HERE = Path(__file__).parent
GOOD = rows_of((HERE / "good.txt").read_text("utf-8"))
"""The name of an option, with other options that it needs, and lines of VALUE <- SOURCES."""

BAD = rows_of((HERE / "bad.txt").read_text("utf-8"))
"""Names of options with values that they refuse, and what the message expects."""


@pytest.mark.parametrize("declared", DECLARED.values(), ids=DECLARED)
def test_declarations(declared: Option) -> None:
    assert declared.long.startswith("--")
    assert (declared.metavar is None) == (declared.parse is switch)
    assert declared.help.endswith((".", "?"))
    assert declared.python_advice is None or declared.python_advice[0].islower()


@pytest.mark.parametrize("declared", CHOICES, ids=lambda declared: declared.long)
def test_choices(declared: Option) -> None:
    words = declared.parse.values  # type: ignore[attr-defined]
    in_capitals = declared.parse.in_capitals  # type: ignore[attr-defined]
    for word in words:
        assert declared.read(word.upper()) == declared.read(word) == word
        if word not in in_capitals:
            assert declared.read(word.lower()) == word
    for value in ("", "no such word", f"{words[0]} ", 1):
        with pytest.raises(OptionError) as caught:
            declared.read(value)
        advice = f"; did you mean {words[0]}?" if value == f"{words[0]} " else ""
        assert str(caught.value) == (
            f"{declared.spelling}: found {value!r}, expected one of {', '.join(words)}{advice}"
        )


@pytest.mark.parametrize("declared", SWITCHES, ids=lambda declared: declared.long)
def test_switches(declared: Option) -> None:
    assert (declared.read(True), declared.read(False)) == (True, False)
    for value in ("1", 1, "", 0.0):
        with pytest.raises(OptionError) as caught:
            declared.read(value)
        assert str(caught.value) == f"{declared.spelling}: found {value!r}, expected True or False"


@pytest.mark.parametrize(
    ("given", "value", "raw"),
    [(given, *line.split(" <- ")) for given, expected in GOOD for line in expected],
)
def test_good_values(given: str, value: str, raw: str) -> None:
    names: dict[str, Any] = {}
    for statement in [statement for statement, expected in GOOD if not expected]:
        exec(statement, names)
    name, _, others = given.partition(", ")
    for typed in eval(f"[{raw}]", names):
        options = Options.of({"max_ngram": 1, **eval(f"dict({others})"), name: typed})
        assert options.values()[name] == eval(value, names)


@pytest.mark.parametrize(("given", "expected"), BAD)
def test_bad_values(given: str, expected: list[str]) -> None:
    names, _, values = given.partition(": ")
    for name, value in product(names.split(), eval(f"[{values}]")):
        with pytest.raises(OptionError) as caught:
            Options.of({name: value})
        # A message about several values shows the wrong one, here the last.
        is_one_of_several = isinstance(value, list | tuple) and expected[0].startswith("a ")
        refused = value[-1] if is_one_of_several else value
        message = f"{OPTIONS[name].spelling}: found {refused!r}, expected {expected[0]}"
        assert str(caught.value) == message


def test_values_are_read_again_as_they_are() -> None:
    class Metric:
        name, signature, measures, score = "mine", "v1", ("S",), None

    given = {"weight": "1.20", "report": "json=x", "require": "ROUGE-L:F>0"}
    metric = Metric()
    options = Options.of({**given, "also": metric})
    again = Options.of(options.values())
    assert again.values() == options.values()
    assert again.metrics.also[0].given is metric


def test_letters_and_long_names() -> None:
    letters = [declared.letter for declared in OPTIONS.values() if declared.letter]
    assert len(set(letters)) == len(letters)
    with_names = [declared.long for declared in OPTIONS.values() if declared.kind is None]
    assert len(set(with_names)) == len(with_names)
    of_original = {one.letter for one in OPTIONS.values() if one.is_original}
    assert of_original <= {f"-{letter}" for letter in LETTERS_OF_THE_ORIGINAL}
    assert not NEW_LETTERS & {f"-{letter}" for letter in LETTERS_OF_THE_ORIGINAL}


def test_keywords_are_as_declared() -> None:
    assert make_keywords.TARGET.read_text("utf-8") == make_keywords.keywords(), "run make generated"


def test_a_type_checker_finds_misspelt_options(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import rouge_cli\n"
        'rouge_cli.evaluate(["a"], ["a"], max_ngram=2, formula="B", per_eval=True, letters=True)\n'
        'rouge_cli.score("a", "a", max_ngrams=2)\n'
        'rouge_cli.evaluate(["a"], ["a"], formula="C")\n'
        'rouge_cli.evaluate_files("c.xml", list_format="SPL", stem=1.5)\n'
    )
    pytest.importorskip("mypy")
    mypy = ("-m", "mypy", "--follow-imports=silent", "--no-error-summary", program)
    finished = python(*mypy, cwd=ROOT, text=True)
    lines = [line.split(":")[1] for line in finished.stdout.splitlines() if ": error: " in line]
    assert lines == ["3", "4", "5"]
