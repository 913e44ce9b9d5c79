/* What the files of the core share. Nothing but module*.c knows Python.
 *
 * Functions name their twins, which return the same in Python, and are explained there; twins.py
 * lists those that a test compares. Sizes and numbers are checked there: here types are below the
 * number of types, offsets ascend, and no text has more tokens than fit into 32 bits.
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

/* What a function returns: whether there was memory for it, and whether it was let finish. */
typedef enum { DONE = 0, NO_MEMORY = -1, INTERRUPTED = -2 } Outcome;

/* Say whether the user wants the work to end. It takes so long that it is asked after much work. */
int is_interrupted(void);
#define MUCH_WORK (1 << 27)

/* Add to the steps that were done, and after many say whether the user wants the work to end. */
static inline int has_to_end(int64_t *work, int64_t n_steps)
{
    *work += n_steps;
    if (*work < MUCH_WORK)
        return 0;
    *work = 0;
    return is_interrupted();
}

/* Allocate zeros for `count` items; NULL where there is no memory, and never for none. */
void *zeros(size_t count, size_t size);

/* The place of the lowest bit that is set, and of the highest; there is one. */
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

/* The same byte eight times. */
#define EIGHT(byte) ((byte) * UINT64_C(0x0101010101010101))
#define HIGH_BITS EIGHT(0x80)

/* Set the high bit of each of eight bytes below 128 that is not less than another. */
static inline uint64_t not_less(uint64_t eight, uint8_t least)
{
    return eight + EIGHT(0x80 - least);
}

/* Set the high bit of each of eight bytes that is a certain one. */
static inline uint64_t are_equal(uint64_t eight, uint8_t byte)
{
    uint64_t differing = eight ^ EIGHT(byte);
    return ~(((differing & ~HIGH_BITS) + EIGHT(0x7F)) | differing) & HIGH_BITS;
}

/* Set the high bit of each of eight bytes that is a letter of ASCII; other bits have no meaning. */
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

/* One side of many pairs: text `texts[p]` of the columns is that of pair `p`. */
typedef struct {
    Columns columns;
    const int64_t *texts;
    int64_t n_pairs;
} Side;

/* One text of a side: its tokens, and its sentences, whose offsets count from `first_token`. */
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

/* Return the token of a text at which a sentence begins, or behind the last sentence its end. */
static inline int32_t sentence_start(const Text *text, int64_t sentence)
{
    return (int32_t)(text->sentence_offsets[sentence] - text->first_token);
}

/* The longest sentence of a side, in tokens. */
int32_t longest_sentence(const Side *side);

/* Pairs of texts: `TextPairs` in metrics/paired_texts.py. */
typedef struct {
    Side peers, models;
    int64_t n_types;
    int32_t longest_peer, longest_model; /* tokens of these texts */
} Pairs;

/* The matched tokens of one pair: a group is a type that both texts have. */
typedef struct {
    Text peer, model;
    const int32_t *peer_groups, *model_groups; /* by token, NONE where it is not matched, and behind
                                                * the last one */
    const int32_t *peer_places, *model_places; /* the matched tokens */
    int32_t n_peer_places, n_model_places;
    const int32_t *peer_counts, *model_counts; /* by group, above 0 */
    int32_t n_groups;
} Matches;

/* What matches pair after pair: what is counted of a pair follows at once, see units.c. If all pairs
 * were matched first, what is written would be in no cache when it is read. */
typedef struct {
    int32_t *marks;  /* of types: see `match_pair` */
    int32_t least;   /* what the next pair marks with; all marks are below it */
    int64_t n_types;
    int32_t *peer_groups, *model_groups, *peer_places, *model_places, *peer_counts, *model_counts;
} Matcher;

Outcome new_matcher(Matcher *matcher, const Pairs *pairs);
void free_matcher(Matcher *matcher);

/* Match the tokens of one pair; they stay until the next. */
Matches match_pair(Matcher *matcher, const Pairs *pairs, int64_t pair);

/* Set the lengths of the longest texts. */
void measure_pairs(Pairs *pairs);

/* Number the types of a few tokens anew, from 0 on; returns how many there are, NONE without memory.
 */
int32_t renumber_types(int32_t *types, int64_t n_tokens);

/* Return the group of a type in the pair that was matched last; negative if it has none. */
static inline int32_t group_of_type(const Matcher *matcher, const Matches *matches, int32_t type)
{
    return matcher->marks[type] - (matcher->least - matches->n_groups);
}

/* How many tokens of a group both texts hold. */
static inline int32_t shared_count(const Matches *matches, int32_t group)
{
    int32_t of_peer = matches->peer_counts[group], of_model = matches->model_counts[group];
    return of_peer < of_model ? of_peer : of_model;
}

/* Say of each token whether it is the first of its type in its sentence. */
Outcome mark_firsts(const int32_t *types, const int64_t *sentence_offsets, int64_t n_sentences,
                    int64_t n_types, uint8_t *is_first);

/* What counts pair after pair, in memory of its own; NULL without memory. */
typedef struct NgramCounter NgramCounter;
typedef struct LcsCounter LcsCounter;

NgramCounter *new_ngram_counter(const Pairs *pairs);
void free_ngram_counter(NgramCounter *counter);

/* Count a pair: that of order `n` is `hits[(n - 1) * n_pairs]`, and 0 before. */
void count_ngrams(NgramCounter *counter, const Matches *matches, int max_ngram, int64_t *hits,
                  int64_t n_pairs);

LcsCounter *new_lcs_counter(const Pairs *pairs);
void free_lcs_counter(LcsCounter *counter);
Outcome count_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit);

/* The length of the LCS of whole texts, whatever their sentences. */
Outcome count_text_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit);

/* What is counted of pairs that are matched once: `PairUnits` in metrics/paired_texts.py. */
typedef struct {
    int max_ngram, has_lcs, has_text_lcs;
} Units;

/* Return how many rows of hits there are. */
int64_t count_of_units(const Units *units);

/* `hits` has a row of zeros for each order of n-grams, and for each LCS. */
Outcome count_units(const Pairs *pairs, const Units *units, int64_t *hits);

/* The union LCS that the unigram tables of other texts clip, which some limits make. */
Outcome count_clipped_lcs(const Pairs *pairs, const Pairs *tables, int64_t *hits);

/* f(k) = k ** W for each k up to the longest sentence of a model, in hits and bases; and what the
 * table adds for a run that becomes k long, and subtracts for one that was: f(k), if nothing else. */
typedef struct {
    const double *powers, *added, *subtracted;
} Weights;

Outcome count_wlcs(const Pairs *pairs, const Pairs *tables, const Weights *f, double *hits,
                   double *bases);

/* The longest LCS of each sentence, added up over the models and over the peers. */
Outcome count_pairwise_lcs(const Pairs *pairs, int64_t *hits, int64_t *peer_hits);

Outcome count_skip_bigrams(const Pairs *pairs, int64_t max_gap, int64_t *hits,
                           int64_t *hits_of_unigrams);

/* Whole counts of `Counts` in metrics/counts.py; the hits of peers may be those of models. */
typedef struct {
    const int64_t *hits, *model_counts, *peer_hits, *peer_counts;
} WholeCounts;

/* Set a row of recalls, of precisions and of F; returns 0 where some are so large that Python has to
 * round them. */
int score_counts(const WholeCounts *counts, int64_t n_rows, double alpha, double *values);

/* Add up the counts of the pairs of each instance, which begin at `starts`; returns 0 where Python
 * has to add them, as they are large. */
int sum_models(const int64_t *counts, int64_t n_pairs, const int64_t *starts, int64_t n_instances,
               int64_t *sums);

/* Count how often each resample draws each instance; returns 0 where a byte does not hold it. */
int draw(int64_t n_instances, uint64_t first_resample, int64_t n_resamples, uint8_t *counts);

#define TWISTER_STATES 624
#define N_SCORES 3 /* precision, recall and F */

/* NumPy's legacy generator: its states, and how many of them have been used. */
typedef struct {
    uint32_t states[TWISTER_STATES];
    int position;
} Twister;

/* Draw rows of scores with replacement, as many as there are; returns the means of each resample. */
Outcome draw_means(const double *scores, int64_t n_rows, Twister *twister, int64_t n_resamples,
                   double *means);

/* A list of a run: stopwords, or irregular forms with the base form of each. */
typedef struct {
    WordTable table;
    Word *bases;    /* by number of the word; without bytes where it has none */
    uint8_t *bytes; /* of all lines */
    int as_nltk;    /* whether all words are stemmed as NLTK does in its default mode */
    struct StemCache *caches; /* of stems by these forms, that nobody uses */
} WordList;

void free_word_list(WordList *list);

/* Stem a word in place; returns its new length, which is never greater. */
size_t porter_stem(uint8_t *word, size_t length);
size_t nltk_stem(uint8_t *word, size_t length, int is_extended);

/* So many tokens at the most are numbered, or stemmed, together. */
#define MOST_TOKENS 192

/* Tokens that are to be numbered: where each begins in some bytes, and where it ends. */
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

/* Words, and their stems by the same forms, see stems.c; one thread at a time stems with it. Of zeros
 * it is empty. */
typedef struct StemCache {
    StemSet *sets;
    void *memory;    /* the sets are in it */
    int n_bits;      /* the logarithm of their number */
    int64_t n_added; /* words that have been put into them */
    WordTable table; /* of stems */
    LongStem *long_stems;
    size_t n_long_bytes;    /* of these, together */
    struct StemCache *next; /* of those that nobody uses */
} StemCache;

/* Make a cache ready for texts of so many bytes. */
Outcome prepare_stems(StemCache *cache, size_t n_bytes);
void free_stem_cache(StemCache *cache);

Outcome number_stems(StemCache *cache, const WordList *forms, const Tokens *tokens, int32_t *stems);

/* Number tokens as they are, each as a stem with the same letters. */
Outcome number_as_stems(StemCache *cache, const Tokens *tokens, int32_t *types);

/* Texts of which only those of the same group are compared: group `g` has the texts from `starts[g]`
 * on, up to those of the next; all texts are in some group. */
typedef struct {
    const Word *texts;
    const int64_t *starts; /* of the groups, and behind them the number of texts */
    int64_t n_groups;
} Groups;

/* Flags of texts, as `FLAGS` in text/flags.py. */
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

/* What warnings may be about in some texts: `FlaggedTexts` in text/flags.py. */
typedef struct {
    uint8_t *flags; /* by text */
    int has_letters; /* whether letters in no token are looked for */
    int64_t n_texts, n_newlines, n_words, n_broken;
    size_t n_lost;
    uint8_t lost[MOST_LOST];
} FlaggedTexts;

/* Begin with no text. `lost` may hold anything: to zero it would take a hundredth of a lone pair. */
void begin_flags(FlaggedTexts *flagged, uint8_t *flags, int has_letters);

/* What is seen of a text while it is read: its newlines, its bytes that are not ASCII, and whether one is
 * odd: a zero, &, <, \, or one that ends a soft hyphen or a space without width. */
typedef struct {
    int64_t n_newlines;
    size_t n_high;
    uint64_t has_odd;
} Seen;

/* See the bytes of a chunk that are not ASCII, of which there are some; fewer than 256 in all. */
void see_high(const uint8_t *bytes, uint8_t n_bytes, Seen *seen);

/* Flag the next text. Behind it there is a byte that can be read and is no blank. */
void flag_text(const Word *text, const Seen *seen, FlaggedTexts *flagged);

/* Flag texts that are not read. */
void flag_texts(const Word *texts, int64_t n_texts, FlaggedTexts *flagged);

/* What is read, and where it goes: columns with room for every token and every text. That for sentences
 * grows, as they are not counted in front, and is to be freed. Equal words have equal types in each
 * group. */
typedef struct {
    int32_t *types;
    int32_t *stems;            /* NULL where nothing is stemmed; may be where the types are */
    int64_t *text_offsets;
    int64_t *sentence_offsets; /* NULL at first */
    int64_t n_tokens, n_sentences, n_texts, room_for_sentences;
    int32_t n_types;
    FlaggedTexts *flagged;     /* NULL where nobody asks */
} ReadColumns;

/* Stopwords and forms are NULL where none are removed and where nothing is stemmed; then there are no
 * stems. */
Outcome read_texts(const Groups *groups, const WordList *stopwords, const WordList *forms,
                   StemCache *stems, ReadColumns *read);

/* What some bytes of a file hold: line ends, marks, the bytes up to the first and the last line end,
 * and the line ends in front of the first zero, NONE without one. */
typedef struct {
    int64_t n_lines, n_marks, first_end, last_end, n_before_zero;
} NotedLines;

/* Find line ends, in front of which there were others in the file, and mark every `per_mark`-th. */
void note_lines(const uint8_t *bytes, size_t n_bytes, int64_t n_before, int64_t per_mark,
                int64_t *marks, NotedLines *noted);

/* Lines as texts: where each begins, its bytes, and whether it is not blank and was not separated. */
typedef struct {
    int64_t *starts, *lengths;
    uint8_t *is_unsplit;
} LineTexts;

/* Put a newline in the place of each word, in lines that end with one, and note the texts; returns
 * how many there are, NONE if there are more than `most`. */
int64_t split_lines(uint8_t *lines, size_t n_bytes, const Word *words, int64_t n_words,
                    int64_t most, LineTexts *texts);

/* The fields that are read of records, which differ; the ID has no bytes where there is none. */
enum { PEER = 0, MODELS = 1, ID = 2, N_ROLES = 3 };

#define MOST_WATCHED 64 /* more than there are names of fields by default */

typedef struct {
    Word of_roles[N_ROLES];
    Word watched[MOST_WATCHED]; /* in small letters; lines with such a field are left to Python */
    size_t n_watched;
    int takes_lists; /* as several models */
} RecordKeys;

/* What records are read into: texts and IDs, each of the latter with a newline, end to end, with room
 * for as many bytes as the lines have, and the lengths of the texts. */
typedef struct {
    uint8_t *peers_end, *models_end, *ids_end;
    int64_t *peer_lengths, *model_lengths;
    int64_t *n_models; /* by record */
    int64_t *numbers;  /* those that the IDs are, if all are numbers as Python writes them */
    int64_t n_records, n_all_models;
    int are_numbers;
} ScannedRecords;

/* Set how many records, and models of them, lines have at the most. */
void count_records(const uint8_t *lines, size_t n_bytes, int64_t *n_records, int64_t *n_models);

/* Read lines, behind which a zero stands; returns 0 where Python has to read them. */
int scan_records(const uint8_t *lines, size_t n_bytes, const RecordKeys *keys,
                 ScannedRecords *read);

#endif
