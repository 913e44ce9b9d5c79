/* Words by their bytes, numbered from 0 on in the order added: a hash table with open addressing.
 *
 * A table may be emptied as often as there are texts: slots keep what they hold, and count as empty
 * since the numbers in them go on, and only those from `first` on are in use.
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
    Key key;
    const uint8_t *bytes;
    int32_t number;  /* counted on from one emptying to the next; of an empty slot below `first` */
    uint32_t length; /* of the word; a longer one than this holds is not compared by it alone */
} Slot;

typedef struct {
    Slot *slots;
    size_t n_slots; /* a power of two */
    int shift;      /* leaves of 64 bits the highest, as many as number the slots */
    int32_t n_words, room;
    int32_t first; /* what the slots hold in place of the number 0 */
    uint64_t factor, next_factor;
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

/* Return 0 for equal keys. */
static inline uint64_t key_difference(Key left, Key right)
{
    return (left.first ^ right.first) | (left.next ^ right.next);
}

/* Return the place of a key in a table; `shift` leaves as many bits as number the places. */
static inline size_t place_of_key(Key key, uint64_t factor, uint64_t other_factor, int shift)
{
    return (size_t)((key.first * factor + key.next * other_factor) >> shift);
}

static inline size_t first_slot(const WordTable *table, Key key)
{
    return place_of_key(key, table->factor, table->next_factor, table->shift);
}

/* Begin to load what is needed soon. */
static inline void expect_bytes(const void *bytes)
{
#if defined(__GNUC__)
    __builtin_prefetch(bytes);
#else
    (void)bytes;
#endif
}

/* Return 1 for an empty slot, 0 for another. */
static inline uint64_t is_empty(const WordTable *table, const Slot *slot)
{
    return (uint64_t)((int64_t)slot->number - table->first) >> 63;
}

/* Return 0 for a slot that has the key and the length of a word, or is empty. */
static inline uint64_t differs(const WordTable *table, const Slot *slot, size_t length, Key key)
{
    uint64_t difference = key_difference(slot->key, key) | (slot->length ^ (uint32_t)length);
    return difference & (is_empty(table, slot) - 1);
}

/* Return the slot of a word, or the empty one where it belongs, from its first slot on. Of up to 16
 * bytes key and length say it all. No branch tells a word that is there from one that is not: no
 * processor can guess that. */
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

/* Return the number of a word, NONE if it is not there. */
static inline int32_t number_of_word(const WordTable *table, const uint8_t *bytes, size_t length,
                                     Key key)
{
    size_t place = slot_of_word(table, first_slot(table, key), bytes, length, key);
    int32_t number = table->slots[place].number;
    return number < table->first ? NONE : number - table->first;
}

/* Make sure that a table has room for so many words more. */
Outcome need_room(WordTable *table, int32_t n_words);

/* Forget all words. */
void empty_word_table(WordTable *table);

/* Return the number of a word from its slot, added if it is not there; there is room, and its bytes
 * have to outlive the table. What is known is written once more, with these bytes: where texts are
 * short, a branch would be guessed wrong too often. */
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

/* The same where most words are known, whose bytes stay those that they have. */
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

/* Number the words of a text, given as the bytes where each begins and where it ends; sets the first
 * word of each number. Returns how many numbers there are, NONE where there is no memory, or where
 * the user wants it to end. Twin: `number_words` in text/character_classes.py. */
int32_t number_words(const uint8_t *text, const int64_t *starts, const int64_t *ends,
                     int64_t n_words, int32_t *numbers, int64_t *firsts);

#endif
