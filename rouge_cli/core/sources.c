/* Documents and their summaries: sentences chosen greedily, fragments, and new n-grams. Twins:
 * metrics/selection.py and metrics/sources.py.
 *
 * An n-gram is the key of a word of eight bytes in the table of words.h, so nothing else is
 * compared.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define N_ORDERS 2

static inline Key key_of_two(int32_t first, int32_t last)
{
    return (Key){(uint64_t)(uint32_t)first << 32 | (uint32_t)last, 0};
}

/* Number a unigram or a bigram. No type is so large that it could be taken for NONE. */
static int32_t number_ngram(WordTable *table, const int32_t *types, int order)
{
    Key key = key_of_two(order == 1 ? NONE : types[0], types[order - 1]);
    return number_word(table, NULL, LIMB_BYTES, key);
}

/* Return the token behind the last that begins an n-gram of a sentence. */
static inline int32_t end_of_ngrams(const Text *text, int64_t sentence, int32_t n_left_out)
{
    return sentence_start(text, sentence + 1) - n_left_out;
}

/* A document, its summaries, and the n-grams that were chosen. */
typedef struct {
    const Pairs *pairs;
    const Selection *rule;
    Text text;
    int64_t first_pair, n_summaries;
    WordTable table;
    size_t n_numbers; /* an upper bound */
    int32_t *numbers; /* of n-grams by their first token, a row for each order */
    int32_t *chosen;  /* how often the selection has each n-gram, by number */
    int32_t *wanted;  /* how often each summary has it, a row for each */
    int64_t *n_wanted, *hits; /* by summary, a row for each order */
    int64_t n_chosen[N_ORDERS];
    double *scores; /* by sentence, below 0 for one that is taken */
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
    size_t n_numbers = N_ORDERS * (n_tokens + most * (size_t)document->pairs->longest_model);
    if (n_numbers > INT32_MAX || most > SIZE_MAX / 8 / (n_numbers + 1) - 2)
        return NO_MEMORY;
    document->n_numbers = n_numbers;
    document->chosen = zeros(n_numbers * (most + 2), sizeof(int32_t));
    document->n_wanted = zeros(2 * N_ORDERS * most, sizeof(int64_t));
    document->scores = zeros(n_sentences, sizeof(double));
    if (!document->chosen || !document->n_wanted || !document->scores)
        return NO_MEMORY;
    document->wanted = document->chosen + n_numbers;
    document->numbers = document->wanted + n_numbers * most;
    document->hits = document->n_wanted + N_ORDERS * most;
    return new_word_table(&document->table, 0);
}

/* Number the n-grams of a document, and count those of its summaries. */
static Outcome read_document(Document *document)
{
    WordTable *table = &document->table;
    const Text *text = &document->text;
    size_t n_rows = (size_t)document->n_summaries;
    memset(document->chosen, 0, document->n_numbers * (n_rows + 1) * sizeof(int32_t));
    memset(document->n_wanted, 0, N_ORDERS * n_rows * sizeof(int64_t));
    memset(document->hits, 0, N_ORDERS * n_rows * sizeof(int64_t));
    memset(document->n_chosen, 0, sizeof document->n_chosen);
    empty_word_table(table);
    if (need_room(table, N_ORDERS * text->n_tokens) != DONE)
        return NO_MEMORY;
    for (int order = 1; order <= N_ORDERS; order++) {
        int32_t *numbers = document->numbers + (order - 1) * text->n_tokens;
        for (int32_t token = 0; token + order <= text->n_tokens; token++)
            numbers[token] = number_ngram(table, text->types + token, order);
    }
    for (int64_t number = 0; number < document->n_summaries; number++) {
        Text summary = text_of(&document->pairs->models, document->first_pair + number);
        int32_t *wanted = document->wanted + (size_t)number * document->n_numbers;
        if (need_room(table, N_ORDERS * summary.n_tokens) != DONE)
            return NO_MEMORY;
        for (int64_t sentence = 0; sentence < summary.n_sentences; sentence++)
            for (int order = 1; order <= N_ORDERS; order++)
                for (int32_t token = sentence_start(&summary, sentence);
                     token < end_of_ngrams(&summary, sentence, order - 1); token++) {
                    int32_t ngram = number_ngram(table, summary.types + token, order);
                    int is_counted = !document->rule->are_sets || !wanted[ngram];
                    wanted[ngram] += is_counted;
                    document->n_wanted[(order - 1) * document->n_summaries + number] += is_counted;
                }
    }
    return DONE;
}

/* Add a sentence to the selection or, if `step` is -1, take it out again. */
static void count_sentence(Document *document, int64_t sentence, int step)
{
    const Text *text = &document->text;
    for (int order = 1; order <= N_ORDERS; order++) {
        const int32_t *numbers = document->numbers + (order - 1) * text->n_tokens;
        int64_t *hits = document->hits + (order - 1) * document->n_summaries;
        int32_t end = end_of_ngrams(text, sentence, order - 1);
        for (int32_t token = sentence_start(text, sentence); token < end; token++) {
            int32_t *chosen = document->chosen + numbers[token];
            const int32_t *wanted = document->wanted + numbers[token];
            int32_t n_others = *chosen - (step < 0);
            *chosen += step;
            document->n_chosen[order - 1] += !document->rule->are_sets || !n_others ? step : 0;
            for (int64_t number = 0; number < document->n_summaries; number++)
                hits[number] += n_others < wanted[(size_t)number * document->n_numbers] ? step : 0;
        }
    }
}

/* Twin: `SelectionRule.f`. */
static double f_of_selection(int64_t hits, int64_t n_chosen, int64_t n_wanted, double added)
{
    int64_t total = n_chosen + n_wanted;
    if (added == 0)
        return (double)(2 * hits) / (double)(total ? total : 1);
    double precision = n_chosen ? (double)hits / (double)n_chosen : 0;
    double recall = n_wanted ? (double)hits / (double)n_wanted : 0;
    return 2.0 * ((precision * recall) / (precision + recall + added));
}

/* Return the score of the selection. */
static double score_of(const Document *document)
{
    double score = 0;
    for (int order = 0; order < N_ORDERS; order++) {
        double total = 0;
        for (int64_t number = 0; number < document->n_summaries; number++) {
            int64_t place = order * document->n_summaries + number;
            total += f_of_selection(document->hits[place], document->n_chosen[order],
                                    document->n_wanted[place], document->rule->added);
        }
        score += total / (double)document->n_summaries;
    }
    return score;
}

/* Choose sentences of one document, and count them. */
static Outcome choose_in(Document *document, int64_t take, int64_t *order, double *gains,
                         int64_t *count)
{
    int64_t n_sentences = document->text.n_sentences;
    double best = 0, *scores = document->scores, least_gain = document->rule->least_gain;
    memset(scores, 0, (size_t)n_sentences * sizeof(double));
    for (*count = 0; *count < take && *count < n_sentences; ++*count) {
        double highest = 0;
        int64_t next = 0;
        for (int64_t sentence = 0; sentence < n_sentences; sentence++) {
            if (scores[sentence] < 0)
                continue;
            count_sentence(document, sentence, 1);
            scores[sentence] = score_of(document);
            count_sentence(document, sentence, -1);
            highest = scores[sentence] > highest ? scores[sentence] : highest;
        }
        while (scores[next] < 0 || scores[next] < highest - least_gain)
            next++;
        if (scores[next] <= best + least_gain)
            break;
        order[*count] = next;
        gains[*count] = best = scores[next];
        scores[next] = -1;
        count_sentence(document, next, 1);
        if (has_to_end(&document->work, 8 * document->text.n_tokens * document->n_summaries))
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
        int64_t first = number * take;
        outcome = read_document(&document);
        if (outcome == DONE)
            outcome = choose_in(&document, take, order + first, gains + first, &counts[number]);
    }
    free(document.chosen);
    free(document.n_wanted);
    free(document.scores);
    free_word_table(&document.table);
    return outcome;
}

/* Add up the lengths of the fragments of a summary, and their squares. `heads` is 0 for each type,
 * before and afterwards; in between, the first place of the type in the source, from 1 on. `nexts`
 * has the next one of each place. */
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
            /* Inside of a match none begins, even if it were longer. */
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

/* The n-grams of a summary and its source, by their first tokens, and how often the summary has
 * each; 0 once the source has it too. */
typedef struct {
    WordTable table;
    int32_t *of_summary, *of_source, *counts;
} Novelty;

/* Number the n-grams of an order from those that are a token shorter, and count those of the
 * summary once each: all, the repeated ones, and those that the source lacks. */
static Outcome count_order(Novelty *novelty, const Text *summary, const Text *source, int32_t order,
                           int is_cut, int64_t *counts, int64_t n_pairs)
{
    WordTable *table = &novelty->table;
    int64_t n_known = 0, n_repeated = 0;
    empty_word_table(table);
    if (need_room(table, summary->n_tokens) != DONE)
        return NO_MEMORY;
    memset(novelty->counts, 0, (size_t)summary->n_tokens * sizeof(int32_t));
    for (int64_t sentence = 0; sentence < summary->n_sentences; sentence++) {
        int32_t end = end_of_ngrams(summary, sentence, order - 1 + is_cut);
        for (int32_t token = sentence_start(summary, sentence); token < end; token++) {
            int32_t *number = novelty->of_summary + token;
            Key key = key_of_two(*number, summary->types[token + order - 1]);
            *number = number_word(table, NULL, LIMB_BYTES, key);
            n_repeated += ++novelty->counts[*number] == 2;
        }
    }
    for (int64_t sentence = 0; sentence < source->n_sentences; sentence++) {
        int32_t end = end_of_ngrams(source, sentence, order - 1 + is_cut);
        for (int32_t token = sentence_start(source, sentence); token < end; token++) {
            int32_t *number = novelty->of_source + token;
            if (*number == NONE)
                continue;
            Key key = key_of_two(*number, source->types[token + order - 1]);
            *number = number_of_word(table, NULL, LIMB_BYTES, key);
            if (*number != NONE && novelty->counts[*number]) {
                novelty->counts[*number] = 0;
                n_known++;
            }
        }
    }
    counts[0] = table->n_words;
    counts[n_pairs] = n_repeated;
    counts[2 * n_pairs] = table->n_words - n_known;
    return DONE;
}

Outcome count_novel(const Pairs *pairs, int32_t n_orders, int is_cut, int64_t *counts)
{
    size_t longest = (size_t)pairs->longest_peer, longest_source = (size_t)pairs->longest_model;
    int64_t n_pairs = pairs->peers.n_pairs, work = 0;
    Novelty novelty = {
        .of_summary = zeros(longest, sizeof(int32_t)),
        .of_source = zeros(longest_source, sizeof(int32_t)),
        .counts = zeros(longest, sizeof(int32_t)),
    };
    Outcome outcome = NO_MEMORY;
    if (novelty.of_summary && novelty.of_source && novelty.counts)
        outcome = new_word_table(&novelty.table, 0);
    for (int64_t pair = 0; outcome == DONE && pair < n_pairs; pair++) {
        Text summary = text_of(&pairs->peers, pair), source = text_of(&pairs->models, pair);
        memset(novelty.of_summary, 0, (size_t)summary.n_tokens * sizeof(int32_t));
        memset(novelty.of_source, 0, (size_t)source.n_tokens * sizeof(int32_t));
        for (int32_t order = 1; outcome == DONE && order <= n_orders; order++)
            outcome = count_order(&novelty, &summary, &source, order, is_cut,
                                  counts + 3 * (order - 1) * n_pairs + pair, n_pairs);
        int64_t n_steps = 8 * (int64_t)n_orders * (summary.n_tokens + source.n_tokens);
        if (outcome == DONE && has_to_end(&work, n_steps))
            outcome = INTERRUPTED;
    }
    free_word_table(&novelty.table);
    free(novelty.of_summary);
    free(novelty.of_source);
    free(novelty.counts);
    return outcome;
}
