"""The options as keywords of the Python functions, for type checkers.

Written by tools/make_keywords.py from the declarations; a test holds the two together.
"""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Literal, TypedDict

Path = str | PathLike[str]


class ListKeywords(TypedDict, total=False):
    """Options of runs on texts that come as lists; None leaves the default."""

    add: object | None
    preset: (
        Literal["paper", "cnndm", "xsum", "duc2004", "duc2004-headlines", "duc2004-100-words",
            "duc2005", "duc2006", "duc2007", "tac2008", "tac2009"] | None
    )  # fmt: skip
    max_ngram: int | None
    lcs: bool | None
    lcs_unit: Literal["sentence", "text"] | None
    pairwise_lcs: bool | None
    weight: float | str | None
    max_gap: float | str | None
    skip_unigram: bool | None
    skip_and_unigram: bool | None
    soft: Path | None
    soft_threshold: float | str | None
    basic_elements: Literal["H", "HM", "HMR", "HM1", "HMR1", "HMR2"] | None
    protocol: str | Path | None
    stem: bool | None
    stem_models: bool | None
    remove_stopwords: bool | None
    data_dir: Path | None
    words: int | None
    bytes: int | None
    empty: Literal["warn", "skip", "error"] | None
    language: str | None
    tokenizer: str | Callable[[str], Iterable[str]] | None
    normalization: Literal["none", "nfc", "nfkc"] | None
    case: Literal["lower", "fold", "none"] | None
    strip_marks: bool | None
    stemmer: str | None
    stopwords: Path | None
    formula: Literal["A", "B", "best-f"] | None
    alpha: float | str | None
    counting: int | None
    confidence: float | str | None
    resamples: int | None
    bootstrap: Literal["exact", "histogram"] | None
    jackknife: bool | None
    humans: bool | None
    unmatched: Literal["error", "skip", "skip-cells"] | None
    lower_is_better: str | Sequence[str] | None
    scale: str | Sequence[str] | None
    fuse: str | Sequence[str] | None
    per_eval: bool | None
    system_ids: str | Sequence[str] | None
    measures: str | None
    sort: str | None
    percent: bool | None
    intervals: bool | None
    letters: bool | None
    caption: str | None
    label: str | None
    jobs: int | None
    sentences: str | None
    strip: str | None


class FrameKeywords(ListKeywords, total=False):
    """Options of runs on lists or a data frame."""

    cluster: str | None
    id: str | None
    page_field: str | Sequence[str] | None
    prediction: str | Sequence[str] | None
    run: str | None
    sentence_separator: str | None
    system: str | None


class FileKeywords(FrameKeywords, total=False):
    """Options of runs on files."""

    all: bool | None
    list_format: Literal["SEE", "SPL", "ISI", "SIMPLE"] | None
    confine: bool | None
    pair: Path | Sequence[Path] | None
    peers: str | Sequence[str] | None
    models: str | Sequence[str] | None
    duc: Path | Sequence[Path] | None
    input_format: Literal["SEE", "SPL", "ISI", "SIMPLE"] | None
    unpaired: Literal["error", "skip"] | None
    peer_lines: Path | Sequence[Path] | None
    model_lines: Path | Sequence[Path] | None
    references: str | Sequence[str] | None
    references_json: bool | None
    references_from: Path | None
    records_at: str | None
    page_source: str | None
    records_format: Literal["JSONL", "JSON", "CSV", "TSV", "PARQUET"] | None
    delimiter: str | None
    as_is: bool | None
    max_record: int | None
    encoding: str | Sequence[str] | None


class ExplanationKeywords(FrameKeywords, total=False):
    """Options of `rouge_cli.explain`."""

    eval_ids: str | Sequence[str] | None
    worst: int | None
    best: int | None
    against: str | None
    texts: bool | None


class ComparisonKeywords(TypedDict, total=False):
    """Options of `rouge_cli.compare`; None leaves the default."""

    measures: str | None
    resamples: int | None
    seed: int | None
    equivalence: float | str | None
    dataset: str | None
    run: str | None
    system_ids: str | Sequence[str] | None
    verbose: bool | None
    confidence: float | str | None
    bootstrap: Literal["exact", "histogram"] | None


class PlanKeywords(TypedDict, total=False):
    """Options of `rouge_cli.plan`; None leaves the default."""

    difference: float | str | None
    equivalence: float | str | None
    power: float | str | None
    spread: float | str | None
    spread_confidence: float | str | None
    comparisons: int | None
    measures: str | None
    seed: int | None
    system_ids: str | Sequence[str] | None
    confidence: float | str | None


class CorrelationKeywords(TypedDict, total=False):
    """Options of `rouge_cli.correlate`; None leaves the default."""

    judgement: str | Sequence[str] | None
    unmatched: Literal["error", "skip", "skip-cells"] | None
    level: str | Sequence[str] | None
    coefficient: str | Sequence[str] | None
    measures: str | None
    resample: Literal["evals", "systems", "both"] | None
    resample_judges: bool | None
    seed: int | None
    pairs: bool | None
    exchange: Literal["systems", "cells"] | None
    confidence: float | str | None
    resamples: int | None


class IdentificationKeywords(TypedDict, total=False):
    """Options of `rouge_cli.identify`; None leaves the default."""

    order: Literal["lines", "numbers-from-0", "numbers-from-1", "ids"] | None
    deep: bool | None
    lang: str | None
    system_ids: str | Sequence[str] | None


class ContextKeywords(ListKeywords, total=False):
    """Options of `rouge_cli.context`; None leaves the default."""

    take: int | None
    best: bool | None
    rule: Literal["clipped", "sets", "presumm"] | None
    seed: int | None
    system_ids: str | Sequence[str] | None
