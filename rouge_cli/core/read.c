/* From bytes to columns: tokens, types, stopwords, stems. Twin: text/ascii155.py.
 *
 * A token is a run of letters and digits of ASCII, in lower case; a newline ends a sentence. Which
 * bytes are letters or newlines is found for 64 at a time, as the bits of a mask: a token begins and
 * ends where a bit differs from the one in front of it. No branch hangs on where tokens end, which
 * no processor can guess.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_KEPT 3
#define CHUNK 64
#define MOST_WAITING (3 * CHUNK) /* words whose places in the table are being loaded */
#define BYTES_PER_TYPE 64        /* so many make room for a type; the table grows for more, */
#define MOST_EXPECTED 262144     /* and behind so many types */

/* In front of a chunk less than 2 * MOST_WAITING - CHUNK edges wait; a chunk adds as many as it has
 * bytes, the end of a text one. Behind the last one a place is written to that does not count. */
#define MOST_EDGES (2 * MOST_WAITING + 1)

/* What is read: the bytes of all texts, lower-cased, and the table of their types and stems. */
typedef struct {
    uint8_t *bytes;
    size_t n_bytes;
    size_t edges[MOST_EDGES]; /* where tokens begin and end, by turns, that wait for a number */
    int n_edges;
    uint8_t *stem_bytes;
    WordTable table;
    int32_t *stem_of_type;
    uint8_t *is_dropped;
} Reader;

static Outcome new_reader(Reader *reader, const Word *texts, int64_t n_texts)
{
    size_t n_bytes = 0;
    memset(reader, 0, sizeof *reader);
    for (int64_t text = 0; text < n_texts; text++)
        n_bytes += texts[text].length;
    reader->bytes = malloc(n_bytes + CHUNK + PADDING);
    size_t n_expected = n_bytes / BYTES_PER_TYPE;
    Outcome outcome = new_word_table(
        &reader->table, n_expected < MOST_EXPECTED ? n_expected : MOST_EXPECTED);
    return reader->bytes ? outcome : NO_MEMORY;
}

static void free_reader(Reader *reader)
{
    free(reader->bytes);
    free(reader->stem_bytes);
    free(reader->stem_of_type);
    free(reader->is_dropped);
    free_word_table(&reader->table);
}

/* Number the tokens that wait: first the cache is told what all of them need. Twin:
 * `columns_of`. */
static Outcome number_tokens(Reader *reader, ReadColumns *read)
{
    Key keys[MOST_WAITING];
    int n_tokens = reader->n_edges / 2;
    const size_t *edges = reader->edges;
    for (int token = 0; token < n_tokens; token++) {
        size_t begin = edges[2 * token], end = edges[2 * token + 1];
        keys[token] = key_of_word(reader->bytes + begin, end - begin);
        expect_word(&reader->table, keys[token]);
    }
    for (int token = 0; token < n_tokens; token++) {
        size_t begin = edges[2 * token], end = edges[2 * token + 1];
        int32_t type =
            number_word(&reader->table, reader->bytes + begin, end - begin, keys[token]);
        if (type == NONE)
            return NO_MEMORY;
        read->types[read->n_tokens++] = type;
    }
    reader->edges[0] = edges[2 * n_tokens];
    reader->n_edges -= 2 * n_tokens;
    return DONE;
}

/* Set the high bit of each of eight bytes that is a letter or digit. Twin: `TRANSLATION`. */
static inline uint64_t are_in_tokens(uint64_t eight)
{
    uint64_t low = eight & ~HIGH_BITS;
    uint64_t digits = not_less(low, '0') & ~not_less(low, '9' + 1) & ~eight;
    return (are_letters(eight) | digits) & HIGH_BITS;
}

/* Return eight high bits as the lowest, that of the first byte in memory the lowest of all. */
static inline uint64_t bits_of(uint64_t high_bits)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (high_bits >> 7) * UINT64_C(0x8040201008040201) >> 56;
#else
    return (high_bits >> 7) * UINT64_C(0x0102040810204080) >> 56;
#endif
}

/* Copy a chunk in lower case; sets a bit for each byte that is a letter, or a newline. */
static inline void read_chunk(const uint8_t *chunk, uint8_t *copy, uint64_t *letters,
                              uint64_t *newlines)
{
    *letters = *newlines = 0;
    for (int place = 0; place < CHUNK; place += 8) {
        uint64_t eight = limb_at(chunk + place);
        uint64_t lower_case = eight | EIGHT(0x20); /* of what is in tokens; digits have that bit */
        memcpy(copy + place, &lower_case, 8);
        *letters |= bits_of(are_in_tokens(eight)) << place;
        *newlines |= bits_of(are_equal(eight, '\n')) << place;
    }
}

static void end_sentence(const Reader *reader, ReadColumns *read)
{
    read->sentence_offsets[++read->n_sentences] = read->n_tokens + reader->n_edges / 2;
}

/* Read one text. Twin: `split_tokens`. */
static Outcome read_text(Reader *reader, const Word *text, ReadColumns *read)
{
    uint64_t is_in_token = 0;
    for (size_t place = 0; place < text->length; place += CHUNK) {
        const uint8_t *chunk = text->bytes + place;
        uint8_t last[CHUNK];
        uint64_t letters, newlines;
        if (reader->n_edges >= 2 * MOST_WAITING - CHUNK && number_tokens(reader, read) != DONE)
            return NO_MEMORY;
        if (text->length - place < CHUNK) {
            memset(last, 0, CHUNK);
            chunk = memcpy(last, chunk, text->length - place);
        }
        read_chunk(chunk, reader->bytes + reader->n_bytes + place, &letters, &newlines);
        uint64_t edges = letters ^ (letters << 1 | is_in_token);
        is_in_token = letters >> (CHUNK - 1);
        for (uint64_t left = edges | newlines; left; left &= left - 1) {
            int bit = lowest_bit(left);
            reader->edges[reader->n_edges] = reader->n_bytes + place + (size_t)bit;
            reader->n_edges += (int)(edges >> bit & 1);
            if (newlines >> bit & 1)
                end_sentence(reader, read);
        }
    }
    reader->n_bytes += text->length;
    if (is_in_token)
        reader->edges[reader->n_edges++] = reader->n_bytes;
    end_sentence(reader, read);
    return DONE;
}

/* Drop the tokens that are stopwords. Twin: `TextColumns.without`. */
static Outcome drop_stopwords(Reader *reader, const WordTable *stopwords, ReadColumns *read)
{
    reader->is_dropped = zeros((size_t)reader->table.n_words, 1);
    if (!reader->is_dropped)
        return NO_MEMORY;
    for (int32_t type = 0; type < reader->table.n_words; type++) {
        const Word *word = &reader->table.words[type];
        Key key = key_of_word(word->bytes, word->length);
        reader->is_dropped[type] =
            number_of_word(stopwords, word->bytes, word->length, key) != NONE;
    }
    int64_t token = 0, n_kept = 0;
    for (int64_t sentence = 1; sentence <= read->n_sentences; sentence++) {
        for (; token < read->sentence_offsets[sentence]; token++)
            if (!reader->is_dropped[read->types[token]])
                read->types[n_kept++] = read->types[token];
        read->sentence_offsets[sentence] = n_kept;
    }
    read->n_tokens = n_kept;
    return DONE;
}

/* Stem a word: into `bytes`, or by the table of irregular forms. Twin: `stem_of`. */
static Word stem_of(const Word *word, Key key, const WordList *forms, uint8_t *bytes)
{
    if (word->length <= LONGEST_KEPT)
        return *word;
    if (forms->as_nltk) {
        memcpy(bytes, word->bytes, word->length);
        return (Word){bytes, nltk_stem(bytes, word->length, 1)};
    }
    int32_t form = number_of_word(&forms->table, word->bytes, word->length, key);
    if (form != NONE && forms->bases[form].length > 0)
        return forms->bases[form];
    memcpy(bytes, word->bytes, word->length);
    return (Word){bytes, porter_stem(bytes, word->length)};
}

/* Stem some types that follow each other; their stems wait, as tokens do. */
static void stem_types(Reader *reader, int32_t first, int32_t n_types, const WordList *forms,
                       uint8_t **bytes, Word *stems, Key *keys)
{
    const Word *words = reader->table.words + first;
    for (int32_t type = 0; type < n_types; type++) {
        keys[type] = key_of_word(words[type].bytes, words[type].length);
        expect_word(&forms->table, keys[type]);
    }
    for (int32_t type = 0; type < n_types; type++) {
        Word stem = stems[type] = stem_of(&words[type], keys[type], forms, *bytes);
        if (stem.bytes == *bytes)
            *bytes += stem.length;
        keys[type] = key_of_word(stem.bytes, stem.length);
        expect_word(&reader->table, keys[type]);
    }
}

/* Number the stem of each type, in the table of the types. Twin: `Stemmer.number_stems`. */
static Outcome number_stems(Reader *reader, const WordList *forms)
{
    Word stems[MOST_WAITING];
    Key keys[MOST_WAITING];
    int32_t n_types = reader->table.n_words;
    size_t n_bytes = PADDING;
    for (int32_t type = 0; type < n_types; type++)
        n_bytes += reader->table.words[type].length;
    reader->stem_of_type = zeros((size_t)n_types, sizeof(int32_t));
    uint8_t *bytes = reader->stem_bytes = zeros(n_bytes, 1);
    if (!reader->stem_of_type || !bytes)
        return NO_MEMORY;
    for (int32_t first = 0; first < n_types; first += MOST_WAITING) {
        int32_t n_waiting = n_types - first < MOST_WAITING ? n_types - first : MOST_WAITING;
        stem_types(reader, first, n_waiting, forms, &bytes, stems, keys);
        for (int32_t type = 0; type < n_waiting; type++) {
            int32_t number =
                number_word(&reader->table, stems[type].bytes, stems[type].length, keys[type]);
            if (number == NONE)
                return NO_MEMORY;
            reader->stem_of_type[first + type] = number;
        }
    }
    return DONE;
}

static Outcome read_all(Reader *reader, const Word *texts, int64_t n_texts,
                        const WordList *stopwords, const WordList *forms, ReadColumns *read)
{
    read->n_tokens = read->n_sentences = 0;
    read->sentence_offsets[0] = read->text_offsets[0] = 0;
    for (int64_t text = 0; text < n_texts; text++) {
        if (read_text(reader, &texts[text], read) != DONE)
            return NO_MEMORY;
        read->text_offsets[text + 1] = read->n_sentences;
    }
    if (number_tokens(reader, read) != DONE)
        return NO_MEMORY;
    if (stopwords && drop_stopwords(reader, &stopwords->table, read) != DONE)
        return NO_MEMORY;
    if (forms) {
        if (number_stems(reader, forms) != DONE)
            return NO_MEMORY;
        for (int64_t token = 0; token < read->n_tokens; token++)
            read->stems[token] = reader->stem_of_type[read->types[token]];
    }
    read->n_types = reader->table.n_words;
    return DONE;
}

/* Twin: `read_texts`. */
Outcome read_texts(const Word *texts, int64_t n_texts, const WordList *stopwords,
                   const WordList *forms, ReadColumns *read)
{
    Reader reader;
    Outcome outcome = new_reader(&reader, texts, n_texts);
    if (outcome == DONE)
        outcome = read_all(&reader, texts, n_texts, stopwords, forms, read);
    free_reader(&reader);
    return outcome;
}
