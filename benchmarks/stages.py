"""The stages of a run, and the functions in which each of them begins."""

__all__ = ["REMAINDER", "STAGES"]

STAGES: dict[str, tuple[str, ...]] = {
    "configuration": ("inputs.xml_config:parse_config", "inputs.layout:parse_file_list"),
    "checks of the input": (
        "inputs.text_files:FileInput.__init__",
        "inputs.layout:ListInput.__init__",
    ),
    "reading texts": ("inputs.index:Input.batches",),
    "tokens": ("text.ascii155:split_tokens", "text.ascii155:columns_of"),
    "word lists": ("text.word_lists:load_word_lists",),
    "stems": ("text.columns:looked_up",),
    "columns": ("text.ascii155:read_texts", "text.columns:TextColumns.take"),
    "tokens of columns": ("metrics.paired_texts:TextPairs.texts",),
    "n-grams": ("metrics.ngrams:RougeN.count_pair",),
    "LCS": ("metrics.lcs:RougeL.count_pair",),
    "weighted LCS": ("metrics.weighted_lcs:RougeW.count_pair",),
    "skip-bigrams": ("metrics.ngrams:RougeS.count_pair",),
    "core: tokens, types, stems": ("text.ascii155:CompiledWords.read",),
    "core: matching": ("metrics.paired_texts:matched_pairs",),
    "core: n-grams, LCS": ("metrics.paired_texts:TextPairs.hits", "metrics.lcs:lcs_hits"),
    "core: weighted LCS": ("metrics.weighted_lcs:weighted_lcs_hits",),
    "core: skip-bigrams": ("metrics.ngrams:skip_bigram_hits",),
    "several models": ("metrics.formulas:sum_models",),
    "scores": ("metrics.formulas:score_counts",),
    "bootstrap": ("scores.bootstrap:counted_sums", "scores.bootstrap:estimate_means"),
    "summaries": ("scores.summaries:summarise",),
    "report": ("studies.score.classic:write",),
}
"""A stage's functions, as ``module:name`` below the package. Calls of
another stage count for that stage."""

REMAINDER = "all else"
