"""The options as keywords of the Python functions, for type checkers.

Written by tools/make_keywords.py from the declarations; a test holds the two together.
"""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Literal, TypedDict

Path = str | PathLike[str]


class ListKeywords(TypedDict, total=False):
    """Options of runs on texts that come as lists; None leaves the default."""

    preset: Literal["paper"] | None
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
    also: object | None
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
    scores: Path | Sequence[Path] | None
    unmatched: Literal["error", "skip", "skip-cells"] | None
    lower_is_better: str | Sequence[str] | None
    scale: str | Sequence[str] | None
    fuse: str | Sequence[str] | None
    per_eval: bool | None
    measures: str | None
    sort: str | None
    percent: bool | None
    intervals: bool | None
    letters: bool | None
    caption: str | None
    label: str | None
    jobs: int | None
    sentences: str | None


class FrameKeywords(ListKeywords, total=False):
    """Options of runs on lists or a data frame."""

    cluster: str | None
    id: str | None
    prediction: str | Sequence[str] | None
    sentence_separator: str | None
    system: str | None


class FileKeywords(FrameKeywords, total=False):
    """Options of runs on files."""

    all: bool | None
    list_format: Literal["SEE", "SPL", "ISI", "SIMPLE"] | None
    confine: bool | None
    peers: str | Sequence[str] | None
    models: str | Sequence[str] | None
    duc: Path | Sequence[Path] | None
    input_format: Literal["SEE", "SPL", "ISI", "SIMPLE"] | None
    unpaired: Literal["error", "skip"] | None
    peer_lines: Path | Sequence[Path] | None
    model_lines: Path | Sequence[Path] | None
    references: str | Sequence[str] | None
    references_json: bool | None
    column: str | Sequence[str] | None
    records_format: Literal["JSONL", "JSON", "CSV", "TSV", "PARQUET"] | None
    delimiter: str | None
    max_record: int | None
    encoding: str | None


class ComparisonKeywords(TypedDict, total=False):
    """Options of `rouge_cli.compare`; None leaves the default."""

    measures: str | None
    resamples: int | None
    seed: int | None
    equivalence: float | str | None
    system_ids: str | Sequence[str] | None
    verbose: bool | None
    confidence: float | str | None
    bootstrap: Literal["exact", "histogram"] | None


class CorrelationKeywords(TypedDict, total=False):
    """Options of `rouge_cli.correlate`; None leaves the default."""

    judgement: str | Sequence[str] | None
    unmatched: Literal["error", "skip", "skip-cells"] | None
    level: str | Sequence[str] | None
    coefficient: str | Sequence[str] | None
    measures: str | None
    resample: Literal["evals", "systems", "both"] | None
    seed: int | None
    pairs: bool | None
    exchange: Literal["systems", "cells"] | None
    confidence: float | str | None
    resamples: int | None


class IdentificationKeywords(TypedDict, total=False):
    """Options of `rouge_cli.identify`; None leaves the default."""

    order: Literal["lines", "numbers-from-0", "numbers-from-1", "ids"] | None
    deep: bool | None
    system_ids: str | Sequence[str] | None
