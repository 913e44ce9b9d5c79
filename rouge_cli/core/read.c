/* From bytes to columns: tokens, types, stopwords, stems. Twin: text/ascii155.py.
 *
 * A token is a run of ASCII letters and digits, in lower case; a newline ends a sentence. The bytes
 * are read in chunks of 64, whose letters and newlines become the bits of masks: a token begins or
 * ends at each bit that differs from the one before. No branch depends on where tokens end, since
 * it would be mispredicted.
 *
 * Only texts of the same group are compared, usually a peer with its models. So each group numbers
 * its words from 0 on. Its bytes, its tokens and a table of some hundred words stay in the nearest
 * cache, unlike a table for all groups. Stems keep their numbers in all groups.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* Every x86-64 processor has these instructions, which take 16 bytes at a time. */
#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define HAS_SSE2
#endif

#define CHUNK 64
#define MOST_WAITING (MOST_TOKENS - CHUNK) /* the most waiting tokens that leave room for
                                            * those of another chunk */
#define FEW_BYTES 2048     /* size of a group whose tokens may wait for those of the next group */

/* At first a table has room for one type per BYTES_PER_TYPE bytes of text, but for at most
 * MOST_EXPECTED types. It grows if needed. For several small groups it has room for one type per
 * FEW_BYTES_PER_TYPE bytes, up to FEW_TYPES: a mostly empty table causes fewer mispredicted
 * branches. */
#define BYTES_PER_TYPE 64
#define MOST_EXPECTED 65536
#define FEW_BYTES_PER_TYPE 2
#define FEW_TYPES 1024

/* The state of reading a group: its texts in lower case, and the table of their types. */
typedef struct {
    const WordList *stopwords, *forms; /* as in `read_texts` */
    StemCache *stems;
    int at_blanks;
    uint8_t *bytes;
    size_t n_bytes;
    uint32_t begins[MOST_TOKENS], ends[MOST_TOKENS]; /* positions of the tokens to number */
    int n_waiting;
    WordTable of_group; /* types of the group, without stemming */
    int64_t work;       /* steps since the last check for an interrupt */
} Reader;

/* Return the number of bytes of the largest group. */
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

/* Return the number of types that a table has room for at first. */
static size_t expected_types(size_t n_bytes, int64_t n_groups)
{
    size_t n_types = n_bytes / BYTES_PER_TYPE, n_few = n_bytes / FEW_BYTES_PER_TYPE;
    if (n_groups > 1 && n_types < FEW_TYPES)
        return n_few < FEW_TYPES ? n_few : FEW_TYPES;
    return n_types < MOST_EXPECTED ? n_types : MOST_EXPECTED;
}

/* Return the number of bytes of all texts. */
static size_t all_bytes(const Groups *groups)
{
    size_t n_bytes = 0;
    for (int64_t text = 0; text < groups->starts[groups->n_groups]; text++)
        n_bytes += groups->texts[text].length;
    return n_bytes;
}

static Outcome new_reader(Reader *reader, const Groups *groups)
{
    size_t n_bytes = most_bytes(groups), n_all_bytes = all_bytes(groups);
    /* Positions of tokens have 32 bits. Callers refuse larger texts anyway, for their number of
     * tokens. */
    if ((uint64_t)n_all_bytes > UINT32_MAX)
        return NO_MEMORY;
    reader->bytes = malloc(FEW_BYTES + n_bytes + CHUNK + PADDING);
    if (!reader->bytes)
        return NO_MEMORY;
    return reader->stems ? prepare_stems(reader->stems, n_all_bytes)
                         : new_word_table(&reader->of_group,
                                          expected_types(n_bytes, groups->n_groups));
}

static void free_reader(Reader *reader)
{
    free(reader->bytes);
    free_word_table(&reader->of_group);
}

/* Number tokens, after prefetching the slots of all of them. Twin: `columns_of`. */
static Outcome number_words_in(WordTable *shared, const Tokens *tokens, int32_t *types)
{
    Key keys[MOST_TOKENS];
    uint32_t places[MOST_TOKENS];
    if (need_room(shared, tokens->n_tokens) != DONE)
        return NO_MEMORY;
    /* A local copy cannot alias the memory that is written, so the compiler keeps it in registers.
     */
    WordTable table = *shared;
    Tokens waiting = *tokens;
    int are_most_known = table.n_slots > 4 * FEW_TYPES;
    for (int token = 0; token < waiting.n_tokens; token++) {
        Word word = token_at(&waiting, token);
        keys[token] = key_of_word(word.bytes, word.length);
        places[token] = (uint32_t)first_slot(&table, keys[token]);
        expect_bytes(&table.slots[places[token]]);
    }
    for (int token = 0; token < waiting.n_tokens; token++) {
        Word word = token_at(&waiting, token);
        Key key = keys[token];
        size_t place = slot_of_word(&table, places[token], word.bytes, word.length, key);
        types[token] = are_most_known
                           ? find_or_put_word(&table, place, word.bytes, word.length, key)
                           : put_word(&table, place, word.bytes, word.length, key);
    }
    *shared = table;
    return DONE;
}

/* Replace each stopword by NONE. */
static void mark_stopwords(const WordTable *stopwords, const Tokens *tokens, int32_t *types)
{
    for (int token = 0; token < tokens->n_tokens; token++) {
        Word word = token_at(tokens, token);
        Key key = key_of_word(word.bytes, word.length);
        if (number_of_word(stopwords, word.bytes, word.length, key) != NONE)
            types[token] = NONE;
    }
}

/* Number the waiting tokens, or their stems, or both. */
static Outcome number_tokens(Reader *reader, ReadColumns *read)
{
    Tokens tokens = {reader->bytes, reader->begins, reader->ends, reader->n_waiting};
    int32_t *types = read->types + read->n_tokens;
    Outcome outcome = DONE;
    if (!reader->stems)
        outcome = number_words_in(&reader->of_group, &tokens, types);
    else if (read->types != read->stems)
        outcome = number_as_stems(reader->stems, &tokens, types);
    if (read->stems && outcome == DONE)
        outcome = number_stems(reader->stems, reader->forms, &tokens, read->stems + read->n_tokens);
    if (reader->stopwords && outcome == DONE)
        mark_stopwords(&reader->stopwords->table, &tokens, types);
    read->n_tokens += tokens.n_tokens;
    reader->begins[0] = reader->begins[tokens.n_tokens];
    reader->n_waiting = 0;
    return outcome;
}

/* Set the high bit of each of eight bytes that is an ASCII letter or digit, and clear all other
 * bits. Twin: `TRANSLATION`. */
static inline uint64_t are_in_tokens(uint64_t eight)
{
    uint64_t low = eight & ~HIGH_BITS;
    uint64_t digits = not_less(low, '0') & ~not_less(low, '9' + 1) & ~eight;
    return (are_letters(eight) | digits) & HIGH_BITS;
}

/* Gather the high bits of eight bytes in one byte. That of the first byte in memory becomes the
 * lowest bit. */
static inline uint64_t bits_of(uint64_t high_bits)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (high_bits >> 7) * UINT64_C(0x8040201008040201) >> 56;
#else
    return (high_bits >> 7) * UINT64_C(0x0102040810204080) >> 56;
#endif
}

/* The classes of the bytes of a chunk: masks of the bytes in tokens and of the newlines; whether
 * any byte is odd (a zero, &, < or \), and whether any is not ASCII. */
typedef struct {
    uint64_t in_tokens, newlines, has_odd, has_high;
} Chunk;

#ifdef HAS_SSE2

/* Set all bits of each byte from `least` to `least + n_bytes - 1`. */
static inline __m128i are_from(__m128i bytes, uint8_t least, uint8_t n_bytes)
{
    /* The comparison is signed, so the range is moved to begin at -128, the lowest value. */
    __m128i moved = _mm_add_epi8(bytes, _mm_set1_epi8((char)(0x80 - least)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8((char)(n_bytes - 0x80)));
}

/* Set all bits of each byte that equals `one` or `other`. */
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
        /* Setting this bit turns letters to lower case; digits have it already. */
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

/* Read a chunk whose words are separated by blanks, and copy it. No facts for flags are gathered.
 * Twin: `BLANKED`. */
static inline Chunk read_chunk_at_blanks(const uint8_t *chunk, uint8_t *copy)
{
    Chunk read = {0, 0, 0, 0};
    memcpy(copy, chunk, CHUNK);
    for (int place = 0; place < CHUNK; place += 16) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(chunk + place));
        __m128i blanks = _mm_or_si128(are_from(bytes, '\t', 5), are_from(bytes, 0x1C, 5));
        __m128i are_newlines = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'));
        read.in_tokens |= (uint64_t)(uint16_t)~_mm_movemask_epi8(blanks) << place;
        read.newlines |= (uint64_t)(uint32_t)_mm_movemask_epi8(are_newlines) << place;
    }
    return read;
}

#else

/* Read a chunk, and copy it in lower case. */
static inline Chunk read_chunk(const uint8_t *chunk, uint8_t *copy)
{
    Chunk read = {0, 0, 0, 0};
    for (int place = 0; place < CHUNK; place += 8) {
        uint64_t eight = limb_at(chunk + place);
        uint64_t lower_case = eight | EIGHT(0x20); /* turns letters to lower case; digits have this
                                                    * bit already */
        memcpy(copy + place, &lower_case, 8);
        read.in_tokens |= bits_of(are_in_tokens(eight)) << place;
        read.newlines |= bits_of(are_equal(eight, '\n')) << place;
        read.has_odd |= are_equal(eight, 0) | are_equal(eight, '&') | are_equal(eight, '<') |
                        are_equal(eight, '\\');
        read.has_high |= eight & HIGH_BITS;
    }
    return read;
}

static inline Chunk read_chunk_at_blanks(const uint8_t *chunk, uint8_t *copy)
{
    Chunk read = {0, 0, 0, 0};
    memcpy(copy, chunk, CHUNK);
    for (int place = 0; place < CHUNK; place += 8) {
        uint64_t eight = limb_at(chunk + place), low = eight & ~HIGH_BITS;
        uint64_t blanks = (not_less(low, '\t') & ~not_less(low, '\r' + 1)) |
                          (not_less(low, 0x1C) & ~not_less(low, ' ' + 1));
        read.in_tokens |= bits_of((~blanks | eight) & HIGH_BITS) << place;
        read.newlines |= bits_of(are_equal(eight, '\n')) << place;
    }
    return read;
}

#endif

/* Add the facts about a chunk, except newlines, to those about its text. */
static inline void see_chunk(const Chunk *chunk, const uint8_t *bytes, Seen *seen)
{
    seen->has_odd |= chunk->has_odd;
    if (chunk->has_high)
        see_high(bytes, CHUNK, seen);
}

/* Return the address of a chunk of a text. If less than a chunk is left, it is copied to `last` and
 * padded with blanks. */
static inline const uint8_t *chunk_at(const Word *text, size_t place, uint8_t *last)
{
    if (text->length - place >= CHUNK)
        return text->bytes + place;
    memset(last, ' ', CHUNK);
    return memcpy(last, text->bytes + place, text->length - place);
}

/* Add the tokens that end in a chunk; the set bits are at their beginnings and ends. The first
 * token may have begun before the chunk, and another may begin in it without ending. */
static void add_tokens(Reader *reader, uint32_t first_byte, uint64_t begins, uint64_t ends,
                       uint64_t has_begun)
{
    uint32_t *next_begins = reader->begins + reader->n_waiting + has_begun;
    uint32_t *next_ends = reader->ends + reader->n_waiting;
    int n_ended = 0;
    for (; ends; ends &= ends - 1) {
        next_ends[n_ended] = first_byte + (uint32_t)lowest_bit(ends);
        /* If there is no other beginning, `lowest_bit` still needs a bit, whose position is
         * ignored. */
        next_begins[n_ended++] = first_byte + (uint32_t)lowest_bit(begins | UINT64_C(1) << 63);
        begins &= begins - 1;
    }
    if (begins)
        next_begins[n_ended] = first_byte + (uint32_t)lowest_bit(begins);
    reader->n_waiting += n_ended;
}

/* Make room for all sentences that may end in a chunk, and for the last sentence of a text. */
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

/* End a sentence at each newline of a chunk, after the tokens that have ended there. */
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

/* Read one text and at least one blank after it, which ends its last token. Twin: `split_tokens`.
 */
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
        if (has_to_end(&reader->work, CHUNK * STEPS_PER_BYTE))
            return INTERRUPTED;
        const uint8_t *bytes = chunk_at(text, place, last);
        uint8_t *copy = reader->bytes + first_byte;
        Chunk chunk =
            reader->at_blanks ? read_chunk_at_blanks(bytes, copy) : read_chunk(bytes, copy);
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

Outcome flag_texts(const Word *texts, int64_t n_texts, FlaggedTexts *flagged)
{
    int64_t work = 0;
    for (const Word *text = texts; text < texts + n_texts; text++) {
        Seen seen = {0, 0, 0};
        for (size_t place = 0; place < text->length; place += CHUNK) {
            uint8_t last[CHUNK], copy[CHUNK];
            const uint8_t *bytes = chunk_at(text, place, last);
            Chunk chunk = read_chunk(bytes, copy);
            for (; chunk.newlines; chunk.newlines &= chunk.newlines - 1)
                seen.n_newlines++;
            see_chunk(&chunk, bytes, &seen);
            if (has_to_end(&work, CHUNK))
                return INTERRUPTED;
        }
        flag_text(text, &seen, flagged);
    }
    return DONE;
}

/* Drop the stopwords of a group; `first` is the number of its first sentence. Twin:
 * `TextColumns.without`. */
static void drop_stopwords(int64_t first, ReadColumns *read)
{
    int32_t *types = read->types, *stems = read->stems ? read->stems : types;
    int64_t token = read->sentence_offsets[first], n_kept = token;
    for (int64_t sentence = first + 1; sentence <= read->n_sentences; sentence++) {
        for (; token < read->sentence_offsets[sentence]; token++) {
            stems[n_kept] = stems[token];
            types[n_kept] = types[token];
            n_kept += types[token] != NONE;
        }
        read->sentence_offsets[sentence] = n_kept;
    }
    read->n_tokens = n_kept;
}

/* End a group: number the waiting tokens, and forget its words. */
static Outcome end_group(Reader *reader, int64_t first_sentence, ReadColumns *read)
{
    if (number_tokens(reader, read) != DONE)
        return NO_MEMORY;
    if (reader->stopwords)
        drop_stopwords(first_sentence, read);
    int32_t n_types = reader->stems ? reader->stems->table.n_words : reader->of_group.n_words;
    read->n_types = n_types > read->n_types ? n_types : read->n_types;
    empty_word_table(&reader->of_group);
    reader->n_bytes = 0;
    return DONE;
}

/* Read the texts of a group. If stems have the same numbers in all groups, the tokens of a short
 * group wait for those of the next. */
static Outcome read_group(Reader *reader, const Word *texts, int64_t n_texts, ReadColumns *read)
{
    int64_t first_sentence = read->n_sentences;
    for (int64_t text = 0; text < n_texts; text++) {
        Outcome outcome = read_text(reader, &texts[text], read);
        if (outcome != DONE)
            return outcome;
        read->text_offsets[++read->n_texts] = read->n_sentences;
    }
    int can_wait = reader->stems && !reader->stopwords && reader->n_bytes < FEW_BYTES;
    return can_wait ? DONE : end_group(reader, first_sentence, read);
}

/* Read all texts, group by group. Twin: `read_texts`. */
Outcome read_texts(const Groups *groups, const WordList *stopwords, const WordList *forms,
                   StemCache *stems, int at_blanks, ReadColumns *read)
{
    Reader reader = {
        .stopwords = stopwords, .forms = forms, .stems = stems, .at_blanks = at_blanks};
    Outcome outcome = new_reader(&reader, groups);
    read->n_tokens = read->n_sentences = read->n_texts = read->room_for_sentences = 0;
    read->n_types = 0;
    read->sentence_offsets = NULL;
    if (outcome == DONE)
        outcome = need_sentences(read);
    if (outcome == DONE)
        read->sentence_offsets[0] = read->text_offsets[0] = 0;
    for (int64_t group = 0; outcome == DONE && group < groups->n_groups; group++) {
        int64_t start = groups->starts[group], n_texts = groups->starts[group + 1] - start;
        outcome = read_group(&reader, groups->texts + start, n_texts, read);
    }
    if (outcome == DONE)
        outcome = end_group(&reader, read->n_sentences, read);
    free_reader(&reader);
    return outcome;
}
