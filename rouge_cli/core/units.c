/* Counts n-grams and LCS in one pass. Each pair is matched once, and counted while it is cached. */
#include "core.h"

int64_t count_of_units(const Units *units)
{
    return (int64_t)units->max_ngram + !!units->has_lcs + !!units->has_text_lcs;
}

static Outcome count_matched(NgramCounter *ngrams, LcsCounter *lcs, const Matches *matches,
                             const Units *units, int64_t *hits, int64_t n_pairs)
{
    Outcome outcome = DONE;
    if (units->max_ngram)
        outcome = count_ngrams(ngrams, matches, units->max_ngram, hits, n_pairs);
    hits += units->max_ngram * n_pairs;
    if (units->has_lcs && outcome == DONE)
        outcome = count_lcs(lcs, matches, hits);
    hits += units->has_lcs ? n_pairs : 0;
    if (units->has_text_lcs && outcome == DONE)
        outcome = count_text_lcs(lcs, matches, hits);
    return outcome;
}

Outcome count_units(const Pairs *pairs, const Units *units, int64_t *hits)
{
    int has_lcs = units->has_lcs || units->has_text_lcs;
    int64_t n_pairs = pairs->peers.n_pairs;
    Matcher matcher;
    NgramCounter *ngrams = units->max_ngram ? new_ngram_counter(pairs) : NULL;
    LcsCounter *lcs = has_lcs ? new_lcs_counter(pairs) : NULL;
    Outcome outcome = new_matcher(&matcher, pairs);
    if ((units->max_ngram && !ngrams) || (has_lcs && !lcs))
        outcome = NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < n_pairs; pair++) {
        Matches matches = match_pair(&matcher, pairs, pair);
        outcome = count_matched(ngrams, lcs, &matches, units, hits + pair, n_pairs);
    }
    free_ngram_counter(ngrams);
    free_lcs_counter(lcs);
    free_matcher(&matcher);
    return outcome;
}
