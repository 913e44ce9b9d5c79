/* From bytes to columns: tokens, types, stopwords, stems. Twin: text/ascii155.py.
 *
 * A token is a run of letters and digits of ASCII, in lower case; a newline ends a sentence. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_KEPT 3
#define MOST_WAITING 32 /* tokens whose place in memory is being loaded */

/* Return a letter or digit, letters in lower case; 0 for any other byte. Twin: `TRANSLATION`. */
static inline uint8_t letter_of(uint8_t byte)
{
    if ((byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9'))
        return byte;
    return byte >= 'A' && byte <= 'Z' ? byte + ('a' - 'A') : 0;
}

typedef struct {
    const uint8_t *bytes;
    size_t length;
    uint64_t key;
} Token;

/* What is read: the bytes of all tokens, lower-cased, and the table of their types and stems. */
typedef struct {
    uint8_t letters[256];
    uint8_t *bytes, *end;
    Token waiting[MOST_WAITING];
    int n_waiting;
    uint8_t *stem_bytes;
    WordTable table;
    int32_t *stem_of_type;
    uint8_t *is_dropped;
} Reader;

static Outcome new_reader(Reader *reader, const Word *texts, int64_t n_texts)
{
    size_t n_bytes = PADDING;
    memset(reader, 0, sizeof *reader);
    for (int64_t text = 0; text < n_texts; text++)
        n_bytes += texts[text].length;
    for (int byte = 0; byte < 256; byte++)
        reader->letters[byte] = letter_of((uint8_t)byte);
    reader->bytes = reader->end = zeros(n_bytes, 1);
    return new_word_table(&reader->table) == DONE && reader->bytes ? DONE : NO_MEMORY;
}

static void free_reader(Reader *reader)
{
    free(reader->bytes);
    free(reader->stem_bytes);
    free(reader->stem_of_type);
    free(reader->is_dropped);
    free_word_table(&reader->table);
}

/* Number the tokens that wait; by now the cache has what is needed. Twin: `examples_of_types`. */
static Outcome number_waiting(Reader *reader, ReadColumns *read)
{
    for (int place = 0; place < reader->n_waiting; place++) {
        const Token *token = &reader->waiting[place];
        int32_t type = number_word(&reader->table, token->bytes, token->length, token->key);
        if (type == NONE)
            return NO_MEMORY;
        read->types[read->n_tokens++] = type;
    }
    reader->n_waiting = 0;
    return DONE;
}

/* Let the token wait whose bytes end at `end`. */
static Outcome add_token(Reader *reader, uint8_t *end, ReadColumns *read)
{
    size_t length = (size_t)(end - reader->end);
    uint64_t key = key_of_word(reader->end, length);
    expect_word(&reader->table, key);
    reader->waiting[reader->n_waiting++] = (Token){reader->end, length, key};
    reader->end = end;
    return reader->n_waiting == MOST_WAITING ? number_waiting(reader, read) : DONE;
}

static void end_sentence(const Reader *reader, ReadColumns *read)
{
    read->sentence_offsets[++read->n_sentences] = read->n_tokens + reader->n_waiting;
}

/* Read one text. Twin: `find_tokens`. */
static Outcome read_text(Reader *reader, const Word *text, ReadColumns *read)
{
    const uint8_t *byte = text->bytes, *last = text->bytes + text->length;
    while (byte < last) {
        uint8_t *end = reader->end, letter;
        while (byte < last && (letter = reader->letters[*byte])) {
            *end++ = letter;
            byte++;
        }
        if (end > reader->end && add_token(reader, end, read) != DONE)
            return NO_MEMORY;
        if (byte < last && *byte++ == '\n')
            end_sentence(reader, read);
    }
    end_sentence(reader, read);
    return number_waiting(reader, read);
}

/* Drop the tokens that are stopwords. Twin: `TextColumns.without`. */
static Outcome drop_stopwords(Reader *reader, const WordTable *stopwords, ReadColumns *read)
{
    reader->is_dropped = zeros((size_t)reader->table.n_words, 1);
    if (!reader->is_dropped)
        return NO_MEMORY;
    for (int32_t type = 0; type < reader->table.n_words; type++) {
        const Word *word = &reader->table.words[type];
        reader->is_dropped[type] =
            find_word(stopwords, word) != NONE;
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
static Word stem_of(const Word *word, const WordList *forms, uint8_t *bytes)
{
    if (word->length <= LONGEST_KEPT)
        return *word;
    int32_t form = find_word(&forms->table, word);
    if (form != NONE && forms->bases[form].length > 0)
        return forms->bases[form];
    memcpy(bytes, word->bytes, word->length);
    return (Word){bytes, porter_stem(bytes, word->length)};
}

/* Number the stem of each type, in the table of the types. Twin: `Stemmer.number_stems`. */
static Outcome number_stems(Reader *reader, const WordList *forms)
{
    int32_t n_types = reader->table.n_words;
    size_t n_bytes = PADDING;
    for (int32_t type = 0; type < n_types; type++)
        n_bytes += reader->table.words[type].length;
    reader->stem_of_type = zeros((size_t)n_types, sizeof(int32_t));
    uint8_t *bytes = reader->stem_bytes = zeros(n_bytes, 1);
    if (!reader->stem_of_type || !bytes)
        return NO_MEMORY;
    for (int32_t type = 0; type < n_types; type++) {
        Word stem = stem_of(&reader->table.words[type], forms, bytes);
        uint64_t key = key_of_word(stem.bytes, stem.length);
        int32_t number = number_word(&reader->table, stem.bytes, stem.length, key);
        if (number == NONE)
            return NO_MEMORY;
        reader->stem_of_type[type] = number;
        if (stem.bytes == bytes)
            bytes += stem.length;
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
