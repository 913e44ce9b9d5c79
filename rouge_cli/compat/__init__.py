"""The interface of Google's ``rouge_score``, with its numbers or those of ROUGE-1.5.5.

A program changes only ``from rouge_score import rouge_scorer, scoring`` into ``from
rouge_cli.compat import rouge_scorer, scoring``, and prints the same numbers, to the last bit. With
``like="1.5.5"`` they are those of ROUGE-1.5.5. Programs that cannot be changed get either by
`install`.
"""

import sys
import warnings
from contextlib import AbstractContextManager
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

__all__ = ["COPY_OF_AZURE", "Installation", "install", "uninstall"]

PACKAGE = "rouge_score"
COPY_OF_AZURE = "azure.ai.evaluation._vendor.rouge_score"
"""The copy of ``rouge_score`` inside azure-ai-evaluation."""

PARTS = ("rouge_scorer", "scoring", "tokenize", "tokenizers")
VERSION = "0.1.2"
"""The version of ``rouge_score`` whose interface and numbers are reproduced."""


class Installation(AbstractContextManager["Installation"]):
    """An installation made by `install`; used in a ``with`` block, it ends with the block."""

    __slots__ = ()

    def __exit__(self, *_: object) -> None:
        """End the installation; an outer one stays in effect."""
        _undo_last()


_replaced: list[tuple[str, dict[str, ModuleType]]] = []
"""For each installation, its package and the modules that it replaced in ``sys.modules``."""


def install(like: str = "google", package: str = PACKAGE) -> Installation:
    """Make ``import rouge_score`` import this package, from now on in this process.

    The numbers are those of ``rouge_score``, equal to the last bit but computed faster, or those of
    ROUGE-1.5.5 with ``like="1.5.5"``; for another value there is a ValueError. `package` is the
    name to import, which differs for a copy of ``rouge_score`` within another package, such as
    `COPY_OF_AZURE`. In a ``with`` statement, the installation is undone at the end of the block. A
    UserWarning says that the package was imported before, because code that holds its names keeps
    them.

    Examples
    --------
    >>> from rouge_cli import compat
    >>> with compat.install():
    ...     from rouge_score import rouge_scorer
    >>> scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    >>> scorer.score("the children were singing", "a child sings")["rouge1"].fmeasure
    0.28571428571428575
    """
    modules = _modules(like, package)
    names = [package, *(name for name in sys.modules if name.startswith(f"{package}."))]
    before = {name: sys.modules.pop(name) for name in names if name in sys.modules}
    if before and package not in [name for name, _ in _replaced]:
        warnings.warn(
            f"{package} was imported before: code that holds its names keeps them; install first",
            stacklevel=2,
        )
    _replaced.append((package, before))
    sys.modules.update(modules)
    return Installation()


def uninstall() -> None:
    """Undo all calls of `install`, so that ``import rouge_score`` imports that package again."""
    while _replaced:
        _undo_last()


def _undo_last() -> None:
    if not _replaced:
        return
    package, before = _replaced.pop()
    for name in (package, *(f"{package}.{part}" for part in PARTS)):
        sys.modules.pop(name, None)
    sys.modules.update(before)


def _modules(like: str, name: str) -> dict[str, ModuleType]:
    from rouge_cli.compat import google, scoring, tokenizers

    scoring.check_like(like, scoring.GOOGLE, scoring.ORIGINAL)
    classes: Any = google if like == scoring.GOOGLE else google.Original
    # With an empty path, no module of the real package can be imported into this one.
    package = ModuleType(name, __doc__)
    package.__path__ = []
    package.__spec__ = ModuleSpec(name, None, is_package=True)
    package.__dict__["__version__"] = VERSION
    contents: dict[str, tuple[Any, ...]] = {
        "rouge_scorer": (classes.RougeScorer,),
        "scoring": (
            scoring.Score,
            scoring.AggregateScore,
            scoring.BaseScorer,
            classes.BootstrapAggregator,
        ),
        "tokenize": (google.tokenize,),
        "tokenizers": (tokenizers.Tokenizer, tokenizers.DefaultTokenizer),
    }
    modules = {name: package}
    for part, items in contents.items():
        full_name = f"{name}.{part}"
        module = modules[full_name] = ModuleType(full_name)
        module.__spec__ = ModuleSpec(full_name, None)
        module.__dict__.update({item.__name__: item for item in items})
        package.__dict__[part] = module
    return modules
