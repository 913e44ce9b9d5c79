/* Documents and their summaries: a greedy choice of sentences, fragments, and novel n-grams. Twins:
 * metrics/sources.py. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define N_ORDERS 2

/* Return the end, exclusive, of the tokens that begin an n-gram of a sentence. */
static inline int32_t end_of_ngrams(const Text *text, int64_t sentence, int32_t n_left_out)
{
    return sentence_start(text, sentence + 1) - n_left_out;
}

/* An n-gram and its count in a sentence. */
typedef struct {
    int32_t number, count;
} Entry;

/* A document, its summaries, and the n-grams of the selection. */
typedef struct {
    const Pairs *pairs;
    const Selection *rule;
    Text text;
    int64_t first_pair, n_summaries;
    NgramTable table;
    Entry *entries;   /* distinct n-grams of each sentence, order after order */
    int64_t *firsts;  /* first entry of each sentence and order, N_ORDERS per sentence */
    int32_t *n_uses;  /* by type: its count in the document and its summaries */
    int32_t *n_lone;  /* n-grams of each sentence that occur nowhere else, N_ORDERS per sentence */
    uint8_t *are_shared; /* by token: whether its word occurs elsewhere too */
    int32_t *kept;    /* tokens of a sentence with which the kept n-grams begin */
    int32_t *chosen;  /* by n-gram: its count in the selection */
    int32_t *latest;  /* by n-gram: its last entry, counted from 1 */
    int32_t *wanted;  /* by n-gram: its count in each summary, a row per summary */
    int32_t n_wanted; /* number of all unigrams and of the summaries' bigrams, which have the lowest
                       * numbers */
    int64_t *sums, *hits; /* by summary, a row per order */
    int64_t n_chosen[N_ORDERS];
    double *scores; /* by sentence; below 0 once it is taken */
    int64_t work;
} Document;

static Outcome new_document(Document *document, const int64_t *starts, int64_t n_documents)
{
    size_t n_tokens = (size_t)document->pairs->longest_peer, most = 0, n_sentences = 0;
    for (int64_t number = 0; number < n_documents; number++) {
        size_t n = (size_t)text_of(&document->pairs->peers, starts[number]).n_sentences;
        size_t n_summaries = (size_t)(starts[number + 1] - starts[number]);
        n_sentences = n > n_sentences ? n : n_sentences;
        most = n_summaries > most ? n_summaries : most;
    }
    size_t n_bigrams = n_tokens + most * (size_t)document->pairs->longest_model;
    size_t n_ngrams = (size_t)document->pairs->n_types + n_bigrams, n_wanted = n_ngrams - n_tokens;
    if (n_ngrams > INT32_MAX || most > SIZE_MAX / 8 / (n_wanted + 1))
        return NO_MEMORY;
    document->entries = zeros(N_ORDERS * n_tokens, sizeof(Entry));
    document->firsts = zeros(N_ORDERS * n_sentences + 1, sizeof(int64_t));
    document->n_uses = zeros((size_t)document->pairs->n_types, sizeof(int32_t));
    document->n_lone = zeros(N_ORDERS * n_sentences, sizeof(int32_t));
    document->are_shared = zeros(n_tokens, 1);
    document->kept = zeros(n_tokens, sizeof(int32_t));
    document->chosen = zeros(n_ngrams, sizeof(int32_t));
    document->latest = zeros(n_ngrams, sizeof(int32_t));
    document->wanted = zeros(n_wanted * most, sizeof(int32_t));
    document->sums = zeros(2 * N_ORDERS * most, sizeof(int64_t));
    document->scores = zeros(n_sentences, sizeof(double));
    if (!document->entries || !document->firsts || !document->n_uses || !document->n_lone ||
        !document->are_shared || !document->kept || !document->chosen || !document->latest ||
        !document->wanted || !document->sums || !document->scores)
        return NO_MEMORY;
    return new_ngram_table(&document->table, n_bigrams);
}

static void free_document(Document *document)
{
    free(document->entries);
    free(document->firsts);
    free(document->n_uses);
    free(document->n_lone);
    free(document->are_shared);
    free(document->kept);
    free(document->chosen);
    free(document->latest);
    free(document->wanted);
    free(document->sums);
    free(document->scores);
    free_ngram_table(&document->table);
}

/* Return the number of a unigram, which is its type, or of a bigram, which is above all types. */
static inline int32_t number_tokens(Document *document, const int32_t *types, int order)
{
    if (order == 1)
        return types[0];
    return (int32_t)document->pairs->n_types +
           number_ngram(&document->table, key_of_ngram(types[0], types[1]));
}

/* Count the n-grams of the summaries. Their numbers are below `most`. */
static void read_summaries(Document *document, int32_t most)
{
    int64_t n_summaries = document->n_summaries;
    memset(document->wanted, 0, (size_t)n_summaries * (size_t)most * sizeof(int32_t));
    memset(document->sums, 0, (size_t)(2 * N_ORDERS * n_summaries) * sizeof(int64_t));
    document->hits = document->sums + N_ORDERS * n_summaries;
    for (int64_t number = 0; number < n_summaries; number++) {
        Text summary = text_of(&document->pairs->models, document->first_pair + number);
        int32_t *wanted = document->wanted + number * most;
        for (int64_t sentence = 0; sentence < summary.n_sentences; sentence++)
            for (int order = 1; order <= N_ORDERS; order++) {
                int32_t token = sentence_start(&summary, sentence);
                for (; token < end_of_ngrams(&summary, sentence, order - 1); token++) {
                    int32_t *count =
                        wanted + number_tokens(document, summary.types + token, order);
                    int is_counted = !document->rule->are_sets || !*count;
                    *count += is_counted;
                    document->sums[(order - 1) * n_summaries + number] += is_counted;
                }
            }
    }
    document->n_wanted = most;
}

/* Find the words of a document that it repeats or that a summary has too. */
static void find_shared(Document *document)
{
    const Text *text = &document->text;
    memset(document->n_uses, 0, (size_t)document->pairs->n_types * sizeof(int32_t));
    for (int32_t token = 0; token < text->n_tokens; token++)
        document->n_uses[text->types[token]]++;
    for (int64_t number = 0; number < document->n_summaries; number++) {
        Text summary = text_of(&document->pairs->models, document->first_pair + number);
        for (int32_t token = 0; token < summary.n_tokens; token++)
            document->n_uses[summary.types[token]]++;
    }
    for (int32_t token = 0; token < text->n_tokens; token++)
        document->are_shared[token] = document->n_uses[text->types[token]] > 1;
}

/* Keep the n-grams of a sentence whose words all occur elsewhere too. There is no branch, since it
 * would often be mispredicted. */
static int32_t keep_shared(Document *document, int32_t start, int32_t end, int order)
{
    const uint8_t *are_shared = document->are_shared;
    int32_t n_kept = 0, *kept = document->kept;
    for (int32_t token = start; token < end; token++) {
        kept[n_kept] = token;
        n_kept += are_shared[token] & are_shared[token + order - 1];
    }
    return n_kept;
}

/* Number and count the n-grams of a document and of its summaries. An n-gram with a word that
 * occurs nowhere else cannot occur elsewhere either, so it needs no number. Skipping such n-grams
 * reduces the time for labels by a third. */
static void read_document(Document *document)
{
    const Text *text = &document->text;
    NgramTable *table = &document->table;
    int32_t n_types = (int32_t)document->pairs->n_types, n_others = 0;
    int32_t *n_lone = document->n_lone;
    int64_t n_entries = 0, *first = document->firsts;
    for (int64_t number = 0; number < document->n_summaries; number++)
        n_others += text_of(&document->pairs->models, document->first_pair + number).n_tokens;
    clear_ngram_table(table, (size_t)n_others + (size_t)text->n_tokens);
    find_shared(document);
    read_summaries(document, n_types + n_others);
    size_t n_bytes =
        ((size_t)n_types + (size_t)n_others + (size_t)text->n_tokens) * sizeof(int32_t);
    memset(document->chosen, 0, n_bytes);
    memset(document->latest, 0, n_bytes);
    for (int64_t sentence = 0; sentence < text->n_sentences; sentence++)
        for (int order = 1; order <= N_ORDERS; order++) {
            int32_t start = sentence_start(text, sentence);
            int32_t end = end_of_ngrams(text, sentence, order - 1);
            int32_t n_kept = keep_shared(document, start, end, order);
            *first = n_entries;
            *n_lone = end > start ? end - start - n_kept : 0;
            for (int32_t place = 0; place < n_kept; place++) {
                int32_t number =
                    number_tokens(document, text->types + document->kept[place], order);
                if (document->latest[number] <= *first) {
                    document->entries[n_entries++] = (Entry){number, 0};
                    document->latest[number] = (int32_t)n_entries;
                }
                Entry *entry = &document->entries[document->latest[number] - 1];
                entry->count += !document->rule->are_sets || !entry->count;
            }
            first++;
            n_lone++;
        }
    *first = n_entries;
    memset(document->n_chosen, 0, sizeof document->n_chosen);
}

/* Return F of a selection for n-grams of one order. Twin: `SelectionRule.f`. */
static double f_of_selection(int64_t hits, int64_t n_chosen, int64_t n_wanted, double added)
{
    if (!hits)
        return 0;
    if (added == 0)
        return (double)(2 * hits) / (double)(n_chosen + n_wanted);
    double precision = (double)hits / (double)n_chosen, recall = (double)hits / (double)n_wanted;
    return 2.0 * ((precision * recall) / (precision + recall + added));
}

static inline int32_t smaller(int32_t one, int32_t other)
{
    return one < other ? one : other;
}

/* Return the score of the selection with one more sentence, and add the sentence if `is_taken`. */
static double score_with(Document *document, int64_t sentence, int is_taken)
{
    int64_t n_summaries = document->n_summaries;
    const int64_t *firsts = document->firsts + N_ORDERS * sentence;
    int32_t *chosen = document->chosen, n_wanted = document->n_wanted;
    int are_sets = document->rule->are_sets;
    double score = 0;
    for (int order = 0; order < N_ORDERS; order++) {
        const Entry *entries = document->entries + firsts[order];
        int64_t n_entries = firsts[order + 1] - firsts[order];
        int64_t n_chosen =
            document->n_chosen[order] + document->n_lone[N_ORDERS * sentence + order];
        for (int64_t place = 0; place < n_entries; place++)
            n_chosen += are_sets ? !chosen[entries[place].number] : entries[place].count;
        double total = 0;
        for (int64_t number = 0; number < n_summaries; number++) {
            const int32_t *wanted = document->wanted + number * n_wanted;
            int64_t *hits_before = &document->hits[order * n_summaries + number];
            int64_t hits = *hits_before;
            for (int64_t place = 0; place < n_entries; place++) {
                Entry entry = entries[place];
                if (entry.number >= n_wanted)
                    continue;
                int32_t before = chosen[entry.number], limit = wanted[entry.number];
                hits += smaller(before + entry.count, limit) - smaller(before, limit);
            }
            total += f_of_selection(hits, n_chosen, document->sums[order * n_summaries + number],
                                    document->rule->added);
            if (is_taken)
                *hits_before = hits;
        }
        score += total / (double)n_summaries;
        for (int64_t place = 0; is_taken && place < n_entries; place++)
            chosen[entries[place].number] += entries[place].count;
        if (is_taken)
            document->n_chosen[order] = n_chosen;
    }
    return score;
}

/* Choose at most `take` sentences of one document. */
static Outcome choose_in(Document *document, int64_t take, int64_t *order, double *gains,
                         int64_t *count)
{
    int64_t n_sentences = document->text.n_sentences;
    double best = 0, *scores = document->scores, least_gain = document->rule->least_gain;
    memset(scores, 0, (size_t)n_sentences * sizeof(double));
    for (*count = 0; *count < take && *count < n_sentences; ++*count) {
        double highest = 0;
        int64_t next = 0;
        for (int64_t sentence = 0; sentence < n_sentences; sentence++)
            if (scores[sentence] >= 0) {
                scores[sentence] = score_with(document, sentence, 0);
                highest = scores[sentence] > highest ? scores[sentence] : highest;
            }
        while (scores[next] < 0 || scores[next] < highest - least_gain)
            next++;
        if (scores[next] <= best + least_gain)
            break;
        order[*count] = next;
        gains[*count] = best = score_with(document, next, 1);
        scores[next] = -1;
        if (has_to_end(&document->work, 4 * document->text.n_tokens * document->n_summaries))
            return INTERRUPTED;
    }
    return DONE;
}

Outcome choose_sentences(const Pairs *pairs, const int64_t *starts, int64_t n_documents,
                         const Selection *rule, int64_t take, int64_t *order, double *gains,
                         int64_t *counts)
{
    Document document = {.pairs = pairs, .rule = rule};
    Outcome outcome = new_document(&document, starts, n_documents);
    for (int64_t number = 0; outcome == DONE && number < n_documents; number++) {
        document.text = text_of(&pairs->peers, starts[number]);
        document.first_pair = starts[number];
        document.n_summaries = starts[number + 1] - starts[number];
        read_document(&document);
        int64_t first = number * take;
        outcome = choose_in(&document, take, order + first, gains + first, &counts[number]);
    }
    free_document(&document);
    return outcome;
}

/* Sum the lengths of the fragments of a summary, and their squares. `heads` gets the first place of
 * each type in the source, counted from 1. It must be all 0 before, and is reset to 0 afterwards.
 * `nexts` gets the next place of the same type. */
static Outcome sum_fragments(const Text *summary, const Text *source, int32_t *heads,
                             int32_t *nexts, int64_t *length, int64_t *square, int64_t *work)
{
    Outcome outcome = DONE;
    for (int32_t place = source->n_tokens; place > 0; place--) {
        nexts[place] = heads[source->types[place - 1]];
        heads[source->types[place - 1]] = place;
    }
    *length = *square = 0;
    for (int32_t token = 0, best; token < summary->n_tokens; token += best ? best : 1) {
        int32_t end = best = 0;
        int64_t n_steps = 1;
        for (int32_t place = heads[summary->types[token]]; place; place = nexts[place], n_steps++) {
            /* No match begins inside another one, even if it would be longer. */
            if (place < end)
                continue;
            int32_t n = 1;
            while (token + n < summary->n_tokens && place + n <= source->n_tokens &&
                   summary->types[token + n] == source->types[place + n - 1])
                n++;
            n_steps += n;
            end = place + n;
            best = n > best ? n : best;
        }
        *length += best;
        *square += (int64_t)best * best;
        if (has_to_end(work, n_steps) && (outcome = INTERRUPTED))
            break;
    }
    for (int32_t place = 0; place < source->n_tokens; place++)
        heads[source->types[place]] = 0;
    return outcome;
}

Outcome count_fragments(const Pairs *pairs, int64_t *sums)
{
    int32_t *heads = zeros((size_t)pairs->n_types, sizeof(int32_t));
    int32_t *nexts = zeros((size_t)pairs->longest_model + 1, sizeof(int32_t));
    int64_t work = 0, n_pairs = pairs->peers.n_pairs;
    Outcome outcome = heads && nexts ? DONE : NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < n_pairs; pair++) {
        Text summary = text_of(&pairs->peers, pair), source = text_of(&pairs->models, pair);
        outcome = sum_fragments(&summary, &source, heads, nexts, sums + pair, sums + n_pairs + pair,
                                &work);
    }
    free(heads);
    free(nexts);
    return outcome;
}

/* Number the n-grams of a text, from the numbers of those that are one token shorter. For a
 * summary, returns the number of n-grams that it repeats. For its source, returns the number of
 * n-grams that both have, and sets their `counts` to 0. */
static int64_t number_order(NgramTable *table, const Text *text, int32_t order, int is_cut,
                            int is_source, int32_t *numbers)
{
    int64_t n_counted = 0;
    for (int64_t sentence = 0; sentence < text->n_sentences; sentence++) {
        int32_t end = end_of_ngrams(text, sentence, order - 1 + is_cut);
        for (int32_t token = sentence_start(text, sentence); token < end; token++) {
            uint64_t key = key_of_ngram(numbers[token], text->types[token + order - 1]);
            if (!is_source) {
                numbers[token] = number_ngram(table, key);
                n_counted += ++table->counts[numbers[token]] == 2;
            } else if (numbers[token] != NONE) {
                numbers[token] = table->numbers[slot_of_ngram(table, key)];
                if (numbers[token] != NONE && table->counts[numbers[token]]) {
                    table->counts[numbers[token]] = 0;
                    n_counted++;
                }
            }
        }
    }
    return n_counted;
}

Outcome count_novel(const Pairs *pairs, int32_t n_orders, int is_cut, int64_t *counts)
{
    int64_t n_pairs = pairs->peers.n_pairs, work = 0;
    size_t longest = (size_t)pairs->longest_peer;
    int32_t *numbers = zeros(longest + (size_t)pairs->longest_model, sizeof(int32_t));
    NgramTable table = {.n_slots = 0};
    Outcome outcome = new_ngram_table(&table, longest);
    if (!numbers)
        outcome = NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < n_pairs; pair++) {
        Text summary = text_of(&pairs->peers, pair), source = text_of(&pairs->models, pair);
        int32_t n_tokens = summary.n_tokens, *of_source = numbers + n_tokens;
        int64_t *count = counts + pair;
        memset(numbers, 0, (size_t)(n_tokens + (int64_t)source.n_tokens) * sizeof(int32_t));
        for (int32_t order = 1; order <= n_orders; order++, count += 3 * n_pairs) {
            clear_ngram_table(&table, (size_t)n_tokens);
            count[n_pairs] = number_order(&table, &summary, order, is_cut, 0, numbers);
            count[0] = table.n_ngrams;
            count[2 * n_pairs] =
                count[0] - number_order(&table, &source, order, is_cut, 1, of_source);
        }
        if (has_to_end(&work, 8 * (int64_t)n_orders * (n_tokens + (int64_t)source.n_tokens)))
            outcome = INTERRUPTED;
    }
    free_ngram_table(&table);
    free(numbers);
    return outcome;
}
