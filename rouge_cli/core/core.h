/* Declarations shared by the files of the core. Only module*.c knows Python.
 *
 * Comments name the twin of a function: the Python function that returns the same and documents the
 * algorithm. fuzz/core_twins.py lists and compares them. The other files rely on what module*.c
 * checks: types are below the number of types, offsets ascend, and 32 bits can number the tokens of
 * every text.
 */
#ifndef ROUGE_CLI_CORE_H
#define ROUGE_CLI_CORE_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "Doubles are computed with more bits than they have here: the digits would differ."
#endif

#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* On systems that choose a version of a function when they load the core, one version of these
 * functions uses the wide registers of newer processors. */
#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FOR_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define FOR_WIDE_VECTORS
#endif

#define NONE (-1)

/* How a function ended: finished, out of memory, or interrupted. */
typedef enum { DONE = 0, NO_MEMORY = -1, INTERRUPTED = -2 } Outcome;

/* Return whether the user has interrupted the work. The call is slow, so it is made rarely. */
int is_interrupted(void);
#define MUCH_WORK (1 << 27)

/* Count steps of work. After every MUCH_WORK steps, return whether the user has interrupted the
 * work; otherwise return 0. */
static inline int has_to_end(int64_t *work, int64_t n_steps)
{
    *work += n_steps;
    if (*work < MUCH_WORK)
        return 0;
    *work = 0;
    return is_interrupted();
}

/* Steps of work per byte read. More than one, since words may have to be looked up or stemmed. */
#define STEPS_PER_BYTE 4

/* Allocate zeroed items, at least one, so that NULL always means that memory ran out. */
void *zeros(size_t count, size_t size);

/* These two functions return the positions of the lowest and of the highest set bit. At least one
 * bit must be set. */
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

/* Set the high bit of each of eight bytes that is at least `least`. All bytes must be below 128. */
static inline uint64_t not_less(uint64_t eight, uint8_t least)
{
    return eight + EIGHT(0x80 - least);
}

/* Set the high bit of each of eight bytes that equals `byte`, and clear all other bits. */
static inline uint64_t are_equal(uint64_t eight, uint8_t byte)
{
    uint64_t differing = eight ^ EIGHT(byte);
    return ~(((differing & ~HIGH_BITS) + EIGHT(0x7F)) | differing) & HIGH_BITS;
}

/* Set the high bit of each of eight bytes that is an ASCII letter. The other bits are undefined. */
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

/* The peers or the models of many pairs. The text of pair `p` is number `texts[p]` of the columns.
 */
typedef struct {
    Columns columns;
    const int64_t *texts;
    int64_t n_pairs;
} Side;

/* The tokens and sentences of one text. Its first token has the offset `first_token`. */
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

/* Return the first token of a sentence. For `n_sentences` this is the end of the text. */
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
    const int32_t *peer_groups, *model_groups; /* by token; NONE if unmatched, and after the last
                                                * token */
    const int32_t *peer_places, *model_places; /* positions of the matched tokens */
    int32_t n_peer_places, n_model_places;
    const int32_t *peer_counts, *model_counts; /* by group, above 0 */
    int32_t n_groups;
} Matches;

/* Matches one pair after another. Why not all pairs first? Their matches would have left the cache
 * before they are counted; see units.c. */
typedef struct {
    int32_t *marks;  /* by type; see `match_pair` */
    int32_t least;   /* the mark of the next pair; all older marks are smaller */
    int64_t n_types;
    int32_t *peer_groups, *model_groups, *peer_places, *model_places, *peer_counts, *model_counts;
} Matcher;

Outcome new_matcher(Matcher *matcher, const Pairs *pairs);
void free_matcher(Matcher *matcher);

/* Match the tokens of one pair; the result is valid until the next call. */
Matches match_pair(Matcher *matcher, const Pairs *pairs, int64_t pair);

/* Set `longest_peer` and `longest_model`. */
void measure_pairs(Pairs *pairs);

/* Renumber the types of a few tokens from 0 on. Returns the number of types; NONE if memory runs
 * out. */
int32_t renumber_types(int32_t *types, int64_t n_tokens);

/* Return the group of a type in the pair matched last; negative if the type is not in a group. */
static inline int32_t group_of_type(const Matcher *matcher, const Matches *matches, int32_t type)
{
    return matcher->marks[type] - (matcher->least - matches->n_groups);
}

/* Return the hits of a group: the smaller of its counts in the two texts. */
static inline int32_t shared_count(const Matches *matches, int32_t group)
{
    int32_t of_peer = matches->peer_counts[group], of_model = matches->model_counts[group];
    return of_peer < of_model ? of_peer : of_model;
}

/* Mark the first token of each type in each sentence. */
Outcome mark_firsts(const int32_t *types, const int64_t *sentence_offsets, int64_t n_sentences,
                    int64_t n_types, uint8_t *is_first);

/* Counters own the memory that all pairs share. A `new_...` function returns NULL if memory runs
 * out. */
typedef struct NgramCounter NgramCounter;
typedef struct LcsCounter LcsCounter;

/* Numbers n-grams from 0 on, and counts them: a hash table with open addressing. */
typedef struct {
    uint64_t *keys;
    int32_t *numbers; /* by slot; NONE if empty */
    int32_t *counts;  /* by number, 0 at first */
    size_t n_slots;
    int shift; /* right shift of a 64-bit hash that leaves a slot number */
    int32_t n_ngrams;
} NgramTable;

/* Make a table for at most `most` n-grams. It must be freed. */
Outcome new_ngram_table(NgramTable *table, size_t most);
void free_ngram_table(NgramTable *table);

/* Empty the table, and prepare it for at most `most` n-grams: at least half of its slots stay free.
 */
void clear_ngram_table(NgramTable *table, size_t most);

/* Return the key of an n-gram: the number of its first n-1 tokens, and its last token. */
static inline uint64_t key_of_ngram(int32_t beginning, int32_t last)
{
    return (uint64_t)(uint32_t)beginning << 32 | (uint32_t)last;
}

/* Return the slot of a key, or the empty slot where it belongs. */
static inline size_t slot_of_ngram(const NgramTable *table, uint64_t key)
{
    size_t last = table->n_slots - 1;
    size_t slot = (size_t)((key * slot_factor) >> table->shift);
    while (table->numbers[slot] != NONE && table->keys[slot] != key)
        slot = (slot + 1) & last;
    return slot;
}

/* Return the number of an n-gram, adding it if it is new. */
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

/* Count a pair. The hit of order `n` is written to `hits[(n - 1) * n_pairs]`. All hits must be 0
 * before, since counting stops at the first order that cannot match. */
Outcome count_ngrams(NgramCounter *counter, const Matches *matches, int max_ngram, int64_t *hits,
                  int64_t n_pairs);

LcsCounter *new_lcs_counter(const Pairs *pairs);
void free_lcs_counter(LcsCounter *counter);
Outcome count_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit);

/* Count the LCS of whole texts, ignoring sentences. */
Outcome count_text_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit);

/* The kinds of units counted in one pass: `PairUnits` in metrics/paired_texts.py. */
typedef struct {
    int max_ngram, has_lcs, has_text_lcs;
} Units;

/* Return the number of rows of hits that `count_units` fills. */
int64_t count_of_units(const Units *units);

/* Count the units of all pairs. `hits` has a row of zeros for each order of n-grams, then for each
 * LCS. */
Outcome count_units(const Pairs *pairs, const Units *units, int64_t *hits);

/* Count the union LCS, clipped by the unigram tables of other texts, as some limits on length
 * require. */
Outcome count_clipped_lcs(const Pairs *pairs, const Pairs *tables, int64_t *hits);

/* Tables by run length k, up to the longest sentence of a model. `powers` has f(k) = k ** W for
 * hits and bases. The weighted table adds `added[k]` when a run reaches length k, and subtracts
 * `subtracted[k - 1]`. By default both are f(k). */
typedef struct {
    const double *powers, *added, *subtracted;
} Weights;

Outcome count_wlcs(const Pairs *pairs, const Pairs *tables, const Weights *f, double *hits,
                   double *bases);

/* Sum the longest LCS of each sentence: in `hits` over the models, in `peer_hits` over the peers.
 */
Outcome count_pairwise_lcs(const Pairs *pairs, int64_t *hits, int64_t *peer_hits);

/* Set the marks of the tokens on an LCS to 1. They must be 0 before, and are in the order of the
 * pairs. */
Outcome mark_lcs_words(const Pairs *pairs, uint8_t *peer_marks, uint8_t *model_marks);

Outcome count_skip_bigrams(const Pairs *pairs, int64_t max_gap, int are_sets, int64_t *hits,
                           int64_t *hits_of_unigrams);

/* The score of a selection of sentences: `SelectionRule` in metrics/sources.py. */
typedef struct {
    int are_sets;
    double added, least_gain;
} Selection;

/* Choose at most `take` sentences of each document. `order`, `gains` and `counts` make up
 * `Selections` in metrics/sources.py. The pairs of a document with its summaries, at least one,
 * begin at its entry in `starts`. */
Outcome choose_sentences(const Pairs *pairs, const int64_t *starts, int64_t n_documents,
                         const Selection *rule, int64_t take, int64_t *order, double *gains,
                         int64_t *counts);

/* For each pair, sum the lengths of the peer's fragments in the model and, in a second row, their
 * squares. */
Outcome count_fragments(const Pairs *pairs, int64_t *sums);

/* Count the distinct n-grams of peers. Each order up to `n_orders` has three rows: all, the
 * repeated ones, and those missing from the model. With `is_cut` the last n-gram of each sentence
 * is left out. */
Outcome count_novel(const Pairs *pairs, int32_t n_orders, int is_cut, int64_t *counts);

/* Integer counts: `Counts` in metrics/counts.py. `peer_hits` may be the same array as `hits`. */
typedef struct {
    const int64_t *hits, *model_counts, *peer_hits, *peer_counts;
} WholeCounts;

/* Fill three rows: with recall, precision and F. Returns 0 if counts are so large that Python must
 * round the scores. */
int score_counts(const WholeCounts *counts, int64_t n_rows, double alpha, double *values);

/* Sum the counts over the pairs of each instance, which begin at its entry in `starts`. Returns 0
 * if counts are so large that Python must add them. */
int sum_models(const int64_t *counts, int64_t n_pairs, const int64_t *starts, int64_t n_instances,
               int64_t *sums);

/* Count how often each resample draws each instance. Returns 0 if a count exceeds a byte. */
int draw(int64_t n_instances, uint64_t first_resample, int64_t n_resamples, uint8_t *counts);

/* Units of a column must be less than this in magnitude, so that sums fit into 32 bits for a
 * while. */
#define MOST_UNITS (INT32_C(1) << 17)

/* Sum the units of each column over the instances of each resample. `counts` has a row per
 * resample, as filled by `draw`, and `units` a row per column. `sums` gets a row per resample. */
void sum_drawn(const uint8_t *counts, int64_t n_resamples, const int32_t *units, int64_t n_columns,
               int64_t n_instances, int64_t *sums);

#define TWISTER_STATES 624
#define N_SCORES 3 /* precision, recall and F */

/* NumPy's legacy generator. `position` is the number of states used so far. */
typedef struct {
    uint32_t states[TWISTER_STATES];
    int position;
} Twister;

/* Compute the mean scores of each resample, which draws `n_rows` rows with replacement. */
Outcome draw_means(const double *scores, int64_t n_rows, Twister *twister, int64_t n_resamples,
                   double *means);

/* A word list: stopwords, or irregular forms with their base forms. */
typedef struct {
    WordTable table;
    Word *bases;    /* by word number; of length 0 if a word has no base form */
    uint8_t *bytes; /* the bytes of all lines */
    int as_nltk;    /* whether to stem like NLTK in its default mode */
    struct StemCache *caches; /* caches of stems that no thread uses at the moment */
} WordList;

void free_word_list(WordList *list);

/* Stem a word in place. Returns its new length, which is never greater. */
size_t porter_stem(uint8_t *word, size_t length);
size_t nltk_stem(uint8_t *word, size_t length, int is_extended);

/* The most tokens in a batch, which are numbered or stemmed together. */
#define MOST_TOKENS 192

/* A batch of tokens: positions in `bytes`, ends exclusive. */
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

/* A cache of words and their stems; see stems.c. One thread at a time uses it. All zeros are an
 * empty cache. */
typedef struct StemCache {
    StemSet *sets;
    void *memory;    /* allocation that holds the sets */
    int n_bits;      /* binary logarithm of the number of sets */
    int64_t n_added; /* words added so far */
    WordTable table; /* the stems */
    LongStem *long_stems;
    size_t n_long_bytes;    /* total size of the long stems */
    struct StemCache *next; /* next free cache */
    int is_vocabulary; /* words and stems keep their numbers between calls */
    int is_taken;      /* a thread is reading with this vocabulary */
} StemCache;

/* Give a cache enough sets for texts of `n_bytes` bytes. */
Outcome prepare_stems(StemCache *cache, size_t n_bytes);
void free_stem_cache(StemCache *cache);

Outcome number_stems(StemCache *cache, const WordList *forms, const Tokens *tokens, int32_t *stems);

/* Number tokens as they are. A token gets the number of the stem with the same letters. */
Outcome number_as_stems(StemCache *cache, const Tokens *tokens, int32_t *types);

/* Groups of texts. Only texts of the same group are compared. Group `g` has the texts from
 * `starts[g]` to `starts[g + 1] - 1`; every text is in a group. */
typedef struct {
    const Word *texts;
    const int64_t *starts; /* first text of each group; last entry: number of texts */
    int64_t n_groups;
} Groups;

/* Flags of texts; see `FLAGS` in text/seen.py. */
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

#define MOST_LOST 1600 /* bytes of lost letters that are kept, at most */

/* Flags and counts of several texts: `FlaggedTexts` in text/columns.py. */
typedef struct {
    uint8_t *flags; /* one per text */
    int has_letters; /* whether to look for letters that are in no token */
    int64_t n_texts, n_newlines, n_words, n_broken;
    size_t n_lost;
    uint8_t lost[MOST_LOST];
} FlaggedTexts;

/* Begin with no texts. `lost` is not zeroed, as this would take a hundredth of the time of a single
 * pair. */
void begin_flags(FlaggedTexts *flagged, uint8_t *flags, int has_letters);

/* Facts gathered while reading a text: the numbers of newlines and of non-ASCII bytes, and whether
 * any byte is odd. Odd bytes are zero, &, <, \, and the last byte of a soft hyphen or a zero-width
 * space. */
typedef struct {
    int64_t n_newlines;
    size_t n_high;
    uint64_t has_odd;
} Seen;

/* Add the non-ASCII bytes of a chunk that has some. A chunk has fewer than 256 bytes. */
void see_high(const uint8_t *bytes, uint8_t n_bytes, Seen *seen);

/* Flag the next text. The byte after the text must be readable and not a blank. */
void flag_text(const Word *text, const Seen *seen, FlaggedTexts *flagged);

/* Flag texts that are not read into columns. */
Outcome flag_texts(const Word *texts, int64_t n_texts, FlaggedTexts *flagged);

/* The columns that texts are read into, with room for every token and text. The array of sentences
 * grows, since sentences are not counted in advance, and must be freed. Within a group, equal words
 * have equal types. */
typedef struct {
    int32_t *types;
    int32_t *stems;            /* NULL without stemming; may be the same as `types` */
    int64_t *text_offsets;
    int64_t *sentence_offsets; /* NULL at first */
    int64_t n_tokens, n_sentences, n_texts, room_for_sentences;
    int32_t n_types;
    FlaggedTexts *flagged;     /* NULL if not needed */
} ReadColumns;

/* Read texts into columns. `stopwords` is NULL to keep all words, and `forms` is NULL to stem none.
 * `stems` is a cache of stems, or a vocabulary, which numbers words too. It is NULL if there is no
 * vocabulary and nothing to stem. With `at_blanks`, which excludes stemming, only ASCII blanks
 * separate words, and words keep their case. */
Outcome read_texts(const Groups *groups, const WordList *stopwords, const WordList *forms,
                   StemCache *stems, int at_blanks, ReadColumns *read);

/* Texts as sequences of numbers. Text `t` has the items from `offsets[t]` to `offsets[t + 1] - 1`.
 */
typedef struct {
    const int32_t *items;
    const int64_t *offsets;
    int64_t n_texts;
} Sequences;

/* Lengths of the longest texts that are accepted, in items: for the LCS, because the bits of longer
 * texts would take too much memory, and for an index, because postings store lengths in 16 bits. */
#define MOST_IN_LANES 2048
#define MOST_IN_INDEX UINT16_MAX

/* A task: score rows with all columns. Scores come from a table, indexed by the numbers of both
 * lengths and the hits. Texts of equal length share a number. */
typedef struct {
    Sequences rows, columns;
    int64_t n_items; /* all items are smaller */
    int is_lcs;
    int is_square;   /* whether rows and columns are the same texts, all of them in the order */
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
    uint16_t n_left; /* units of the text from this one on, inclusive */
    uint64_t signature;
} Posting;

typedef struct Term Term;

/* Texts, with an index of their rarest units; see bulk.c. */
typedef struct {
    int is_lcs, n_users; /* threads that read it; -1 while one changes it */
    int32_t *ranks;      /* by unit; units beyond `n_ranked` are rarer than all of these */
    int64_t n_ranked;
    Term *terms;         /* by unit */
    int64_t n_terms;
    int32_t *items;
    int64_t *offsets;
    int64_t n_texts, room_for_items, room_for_texts;
    int64_t n_items, n_lengths; /* of the latest task; they never decrease */
} PairIndex;

void free_pair_index(PairIndex *index);

/* The fewest hits with which a pair exceeds the threshold: by the numbers of both lengths, for a
 * row with any column, and for a column with any row. `n_units` is the number of units of each
 * length. */
typedef struct {
    const int32_t *of_pairs, *of_rows, *of_columns, *n_units;
    int64_t n_lengths;
} LeastHits;

/* A pair above the threshold: a query and a text of the index. */
typedef struct {
    int32_t query, text, hits;
} FoundPair;

typedef struct {
    FoundPair *pairs;
    int64_t n_pairs, room;
} FoundPairs;

/* A task for an index: add the texts before `end`, or find their pairs. With `is_triangle` a text
 * is paired only with texts of higher numbers. */
typedef struct {
    int is_added, is_triangle;
    Sequences texts, units;
    int64_t n_items;        /* all items of `texts` are smaller */
    const int32_t *lengths; /* numbers of the lengths, by text */
    LeastHits least;
    int64_t end, most_found;
} IndexTask;

/* Perform a task, beginning at `text`. Stops early once many pairs are found, and sets `text` to
 * the first text that is left. */
Outcome use_index(PairIndex *index, const IndexTask *task, int64_t *text, FoundPairs *found);

#endif
