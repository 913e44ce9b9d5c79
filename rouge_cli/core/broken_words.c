/* Letters that are in no token, in many texts. Twin: `broken_words` in text/ascii155.py.
 *
 * Every byte of a text is looked at, eight at a time: this is done with all texts of every run, and
 * must not be felt.
 */
#include "core.h"

#include <string.h>

/* See `LOOKED_AT` and `MOST_DROPPED` in text/ascii155.py. */
#define LOOKED_AT 128
#define MOST_DROPPED 10

#define CHUNK 256

/* Return the sum of eight bytes. */
static inline size_t sum_of(uint64_t eight)
{
    uint64_t odd = UINT64_C(0x00FF00FF00FF00FF), pairs = (eight & odd) + (eight >> 8 & odd);
    return (size_t)(pairs * UINT64_C(0x0001000100010001) >> 48);
}

/* Say whether a text has a byte that is not ASCII. */
static int has_high(const Word *text)
{
    const uint8_t *bytes = text->bytes;
    uint64_t all = 0;
    size_t place = 0;
    if (text->length >= LIMB_BYTES)
        all = limb_at(bytes + text->length - LIMB_BYTES);
    for (; place + LIMB_BYTES <= text->length; place += LIMB_BYTES)
        all |= limb_at(bytes + place);
    for (; text->length < LIMB_BYTES && place < text->length; place++)
        all |= bytes[place];
    return (all & HIGH_BITS) != 0;
}

/* Count the bytes of a text that are not ASCII. */
static size_t count_high(const Word *text)
{
    size_t n_high = 0, place = 0;
    for (; place + CHUNK <= text->length; place += CHUNK) {
        uint64_t sums = 0;
        for (size_t of_chunk = 0; of_chunk < CHUNK; of_chunk += 8)
            sums += limb_at(text->bytes + place + of_chunk) >> 7 & EIGHT(1);
        n_high += sum_of(sums);
    }
    for (; place < text->length; place++)
        n_high += text->bytes[place] >> 7;
    return n_high;
}

/* Say whether a text has less than so many letters of ASCII. */
static int has_fewer_letters(const Word *text, size_t least)
{
    size_t n_letters = 0, place = 0;
    for (; n_letters < least && place + CHUNK <= text->length; place += CHUNK) {
        uint64_t sums = 0;
        for (size_t of_chunk = 0; of_chunk < CHUNK; of_chunk += 8)
            sums += (are_letters(limb_at(text->bytes + place + of_chunk)) & HIGH_BITS) >> 7;
        n_letters += sum_of(sums);
    }
    for (; n_letters < least && place < text->length; place++)
        n_letters += (uint8_t)((text->bytes[place] | 0x20) - 'a') < 26;
    return n_letters < least;
}

static int is_between(uint8_t byte, uint8_t first, uint8_t last)
{
    return byte >= first && byte <= last;
}

/* Return the bytes of the sign that some bytes, with two zeros behind them, begin with; 0 if it is
 * none. Twin: `_SIGNS`. */
static size_t length_of_sign(const uint8_t *bytes)
{
    uint8_t second = bytes[1];
    switch (bytes[0]) {
    case 0xC2:
        return is_between(second, 0x80, 0xBF) && second != 0xAA && second != 0xB5 &&
                       second != 0xBA
                   ? 2
                   : 0;
    case 0xC3:
        return second == 0x97 || second == 0xB7 ? 2 : 0;
    case 0xE2:
        return is_between(second, 0x80, 0xAF) && is_between(bytes[2], 0x80, 0xBF) ? 3 : 0;
    case 0xE3:
        return second == 0x80 && is_between(bytes[2], 0x80, 0xBF) ? 3 : 0;
    case 0xEF:
        return second == 0xB8 && is_between(bytes[2], 0x80, 0x8F) ? 3 : 0;
    case 0xF0:
        return second == 0x9F && is_between(bytes[2], 0x80, 0xBF) &&
                       is_between(bytes[3], 0x80, 0xBF)
                   ? 4
                   : 0;
    default:
        return 0;
    }
}

/* Count a word as broken if what is left of it without ASCII is more than signs. Behind that there is
 * room for zeros. */
static void end_word(uint8_t *part, size_t length, int64_t text, BrokenWords *found)
{
    size_t place = 0, of_sign;
    part[length] = part[length + 1] = part[length + 2] = 0;
    for (; place < length && (of_sign = length_of_sign(part + place)); place += of_sign)
        ;
    if (place >= length)
        return;
    if (found->n_broken++ == 0)
        found->first_broken = text;
    if (length > MOST_LOST - found->n_lost)
        length = MOST_LOST - found->n_lost;
    memcpy(found->lost + found->n_lost, part, length);
    found->n_lost += length;
}

/* Return where the beginning of a text ends. */
static size_t end_of_beginning(const Word *text)
{
    return text->length < LOOKED_AT ? text->length : LOOKED_AT;
}

/* Return where the letter ends in which the beginning would be cut. Twin: `_end_of_letter`. */
static size_t end_of_letter(const Word *text)
{
    size_t end = end_of_beginning(text);
    while (end < text->length && end < LOOKED_AT + 3 && is_between(text->bytes[end], 0x80, 0xBF))
        end++;
    return end;
}

/* Count blanks and newlines among a few bytes, fewer than 256, without those before `first`. */
static inline uint8_t blanks_in(const uint8_t *bytes, uint8_t n_bytes, uint8_t first)
{
    uint8_t n_blanks = 0;
    for (uint8_t place = 0; place < n_bytes; place++)
        n_blanks += ((bytes[place] == ' ') | (bytes[place] == '\n')) & (place >= first);
    return n_blanks;
}

#define STEP 32

/* Count the words at the beginning of a text: compilers make steps of 16 bytes of it. */
static int64_t count_words(const Word *text)
{
    uint8_t end = (uint8_t)end_of_beginning(text), n_last = end % STEP;
    if (end == LOOKED_AT)
        return blanks_in(text->bytes, LOOKED_AT, 0) + 1;
    if (end < STEP)
        return blanks_in(text->bytes, end, 0) + 1;
    int64_t n_words = blanks_in(text->bytes, (uint8_t)(end - n_last), 0) + 1;
    return n_words + blanks_in(text->bytes + end - STEP, STEP, (uint8_t)(STEP - n_last));
}

/* Look for broken words at the beginning of a text. */
static void look_at(const Word *text, int64_t number, BrokenWords *found)
{
    const uint8_t *bytes = text->bytes;
    uint8_t part[LOOKED_AT + 3 + 3];
    size_t length = 0, place = 0, end = end_of_letter(text);
    while (place < end) {
        if (length == 0 && place + 8 <= end && !(limb_at(bytes + place) & HIGH_BITS)) {
            place += 8;
            continue;
        }
        if (bytes[place] & 0x80) {
            part[length++] = bytes[place];
        } else if (bytes[place] == ' ' || is_between(bytes[place], '\t', '\r')) {
            end_word(part, length, number, found);
            length = 0;
        }
        place++;
    }
    end_word(part, length, number, found);
}

void find_broken_words(const Word *texts, int64_t n_texts, BrokenWords *found)
{
    found->first_broken = NONE;
    found->n_words = found->n_broken = 0;
    found->n_lost = 0;
    for (int64_t text = 0; text < n_texts; text++) {
        size_t n_high = has_high(&texts[text]) ? count_high(&texts[text]) : 0;
        found->n_words += count_words(&texts[text]);
        found->is_suspect[text] =
            n_high && has_fewer_letters(&texts[text], n_high * (MOST_DROPPED - 1));
        if (n_high)
            look_at(&texts[text], text, found);
    }
}
