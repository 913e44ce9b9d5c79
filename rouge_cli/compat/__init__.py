"""The interface of Google's ``rouge_score``, with the numbers of ROUGE-1.5.5.

A program changes only ``from rouge_score import rouge_scorer, scoring`` into ``from
rouge_cli.compat import rouge_scorer, scoring``. With ``like="google"`` the numbers are those of
that package, to the last bit, which shows what the change does. Programs that cannot be changed
get either by `install`.
"""

import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType, TracebackType

__all__ = ["Installation", "install", "uninstall"]

PACKAGE = "rouge_score"
PACKAGES = (PACKAGE, f"azure.ai.evaluation._vendor.{PACKAGE}")
"""The package, and the copy of it that Azure's evaluators import."""

PARTS = ("rouge_scorer", "scoring", "tokenize", "tokenizers")
VERSION = "0.1.2"
"""The version of the package whose numbers and interface these are."""


class Installation:
    """What `install` returns: at the end of a ``with`` block the installation ends too."""

    __slots__ = ()

    def __enter__(self) -> "Installation":
        """Return the installation, which stands already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the installation; one around it stays."""
        _undo_last()


_replaced: list[dict[str, ModuleType]] = []
"""For each installation, the modules that had the names of the package before it."""


def install(like: str = "google") -> Installation:
    """Make ``import rouge_score`` mean this package, in this process from here on.

    So does the import of the copy in azure-ai-evaluation.

    Parameters
    ----------
    like : {"google", "1.5.5"}
        Whose numbers: those of ``rouge_score``, equal to the last bit and computed faster, or those
        of ROUGE-1.5.5.

    Returns
    -------
    Installation
        Where used in a ``with`` statement, it is undone behind the block.

    Raises
    ------
    ValueError
        If `like` has no such value.

    Warns
    -----
    UserWarning
        If ``rouge_score`` has been imported: code that holds its names already keeps them.

    Examples
    --------
    >>> from rouge_cli import compat
    >>> with compat.install():
    ...     from rouge_score import rouge_scorer
    >>> scorer = rouge_scorer.RougeScorer(["rouge1"], use_stemmer=True)
    >>> scorer.score("the children were singing", "a child sings")["rouge1"].fmeasure
    0.28571428571428575
    """
    modules = {name: made for package in PACKAGES for name, made in _modules(like, package).items()}
    before = {name: sys.modules.pop(name) for name in list(sys.modules) if _is_replaced(name)}
    if before and not _replaced:
        warnings.warn(
            f"{next(iter(before))} was imported before: code that holds its names keeps them; "
            "install first",
            stacklevel=2,
        )
    _replaced.append(before)
    sys.modules.update(modules)
    return Installation()


def uninstall() -> None:
    """Undo `install`, however often: ``import rouge_score`` means that package again."""
    while _replaced:
        _undo_last()


def _undo_last() -> None:
    """Undo the last installation, if there is one."""
    if not _replaced:
        return
    for name in filter(_is_replaced, list(sys.modules)):
        del sys.modules[name]
    sys.modules.update(_replaced.pop())


def _is_replaced(module: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in PACKAGES)


def _modules(like: str, name: str) -> dict[str, ModuleType]:
    """Return the package, under some name, and its modules by theirs."""
    from rouge_cli.compat import google, rouge_scorer, scoring, tokenizers

    scoring.check_like(like, scoring.GOOGLE, scoring.ORIGINAL)
    is_google = like == scoring.GOOGLE
    # A package without a place has no other modules, so that the real ones are not mixed in.
    package = ModuleType(name, __doc__)
    package.__path__ = []
    package.__spec__ = ModuleSpec(name, None, is_package=True)
    package.__dict__["__version__"] = VERSION
    contents: dict[str, dict[str, object]] = {
        "rouge_scorer": {"RougeScorer": (google if is_google else rouge_scorer).RougeScorer},
        "scoring": {
            "Score": scoring.Score,
            "AggregateScore": scoring.AggregateScore,
            "BaseScorer": scoring.BaseScorer,
            "BootstrapAggregator": (google if is_google else scoring).BootstrapAggregator,
        },
        "tokenize": {"tokenize": google.tokenize},
        "tokenizers": {
            "Tokenizer": tokenizers.Tokenizer,
            "DefaultTokenizer": tokenizers.DefaultTokenizer,
        },
    }
    modules = {name: package}
    for part in PARTS:
        full_name = f"{name}.{part}"
        module = modules[full_name] = ModuleType(full_name)
        module.__spec__ = ModuleSpec(full_name, None)
        module.__dict__.update(contents[part])
        package.__dict__[part] = module
    return modules
