/* Records of JSON, one per line, to columns of their texts. Twin: `RecordReader.usual` in
 * inputs/records/values.py, after Python's `json`.
 *
 * A line is read here only if there is no doubt what `json` would make of it, and nothing to
 * report. Everything else, from an escape in a key to a lone surrogate, is left to Python, which
 * has all the messages; this code may refuse anything. Python's `load_json` in
 * inputs/records/json_rows.py refuses repeated keys, and `LaterFields` in inputs/records/rows.py
 * notes watched fields.
 *
 * A zero, which occurs in no line, follows the last byte of the lines and stops all loops over
 * bytes.
 */
#include "core.h"

#include <string.h>

#define MOST_DEPTH 32
#define MOST_KEYS 128 /* of an object; kept on the stack at each depth */
#define MOST_DIGITS 300 /* Python refuses numbers of 640 digits at the earliest */
#define MOST_ID_DIGITS 18
#define COUNTED_TOGETHER 192 /* fewer than 256, and whole steps of 64 */
#define MOST_NUMBER_DIGITS 15 /* `MOST_DIGITS` in inputs/evaluation.py, less 1 */

/* For each of eight bytes, set the high bit if it ends a run of plain ASCII in a string. */
static inline uint64_t ends_of_run(uint64_t eight)
{
    return are_equal(eight, '"') | are_equal(eight, '\\') |
           ((~not_less(eight & ~HIGH_BITS, ' ') | eight) & HIGH_BITS);
}

static inline int is_plain(uint8_t byte)
{
    return byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
}

static inline int is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

/* Return the number of bytes of a non-ASCII character; 0 if it is not UTF-8. */
static size_t character_length(const uint8_t *bytes)
{
    uint8_t first = bytes[0], least = 0x80, most = 0xBF;
    size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    if (first == 0xE0)
        least = 0xA0;
    else if (first == 0xED)
        most = 0x9F;
    else if (first == 0xF0)
        least = 0x90;
    else if (first == 0xF4)
        most = 0x8F;
    if (bytes[1] < least || bytes[1] > most)
        return 0;
    for (size_t place = 2; place < length; place++)
        if ((bytes[place] & 0xC0) != 0x80)
            return 0;
    return length;
}

/* Return the end of a run of literal bytes of a string; NULL if they are not UTF-8. */
static const uint8_t *end_of_run(const uint8_t *at, const uint8_t *end)
{
    for (;;) {
        while (end - at >= 8 && !ends_of_run(limb_at(at)))
            at += 8;
        while (is_plain(*at))
            at++;
        if (*at < 0x80)
            return at;
        size_t length = character_length(at);
        if (!length)
            return NULL;
        at += length;
    }
}

/* Return the value of four hexadecimal digits; negative if they are malformed. */
static int32_t hex_value(const uint8_t *digits)
{
    int32_t value = 0;
    for (int place = 0; place < 4; place++) {
        uint8_t digit = digits[place], letter = digit | 0x20;
        if (is_digit(digit))
            value = value * 16 + (digit - '0');
        else if (letter >= 'a' && letter <= 'f')
            value = value * 16 + (letter - 'a') + 10;
        else
            return NONE;
    }
    return value;
}

static uint8_t *put_character(uint8_t *out, int32_t code)
{
    if (code < 0x80) {
        *out++ = (uint8_t)code;
        return out;
    }
    if (code < 0x800) {
        *out++ = (uint8_t)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *out++ = (uint8_t)(0xE0 | code >> 12);
        } else {
            *out++ = (uint8_t)(0xF0 | code >> 18);
            *out++ = (uint8_t)(0x80 | (code >> 12 & 0x3F));
        }
        *out++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    }
    *out++ = (uint8_t)(0x80 | (code & 0x3F));
    return out;
}

/* Read an escape after its backslash; returns its end, NULL in case of doubt. */
static const uint8_t *read_escape(const uint8_t *at, int32_t *code)
{
    static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (letter) {
        *code = meant[letter - letters];
        return at + 1;
    }
    if (*at != 'u' || (*code = hex_value(at + 1)) < 0)
        return NULL;
    at += 5;
    if (*code < 0xD800 || *code > 0xDFFF)
        return at;
    int32_t low = at[0] == '\\' && at[1] == 'u' ? hex_value(at + 2) : NONE;
    if (*code > 0xDBFF || low < 0xDC00 || low > 0xDFFF)
        return NULL;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return at + 6;
}

/* Read a string after its first quote, and advance `out` beyond it, unless that is NULL. This and
 * the following functions return the end of what they read, NULL in case of doubt. */
static const uint8_t *read_string(const uint8_t *at, const uint8_t *end, uint8_t **out)
{
    for (;;) {
        const uint8_t *start = at;
        int32_t code;
        if (!(at = end_of_run(at, end)))
            return NULL;
        if (out) {
            memcpy(*out, start, (size_t)(at - start));
            *out += at - start;
        }
        if (*at == '"')
            return at + 1;
        if (*at != '\\' || !(at = read_escape(at + 1, &code)))
            return NULL;
        if (out)
            *out = put_character(*out, code);
    }
}

/* A newline ends the line, so it is not a blank here. */
static inline const uint8_t *skip_blanks(const uint8_t *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

static const uint8_t *skip_digits(const uint8_t *at)
{
    if (!is_digit(*at))
        return NULL;
    while (is_digit(*at))
        at++;
    return at;
}

static const uint8_t *skip_number(const uint8_t *at)
{
    const uint8_t *start = at;
    at += *at == '-';
    at = *at == '0' ? at + 1 : skip_digits(at);
    if (at && *at == '.')
        at = skip_digits(at + 1);
    if (at && (*at | 0x20) == 'e') {
        at++;
        at = skip_digits(at + (*at == '+' || *at == '-'));
    }
    return at && at - start <= MOST_DIGITS ? at : NULL;
}

static const uint8_t *skip_word(const uint8_t *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp((const char *)at, word, length) == 0 ? at + length : NULL;
}

/* Read a key and its colon; returns NULL also for a key with escapes. */
static const uint8_t *read_key(const uint8_t *at, const uint8_t *end, Word *key)
{
    if (*at != '"')
        return NULL;
    const uint8_t *start = at + 1;
    if (!(at = read_string(start, end, NULL)))
        return NULL;
    *key = (Word){start, (size_t)(at - 1 - start)};
    if (memchr(start, '\\', key->length))
        return NULL;
    at = skip_blanks(at);
    return *at == ':' ? skip_blanks(at + 1) : NULL;
}

/* The keys of an object, and a bitmap of their hashes. */
typedef struct {
    Word keys[MOST_KEYS];
    size_t n_keys;
    uint64_t bits;
} SeenKeys;

static inline int are_same(const Word *one, const Word *other)
{
    return one->length == other->length && memcmp(one->bytes, other->bytes, one->length) == 0;
}

/* Note a key; returns 0 if it is repeated, which Python reports, or if there are too many. */
static int note_key(SeenKeys *seen, const Word *key)
{
    /* The quote follows a key, so an empty key has a first byte too. */
    size_t mixed = key->length * 7 + key->bytes[0] * 5 + key->bytes[key->length / 2];
    uint64_t bit = (uint64_t)1 << (mixed & 63);
    if (seen->n_keys == MOST_KEYS)
        return 0;
    if (seen->bits & bit)
        for (size_t place = 0; place < seen->n_keys; place++)
            if (are_same(&seen->keys[place], key))
                return 0;
    seen->bits |= bit;
    seen->keys[seen->n_keys++] = *key;
    return 1;
}

static const uint8_t *skip_value(const uint8_t *at, const uint8_t *end, int depth);

/* Skip a list after its bracket. */
static const uint8_t *skip_items(const uint8_t *at, const uint8_t *end, int depth)
{
    if (depth > MOST_DEPTH)
        return NULL;
    at = skip_blanks(at);
    if (*at == ']')
        return at + 1;
    for (;;) {
        if (!(at = skip_value(at, end, depth)))
            return NULL;
        at = skip_blanks(at);
        if (*at == ']')
            return at + 1;
        if (*at != ',')
            return NULL;
        at = skip_blanks(at + 1);
    }
}

/* Skip an object after its bracket. */
static const uint8_t *skip_members(const uint8_t *at, const uint8_t *end, int depth)
{
    SeenKeys seen;
    Word key;
    seen.n_keys = 0;
    seen.bits = 0;
    if (depth > MOST_DEPTH)
        return NULL;
    at = skip_blanks(at);
    if (*at == '}')
        return at + 1;
    for (;;) {
        if (!(at = read_key(at, end, &key)) || !note_key(&seen, &key) ||
            !(at = skip_value(at, end, depth)))
            return NULL;
        at = skip_blanks(at);
        if (*at == '}')
            return at + 1;
        if (*at != ',')
            return NULL;
        at = skip_blanks(at + 1);
    }
}

static const uint8_t *skip_value(const uint8_t *at, const uint8_t *end, int depth)
{
    switch (*at) {
    case '"':
        return read_string(at + 1, end, NULL);
    case '[':
        return skip_items(at + 1, end, depth + 1);
    case '{':
        return skip_members(at + 1, end, depth + 1);
    case 't':
        return skip_word(at, "true");
    case 'f':
        return skip_word(at, "false");
    case 'n':
        return skip_word(at, "null");
    default:
        return skip_number(at);
    }
}

/* Read a string, unless it looks like a list in text; sets its length. */
static const uint8_t *read_text(const uint8_t *at, const uint8_t *end, uint8_t **out,
                                int64_t *length)
{
    uint8_t *start = *out;
    if (*at != '"' || !(at = read_string(at + 1, end, out)))
        return NULL;
    *length = *out - start;
    return *length && *start == '[' ? NULL : at;
}

/* Read a model or, if lists are accepted, a list of models. */
static const uint8_t *read_models(const uint8_t *at, const uint8_t *end, int takes_lists,
                                  ScannedRecords *read)
{
    int64_t *n_models = &read->n_models[read->n_records];
    uint8_t **out = &read->models_end;
    *n_models = 0;
    if (*at != '[') {
        *n_models = 1;
        return read_text(at, end, out, &read->model_lengths[read->n_all_models++]);
    }
    if (!takes_lists)
        return NULL;
    at = skip_blanks(at + 1);
    if (*at == ']')
        return at + 1;
    for (;;) {
        ++*n_models;
        if (!(at = read_text(at, end, out, &read->model_lengths[read->n_all_models++])))
            return NULL;
        at = skip_blanks(at);
        if (*at == ']')
            return at + 1;
        if (*at != ',')
            return NULL;
        at = skip_blanks(at + 1);
    }
}

/* Read a string that is not blank and has no newline; Python checks the rest of what an ID must not
 * have. */
static const uint8_t *read_name(const uint8_t *at, const uint8_t *end, uint8_t **out)
{
    const uint8_t *start = *out;
    int has_sign = 0;
    if (!(at = read_string(at, end, out)))
        return NULL;
    for (; start < *out; start++) {
        if (*start == '\n')
            return NULL;
        has_sign |= *start != ' ';
    }
    return has_sign ? at : NULL;
}

/* Return the number that an ID is, NONE unless it is a short whole number as Python writes it. */
static int64_t number_of(const uint8_t *name, size_t length)
{
    int64_t number = 0;
    if (!length || length > MOST_NUMBER_DIGITS || (*name == '0' && length > 1))
        return NONE;
    for (size_t place = 0; place < length; place++) {
        if (!is_digit(name[place]))
            return NONE;
        number = number * 10 + (name[place] - '0');
    }
    return number;
}

/* Read an ID, a string or a whole number as Python writes it. */
static const uint8_t *read_id(const uint8_t *at, const uint8_t *end, ScannedRecords *read)
{
    const uint8_t *name = read->ids_end;
    if (*at == '"') {
        at = read_name(at + 1, end, &read->ids_end);
    } else {
        const uint8_t *start = at, *digits = at + (*at == '-');
        at = skip_digits(digits);
        if (!at || at - digits > MOST_ID_DIGITS || (*digits == '0' && at - start > 1))
            return NULL;
        memcpy(read->ids_end, start, (size_t)(at - start));
        read->ids_end += at - start;
    }
    int64_t number = number_of(name, (size_t)(read->ids_end - name));
    read->numbers[read->n_records] = number;
    read->are_numbers &= number != NONE;
    *read->ids_end++ = '\n';
    return at;
}

static inline uint8_t in_small_letter(uint8_t byte)
{
    return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

/* Return whether a field that is not read would have been, if the first record had it. */
static int is_watched(const Word *key, const RecordKeys *keys)
{
    for (size_t name = 0; name < keys->n_watched; name++) {
        const Word *watched = &keys->watched[name];
        size_t place = 0;
        if (watched->length != key->length)
            continue;
        while (place < key->length && in_small_letter(key->bytes[place]) == watched->bytes[place])
            place++;
        if (place == key->length)
            return 1;
    }
    return 0;
}

/* Read the value of a key; `seen` has a bit for each key to read. */
static const uint8_t *read_value(const uint8_t *at, const uint8_t *end, const Word *key,
                                 const RecordKeys *keys, unsigned *seen, ScannedRecords *read)
{
    int role = 0;
    while (role < N_ROLES && !are_same(key, &keys->of_roles[role]))
        role++;
    if (role == N_ROLES)
        return is_watched(key, keys) ? NULL : skip_value(at, end, 0);
    *seen |= 1u << role;
    if (role == ID)
        return read_id(at, end, read);
    if (role == MODELS)
        return read_models(at, end, keys->takes_lists, read);
    return read_text(at, end, &read->peers_end, &read->peer_lengths[read->n_records]);
}

/* Read the object of a line, up to its newline or the end. */
static const uint8_t *read_record(const uint8_t *at, const uint8_t *end, const RecordKeys *keys,
                                  ScannedRecords *read)
{
    unsigned seen = 0, wanted = keys->of_roles[ID].length ? 7 : 3;
    SeenKeys all;
    Word key;
    all.n_keys = 0;
    all.bits = 0;
    if (*at != '{')
        return NULL;
    do {
        at = skip_blanks(at + 1);
        if (!(at = read_key(at, end, &key)) || !note_key(&all, &key) ||
            !(at = read_value(at, end, &key, keys, &seen, read)))
            return NULL;
        at = skip_blanks(at);
    } while (*at == ',');
    if (*at != '}' || (seen & 7) != wanted)
        return NULL;
    at = skip_blanks(at + 1);
    return at == end ? at : *at == '\n' ? at + 1 : NULL;
}

void count_records(const uint8_t *lines, size_t n_bytes, int64_t *n_records, int64_t *n_models)
{
    int64_t n_newlines = 0, n_commas = 0;
    for (size_t start = 0, end; start < n_bytes; start = end) {
        /* The count of this many bytes fits into a byte, which makes counting four times as fast.
         */
        uint8_t newlines = 0, commas = 0;
        end = n_bytes - start < COUNTED_TOGETHER ? n_bytes : start + COUNTED_TOGETHER;
        for (size_t place = start; place < end; place++) {
            newlines = (uint8_t)(newlines + (lines[place] == '\n'));
            commas = (uint8_t)(commas + (lines[place] == ','));
        }
        n_newlines += newlines;
        n_commas += commas;
    }
    *n_records = n_newlines + 1;
    *n_models = *n_records + n_commas;
}

Outcome scan_records(const uint8_t *lines, size_t n_bytes, const RecordKeys *keys,
                     ScannedRecords *read, int *is_read)
{
    const uint8_t *end = lines + n_bytes;
    int64_t work = 0;
    *is_read = 0;
    while (lines < end) {
        const uint8_t *line = lines;
        if (!(lines = read_record(line, end, keys, read)))
            return DONE;
        read->n_records++;
        if (has_to_end(&work, (lines - line) * STEPS_PER_BYTE))
            return INTERRUPTED;
    }
    *is_read = 1;
    return DONE;
}
