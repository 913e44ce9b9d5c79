/* Words numbered from 0 on in the order added: a hash table with open addressing.
 *
 * A table is emptied for each group of texts, so this has to be fast: slots keep their contents,
 * numbers continue, and slots with numbers below `first` count as empty.
 *
 * After every word of a table, and every word looked up, KEY_BYTES arbitrary bytes must be
 * readable. Functions called for every token are defined here, so that the compiler can inline
 * them.
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

/* The first 8 bytes of a word and the next 8, padded with zeros. In a word of more than 16 bytes,
 * the second part is a hash of all bytes after the first 8. */
typedef struct {
    uint64_t first, next;
} Key;

typedef struct {
    Key key;
    const uint8_t *bytes;
    int32_t number;  /* not reset when the table is emptied; below `first` in an empty slot */
    uint32_t length; /* of the word, modulo 2 ** 32; long words are compared by their bytes too */
} Slot;

typedef struct {
    Slot *slots;
    void *memory; /* allocation that holds the slots */
    size_t n_slots; /* a power of two */
    int shift;      /* right shift of a 64-bit hash that leaves a slot number */
    int32_t n_words, room;
    int32_t first; /* number that slots have for word 0 */
    uint64_t factor, next_factor;
} WordTable;

/* Make a table with room for the expected words. It grows if more are added. */
Outcome new_word_table(WordTable *table, size_t n_expected);
void free_word_table(WordTable *table);

/* Random odd factors, different in each process, so that nobody can construct words or n-grams that
 * collide. */
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
    /* Keep the bytes of the word and clear the others. */
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
        /* The last 8 bytes overlap with those before them. */
        size_t begin = length - place < LIMB_BYTES ? length - LIMB_BYTES : place;
        /* Multiply before adding a limb, so that nobody can construct a limb that cancels another.
         */
        key.next *= slot_factor;
        key.next ^= key.next >> 32 ^ limb_at(bytes + begin);
    }
    return key;
}

/* Return 0 for equal keys. */
static inline uint64_t key_difference(Key left, Key right)
{
    return (left.first ^ right.first) | (left.next ^ right.next);
}

/* Return the first slot to search for a key. `shift` leaves the bits of a slot number. */
static inline size_t place_of_key(Key key, uint64_t factor, uint64_t other_factor, int shift)
{
    return (size_t)((key.first * factor + key.next * other_factor) >> shift);
}

static inline size_t first_slot(const WordTable *table, Key key)
{
    return place_of_key(key, table->factor, table->next_factor, table->shift);
}

/* Prefetch bytes that are needed soon. */
static inline void expect_bytes(const void *bytes)
{
#if defined(__GNUC__)
    __builtin_prefetch(bytes);
#else
    (void)bytes;
#endif
}

/* Return 1 for an empty slot, 0 for a used one. */
static inline uint64_t is_empty(const WordTable *table, const Slot *slot)
{
    return (uint64_t)((int64_t)slot->number - table->first) >> 63;
}

/* Return 0 if a slot is empty or has the key and the length of a word, and another number
 * otherwise. */
static inline uint64_t differs(const WordTable *table, const Slot *slot, size_t length, Key key)
{
    uint64_t difference = key_difference(slot->key, key) | (slot->length ^ (uint32_t)length);
    return difference & (is_empty(table, slot) - 1);
}

/* Return the slot of a word, or the empty slot where it belongs, searching from `place` on. Key and
 * length identify words of up to 16 bytes. No branch depends on whether the word is known, since it
 * would be mispredicted. */
static inline size_t slot_of_word(const WordTable *table, size_t place, const uint8_t *bytes,
                                  size_t length, Key key)
{
    size_t last = table->n_slots - 1;
    const Slot *slots = table->slots;
    while (differs(table, &slots[place], length, key))
        place = (place + 1) & last;
    if (length > KEY_BYTES)
        while (!is_empty(table, &slots[place]) &&
               (differs(table, &slots[place], length, key) ||
                memcmp(slots[place].bytes, bytes, length) != 0))
            place = (place + 1) & last;
    return place;
}

/* Return the number of a word, or NONE if the table lacks it. */
static inline int32_t number_of_word(const WordTable *table, const uint8_t *bytes, size_t length,
                                     Key key)
{
    size_t place = slot_of_word(table, first_slot(table, key), bytes, length, key);
    int32_t number = table->slots[place].number;
    return number < table->first ? NONE : number - table->first;
}

/* Make room for this many more words. */
Outcome need_room(WordTable *table, int32_t n_words);

/* Forget all words. */
void empty_word_table(WordTable *table);

/* Return the number of a word, adding it to its slot if it is new. There must be room, and the
 * bytes must outlive the table. A known word is written again, with these bytes: in short texts a
 * branch that avoids this would be mispredicted too often. */
static inline int32_t put_word(WordTable *table, size_t place, const uint8_t *bytes, size_t length,
                               Key key)
{
    Slot *slot = &table->slots[place];
    int32_t is_new = (int32_t)is_empty(table, slot), known = slot->number - table->first;
    int32_t number = known + is_new * (table->n_words - known);
    *slot = (Slot){key, bytes, table->first + number, (uint32_t)length};
    table->n_words += is_new;
    return number;
}

/* Like `put_word`, but faster if most words are known. Known words keep their old bytes. */
static inline int32_t find_or_put_word(WordTable *table, size_t place, const uint8_t *bytes,
                                       size_t length, Key key)
{
    if (is_empty(table, &table->slots[place]))
        return put_word(table, place, bytes, length, key);
    return table->slots[place].number - table->first;
}

static inline int32_t number_word(WordTable *table, const uint8_t *bytes, size_t length, Key key)
{
    size_t place = slot_of_word(table, first_slot(table, key), bytes, length, key);
    return find_or_put_word(table, place, bytes, length, key);
}

/* Number the words of a text, given by the positions of their bytes, and set the first word of each
 * number. Returns the number of distinct words; NONE if memory runs out or the user interrupts.
 * Twin: `number_words` in text/segmenters.py. */
int32_t number_words(const uint8_t *text, const int64_t *starts, const int64_t *ends,
                     int64_t n_words, int32_t *numbers, int64_t *firsts);

#endif
