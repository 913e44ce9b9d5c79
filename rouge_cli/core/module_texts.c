/* Texts as Python sees them; see module.c. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* The addresses of texts. The array must be freed. */
typedef struct {
    Word *words;
    Py_ssize_t n_texts;
} GivenTexts;

/* Set the bytes of a text, which are followed by a zero in its object. On failure, sets an
 * exception and returns 0. The UTF-8 of a string is the memory of the string if it is ASCII;
 * otherwise the object stores a copy. */
static int set_text(PyObject *text, Word *word)
{
    char *bytes;
    Py_ssize_t length;
    if (PyUnicode_Check(text))
        bytes = (char *)PyUnicode_AsUTF8AndSize(text, &length);
    else if (PyBytes_AsStringAndSize(text, &bytes, &length) != 0)
        bytes = NULL;
    *word = (Word){(const uint8_t *)bytes, bytes ? (size_t)length : 0};
    return bytes != NULL;
}

/* Set texts from a tuple of `bytes` and strings, which continues to own them. On failure, sets an
 * exception and returns 0. */
static int set_texts(PyObject *texts, GivenTexts *given)
{
    given->n_texts = PyTuple_Size(texts);
    given->words = zeros((size_t)given->n_texts, sizeof(Word));
    if (!given->words)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t text = 0; text < given->n_texts; text++)
        if (!set_text(PyTuple_GetItem(texts, text), &given->words[text])) {
            free(given->words);
            return 0;
        }
    return 1;
}

int64_t most_tokens(const Word *texts, Py_ssize_t n_texts)
{
    int64_t n_tokens = 0;
    for (const Word *text = texts; text < texts + n_texts; text++)
        n_tokens += (int64_t)(text->length / 2 + text->length % 2);
    return n_tokens;
}

/* Check that words are within the text, and followed by enough bytes to read a key. On failure,
 * sets an exception and returns 0. */
static int are_words(const int64_t *starts, const int64_t *ends, int64_t n_words, int64_t n_bytes)
{
    for (int64_t word = 0; word < n_words; word++)
        if (starts[word] < 0 || ends[word] < starts[word] || ends[word] > n_bytes - PADDING) {
            PyErr_SetString(PyExc_ValueError, "words outside of the text");
            return 0;
        }
    return 1;
}

/* Number words, and return the number of distinct ones. */
PyObject *core_number_words(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *text_array, *start_array, *end_array, *number_array, *first_array;
    int64_t n_bytes, n_words, *firsts;
    const int64_t *starts, *ends;
    const uint8_t *text;
    int32_t *numbers, n_known = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOO", &text_array, &start_array, &end_array,
                          &number_array, &first_array))
        return NULL;
    if ((text = items_of(&arrays, text_array, 1, 0, &n_bytes)) &&
        (starts = items_of(&arrays, start_array, 8, 0, &n_words)) &&
        (ends = exactly(&arrays, end_array, 8, 0, n_words)) &&
        (numbers = exactly(&arrays, number_array, 4, PyBUF_WRITABLE, n_words)) &&
        (firsts = exactly(&arrays, first_array, 8, PyBUF_WRITABLE, n_words)) &&
        are_words(starts, ends, n_words, n_bytes)) {
        Py_BEGIN_ALLOW_THREADS
        n_known = number_words(text, starts, ends, n_words, numbers, firsts);
        Py_END_ALLOW_THREADS
        if (n_known == NONE && !PyErr_Occurred())
            PyErr_NoMemory();
    }
    release(&arrays);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(n_known);
}

/* Return the fields of `FlaggedTexts` in text/columns.py as a tuple. On failure, sets an exception
 * and returns NULL. */
static PyObject *flags_of(const FlaggedTexts *flagged, PyObject *flags)
{
    return Py_BuildValue("OLLLy#", flags, (long long)flagged->n_newlines,
                         (long long)flagged->n_words, (long long)flagged->n_broken,
                         (char *)flagged->lost, (Py_ssize_t)flagged->n_lost);
}

/* Return the sentence offsets as an array in Python's memory. On failure, sets an exception and
 * returns NULL. */
static PyObject *offsets_of(const ReadColumns *read)
{
    PyObject *offsets = new_items(read->n_sentences + 1, sizeof(int64_t));
    if (offsets)
        memcpy(PyByteArray_AsString(offsets), read->sentence_offsets,
               ((size_t)read->n_sentences + 1) * sizeof(int64_t));
    return offsets;
}

/* Read texts into arrays in Python's memory. Returns a tuple of them. On failure, sets an exception
 * and returns NULL. `vocabulary` may be NULL. */
static PyObject *read_into(const Groups *groups, const WordList *stopwords, WordList *forms,
                           StemCache *vocabulary, int keeps_unstemmed, int has_flags,
                           int at_blanks, int64_t n_tokens)
{
    int64_t n_texts = groups->starts[groups->n_groups];
    FlaggedTexts flagged;
    ReadColumns read = {.flagged = has_flags ? &flagged : NULL};
    StemCache *cache = vocabulary;
    PyObject *result = NULL, *sentences = NULL, *values = NULL;
    int has_both = forms && keeps_unstemmed;
    PyObject *types = new_items(n_tokens, sizeof(int32_t));
    PyObject *stems = has_both ? new_items(n_tokens, sizeof(int32_t)) : Py_BuildValue("");
    PyObject *offsets = new_items(n_texts + 1, sizeof(int64_t));
    PyObject *flags = new_items(has_flags ? n_texts : 0, 1);
    if (types && stems && offsets && flags &&
        (cache || !forms || (cache = take_stems(forms)))) {
        read.types = (int32_t *)PyByteArray_AsString(types);
        read.stems = !forms ? NULL : (int32_t *)PyByteArray_AsString(has_both ? stems : types);
        read.text_offsets = (int64_t *)PyByteArray_AsString(offsets);
        begin_flags(&flagged, (uint8_t *)PyByteArray_AsString(flags), 1);
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = read_texts(groups, stopwords, forms, cache, at_blanks, &read);
        Py_END_ALLOW_THREADS
        if (forms && !vocabulary)
            give_back(forms, cache);
        Py_ssize_t n_bytes = outcome == DONE ? (Py_ssize_t)read.n_tokens * 4 : 0;
        if (outcome == NO_MEMORY)
            PyErr_NoMemory();
        else if (outcome == DONE && (sentences = offsets_of(&read)) &&
                 PyByteArray_Resize(types, n_bytes) == 0 &&
                 (!has_both || PyByteArray_Resize(stems, n_bytes) == 0) &&
                 (values = has_flags ? flags_of(&flagged, flags) : Py_BuildValue("")))
            result = Py_BuildValue("OOOOiN", types, stems, sentences, offsets, (int)read.n_types,
                                   values);
        free(read.sentence_offsets);
    }
    Py_XDECREF(types);
    Py_XDECREF(stems);
    Py_XDECREF(sentences);
    Py_XDECREF(offsets);
    Py_XDECREF(flags);
    return result;
}

/* Set the groups of texts; None makes a single group. On failure, sets an exception and returns 0.
 */
static int set_groups(Arrays *arrays, PyObject *array, Py_ssize_t n_texts, int64_t *all,
                      Groups *groups)
{
    int64_t n_starts = 2;
    all[0] = 0;
    all[1] = n_texts;
    groups->starts = array == Py_None ? all : items_of(arrays, array, 8, 0, &n_starts);
    if (!groups->starts)
        return 0;
    groups->n_groups = n_starts - 1;
    if (are_ascending(groups->starts, n_starts, n_texts) && groups->starts[n_starts - 1] == n_texts)
        return 1;
    PyErr_SetString(PyExc_ValueError, "groups that do not have all texts");
    return 0;
}

/* Return the columns of texts; None if 32 bits cannot number their tokens. */
PyObject *core_read_texts(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *texts, *starts, *stopwords, *forms, *capsule = Py_None, *result = NULL;
    StemCache *vocabulary = NULL;
    int keeps_unstemmed, has_flags, at_blanks = 0;
    int64_t n_tokens, all[2];
    Groups groups;
    WordList *stopword_list, *form_list;
    GivenTexts given;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOOpp|Op", &PyTuple_Type, &texts, &starts, &stopwords,
                          &forms, &keeps_unstemmed, &has_flags, &capsule, &at_blanks))
        return NULL;
    if (at_blanks && (forms != Py_None || has_flags || capsule != Py_None)) {
        PyErr_SetString(PyExc_ValueError, "words between blanks have no stems and no flags");
        return NULL;
    }
    if (!set_list(stopwords, &stopword_list) || !set_list(forms, &form_list))
        return NULL;
    if (!set_texts(texts, &given))
        return NULL;
    if (capsule != Py_None && !(vocabulary = take_vocabulary(capsule))) {
        free(given.words);
        return NULL;
    }
    groups.texts = given.words;
    if (set_groups(&arrays, starts, given.n_texts, all, &groups)) {
        n_tokens = most_tokens(given.words, given.n_texts);
        result = n_tokens > INT32_MAX ? Py_BuildValue("")
                                      : read_into(&groups, stopword_list, form_list, vocabulary,
                                                  keeps_unstemmed, has_flags, at_blanks, n_tokens);
    }
    if (vocabulary)
        give_back_vocabulary(vocabulary);
    free(given.words);
    release(&arrays);
    return result;
}

PyObject *core_flag_texts(PyObject *module, PyObject *arguments)
{
    PyObject *texts, *result = NULL;
    GivenTexts given;
    FlaggedTexts flagged;
    int has_letters;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!p", &PyTuple_Type, &texts, &has_letters))
        return NULL;
    if (!set_texts(texts, &given))
        return NULL;
    PyObject *flags = new_items(given.n_texts, 1);
    if (flags) {
        begin_flags(&flagged, (uint8_t *)PyByteArray_AsString(flags), has_letters);
        Outcome outcome;
        Py_BEGIN_ALLOW_THREADS
        outcome = flag_texts(given.words, given.n_texts, &flagged);
        Py_END_ALLOW_THREADS
        if (outcome == DONE)
            result = flags_of(&flagged, flags);
    }
    free(given.words);
    Py_XDECREF(flags);
    return result;
}
