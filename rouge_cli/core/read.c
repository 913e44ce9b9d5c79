/* From bytes to columns: tokens, types, stopwords, stems. Twin: text/ascii155.py.
 *
 * A token is a run of letters and digits of ASCII, in lower case; a newline ends a sentence. Which
 * bytes are letters or newlines is found for 64 at a time, as the bits of a mask: a token begins and
 * ends where a bit differs from the one in front of it. No branch hangs on where tokens end, which
 * no processor can guess.
 *
 * Only texts of one group are compared, most often a peer with its models. So each group numbers its
 * words anew: its bytes, its tokens and a table of some hundred words stay in the nearest cache, where
 * a table for all groups would not. Words that are stemmed are in one table all the same: to look up
 * the stem of each word once more in each group takes longer than that saves.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* Every processor of x86-64 has these steps of 16 bytes. */
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define HAS_SSE2
#endif

#define LONGEST_KEPT 3
#define CHUNK 64
#define MOST_WAITING 128   /* tokens whose places in the table are being loaded */
#define BYTES_PER_TYPE 64  /* so many make room for a type; the table grows for more, */
#define MOST_EXPECTED 65536 /* and behind so many types */
#define MOST_KEPT 131072   /* words that are kept with their stems for what is read next */
#define FEW_BYTES_PER_TYPE 2 /* the same for many groups of few bytes: whether a slot is taken is */
#define FEW_TYPES 1024       /* guessed wrong less often where most are empty, up to so many */

typedef struct LongWord {
    struct LongWord *next;
    uint8_t bytes[];
} LongWord;

/* What is read: the texts of a group, lower-cased, and the table of their types. */
typedef struct {
    uint8_t *bytes;
    size_t n_bytes;
    uint32_t begins[MOST_WAITING + CHUNK], ends[MOST_WAITING + CHUNK]; /* of tokens that wait */
    int n_waiting;
    WordTable of_group, *table; /* that of the group, or of all words that are stemmed */
    StemTable *stems;           /* NULL where nothing is stemmed */
    uint8_t *is_dropped;        /* by type, */
    int32_t n_looked_up, room;  /* of so many types, with room for so many */
} Reader;

void free_stem_table(StemTable *stems)
{
    for (LongWord *word = stems->long_words, *next; word; word = next) {
        next = word->next;
        free(word);
    }
    free_word_table(&stems->table);
    free(stems->stems);
    memset(stems, 0, sizeof *stems);
}

/* Keep the words from a number on, whose bytes are about to go. */
static Outcome keep_words(StemTable *stems, int32_t first)
{
    for (int32_t number = first; number < stems->table.n_words; number++) {
        Slot *slot = &stems->table.slots[stems->table.places[number]];
        const uint8_t *bytes = slot->bytes;
        slot->bytes = NULL;
        if (slot->length <= KEY_BYTES)
            continue;
        LongWord *word = malloc(sizeof(LongWord) + slot->length);
        if (!word)
            return NO_MEMORY;
        word->next = stems->long_words;
        stems->long_words = word;
        slot->bytes = memcpy(word->bytes, bytes, slot->length);
    }
    return DONE;
}

/* Return the most bytes that the texts of a group have. */
static size_t most_bytes(const Groups *groups)
{
    size_t most = 0;
    for (int64_t group = 0; group < groups->n_groups; group++) {
        size_t n_bytes = 0;
        for (int64_t text = groups->starts[group]; text < groups->starts[group + 1]; text++)
            n_bytes += groups->texts[text].length;
        most = n_bytes > most ? n_bytes : most;
    }
    return most;
}

/* Return how many types to make room for at first. */
static size_t expected_types(size_t n_bytes, int64_t n_groups)
{
    size_t n_types = n_bytes / BYTES_PER_TYPE, n_few = n_bytes / FEW_BYTES_PER_TYPE;
    if (n_groups > 1 && n_types < FEW_TYPES)
        return n_few < FEW_TYPES ? n_few : FEW_TYPES;
    return n_types < MOST_EXPECTED ? n_types : MOST_EXPECTED;
}

/* Return how many bytes all texts have. */
static size_t all_bytes(const Groups *groups)
{
    size_t n_bytes = 0;
    for (int64_t text = 0; text < groups->starts[groups->n_groups]; text++)
        n_bytes += groups->texts[text].length;
    return n_bytes;
}

/* Make a table as large as the texts may need if there are no words yet. */
static Outcome prepare_stems(StemTable *stems, const Groups *groups)
{
    size_t n_expected = expected_types(all_bytes(groups), 1);
    if (stems->table.n_words)
        return DONE;
    free_stem_table(stems);
    return new_word_table(&stems->table, n_expected);
}

static Outcome new_reader(Reader *reader, const Groups *groups, StemTable *stems)
{
    size_t n_bytes = most_bytes(groups);
    memset(reader, 0, sizeof *reader);
    reader->stems = stems;
    reader->table = stems ? &stems->table : &reader->of_group;
    reader->bytes = malloc(n_bytes + CHUNK + PADDING);
    Outcome outcome = stems ? prepare_stems(stems, groups)
                            : new_word_table(&reader->of_group, expected_types(n_bytes, groups->n_groups));
    return reader->bytes ? outcome : NO_MEMORY;
}

static void free_reader(Reader *reader)
{
    free(reader->bytes);
    free(reader->is_dropped);
    free_word_table(&reader->of_group);
}

/* Number the tokens that wait: first the cache is told what all of them need. Twin:
 * `columns_of`. */
static Outcome number_tokens(Reader *reader, ReadColumns *read)
{
    Key keys[MOST_WAITING + CHUNK];
    uint32_t places[MOST_WAITING + CHUNK];
    int n_tokens = reader->n_waiting;
    int are_most_known = reader->stems || reader->table->n_slots > 4 * FEW_TYPES;
    if (need_room(reader->table, n_tokens) != DONE)
        return NO_MEMORY;
    /* A copy, which nothing that is written can be a part of, stays in registers. */
    WordTable table = *reader->table;
    int32_t n_words = table.n_words;
    const uint8_t *bytes = reader->bytes;
    const uint32_t *begins = reader->begins, *ends = reader->ends;
    int32_t *types = read->types + read->n_tokens;
    for (int token = 0; token < n_tokens; token++) {
        keys[token] = key_of_word(bytes + begins[token], ends[token] - begins[token]);
        places[token] = (uint32_t)first_slot(&table, keys[token]);
        expect_bytes(&table.slots[places[token]]);
    }
    for (int token = 0; token < n_tokens; token++) {
        const uint8_t *word = bytes + begins[token];
        size_t length = ends[token] - begins[token];
        size_t place = slot_of_word(&table, places[token], word, length, keys[token]);
        types[token] = are_most_known
                           ? find_or_put_word(&table, place, word, length, keys[token])
                           : put_word(&table, place, word, length, keys[token]);
    }
    *reader->table = table;
    read->n_tokens += n_tokens;
    reader->begins[0] = reader->begins[n_tokens];
    reader->n_waiting = 0;
    return reader->stems ? keep_words(reader->stems, n_words) : DONE;
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

/* What a chunk tells: a bit for each byte that is in a token, or is a newline; whether a byte is odd (a
 * zero, &, < or \), or is not ASCII. */
typedef struct {
    uint64_t in_tokens, newlines, has_odd, has_high;
} Chunk;

#ifdef HAS_SSE2

/* Set all bits of each byte from `least` on, up to `n_bytes` of them. */
static inline __m128i are_from(__m128i bytes, uint8_t least, uint8_t n_bytes)
{
    /* Bytes are compared as signed ones: the least of these is -128. */
    __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8((char)(0x80 - least)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(n_bytes - 0x80)));
}

/* Set all bits of each byte that is one of two. */
static inline __m128i are_either(__m128i bytes, char one, char other)
{
    return _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(one)),
                        _mm_cmpeq_epi8(bytes, _mm_set1_epi8(other)));
}

/* Read a chunk, and copy it in lower case. */
static inline Chunk read_chunk(const uint8_t *chunk, uint8_t *copy)
{
    Chunk read = {0, 0, 0, 0};
    __m128i odd = _mm_setzero_si128(), all = odd;
    for (int place = 0; place < CHUNK; place += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(chunk + place));
        /* In lower case is what tokens have; digits have that bit. */
        __m128i lower_case = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
        __m128i in_tokens = _mm_or_si128(are_from(lower_case, 'a', 26), are_from(bytes, '0', 10));
        __m128i are_newlines = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
        _mm_storeu_si128((__m128i *)(copy + place), lower_case);
        read.in_tokens |= (uint64_t)(uint32_t)_mm_movemask_epi8(in_tokens) << place;
        read.newlines |= (uint64_t)(uint32_t)_mm_movemask_epi8(are_newlines) << place;
        __m128i are_odd = _mm_or_si128(are_either(bytes, 0, '&'), are_either(bytes, '<', '\\'));
        odd = _mm_or_si128(odd, are_odd);
        all = _mm_or_si128(all, bytes);
    }
    read.has_odd = (uint64_t)_mm_movemask_epi8(odd);
    read.has_high = (uint64_t)_mm_movemask_epi8(all);
    return read;
}

#else

/* Read a chunk, and copy it in lower case. */
static inline Chunk read_chunk(const uint8_t *chunk, uint8_t *copy)
{
    Chunk read = {0, 0, 0, 0};
    for (int place = 0; place < CHUNK; place += 8) {
        uint64_t eight = limb_at(chunk + place);
        uint64_t lower_case = eight | EIGHT(0x20); /* of what is in tokens; digits have that bit */
        memcpy(copy + place, &lower_case, 8);
        read.in_tokens |= bits_of(are_in_tokens(eight)) << place;
        read.newlines |= bits_of(are_equal(eight, '\n')) << place;
        read.has_odd |= are_equal(eight, 0) | are_equal(eight, '&') | are_equal(eight, '<') |
                        are_equal(eight, '\\');
        read.has_high |= eight & HIGH_BITS;
    }
    return read;
}

#endif

/* Add what a chunk tells of its text, but for newlines. */
static inline void see_chunk(const Chunk *chunk, const uint8_t *bytes, Seen *seen)
{
    seen->has_odd |= chunk->has_odd;
    if (chunk->has_high)
        see_high(bytes, CHUNK, seen);
}

/* Return where a chunk of a text is; the last is copied, with blanks behind it. */
static inline const uint8_t *chunk_at(const Word *text, size_t place, uint8_t *last)
{
    if (text->length - place >= CHUNK)
        return text->bytes + place;
    memset(last, ' ', CHUNK);
    return memcpy(last, text->bytes + place, text->length - place);
}

/* Add the tokens that end in a chunk, from the bits where tokens begin and end. The first may have begun
 * in front of the chunk, and one more may begin. */
static void add_tokens(Reader *reader, uint32_t first_byte, uint64_t begins, uint64_t ends,
                       uint64_t has_begun)
{
    uint32_t *next_begins = reader->begins + reader->n_waiting + has_begun;
    uint32_t *next_ends = reader->ends + reader->n_waiting;
    int n_ended = 0;
    for (; ends; ends &= ends - 1) {
        next_ends[n_ended] = first_byte + (uint32_t)lowest_bit(ends);
        /* Where nothing more begins, a bit is needed all the same, and the place does not count. */
        next_begins[n_ended++] = first_byte + (uint32_t)lowest_bit(begins | UINT64_C(1) << 63);
        begins &= begins - 1;
    }
    if (begins)
        next_begins[n_ended] = first_byte + (uint32_t)lowest_bit(begins);
    reader->n_waiting += n_ended;
}

/* Make room for the sentences that may end in a chunk, and for the last of a text. */
static Outcome need_sentences(ReadColumns *read)
{
    if (read->n_sentences + CHUNK + 1 < read->room_for_sentences)
        return DONE;
    size_t room = (size_t)read->room_for_sentences * 2 + 2 * CHUNK;
    int64_t *offsets = realloc(read->sentence_offsets, room * sizeof(int64_t));
    if (!offsets)
        return NO_MEMORY;
    read->sentence_offsets = offsets;
    read->room_for_sentences = (int64_t)room;
    return DONE;
}

/* End a sentence at each newline of a chunk, behind the tokens that have ended there. */
static void end_sentences(const Reader *reader, uint64_t newlines, uint64_t ends,
                          ReadColumns *read)
{
    for (; newlines; newlines &= newlines - 1) {
        int64_t n_ended = reader->n_waiting;
        for (uint64_t left = ends & (newlines ^ (newlines - 1)); left; left &= left - 1)
            n_ended++;
        read->sentence_offsets[++read->n_sentences] = read->n_tokens + n_ended;
    }
}

/* Read one text; behind its last byte one more is read, which ends the last token. Twin:
 * `split_tokens`. */
static Outcome read_text(Reader *reader, const Word *text, ReadColumns *read)
{
    int64_t n_before = read->n_sentences;
    uint64_t is_in_token = 0;
    Seen seen = {0, 0, 0};
    for (size_t place = 0; place <= text->length; place += CHUNK) {
        uint32_t first_byte = (uint32_t)(reader->n_bytes + place);
        uint8_t last[CHUNK];
        if (reader->n_waiting >= MOST_WAITING && number_tokens(reader, read) != DONE)
            return NO_MEMORY;
        if (need_sentences(read) != DONE)
            return NO_MEMORY;
        const uint8_t *bytes = chunk_at(text, place, last);
        Chunk chunk = read_chunk(bytes, reader->bytes + first_byte);
        uint64_t behind = chunk.in_tokens << 1 | is_in_token, ends = behind & ~chunk.in_tokens;
        end_sentences(reader, chunk.newlines, ends, read);
        add_tokens(reader, first_byte, chunk.in_tokens & ~behind, ends, is_in_token);
        is_in_token = chunk.in_tokens >> (CHUNK - 1);
        see_chunk(&chunk, bytes, &seen);
    }
    reader->n_bytes += text->length;
    seen.n_newlines = read->n_sentences - n_before;
    read->sentence_offsets[++read->n_sentences] = read->n_tokens + reader->n_waiting;
    if (read->flagged)
        flag_text(text, &seen, read->flagged);
    return DONE;
}

void flag_texts(const Word *texts, int64_t n_texts, FlaggedTexts *flagged)
{
    for (const Word *text = texts; text < texts + n_texts; text++) {
        Seen seen = {0, 0, 0};
        for (size_t place = 0; place < text->length; place += CHUNK) {
            uint8_t last[CHUNK], copy[CHUNK];
            const uint8_t *bytes = chunk_at(text, place, last);
            Chunk chunk = read_chunk(bytes, copy);
            for (; chunk.newlines; chunk.newlines &= chunk.newlines - 1)
                seen.n_newlines++;
            see_chunk(&chunk, bytes, &seen);
        }
        flag_text(text, &seen, flagged);
    }
}

/* Find out which types are stopwords. */
static Outcome look_up_stopwords(Reader *reader, const WordTable *stopwords)
{
    const WordTable *table = reader->table;
    if (table->n_words > reader->room) {
        uint8_t *is_dropped = realloc(reader->is_dropped, (size_t)table->room);
        if (!is_dropped)
            return NO_MEMORY;
        reader->is_dropped = is_dropped;
        reader->room = table->room;
    }
    for (; reader->n_looked_up < table->n_words; reader->n_looked_up++) {
        const Slot *word = &table->slots[table->places[reader->n_looked_up]];
        reader->is_dropped[reader->n_looked_up] =
            number_of_word(stopwords, word->bytes, word->length, word->key) != NONE;
    }
    return DONE;
}

/* Drop the tokens of a group that are stopwords; `first` is the number of its first sentence. Twin:
 * `TextColumns.without`. */
static void drop_stopwords(const Reader *reader, int64_t first, ReadColumns *read)
{
    int64_t token = read->sentence_offsets[first], n_kept = token;
    for (int64_t sentence = first + 1; sentence <= read->n_sentences; sentence++) {
        for (; token < read->sentence_offsets[sentence]; token++) {
            read->types[n_kept] = read->types[token];
            n_kept += !reader->is_dropped[read->types[token]];
        }
        read->sentence_offsets[sentence] = n_kept;
    }
    read->n_tokens = n_kept;
}

/* Stem a word: into `bytes`, or by the table of irregular forms. Twin: `stem_of`. */
static Word stem_of(const Slot *word, const WordList *forms, uint8_t *bytes)
{
    int is_kept = word->length <= LONGEST_KEPT;
    int32_t form = is_kept || forms->as_nltk
                       ? NONE
                       : number_of_word(&forms->table, word->bytes, word->length, word->key);
    if (form != NONE && forms->bases[form].length > 0)
        return forms->bases[form];
    if (word->length <= KEY_BYTES)
        memcpy(bytes, &word->key, KEY_BYTES);
    else
        memcpy(bytes, word->bytes, word->length);
    if (is_kept)
        return (Word){bytes, word->length};
    return (Word){bytes, forms->as_nltk ? nltk_stem(bytes, word->length, 1)
                                        : porter_stem(bytes, word->length)};
}

/* Stem some types that follow each other; their slots, forms and stems wait, as tokens do. */
static void stem_types(const WordTable *table, const uint32_t *places, int32_t n_types,
                       const WordList *forms, uint8_t **bytes, Word *stems, Key *keys)
{
    const Slot *slots = table->slots;
    for (int32_t type = 0; type < n_types; type++)
        expect_bytes(&slots[places[type]]);
    for (int32_t type = 0; type < n_types; type++)
        expect_bytes(&forms->table.slots[first_slot(&forms->table, slots[places[type]].key)]);
    for (int32_t type = 0; type < n_types; type++) {
        Word stem = stems[type] = stem_of(&slots[places[type]], forms, *bytes);
        if (stem.bytes == *bytes)
            *bytes += stem.length;
        keys[type] = key_of_word(stem.bytes, stem.length);
        expect_bytes(&slots[first_slot(table, keys[type])]);
    }
}

/* Make room for the stem of each word, and of some more. */
static Outcome need_stems(StemTable *stems, int32_t n_words)
{
    if (need_room(&stems->table, n_words) != DONE)
        return NO_MEMORY;
    int32_t room = stems->table.room;
    if (stems->room >= room)
        return DONE;
    int32_t *numbers = realloc(stems->stems, (size_t)room * sizeof(int32_t));
    if (!numbers)
        return NO_MEMORY;
    memset(numbers + stems->room, 0xFF, (size_t)(room - stems->room) * sizeof(int32_t));
    stems->stems = numbers;
    stems->room = room;
    return DONE;
}

/* Number the stems of the words from a number on, up to another. Twin: `Stemmer.number_stems`. */
static Outcome number_stems(StemTable *stems, int32_t first, int32_t end, const WordList *forms)
{
    Word words[MOST_WAITING];
    Key keys[MOST_WAITING];
    WordTable *table = &stems->table;
    size_t n_bytes = PADDING;
    for (int32_t type = first; type < end; type++)
        n_bytes += table->slots[table->places[type]].length;
    uint8_t *all = malloc(n_bytes), *bytes = all;
    Outcome outcome = all ? DONE : NO_MEMORY;
    for (; outcome == DONE && first < end; first += MOST_WAITING) {
        int32_t n_waiting = end - first < MOST_WAITING ? end - first : MOST_WAITING;
        outcome = need_stems(stems, n_waiting);
        if (outcome != DONE)
            break;
        int32_t n_words = table->n_words;
        stem_types(table, table->places + first, n_waiting, forms, &bytes, words, keys);
        for (int32_t type = 0; type < n_waiting; type++)
            stems->stems[first + type] =
                number_word(table, words[type].bytes, words[type].length, keys[type]);
        outcome = keep_words(stems, n_words);
    }
    free(all);
    return outcome;
}

/* Set the stems of all tokens, of which those from type `first` on have not been read before. */
static Outcome set_stems(StemTable *stems, int32_t first, const WordList *forms, ReadColumns *read)
{
    if (need_stems(stems, 0) != DONE ||
        number_stems(stems, first, stems->table.n_words, forms) != DONE)
        return NO_MEMORY;
    for (int64_t token = 0; token < read->n_tokens; token++) {
        int32_t type = read->types[token];
        /* Rare: a word that was only a stem so far. */
        if (stems->stems[type] == NONE && number_stems(stems, type, type + 1, forms) != DONE)
            return NO_MEMORY;
        read->stems[token] = stems->stems[type];
    }
    read->n_types = stems->table.n_words;
    return DONE;
}

/* Read the texts of a group. */
static Outcome read_group(Reader *reader, const Word *texts, int64_t n_texts,
                          const WordList *stopwords, ReadColumns *read)
{
    int64_t first = read->n_sentences;
    reader->n_bytes = 0;
    if (!reader->stems) {
        empty_word_table(reader->table);
        reader->n_looked_up = 0;
    }
    for (int64_t text = 0; text < n_texts; text++) {
        if (read_text(reader, &texts[text], read) != DONE)
            return NO_MEMORY;
        read->text_offsets[++read->n_texts] = read->n_sentences;
    }
    if (number_tokens(reader, read) != DONE)
        return NO_MEMORY;
    if (stopwords) {
        if (look_up_stopwords(reader, &stopwords->table) != DONE)
            return NO_MEMORY;
        drop_stopwords(reader, first, read);
    }
    if (reader->table->n_words > read->n_types)
        read->n_types = reader->table->n_words;
    return DONE;
}

static Outcome read_groups(Reader *reader, const Groups *groups, const WordList *stopwords,
                           const WordList *forms, ReadColumns *read)
{
    int32_t n_known = reader->table->n_words;
    read->n_tokens = read->n_sentences = read->n_texts = read->room_for_sentences = 0;
    read->n_types = 0;
    read->sentence_offsets = NULL;
    if (need_sentences(read) != DONE)
        return NO_MEMORY;
    read->sentence_offsets[0] = read->text_offsets[0] = 0;
    for (int64_t group = 0; group < groups->n_groups; group++) {
        int64_t first = groups->starts[group], n_texts = groups->starts[group + 1] - first;
        if (read_group(reader, groups->texts + first, n_texts, stopwords, read) != DONE)
            return NO_MEMORY;
    }
    return forms ? set_stems(reader->stems, n_known, forms, read) : DONE;
}

/* Twin: `read_texts`. */
Outcome read_texts(const Groups *groups, const WordList *stopwords, const WordList *forms,
                   StemTable *stems, ReadColumns *read)
{
    Reader reader;
    Outcome outcome = new_reader(&reader, groups, stems);
    if (outcome == DONE)
        outcome = read_groups(&reader, groups, stopwords, forms, read);
    /* After a failure, words may point to bytes that go. */
    if (stems && (outcome != DONE || stems->table.n_words > MOST_KEPT))
        free_stem_table(stems);
    free_reader(&reader);
    return outcome;
}
