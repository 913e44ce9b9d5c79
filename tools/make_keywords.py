"""Write rouge_cli/options/keywords.py: the types of the options as keywords of Python functions.

Type checkers read types and run nothing, so what the declarations say has to stand there in full.
"""

import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import get_type_hints

from rouge_cli.options.also import also_metrics
from rouge_cli.options.beside import BesideOptions
from rouge_cli.options.declaration import Option, OptionGroup
from rouge_cli.options.inputs import InputOptions
from rouge_cli.options.metrics import MetricOptions
from rouge_cli.options.presets import PresetOptions
from rouge_cli.options.reports import ReportOptions, RunOptions
from rouge_cli.options.scores import ScoreOptions
from rouge_cli.options.studies import ComparisonOptions, CorrelationOptions
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

__all__ = ["ComparisonKeywords", "CorrelationKeywords", "FileKeywords", "ListKeywords"]

Path = str | PathLike[str]


class ListKeywords(TypedDict, total=False):
    """Options of runs on texts that come as lists; None leaves the default."""

'''
BETWEEN = '''

class FileKeywords(ListKeywords, total=False):
    """Options of runs on files."""

'''


FUNCTIONS = {"ComparisonKeywords": "compare", "CorrelationKeywords": "correlate"}
STUDIES = {
    "ComparisonKeywords": (ComparisonOptions, ("report", "output"), ("confidence", "bootstrap")),
    "CorrelationKeywords": (
        CorrelationOptions,
        ("judgements", "paper_table", "conditions", "model_sets", "report", "output"),
        ("confidence", "resamples"),
    ),
}
"""Class to its options, to those that are for the command line, and to those of scores."""


def keywords() -> str:
    """Return the module."""
    groups = (PresetOptions, MetricOptions, TextOptions, ScoreOptions, BesideOptions, RunOptions)
    for_lists = [line for group in groups for line in _lines(group, group.options())]
    for_lists += [*_lines(ReportOptions, DISPLAY), *_lines(InputOptions, ["sentences"])]
    of_files = [name for name in InputOptions.options() if name != "sentences"]
    studies = [line for name, parts in STUDIES.items() for line in _study(name, *parts)]
    return "".join([HEAD, *for_lists, BETWEEN, *_lines(InputOptions, of_files), *studies])


def _study(
    name: str, group: type[OptionGroup], without: Collection[str], of_scores: Iterable[str]
) -> Iterator[str]:
    """Yield a class with the options of a study."""
    yield f"\n\nclass {name}(TypedDict, total=False):\n"
    yield f'    """Options of `rouge_cli.{FUNCTIONS[name]}`; None leaves the default."""\n\n'
    yield from _lines(group, [one for one in group.options() if one not in without])
    yield from _lines(ScoreOptions, of_scores)


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
    if option.parse in {also_metrics, path}:
        return "object" if option.parse is also_metrics else "Path"
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
