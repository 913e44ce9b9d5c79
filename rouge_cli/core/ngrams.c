/* ROUGE-N: n-grams as multisets. Twin: metrics/ngrams.py.
 *
 * An n-gram can match only if its first n-1 words and its last word have matched. So each order
 * examines only those n-grams whose beginnings matched in the order before.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* The n-grams of a text that may still match. All arrays are by n-gram. */
typedef struct {
    int32_t *starts, *numbers;
    uint64_t *keys; /* keys of the next order's n-grams */
    int32_t n_ngrams;
} Ngrams;

struct NgramCounter {
    NgramTable table;
    Ngrams of_peer, of_model;
    int64_t work; /* steps since the last check for an interrupt */
};

static Outcome new_ngrams(Ngrams *ngrams, int32_t longest)
{
    ngrams->starts = zeros((size_t)longest + 1, sizeof(int32_t));
    ngrams->numbers = zeros((size_t)longest + 1, sizeof(int32_t));
    ngrams->keys = zeros((size_t)longest + 1, sizeof(uint64_t));
    return ngrams->starts && ngrams->numbers && ngrams->keys ? DONE : NO_MEMORY;
}

static void free_ngrams(Ngrams *ngrams)
{
    free(ngrams->starts);
    free(ngrams->numbers);
    free(ngrams->keys);
}

Outcome new_ngram_table(NgramTable *table, size_t most)
{
    size_t room = 16;
    while (room < 2 * most)
        room *= 2;
    table->keys = zeros(room, sizeof(uint64_t));
    table->numbers = zeros(room, sizeof(int32_t));
    table->counts = zeros(most, sizeof(int32_t));
    return table->keys && table->numbers && table->counts ? DONE : NO_MEMORY;
}

void free_ngram_table(NgramTable *table)
{
    free(table->keys);
    free(table->numbers);
    free(table->counts);
}

void clear_ngram_table(NgramTable *table, size_t most)
{
    table->n_slots = 16;
    table->shift = 64 - 4;
    for (; table->n_slots < 2 * most; table->shift--)
        table->n_slots *= 2;
    memset(table->numbers, 0xFF, table->n_slots * sizeof(int32_t));
    table->n_ngrams = 0;
}

/* Begin with the unigrams of a text that match. */
static void set_unigrams(Ngrams *ngrams, const int32_t *places, int32_t n_places,
                         const int32_t *groups)
{
    ngrams->n_ngrams = n_places;
    for (int32_t place = 0; place < n_places; place++) {
        ngrams->starts[place] = places[place];
        ngrams->numbers[place] = groups[places[place]];
    }
}

/* Keep the n-grams of order n-1 that are followed by a matched word, and set the keys of order n.
 * After the last token, `groups` has NONE. */
static void lengthen(Ngrams *ngrams, const int32_t *groups, int n)
{
    int32_t n_kept = 0;
    for (int32_t ngram = 0; ngram < ngrams->n_ngrams; ngram++) {
        int32_t start = ngrams->starts[ngram], group = groups[start + n - 1];
        ngrams->starts[n_kept] = start;
        ngrams->keys[n_kept] =
            key_of_ngram(ngrams->numbers[ngram], group);
        n_kept += group != NONE;
    }
    ngrams->n_ngrams = n_kept;
}

/* Number and count the n-grams of the peer. */
static void add_ngrams(NgramTable *table, Ngrams *ngrams)
{
    for (int32_t ngram = 0; ngram < ngrams->n_ngrams; ngram++) {
        ngrams->numbers[ngram] = number_ngram(table, ngrams->keys[ngram]);
        table->counts[ngrams->numbers[ngram]]++;
    }
}

/* Keep the n-grams of the model that the peer has too. Returns the hits: each n-gram of the model
 * uses up one of the peer, as long as there is one left. */
static int64_t use_up_ngrams(NgramTable *table, Ngrams *ngrams)
{
    int64_t hits = 0;
    int32_t n_kept = 0;
    for (int32_t ngram = 0; ngram < ngrams->n_ngrams; ngram++) {
        int32_t number = table->numbers[slot_of_ngram(table, ngrams->keys[ngram])];
        if (number == NONE)
            continue;
        ngrams->starts[n_kept] = ngrams->starts[ngram];
        ngrams->numbers[n_kept++] = number;
        hits += table->counts[number] > 0;
        table->counts[number] -= table->counts[number] > 0;
    }
    ngrams->n_ngrams = n_kept;
    return hits;
}

static int64_t unigram_hits(const Matches *matches)
{
    int32_t hits = 0;
    for (int32_t group = 0; group < matches->n_groups; group++)
        hits += shared_count(matches, group);
    return hits;
}

void free_ngram_counter(NgramCounter *counter)
{
    if (!counter)
        return;
    free_ngram_table(&counter->table);
    free_ngrams(&counter->of_peer);
    free_ngrams(&counter->of_model);
    free(counter);
}

NgramCounter *new_ngram_counter(const Pairs *pairs)
{
    NgramCounter *counter = zeros(1, sizeof *counter);
    if (counter && new_ngram_table(&counter->table, (size_t)pairs->longest_peer) == DONE &&
        new_ngrams(&counter->of_peer, pairs->longest_peer) == DONE &&
        new_ngrams(&counter->of_model, pairs->longest_model) == DONE)
        return counter;
    free_ngram_counter(counter);
    return NULL;
}

/* Count the n-grams of one pair, order by order. Twin: `count_ngrams`. */
Outcome count_ngrams(NgramCounter *counter, const Matches *matches, int max_ngram, int64_t *hits,
                     int64_t n_pairs)
{
    Ngrams *of_peer = &counter->of_peer, *of_model = &counter->of_model;
    hits[0] = unigram_hits(matches);
    if (has_to_end(&counter->work, (int64_t)matches->peer.n_tokens + matches->model.n_tokens))
        return INTERRUPTED;
    if (max_ngram == 1 || hits[0] == 0)
        return DONE;
    set_unigrams(of_peer, matches->peer_places, matches->n_peer_places, matches->peer_groups);
    set_unigrams(of_model, matches->model_places, matches->n_model_places, matches->model_groups);
    for (int n = 2; n <= max_ngram; n++) {
        if (has_to_end(&counter->work, (int64_t)of_peer->n_ngrams + of_model->n_ngrams))
            return INTERRUPTED;
        lengthen(of_peer, matches->peer_groups, n);
        lengthen(of_model, matches->model_groups, n);
        if (of_peer->n_ngrams == 0 || of_model->n_ngrams == 0)
            return DONE;
        clear_ngram_table(&counter->table, (size_t)of_peer->n_ngrams);
        add_ngrams(&counter->table, of_peer);
        hits[(n - 1) * n_pairs] = use_up_ngrams(&counter->table, of_model);
    }
    return DONE;
}
