/* Which tokens of a peer and its model are equal: a group is a type that both have.
 *
 * The reference has no such step, as its multisets and masks find equal tokens by themselves. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

void *zeros(size_t count, size_t size)
{
    return calloc(count ? count : 1, size);
}

Text text_of(const Side *side, int64_t pair)
{
    const Columns *columns = &side->columns;
    int64_t text = side->texts[pair];
    int64_t first = columns->text_offsets[text], last = columns->text_offsets[text + 1];
    const int64_t *offsets = columns->sentence_offsets + first;
    int64_t first_token = offsets[0];
    return (Text){
        columns->types + first_token,
        (int32_t)(offsets[last - first] - first_token),
        offsets,
        first_token,
        last - first,
    };
}

int32_t longest_text(const Side *side)
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
            int32_t n_tokens = sentence_start(&text, sentence + 1) - sentence_start(&text, sentence);
            if (n_tokens > longest)
                longest = n_tokens;
        }
    }
    return longest;
}

/* Return where the tokens of each text begin, and the end of the last; NULL without memory. */
static int64_t *starts_of(const Side *side)
{
    int64_t *starts = zeros((size_t)side->n_pairs + 1, sizeof(int64_t));
    for (int64_t pair = 0; starts && pair < side->n_pairs; pair++)
        starts[pair + 1] = starts[pair] + text_of(side, pair).n_tokens;
    return starts;
}

/* Match one pair; returns the number of groups.
 *
 * Groups are numbered in the order of the peer; one whose type the model lacks has the model count
 * 0, and its tokens have no group. No branch hangs on whether a token is matched, which no
 * processor can guess. `groups_of_types` is NONE of all types, before and afterwards. */
static int32_t match_tokens(int32_t *groups_of_types, const Text *peer, const Text *model,
                            int32_t *peer_groups, int32_t *model_groups, int32_t *peer_counts,
                            int32_t *model_counts)
{
    int32_t n_groups = 0;
    for (int32_t token = 0; token < peer->n_tokens; token++) {
        int32_t type = peer->types[token], known = groups_of_types[type];
        int32_t group = known == NONE ? n_groups : known;
        n_groups += known == NONE;
        groups_of_types[type] = peer_groups[token] = group;
        peer_counts[group]++;
    }
    /* The counts of tokens without a group go where no group has its count. */
    int32_t no_group = n_groups;
    for (int32_t token = 0; token < model->n_tokens; token++) {
        int32_t group = groups_of_types[model->types[token]];
        model_groups[token] = group;
        model_counts[group == NONE ? no_group : group]++;
    }
    for (int32_t token = 0; token < peer->n_tokens; token++) {
        int32_t group = peer_groups[token];
        peer_groups[token] = model_counts[group] ? group : NONE;
        groups_of_types[peer->types[token]] = NONE;
    }
    return n_groups;
}

int32_t *none_of_types(int64_t n_types)
{
    int32_t *numbers = zeros((size_t)n_types, sizeof(int32_t));
    if (numbers)
        memset(numbers, 0xFF, (size_t)n_types * sizeof(int32_t));
    return numbers;
}

/* Twin: `count_sets`, which makes a set of them. Each type remembers the last sentence that had it. */
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

Outcome match_pairs(Pairs *pairs)
{
    int64_t n_pairs = pairs->peers.n_pairs;
    int32_t *groups_of_types = none_of_types(pairs->n_types);
    pairs->peer_starts = starts_of(&pairs->peers);
    pairs->model_starts = starts_of(&pairs->models);
    pairs->n_groups = zeros((size_t)n_pairs, sizeof(int32_t));
    if (!groups_of_types || !pairs->peer_starts || !pairs->model_starts || !pairs->n_groups) {
        free(groups_of_types);
        return NO_MEMORY;
    }
    size_t n_peer = (size_t)pairs->peer_starts[n_pairs];
    pairs->peer_groups = zeros(n_peer, sizeof(int32_t));
    pairs->model_groups = zeros((size_t)pairs->model_starts[n_pairs], sizeof(int32_t));
    pairs->peer_counts = zeros(n_peer + (size_t)n_pairs, sizeof(int32_t));
    pairs->model_counts = zeros(n_peer + (size_t)n_pairs, sizeof(int32_t));
    Outcome outcome = pairs->peer_groups && pairs->model_groups && pairs->peer_counts &&
                              pairs->model_counts
                          ? DONE
                          : NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < n_pairs; pair++) {
        Text peer = text_of(&pairs->peers, pair), model = text_of(&pairs->models, pair);
        int64_t first = pairs->peer_starts[pair], first_group = first + pair;
        pairs->n_groups[pair] = match_tokens(
            groups_of_types, &peer, &model, pairs->peer_groups + first,
            pairs->model_groups + pairs->model_starts[pair], pairs->peer_counts + first_group,
            pairs->model_counts + first_group);
    }
    free(groups_of_types);
    return outcome;
}

Matches matches_of(const Pairs *pairs, int64_t pair)
{
    int64_t first = pairs->peer_starts[pair], first_group = first + pair;
    return (Matches){
        text_of(&pairs->peers, pair),
        text_of(&pairs->models, pair),
        pairs->peer_groups + first,
        pairs->model_groups + pairs->model_starts[pair],
        pairs->peer_counts + first_group,
        pairs->model_counts + first_group,
        pairs->n_groups[pair],
    };
}

void free_pairs(Pairs *pairs)
{
    free(pairs->peer_starts);
    free(pairs->model_starts);
    free(pairs->peer_groups);
    free(pairs->model_groups);
    free(pairs->peer_counts);
    free(pairs->model_counts);
    free(pairs->n_groups);
}
