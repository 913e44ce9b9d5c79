"""ROUGE-1.5.5, exact to the byte, as a command and a package.

The Python interface: `evaluate` for lists of texts, `score` for one text, `evaluate_config` for
files. Options have the long names of the command line; see `rouge_cli.options.Options`.
"""

from collections.abc import Sequence
from os import PathLike, environ, fspath
from typing import TYPE_CHECKING, Any

from rouge_cli.errors import InputError, OptionError, RougeError

if TYPE_CHECKING:
    from rouge_cli.scoring.lists import Text
    from rouge_cli.scoring.results import Results

__version__ = "0.1.0"

__all__ = [
    "InputError",
    "OptionError",
    "RougeError",
    "__version__",
    "evaluate",
    "evaluate_config",
    "score",
]


def evaluate(
    predictions: "Sequence[Text]", references: "Sequence[Sequence[Text]]", **options: Any
) -> "Results":
    """Score predictions against their references.

    Parameters
    ----------
    predictions : sequence of texts
        A text is a string with a newline between sentences, or a list of sentences.
    references : sequence of sequences of texts
        One or more references for each prediction; a lone string is one reference.
    **options
        Options by their long names: ``max_ngram=2, stem=True, resamples=1000, ...``; ROUGE-L is
        on unless ``lcs=False``, ``resamples=0`` leaves the bootstrap out.

    Returns
    -------
    Results
        ``results["ROUGE-2"].recall``, ``.precision`` and ``.f_measure`` each have ``.mean``,
        ``.bootstrap_mean``, ``.interval`` and ``.per_eval``.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    from rouge_cli.options import Options
    from rouge_cli.scoring.lists import score_lists

    return score_lists(predictions, references, Options.of(options))


def score(prediction: "Text", references: "Sequence[Text]", **options: Any) -> "Results":
    """Score one prediction against its references; see `evaluate`."""
    return evaluate([prediction], [references], **options)


def evaluate_config(
    path: str | PathLike[str], system_id: str | None = None, **options: Any
) -> "Results":
    """Score what an XML configuration or, with ``list_format``, a file list names.

    Parameters
    ----------
    path : str or path
        Paths in it are relative to the working directory.
    system_id : str, optional
        The system to score; not needed with ``all=True`` or ``list_format``.
    **options
        Options by their long names, see `evaluate`.

    Raises
    ------
    OptionError, InputError
        Before anything is scored.
    """
    from rouge_cli.options import Options
    from rouge_cli.scoring.context import RunContext
    from rouge_cli.scoring.pipeline import score_config

    context = RunContext(environment=environ)
    return score_config(fspath(path), system_id, Options.of(options), context)
