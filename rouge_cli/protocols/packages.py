"""The protocols of packages that score by themselves: what each does, and what its options change.

A function takes a protocol and the package's arguments, by their names and with
their defaults, and returns the protocol that they ask for.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from rouge_cli.errors import OptionError
from rouge_cli.protocols.counting import CountChoices
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import NOTHING, MeanChoices, ProtocolError, ScoreChoices
from rouge_cli.protocols.texts import TextChoices

MOST_NGRAMS = 1000
ANY_NGRAM = r"ROUGE-\d+"

ZERO_DIVISION, VALUE, ASSERTION = "ZeroDivisionError", "ValueError", "AssertionError"


def ngrams_by_name(key: str, longest: int) -> list[tuple[str, str]]:
    """Return ROUGE-1 to ROUGE-N by the names of a package; raises OptionError for too many."""
    if longest > MOST_NGRAMS:
        raise OptionError(f"found n-grams of {longest} words, expected at most {MOST_NGRAMS}")
    return [(key.format(n), f"ROUGE-{n}") for n in range(1, longest + 1)]


# rouge, rouge-chinese and packages made from them

RougeMetric = Literal["rouge-1", "rouge-2", "rouge-3", "rouge-4", "rouge-5", "rouge-l"]
RougeMetrics = Sequence[RougeMetric]
ROUGE_METRICS: tuple[RougeMetric, ...] = ("rouge-1", "rouge-2", "rouge-l")

EPSILON = 1e-8


def _rouge(
    protocol: Protocol,
    *,
    metrics: RougeMetrics = ROUGE_METRICS,
    exclusive: bool = True,
    ignore_empty: bool = False,
) -> Protocol:
    counted = tuple((key, name) for key, name in _all_rouge_metrics(protocol) if key in metrics)
    lists = {} if exclusive else {"ngrams": "clipped", "union": "sum"}
    return protocol.changed(
        counts={"metrics": counted, **lists},
        means={"drops": "empty" if ignore_empty else "nothing"},
    )


def _all_rouge_metrics(protocol: Protocol) -> list[tuple[str, str]]:
    *_, lcs = protocol.counts.metrics
    return [*((f"rouge-{n}", f"ROUGE-{n}") for n in range(1, 6)), lcs]


ROUGE = Protocol(
    name="rouge",
    version="1.0.1",
    stands_for="pltrdy's rouge: get_scores(), and the commands rouge and rouge -f",
    defects=(
        "n-grams are sets: a word that is repeated counts once",
        "a sentence ends at every period, also within 3.14 and U.S., and nowhere else",
        "a perfect score is 0.999999995",
        "with exclusive=False ROUGE-L adds up all pairs of sentences and can exceed 1",
        "white space between two periods is an empty word, which matches another one",
    ),
    text=TextChoices(sentences="period", words="whitespace-or-empty"),
    counts=CountChoices(
        metrics=(("rouge-1", "ROUGE-1"), ("rouge-2", "ROUGE-2"), ("rouge-l", "ROUGE-L")),
        ngrams="sets",
        union="different-words",
        backtracking="B",
    ),
    scores=ScoreChoices(epsilon=EPSILON, refuses="words", error=VALUE),
    means=MeanChoices(without_texts=VALUE),
    options=_rouge,
    tried=(("exclusive", (True, False)),),
    on_request="ROUGE-[1-5]",
)


def _rouge_chinese(
    protocol: Protocol,
    *,
    metrics: RougeMetrics = ROUGE_METRICS,
    exclusive: bool = True,
    ignore_empty: bool = False,
    words: Literal["blanks", "jieba"] = "blanks",
) -> Protocol:
    """Choose as `_rouge` does; `words` is no argument of the package, but what its users do."""
    chosen = _rouge(protocol, metrics=metrics, exclusive=exclusive, ignore_empty=ignore_empty)
    return chosen.changed(text={"prepare": "jieba" if words == "jieba" else "none"})


ROUGE_CHINESE = Protocol(
    name="rouge-chinese",
    version="1.0.3",
    stands_for="rouge-chinese, on words between blanks or, with words=jieba, on those of jieba",
    defects=(
        "n-grams are sets: a word that is repeated counts once",
        "a mark within a token parts it in two",
    ),
    text=TextChoices(sentences="chinese", words="whitespace-or-empty"),
    counts=CountChoices(
        metrics=(("rouge-1", "ROUGE-1"), ("rouge-2", "ROUGE-2"), ("rouge-l", "ROUGE-L-text")),
        ngrams="sets",
    ),
    scores=ROUGE.scores,
    means=ROUGE.means,
    options=_rouge_chinese,
    tried=(*ROUGE.tried, ("words", ("blanks", "jieba"))),
    on_request=ROUGE.on_request,
)

LONGBENCH = Protocol(
    name="longbench",
    version="",
    stands_for="LongBench's rouge_score, on rouge 1.0.1",
    defects=("different words are counted, not all", "a text that rouge refuses scores 0"),
    text=ROUGE.text,
    counts=CountChoices(
        metrics=(("rouge-l", "ROUGE-L"),), union="different-words", backtracking="B"
    ),
    scores=ScoreChoices(
        references="best-f", without_references=NOTHING, epsilon=EPSILON, only_f=True
    ),
    means=MeanChoices(scale=100.0, decimals=2),
)

# py-rouge


def _py_rouge(  # noqa: PLR0913
    protocol: Protocol,
    *,
    metrics: Sequence[Literal["rouge-n", "rouge-l", "rouge-w"]] = ("rouge-n", "rouge-l"),
    max_n: int | None = 2,
    limit_length: bool = True,
    length_limit: int = 665,
    length_limit_type: Literal["bytes", "words"] = "bytes",
    apply_avg: bool = True,
    apply_best: bool = False,
    stemming: bool = True,
    alpha: float = 0.5,
    weight_factor: float = 1.0,
) -> Protocol:
    if not apply_avg and not apply_best:
        raise OptionError(
            "py-rouge: without apply_avg and apply_best it returns a score for each reference; "
            "expected one of them"
        )
    counted = ngrams_by_name("rouge-{}", max_n or 0) if "rouge-n" in metrics else []
    counted += [("rouge-l", "ROUGE-L")] * ("rouge-l" in metrics)
    counted += [("rouge-w", "ROUGE-W")] * ("rouge-w" in metrics)
    unit = "sentence-words" if length_limit_type == "words" else "sentence-characters"
    return protocol.changed(
        text={
            "limit": length_limit if limit_length else 0,
            "limit_unit": unit,
            "stems": "py-rouge" if stemming else "none",
        },
        counts={"metrics": tuple(counted), "weight": float(weight_factor)},
        scores={
            "references": "added" if apply_avg else "best-recall-rooted",
            "alpha": float(alpha),
        },
    )


PY_ROUGE = Protocol(
    name="py-rouge",
    version="1.1",
    stands_for="Diego999's py-rouge, with max_n=2 and ROUGE-N and -L if nothing else is said",
    defects=(
        "with weight_factor other than 1, as in its own example, ROUGE-L is a root too: on news "
        "about 6 points too high",
        "texts are cut after 665 characters unless limit_length is off",
        "too short references lower the counts that several references add up to",
    ),
    text=TextChoices(
        limit=665,
        limit_unit="sentence-characters",
        sentences="newline",
        case="lower",
        words="py-rouge",
        stems="py-rouge",
    ),
    counts=CountChoices(
        metrics=(("rouge-1", "ROUGE-1"), ("rouge-2", "ROUGE-2"), ("rouge-l", "ROUGE-L")),
        weight=1.0,
        roots_lcs=True,
        negative_counts=True,
    ),
    scores=ScoreChoices(references="added"),
    options=_py_rouge,
    tried=(
        ("stemming", (True, False)),
        ("limit_length", (True, False)),
        ("weight_factor", (1.0, 1.2)),
    ),
    tried_with_several=(("apply_avg", False), ("apply_best", True)),
    on_request=r"ROUGE-(\d+|W)",
)

# rouge-metric


def _rouge_metric(  # noqa: PLR0913
    protocol: Protocol,
    *,
    rouge_n: int | Sequence[int] = (1, 2),
    rouge_l: bool = True,
    rouge_w: bool = False,
    rouge_w_weight: float = 1.2,
    rouge_s: bool = False,
    rouge_su: bool = False,
    skip_gap: int | None = None,
    multi_ref_mode: Literal["average", "best"] = "average",
    alpha: float = 0.5,
    mode: Literal["average", "individual"] = "average",
) -> Protocol:
    orders = range(1, rouge_n + 1) if isinstance(rouge_n, int) else rouge_n
    gap = "*" if skip_gap is None or skip_gap < 0 else skip_gap
    # A gap of 0 counts as 0, and is printed as none.
    printed_gap = skip_gap or "*"
    counted = [
        *((f"rouge-{n}", f"ROUGE-{n}") for n in orders),
        *[("rouge-l", "ROUGE-L")] * rouge_l,
        *[(f"rouge-w-{rouge_w_weight}", "ROUGE-W")] * rouge_w,
        *[(f"rouge-s{printed_gap}", f"ROUGE-S{gap}")] * rouge_s,
        *[(f"rouge-su{printed_gap}", f"ROUGE-SU{gap}")] * rouge_su,
    ]
    return protocol.changed(
        counts={"metrics": tuple(counted), "weight": float(rouge_w_weight)},
        scores={
            "references": "added" if multi_ref_mode == "average" else "best-recall",
            "alpha": float(alpha),
        },
        means={"mean": "f-of-means" if mode == "average" else "none"},
    )


ROUGE_METRIC = Protocol(
    name="rouge-metric",
    version="1.0.1",
    stands_for="rouge-metric's PyRouge (its PerlRouge runs the original)",
    defects=(
        "nothing is lowered, and punctuation belongs to its word",
        "F of many texts is formed from mean precision and mean recall",
        "a great alpha favours precision, where the package says recall",
    ),
    text=TextChoices(sentences="newline"),
    counts=CountChoices(metrics=ROUGE.counts.metrics),
    scores=ScoreChoices(references="added", without_references=VALUE),
    means=MeanChoices(mean="f-of-means", without_texts=NOTHING),
    options=_rouge_metric,
    tried_with_several=(("multi_ref_mode", "best"),),
    on_request=r"ROUGE-(\d+|W|SU?[*\d]+)",
)

# sumeval


def _sumeval(  # noqa: PLR0913
    protocol: Protocol,
    *,
    stopwords: bool = True,
    stemming: bool = False,
    word_limit: int = -1,
    length_limit: int = -1,
    alpha: float = 0.5,
) -> Protocol:
    by_words = word_limit > 0
    return protocol.changed(
        text={
            "limit": word_limit if by_words else max(length_limit, 0),
            "limit_unit": "text-words" if by_words else "text-characters",
            "remove_stopwords": stopwords,
            "stems": "references-only" if stemming else "none",
        },
        scores={"alpha": float(alpha)},
    )


SUMEVAL = Protocol(
    name="sumeval",
    version="0.2.2",
    stands_for="sumeval's RougeCalculator in English",
    defects=(
        "stopwords are removed unless stopwords is off",
        "with stemming, references are stemmed and summaries are not",
    ),
    text=TextChoices(case="lower-words", words="ascii", remove_stopwords=True),
    counts=CountChoices(
        metrics=(*ngrams_by_name("rouge-{}", 3), ("rouge-l", "ROUGE-L-text")),
    ),
    scores=ScoreChoices(references="added", without_references=NOTHING, only_f=True),
    options=_sumeval,
    tried=(("stopwords", (True, False)), ("stemming", (False, True))),
    on_request=ANY_NGRAM,
)

# easy-rouge


def _easy_rouge(
    protocol: Protocol,
    *,
    alpha: float = 0.5,
    weight: float = 1.2,
    level: Literal["summary", "sentence"] = "summary",
) -> Protocol:
    if not 0 <= alpha <= 1:
        raise ProtocolError(VALUE, f"alpha: found {alpha}, expected 0 to 1")
    if weight <= 1:
        raise ProtocolError(VALUE, f"weight: found {weight}, expected more than 1")
    return protocol.changed(
        text={"sentences": "newline" if level == "summary" else "none"},
        counts={"weight": float(weight)},
        scores={"alpha": float(alpha)},
    )


EASY_ROUGE = Protocol(
    name="easy-rouge",
    version="0.2.2",
    stands_for="easy-rouge, with sentences at newlines and words by blanks",
    defects=("the table of ROUGE-W has weight 1.2, whatever the weight",),
    text=TextChoices(sentences="newline"),
    counts=CountChoices(
        metrics=(*ROUGE.counts.metrics, ("rouge-w", "ROUGE-W")),
        table_weight=1.2,
        adds_rises=True,
    ),
    options=_easy_rouge,
    tried=(("level", ("summary", "sentence")),),
    on_request=ANY_NGRAM,
)

# pycocoevalcap

PYCOCOEVALCAP = Protocol(
    name="pycocoevalcap",
    version="1.2",
    stands_for="pycocoevalcap's Rouge, and coco-caption and nlg-eval, on tokenized texts",
    defects=(
        "the best precision and the best recall may be those of different references",
        "an empty text is one empty word: two empty texts score 1",
    ),
    text=TextChoices(words="single-blanks"),
    counts=CountChoices(metrics=(("rouge-l", "ROUGE-L-text"),)),
    scores=ScoreChoices(
        references="best-apart", without_references=ASSERTION, formula="beta", only_f=True
    ),
    means=MeanChoices(sums="pairwise"),
)

# ignite


def _ignite(
    protocol: Protocol,
    *,
    variants: Sequence[int | Literal["L"]] = (1, 2, 4, "L"),
    multiref: Literal["average", "best"] = "average",
    alpha: float = 0.0,
) -> Protocol:
    is_added = multiref == "average"
    return protocol.changed(
        counts={
            "metrics": tuple(
                (f"Rouge-{name}", "ROUGE-L-text" if name == "L" else f"ROUGE-{name}")
                for name in variants
            )
        },
        scores={
            "references": "added" if is_added else "best-recall",
            "without_references": NOTHING if is_added else VALUE,
            "alpha": float(alpha),
        },
    )


IGNITE = Protocol(
    name="ignite",
    version="0.5.5",
    stands_for="ignite.metrics.Rouge on texts whose words are parted by blanks",
    defects=("alpha is 0 unless it is set, which makes F recall",),
    text=TextChoices(),
    counts=CountChoices(
        metrics=(
            *((f"Rouge-{n}", f"ROUGE-{n}") for n in (1, 2, 4)),
            ("Rouge-L", "ROUGE-L-text"),
        )
    ),
    scores=ScoreChoices(references="added", without_references=NOTHING, alpha=0.0),
    means=MeanChoices(without_texts="NotComputableError"),
    options=_ignite,
    tried=(("alpha", (0.0, 0.5)),),
    tried_with_several=(("multiref", "best"),),
    on_request=ANY_NGRAM,
)

# tensor2tensor and tutorials

TENSOR2TENSOR = Protocol(
    name="tensor2tensor",
    version="1.15.7",
    stands_for="tensor2tensor's rouge_2_fscore and rouge_l_fscore, on words in place of its ids",
    defects=(
        "bigrams are sets",
        "F of ROUGE-L weighs recall by the square of P/R",
        "published figures are those of sub-words, padding included, and cannot be had from texts",
    ),
    text=TextChoices(),
    counts=CountChoices(
        metrics=(("rouge-2", "ROUGE-2"), ("rouge-l", "ROUGE-L-text")), ngrams="sets"
    ),
    scores=ScoreChoices(
        lcs_formula="precision-by-recall",
        epsilon=EPSILON,
        rounding="float32",
        refuses="words",
        error=ZERO_DIVISION,
        only_f=True,
    ),
    means=MeanChoices(sums="float32"),
)

NAIVE_SET = Protocol(
    name="naive-set",
    version="",
    stands_for="code of tutorials: sets of n-grams over lengths of lists",
    defects=("a text with repeated words stays below 1 against itself",),
    text=TextChoices(case="lower"),
    counts=CountChoices(
        metrics=(*ngrams_by_name("rouge-{}", 2), ("rouge-l", "ROUGE-L-text")), ngrams="matched-sets"
    ),
    scores=ScoreChoices(references="best-f", refuses="ngrams", error=ZERO_DIVISION),
    on_request=ANY_NGRAM,
)

# programs that run ROUGE-1.5.5: their texts, and the options that they give it

PERL_NAMES = tuple((f"ROUGE-{n}", f"ROUGE-{n}") for n in range(1, 5))
ORIGINAL_SCORES = ScoreChoices(references="added", rounding="5-decimals")
ORIGINAL_TEXT = TextChoices(
    sentences="newline", case="lower-words", words="ascii", stems="original"
)


def _original(
    protocol: Protocol, *, stem: bool = False, remove_stopwords: bool = False
) -> Protocol:
    """Choose for ROUGE-1.5.5: ``-m`` and ``-s``."""
    return protocol.changed(
        text={"stems": "original" if stem else "none", "remove_stopwords": remove_stopwords}
    )


ORIGINAL = Protocol(
    name="ROUGE-1.5.5",
    version="",
    stands_for="the original, on sentences that are lines",
    text=replace(ORIGINAL_TEXT, stems="none"),
    counts=CountChoices(metrics=(*PERL_NAMES[:2], ("ROUGE-L", "ROUGE-L"))),
    scores=ORIGINAL_SCORES,
    means=MeanChoices(mean="original"),
    options=_original,
    on_request=r"ROUGE-(\d+|W|SU?[*\d]+)",
)
"""Not in the list of protocols, since rouge-cli itself is this program; it is for comparisons."""


def _files2rouge(
    protocol: Protocol, *, stemming: bool = True, eos: str = ".", n: int = 2, nol: bool = False
) -> Protocol:
    """Choose for files2rouge; `nol` leaves ROUGE-L out."""
    metrics = ngrams_by_name("ROUGE-{}", n) + [("ROUGE-L", "ROUGE-L")] * (not nol)
    return protocol.changed(
        text={
            "replacements": ((f" {eos}", f" {eos}\n"),),
            "stems": "original" if stemming else "none",
        },
        counts={"metrics": tuple(metrics)},
    )


FILES2ROUGE = Protocol(
    name="files2rouge",
    version="",
    stands_for="files2rouge on two files of lines, which runs ROUGE-1.5.5 with stems",
    defects=("a sentence ends at ' .', also in ' .5'",),
    text=replace(ORIGINAL_TEXT, replacements=((" .", " .\n"),)),
    counts=CountChoices(metrics=(*PERL_NAMES[:2], ("ROUGE-L", "ROUGE-L"))),
    scores=replace(ORIGINAL_SCORES, references="single", refuses="blank", error="Exception"),
    means=MeanChoices(mean="original"),
    options=_files2rouge,
    tried=(("stemming", (True, False)),),
    on_request=ANY_NGRAM,
)

PYROUGE = Protocol(
    name="pyrouge",
    version="0.1.3",
    stands_for="pyrouge on folders of texts, which runs ROUGE-1.5.5 with -n 4 -w 1.2 -2 -1 -U -m",
    defects=(
        "stems are always on, whatever arguments the caller gives",
        "a sentence ends at its first '<'",
    ),
    text=replace(ORIGINAL_TEXT, sentences="see"),
    counts=CountChoices(
        metrics=(
            *PERL_NAMES,
            ("ROUGE-L", "ROUGE-L"),
            ("ROUGE-W-1.2", "ROUGE-W"),
            ("ROUGE-S*", "ROUGE-S*"),
            ("ROUGE-SU*", "ROUGE-SU*"),
        )
    ),
    scores=ORIGINAL_SCORES,
    means=MeanChoices(mean="original"),
)

PRESUMM = Protocol(
    name="presumm",
    version="",
    stands_for="PreSumm's copy of pyrouge, with sentences at <q> and -n 2",
    defects=("stems are always on", "a sentence ends at its first '<'"),
    text=replace(ORIGINAL_TEXT, replacements=(("<q>", "\n"),), sentences="see"),
    counts=CountChoices(metrics=(*PERL_NAMES[:2], ("ROUGE-L", "ROUGE-L"))),
    scores=ORIGINAL_SCORES,
    means=MeanChoices(mean="original"),
)
