"""The protocols of rouge-score, of packages made from it, and of torchmetrics, which is alike."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rouge_cli.errors import OptionError
from rouge_cli.protocols.counting import CountChoices
from rouge_cli.protocols.protocol import Protocol, without_options
from rouge_cli.protocols.scoring import MeanChoices, ScoreChoices
from rouge_cli.protocols.texts import TextChoices
from rouge_cli.text.xlsum import check_language

GOOGLE_METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_GOOGLE_METRIC = re.compile("rouge([1-9]|L|Lsum)")


def google_metrics(keys: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return what names of rouge-score mean; raises OptionError."""
    listed = (keys,) if isinstance(keys, str) else tuple(keys)
    for key in listed:
        if not _GOOGLE_METRIC.fullmatch(key):
            raise OptionError(f"found {key!r}, expected rouge1 to rouge9, rougeL or rougeLsum")
    lcs = {"rougeL": "ROUGE-L-text", "rougeLsum": "ROUGE-L"}
    return tuple((key, lcs.get(key) or f"ROUGE-{key.removeprefix('rouge')}") for key in listed)


def stems(use_stemmer: bool) -> dict[str, str]:
    """Return the choice of stems."""
    return {"stems": "porter" if use_stemmer else "none"}


def _rouge_score(
    protocol: Protocol,
    *,
    rouge_types: Sequence[str] = GOOGLE_METRICS,
    use_stemmer: bool = False,
    seed: int | None = 0,
) -> Protocol:
    """Choose for Google's package; its draws are those after ``numpy.random.seed(seed)``."""
    return protocol.changed(
        text=stems(use_stemmer),
        counts={"metrics": google_metrics(rouge_types)},
        means={"seed": seed},
    )


def _evaluate(
    protocol: Protocol,
    *,
    rouge_types: Sequence[str] = GOOGLE_METRICS,
    use_stemmer: bool = False,
    use_aggregator: bool = True,
    seed: int | None = 0,
) -> Protocol:
    return _rouge_score(
        protocol, rouge_types=rouge_types, use_stemmer=use_stemmer, seed=seed
    ).changed(means={"mean": "median-of-resamples" if use_aggregator else "none"})


def _seeded(protocol: Protocol, *, seed: int | None = 0) -> Protocol:
    return protocol.changed(means={"seed": seed})


_CODE = re.compile("[A-Za-z]{0,2}([-_].*)?")
_VARIETY = re.compile("(chinese|japanese|thai|burmese)[^a-z].*", re.IGNORECASE)


def _xlsum(
    protocol: Protocol,
    *,
    lang: str | None = None,
    rouge_types: Sequence[str] = GOOGLE_METRICS,
    seed: int | None = 0,
) -> Protocol:
    """Choose for XL-Sum's fork; languages have English names, unknown ones are read by one rule."""
    if lang is not None and (_CODE.fullmatch(lang) or _VARIETY.fullmatch(lang)):
        raise OptionError(
            f"xlsum: lang: found {lang!r}, expected a language by its English name, such as "
            "'german' or 'chinese'"
        )
    check_language(lang)
    return protocol.changed(
        text={"language": lang},
        counts={"metrics": google_metrics(rouge_types)},
        means={"seed": seed},
    )


MEDIAN = "the average is the median of 1000 resampled means, and differs from run to run"

ROUGE_SCORE = Protocol(
    name="rouge-score",
    version="0.1.2",
    stands_for="Google's rouge_score, and its BootstrapAggregator",
    defects=(MEDIAN, "rougeL is the LCS of whole texts; rougeLsum needs a newline after sentences"),
    text=TextChoices(sentences="newline", case="lower", words="ascii"),
    counts=CountChoices(metrics=google_metrics(GOOGLE_METRICS)),
    scores=ScoreChoices(references="best-f"),
    means=MeanChoices(mean="median-of-resamples"),
    options=_rouge_score,
    tried=(("use_stemmer", (False, True)),),
    on_request="ROUGE-[1-9]",
)

DATASETS = replace(
    ROUGE_SCORE,
    name="datasets",
    version="",
    stands_for="Hugging Face's datasets.load_metric('rouge')",
)

EVALUATE = replace(
    ROUGE_SCORE,
    name="evaluate",
    version="",
    stands_for="Hugging Face's evaluate.load('rouge')",
    defects=(MEDIAN, "texts are not split: without newlines rougeLsum is rougeL"),
    scores=ScoreChoices(references="best-f", only_f=True),
    means=MeanChoices(mean="median-of-resamples", only_middle=True),
    options=_evaluate,
)

T5 = replace(
    ROUGE_SCORE,
    name="t5",
    version="",
    stands_for="the metric of T5, mT5 and Flan",
    defects=(MEDIAN, "a sentence ends at a period between blanks, and nowhere else"),
    text=TextChoices(
        replacements=((" . ", " .\n"),), sentences="newline", case="lower", words="ascii"
    ),
    counts=CountChoices(metrics=google_metrics(("rouge1", "rouge2", "rougeLsum"))),
    scores=ScoreChoices(only_f=True, scale=100.0),
    means=MeanChoices(mean="median-of-resamples", only_middle=True, scale=100.0),
    options=_seeded,
    tried=(),
    on_request="",
)

LM_EVAL = replace(
    T5,
    name="lm-eval-truthfulqa",
    stands_for="the _max scores of lm-eval's TruthfulQA, with the references as they are",
    defects=("a sentence ends at a period between blanks, and nowhere else",),
    text=replace(T5.text, replacements=((" . ", ".\n"),)),
    scores=ScoreChoices(references="best-f", only_f=True, scale=100.0),
    means=MeanChoices(scale=100.0),
    options=without_options,
)

XLSUM = replace(
    ROUGE_SCORE,
    name="xlsum",
    version="",
    stands_for="XL-Sum's multilingual fork of rouge_score, without stems; lang is such as german",
    defects=(
        MEDIAN,
        "rougeLsum takes no notice of the language: a clause in Chinese, Japanese or Thai is one "
        "word",
    ),
    text=TextChoices(
        sentences="newline", case="lower", words="xlsum", sentence_words="unpunctuated"
    ),
    options=_xlsum,
    tried=(),
    tried_language="lang",
)

SCROLLS = Protocol(
    name="scrolls",
    version="",
    stands_for="SCROLLS, ZeroSCROLLS and L-Eval, as L-Eval's copy has it",
    defects=("the geometric mean is that of the means, not of the texts",),
    text=TextChoices(sentences="punkt", case="lower", words="ascii"),
    counts=CountChoices(metrics=google_metrics(("rouge1", "rouge2", "rougeL"))),
    scores=ScoreChoices(references="best-f", only_f=True, scale=100.0),
    means=MeanChoices(scale=100.0, decimals=4, geometric_mean=("rouge1", "rouge2", "rougeL")),
)


def _torchmetrics(
    protocol: Protocol,
    *,
    accumulate: Literal["best", "avg"] = "best",
    use_stemmer: bool = False,
    rouge_keys: str | Sequence[str] = GOOGLE_METRICS,
) -> Protocol:
    return protocol.changed(
        text=stems(use_stemmer),
        counts={"metrics": google_metrics(rouge_keys)},
        scores={"references": "best-f" if accumulate == "best" else "mean"},
    )


TORCHMETRICS = Protocol(
    name="torchmetrics",
    version="1.9.0",
    stands_for="torchmetrics' rouge_score and ROUGEScore",
    defects=(
        "sentences of rougeLsum are found by Punkt, which takes no heed of newlines",
        "<n> is a word n, though the package means to remove it",
        "means in single precision: the seventh digit depends on the order of additions",
    ),
    text=TextChoices(sentences="punkt", case="lower", words="ascii"),
    counts=ROUGE_SCORE.counts,
    scores=ScoreChoices(references="best-f", rounding="float32"),
    means=MeanChoices(sums="float32"),
    options=_torchmetrics,
    tried=ROUGE_SCORE.tried,
    tried_with_several=(("accumulate", "avg"),),
    on_request=ROUGE_SCORE.on_request,
)
