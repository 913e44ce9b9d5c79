/* Declarations shared by the files of the core. Only module*.c knows Python.
 *
 * A function names its twin, which returns the same in Python and is documented there; twins.py
 * lists those that a test compares. As module*.c checks sizes and numbers, types are below the
 * number of types here, offsets ascend, and 32 bits number the tokens of every text.
 */
#ifndef ROUGE_CLI_CORE_H
#define ROUGE_CLI_CORE_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "Doubles are computed with more bits than they have here: the digits would differ."
#endif

#define NONE (-1)

/* Whether a function finished, ran out of memory, or was interrupted. */
typedef enum { DONE = 0, NO_MEMORY = -1, INTERRUPTED = -2 } Outcome;

/* Return whether the user wants the work to end. The call is slow, so it is made rarely. */
int is_interrupted(void);
#define MUCH_WORK (1 << 27)

/* Count steps of work and, after many of them, return whether the user wants the work to end. */
static inline int has_to_end(int64_t *work, int64_t n_steps)
{
    *work += n_steps;
    if (*work < MUCH_WORK)
        return 0;
    *work = 0;
    return is_interrupted();
}

/* Steps of work per byte read: its word may have to be looked up or stemmed. */
#define STEPS_PER_BYTE 4

/* Allocate zeros for `count` items; NULL without memory, but never for a count of 0. */
void *zeros(size_t count, size_t size);

/* The positions of the lowest and of the highest set bit; at least one bit is set. */
static inline int lowest_bit(uint64_t limb)
{
#if defined(__GNUC__)
    return __builtin_ctzll(limb);
#else
    int bit = 0;
    for (int step = 32; step; step /= 2)
        if (limb << (64 - step) == 0) {
            limb >>= step;
            bit += step;
        }
    return bit;
#endif
}

static inline int highest_bit(uint64_t limb)
{
#if defined(__GNUC__)
    return 63 - __builtin_clzll(limb);
#else
    int bit = 0;
    for (int step = 32; step; step /= 2)
        if (limb >> step) {
            limb >>= step;
            bit += step;
        }
    return bit;
#endif
}

#include "words.h"

/* A byte repeated eight times. */
#define EIGHT(byte) ((byte) * UINT64_C(0x0101010101010101))
#define HIGH_BITS EIGHT(0x80)

/* For each of eight bytes below 128, set the high bit if it is at least `least`. */
static inline uint64_t not_less(uint64_t eight, uint8_t least)
{
    return eight + EIGHT(0x80 - least);
}

/* For each of eight bytes, set the high bit if it equals `byte`. */
static inline uint64_t are_equal(uint64_t eight, uint8_t byte)
{
    uint64_t differing = eight ^ EIGHT(byte);
    return ~(((differing & ~HIGH_BITS) + EIGHT(0x7F)) | differing) & HIGH_BITS;
}

/* For each of eight bytes, set the high bit if it is an ASCII letter; other bits are undefined. */
static inline uint64_t are_letters(uint64_t eight)
{
    uint64_t lower_case = (eight & ~HIGH_BITS) | EIGHT(0x20);
    return not_less(lower_case, 'a') & ~not_less(lower_case, 'z' + 1) & ~eight;
}

/* Texts in columns: `TextColumns` in text/columns.py. */
typedef struct {
    const int32_t *types;
    const int64_t *sentence_offsets;
    const int64_t *text_offsets;
    int64_t n_texts;
} Columns;

/* The peers or the models of many pairs: pair `p` has text `texts[p]` of the columns. */
typedef struct {
    Columns columns;
    const int64_t *texts;
    int64_t n_pairs;
} Side;

/* A text with its tokens and sentences, whose offsets count from `first_token`. */
typedef struct {
    const int32_t *types;
    int32_t n_tokens;
    const int64_t *sentence_offsets;
    int64_t first_token;
    int64_t n_sentences;
} Text;

static inline Text text_of(const Side *side, int64_t pair)
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

/* Return the first token of a sentence; for the number of sentences, the end of the text. */
static inline int32_t sentence_start(const Text *text, int64_t sentence)
{
    return (int32_t)(text->sentence_offsets[sentence] - text->first_token);
}

/* Return the length of the longest sentence of a side, in tokens. */
int32_t longest_sentence(const Side *side);

/* Pairs of texts: `TextPairs` in metrics/paired_texts.py. */
typedef struct {
    Side peers, models;
    int64_t n_types;
    int32_t longest_peer, longest_model; /* in tokens */
} Pairs;

/* The matched tokens of one pair. A group is a type that occurs in both texts. */
typedef struct {
    Text peer, model;
    const int32_t *peer_groups, *model_groups; /* by token, NONE for an unmatched one and after the
                                                * last */
    const int32_t *peer_places, *model_places; /* the matched tokens */
    int32_t n_peer_places, n_model_places;
    const int32_t *peer_counts, *model_counts; /* by group, above 0 */
    int32_t n_groups;
} Matches;

/* Matches one pair after another. The units of a pair are counted at once, see units.c: if all
 * pairs were matched first, their matches would no longer be in a cache. */
typedef struct {
    int32_t *marks;  /* by type, see `match_pair` */
    int32_t least;   /* the mark of the next pair, above all marks in use */
    int64_t n_types;
    int32_t *peer_groups, *model_groups, *peer_places, *model_places, *peer_counts, *model_counts;
} Matcher;

Outcome new_matcher(Matcher *matcher, const Pairs *pairs);
void free_matcher(Matcher *matcher);

/* Match the tokens of one pair; the result is valid until the next call. */
Matches match_pair(Matcher *matcher, const Pairs *pairs, int64_t pair);

/* Set `longest_peer` and `longest_model`. */
void measure_pairs(Pairs *pairs);

/* Renumber the types of a few tokens from 0 on; returns the number of types, NONE without memory.
 */
int32_t renumber_types(int32_t *types, int64_t n_tokens);

/* Return the group of a type in the last matched pair; negative if it has none. */
static inline int32_t group_of_type(const Matcher *matcher, const Matches *matches, int32_t type)
{
    return matcher->marks[type] - (matcher->least - matches->n_groups);
}

/* Return the smaller of the counts of a group in both texts. */
static inline int32_t shared_count(const Matches *matches, int32_t group)
{
    int32_t of_peer = matches->peer_counts[group], of_model = matches->model_counts[group];
    return of_peer < of_model ? of_peer : of_model;
}

/* Mark each token that is the first of its type in its sentence. */
Outcome mark_firsts(const int32_t *types, const int64_t *sentence_offsets, int64_t n_sentences,
                    int64_t n_types, uint8_t *is_first);

/* Counters that process one pair after another in memory of their own; NULL without memory. */
typedef struct NgramCounter NgramCounter;
typedef struct LcsCounter LcsCounter;

/* N-grams numbered from 0 on: a hash table of keys, and a count of each n-gram. */
typedef struct {
    uint64_t *keys;
    int32_t *numbers; /* by slot; NONE if empty */
    int32_t *counts;  /* by number, 0 at first */
    size_t n_slots;
    int shift; /* leaves the highest bits of 64, enough to number the slots */
    int32_t n_ngrams;
} NgramTable;

/* Make a table for at most `most` n-grams, with memory that must be freed. */
Outcome new_ngram_table(NgramTable *table, size_t most);
void free_ngram_table(NgramTable *table);

/* Empty the table, and keep at least half of its slots free. */
void clear_ngram_table(NgramTable *table, size_t most);

/* Return the key of an n-gram: the number of the n-gram without its last token, and this token. */
static inline uint64_t key_of_ngram(int32_t beginning, int32_t last)
{
    return (uint64_t)(uint32_t)beginning << 32 | (uint32_t)last;
}

/* Return the slot of a key, or the empty slot for it. */
static inline size_t slot_of_ngram(const NgramTable *table, uint64_t key)
{
    size_t last = table->n_slots - 1;
    size_t slot = (size_t)((key * slot_factor) >> table->shift);
    while (table->numbers[slot] != NONE && table->keys[slot] != key)
        slot = (slot + 1) & last;
    return slot;
}

/* Return the number of an n-gram, which is added if it is new. */
static inline int32_t number_ngram(NgramTable *table, uint64_t key)
{
    size_t slot = slot_of_ngram(table, key);
    if (table->numbers[slot] == NONE) {
        table->keys[slot] = key;
        table->numbers[slot] = table->n_ngrams;
        table->counts[table->n_ngrams++] = 0;
    }
    return table->numbers[slot];
}

NgramCounter *new_ngram_counter(const Pairs *pairs);
void free_ngram_counter(NgramCounter *counter);

/* Count a pair. The hit of order `n` is added to `hits[(n - 1) * n_pairs]`, which is 0 before. */
Outcome count_ngrams(NgramCounter *counter, const Matches *matches, int max_ngram, int64_t *hits,
                  int64_t n_pairs);

LcsCounter *new_lcs_counter(const Pairs *pairs);
void free_lcs_counter(LcsCounter *counter);
Outcome count_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit);

/* Count the LCS of whole texts, ignoring sentences. */
Outcome count_text_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit);

/* The units that are counted in one pass: `PairUnits` in metrics/paired_texts.py. */
typedef struct {
    int max_ngram, has_lcs, has_text_lcs;
} Units;

/* Return the number of rows of hits. */
int64_t count_of_units(const Units *units);

/* `hits` has a row of zeros for each order of n-grams, and for each LCS. */
Outcome count_units(const Pairs *pairs, const Units *units, int64_t *hits);

/* Count the union LCS, clipped by the unigram tables of other texts, as some limits require. */
Outcome count_clipped_lcs(const Pairs *pairs, const Pairs *tables, int64_t *hits);

/* f(k) = k ** W for each k up to the longest sentence of a model, for hits and bases; and what the
 * table adds when a run reaches length k, and subtracts for its previous length: both f(k) by
 * default. */
typedef struct {
    const double *powers, *added, *subtracted;
} Weights;

Outcome count_wlcs(const Pairs *pairs, const Pairs *tables, const Weights *f, double *hits,
                   double *bases);

/* Add up the longest LCS of each sentence, over the models and over the peers. */
Outcome count_pairwise_lcs(const Pairs *pairs, int64_t *hits, int64_t *peer_hits);

/* Mark tokens in bytes that are 0 before; those of a pair follow those of the pairs before it. */
Outcome mark_lcs_words(const Pairs *pairs, uint8_t *peer_marks, uint8_t *model_marks);

Outcome count_skip_bigrams(const Pairs *pairs, int64_t max_gap, int are_sets, int64_t *hits,
                           int64_t *hits_of_unigrams);

/* How a selection is scored: `SelectionRule` in metrics/selection.py. */
typedef struct {
    int are_sets;
    double added, least_gain;
} Selection;

/* Choose at most `take` sentences of each document: `order`, `gains` and `counts` are those of
 * `Selections` in metrics/selection.py. The pairs of a document with its summaries begin at
 * `starts`, and there is at least one. */
Outcome choose_sentences(const Pairs *pairs, const int64_t *starts, int64_t n_documents,
                         const Selection *rule, int64_t take, int64_t *order, double *gains,
                         int64_t *counts);

/* Add up the lengths of the fragments of peers in models, and in a second row their squares. */
Outcome count_fragments(const Pairs *pairs, int64_t *sums);

/* Count the n-grams of peers once each; for each order up to `n_orders` a row each for all, those
 * that are repeated, and those that the model lacks. With `is_cut` no sentence has its last. */
Outcome count_novel(const Pairs *pairs, int32_t n_orders, int is_cut, int64_t *counts);

/* Integer counts: `Counts` in metrics/counts.py. `peer_hits` may be the same array as `hits`. */
typedef struct {
    const int64_t *hits, *model_counts, *peer_hits, *peer_counts;
} WholeCounts;

/* Fill a row each for recall, precision and F; returns 0 if some are so large that Python must
 * round them. */
int score_counts(const WholeCounts *counts, int64_t n_rows, double alpha, double *values);

/* Add up the counts of the pairs of each instance, which begin at `starts`; returns 0 if they are
 * so large that Python must add them. */
int sum_models(const int64_t *counts, int64_t n_pairs, const int64_t *starts, int64_t n_instances,
               int64_t *sums);

/* Count how often each resample draws each instance; returns 0 if a count exceeds a byte. */
int draw(int64_t n_instances, uint64_t first_resample, int64_t n_resamples, uint8_t *counts);

#define TWISTER_STATES 624
#define N_SCORES 3 /* precision, recall and F */

/* NumPy's legacy generator: its states, and how many of them have been used. */
typedef struct {
    uint32_t states[TWISTER_STATES];
    int position;
} Twister;

/* Draw rows of scores with replacement, as many as there are, and return the means of each
 * resample. */
Outcome draw_means(const double *scores, int64_t n_rows, Twister *twister, int64_t n_resamples,
                   double *means);

/* A word list of a run: stopwords, or irregular forms with their base forms. */
typedef struct {
    WordTable table;
    Word *bases;    /* by number of the word; empty for a word without a base form */
    uint8_t *bytes; /* the bytes of all lines */
    int as_nltk;    /* whether to stem like NLTK in its default mode */
    struct StemCache *caches; /* free caches of stems for these forms */
} WordList;

void free_word_list(WordList *list);

/* Stem a word in place; returns its new length, which is never greater. */
size_t porter_stem(uint8_t *word, size_t length);
size_t nltk_stem(uint8_t *word, size_t length, int is_extended);

/* The largest number of tokens that are numbered or stemmed together. */
#define MOST_TOKENS 192

/* Tokens to be numbered, by the positions where each begins and ends in some bytes. */
typedef struct {
    const uint8_t *bytes;
    const uint32_t *begins, *ends;
    int n_tokens;
} Tokens;

static inline Word token_at(const Tokens *tokens, int token)
{
    uint32_t begin = tokens->begins[token];
    return (Word){tokens->bytes + begin, tokens->ends[token] - begin};
}

typedef struct StemSet StemSet;
typedef struct LongStem LongStem;

/* A cache of words and their stems, see stems.c; only one thread at a time uses it. All zeros is an
 * empty cache. */
typedef struct StemCache {
    StemSet *sets;
    void *memory;    /* holds the sets */
    int n_bits;      /* binary logarithm of the number of sets */
    int64_t n_added; /* words added so far */
    WordTable table; /* the stems */
    LongStem *long_stems;
    size_t n_long_bytes;    /* total size of the long stems */
    struct StemCache *next; /* next free cache */
    int is_vocabulary; /* words and stems keep their numbers from one reading to the next */
    int is_taken;      /* a thread reads with this vocabulary */
} StemCache;

/* Make a cache ready for texts of `n_bytes` bytes. */
Outcome prepare_stems(StemCache *cache, size_t n_bytes);
void free_stem_cache(StemCache *cache);

Outcome number_stems(StemCache *cache, const WordList *forms, const Tokens *tokens, int32_t *stems);

/* Number tokens without stemming them, each like a stem of the same letters. */
Outcome number_as_stems(StemCache *cache, const Tokens *tokens, int32_t *types);

/* Groups of texts that are compared only with each other. Group `g` has the texts from `starts[g]`
 * on, up to those of the next; every text is in a group. */
typedef struct {
    const Word *texts;
    const int64_t *starts; /* first text of each group, and the number of texts */
    int64_t n_groups;
} Groups;

/* Flags of texts: `FLAGS` in text/seen.py. */
enum {
    HAS_ZERO = 1,
    HAS_MARKUP = 2,
    HAS_BACKSLASH = 4,
    HAS_INVISIBLE = 8,
    HAS_END = 16,
    IS_SHORT = 32,
    HAS_BROKEN = 64,
    MAY_LOSE = 128,
};

#define MOST_LOST 1600

/* Flags and counts of some texts: `FlaggedTexts` in text/columns.py. */
typedef struct {
    uint8_t *flags; /* one per text */
    int has_letters; /* whether to look for letters in no token */
    int64_t n_texts, n_newlines, n_words, n_broken;
    size_t n_lost;
    uint8_t lost[MOST_LOST];
} FlaggedTexts;

/* Initialise without texts. `lost` is left undefined: zeroing it would take a hundredth of the time
 * of a single pair. */
void begin_flags(FlaggedTexts *flagged, uint8_t *flags, int has_letters);

/* What is known of a text after reading it: the number of its newlines and of its non-ASCII bytes,
 * and whether any byte is odd: a zero, &, <, \, or the last of a soft hyphen or a zero-width space.
 */
typedef struct {
    int64_t n_newlines;
    size_t n_high;
    uint64_t has_odd;
} Seen;

/* Count the non-ASCII bytes of a chunk that has some; they are fewer than 256. */
void see_high(const uint8_t *bytes, uint8_t n_bytes, Seen *seen);

/* Flag the next text. The byte after it can be read and is not a blank. */
void flag_text(const Word *text, const Seen *seen, FlaggedTexts *flagged);

/* Flag texts that are not otherwise read. */
Outcome flag_texts(const Word *texts, int64_t n_texts, FlaggedTexts *flagged);

/* The columns that texts are read into, with room for every token and text. The array of sentences
 * grows, as they are not counted in advance, and must be freed. Equal words of a group have equal
 * types. */
typedef struct {
    int32_t *types;
    int32_t *stems;            /* NULL without stemming; may be the same as `types` */
    int64_t *text_offsets;
    int64_t *sentence_offsets; /* NULL in the beginning */
    int64_t n_tokens, n_sentences, n_texts, room_for_sentences;
    int32_t n_types;
    FlaggedTexts *flagged;     /* NULL if not needed */
} ReadColumns;

/* `stopwords` is NULL if none are removed, and `forms` without stemming. `stems` numbers words too
 * if it is a vocabulary, and otherwise is NULL without stemming. With `at_blanks`, without stems,
 * words are separated by ASCII's blanks alone, and keep their case. */
Outcome read_texts(const Groups *groups, const WordList *stopwords, const WordList *forms,
                   StemCache *stems, int at_blanks, ReadColumns *read);

/* Texts as sequences of numbers; text `t` has the items from `offsets[t]` on. */
typedef struct {
    const int32_t *items;
    const int64_t *offsets;
    int64_t n_texts;
} Sequences;

/* The longest texts whose LCS is counted here, since the bits of longer ones would take much memory;
 * and the longest in an index of units. */
#define MOST_IN_LANES 2048
#define MOST_IN_INDEX UINT16_MAX

/* The scores of rows with all columns, looked up in a table by the number of the row's length, that
 * of the column's, and the hits. */
typedef struct {
    Sequences rows, columns;
    int64_t n_items; /* all items are below */
    int is_lcs, is_square; /* rows and columns are the same, and all rows are in the order */
    const int32_t *row_lengths, *column_lengths; /* numbers of the lengths, by text */
    int64_t n_column_lengths, n_hits;
    const double *table;
    double *scores;
} PairScores;

/* Score the rows in `order`; those of about the same length should be adjacent. */
Outcome score_pairs(const PairScores *pairs, const int64_t *order, int64_t n_rows);

typedef struct {
    int32_t text;
    uint16_t length; /* number of the length */
    uint16_t n_left; /* units of the text from this one on */
    uint64_t signature;
} Posting;

typedef struct Term Term;

/* Texts, and postings of their rarest units. */
typedef struct {
    int is_lcs, n_users; /* of threads; -1 while it is changed */
    int32_t *ranks;      /* by unit; later units are rarer than all of these */
    int64_t n_ranked;
    Term *terms;         /* by unit */
    int64_t n_terms;
    int32_t *items;
    int64_t *offsets;
    int64_t n_texts, room_for_items, room_for_texts;
    int64_t n_items, n_lengths; /* of the latest task; later ones have as many or more */
} PairIndex;

void free_pair_index(PairIndex *index);

/* The least hits of a pair above the threshold, by the numbers of both lengths; the least of a row
 * with any column, and of a column with any row; and the number of units of each length. */
typedef struct {
    const int32_t *of_pairs, *of_rows, *of_columns, *n_units;
    int64_t n_lengths;
} LeastHits;

/* A query, a text of the index, and their hits. */
typedef struct {
    int32_t query, text, hits;
} FoundPair;

typedef struct {
    FoundPair *pairs;
    int64_t n_pairs, room;
} FoundPairs;

/* Texts up to `end` that are added, or whose pairs are found. With `is_triangle` pairs are those
 * with texts of higher numbers. */
typedef struct {
    int is_added, is_triangle;
    Sequences texts, units;
    int64_t n_items;        /* all items of `texts` are below */
    const int32_t *lengths; /* numbers of the lengths, by text */
    LeastHits least;
    int64_t end, most_found;
} IndexTask;

/* Begin with a text, and set the first that is left, as many pairs were found. */
Outcome use_index(PairIndex *index, const IndexTask *task, int64_t *text, FoundPairs *found);

#endif
