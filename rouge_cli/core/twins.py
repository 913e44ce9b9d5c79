"""The functions of the compiled core, and the functions or methods in Python that they replace.

Twins return the same to the last bit. Tests and the fuzzer compare every pair.
"""

from collections.abc import Mapping
from typing import Final

TWINS: Final[Mapping[str, str]] = {
    "read_texts": "text.ascii155:read_texts",
    "count_pair": "run.counting:LonePairs.counts",
    "score_pair": "metrics.arithmetic:score_pair",
    "flag_texts": "text.seen:flag_texts",
    "number_words": "text.character_classes:number_words",
    "word_list": "text.word_lists:WordLists",
    "nltk_stem": "protocols.texts:nltk_stemmer",
    "match_pairs": "metrics.paired_texts:TextPairs.texts",
    "mark_firsts": "protocols.counting:_count_sets",
    "count_units": "metrics.formulas:CountedMetric.count_pair",
    "count_clipped_lcs": "metrics.lcs:count_union_lcs",
    "count_pairwise_lcs": "metrics.lcs:count_pairwise_lcs",
    "mark_lcs_words": "metrics.lcs:aligned",
    "count_wlcs": "metrics.weighted_lcs:RougeW.count_pair",
    "count_skip_bigrams": "metrics.ngrams:count_skip_bigrams",
    "choose_sentences": "metrics.sources:chosen_sentences",
    "count_fragments": "metrics.sources:fragments",
    "count_novel": "metrics.sources:count_ngrams_once",
    "sum_models": "metrics.arithmetic:ordered_sums",
    "score_counts": "metrics.formulas:rounded_scores",
    "vocabulary": "text.stems:Numbers",
    "score_pairs": "bulk.pairs:score_pairs",
    "pair_index": "bulk.above:TextIndex",
    "use_index": "bulk.above:TextIndex.above",
    "draw": "scores.bootstrap:draw_instances",
    "sum_drawn": "scores.bootstrap:products",
    "draw_means": "scores.bootstrap:means_of_drawn",
}
"""Name in `rouge_cli.core._core` -> module under `rouge_cli` and name in it."""
