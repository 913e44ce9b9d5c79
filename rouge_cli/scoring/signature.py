"""What moves a score, in one line; and the command line of the original that does the same.

How the texts are written (layout, format, encoding, what stands between sentences) is no part of
it: the same texts score the same in each.
Source: interface of the program; specification, section 1.
"""

import shlex
from collections.abc import Iterator

from rouge_cli.option_kinds import Number
from rouge_cli.options import BEST_F, MEAN_OVER_EVALS, OPTIONS, POOLED_COUNTS, RAW_COUNTS, Options
from rouge_cli.scoring.readings import STEMMED_BY_STEM_MODELS
from rouge_cli.scoring.word_list_names import exceptions_name, stopwords_name
from rouge_cli.version import __version__

__all__ = ["original_command", "signature"]

PROGRAM = "ROUGE-1.5.5.pl"
CONFIG = "config.xml"
DEFAULTS = Options()
SCORING_GROUPS = ("Metrics", "Text", "Scores")
NOT_OF_THE_ORIGINAL = ("lcs_unit", "pairwise_lcs", "jackknife", "empty")
COUNTING_NAMES = {MEAN_OVER_EVALS: "eval", POOLED_COUNTS: "pooled", RAW_COUNTS: "raw"}


def signature(options: Options) -> str:
    """Return the signature: two scores with the same one are comparable.

    Parameters
    ----------
    options : Options
        A data directory is read, if the run has a use for its lists.

    Returns
    -------
    str
        For example ``rouge-cli:0.1.0|like:1.5.5|n:2|L|stem:no|stop:no|limit:no|formula:A|...``.

    Raises
    ------
    InputError
        If a word list of the data directory cannot be read.
    """
    parts = [f"rouge-cli:{__version__}", "like:1.5.5"]
    parts += [*_metrics(options), *_texts(options), *_scores(options)]
    return "|".join(parts)


def original_command(options: Options) -> str | None:
    """Return the command line of ROUGE-1.5.5 that scores the same texts in the same way.

    Options that have their default are left out, and so is ``-r 0``, which it cannot print.

    Parameters
    ----------
    options : Options

    Returns
    -------
    str or None
        Quoted for a shell. The input is called ``config.xml``, or ``files.lst`` with ``-z``. None
        if the original cannot do it.
    """
    if any(getattr(options, name) != getattr(DEFAULTS, name) for name in NOT_OF_THE_ORIGINAL):
        return None
    if options.formula == BEST_F:
        return None
    words = [PROGRAM]
    if options.data_dir is not None:
        words += ["-e", options.data_dir]
    for name, option in OPTIONS.items():
        if option.group in SCORING_GROUPS and option.letter and _is_given(options, name):
            value = getattr(options, name)
            text = value.text if isinstance(value, Number) else str(value)
            words += [option.letter] if option.metavar is None else [option.letter, text]
    words += ["-d"] if options.per_eval else []
    words += ["-z", options.list_format, "files.lst"] if options.list_format else ["-a", CONFIG]
    return shlex.join(words)


def _is_given(options: Options, name: str) -> bool:
    """Say whether an option is other than its default, and the original knows its value."""
    value, default = getattr(options, name), getattr(DEFAULTS, name)
    if isinstance(value, Number) and isinstance(default, Number):
        return value.value != default.value
    return bool(value != default) and (name, value) != ("resamples", 0)


def _metrics(options: Options) -> Iterator[str]:
    """Yield a part for each metric, ROUGE-1 to ROUGE-N together."""
    if options.max_ngram is not None:
        yield f"n:{options.max_ngram}"
    if options.with_lcs:
        yield "L:text" if options.lcs_unit == "text" else "L"
    if options.pairwise_lcs:
        yield "LCS-pairwise"
    if options.weight is not None:
        yield f"w:{_weight(options.weight)}"
    if options.max_gap is not None:
        gap = int(options.max_gap.value)
        for with_unigrams in options.skip_variants:
            yield f"s{'u' * with_unigrams}:{'*' if gap < 0 else gap}"
    if options.basic_elements is not None:
        yield f"be:{options.basic_elements}"


def _weight(weight: Number) -> str:
    """Write a weight; 2 and 2.0 differ, as whole weights are counted in whole numbers."""
    return str(int(weight.text)) if weight.text.isdecimal() else repr(weight.value)


def _texts(options: Options) -> Iterator[str]:
    """Yield what is done to the texts before anything is counted."""
    if options.sentences is not None:
        yield f"sentences:{options.sentences}"
    stems = f"porter155+{exceptions_name(options)}" if _has_stems(options) else "no"
    yield f"stem:{stems if options.stem else 'no'}"
    if not options.stem and stems != "no":
        yield f"stem-models:{stems}"
    yield f"stop:{stopwords_name(options) if options.remove_stopwords else 'no'}"
    if options.empty == "skip":
        yield "empty:skip"
    if options.words:
        yield f"limit:{options.words}w"
    else:
        yield f"limit:{options.bytes}b" if options.bytes else "limit:no"


def _has_stems(options: Options) -> bool:
    """Say whether anything is stemmed; ``-M`` does nothing for some families."""
    stems_models = not STEMMED_BY_STEM_MODELS.isdisjoint(options.metric_families)
    return options.stem or (options.stem_models and stems_models)


def _scores(options: Options) -> Iterator[str]:
    """Yield how counts become scores."""
    yield f"formula:{options.formula}"
    if options.jackknife:
        yield "jackknife"
    yield f"alpha:{_plain(options.alpha)}"
    yield f"count:{COUNTING_NAMES[options.counting]}"
    if options.resamples == 0 or options.counting == RAW_COUNTS:
        yield "resamples:0"
        return
    yield f"resamples:{options.resamples}"
    yield f"confidence:{_plain(options.confidence)}"


def _plain(number: Number) -> str:
    """Write a number by its value, so that 0.5 and 0.50 are the same; whole ones without .0."""
    # Minus zero plus zero is zero.
    return repr(number.value + 0.0).removesuffix(".0")
