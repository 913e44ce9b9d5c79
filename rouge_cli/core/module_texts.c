/* Texts, lines and records as Python sees them; see module.c. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* Texts of Python, which own their bytes, and their addresses. A text that is not encoded has NULL
 * as address, and its number of characters as length. */
typedef struct {
    PyObject *owners;
    Word *words;
    int64_t n_words;
} HeldTexts;

static void free_held_texts(HeldTexts *held)
{
    Py_XDECREF(held->owners);
    free(held->words);
    free(held);
}

static void free_texts_capsule(PyObject *capsule)
{
    free_held_texts(PyCapsule_GetPointer(capsule, TEXTS));
}

/* Return a capsule of texts and their owners, which it takes over; NULL with an exception. */
static PyObject *capsule_of(HeldTexts *held, PyObject *owners)
{
    Py_INCREF(owners);
    held->owners = owners;
    PyObject *capsule = PyCapsule_New(held, TEXTS, free_texts_capsule);
    if (!capsule)
        free_held_texts(held);
    return capsule;
}

/* Allocate room for texts without owners; NULL with an exception. */
static HeldTexts *new_held_texts(Py_ssize_t n_texts)
{
    HeldTexts *held = zeros(1, sizeof *held);
    Word *words = zeros((size_t)n_texts, sizeof *words);
    if (!held || !words) {
        free(held);
        free(words);
        return (HeldTexts *)PyErr_NoMemory();
    }
    *held = (HeldTexts){NULL, words, n_texts};
    return held;
}

/* Texts whose bytes can be read. */
typedef struct {
    const Word *words;
    Py_ssize_t n_texts;
    Word *own; /* must be freed */
} GivenTexts;

/* Set texts from a tuple of `bytes`, which owns them; 0 with an exception. */
static int set_bytes(PyObject *texts, GivenTexts *given)
{
    given->n_texts = PyTuple_Size(texts);
    given->words = given->own = zeros((size_t)given->n_texts, sizeof(Word));
    if (!given->own)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t text = 0; text < given->n_texts; text++) {
        char *bytes;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(PyTuple_GetItem(texts, text), &bytes, &length) != 0) {
            free(given->own);
            return 0;
        }
        given->own[text] = (Word){(const uint8_t *)bytes, (size_t)length};
    }
    return 1;
}

/* Return the addresses of some texts of a capsule; NULL with an exception. */
static const HeldTexts *held_in(PyObject *capsule, Py_ssize_t first, Py_ssize_t n_texts)
{
    const HeldTexts *held = PyCapsule_GetPointer(capsule, TEXTS);
    if (held && (first < 0 || n_texts < 0 || first > held->n_words - n_texts)) {
        PyErr_SetString(PyExc_ValueError, "there are not so many texts");
        return NULL;
    }
    return held;
}

/* Set texts from a tuple of `bytes`, or from a capsule, its first text and their number; 0 with an
 * exception. Each text is followed by a byte that is not a blank. */
static int set_texts(PyObject *texts, GivenTexts *given)
{
    PyObject *capsule;
    Py_ssize_t first, n_texts;
    if (PyTuple_Size(texts) != 3 || !PyCapsule_IsValid(PyTuple_GetItem(texts, 0), TEXTS))
        return set_bytes(texts, given);
    if (!PyArg_ParseTuple(texts, "Onn", &capsule, &first, &n_texts))
        return 0;
    const HeldTexts *held = held_in(capsule, first, n_texts);
    if (!held)
        return 0;
    *given = (GivenTexts){held->words + first, n_texts, NULL};
    for (Py_ssize_t text = 0; text < n_texts; text++)
        if (!given->words[text].bytes) {
            PyErr_SetString(PyExc_ValueError, "texts that are not encoded");
            return 0;
        }
    return 1;
}

/* Set texts in a buffer, each of which must be followed by another byte; 0 with an exception. */
static int set_joined(HeldTexts *held, const uint8_t *content, int64_t n_bytes,
                      const int64_t *starts, const int64_t *lengths)
{
    for (Py_ssize_t text = 0; text < held->n_words; text++) {
        if (starts[text] < 0 || lengths[text] < 0 || starts[text] >= n_bytes ||
            lengths[text] >= n_bytes - starts[text]) {
            PyErr_SetString(PyExc_ValueError, "texts outside of their content");
            return 0;
        }
        held->words[text] = (Word){content + starts[text], (size_t)lengths[text]};
    }
    return 1;
}

/* Return a capsule for texts in one buffer, which it keeps alive. */
PyObject *core_join_texts(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *array, *start_array, *length_array, *capsule = NULL;
    int64_t n_bytes, n_texts;
    const uint8_t *content;
    const int64_t *starts, *lengths;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &array, &start_array, &length_array))
        return NULL;
    if ((content = items_of(&arrays, array, 1, 0, &n_bytes)) &&
        (starts = items_of(&arrays, start_array, 8, 0, &n_texts)) &&
        (lengths = exactly(&arrays, length_array, 8, 0, n_texts))) {
        /* While there is a view, the buffer cannot be resized. */
        PyObject *view = PyMemoryView_FromObject(array);
        HeldTexts *held = view ? new_held_texts((Py_ssize_t)n_texts) : NULL;
        if (held && set_joined(held, content, n_bytes, starts, lengths))
            capsule = capsule_of(held, view);
        else if (held)
            free_held_texts(held);
        Py_XDECREF(view);
    }
    release(&arrays);
    return capsule;
}

int64_t most_tokens(const Word *texts, Py_ssize_t n_texts)
{
    int64_t n_tokens = 0;
    for (const Word *text = texts; text < texts + n_texts; text++)
        n_tokens += (int64_t)(text->length / 2 + text->length % 2);
    return n_tokens;
}

/* Check that enough bytes follow every word for its key to be read; 0 with an exception. */
static int are_words(const int64_t *starts, const int64_t *ends, int64_t n_words, int64_t n_bytes)
{
    for (int64_t word = 0; word < n_words; word++)
        if (starts[word] < 0 || ends[word] < starts[word] || ends[word] > n_bytes - PADDING) {
            PyErr_SetString(PyExc_ValueError, "words outside of the text");
            return 0;
        }
    return 1;
}

/* Return the number of different words. */
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

/* Return the values of `FlaggedTexts` in text/columns.py; NULL with an exception. */
static PyObject *flags_of(const FlaggedTexts *flagged, PyObject *flags)
{
    return Py_BuildValue("OLLLy#", flags, (long long)flagged->n_newlines,
                         (long long)flagged->n_words, (long long)flagged->n_broken,
                         (char *)flagged->lost, (Py_ssize_t)flagged->n_lost);
}

/* Return the offsets of sentences as an array of Python; NULL with an exception. */
static PyObject *offsets_of(const ReadColumns *read)
{
    PyObject *offsets = new_items(read->n_sentences + 1, sizeof(int64_t));
    if (offsets)
        memcpy(PyByteArray_AsString(offsets), read->sentence_offsets,
               ((size_t)read->n_sentences + 1) * sizeof(int64_t));
    return offsets;
}

/* Read into arrays of Python; returns a tuple of them, NULL with an exception. `vocabulary` may be
 * NULL. */
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
        else if (outcome == DONE && (sentences = offsets_of(&read)) && PyByteArray_Resize(types, n_bytes) == 0 &&
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

/* Set the groups of texts, a single one for None; 0 with an exception. */
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
        free(given.own);
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
    free(given.own);
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
    free(given.own);
    Py_XDECREF(flags);
    return result;
}

/* Return the values of `NotedLines` in inputs/line_texts.py. */
PyObject *core_note_lines(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *chunk, *mark_array;
    long long n_before, per_mark;
    int64_t n_bytes, n_marks, *marks;
    const uint8_t *bytes;
    NotedLines noted;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OLLO", &chunk, &n_before, &per_mark, &mark_array))
        return NULL;
    if ((bytes = items_of(&arrays, chunk, 1, 0, &n_bytes)) &&
        (marks = items_of(&arrays, mark_array, 8, PyBUF_WRITABLE, &n_marks))) {
        if (n_before < 0 || per_mark < 1 || n_marks < n_bytes / per_mark + 1)
            PyErr_SetString(PyExc_ValueError, "no room for the marks");
        else {
            Py_BEGIN_ALLOW_THREADS
            note_lines(bytes, (size_t)n_bytes, n_before, per_mark, marks, &noted);
            Py_END_ALLOW_THREADS
        }
    }
    release(&arrays);
    if (PyErr_Occurred())
        return NULL;
    return Py_BuildValue("LLLLL", (long long)noted.n_lines, (long long)noted.n_marks,
                         (long long)noted.first_end, (long long)noted.last_end,
                         (long long)noted.n_before_zero);
}

/* Check that there are words, and none is empty; 0 with an exception. */
static int are_separators(const GivenTexts *words)
{
    for (Py_ssize_t word = 0; word < words->n_texts; word++)
        if (words->words[word].length == 0) {
            PyErr_SetString(PyExc_ValueError, "a word without bytes");
            return 0;
        }
    return 1;
}

/* Return the number of lines; -1 if they exceed the room, or the last one is incomplete. */
PyObject *core_split_lines(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *line_array, *words, *start_array, *length_array, *flag_array;
    int64_t n_bytes, most, n_lines = NONE;
    uint8_t *lines;
    LineTexts texts;
    GivenTexts separators;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO!OOO", &line_array, &PyTuple_Type, &words, &start_array,
                          &length_array, &flag_array))
        return NULL;
    if (!set_bytes(words, &separators))
        return NULL;
    if (are_separators(&separators) &&
        (lines = items_of(&arrays, line_array, 1, PyBUF_WRITABLE, &n_bytes)) &&
        (texts.starts = items_of(&arrays, start_array, 8, PyBUF_WRITABLE, &most)) &&
        (texts.lengths = exactly(&arrays, length_array, 8, PyBUF_WRITABLE, most)) &&
        (texts.is_unsplit = exactly(&arrays, flag_array, 1, PyBUF_WRITABLE, most))) {
        Py_BEGIN_ALLOW_THREADS
        n_lines = split_lines(lines, (size_t)n_bytes, separators.words, separators.n_texts, most,
                              &texts);
        Py_END_ALLOW_THREADS
    }
    free(separators.own);
    release(&arrays);
    return PyErr_Occurred() ? NULL : PyLong_FromLongLong(n_lines);
}

/* Scan lines into three times as many bytes, and into arrays with room enough; None where Python has
 * to read them. */
static PyObject *scan_into(const Word *lines, const RecordKeys *keys, uint8_t *bytes,
                           PyObject *peers, PyObject *models, PyObject *counts, PyObject *numbers)
{
    uint8_t *model_bytes = bytes + lines->length, *id_bytes = model_bytes + lines->length;
    ScannedRecords read = {.peers_end = bytes, .models_end = model_bytes, .ids_end = id_bytes};
    int is_read;
    Outcome outcome;
    read.peer_lengths = (int64_t *)PyByteArray_AsString(peers);
    read.model_lengths = (int64_t *)PyByteArray_AsString(models);
    read.n_models = (int64_t *)PyByteArray_AsString(counts);
    read.numbers = (int64_t *)PyByteArray_AsString(numbers);
    read.are_numbers = keys->of_roles[ID].length != 0;
    Py_BEGIN_ALLOW_THREADS
    outcome = scan_records(lines->bytes, lines->length, keys, &read, &is_read);
    Py_END_ALLOW_THREADS
    if (outcome != DONE)
        return NULL;
    if (!is_read)
        Py_RETURN_NONE;
    Py_ssize_t n_bytes = (Py_ssize_t)read.n_records * 8;
    if (PyByteArray_Resize(peers, n_bytes) != 0 ||
        PyByteArray_Resize(models, (Py_ssize_t)read.n_all_models * 8) != 0 ||
        PyByteArray_Resize(counts, n_bytes) != 0 ||
        PyByteArray_Resize(numbers, read.are_numbers ? n_bytes : 0) != 0)
        return NULL;
    Py_ssize_t n_id_bytes = read.are_numbers ? 0 : (Py_ssize_t)(read.ids_end - id_bytes);
    return Py_BuildValue("y#Oy#OOy#O", (char *)bytes, (Py_ssize_t)(read.peers_end - bytes), peers,
                         (char *)model_bytes, (Py_ssize_t)(read.models_end - model_bytes), models,
                         counts, (char *)id_bytes, n_id_bytes, numbers);
}

/* Set the names that are watched, each of which ends with a newline; 0 with an exception. */
static int set_watched(RecordKeys *keys, Word names)
{
    keys->n_watched = 0;
    for (size_t start = 0, end = 0; end < names.length; end++) {
        if (names.bytes[end] != '\n')
            continue;
        if (keys->n_watched == MOST_WATCHED) {
            PyErr_SetString(PyExc_ValueError, "too many names are watched");
            return 0;
        }
        keys->watched[keys->n_watched++] = (Word){names.bytes + start, end - start};
        start = end + 1;
    }
    return 1;
}

/* Return (peers, their lengths, models, their lengths, models of each record, IDs, numbers in place
 * of these), or None. */
PyObject *core_scan_records(PyObject *module, PyObject *arguments)
{
    const char *names[N_ROLES], *watched;
    Py_ssize_t lengths[N_ROLES], n_watched;
    RecordKeys keys;
    int64_t n_records, n_models;
    PyObject *lines, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Sy#y#y#py#", &lines, &names[PEER], &lengths[PEER],
                          &names[MODELS], &lengths[MODELS], &names[ID], &lengths[ID],
                          &keys.takes_lists, &watched, &n_watched))
        return NULL;
    if (!set_watched(&keys, (Word){(const uint8_t *)watched, (size_t)n_watched}))
        return NULL;
    for (int role = 0; role < N_ROLES; role++)
        keys.of_roles[role] = (Word){(const uint8_t *)names[role], (size_t)lengths[role]};
    /* A zero follows the bytes of a `bytes`. */
    Word all = {(const uint8_t *)PyBytes_AsString(lines), (size_t)PyBytes_Size(lines)};
    count_records(all.bytes, all.length, &n_records, &n_models);
    uint8_t *bytes = all.length < SIZE_MAX / N_ROLES ? malloc(N_ROLES * all.length + 1) : NULL;
    PyObject *peers = new_items(n_records, 8), *models = new_items(n_models, 8);
    PyObject *counts = new_items(n_records, 8), *numbers = new_items(n_records, 8);
    if (!bytes)
        PyErr_NoMemory();
    else if (peers && models && counts && numbers)
        result = scan_into(&all, &keys, bytes, peers, models, counts, numbers);
    free(bytes);
    Py_XDECREF(peers);
    Py_XDECREF(models);
    Py_XDECREF(counts);
    Py_XDECREF(numbers);
    return result;
}

/* Gathers texts EVAL by EVAL. */
typedef struct {
    PyObject *texts; /* a tuple with room for all, which is not shared while it is filled */
    HeldTexts *held;
    int64_t *lengths;     /* in characters of strings, or bytes of `bytes` */
    PyCFunction is_ascii; /* str.isascii */
    Py_ssize_t n_done;
    int are_encoded; /* whether the bytes of all are known */
} OrderedTexts;

/* Set the address of a text. One that Python would have to encode, and then keep with the string,
 * gets NULL and its number of characters. Returns 0 for anything but a text, or with an exception.
 */
static int set_word(PyObject *text, PyCFunction is_ascii, Word *word)
{
    Py_ssize_t length = 0;
    const char *bytes = NULL;
    if (PyBytes_CheckExact(text)) {
        length = PyBytes_Size(text);
        bytes = PyBytes_AsString(text);
    } else if (PyUnicode_CheckExact(text)) {
        PyObject *answer = is_ascii(text, NULL);
        if (!answer)
            return 0;
        if (answer == Py_True) {
            bytes = PyUnicode_AsUTF8AndSize(text, &length);
            if (!bytes)
                length = -1;
        } else {
            length = PyUnicode_GetLength(text);
        }
        Py_DECREF(answer);
    } else {
        return 0;
    }
    *word = (Word){(const uint8_t *)bytes, (size_t)length};
    return length >= 0;
}

/* Return the function behind str.isascii, as calling it through the interpreter takes ten times as
 * long. NULL with an exception. */
static PyCFunction function_of_isascii(void)
{
    PyCFunction function = NULL;
    PyObject *text = PyUnicode_FromStringAndSize(NULL, 0);
    PyObject *method = text ? PyObject_GetAttrString(text, "isascii") : NULL;
    if (method && PyCFunction_Check(method) && PyCFunction_GetFlags(method) == METH_NOARGS)
        function = PyCFunction_GetFunction(method);
    else if (method)
        PyErr_SetString(PyExc_SystemError, "str.isascii is another kind of method");
    Py_XDECREF(method);
    Py_XDECREF(text);
    return function;
}

/* Return the number of models of an EVAL: 1 for a text, else the length of a list or tuple; 0 for
 * anything else. */
static Py_ssize_t count_models(PyObject *models)
{
    if (PyList_CheckExact(models))
        return PyList_Size(models);
    if (PyTuple_CheckExact(models))
        return PyTuple_Size(models);
    return PyUnicode_CheckExact(models) || PyBytes_CheckExact(models);
}

/* Add a text, which the tuple then owns; 0 for anything but a text, with an exception for NULL. */
static int add_text(OrderedTexts *ordered, PyObject *text)
{
    HeldTexts *held = ordered->held;
    if (!text)
        return 0;
    if (ordered->n_done == held->n_words ||
        !set_word(text, ordered->is_ascii, &held->words[ordered->n_done])) {
        Py_DECREF(text);
        return 0;
    }
    ordered->are_encoded &= held->words[ordered->n_done].bytes != NULL;
    ordered->lengths[ordered->n_done] = (int64_t)held->words[ordered->n_done].length;
    return PyTuple_SetItem(ordered->texts, ordered->n_done++, text) == 0;
}

/* Add the models of an EVAL, and the text of each system. */
static int add_eval(OrderedTexts *ordered, PyObject *predictions, PyObject *models,
                    Py_ssize_t n_models, Py_ssize_t eval)
{
    int is_text = !PyList_CheckExact(models) && !PyTuple_CheckExact(models);
    if (is_text)
        Py_INCREF(models);
    if (is_text && !add_text(ordered, models))
        return 0;
    for (Py_ssize_t model = 0; !is_text && model < n_models; model++)
        if (!add_text(ordered, PySequence_GetItem(models, model)))
            return 0;
    for (Py_ssize_t system = 0; system < PyTuple_Size(predictions); system++)
        if (!add_text(ordered, PySequence_GetItem(PyTuple_GetItem(predictions, system), eval)))
            return 0;
    return 1;
}

/* Set the number of models of each EVAL; returns the number of all texts, 0 if an EVAL has no
 * model. */
static Py_ssize_t set_n_models(PyObject *references, Py_ssize_t n_systems, int64_t *n_models,
                               Py_ssize_t n_evals)
{
    Py_ssize_t n_texts = n_systems * n_evals;
    for (Py_ssize_t eval = 0; eval < n_evals; eval++) {
        PyObject *models = PySequence_GetItem(references, eval);
        Py_ssize_t n_of_eval = models ? count_models(models) : 0;
        Py_XDECREF(models);
        if (n_of_eval == 0)
            return 0;
        n_models[eval] = n_of_eval;
        n_texts += n_of_eval;
    }
    return n_texts;
}

/* Fill the tuple, which has room; 0 if an item is not a text. */
static int add_evals(OrderedTexts *ordered, PyObject *predictions, PyObject *references,
                     const int64_t *n_models, Py_ssize_t n_evals)
{
    int is_added = 1;
    for (Py_ssize_t eval = 0; is_added && eval < n_evals; eval++) {
        PyObject *models = PySequence_GetItem(references, eval);
        is_added =
            models && add_eval(ordered, predictions, models, (Py_ssize_t)n_models[eval], eval);
        Py_XDECREF(models);
    }
    /* Another thread may have shortened a list meanwhile. */
    return is_added && ordered->n_done == ordered->held->n_words;
}

/* Return whether there are predictions, in lists as long as the references. */
static int are_equally_many(PyObject *predictions, Py_ssize_t n_evals)
{
    for (Py_ssize_t system = 0; system < PyTuple_Size(predictions); system++) {
        PyObject *texts = PyTuple_GetItem(predictions, system);
        if (!PyList_CheckExact(texts) || PyList_Size(texts) != n_evals)
            return 0;
    }
    return PyTuple_Size(predictions) > 0 && n_evals > 0;
}

/* Return a tuple for texts EVAL by EVAL with their capsule, as `core_order_texts` does. */
static PyObject *ordered_texts(PyObject *predictions, PyObject *references, PyObject *n_models,
                               Py_ssize_t n_evals, Py_ssize_t n_texts)
{
    PyObject *result = NULL, *capsule = NULL, *texts = PyTuple_New(n_texts);
    PyObject *lengths = texts ? new_items(n_texts, sizeof(int64_t)) : NULL;
    OrderedTexts ordered = {.texts = texts, .are_encoded = 1};
    if (lengths && (ordered.is_ascii = function_of_isascii()) &&
        (ordered.held = new_held_texts(n_texts))) {
        ordered.lengths = (int64_t *)PyByteArray_AsString(lengths);
        const int64_t *counts = (const int64_t *)PyByteArray_AsString(n_models);
        if (!add_evals(&ordered, predictions, references, counts, n_evals))
            free_held_texts(ordered.held);
        else if ((capsule = capsule_of(ordered.held, texts)))
            result = Py_BuildValue("OOOOO", texts, n_models, lengths, capsule,
                                   ordered.are_encoded ? Py_True : Py_False);
    }
    Py_XDECREF(capsule);
    Py_XDECREF(lengths);
    Py_XDECREF(texts);
    return result;
}

/* Return the texts EVAL by EVAL, the number of models of each EVAL, the length of each text, a
 * capsule of their addresses, and whether all are known; None unless they are plain texts. Twin:
 * `order_texts` in inputs/lists.py. */
PyObject *core_order_texts(PyObject *module, PyObject *arguments)
{
    PyObject *predictions, *references, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyTuple_Type, &predictions, &PyList_Type,
                          &references))
        return NULL;
    Py_ssize_t n_evals = PyList_Size(references);
    if (!are_equally_many(predictions, n_evals))
        Py_RETURN_NONE;
    PyObject *n_models = new_items(n_evals, sizeof(int64_t));
    if (!n_models)
        return NULL;
    Py_ssize_t n_texts = set_n_models(references, PyTuple_Size(predictions),
                                      (int64_t *)PyByteArray_AsString(n_models), n_evals);
    if (n_texts)
        result = ordered_texts(predictions, references, n_models, n_evals, n_texts);
    Py_DECREF(n_models);
    return result || PyErr_Occurred() ? result : Py_BuildValue("");
}

/* Encode those of some texts that are not encoded, and set their addresses; 0 with an exception. */
static int encode_texts(HeldTexts *held, PyObject *texts, Py_ssize_t first, PyObject *encoded,
                        int64_t *lengths)
{
    for (Py_ssize_t text = 0; text < held->n_words; text++) {
        Word *word = &held->words[text];
        if (!word->bytes) {
            PyObject *bytes = PyUnicode_AsEncodedString(PyTuple_GetItem(texts, first + text),
                                                        "utf-8", "surrogatepass");
            if (!bytes)
                return 0;
            *word = (Word){(const uint8_t *)PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes)};
            int is_kept = PyList_Append(encoded, bytes) == 0;
            Py_DECREF(bytes);
            if (!is_kept)
                return 0;
        }
        lengths[text] = (int64_t)word->length;
    }
    return 1;
}

/* Return a capsule of some texts, all encoded, and the length of each. */
PyObject *core_encode_texts(PyObject *module, PyObject *arguments)
{
    PyObject *given, *owners, *lengths, *capsule = NULL, *result = NULL;
    Py_ssize_t first, n_texts;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Onn", &given, &first, &n_texts))
        return NULL;
    const HeldTexts *all = held_in(given, first, n_texts);
    if (!all)
        return NULL;
    PyObject *encoded = PyList_New(0);
    owners = encoded ? PyTuple_Pack(2, given, encoded) : NULL;
    lengths = owners ? new_items(n_texts, sizeof(int64_t)) : NULL;
    HeldTexts *held = lengths ? new_held_texts(n_texts) : NULL;
    if (held) {
        memcpy(held->words, all->words + first, (size_t)n_texts * sizeof(Word));
        if (!encode_texts(held, all->owners, first, encoded,
                          (int64_t *)PyByteArray_AsString(lengths)))
            free_held_texts(held);
        else if ((capsule = capsule_of(held, owners)))
            result = Py_BuildValue("OO", capsule, lengths);
    }
    Py_XDECREF(capsule);
    Py_XDECREF(lengths);
    Py_XDECREF(owners);
    Py_XDECREF(encoded);
    return result;
}
