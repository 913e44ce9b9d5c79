"""The stages of a run, and the functions in which each of them begins."""

__all__ = ["REMAINDER", "STAGES"]

STAGES: dict[str, tuple[str, ...]] = {
    "configuration": ("inputs.xml_config:parse_config", "inputs.file_list:parse_file_list"),
    "checks of the input": (
        "inputs.checks:check_texts",
        "inputs.list_corpus:list_corpus",
    ),
    "reading texts": (
        "inputs.list_corpus:ListPortion.blocks",
        "inputs.corpus:EvaluationPortion.blocks",
        "inputs.file_columns:FilePortion.blocks",
    ),
    "tokens": ("text.tokens:find_tokens",),
    "types": ("text.interning:examples_of_types",),
    "word lists": ("text.word_lists:load_word_lists",),
    "stems": ("text.stemmer:Stemmer.number_stems",),
    "columns": ("text.ascii155:read_texts", "text.columns:TextColumns.take"),
    "matching": ("metrics.matching:match_tokens",),
    "n-grams": ("metrics.ngrams:count_ngrams",),
    "LCS rows": ("metrics.sentence_pairs:matched_rows",),
    "LCS backtracking": ("metrics.lcs_backtracking:backtrack_lcs",),
    "LCS clipping": ("metrics.lcs:count_lcs",),
    "weighted LCS": ("metrics.weighted_lcs:count_wlcs",),
    "weighted LCS tables": ("metrics.weighted_backtracking:mark_weighted_lcs",),
    "skip-bigrams": ("metrics.skip_bigrams:count_skip_bigrams",),
    "core: tokens, types, stems": ("text.compiled:CompiledWords.read",),
    "core: matching": ("metrics.text_pairs:TextPairs.compiled",),
    "core: n-grams": ("metrics.compiled:ngram_hits",),
    "core: LCS": ("metrics.compiled:lcs_hits",),
    "core: weighted LCS": ("metrics.compiled:weighted_lcs_hits",),
    "core: skip-bigrams": ("metrics.compiled:skip_bigram_hits",),
    "several models": ("metrics.formulas:sum_models",),
    "scores": ("metrics.ratios:score_counts",),
    "bootstrap": ("scoring.bootstrap:counted_sums", "scoring.bootstrap:estimate_means"),
    "summaries": ("scoring.summaries:summarise",),
    "report": ("reports.writers.classic:write",),
}
"""A stage's functions, as ``module:name`` below the package. What one stage calls of another
counts for the other."""

REMAINDER = "all else"
