/* Words by their bytes, numbered from 0 on in the order added: a hash table with open addressing.
 *
 * Behind every word of a table, and every word looked up, stand so many bytes that can be read,
 * whatever is in them. What every token needs stands here, for the compiler to put in place.
 */
#ifndef ROUGE_CLI_WORDS_H
#define ROUGE_CLI_WORDS_H

#include <string.h>

#define PADDING 16
#define LIMB_BYTES 8
#define KEY_BYTES 16

typedef struct {
    const uint8_t *bytes;
    size_t length;
} Word;

/* The first 8 bytes of a word, and the next 8, with zeros in the place of those that are missing;
 * of a word of more than 16, in place of the next 8 a hash of all the others. */
typedef struct {
    uint64_t first, next;
} Key;

typedef struct {
    int32_t number;  /* NONE in an empty slot */
    uint32_t length; /* of the word; a longer one than this holds is not compared by it alone */
    Key key;
} Slot;

typedef struct {
    Word *words;
    int32_t n_words, room;
    Slot *slots;
    size_t n_slots; /* a power of two */
    int shift;      /* leaves of 64 bits the highest, as many as number the slots */
} WordTable;

/* Make a table with room for so many words, and for more as they come. */
Outcome new_word_table(WordTable *table, size_t n_expected);
void free_word_table(WordTable *table);

/* Odd, and others in each process, so that nobody can choose words or n-grams that meet in one
 * slot. */
extern uint64_t slot_factor, next_factor;
#define GOLDEN_RATIO UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t limb_at(const uint8_t *bytes)
{
    uint64_t limb;
    memcpy(&limb, bytes, LIMB_BYTES);
    return limb;
}

/* Return the key of a word. */
static inline Key key_of_word(const uint8_t *bytes, size_t length)
{
    /* As many bytes of these are kept as stand in front of the zeros. */
    static const uint8_t kept[2 * KEY_BYTES] = {
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    };
    const uint8_t *mask = kept + KEY_BYTES - (length < KEY_BYTES ? length : KEY_BYTES);
    Key key = {
        limb_at(bytes) & limb_at(mask),
        limb_at(bytes + LIMB_BYTES) & limb_at(mask + LIMB_BYTES),
    };
    for (size_t place = KEY_BYTES; place < length; place += LIMB_BYTES) {
        /* The last 8 bytes overlap with those in front of them. */
        size_t begin = length - place < LIMB_BYTES ? length - LIMB_BYTES : place;
        /* Multiplied before a limb is added, so that no limb can be chosen to undo another. */
        key.next *= slot_factor;
        key.next ^= key.next >> 32 ^ limb_at(bytes + begin);
    }
    return key;
}

static inline size_t first_slot(const WordTable *table, Key key)
{
    return (size_t)((key.first * slot_factor + key.next * next_factor) >> table->shift);
}

/* Begin to load what is needed to number a word soon. */
static inline void expect_word(const WordTable *table, Key key)
{
#if defined(__GNUC__)
    __builtin_prefetch(&table->slots[first_slot(table, key)]);
#else
    (void)table;
    (void)key;
#endif
}

/* Say whether a slot holds a word; of up to 16 bytes its key and its length say it all. */
static inline int holds(const WordTable *table, const Slot *slot, const uint8_t *bytes,
                        size_t length, Key key)
{
    uint64_t differs = (slot->key.first ^ key.first) | (slot->key.next ^ key.next) |
                       (slot->length ^ (uint32_t)length);
    if (differs || length <= KEY_BYTES)
        return !differs;
    const Word *word = &table->words[slot->number];
    return word->length == length && memcmp(word->bytes, bytes, length) == 0;
}

/* Return the slot of a word, or the empty one where it belongs. */
static inline Slot *slot_of_word(const WordTable *table, const uint8_t *bytes, size_t length,
                                 Key key)
{
    size_t slot = first_slot(table, key);
    while (table->slots[slot].number != NONE &&
           !holds(table, &table->slots[slot], bytes, length, key))
        slot = (slot + 1) & (table->n_slots - 1);
    return &table->slots[slot];
}

/* Return the number of a word, NONE if it is not there. */
static inline int32_t number_of_word(const WordTable *table, const uint8_t *bytes, size_t length,
                                     Key key)
{
    return slot_of_word(table, bytes, length, key)->number;
}

/* Add a word that is not there, and return its number; NONE where there is no memory. */
int32_t add_word(WordTable *table, const uint8_t *bytes, size_t length, Key key);

/* Return the number of a word, added if it is not there; its bytes have to outlive the table. NONE
 * where there is no memory. */
static inline int32_t number_word(WordTable *table, const uint8_t *bytes, size_t length, Key key)
{
    int32_t number = number_of_word(table, bytes, length, key);
    return number != NONE ? number : add_word(table, bytes, length, key);
}

/* Number the words of a text, given as the bytes where each begins and where it ends; sets the first
 * word of each number. Returns how many numbers there are, NONE where there is no memory. Twin:
 * `number_words` in text/character_classes.py. */
int32_t number_words(const uint8_t *text, const int64_t *starts, const int64_t *ends,
                     int64_t n_words, int32_t *numbers, int64_t *firsts);

#endif
