/* Words by their bytes, numbered from 0 on in the order added: a hash table with open addressing.
 *
 * Behind every word of a table, and every word looked up, stand so many bytes that can be read,
 * whatever is in them. What every token needs stands here, for the compiler to put in place.
 */
#ifndef ROUGE_CLI_WORDS_H
#define ROUGE_CLI_WORDS_H

#include <string.h>

#define PADDING 8
#define WORD_BYTES 8

typedef struct {
    const uint8_t *bytes;
    size_t length;
} Word;

typedef struct {
    uint64_t key;
    int32_t number; /* NONE in an empty slot */
    uint32_t length;
} Slot;

typedef struct {
    Word *words;
    int32_t n_words, room;
    Slot *slots;
    size_t n_slots; /* a power of two */
    int shift;      /* leaves of 64 bits the highest, as many as number the slots */
} WordTable;

Outcome new_word_table(WordTable *table);
void free_word_table(WordTable *table);

/* Odd, and another in each process, so that nobody can choose words or n-grams that meet in one
 * slot. */
extern uint64_t slot_factor;
#define GOLDEN_RATIO UINT64_C(0x9E3779B97F4A7C15)

/* Return up to 8 bytes as one integer, zeros in the place of those that are missing. */
static inline uint64_t word_of(const uint8_t *bytes, size_t length)
{
    uint64_t word;
    memcpy(&word, bytes, WORD_BYTES);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return length < WORD_BYTES ? word & ~(UINT64_MAX >> 8 * length) : word;
#else
    return length < WORD_BYTES ? word & ((UINT64_C(1) << 8 * length) - 1) : word;
#endif
}

/* Return the key of a word: its bytes, or if it has more than 8, a hash. Twin: `_keys`. */
static inline uint64_t key_of_word(const uint8_t *bytes, size_t length)
{
    uint64_t key = 0;
    for (; length > WORD_BYTES; bytes += WORD_BYTES, length -= WORD_BYTES) {
        key = (key ^ word_of(bytes, WORD_BYTES)) * slot_factor;
        key ^= key >> 32;
    }
    return key ^ word_of(bytes, length);
}

static inline size_t first_slot(const WordTable *table, uint64_t key)
{
    return (size_t)((key * slot_factor) >> table->shift);
}

/* Begin to load what is needed to number a word soon. */
static inline void expect_word(const WordTable *table, uint64_t key)
{
#if defined(__GNUC__)
    __builtin_prefetch(&table->slots[first_slot(table, key)]);
#else
    (void)table;
    (void)key;
#endif
}

/* Say whether a slot holds a word; up to 8 bytes its key and its length say it all. */
static inline int holds(const WordTable *table, const Slot *slot, const uint8_t *bytes,
                        size_t length, uint64_t key)
{
    return slot->key == key && slot->length == (uint32_t)length &&
           (length <= WORD_BYTES || memcmp(table->words[slot->number].bytes, bytes, length) == 0);
}

/* Return the slot of a word, or the empty one where it belongs. */
static inline Slot *slot_of_word(const WordTable *table, const uint8_t *bytes, size_t length,
                                 uint64_t key)
{
    size_t slot = first_slot(table, key);
    while (table->slots[slot].number != NONE &&
           !holds(table, &table->slots[slot], bytes, length, key))
        slot = (slot + 1) & (table->n_slots - 1);
    return &table->slots[slot];
}

/* Return the number of a word, NONE if it is not there. */
static inline int32_t find_word(const WordTable *table, const Word *word)
{
    uint64_t key = key_of_word(word->bytes, word->length);
    return slot_of_word(table, word->bytes, word->length, key)->number;
}

/* Add a word that is not there, and return its number; NONE where there is no memory. */
int32_t add_word(WordTable *table, const uint8_t *bytes, size_t length, uint64_t key);

/* Return the number of a word, added if it is not there; its bytes have to outlive the table. NONE
 * where there is no memory. */
static inline int32_t number_word(WordTable *table, const uint8_t *bytes, size_t length,
                                  uint64_t key)
{
    int32_t number = slot_of_word(table, bytes, length, key)->number;
    return number != NONE ? number : add_word(table, bytes, length, key);
}

#endif
