"""One vocabulary: everything that users read says prediction, reference and text.

The original calls them peer, model and EVAL. So do its options, its configuration and its reports,
which is why some strings must have these words.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import rouge_cli

PACKAGE = Path(rouge_cli.__file__).parent

ORIGINAL = re.compile(r"(?<![\w</-])(?:[Pp]eers?|[Mm]odels?|EVALs?)(?![\w=-])")
"""Its words, but not in the name of an option or an element."""

ALLOWED = {
    "data/help/formats.txt": "a configuration of the original, with folders of these names",
    "inputs/sentences.py": "Punkt has a trained model, of another kind",
    "inputs/xml_config.py": "messages name the elements as they are in the file",
    "options/inputs.py": "language models leave special tokens",
    "studies/identify/identification.py": "Punkt has a trained model, of another kind",
    "text/seen.py": "language models leave special tokens",
    "text/word_vectors.py": "fastText calls its files models",
}
"""Modules whose strings have the words, and why."""


def strings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the strings that people may read: with a blank, or a heading; no docstrings."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in docstrings:
            text = node.value
            if isinstance(text, str) and (" " in text or text == "EVAL"):
                yield node.lineno, text


def test_no_string_has_the_words_of_the_original() -> None:
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for line, text in strings(ast.parse(path.read_text("utf-8"))):
            if ORIGINAL.search(text):
                found.setdefault(name, []).append(f"{line}: {text[:80]}")
    for path in sorted((PACKAGE / "data" / "help").iterdir()):
        if matches := ORIGINAL.findall(path.read_text("utf-8")):
            found[path.relative_to(PACKAGE).as_posix()] = matches
    assert {name: lines for name, lines in found.items() if name not in ALLOWED} == {}
    # A reason that holds for nothing any more goes.
    assert found.keys() == ALLOWED.keys()


def test_pages_have_other_words() -> None:
    # Variables may be called peer or model: look for the words in sentences.
    words = re.compile(
        r"\bEVALs?\b|\b(?:the|of|all|another) (?:peer|model)s?\b|\b(?:peer|model) count"
    )
    comments = re.compile(r"^\s*(?:/?\*|//).*$|\{#.*?#\}", re.MULTILINE)
    found = {
        (path.name, match[0])
        for path in (PACKAGE / "reports" / "templates").iterdir()
        for match in words.finditer(comments.sub("", path.read_text("utf-8")))
    }
    assert found == set()


def test_the_manual_page_has_other_words() -> None:
    # It has the docstrings of commands, which are their helps.
    page = (PACKAGE.parent / "docs" / "rouge-cli.1").read_text("utf-8").replace("\\-", "-")
    named = re.sub(r"--peers|--models|special-tokens of models|<[^>]*>", "", page)
    folders = re.compile(r"\b(?:peers|models)/|>(?:peers|models)<|--duc peers models|peers models$")
    found = [
        line
        for line in named.splitlines()
        if ORIGINAL.search(line) and not folders.search(line) and "ROUGE-EVAL" not in line
    ]
    assert found == []
