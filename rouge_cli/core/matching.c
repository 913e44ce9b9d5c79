/* Finds the tokens that a peer and its model share: a group is a type that occurs in both.
 *
 * The reference in Python has no such step, as its multisets and masks find equal tokens anyway.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

void *zeros(size_t count, size_t size)
{
    return calloc(count ? count : 1, size);
}

static int32_t longest_text(const Side *side)
{
    int32_t longest = 0;
    for (int64_t pair = 0; pair < side->n_pairs; pair++) {
        int32_t n_tokens = text_of(side, pair).n_tokens;
        if (n_tokens > longest)
            longest = n_tokens;
    }
    return longest;
}

int32_t longest_sentence(const Side *side)
{
    int32_t longest = 0;
    for (int64_t pair = 0; pair < side->n_pairs; pair++) {
        Text text = text_of(side, pair);
        for (int64_t sentence = 0; sentence < text.n_sentences; sentence++) {
            int32_t start = sentence_start(&text, sentence);
            int32_t n_tokens = sentence_start(&text, sentence + 1) - start;
            if (n_tokens > longest)
                longest = n_tokens;
        }
    }
    return longest;
}

void measure_pairs(Pairs *pairs)
{
    pairs->longest_peer = longest_text(&pairs->peers);
    pairs->longest_model = longest_text(&pairs->models);
}

int32_t renumber_types(int32_t *types, int64_t n_tokens)
{
    int bits = 4;
    while ((int64_t)1 << bits < 2 * n_tokens)
        bits++;
    size_t n_slots = (size_t)1 << bits;
    int32_t n_types = 0, *numbers = malloc(n_slots * 2 * sizeof(int32_t));
    if (!numbers)
        return NONE;
    int32_t *slots = numbers + n_slots;
    memset(slots, 0xFF, n_slots * sizeof(int32_t));
    for (int64_t token = 0; token < n_tokens; token++) {
        size_t slot = (size_t)((uint64_t)types[token] * slot_factor >> (64 - bits));
        while (slots[slot] != NONE && slots[slot] != types[token])
            slot = (slot + 1) & (n_slots - 1);
        if (slots[slot] == NONE) {
            slots[slot] = types[token];
            numbers[slot] = n_types++;
        }
        types[token] = numbers[slot];
    }
    free(numbers);
    return n_types;
}

Outcome new_matcher(Matcher *matcher, const Pairs *pairs)
{
    size_t n_types = (size_t)pairs->n_types;
    size_t n_peer = (size_t)pairs->longest_peer + 1, n_model = (size_t)pairs->longest_model + 1;
    int32_t *numbers = malloc((n_types + 4 * n_peer + 2 * n_model) * sizeof(int32_t));
    memset(matcher, 0, sizeof *matcher);
    if (!numbers)
        return NO_MEMORY;
    memset(numbers, 0, n_types * sizeof(int32_t));
    matcher->marks = numbers;
    matcher->least = 1;
    matcher->n_types = pairs->n_types;
    matcher->peer_groups = numbers + n_types;
    matcher->peer_places = matcher->peer_groups + n_peer;
    matcher->peer_counts = matcher->peer_places + n_peer;
    matcher->model_counts = matcher->peer_counts + n_peer;
    matcher->model_groups = matcher->model_counts + n_peer;
    matcher->model_places = matcher->model_groups + n_model;
    return DONE;
}

void free_matcher(Matcher *matcher)
{
    free(matcher->marks);
}

/* Find the tokens of a text whose types have a mark of at least `least`. Returns their number. */
static int32_t find_places(const int32_t *marks, int32_t least, const Text *text, int32_t *places,
                           int32_t *groups)
{
    int32_t n_places = 0;
    for (int32_t token = 0; token < text->n_tokens; token++) {
        places[n_places] = token;
        n_places += marks[text->types[token]] >= least;
    }
    memset(groups, 0xFF, ((size_t)text->n_tokens + 1) * sizeof(int32_t));
    return n_places;
}

/* Number the groups in the order of their first tokens in the model. Returns their number. */
static int32_t number_groups(Matcher *matcher, const Text *model, int32_t n_places)
{
    int32_t n_groups = 0, *marks = matcher->marks, least = matcher->least;
    for (int32_t place = 0; place < n_places; place++) {
        int32_t token = matcher->model_places[place], *mark = &marks[model->types[token]];
        int32_t is_new = *mark == least, group = is_new ? n_groups : *mark - least - 1;
        *mark = least + 1 + group;
        matcher->model_groups[token] = group;
        matcher->model_counts[n_groups] = 0;
        matcher->model_counts[group]++;
        n_groups += is_new;
    }
    return n_groups;
}

/* The types of the peer are marked with `least`. Those that the model shares then get a greater
 * mark: the number of their group, plus `least + 1`. Later pairs use greater marks, so old marks
 * need no clearing. No branch depends on whether a token is matched: it would be mispredicted, and
 * an unmatched token takes few steps anyway. */
Matches match_pair(Matcher *matcher, const Pairs *pairs, int64_t pair)
{
    Text peer = text_of(&pairs->peers, pair), model = text_of(&pairs->models, pair);
    if (matcher->least > INT32_MAX - 2 - model.n_tokens) {
        memset(matcher->marks, 0, (size_t)matcher->n_types * sizeof(int32_t));
        matcher->least = 1;
    }
    int32_t *marks = matcher->marks, least = matcher->least;
    for (int32_t token = 0; token < peer.n_tokens; token++)
        marks[peer.types[token]] = least;
    int32_t n_model_places =
        find_places(marks, least, &model, matcher->model_places, matcher->model_groups);
    int32_t n_groups = number_groups(matcher, &model, n_model_places);
    int32_t n_peer_places =
        find_places(marks, least + 1, &peer, matcher->peer_places, matcher->peer_groups);
    memset(matcher->peer_counts, 0, (size_t)n_groups * sizeof(int32_t));
    for (int32_t place = 0; place < n_peer_places; place++) {
        int32_t token = matcher->peer_places[place], group = marks[peer.types[token]] - least - 1;
        matcher->peer_groups[token] = group;
        matcher->peer_counts[group]++;
    }
    matcher->least = least + n_groups + 1;
    return (Matches){
        peer,
        model,
        matcher->peer_groups,
        matcher->model_groups,
        matcher->peer_places,
        matcher->model_places,
        n_peer_places,
        n_model_places,
        matcher->peer_counts,
        matcher->model_counts,
        n_groups,
    };
}

/* Twin: `_count_sets`, which makes a set of each sentence. Here an array holds the last sentence in
 * which each type occurred. */
Outcome mark_firsts(const int32_t *types, const int64_t *sentence_offsets, int64_t n_sentences,
                    int64_t n_types, uint8_t *is_first)
{
    int64_t *last_sentences = zeros((size_t)n_types, sizeof(int64_t));
    if (!last_sentences)
        return NO_MEMORY;
    for (int64_t sentence = 1; sentence <= n_sentences; sentence++)
        for (int64_t token = sentence_offsets[sentence - 1]; token < sentence_offsets[sentence];
             token++) {
            is_first[token] = last_sentences[types[token]] != sentence;
            last_sentences[types[token]] = sentence;
        }
    free(last_sentences);
    return DONE;
}
