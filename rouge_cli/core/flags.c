/* Flags of texts that warnings may be about. Twin: `flag_texts` in run/text_findings.py.
 *
 * Most texts have no flags. So each is read once in a loop without branches, which compilers turn
 * into steps of 16 bytes. Only a text with a byte that may matter is read again, byte by byte. */
#include "core.h"

#include <string.h>

#define AT_ONCE 192 /* bytes: at most 255, as their newlines are counted in a byte */
#define SHORT_TEXT 12

/* What a few bytes hold. `odd` is 0 if a byte is odd; `end` is 0 if a blank follows the mark that
 * ends a sentence. */
typedef struct {
    uint8_t n_newlines, odd, end;
} Seen;

static inline uint8_t lesser(uint8_t left, uint8_t right)
{
    return left < right ? left : right;
}

/* Look at a few bytes; the byte after them must be readable. Why not simply compare? XOR gives 0
 * for equal bytes, and compilers find minima of 16 bytes in a step, but make branches of many
 * comparisons. */
static Seen look_at_some(const uint8_t *bytes, size_t n_bytes)
{
    const uint8_t *next = bytes + 1;
    Seen seen = {0, 0xFF, 0xFF};
    for (size_t place = 0; place < n_bytes; place++) {
        uint8_t byte = bytes[place];
        uint8_t odd = lesser(lesser(byte, byte ^ '&'), lesser(byte ^ '<', byte ^ '\\'));
        uint8_t end = lesser(lesser(byte ^ '.', byte ^ '?'), byte ^ '!');
        odd = lesser(odd, lesser(byte ^ 0xAD, byte ^ 0x8B));
        end |= next[place] ^ ' ';
        seen.n_newlines += byte == '\n';
        seen.odd = lesser(seen.odd, odd);
        seen.end = lesser(seen.end, end);
    }
    return seen;
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
        const uint8_t *bytes = text->bytes;
        int64_t n_within = 0;
        int is_odd = 0, is_end = 0;
        for (size_t place = 0; place < text->length; place += AT_ONCE) {
            size_t left = text->length - place;
            Seen seen = look_at_some(bytes + place, left < AT_ONCE ? left : AT_ONCE);
            n_within += seen.n_newlines;
            is_odd |= !seen.odd;
            is_end |= !seen.end;
        }
        n_newlines += n_within;
        flags[number] = is_odd ? odd_flags(text) : 0;
        if (text->length <= SHORT_TEXT)
            flags[number] |= IS_SHORT;
        /* A newline inside the text means that its sentences are split already. */
        if (is_end && !(n_within && bytes[0] > ' ' && bytes[text->length - 1] > ' '))
            flags[number] |= HAS_END;
    }
    return n_newlines;
}
