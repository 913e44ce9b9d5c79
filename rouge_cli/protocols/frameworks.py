"""The protocols of frameworks: what they make of `rouge-score`, `rouge` and `rouge-chinese`.

And those of js-rouge, in all its versions.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rouge_cli.errors import OptionError
from rouge_cli.protocols.counting import CountChoices
from rouge_cli.protocols.packages import LONGBENCH, ROUGE, ROUGE_CHINESE
from rouge_cli.protocols.protocol import Protocol, without_options
from rouge_cli.protocols.rouge_score import ROUGE_SCORE, google_metrics, stems
from rouge_cli.protocols.scoring import MeanChoices, ProtocolError, ScoreChoices
from rouge_cli.protocols.texts import TextChoices

CUT_BY_JIEBA = "English texts are cut by jieba too"

# On rouge-chinese and rouge

_PERCENT = replace(ROUGE_CHINESE.scores, refuses="nothing", only_f=True, scale=100.0)

LLAMA_FACTORY = replace(
    ROUGE_CHINESE,
    name="llama-factory",
    version="0.9.5",
    stands_for="LLaMA-Factory's evaluation of supervised fine-tuning",
    defects=(*ROUGE_CHINESE.defects, CUT_BY_JIEBA),
    text=replace(ROUGE_CHINESE.text, prepare="jieba"),
    scores=replace(_PERCENT, decimals=4),
    means=MeanChoices(of_printed=True, sums="pairwise"),
    options=without_options,
    tried=(),
    on_request="",
)

MS_SWIFT = replace(
    ROUGE,
    name="ms-swift",
    version="4.6.0",
    stands_for="ms-swift's metrics of generated texts",
    defects=(
        *ROUGE.defects[:3],
        CUT_BY_JIEBA,
        "pairs with an empty reference do not count in the mean",
    ),
    text=replace(ROUGE.text, prepare="jieba-stripped"),
    scores=replace(_PERCENT, decimals=6),
    means=MeanChoices(scale=100.0, scales_means=True, decimals=6, drops="empty-references"),
    options=without_options,
    tried=(),
    on_request="",
)

OPENCOMPASS_JIEBA = replace(
    LLAMA_FACTORY,
    name="opencompass-jieba",
    version="0.5.4",
    stands_for="OpenCompass's JiebaRougeEvaluator, of LCSTS among others",
    defects=(
        "both texts are cut off at the first newline, period or comma",
        *ROUGE_CHINESE.defects,
        CUT_BY_JIEBA,
    ),
    text=replace(ROUGE_CHINESE.text, prepare="first-phrase"),
    counts=CountChoices(
        metrics=(("rouge1", "ROUGE-1"), ("rouge2", "ROUGE-2"), ("rougeL", "ROUGE-L-text")),
        ngrams="sets",
    ),
    scores=_PERCENT,
    means=MeanChoices(scale=100.0, scales_means=True),
)


def _longbench(protocol: Protocol, *, language: Literal["en", "zh"] = "en") -> Protocol:
    """Choose for OpenCompass's LongBench."""
    return protocol.changed(text={"prepare": "jieba-again" if language == "zh" else "none"})


def _lveval(protocol: Protocol, *, language: Literal["en", "zh"] = "en") -> Protocol:
    """Choose for OpenCompass's LVEval."""
    return protocol.changed(text={"prepare": f"lveval-{language}"})


OPENCOMPASS_LONGBENCH = replace(
    LONGBENCH,
    name="opencompass-longbench",
    version="0.5.4",
    stands_for="OpenCompass's copy of LongBench's score",
    defects=(
        *LONGBENCH.defects,
        "in Chinese the words of a prediction are cut again for each further reference",
    ),
    scores=replace(LONGBENCH.scores, scale=100.0),
    means=MeanChoices(scale=100.0, scales_means=True),
    options=_longbench,
    tried=(("language", ("en", "zh")),),
)

LVEVAL = replace(
    OPENCOMPASS_LONGBENCH,
    name="lveval",
    stands_for="OpenCompass's LVEval: LongBench's score without marks and frequent words",
    defects=(*LONGBENCH.defects, "only the first reference counts"),
    text=replace(LONGBENCH.text, prepare="lveval-en"),
    scores=replace(OPENCOMPASS_LONGBENCH.scores, references="first"),
    options=_lveval,
)

FITZYRACING_ROUGE = replace(
    ROUGE,
    name="fitzyracing-rouge",
    version="1.0.2",
    stands_for="the fork of rouge that counts no empty words",
    text=replace(ROUGE.text, sentences="filled-period"),
)

# On rouge-score

_GOOGLE_TEXT = ROUGE_SCORE.text
_STEMMED = replace(_GOOGLE_TEXT, stems="porter")
_BEST_F = ScoreChoices(references="best-f", only_f=True)
_NUMPY_MEAN = MeanChoices(sums="pairwise")


def _helm(
    protocol: Protocol, *, metric: Literal["summarization", "basic", "chinese"] = "summarization"
) -> Protocol:
    """Choose for HELM's metrics."""
    if metric == "chinese":
        return protocol.changed(
            text={
                "prepare": "strip-predictions",
                "words": "characters",
                "case": "kept",
                "stems": "none",
            },
            counts={"metrics": (("chinese_rouge_1", "ROUGE-1"), ("chinese_rouge_2", "ROUGE-2"))},
        )
    return protocol.changed(text={"prepare": "braces" if metric == "summarization" else "none"})


HELM = replace(
    ROUGE_SCORE,
    name="helm",
    version="0.5.16",
    stands_for="HELM's rouge_1, rouge_2 and rouge_l",
    defects=("words are stemmed", "in Chinese blanks are words"),
    text=replace(_STEMMED, sentences="none", prepare="braces"),
    counts=CountChoices(
        metrics=(("rouge_1", "ROUGE-1"), ("rouge_2", "ROUGE-2"), ("rouge_l", "ROUGE-L-text"))
    ),
    scores=_BEST_F,
    means=MeanChoices(),
    options=_helm,
    tried=(("metric", ("summarization", "basic")),),
    on_request="",
)


def _lighteval(protocol: Protocol, *, metric: Literal["rouge", "rouge_t5"] = "rouge") -> Protocol:
    """Choose for lighteval's metrics; `rouge_t5` is that of BIG-bench."""
    if metric == "rouge":
        return protocol
    return protocol.changed(
        text={"replacements": ((" . ", ".\n"),)},
        scores={"references": "first", "scale": 100.0},
        means={"of_printed": True},
    )


LIGHTEVAL = replace(
    ROUGE_SCORE,
    name="lighteval",
    version="0.13.0",
    stands_for="lighteval's rouge1, rouge2, rougeL and rougeLsum",
    defects=("of several references it takes the mean", "rouge_t5 takes the first reference only"),
    scores=replace(_BEST_F, references="pairwise-mean"),
    means=_NUMPY_MEAN,
    options=_lighteval,
    tried=(("metric", ("rouge", "rouge_t5")),),
    on_request="",
)

BIOLAYSUMM = replace(
    ROUGE_SCORE,
    name="biolaysumm",
    version="",
    stands_for="the evaluation of BioLaySumm 2023 and 2024",
    defects=("predictions and references are swapped, which moves rougeLsum",),
    text=replace(_STEMMED, sentences="punkt"),
    counts=CountChoices(metrics=google_metrics(("rouge1", "rouge2", "rougeLsum")), is_swapped=True),
    scores=ScoreChoices(only_f=True),
    means=_NUMPY_MEAN,
    options=without_options,
    tried=(),
    on_request="",
)

_RECALLS = (("rouge1_recall", "ROUGE-1 R"), ("rougeL_recall", "ROUGE-L-text R"))


def _open_unlearning(protocol: Protocol, *, use_stemmer: bool = True) -> Protocol:
    """Choose for OpenUnlearning; without stems it is the logger of MUSE."""
    if use_stemmer:
        return protocol
    plain = google_metrics(("rouge1", "rougeL"))
    return protocol.changed(text=stems(False), counts={"metrics": (*plain, *_RECALLS)})


OPEN_UNLEARNING = replace(
    BIOLAYSUMM,
    name="open-unlearning",
    stands_for="OpenUnlearning's ROUGE of TOFU and MUSE",
    defects=("most benchmarks of unlearning print recall",),
    text=_STEMMED,
    counts=CountChoices(metrics=(*_RECALLS, ("rougeL_f1", "ROUGE-L-text"))),
    options=_open_unlearning,
    tried=(("use_stemmer", (True, False)),),
)

GEM = replace(
    ROUGE_SCORE,
    name="gem",
    version="0.1.dev0",
    stands_for="GEM's metrics, in the fork gem-metrics-fork",
    defects=(
        "contractions are split: don't is do, n, t",
        "newlines vanish before sentences are found, so rougeLsum is rougeL",
        "of several references it takes the mean of the best with one left out in turn",
    ),
    text=replace(_STEMMED, sentences="none", prepare="nltk"),
    scores=ScoreChoices(references="jackknife"),
    means=MeanChoices(sums="pairwise", decimals=5),
    options=without_options,
    tried=(),
    on_request="",
)

NATURAL_INSTRUCTIONS = replace(
    HELM,
    name="natural-instructions",
    version="",
    stands_for="the evaluation of Natural Instructions, on English",
    defects=("words are stemmed",),
    text=_STEMMED,
    counts=CountChoices(metrics=google_metrics(("rougeL",))),
    scores=replace(_BEST_F, scale=100.0, decimals=4),
    means=MeanChoices(scale=100.0, decimals=4),
    options=without_options,
    tried=(),
)

GOOGLE_ADK = replace(
    OPEN_UNLEARNING,
    name="google-adk",
    version="2.13.0",
    stands_for="the response_match_score of Google's Agent Development Kit",
    defects=("words are stemmed",),
    text=TextChoices(words="google-adk", stems="porter"),
    counts=CountChoices(metrics=google_metrics(("rouge1",))),
    scores=ScoreChoices(),
    means=MeanChoices(only_f=True),
    options=without_options,
    tried=(),
)


def _azure(
    protocol: Protocol,
    *,
    rouge_type: Literal["rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rougeL"] | None = None,
) -> Protocol:
    """Choose for Azure's evaluator, which has one type; None shows those of most use."""
    keys = (rouge_type,) if rouge_type else ("rouge1", "rouge2", "rougeL")
    return protocol.changed(counts={"metrics": google_metrics(keys)})


AZURE = replace(
    ROUGE_SCORE,
    name="azure",
    version="1.18.10",
    stands_for="RougeScoreEvaluator of azure-ai-evaluation, on its copy of rouge-score",
    defects=(),
    counts=CountChoices(metrics=google_metrics(("rouge1", "rouge2", "rougeL"))),
    scores=ScoreChoices(),
    means=MeanChoices(),
    options=_azure,
    tried=(),
    on_request="ROUGE-[1-5]",
)


def _ragas(
    protocol: Protocol,
    *,
    rouge_type: Literal["rouge1", "rougeL"] = "rougeL",
    mode: Literal["fmeasure", "precision", "recall"] = "fmeasure",
) -> Protocol:
    """Choose for ragas' RougeScore."""
    ((key, metric),) = google_metrics((rouge_type,))
    return protocol.changed(counts={"metrics": ((key, f"{metric} {mode[0].upper()}"),)})


RAGAS = replace(
    NATURAL_INSTRUCTIONS,
    name="ragas",
    version="0.4.3",
    stands_for="ragas' RougeScore",
    scores=ScoreChoices(only_f=True),
    means=MeanChoices(),
    options=_ragas,
    tried=(("rouge_type", ("rougeL", "rouge1")), ("mode", ("fmeasure", "precision", "recall"))),
)


def _stemmed(protocol: Protocol, *, use_stemmer: bool = False) -> Protocol:
    """Choose for rapidrouge."""
    return protocol.changed(text=stems(use_stemmer))


def _kurenai(protocol: Protocol, *, use_stemmer: bool = False) -> Protocol:
    """Choose for kurenai."""
    return protocol.changed(text={"stems": "alphanumeric" if use_stemmer else "none"})


RAPIDROUGE = replace(
    ROUGE_SCORE,
    name="rapidrouge",
    version="0.2.0",
    stands_for="rapidrouge, a rouge-score in Rust",
    defects=ROUGE_SCORE.defects[1:],
    means=MeanChoices(),
    options=_stemmed,
)

KURENAI = replace(
    RAPIDROUGE,
    name="kurenai",
    version="0.1.0",
    stands_for="kurenai, a rouge-score in Rust with words by white space",
    defects=("punctuation belongs to its word", "white space at an end is an empty word"),
    text=TextChoices(
        sentences="filled-lines", case="lower", words="kurenai", sentence_words="kurenai"
    ),
    options=_kurenai,
)

# js-rouge

Version = Literal["3.0.0", "3.2.0", "3.2.1", "3.2.3"]
WITHOUT_SENTENCES = {"3.0.0", "3.2.0"}


def _js_rouge(  # noqa: PLR0913
    protocol: Protocol,
    *,
    version: Version = "3.2.3",
    metrics: Sequence[str] | None = None,
    beta: float | None = None,
    caseSensitive: bool = True,  # noqa: N803
    maxSkip: int | None = None,  # noqa: N803
    tokenizer: Literal["treebank", "blanks"] = "treebank",
    segmenter: Literal["treebank", "lines"] = "treebank",
) -> Protocol:
    """Choose for js-rouge; a version without an argument ignores it."""
    is_first, is_old = version == "3.0.0", version in WITHOUT_SENTENCES
    if maxSkip is not None and maxSkip < 1:
        raise OptionError(f"js-rouge: maxSkip: found {maxSkip}, expected at least 1")
    gap = "*" if maxSkip is None or is_first else maxSkip - 1
    known = {
        "rouge-1": "ROUGE-1 R" if is_first else "ROUGE-1",
        "rouge-2": "ROUGE-2 R" if is_first else "ROUGE-2",
        "rouge-l": "ROUGE-L",
        "rouge-s": f"ROUGE-S{gap}",
    }
    keys = metrics or [key for key in known if not (is_old and key == "rouge-l")]
    if unknown := [key for key in keys if key not in known]:
        raise OptionError(f"js-rouge: metrics: found {unknown[0]!r}, expected {', '.join(known)}")
    if is_old and "rouge-l" in keys:
        raise ProtocolError(
            "RangeError",
            f"rouge-l of js-rouge {version} throws on most texts of several lines, and its "
            "sentences are not known here",
        )
    neutral = "" if caseSensitive else "-neutral"
    lines = "js-lines" if segmenter == "lines" else f"js-{version}{neutral}"
    return protocol.changed(
        text={
            "sentences": "none" if is_old else lines,
            "words": "js-spaces" if tokenizer == "blanks" else f"js-{version}",
            "case": "kept" if caseSensitive or is_first else "lower",
        },
        counts={
            "metrics": tuple((key, known[key]) for key in keys),
            "ngrams": "matched-sets" if is_old else "clipped",
        },
        scores={
            "formula": {"3.0.0": "js-3.0.0", "3.2.0": "beta"}.get(version, "js-3.2.1"),
            "beta": beta if beta is not None else (0.5 if is_first else 1.0),
            "refuses": "ngrams" if is_old else "js-blank",
        },
    )


JS_ROUGE = Protocol(
    name="js-rouge",
    version="3.2.3",
    stands_for="js-rouge's n, s and l, and promptfoo's rouge-n, which is ROUGE-1",
    defects=(
        "3.0.0 counts different words, and its n is recall; 3.2.0 counts different words",
        "3.0.0 and 3.2.0 throw on texts of several lines in l, which is an error here",
        "3.2.3 finds other sentences than here in one of a thousand news texts",
    ),
    text=TextChoices(sentences="js-3.2.3", words="js-3.2.3"),
    counts=CountChoices(
        metrics=(
            ("rouge-1", "ROUGE-1"),
            ("rouge-2", "ROUGE-2"),
            ("rouge-l", "ROUGE-L"),
            ("rouge-s", "ROUGE-S*"),
        )
    ),
    scores=ScoreChoices(
        formula="js-3.2.1", beta=1.0, refuses="js-blank", error="RangeError", only_f=True
    ),
    options=_js_rouge,
    tried=(("version", ("3.0.0", "3.2.0", "3.2.1", "3.2.3")),),
)

FRAMEWORKS = (
    JS_ROUGE,
    LLAMA_FACTORY,
    MS_SWIFT,
    OPENCOMPASS_JIEBA,
    OPENCOMPASS_LONGBENCH,
    LVEVAL,
    FITZYRACING_ROUGE,
    HELM,
    LIGHTEVAL,
    BIOLAYSUMM,
    OPEN_UNLEARNING,
    GEM,
    NATURAL_INSTRUCTIONS,
    GOOGLE_ADK,
    AZURE,
    RAGAS,
    RAPIDROUGE,
    KURENAI,
)
