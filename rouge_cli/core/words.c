/* Tables of words; see words.h. Twin: `Numbers` in text/stems.py. */
#include "core.h"

#include <stdlib.h>

#define AT_A_TIME 128 /* words whose slots are prefetched together */
#define STEPS_PER_WORD 32

/* A table grows when three quarters of its slots are used. A new table has twice as many slots as
 * expected words, and may hold more: copying it for a few more words would take longer than
 * searching a little further. */
#define ROOM_OF(n_slots) ((int32_t)((n_slots) / 4 * 3))
#define MOST_SLOTS ((size_t)1 << 30)

uint64_t slot_factor = GOLDEN_RATIO, next_factor = ~GOLDEN_RATIO | 1;

#define LINE 64 /* bytes of a cache line */

/* Allocate empty slots, aligned so that no slot is in two cache lines. Sets `memory` to the address
 * that must be freed. Returns NULL if memory runs out. */
static Slot *new_slots(size_t n_slots, void **memory)
{
    int has_size = n_slots < SIZE_MAX / sizeof(Slot) - LINE;
    if (!(*memory = has_size ? malloc(n_slots * sizeof(Slot) + LINE) : NULL))
        return NULL;
    Slot *slots = (Slot *)((uint8_t *)*memory + (LINE - (uintptr_t)*memory % LINE));
    for (size_t slot = 0; slot < n_slots; slot++)
        slots[slot].number = NONE;
    return slots;
}

Outcome new_word_table(WordTable *table, size_t n_expected)
{
    table->n_words = table->first = 0;
    table->factor = slot_factor;
    table->next_factor = next_factor;
    table->n_slots = 128;
    table->shift = 64 - 7;
    for (; table->n_slots < 2 * n_expected && table->n_slots < MOST_SLOTS; table->shift--)
        table->n_slots *= 2;
    table->room = ROOM_OF(table->n_slots);
    table->slots = new_slots(table->n_slots, &table->memory);
    return table->slots ? DONE : NO_MEMORY;
}

void free_word_table(WordTable *table)
{
    free(table->memory);
}

/* Double the number of slots. A slot moves to about twice its position, so memory is written almost
 * in order. */
static Outcome grow(WordTable *table)
{
    if (table->n_slots == MOST_SLOTS)
        return NO_MEMORY;
    void *memory;
    Slot *slots = new_slots(2 * table->n_slots, &memory);
    if (!slots)
        return NO_MEMORY;
    table->shift--;
    for (size_t slot = 0; slot < table->n_slots; slot++) {
        if (table->slots[slot].number < table->first)
            continue;
        size_t place = first_slot(table, table->slots[slot].key);
        while (slots[place].number != NONE)
            place = (place + 1) & (2 * table->n_slots - 1);
        slots[place] = table->slots[slot];
    }
    free(table->memory);
    table->memory = memory;
    table->slots = slots;
    table->room *= 2;
    table->n_slots *= 2;
    return DONE;
}

Outcome need_room(WordTable *table, int32_t n_words)
{
    while (table->room - table->n_words < n_words)
        if (grow(table) != DONE)
            return NO_MEMORY;
    return DONE;
}

void empty_word_table(WordTable *table)
{
    table->first += table->n_words;
    table->n_words = 0;
    if (table->first <= INT32_MAX / 2)
        return;
    table->first = 0;
    for (size_t slot = 0; slot < table->n_slots; slot++)
        table->slots[slot].number = NONE;
}

/* Number at most AT_A_TIME words, prefetching all their slots first. */
static Outcome number_some(WordTable *table, const uint8_t *text, const int64_t *starts,
                           const int64_t *ends, int n_words, int32_t *numbers)
{
    Key keys[AT_A_TIME];
    size_t places[AT_A_TIME];
    if (need_room(table, n_words) != DONE)
        return NO_MEMORY;
    for (int word = 0; word < n_words; word++) {
        keys[word] = key_of_word(text + starts[word], (size_t)(ends[word] - starts[word]));
        places[word] = first_slot(table, keys[word]);
        expect_bytes(&table->slots[places[word]]);
    }
    for (int word = 0; word < n_words; word++) {
        size_t length = (size_t)(ends[word] - starts[word]);
        size_t place =
            slot_of_word(table, places[word], text + starts[word], length, keys[word]);
        numbers[word] = put_word(table, place, text + starts[word], length, keys[word]);
    }
    return DONE;
}

int32_t number_words(const uint8_t *text, const int64_t *starts, const int64_t *ends,
                     int64_t n_words, int32_t *numbers, int64_t *firsts)
{
    WordTable table;
    int32_t n_known = 0;
    int64_t work = 0;
    Outcome outcome = new_word_table(&table, 0);
    for (int64_t word = 0; outcome == DONE && word < n_words; word += AT_A_TIME) {
        int n_some = n_words - word < AT_A_TIME ? (int)(n_words - word) : AT_A_TIME;
        outcome = number_some(&table, text, starts + word, ends + word, n_some, numbers + word);
        for (int64_t next = word; outcome == DONE && next < word + n_some; next++)
            if (numbers[next] == n_known)
                firsts[n_known++] = next;
        if (has_to_end(&work, (int64_t)n_some * STEPS_PER_WORD))
            outcome = INTERRUPTED;
    }
    free_word_table(&table);
    return outcome == DONE ? n_known : NONE;
}

void free_word_list(WordList *list)
{
    for (StemCache *cache = list->caches, *next; cache; cache = next) {
        next = cache->next;
        free_stem_cache(cache);
    }
    free_word_table(&list->table);
    free(list->bases);
    free(list->bytes);
}
