/* ROUGE-S and ROUGE-SU: ordered pairs of words with a limited number of words between them.
 *
 * Twin: metrics/ngrams.py. A skip-bigram can match only if both its tokens are matched. The
 * skip-bigrams that begin with the same group are counted together, in a row of counts by their
 * second group.
 */
#include "core.h"

#include <stdlib.h>

/* The matched tokens of one side of a pair, in text order. Twin: `_second_word_counter`. */
typedef struct {
    int32_t *tokens, *groups; /* by place */
    int32_t n_places;
    int32_t *ends;            /* by place: end of the possible second words, exclusive */
    int32_t *next;            /* by place: next place of the same group; NONE for the last */
    int32_t *first;           /* by group: first place */
} Places;

/* The counts of the skip-bigrams with a given first word, by the group of the second word. */
typedef struct {
    int64_t *counts;
    int are_sets; /* whether a skip-bigram is at most one hit, however often both texts have it */
    int64_t work; /* steps since the last check for an interrupt */
} Row;

static Outcome new_places(Places *places, int32_t longest, int32_t n_groups)
{
    places->tokens = zeros((size_t)longest, sizeof(int32_t));
    places->groups = zeros((size_t)longest, sizeof(int32_t));
    places->ends = zeros((size_t)longest, sizeof(int32_t));
    places->next = zeros((size_t)longest, sizeof(int32_t));
    places->first = zeros((size_t)n_groups, sizeof(int32_t));
    return places->tokens && places->groups && places->ends && places->next && places->first
               ? DONE
               : NO_MEMORY;
}

static void free_places(Places *places)
{
    free(places->tokens);
    free(places->groups);
    free(places->ends);
    free(places->next);
    free(places->first);
}

/* For each place, set the end of its possible second words: the first place beyond the gap. */
static void find_ends(Places *places, int64_t max_gap)
{
    int32_t end = max_gap < 0 ? places->n_places : 0;
    for (int32_t place = 0; place < places->n_places; place++) {
        while (end < places->n_places &&
               places->tokens[end] - places->tokens[place] <= max_gap + 1)
            end++;
        places->ends[place] = end;
    }
}

static void find_places(Places *places, const int32_t *groups, int32_t n_tokens, int32_t n_groups,
                        int64_t max_gap)
{
    int32_t n_places = 0;
    for (int32_t token = 0; token < n_tokens; token++) {
        places->tokens[n_places] = token;
        places->groups[n_places] = groups[token];
        n_places += groups[token] != NONE;
    }
    places->n_places = n_places;
    find_ends(places, max_gap);
    for (int32_t group = 0; group < n_groups; group++)
        places->first[group] = NONE;
    for (int32_t place = places->n_places - 1; place >= 0; place--) {
        places->next[place] = places->first[places->groups[place]];
        places->first[places->groups[place]] = place;
    }
}

/* Count the skip-bigrams of the peer that begin with a group, by their second group. */
static Outcome add_row(const Places *peer, int32_t group, Row *row)
{
    for (int32_t place = peer->first[group]; place != NONE; place = peer->next[place]) {
        int32_t end = peer->ends[place];
        for (int32_t second = place + 1; second < end; second++)
            row->counts[peer->groups[second]]++;
        if (has_to_end(&row->work, end - place))
            return INTERRUPTED;
    }
    return DONE;
}

static void clear_row(const Places *peer, int32_t group, Row *row)
{
    for (int32_t place = peer->first[group]; place != NONE; place = peer->next[place]) {
        int32_t end = peer->ends[place];
        for (int32_t second = place + 1; second < end; second++)
            row->counts[peer->groups[second]] = 0;
    }
}

/* Match the skip-bigrams of the model, using up those of the peer, and add their number to the
 * hits. */
static Outcome use_up_row(const Places *model, int32_t group, Row *row, int64_t *hits)
{
    for (int32_t place = model->first[group]; place != NONE; place = model->next[place]) {
        int32_t end = model->ends[place];
        for (int32_t second = place + 1; second < end; second++) {
            int64_t *count = &row->counts[model->groups[second]];
            int is_left = *count > 0;
            *count = row->are_sets ? 0 : *count - is_left;
            *hits += is_left;
        }
        if (has_to_end(&row->work, end - place))
            return INTERRUPTED;
    }
    return DONE;
}

/* Count the skip-bigrams that both texts of a pair have. */
static Outcome skip_bigram_hits(const Places *peer, const Places *model, int32_t n_groups, Row *row,
                                int64_t *hits)
{
    *hits = 0;
    for (int32_t group = 0; group < n_groups; group++) {
        if (peer->first[group] == NONE)
            continue;
        if (add_row(peer, group, row) != DONE ||
            use_up_row(model, group, row, hits) != DONE)
            return INTERRUPTED;
        clear_row(peer, group, row);
    }
    return DONE;
}

/* Return the group of the last token of a text, or NONE if the text is empty or the token
 * unmatched. */
static int32_t last_group(const int32_t *groups, int32_t n_tokens)
{
    return n_tokens ? groups[n_tokens - 1] : NONE;
}

/* Return the hits of ROUGE-1 without the last token of each text. */
static int64_t unigram_hits(const Matches *matches)
{
    int64_t hits = 0;
    int32_t last_of_peer = last_group(matches->peer_groups, matches->peer.n_tokens);
    int32_t last_of_model = last_group(matches->model_groups, matches->model.n_tokens);
    for (int32_t group = 0; group < matches->n_groups; group++) {
        int32_t of_peer = matches->peer_counts[group] - (group == last_of_peer);
        int32_t of_model = matches->model_counts[group] - (group == last_of_model);
        hits += of_peer < of_model ? of_peer : of_model;
    }
    return hits;
}

/* Count all pairs for ROUGE-S, and the unigrams that ROUGE-SU adds. Twin: `count_skip_bigrams`. */
Outcome count_skip_bigrams(const Pairs *pairs, int64_t max_gap, int are_sets, int64_t *hits,
                           int64_t *hits_of_unigrams)
{
    Places of_peer, of_model;
    Matcher matcher;
    int32_t longest = pairs->longest_peer;
    Row row = {zeros((size_t)longest, sizeof(int64_t)), are_sets, 0};
    Outcome outcome = new_places(&of_peer, longest, longest);
    if (new_places(&of_model, pairs->longest_model, longest) != DONE)
        outcome = NO_MEMORY;
    if (new_matcher(&matcher, pairs) != DONE || !row.counts)
        outcome = NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < pairs->peers.n_pairs; pair++) {
        Matches matches = match_pair(&matcher, pairs, pair);
        find_places(&of_peer, matches.peer_groups, matches.peer.n_tokens, matches.n_groups,
                    max_gap);
        find_places(&of_model, matches.model_groups, matches.model.n_tokens, matches.n_groups,
                    max_gap);
        outcome = skip_bigram_hits(&of_peer, &of_model, matches.n_groups, &row, &hits[pair]);
        hits_of_unigrams[pair] = unigram_hits(&matches);
    }
    free(row.counts);
    free_matcher(&matcher);
    free_places(&of_peer);
    free_places(&of_model);
    return outcome;
}
