/* Words by their bytes; see words.h. Twin: text/interning.py. */
#include "core.h"

#include <stdlib.h>

uint64_t slot_factor = GOLDEN_RATIO;

static void clear_slots(WordTable *table)
{
    for (size_t slot = 0; slot < table->n_slots; slot++)
        table->slots[slot].number = NONE;
}

Outcome new_word_table(WordTable *table)
{
    table->n_words = 0;
    table->room = 64;
    table->n_slots = 128;
    table->shift = 64 - 7;
    table->words = malloc((size_t)table->room * sizeof(Word));
    table->slots = malloc(table->n_slots * sizeof(Slot));
    if (!table->words || !table->slots)
        return NO_MEMORY;
    clear_slots(table);
    return DONE;
}

void free_word_table(WordTable *table)
{
    free(table->words);
    free(table->slots);
}

/* Make twice as much room; half of the slots stay empty. */
static Outcome grow(WordTable *table)
{
    if (table->room > INT32_MAX / 2)
        return NO_MEMORY;
    Word *words = realloc(table->words, 2 * (size_t)table->room * sizeof(Word));
    if (!words)
        return NO_MEMORY;
    table->words = words;
    Slot *slots = malloc(2 * table->n_slots * sizeof(Slot));
    if (!slots)
        return NO_MEMORY;
    free(table->slots);
    table->slots = slots;
    table->room *= 2;
    table->n_slots *= 2;
    table->shift--;
    clear_slots(table);
    for (int32_t number = 0; number < table->n_words; number++) {
        const Word *word = &words[number];
        uint64_t key = key_of_word(word->bytes, word->length);
        *slot_of_word(table, word->bytes, word->length, key) =
            (Slot){key, number, (uint32_t)word->length};
    }
    return DONE;
}

int32_t add_word(WordTable *table, const uint8_t *bytes, size_t length, uint64_t key)
{
    if (table->n_words == table->room && grow(table) != DONE)
        return NONE;
    table->words[table->n_words] = (Word){bytes, length};
    *slot_of_word(table, bytes, length, key) = (Slot){key, table->n_words, (uint32_t)length};
    return table->n_words++;
}

void free_word_list(WordList *list)
{
    free_word_table(&list->table);
    free(list->bases);
    free(list->bytes);
}
