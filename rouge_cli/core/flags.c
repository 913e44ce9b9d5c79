/* Flags of texts that warnings may be about. Twin: `flag_texts` in run/text_findings.py.
 *
 * Most texts have no flags. So each is read once in a loop without branches, which compilers turn
 * into steps of 16 bytes. Only a text with a byte that may matter is read again, byte by byte. */
#include "core.h"

#include <string.h>

#define AT_ONCE 192 /* bytes: at most 255, as their newlines are counted in a byte */
#define STEP 32
#define SHORT_TEXT 12

/* What a few bytes hold; `odd` is 0 if a byte is odd. */
typedef struct {
    uint8_t n_newlines, odd;
} Seen;

static inline uint8_t lesser(uint8_t left, uint8_t right)
{
    return left < right ? left : right;
}

/* Look at a few bytes. Why not simply compare? XOR gives 0 for equal bytes, and compilers find minima
 * of 16 bytes in a step, but make branches of many comparisons. */
static inline Seen look_at_some(const uint8_t *bytes, size_t n_bytes)
{
    Seen seen = {0, 0xFF};
    for (size_t place = 0; place < n_bytes; place++) {
        uint8_t byte = bytes[place];
        uint8_t odd = lesser(lesser(byte, byte ^ '&'), lesser(byte ^ '<', byte ^ '\\'));
        odd = lesser(odd, lesser(byte ^ 0xAD, byte ^ 0x8B));
        seen.n_newlines += byte == '\n';
        seen.odd = lesser(seen.odd, odd);
    }
    return seen;
}

/* Say whether a blank follows a mark that ends a sentence; the byte after them must be readable. */
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

/* Count newlines of the last bytes of a step. */
static inline uint8_t newlines_at_end(const uint8_t *bytes, uint8_t n_last)
{
    uint8_t n_newlines = 0, first = (uint8_t)(STEP - n_last);
    for (uint8_t place = 0; place < STEP; place++)
        n_newlines += (bytes[place] == '\n') & (place >= first);
    return n_newlines;
}

/* Return how much of a text whole steps are. What is left is looked at together with what stands
 * before it, as a step too: byte by byte it would take as long as the others of a short text. */
static inline size_t in_steps(const Word *text)
{
    return text->length < STEP ? text->length : text->length - text->length % STEP;
}

/* Count the newlines of a text, and say whether it has an odd byte. */
static int64_t look_at_all(const Word *text, int *is_odd)
{
    size_t n_bytes = in_steps(text), n_last = text->length - n_bytes;
    int64_t n_newlines = 0;
    *is_odd = 0;
    for (size_t place = 0; place < n_bytes; place += AT_ONCE) {
        size_t left = n_bytes - place;
        Seen seen = look_at_some(text->bytes + place, left < AT_ONCE ? left : AT_ONCE);
        n_newlines += seen.n_newlines;
        *is_odd |= !seen.odd;
    }
    if (n_last) {
        const uint8_t *last_step = text->bytes + text->length - STEP;
        *is_odd |= !look_at_some(last_step, STEP).odd;
        n_newlines += newlines_at_end(last_step, (uint8_t)n_last);
    }
    return n_newlines;
}

/* Say whether sentences end within a text. */
static int has_end(const Word *text)
{
    size_t n_bytes = in_steps(text);
    return have_end(text->bytes, n_bytes) ||
           (n_bytes < text->length && have_end(text->bytes + text->length - STEP, STEP));
}

/* Tell whether two bytes may begin an entity or a tag of HTML. */
static int may_be_markup(uint8_t byte, uint8_t next)
{
    const char *seconds = byte == '&' ? "#aghlmnqr" : byte == '<' ? "/abdehilopsu" : "";
    if (next >= 'A' && next <= 'Z')
        next |= 0x20;
    return next && strchr(seconds, next) != NULL;
}

/* Return the flags of a text that has an odd byte. */
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

int64_t flag_texts(const Word *texts, int64_t n_texts, uint8_t *flags)
{
    int64_t n_newlines = 0;
    for (int64_t number = 0; number < n_texts; number++) {
        const Word *text = &texts[number];
        int is_odd;
        int64_t n_within = look_at_all(text, &is_odd);
        n_newlines += n_within;
        flags[number] = is_odd ? odd_flags(text) : 0;
        if (text->length <= SHORT_TEXT)
            flags[number] |= IS_SHORT;
        /* A newline inside the text means that its sentences are split already. */
        if (!(n_within && text->bytes[0] > ' ' && text->bytes[text->length - 1] > ' ') &&
            has_end(text))
            flags[number] |= HAS_END;
    }
    return n_newlines;
}
