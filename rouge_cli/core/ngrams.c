/* ROUGE-N: n-grams as multisets. Twin: metrics/ngrams.py. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* The n-grams of one order of one pair: keys in a table of slots, and how often each is left. */
typedef struct {
    uint64_t *keys;
    int32_t *numbers; /* by slot; NONE in an empty one */
    int32_t *left;    /* by number: how many of the peer's no model n-gram has used up */
    size_t n_slots, room;
    int shift; /* leaves of 64 bits the highest, as many as number the slots */
    int32_t n_ngrams;
} NgramTable;

static Outcome new_table(NgramTable *table, int32_t longest)
{
    table->room = 16;
    while (table->room < 2 * (size_t)longest)
        table->room *= 2;
    table->keys = zeros(table->room, sizeof(uint64_t));
    table->numbers = zeros(table->room, sizeof(int32_t));
    table->left = zeros((size_t)longest, sizeof(int32_t));
    return table->keys && table->numbers && table->left ? DONE : NO_MEMORY;
}

static void free_table(NgramTable *table)
{
    free(table->keys);
    free(table->numbers);
    free(table->left);
}

/* Empty the table, and make at least half of it room that stays free. */
static void clear_table(NgramTable *table, int32_t most_ngrams)
{
    table->n_slots = 16;
    table->shift = 64 - 4;
    for (; table->n_slots < 2 * (size_t)most_ngrams; table->shift--)
        table->n_slots *= 2;
    memset(table->numbers, 0xFF, table->n_slots * sizeof(int32_t));
    table->n_ngrams = 0;
}

/* Return the slot that holds a key, or the empty one where it belongs. */
static size_t slot_of(const NgramTable *table, uint64_t key)
{
    size_t last = table->n_slots - 1;
    size_t slot = (size_t)((key * slot_factor) >> table->shift);
    while (table->numbers[slot] != NONE && table->keys[slot] != key)
        slot = (slot + 1) & last;
    return slot;
}

static uint64_t key_of(int32_t shorter, int32_t group)
{
    return (uint64_t)(uint32_t)shorter << 32 | (uint32_t)group;
}

/* Turn the (n-1)-grams that begin at each token of the peer into n-grams. */
static void add_ngrams(NgramTable *table, int32_t *ngrams, const int32_t *groups, int32_t n_places,
                       int n)
{
    for (int32_t place = 0; place < n_places; place++) {
        int32_t shorter = ngrams[place], group = groups[place + n - 1];
        ngrams[place] = NONE;
        if (shorter == NONE || group == NONE)
            continue;
        uint64_t key = key_of(shorter, group);
        size_t slot = slot_of(table, key);
        if (table->numbers[slot] == NONE) {
            table->keys[slot] = key;
            table->numbers[slot] = table->n_ngrams;
            table->left[table->n_ngrams++] = 0;
        }
        ngrams[place] = table->numbers[slot];
        table->left[ngrams[place]]++;
    }
}

/* The same for the model, whose n-grams use up those of the peer; returns the hits. */
static int64_t use_up_ngrams(NgramTable *table, int32_t *ngrams, const int32_t *groups,
                             int32_t n_places, int n)
{
    int64_t hits = 0;
    for (int32_t place = 0; place < n_places; place++) {
        int32_t shorter = ngrams[place], group = groups[place + n - 1];
        ngrams[place] = NONE;
        if (shorter == NONE || group == NONE)
            continue;
        int32_t ngram = table->numbers[slot_of(table, key_of(shorter, group))];
        ngrams[place] = ngram;
        if (ngram != NONE && table->left[ngram] > 0) {
            table->left[ngram]--;
            hits++;
        }
    }
    return hits;
}

static int64_t unigram_hits(const Matches *matches)
{
    int64_t hits = 0;
    for (int32_t group = 0; group < matches->n_groups; group++)
        hits += shared_count(matches, group);
    return hits;
}

/* Count one pair. `hits[(n - 1) * n_pairs]` is that of order n. */
static void count_pair(const Matches *matches, NgramTable *table, int32_t *peer_ngrams,
                       int32_t *model_ngrams, int max_ngram, int64_t *hits, int64_t n_pairs)
{
    int32_t n_peer = matches->peer.n_tokens, n_model = matches->model.n_tokens;
    hits[0] = unigram_hits(matches);
    if (max_ngram == 1 || hits[0] == 0)
        return;
    memcpy(peer_ngrams, matches->peer_groups, (size_t)n_peer * sizeof(int32_t));
    memcpy(model_ngrams, matches->model_groups, (size_t)n_model * sizeof(int32_t));
    for (int n = 2; n <= max_ngram && n <= n_peer && n <= n_model; n++) {
        clear_table(table, n_peer);
        add_ngrams(table, peer_ngrams, matches->peer_groups, n_peer - n + 1, n);
        int64_t found = use_up_ngrams(table, model_ngrams, matches->model_groups, n_model - n + 1, n);
        if (found == 0)
            return;
        hits[(n - 1) * n_pairs] = found;
    }
}

/* Twin: `count_ngrams`. */
Outcome count_ngrams(const Pairs *pairs, int max_ngram, int64_t *hits)
{
    NgramTable table;
    int64_t n_pairs = pairs->peers.n_pairs;
    int32_t longest = longest_text(&pairs->peers);
    int32_t *peer_ngrams = zeros((size_t)longest, sizeof(int32_t));
    int32_t *model_ngrams = zeros((size_t)longest_text(&pairs->models), sizeof(int32_t));
    Outcome outcome = new_table(&table, longest);
    if (!peer_ngrams || !model_ngrams)
        outcome = NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < n_pairs; pair++) {
        Matches matches = matches_of(pairs, pair);
        count_pair(&matches, &table, peer_ngrams, model_ngrams, max_ngram, hits + pair, n_pairs);
    }
    free(peer_ngrams);
    free(model_ngrams);
    free_table(&table);
    return outcome;
}
