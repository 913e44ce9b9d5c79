"""The protocols of frameworks: what they make of `rouge-score`, `rouge` and `rouge-chinese`.

And those of js-rouge, in all its versions.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from rouge_cli.errors import OptionError
from rouge_cli.protocols.counting import CountChoices
from rouge_cli.protocols.packages import LONGBENCH, ROUGE, ROUGE_CHINESE
from rouge_cli.protocols.protocol import Protocol, without_options
from rouge_cli.protocols.rouge_score import ROUGE_SCORE, google_metrics, stems
from rouge_cli.protocols.scoring import MeanChoices, ProtocolError, ScoreChoices
from rouge_cli.protocols.texts import TextChoices

CUT_BY_JIEBA = "English texts are cut by jieba too"


def _made_of(start: Protocol, name: str, version: str, stands_for: str, **others: Any) -> Protocol:
    """Return a protocol that starts from another one, without its options and averages."""
    fresh = {"options": without_options, "tried": (), "on_request": "", "means": MeanChoices()}
    return replace(start, name=name, version=version, stands_for=stands_for, **{**fresh, **others})


# On rouge-chinese and rouge

_PERCENT = replace(ROUGE_CHINESE.scores, refuses="nothing", only_f=True, scale=100.0)

LLAMA_FACTORY = _made_of(
    ROUGE_CHINESE,
    "llama-factory",
    "0.9.5",
    "LLaMA-Factory's evaluation of supervised fine-tuning",
    defects=(*ROUGE_CHINESE.defects, CUT_BY_JIEBA),
    text=replace(ROUGE_CHINESE.text, prepare="jieba"),
    scores=replace(_PERCENT, decimals=4),
    means=MeanChoices(of_printed=True, sums="pairwise"),
)

MS_SWIFT = _made_of(
    ROUGE,
    "ms-swift",
    "4.6.0",
    "ms-swift's metrics of generated texts",
    defects=(
        *ROUGE.defects[:3],
        ROUGE.defects[-1],
        CUT_BY_JIEBA,
        "pairs with an empty reference do not count in the mean",
    ),
    text=replace(ROUGE.text, prepare="jieba-stripped"),
    scores=replace(_PERCENT, decimals=6),
    means=MeanChoices(scale=100.0, scales_means=True, decimals=6, drops="empty-references"),
)

OPENCOMPASS_JIEBA = _made_of(
    LLAMA_FACTORY,
    "opencompass-jieba",
    "0.5.4",
    "OpenCompass's JiebaRougeEvaluator, of LCSTS among others",
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
    return protocol.changed(text={"prepare": "jieba-again" if language == "zh" else "none"})


def _lveval(protocol: Protocol, *, language: Literal["en", "zh"] = "en") -> Protocol:
    return protocol.changed(text={"prepare": f"lveval-{language}"})


OPENCOMPASS_LONGBENCH = _made_of(
    LONGBENCH,
    "opencompass-longbench",
    "0.5.4",
    "OpenCompass's copy of LongBench's score",
    defects=(
        *LONGBENCH.defects,
        "in Chinese the words of a prediction are cut again for each further reference",
    ),
    scores=replace(LONGBENCH.scores, scale=100.0),
    means=MeanChoices(scale=100.0, scales_means=True),
    options=_longbench,
    tried=(("language", ("en", "zh")),),
)

LVEVAL = _made_of(
    OPENCOMPASS_LONGBENCH,
    "lveval",
    "0.5.4",
    "OpenCompass's LVEval: LongBench's score without marks and frequent words",
    defects=(*LONGBENCH.defects, "only the first reference counts"),
    text=replace(LONGBENCH.text, prepare="lveval-en"),
    scores=replace(OPENCOMPASS_LONGBENCH.scores, references="first"),
    means=OPENCOMPASS_LONGBENCH.means,
    options=_lveval,
    tried=OPENCOMPASS_LONGBENCH.tried,
)

FITZYRACING_ROUGE = replace(
    ROUGE,
    name="fitzyracing-rouge",
    version="1.0.2",
    stands_for="the fork of rouge that counts no empty words",
    defects=ROUGE.defects[:-1],
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


HELM = _made_of(
    ROUGE_SCORE,
    "helm",
    "0.5.16",
    "HELM's rouge_1, rouge_2 and rouge_l",
    defects=("words are stemmed", "in Chinese blanks are words"),
    text=replace(_STEMMED, sentences="none", prepare="braces"),
    counts=CountChoices(
        metrics=(("rouge_1", "ROUGE-1"), ("rouge_2", "ROUGE-2"), ("rouge_l", "ROUGE-L-text"))
    ),
    scores=_BEST_F,
    options=_helm,
    tried=(("metric", ("summarization", "basic")),),
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


LIGHTEVAL = _made_of(
    ROUGE_SCORE,
    "lighteval",
    "0.13.0",
    "lighteval's rouge1, rouge2, rougeL and rougeLsum",
    defects=("of several references it takes the mean", "rouge_t5 takes the first reference only"),
    scores=replace(_BEST_F, references="pairwise-mean"),
    means=_NUMPY_MEAN,
    options=_lighteval,
    tried=(("metric", ("rouge", "rouge_t5")),),
)

BIOLAYSUMM = _made_of(
    ROUGE_SCORE,
    "biolaysumm",
    "",
    "the evaluation of BioLaySumm 2023 and 2024",
    defects=("predictions and references are swapped, which moves rougeLsum",),
    text=replace(_STEMMED, sentences="punkt"),
    counts=CountChoices(metrics=google_metrics(("rouge1", "rouge2", "rougeLsum")), is_swapped=True),
    scores=ScoreChoices(only_f=True),
    means=_NUMPY_MEAN,
)

_RECALLS = (("rouge1_recall", "ROUGE-1 R"), ("rougeL_recall", "ROUGE-L-text R"))


def _open_unlearning(protocol: Protocol, *, use_stemmer: bool = True) -> Protocol:
    """Choose for OpenUnlearning; without stems it is the logger of MUSE."""
    if use_stemmer:
        return protocol
    plain = google_metrics(("rouge1", "rougeL"))
    return protocol.changed(text=stems(False), counts={"metrics": (*plain, *_RECALLS)})


OPEN_UNLEARNING = _made_of(
    BIOLAYSUMM,
    "open-unlearning",
    "",
    "OpenUnlearning's ROUGE of TOFU and MUSE",
    defects=("most benchmarks of unlearning print recall",),
    text=_STEMMED,
    counts=CountChoices(metrics=(*_RECALLS, ("rougeL_f1", "ROUGE-L-text"))),
    means=_NUMPY_MEAN,
    options=_open_unlearning,
    tried=(("use_stemmer", (True, False)),),
)

GEM = _made_of(
    ROUGE_SCORE,
    "gem",
    "0.1.dev0",
    "GEM's metrics, in the fork gem-metrics-fork",
    defects=(
        "contractions are split: don't is do, n, t",
        "newlines vanish before sentences are found, so rougeLsum is rougeL",
        "of several references it takes the mean of the best with one left out in turn",
    ),
    text=replace(_STEMMED, sentences="none", prepare="nltk"),
    scores=ScoreChoices(references="jackknife"),
    means=MeanChoices(sums="pairwise", decimals=5),
)

NATURAL_INSTRUCTIONS = _made_of(
    HELM,
    "natural-instructions",
    "",
    "the evaluation of Natural Instructions, on English",
    defects=("words are stemmed",),
    text=_STEMMED,
    counts=CountChoices(metrics=google_metrics(("rougeL",))),
    scores=replace(_BEST_F, scale=100.0, decimals=4),
    means=MeanChoices(scale=100.0, decimals=4),
)

GOOGLE_ADK = _made_of(
    OPEN_UNLEARNING,
    "google-adk",
    "2.13.0",
    "the response_match_score of Google's Agent Development Kit",
    defects=("words are stemmed",),
    text=TextChoices(words="google-adk", stems="porter"),
    counts=CountChoices(metrics=google_metrics(("rouge1",))),
    scores=ScoreChoices(),
    means=MeanChoices(only_f=True),
)


def _azure(
    protocol: Protocol,
    *,
    rouge_type: Literal["rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rougeL"] | None = None,
) -> Protocol:
    """Choose for Azure's evaluator, which has one type; None shows those of most use."""
    keys = (rouge_type,) if rouge_type else ("rouge1", "rouge2", "rougeL")
    return protocol.changed(counts={"metrics": google_metrics(keys)})


AZURE = _made_of(
    ROUGE_SCORE,
    "azure",
    "1.18.10",
    "RougeScoreEvaluator of azure-ai-evaluation, on its copy of rouge-score",
    defects=(),
    counts=CountChoices(metrics=google_metrics(("rouge1", "rouge2", "rougeL"))),
    scores=ScoreChoices(),
    options=_azure,
    on_request="ROUGE-[1-5]",
)


def _ragas(
    protocol: Protocol,
    *,
    rouge_type: Literal["rouge1", "rougeL"] = "rougeL",
    mode: Literal["fmeasure", "precision", "recall"] = "fmeasure",
) -> Protocol:
    ((key, metric),) = google_metrics((rouge_type,))
    return protocol.changed(counts={"metrics": ((key, f"{metric} {mode[0].upper()}"),)})


RAGAS = _made_of(
    NATURAL_INSTRUCTIONS,
    "ragas",
    "0.4.3",
    "ragas' RougeScore",
    scores=ScoreChoices(only_f=True),
    options=_ragas,
    tried=(("rouge_type", ("rougeL", "rouge1")), ("mode", ("fmeasure", "precision", "recall"))),
)


def _stemmed(protocol: Protocol, *, use_stemmer: bool = False) -> Protocol:
    return protocol.changed(text=stems(use_stemmer))


def _kurenai(protocol: Protocol, *, use_stemmer: bool = False) -> Protocol:
    return protocol.changed(text={"stems": "alphanumeric" if use_stemmer else "none"})


RAPIDROUGE = _made_of(
    ROUGE_SCORE,
    "rapidrouge",
    "0.2.0",
    "rapidrouge, a rouge-score in Rust",
    defects=ROUGE_SCORE.defects[1:],
    options=_stemmed,
    tried=ROUGE_SCORE.tried,
    on_request=ROUGE_SCORE.on_request,
)

KURENAI = _made_of(
    RAPIDROUGE,
    "kurenai",
    "0.1.0",
    "kurenai, a rouge-score in Rust with words by white space",
    defects=("punctuation belongs to its word", "white space at an end is an empty word"),
    text=TextChoices(
        sentences="filled-lines", case="lower", words="kurenai", sentence_words="kurenai"
    ),
    options=_kurenai,
    tried=RAPIDROUGE.tried,
    on_request=RAPIDROUGE.on_request,
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
        "3.0.0 and 3.2.0 lose sentences in l, or throw on texts of several lines; it is an error "
        "here",
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
