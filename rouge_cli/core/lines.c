/* Finds lines of files, and makes them texts in place. No object is made for a line.
 *
 * A separator of sentences becomes a newline, which is never longer. So a text begins where its
 * line does, and a newline follows it.
 */
#include "core.h"

#include <string.h>

/* Return whether Python's `bytes.strip` removes a byte. */
static int is_blank(uint8_t byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* Replace each occurrence of a word in a text by a newline, and count them; returns the new length.
 */
static size_t separate(uint8_t *text, size_t length, const Word *word, int64_t *n_places)
{
    const uint8_t *end = text + length, *from = text, *match = text;
    uint8_t *to = text;
    while ((size_t)(end - match) >= word->length &&
           (match = memchr(match, word->bytes[0], (size_t)(end - match) - word->length + 1))) {
        if (memcmp(match, word->bytes, word->length) != 0) {
            match++;
            continue;
        }
        if (to != from)
            memmove(to, from, (size_t)(match - from));
        to += match - from;
        *to++ = '\n';
        match = from = match + word->length;
        ++*n_places;
    }
    if (to != from)
        memmove(to, from, (size_t)(end - from));
    return (size_t)(to - text) + (size_t)(end - from);
}

/* Keep the sentences of a text that are not blank, without surrounding blanks; returns the new
 * length. Twin: `_trimmed`. */
static size_t trim(uint8_t *text, size_t length)
{
    const uint8_t *end = text + length;
    uint8_t *to = text;
    for (const uint8_t *first = text, *next; first < end; first = next + 1) {
        next = memchr(first, '\n', (size_t)(end - first));
        if (!next)
            next = end;
        const uint8_t *last = next;
        while (first < last && is_blank(*first))
            first++;
        while (first < last && is_blank(last[-1]))
            last--;
        if (first == last)
            continue;
        if (to != text)
            *to++ = '\n';
        memmove(to, first, (size_t)(last - first));
        to += last - first;
    }
    return (size_t)(to - text);
}

static int is_blank_text(const uint8_t *text, size_t length)
{
    size_t place = 0;
    while (place < length && is_blank(text[place]))
        place++;
    return place == length;
}

/* Twin: `split_sentences` in inputs/sentences.py. */
int64_t split_lines(uint8_t *lines, size_t n_bytes, const Word *words, int64_t n_words,
                    int64_t most, LineTexts *texts)
{
    int64_t n_lines = 0, work = 0;
    for (uint8_t *line = lines, *end = lines + n_bytes, *next; line < end; line = next + 1) {
        size_t length;
        int64_t n_places = 0;
        next = memchr(line, '\n', (size_t)(end - line));
        if (!next || n_lines == most)
            return NONE;
        length = (size_t)(next - line);
        if (has_to_end(&work, (int64_t)length * (n_words + 1)))
            return NONE;
        for (const Word *word = words; word < words + n_words; word++)
            length = separate(line, length, word, &n_places);
        if (n_places && n_words > 1)
            length = trim(line, length);
        line[length] = '\n';
        texts->starts[n_lines] = line - lines;
        texts->lengths[n_lines] = (int64_t)length;
        texts->is_unsplit[n_lines] = !n_places && !is_blank_text(line, length);
        n_lines++;
    }
    return n_lines;
}

/* Twin: `note_lines` in inputs/line_texts.py. */
void note_lines(const uint8_t *bytes, size_t n_bytes, int64_t n_before, int64_t per_mark,
                int64_t *marks, NotedLines *noted)
{
    const uint8_t *end = bytes + n_bytes, *line = bytes;
    const uint8_t *zero = memchr(bytes, 0, n_bytes);
    int64_t n_left = per_mark - n_before % per_mark;
    *noted = (NotedLines){0, 0, 0, 0, NONE};
    for (const uint8_t *next; line < end && (next = memchr(line, '\n', (size_t)(end - line)));) {
        if (zero && zero < next && noted->n_before_zero == NONE)
            noted->n_before_zero = noted->n_lines;
        line = next + 1;
        if (noted->n_lines++ == 0)
            noted->first_end = line - bytes;
        if (--n_left == 0) {
            marks[noted->n_marks++] = line - bytes;
            n_left = per_mark;
        }
    }
    noted->last_end = line - bytes;
    if (zero && noted->n_before_zero == NONE)
        noted->n_before_zero = noted->n_lines;
}
