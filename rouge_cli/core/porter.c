/* Porter's stemmer in two variants: that of ROUGE-1.5.5, whose twin is text/stems.py, and that of
 * NLTK, whose twin is NLTK's own code. */
#include "core.h"

#include <string.h>

/* A word being stemmed. No step lengthens it. */
typedef struct {
    uint8_t *bytes;
    size_t length;
} Stem;

typedef struct {
    const char *suffix;
    size_t n_suffix;
    const char *replacement;
    size_t n_replacement;
} Rule;

/* The rules of step 2, 3 or 4. Only the first rule whose suffix matches is tried. So of suffixes
 * that can match together, the longer comes first. */
typedef struct {
    uint32_t ends[26]; /* by last letter of a suffix: BITs of the letters that may precede it */
    Rule rules[22];
} Step;

#define NUMBER(letter) ((letter) - 'a')
#define BIT(letter) (UINT32_C(1) << NUMBER(letter))
#define RULE(suffix, replacement) {suffix, sizeof suffix - 1, replacement, sizeof replacement - 1}
#define LAST_RULE {NULL, 0, NULL, 0}

static const Step DOUBLE_SUFFIXES = {
    {
        [NUMBER('i')] = BIT('c') | BIT('g') | BIT('l') | BIT('t'), [NUMBER('l')] = BIT('a'),
        [NUMBER('m')] = BIT('s'), [NUMBER('n')] = BIT('o'), [NUMBER('r')] = BIT('e') | BIT('o'),
        [NUMBER('s')] = BIT('s'),
    },
    {
        RULE("ational", "ate"), RULE("tional", "tion"), RULE("enci", "ence"), RULE("anci", "ance"),
        RULE("izer", "ize"), RULE("bli", "ble"), RULE("alli", "al"), RULE("entli", "ent"),
        RULE("eli", "e"), RULE("ousli", "ous"), RULE("ization", "ize"), RULE("ation", "ate"),
        RULE("ator", "ate"), RULE("alism", "al"), RULE("iveness", "ive"), RULE("fulness", "ful"),
        RULE("ousness", "ous"), RULE("aliti", "al"), RULE("iviti", "ive"), RULE("biliti", "ble"),
        RULE("logi", "log"), LAST_RULE,
    },
};
static const Step MIDDLE_SUFFIXES = {
    {
        [NUMBER('e')] = BIT('t') | BIT('v') | BIT('z'), [NUMBER('i')] = BIT('t'),
        [NUMBER('l')] = BIT('a') | BIT('u'), [NUMBER('s')] = BIT('s'),
    },
    {
        RULE("icate", "ic"), RULE("ative", ""), RULE("alize", "al"), RULE("iciti", "ic"),
        RULE("ical", "ic"), RULE("ful", ""), RULE("ness", ""), LAST_RULE,
    },
};
static const Step LAST_SUFFIXES = {
    {
        [NUMBER('c')] = BIT('i'), [NUMBER('i')] = BIT('t'), [NUMBER('l')] = BIT('a'),
        [NUMBER('e')] = BIT('c') | BIT('l') | BIT('t') | BIT('v') | BIT('z'),
        [NUMBER('m')] = BIT('s'), [NUMBER('r')] = BIT('e'), [NUMBER('s')] = BIT('u'),
        [NUMBER('t')] = BIT('n'), [NUMBER('u')] = BIT('o'),
    },
    {
        RULE("al", ""), RULE("ance", ""), RULE("ence", ""), RULE("er", ""), RULE("ic", ""),
        RULE("able", ""), RULE("ible", ""), RULE("ant", ""), RULE("ement", ""), RULE("ou", ""),
        RULE("ism", ""), RULE("ate", ""), RULE("iti", ""), RULE("ous", ""), RULE("ive", ""),
        RULE("ize", ""), LAST_RULE,
    },
};

static const uint8_t VOWELS[256] = {['a'] = 1, ['e'] = 1, ['i'] = 1, ['o'] = 1, ['u'] = 1};

static int is_among(uint8_t letter, const char *letters)
{
    return letter != 0 && strchr(letters, letter) != NULL;
}

/* Return whether a letter is a vowel. A y is a vowel after a consonant, but not at the beginning.
 */
static inline int is_vowel(uint8_t letter, int is_behind_consonant)
{
    return VOWELS[letter] | ((letter == 'y') & is_behind_consonant);
}

/* Return Porter's measure m: the number of vowels followed by a consonant. Twin: `_measure`. */
static size_t measure(const uint8_t *bytes, size_t length)
{
    size_t count = 0;
    int was_vowel = 0;
    for (size_t place = 0; place < length; place++) {
        int vowel = is_vowel(bytes[place], place > 0 && !was_vowel);
        count += was_vowel && !vowel;
        was_vowel = vowel;
    }
    return count;
}

static int has_vowel(const uint8_t *bytes, size_t length)
{
    int was_vowel = 0;
    for (size_t place = 0; place < length && !was_vowel; place++)
        was_vowel = is_vowel(bytes[place], place > 0);
    return was_vowel;
}

/* Return whether the letter at a position is a vowel. In a run of y, every second y is a vowel. */
static int is_vowel_at(const uint8_t *bytes, size_t place)
{
    size_t first = place;
    while (first > 0 && bytes[first] == 'y')
        first--;
    int vowel = is_vowel(bytes[first], 0);
    return (place - first) % 2 ? !vowel : vowel;
}

/* Return whether a word ends in consonant, vowel, and a consonant other than w, x and y. Twin:
 * `_ends_short`. */
static int ends_short(const uint8_t *bytes, size_t length)
{
    return length >= 3 && !is_among(bytes[length - 1], "wxy") && !is_vowel_at(bytes, length - 1) &&
           is_vowel_at(bytes, length - 2) && !is_vowel_at(bytes, length - 3);
}

static inline int ends_with_bytes(const Stem *stem, const char *suffix, size_t n_suffix)
{
    const uint8_t *end = stem->bytes + stem->length;
    return stem->length >= n_suffix && end[-1] == (uint8_t)suffix[n_suffix - 1] &&
           memcmp(end - n_suffix, suffix, n_suffix) == 0;
}

static inline int ends_with(const Stem *stem, const char *suffix)
{
    return ends_with_bytes(stem, suffix, strlen(suffix));
}

/* Return whether a stem, without its last `n_last` letters, has a measure above `floor`. */
static int measures_more(const Stem *stem, size_t n_last, size_t floor)
{
    return measure(stem->bytes, stem->length - n_last) > floor;
}

/* Return whether any suffix of a step ends in the last two letters of a stem. This quick test rules
 * out most steps. */
static inline int can_apply(const Step *step, const Stem *stem)
{
    if (stem->length < 2)
        return 0;
    uint8_t before = stem->bytes[stem->length - 2], last = stem->bytes[stem->length - 1];
    return before >= 'a' && last >= 'a' && step->ends[NUMBER(last)] & BIT(before);
}

/* Apply the first rule whose suffix the stem has, if the letters before the suffix have a measure
 * above `floor`. Twin: `_apply`. */
static void apply(const Step *step, Stem *stem, size_t floor)
{
    if (!can_apply(step, stem))
        return;
    for (const Rule *rule = step->rules; rule->suffix; rule++) {
        if (!ends_with_bytes(stem, rule->suffix, rule->n_suffix))
            continue;
        if (measures_more(stem, rule->n_suffix, floor)) {
            uint8_t *suffix = stem->bytes + stem->length - rule->n_suffix;
            memcpy(suffix, rule->replacement, rule->n_replacement);
            stem->length -= rule->n_suffix - rule->n_replacement;
        }
        return;
    }
}

/* Step 1a: strip a plural s. Twin: `_strip_plural`. */
static void strip_plural(Stem *stem)
{
    if (!ends_with(stem, "s") || ends_with(stem, "ss"))
        return;
    stem->length -= ends_with(stem, "sses") || ends_with(stem, "ies") ? 2 : 1;
}

/* End of step 1b: mend the word after its suffix was stripped. Twin: `_mend_participle`. */
static void mend_participle(Stem *stem)
{
    uint8_t *bytes = stem->bytes;
    size_t length = stem->length;
    if (ends_with(stem, "at") || ends_with(stem, "bl") || ends_with(stem, "iz"))
        bytes[stem->length++] = 'e';
    else if (length >= 2 && bytes[length - 1] == bytes[length - 2] &&
             !is_among(bytes[length - 1], "aeiouylsz"))
        stem->length--;
    else if (measure(bytes, length) == 1 && ends_short(bytes, length))
        bytes[stem->length++] = 'e';
}

/* Step 1b: strip -ed or -ing, and shorten -eed. Twin: `_strip_participle`. */
static void strip_participle(Stem *stem)
{
    if (ends_with(stem, "eed")) {
        stem->length -= measures_more(stem, 3, 0);
        return;
    }
    size_t n_suffix = ends_with(stem, "ed") ? 2 : ends_with(stem, "ing") ? 3 : 0;
    if (n_suffix && has_vowel(stem->bytes, stem->length - n_suffix)) {
        stem->length -= n_suffix;
        mend_participle(stem);
    }
}

/* End of step 4: strip -ment, -ent, and the -ion of -sion and -tion. Twin: `_strip_second_suffix`.
 */
static void strip_second_suffix(Stem *stem)
{
    if (ends_with(stem, "ment") && measures_more(stem, 4, 1))
        stem->length -= 4;
    if ((ends_with(stem, "ent") || ends_with(stem, "sion") || ends_with(stem, "tion")) &&
        measures_more(stem, 3, 1))
        stem->length -= 3;
}

/* Step 5: strip a final e, and one l of a final ll. Twin: `_tidy_end`. */
static void tidy_end(Stem *stem)
{
    if (ends_with(stem, "e")) {
        size_t found = measure(stem->bytes, stem->length - 1);
        if (found > 1 || (found == 1 && !ends_short(stem->bytes, stem->length - 1)))
            stem->length--;
    }
    if (ends_with(stem, "ll") && measures_more(stem, 0, 1))
        stem->length--;
}

/* Stem a word as ROUGE-1.5.5 does. Twin: `porter_stem`. */
size_t porter_stem(uint8_t *word, size_t length)
{
    Stem stem = {word, length};
    if (length < 3)
        return length;
    strip_plural(&stem);
    strip_participle(&stem);
    if (ends_with(&stem, "y") && has_vowel(word, stem.length - 1))
        word[stem.length - 1] = 'i';
    apply(&DOUBLE_SUFFIXES, &stem, 0);
    apply(&MIDDLE_SUFFIXES, &stem, 0);
    apply(&LAST_SUFFIXES, &stem, 1);
    strip_second_suffix(&stem);
    tidy_end(&stem);
    return stem.length;
}

/* From here on: Porter's algorithm as published, with the extensions that NLTK documents at
 * https://www.nltk.org/api/nltk.stem.porter.html. Only the steps that differ from those above are
 * here. */

/* Words that NLTK looks up instead of stemming, with their stems. */
static const char *const LOOKED_UP[][2] = {
    {"sky", "sky"},         {"skies", "sky"},       {"dying", "die"},     {"lying", "lie"},
    {"tying", "tie"},       {"news", "news"},       {"innings", "inning"}, {"inning", "inning"},
    {"outings", "outing"},  {"outing", "outing"},   {"cannings", "canning"},
    {"canning", "canning"}, {"howe", "howe"},       {"proceed", "proceed"},
    {"exceed", "exceed"},   {"succeed", "succeed"}, {NULL, NULL},
};

/* Return whether a word ends in consonant, vowel, consonant or, with NLTK's extensions, consists of
 * a vowel and a consonant. */
static int ends_syllable(const uint8_t *bytes, size_t length, int is_extended)
{
    return ends_short(bytes, length) ||
           (is_extended && length == 2 && is_vowel_at(bytes, 0) && !is_vowel_at(bytes, 1));
}

static void strip_nltk_participle(Stem *stem, int is_extended)
{
    uint8_t *bytes = stem->bytes;
    if (is_extended && ends_with(stem, "ied")) {
        stem->length -= stem->length == 4 ? 1 : 2;
        return;
    }
    if (ends_with(stem, "eed")) {
        stem->length -= measures_more(stem, 3, 0);
        return;
    }
    size_t n_suffix = ends_with(stem, "ed") ? 2 : ends_with(stem, "ing") ? 3 : 0;
    if (!n_suffix || !has_vowel(bytes, stem->length - n_suffix))
        return;
    size_t length = stem->length -= n_suffix;
    if (ends_with(stem, "at") || ends_with(stem, "bl") || ends_with(stem, "iz"))
        bytes[stem->length++] = 'e';
    else if (length >= 2 && bytes[length - 1] == bytes[length - 2] &&
             !is_vowel_at(bytes, length - 1))
        stem->length -= !is_among(bytes[length - 1], "lsz");
    else if (measure(bytes, length) == 1 && ends_syllable(bytes, length, is_extended))
        bytes[stem->length++] = 'e';
}

static void shorten_double_suffix(Stem *stem, int is_extended)
{
    if (is_extended && ends_with(stem, "alli") && measures_more(stem, 4, 0))
        stem->length -= 2;
    if (ends_with(stem, "logi"))
        stem->length -= is_extended && measures_more(stem, 3, 0);
    else if (is_extended && ends_with(stem, "fulli"))
        stem->length -= measures_more(stem, 5, 0) ? 2 : 0;
    else if (is_extended || !ends_with(stem, "bli"))
        apply(&DOUBLE_SUFFIXES, stem, 0);
    else if (ends_with(stem, "abli") && measures_more(stem, 4, 0))
        stem->bytes[stem->length - 1] = 'e';
}

static void strip_last_suffix(Stem *stem)
{
    if (ends_with(stem, "ement"))
        stem->length -= measures_more(stem, 5, 1) ? 5 : 0;
    else if (ends_with(stem, "ment"))
        stem->length -= measures_more(stem, 4, 1) ? 4 : 0;
    else if (ends_with(stem, "ent"))
        stem->length -= measures_more(stem, 3, 1) ? 3 : 0;
    else if (ends_with(stem, "ion"))
        stem->length -= measures_more(stem, 3, 1) &&
                                is_among(stem->bytes[stem->length - 4], "st")
                            ? 3
                            : 0;
    else
        apply(&LAST_SUFFIXES, stem, 1);
}

/* Stem a word as NLTK does, with its extensions or without. Twin: `nltk_stemmer`. */
size_t nltk_stem(uint8_t *word, size_t length, int is_extended)
{
    Stem stem = {word, length};
    for (int known = 0; is_extended && LOOKED_UP[known][0]; known++)
        if (length == strlen(LOOKED_UP[known][0]) && !memcmp(word, LOOKED_UP[known][0], length)) {
            memcpy(word, LOOKED_UP[known][1], strlen(LOOKED_UP[known][1]));
            return strlen(LOOKED_UP[known][1]);
        }
    if (is_extended && length <= 2)
        return length;
    if (is_extended && length == 4 && ends_with(&stem, "ies"))
        stem.length--;
    else
        strip_plural(&stem);
    strip_nltk_participle(&stem, is_extended);
    if (ends_with(&stem, "y") &&
        (is_extended ? stem.length > 2 && !is_vowel_at(word, stem.length - 2)
                     : has_vowel(word, stem.length - 1)))
        word[stem.length - 1] = 'i';
    shorten_double_suffix(&stem, is_extended);
    apply(&MIDDLE_SUFFIXES, &stem, 0);
    strip_last_suffix(&stem);
    if (ends_with(&stem, "e")) {
        size_t found = measure(word, stem.length - 1);
        stem.length -=
            found > 1 || (found == 1 && !ends_syllable(word, stem.length - 1, is_extended));
    }
    if (ends_with(&stem, "ll") && measure(word, stem.length - 1) > 1)
        stem.length--;
    return stem.length;
}
