"""Write rouge_cli/options/keywords.py: the types of the options as keywords of Python functions.

Type checkers run no code, so the types have to be written out in full.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import fill
from typing import get_type_hints

from rouge_cli.inputs.layout import TextLists
from rouge_cli.inputs.records import Frames
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import also_metrics, protocol_choice
from rouge_cli.options.options import GROUPS
from rouge_cli.options.readers import Choice, path, paths
from rouge_cli.options.reports import ReportOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.studies import ExplanationOptions
from rouge_cli.studies.study import STUDIES

LONGEST_LINE = 100
TARGET = Path(__file__).parents[1] / "rouge_cli" / "options" / "keywords.py"

HEAD = '''"""The options as keywords of the Python functions, for type checkers.

Written by tools/make_keywords.py from the declarations; a test holds the two together.
"""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Literal, TypedDict

Path = str | PathLike[str]


class ListKeywords(TypedDict, total=False):
    """Options of runs on texts that come as lists; None leaves the default."""

'''
FRAMES = '''

class FrameKeywords(ListKeywords, total=False):
    """Options of runs on lists or a data frame."""

'''
FILES = '''

class FileKeywords(FrameKeywords, total=False):
    """Options of runs on files."""

'''


EXPLANATIONS = '''

class ExplanationKeywords(FrameKeywords, total=False):
    """Options of `rouge_cli.explain`."""

'''


CLASSES = {
    "compare": "ComparisonKeywords",
    "correlate": "CorrelationKeywords",
    "plan": "PlanKeywords",
    "identify": "IdentificationKeywords",
    "context": "ContextKeywords",
}
"""Study to the class of its keywords, for those whose functions stand in `rouge_cli` itself."""

OF_PARAMETERS = {"references"}
"""Options that are parameters of `rouge_cli.evaluate`."""

ARGUMENTS = {"judgements", "published", "sources"}
"""Options that Python takes as arguments by position."""

ALSO_OF_SCORES = {"measures"}
"""Options that reports of scores have, too."""

OF_TEXTS = {"context"}
"""Studies whose functions take texts, and all options that say how these are scored."""


def keywords() -> str:
    """Return the module."""
    added = ["    add: object | None\n"]
    groups = [group for group in GROUPS.values() if group is not InputOptions]
    for_lists = [line for group in groups for line in _lines(group, _python_names(group))]
    for_lists += _lines(InputOptions, sorted(TextLists.options))
    of_frames = sorted(Frames.options - TextLists.options - OF_PARAMETERS)
    known = {*TextLists.options, *of_frames}
    of_files = [name for name in _python_names(InputOptions) if name not in known]
    studies = [line for name in STUDIES if name in CLASSES for line in _study(name)]
    for_frames, for_files = (_lines(InputOptions, names) for names in (of_frames, of_files))
    # Options that reports share are among the options of lists.
    listed = _python_names(ReportOptions)
    names = [name for name in _python_names(ExplanationOptions) if name not in listed]
    explained = [EXPLANATIONS, *_lines(ExplanationOptions, names)]
    return "".join(
        [HEAD, *added, *for_lists, FRAMES, *for_frames, FILES, *for_files, *explained, *studies]
    )


def _python_names(group: type[OptionGroup]) -> list[str]:
    """Return the options of a group that are keywords of Python functions."""
    options = group.options().items()
    return [name for name, x in options if x.python_advice is None and x.kind is None]


def _study(name: str) -> Iterator[str]:
    """Yield a class with the options of a study."""
    study = STUDIES[name].load()
    names = [option for option in _python_names(study.options) if option not in ARGUMENTS]
    base = "ListKeywords" if name in OF_TEXTS else "TypedDict"
    yield f"\n\nclass {CLASSES[name]}({base}, total=False):\n"
    yield f'    """Options of `rouge_cli.{name}`; None leaves the default."""\n\n'
    if name in OF_TEXTS:
        yield from _lines(study.options, [one for one in names if one not in ALSO_OF_SCORES])
        return
    yield from _lines(study.options, names)
    yield from _lines(ScoreOptions, study.python_options)


def _lines(group: type[OptionGroup], names: Iterable[str]) -> list[str]:
    """Return a line for each option; lines that are too long are broken."""
    hints = get_type_hints(group)
    lines = [f"    {name}: {_type(group.options()[name], hints[name])} | None\n" for name in names]
    return [line if len(line) <= LONGEST_LINE + 1 else _broken(line) for line in lines]


def _broken(line: str) -> str:
    """Break a line with a long choice of words."""
    name, _, choice = line.strip().partition(": ")
    inner = fill(choice, LONGEST_LINE, initial_indent=" " * 8, subsequent_indent=" " * 12)
    return f"    {name}: (\n{inner}\n    )  # fmt: skip\n"


TYPES = {also_metrics: "object", path: "Path", protocol_choice: "str | Path"}
"""Reader to the type of its values."""


def _type(option: Option, hint: object) -> str:
    """Return the type of the values that an option takes."""
    if isinstance(option.parse, Choice):
        return f"Literal[{', '.join(repr(value) for value in option.parse.values)}]".replace(
            "'", '"'
        )
    if option.parse in TYPES:
        return TYPES[option.parse]
    if option.is_many or option.n_values > 1:
        item = "int" if "int, ..." in str(hint) else "Path" if option.parse is paths else "str"
        return f"{item} | Sequence[{item}]"
    if "Callable" in str(hint):
        return "str | Callable[[str], Iterable[str]]"
    if "Number" in str(hint):
        return "float | str"
    return next(kind for kind in ("bool", "int", "str") if kind in str(hint))


if __name__ == "__main__":
    TARGET.write_text(keywords(), "utf-8")
    sys.stdout.write(f"Written: {TARGET}\n")
