/* From words to the numbers of their stems, through a cache. Twin: `Stemmer` in text/stems.py.
 *
 * Most words of a text have been stemmed shortly before. So words are kept together with the
 * numbers of their stems, in sets of three that fill a cache line. A new word replaces the oldest
 * of its set. A word that was replaced is stemmed again, so sets never grow. Stems are numbered in
 * a table, and keep their numbers until there are too many. Words of more than 16 bytes are rare
 * and are stemmed each time. A thread that reads has a cache to itself, so no thread has to wait
 * for another.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_UNSTEMMED 3
#define LINE 64 /* bytes of a cache line */
#define N_WAYS 3
#define FEWEST_BITS 7 /* binary logarithms of the smallest and largest numbers of sets */
#define MOST_BITS 16
#define BYTES_PER_SET 64   /* bytes of text per set */
#define BYTES_PER_STEM 96  /* bytes of text per stem that a new table has room for */
#define MOST_EXPECTED 32768 /* the most stems that a new table has room for */

/* A cache with more stems than this, or more bytes of long stems, is emptied before the next texts.
 */
#define MOST_STEMS 131072
#define MOST_LONG_BYTES (1 << 24)

/* Three words and the numbers of their stems. A free place is filled with bytes 0xFF, which occur
 * in no word. */
struct StemSet {
    Key words[N_WAYS];
    int32_t stems[N_WAYS];
    uint32_t latest; /* newest place; the place after it is the oldest */
};

/* A stem too long for its key to hold all its bytes. */
struct LongStem {
    struct LongStem *next;
    uint8_t bytes[];
};

/* Forget all words and stems. */
static void empty_cache(StemCache *cache)
{
    for (LongStem *stem = cache->long_stems, *next; stem; stem = next) {
        next = stem->next;
        free(stem);
    }
    free_word_table(&cache->table);
    free(cache->memory);
    *cache = (StemCache){.is_vocabulary = cache->is_vocabulary, .is_taken = cache->is_taken};
}

void free_stem_cache(StemCache *cache)
{
    empty_cache(cache);
    free(cache);
}

/* Make `1 << n_bits` empty sets. */
static Outcome make_sets(StemCache *cache, int n_bits)
{
    size_t n_sets = (size_t)1 << n_bits;
    free(cache->memory);
    cache->n_bits = 0;
    cache->n_added = 0;
    cache->memory = malloc((n_sets + 1) * sizeof(StemSet));
    if (!cache->memory)
        return NO_MEMORY;
    /* Why not zeros? A compiler would turn that into memory of the system that has not been
     * touched. Reading such a page before writing it costs twice, and all threads stop for it. */
    memset(cache->memory, 0xFF, (n_sets + 1) * sizeof(StemSet));
    cache->sets = (StemSet *)(((uintptr_t)cache->memory + LINE - 1) / LINE * LINE);
    cache->n_bits = n_bits;
    return DONE;
}

/* If there are too few sets for the next texts, or for the words added so far, start anew with more
 * sets. The second condition makes the cache grow with pairs that come one by one. */
Outcome prepare_stems(StemCache *cache, size_t n_bytes)
{
    int n_bits = cache->n_bits > FEWEST_BITS ? cache->n_bits : FEWEST_BITS;
    size_t n_expected = n_bytes / BYTES_PER_STEM;
    int is_full = cache->table.n_words > MOST_STEMS || cache->n_long_bytes > MOST_LONG_BYTES;
    if (is_full && !cache->is_vocabulary)
        empty_cache(cache);
    if (cache->n_bits && (cache->n_added / N_WAYS) >> cache->n_bits)
        n_bits += 2;
    while (n_bits < MOST_BITS && n_bytes / BYTES_PER_SET >> n_bits)
        n_bits++;
    n_bits = n_bits < MOST_BITS ? n_bits : MOST_BITS;
    if (n_bits != cache->n_bits && make_sets(cache, n_bits) != DONE)
        return NO_MEMORY;
    n_expected = n_expected < MOST_EXPECTED ? n_expected : MOST_EXPECTED;
    if (cache->table.slots || new_word_table(&cache->table, n_expected) == DONE)
        return DONE;
    empty_cache(cache);
    return NO_MEMORY;
}

/* Return the place of a word in its set, or N_WAYS if the set lacks it. There is no branch. */
static inline int place_in(const StemSet *set, Key key)
{
    int place = N_WAYS;
    for (int way = 0; way < N_WAYS; way++)
        place = key_difference(set->words[way], key) ? place : way;
    return place;
}

/* Return the stem of a word: its base form if it is irregular, otherwise stemmed in `bytes`. Twin:
 * `stem_of`. */
static Word stem_of(Word word, Key key, const WordList *forms, uint8_t *bytes)
{
    int is_kept = word.length <= LONGEST_UNSTEMMED;
    int32_t form = is_kept || forms->as_nltk
                       ? NONE
                       : number_of_word(&forms->table, word.bytes, word.length, key);
    if (form != NONE && forms->bases[form].length > 0)
        return forms->bases[form];
    memcpy(bytes, word.bytes, word.length);
    if (is_kept)
        return (Word){bytes, word.length};
    return (Word){bytes, forms->as_nltk ? nltk_stem(bytes, word.length, 1)
                                        : porter_stem(bytes, word.length)};
}

/* Copy the bytes of a new long stem. Returns NULL if memory runs out. */
static const uint8_t *keep_bytes(StemCache *cache, Word stem)
{
    LongStem *kept = malloc(sizeof *kept + stem.length + PADDING);
    if (!kept)
        return NULL;
    kept->next = cache->long_stems;
    cache->long_stems = kept;
    cache->n_long_bytes += stem.length;
    return memcpy(kept->bytes, stem.bytes, stem.length);
}

/* Number a stem, whose bytes are temporary. The table is that of the cache or a local copy of it,
 * which stays in registers. Inline, since a key passed by value has to go through memory. */
static inline Outcome number_stem(StemCache *cache, WordTable *table, Word stem, Key key,
                                  int32_t *number)
{
    size_t place = slot_of_word(table, first_slot(table, key), stem.bytes, stem.length, key);
    if (stem.length > KEY_BYTES && is_empty(table, &table->slots[place]) &&
        !(stem.bytes = keep_bytes(cache, stem)))
        return NO_MEMORY;
    *number = find_or_put_word(table, place, stem.bytes, stem.length, key);
    return DONE;
}

Outcome number_as_stems(StemCache *cache, const Tokens *tokens, int32_t *types)
{
    Key keys[MOST_TOKENS];
    Outcome outcome = need_room(&cache->table, tokens->n_tokens);
    WordTable table = cache->table;
    Tokens waiting = *tokens;
    for (int token = 0; token < waiting.n_tokens; token++) {
        Word word = token_at(&waiting, token);
        keys[token] = key_of_word(word.bytes, word.length);
        expect_bytes(&table.slots[first_slot(&table, keys[token])]);
    }
    for (int token = 0; outcome == DONE && token < waiting.n_tokens; token++)
        outcome = number_stem(cache, &table, token_at(&waiting, token), keys[token], &types[token]);
    cache->table = table;
    return outcome;
}

/* Add a word to its set, replacing the oldest. Another token of the batch may have added it
 * already. */
static void put_into(StemSet *set, Key word, int32_t stem)
{
    if (place_in(set, word) < N_WAYS)
        return;
    set->latest = set->latest + 1 < N_WAYS ? set->latest + 1 : 0;
    set->words[set->latest] = word;
    set->stems[set->latest] = stem;
}

#define LONGEST 48 /* bytes of a word that is stemmed without allocating memory */

/* Tokens whose words are in no set, with their stems. */
typedef struct {
    int n_tokens, tokens[MOST_TOKENS];
    uint8_t bytes[MOST_TOKENS][LONGEST + PADDING];
    Word stems[MOST_TOKENS];
    Key keys[MOST_TOKENS];
} Missed;

/* Number the stem of a word of more than LONGEST bytes. */
static Outcome number_long(StemCache *cache, const WordList *forms, Word word, Key key,
                           int32_t *number)
{
    Outcome outcome = NO_MEMORY;
    uint8_t *bytes = malloc(word.length + PADDING);
    if (bytes) {
        Word stem = stem_of(word, key, forms, bytes);
        Key key_of_stem = key_of_word(stem.bytes, stem.length);
        outcome = number_stem(cache, &cache->table, stem, key_of_stem, number);
    }
    free(bytes);
    return outcome;
}

/* Stem the tokens that are in no set, and add them. First all are looked up as irregular forms and
 * then all as stems, so that their slots can be prefetched. */
static Outcome number_missed(StemCache *cache, const WordList *forms, const Tokens *tokens,
                             const Key *keys, const uint32_t *places, Missed *missed,
                             int32_t *numbers)
{
    const WordTable *table = &cache->table;
    Outcome outcome = need_room(&cache->table, missed->n_tokens);
    for (int place = 0; outcome == DONE && place < missed->n_tokens; place++)
        expect_bytes(&forms->table.slots[first_slot(&forms->table, keys[missed->tokens[place]])]);
    for (int place = 0; outcome == DONE && place < missed->n_tokens; place++) {
        int token = missed->tokens[place];
        Word word = token_at(tokens, token);
        if (word.length > LONGEST) {
            outcome = number_long(cache, forms, word, keys[token], &numbers[token]);
            continue;
        }
        Word stem = missed->stems[place] = stem_of(word, keys[token], forms, missed->bytes[place]);
        missed->keys[place] = key_of_word(stem.bytes, stem.length);
        expect_bytes(&table->slots[first_slot(table, missed->keys[place])]);
    }
    for (int place = 0; outcome == DONE && place < missed->n_tokens; place++) {
        int token = missed->tokens[place];
        size_t length = token_at(tokens, token).length;
        if (length <= LONGEST)
            outcome = number_stem(cache, &cache->table, missed->stems[place],
                                  missed->keys[place], &numbers[token]);
        if (length <= KEY_BYTES && outcome == DONE) {
            put_into(&cache->sets[places[token]], keys[token], numbers[token]);
            cache->n_added++;
        }
    }
    return outcome;
}

Outcome number_stems(StemCache *cache, const WordList *forms, const Tokens *tokens, int32_t *stems)
{
    Key keys[MOST_TOKENS];
    uint32_t places[MOST_TOKENS];
    Missed missed;
    int n_missed = 0, n_bits = cache->n_bits;
    uint64_t factor = slot_factor, other_factor = next_factor;
    const StemSet *sets = cache->sets;
    Tokens waiting = *tokens;
    for (int token = 0; token < waiting.n_tokens; token++) {
        Word word = token_at(&waiting, token);
        keys[token] = key_of_word(word.bytes, word.length);
        places[token] = (uint32_t)place_of_key(keys[token], factor, other_factor, 64 - n_bits);
        expect_bytes(&sets[places[token]]);
    }
    for (int token = 0; token < waiting.n_tokens; token++) {
        const StemSet *set = &sets[places[token]];
        int place = place_in(set, keys[token]);
        missed.tokens[n_missed] = token;
        n_missed += (place == N_WAYS) | (waiting.ends[token] - waiting.begins[token] > KEY_BYTES);
        stems[token] = set->stems[place == N_WAYS ? 0 : place];
    }
    missed.n_tokens = n_missed;
    return n_missed ? number_missed(cache, forms, tokens, keys, places, &missed, stems) : DONE;
}
