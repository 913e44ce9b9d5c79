"""Write rouge_cli/options/keywords.py: the types of the options as keywords of Python functions.

Type checkers read types and run nothing, so what the declarations say has to stand there in full.
"""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import get_type_hints

from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.reports import ReportOptions, RunOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.texts import TextOptions
from rouge_cli.options.values import Choice, path, paths

TARGET = Path(__file__).parents[1] / "rouge_cli" / "options" / "keywords.py"
DISPLAY = ("per_eval", "measures", "sort", "percent", "intervals", "caption", "label")

HEAD = '''"""The options as keywords of the Python functions, for type checkers.

Written by tools/make_keywords.py from the declarations; a test holds the two together.
"""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Literal, TypedDict

__all__ = ["FileKeywords", "ListKeywords"]

Path = str | PathLike[str]


class ListKeywords(TypedDict, total=False):
    """Options of runs on texts that come as lists; None leaves the default."""

'''
BETWEEN = '''

class FileKeywords(ListKeywords, total=False):
    """Options of runs on files."""

'''


def keywords() -> str:
    """Return the module."""
    groups = (PresetOptions, MetricOptions, TextOptions, ScoreOptions, RunOptions)
    for_lists = [line for group in groups for line in _lines(group, group.options())]
    for_lists += [*_lines(ReportOptions, DISPLAY), *_lines(InputOptions, ["sentences"])]
    of_files = [name for name in InputOptions.options() if name != "sentences"]
    return "".join([HEAD, *for_lists, BETWEEN, *_lines(InputOptions, of_files)])


def _lines(group: type[OptionGroup], names: Iterable[str]) -> list[str]:
    """Return a line for each of some options of a group."""
    hints = get_type_hints(group)
    return [f"    {name}: {_type(group.options()[name], hints[name])} | None\n" for name in names]


def _type(option: Option, hint: object) -> str:
    """Return the type of the values that an option takes."""
    if isinstance(option.parse, Choice):
        return f"Literal[{', '.join(repr(value) for value in option.parse.values)}]".replace(
            "'", '"'
        )
    if option.parse is path:
        return "Path"
    if option.is_many or option.n_values > 1:
        return "Path | Sequence[Path]" if option.parse is paths else "str | Sequence[str]"
    if "Callable" in str(hint):
        return "str | Callable[[str], Iterable[str]]"
    if "Number" in str(hint):
        return "float | str"
    return next(kind for kind in ("bool", "int", "str") if kind in str(hint))


if __name__ == "__main__":
    TARGET.write_text(keywords(), "utf-8")
    sys.stdout.write(f"Written: {TARGET}\n")
