/* Flags of texts that may deserve a warning, and letters that are in no token. Twin: `flag_texts`
 * in text/seen.py.
 *
 * Every run flags all its texts, so this must take no noticeable time. Most texts have no flags.
 * While read.c reads a text chunk by chunk, it gathers the facts in `Seen`. Then only a text with
 * an odd byte is searched byte by byte, and only a text with non-ASCII bytes is searched for broken
 * words. Ends of sentences and words are searched for in every text after reading it, while it is
 * cached: doing this in each chunk took longer, as most texts are split or long.
 */
#include "core.h"

#include <string.h>

/* See `LOOKED_AT` and `MOST_DROPPED` in text/seen.py. */
#define LOOKED_AT 128
#define MOST_DROPPED 10

#define AT_ONCE 192 /* bytes per step: at most 255, as their letters are counted in a byte */
#define STEP 32
#define SHORT_TEXT 12

static inline uint8_t lesser(uint8_t left, uint8_t right)
{
    return left < right ? left : right;
}

/* Return whether a sentence mark is followed by a blank; the byte after both must be readable. */
static inline int have_end(const uint8_t *bytes, size_t n_bytes)
{
    const uint8_t *next = bytes + 1;
    uint8_t least = 0xFF;
    for (size_t place = 0; place < n_bytes; place++) {
        uint8_t byte = bytes[place];
        uint8_t end = lesser(lesser(byte ^ '.', byte ^ '?'), byte ^ '!');
        least = lesser(least, end | (next[place] ^ ' '));
    }
    return least == 0;
}

/* Return the number of bytes that whole steps cover. The rest is covered by one more step, which
 * overlaps the last of these. Byte by byte, the rest of a short text would take as long as all its
 * steps. */
static inline size_t in_steps(const Word *text)
{
    return text->length < STEP ? text->length : text->length - text->length % STEP;
}

/* Return whether a sentence ends within a text. */
static int has_end(const Word *text)
{
    size_t n_bytes = in_steps(text);
    return have_end(text->bytes, n_bytes) ||
           (n_bytes < text->length && have_end(text->bytes + text->length - STEP, STEP));
}

/* Return whether two bytes may begin an HTML entity or tag. */
static int may_be_markup(uint8_t byte, uint8_t next)
{
    const char *seconds = byte == '&' ? "#aghlmnqr" : byte == '<' ? "/abdehilopsu" : "";
    if (next >= 'A' && next <= 'Z')
        next |= 0x20;
    return next && strchr(seconds, next) != NULL;
}

/* Return the flags of a text with an odd byte. */
static uint8_t odd_flags(const Word *text)
{
    const uint8_t *bytes = text->bytes;
    uint8_t flags = 0;
    for (size_t place = 0; place < text->length; place++) {
        uint8_t byte = bytes[place], next = place + 1 < text->length ? bytes[place + 1] : 0;
        if (byte == 0)
            flags |= HAS_ZERO;
        else if (may_be_markup(byte, next))
            flags |= HAS_MARKUP;
        else if (byte == '\\' && next == 'n')
            flags |= HAS_BACKSLASH;
        else if ((byte == 0xC2 && next == 0xAD) ||
                 (byte == 0x80 && next == 0x8B && place && bytes[place - 1] == 0xE2))
            flags |= HAS_INVISIBLE;
    }
    return flags;
}

/* Return whether a text has fewer than `least` ASCII letters. */
static int has_fewer_letters(const Word *text, size_t least)
{
    size_t n_letters = 0;
    for (size_t place = 0; n_letters < least && place < text->length; place += AT_ONCE) {
        size_t left = text->length - place, n_bytes = left < AT_ONCE ? left : AT_ONCE;
        uint8_t n_of_these = 0;
        for (size_t byte = place; byte < place + n_bytes; byte++)
            n_of_these += (uint8_t)((text->bytes[byte] | 0x20) - 'a') < 26;
        n_letters += n_of_these;
    }
    return n_letters < least;
}

static int is_between(uint8_t byte, uint8_t first, uint8_t last)
{
    return byte >= first && byte <= last;
}

/* Return the length of the sign at the beginning of `bytes`, or 0 if there is none. Two zeros must
 * follow the bytes. Twin: `_SIGNS`. */
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

/* Count a word as broken unless its non-ASCII bytes are only signs. These bytes are the `part`,
 * after which three zeros are written. */
static void end_word(uint8_t *part, size_t length, FlaggedTexts *flagged)
{
    size_t place = 0, of_sign;
    part[length] = part[length + 1] = part[length + 2] = 0;
    for (; place < length && (of_sign = length_of_sign(part + place)); place += of_sign)
        ;
    if (place >= length)
        return;
    flagged->n_broken++;
    if (length > MOST_LOST - flagged->n_lost)
        length = MOST_LOST - flagged->n_lost;
    memcpy(flagged->lost + flagged->n_lost, part, length);
    flagged->n_lost += length;
}

/* Return the end of the part of a text that is examined. */
static size_t end_of_beginning(const Word *text)
{
    return text->length < LOOKED_AT ? text->length : LOOKED_AT;
}

/* Move the end of the examined part past a letter that it would split. Twin: `_broken_words`. */
static size_t end_of_letter(const Word *text)
{
    size_t end = end_of_beginning(text);
    while (end < text->length && end < LOOKED_AT + 3 && is_between(text->bytes[end], 0x80, 0xBF))
        end++;
    return end;
}

/* Count blanks and newlines in fewer than 256 bytes, ignoring those before `first`. */
static inline uint8_t blanks_in(const uint8_t *bytes, uint8_t n_bytes, uint8_t first)
{
    uint8_t n_blanks = 0;
    for (uint8_t place = 0; place < n_bytes; place++)
        n_blanks += ((bytes[place] == ' ') | (bytes[place] == '\n')) & (place >= first);
    return n_blanks;
}

/* Count the words at the beginning of a text. Compilers turn this into steps of 16 bytes. */
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

/* Count the broken words at the beginning of a text. */
static void find_broken_words(const Word *text, FlaggedTexts *flagged)
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
            end_word(part, length, flagged);
            length = 0;
        }
        place++;
    }
    end_word(part, length, flagged);
}

/* Return the flags about letters that are in no token. The text must have non-ASCII bytes. */
static uint8_t flags_of_letters(const Word *text, size_t n_high, FlaggedTexts *flagged)
{
    int64_t n_before = flagged->n_broken;
    int may_lose = has_fewer_letters(text, n_high * (MOST_DROPPED - 1));
    find_broken_words(text, flagged);
    return (uint8_t)((may_lose ? MAY_LOSE : 0) | (flagged->n_broken > n_before ? HAS_BROKEN : 0));
}

/* Why is this not in read.c? Inlined there, it would slow down the reading of single sentences by
 * 4%, although few of them have such bytes. */
void see_high(const uint8_t *bytes, uint8_t n_bytes, Seen *seen)
{
    uint8_t n_high = 0, least = 0xFF;
    for (uint8_t place = 0; place < n_bytes; place++) {
        least = lesser(least, lesser(bytes[place] ^ 0xAD, bytes[place] ^ 0x8B));
        n_high += bytes[place] >> 7;
    }
    seen->has_odd |= !least;
    seen->n_high += n_high;
}

void begin_flags(FlaggedTexts *flagged, uint8_t *flags, int has_letters)
{
    flagged->flags = flags;
    flagged->has_letters = has_letters;
    flagged->n_texts = flagged->n_newlines = flagged->n_words = flagged->n_broken = 0;
    flagged->n_lost = 0;
}

void flag_text(const Word *text, const Seen *seen, FlaggedTexts *flagged)
{
    uint8_t flags = text->length <= SHORT_TEXT ? IS_SHORT : 0;
    if (seen->has_odd)
        flags |= odd_flags(text);
    /* A newline inside the text shows that sentences are split already. */
    if (!(seen->n_newlines && text->bytes[0] > ' ' && text->bytes[text->length - 1] > ' ') &&
        has_end(text))
        flags |= HAS_END;
    if (flagged->has_letters) {
        /* A text with a zero byte is binary data, and counts as one word. */
        flagged->n_words += flags & HAS_ZERO ? 1 : count_words(text);
        if (seen->n_high && !(flags & HAS_ZERO))
            flags |= flags_of_letters(text, seen->n_high, flagged);
    }
    flagged->n_newlines += seen->n_newlines;
    flagged->flags[flagged->n_texts++] = flags;
}
