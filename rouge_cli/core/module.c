/* The core as Python sees it: checks arguments, allocates Python's memory, and releases the lock
 * while it works.
 *
 * Whatever could make the other files read or write outside an array is checked here and in
 * module_counts.c and module_texts.c, so that a mistake in Python raises ValueError. Arrays must
 * not change while pairs that use them exist; text/ascii155.py makes the arrays of texts, and the
 * metrics make those of results.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

void release(Arrays *arrays)
{
    while (arrays->n_views)
        PyBuffer_Release(&arrays->views[--arrays->n_views]);
}

/* Return the items of an array and set their number. On failure, sets an exception and returns
 * NULL. */
void *items_of(Arrays *arrays, PyObject *array, size_t item_size, int flags, int64_t *count)
{
    static int64_t nothing;
    Py_buffer *view = &arrays->views[arrays->n_views];
    if (PyObject_GetBuffer(array, view, PyBUF_C_CONTIGUOUS | flags) != 0)
        return NULL;
    arrays->n_views++;
    if ((size_t)view->itemsize != item_size) {
        PyErr_SetString(PyExc_ValueError, "an array has items of another size");
        return NULL;
    }
    *count = view->len / view->itemsize;
    if (*count == 0)
        return &nothing;
    if ((uintptr_t)view->buf % item_size) {
        PyErr_SetString(PyExc_ValueError, "an array whose items are not aligned");
        return NULL;
    }
    return view->buf;
}

/* Return the items of an array that must have a given number of them. */
void *exactly(Arrays *arrays, PyObject *array, size_t item_size, int flags, int64_t count)
{
    int64_t found;
    void *items = items_of(arrays, array, item_size, flags, &found);
    if (items && found != count) {
        PyErr_SetString(PyExc_ValueError, "an array has another length");
        return NULL;
    }
    return items;
}

int are_ascending(const int64_t *offsets, int64_t count, int64_t most)
{
    if (count < 1 || offsets[0] != 0 || offsets[count - 1] > most)
        return 0;
    for (int64_t place = 1; place < count; place++)
        if (offsets[place] < offsets[place - 1])
            return 0;
    return 1;
}

/* Return whether this thread belongs to a pool whose results are no longer needed: `PoolThread` in
 * threads.py. Looking up the attribute by name is fast enough, as this happens at most ten times
 * per second. */
static int has_to_end_thread(void)
{
    PyObject *threading = PyImport_ImportModule("threading");
    PyObject *thread =
        threading ? PyObject_CallMethod(threading, "current_thread", NULL) : NULL;
    PyObject *flag = thread ? PyObject_GetAttrString(thread, "has_to_end") : NULL;
    int has_to_end = flag == Py_True;
    Py_XDECREF(flag);
    Py_XDECREF(thread);
    Py_XDECREF(threading);
    PyErr_Clear(); /* other threads lack this attribute */
    return has_to_end;
}

/* Signal handlers run here, in Python. An exception that they raise stays set for `result_of`. */
int is_interrupted(void)
{
    PyGILState_STATE state = PyGILState_Ensure();
    int has_raised = PyErr_CheckSignals() != 0;
    if (!has_raised && has_to_end_thread()) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        has_raised = 1;
    }
    PyGILState_Release(state);
    return has_raised;
}

/* Return None if the work is done and no exception is set. Otherwise return NULL, with a
 * MemoryError if there is no other exception. */
PyObject *result_of(Arrays *arrays, Outcome outcome)
{
    release(arrays);
    if (PyErr_Occurred())
        return NULL;
    if (outcome != DONE)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* Allocate items in a bytearray that NumPy can write to. It starts empty and grows: if one of the
 * full size cannot be allocated, Python 3.11 also prints a SystemError. */
PyObject *new_items(int64_t count, size_t size)
{
    if (count > (int64_t)(SIZE_MAX / 2 / size))
        return PyErr_NoMemory();
    PyObject *items = PyByteArray_FromStringAndSize("", 0);
    if (items && PyByteArray_Resize(items, (Py_ssize_t)count * (Py_ssize_t)size) != 0)
        Py_CLEAR(items);
    return items;
}

/* Set the word list of a capsule, or NULL for None. On failure, sets an exception and returns 0. */
int set_list(PyObject *capsule, WordList **list)
{
    *list = capsule == Py_None ? NULL : PyCapsule_GetPointer(capsule, WORD_LIST);
    return *list || capsule == Py_None;
}

/* A lock that is held while a cache or an index is taken. If Python has an interpreter lock, that
 * one suffices. */
#ifdef Py_GIL_DISABLED
static PyMutex shared_lock;
void lock_shared(void)
{
    PyMutex_Lock(&shared_lock);
}
void unlock_shared(void)
{
    PyMutex_Unlock(&shared_lock);
}
#else
void lock_shared(void)
{
}
void unlock_shared(void)
{
}
#endif

StemCache *take_stems(WordList *forms)
{
    lock_shared();
    StemCache *cache = forms->caches;
    if (cache)
        forms->caches = cache->next;
    unlock_shared();
    if (!cache && !(cache = zeros(1, sizeof *cache)))
        PyErr_NoMemory();
    return cache;
}

void give_back(WordList *forms, StemCache *cache)
{
    lock_shared();
    cache->next = forms->caches;
    forms->caches = cache;
    unlock_shared();
}

StemCache *take_vocabulary(PyObject *capsule)
{
    StemCache *vocabulary = PyCapsule_GetPointer(capsule, VOCABULARY);
    if (!vocabulary)
        return NULL;
    lock_shared();
    int is_free = !vocabulary->is_taken;
    vocabulary->is_taken = 1;
    unlock_shared();
    if (is_free)
        return vocabulary;
    PyErr_SetString(PyExc_ValueError, "another thread reads with the vocabulary");
    return NULL;
}

void give_back_vocabulary(StemCache *vocabulary)
{
    lock_shared();
    vocabulary->is_taken = 0;
    unlock_shared();
}

static void free_vocabulary(PyObject *capsule)
{
    free_stem_cache(PyCapsule_GetPointer(capsule, VOCABULARY));
}

PyObject *core_vocabulary(PyObject *module, PyObject *arguments)
{
    (void)module;
    if (!PyArg_ParseTuple(arguments, ""))
        return NULL;
    StemCache *vocabulary = zeros(1, sizeof *vocabulary);
    if (!vocabulary)
        return PyErr_NoMemory();
    vocabulary->is_vocabulary = 1;
    PyObject *capsule = PyCapsule_New(vocabulary, VOCABULARY, free_vocabulary);
    if (!capsule)
        free_stem_cache(vocabulary);
    return capsule;
}

/* Check that a word consists of lower-case ASCII letters, digits and underscores, because the
 * stemmer indexes tables by letters. On failure, sets an exception and returns 0. */
static int is_plain_word(const char *word, Py_ssize_t length)
{
    for (const char *byte = word; byte < word + length; byte++)
        if (!(*byte >= 'a' && *byte <= 'z') && !(*byte >= '0' && *byte <= '9') && *byte != '_') {
            PyErr_SetString(PyExc_ValueError, "a word with another byte than a-z, 0-9 and _");
            return 0;
        }
    return 1;
}

PyObject *core_nltk_stem(PyObject *module, PyObject *arguments)
{
    const char *word;
    Py_ssize_t length;
    int is_extended;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#p", &word, &length, &is_extended))
        return NULL;
    if (!is_plain_word(word, length))
        return NULL;
    uint8_t *copy = zeros((size_t)length, 1);
    if (!copy)
        return PyErr_NoMemory();
    memcpy(copy, word, (size_t)length);
    size_t n_left = nltk_stem(copy, (size_t)length, is_extended);
    PyObject *stem = PyBytes_FromStringAndSize((const char *)copy, (Py_ssize_t)n_left);
    free(copy);
    return stem;
}

static void free_capsule(PyObject *capsule)
{
    WordList *list = PyCapsule_GetPointer(capsule, WORD_LIST);
    free_word_list(list);
    free(list);
}

/* Add a line to a list, which must have room for it. A line is a word or, with bases, a word, a
 * blank and its base form. */
static void add_line(WordList *list, Word line, int has_bases)
{
    const uint8_t *blank = has_bases ? memchr(line.bytes, ' ', line.length) : NULL;
    size_t length = blank ? (size_t)(blank - line.bytes) : line.length;
    if (length == 0)
        return;
    int32_t number = number_word(&list->table, line.bytes, length, key_of_word(line.bytes, length));
    list->bases[number] = (Word){blank ? blank + 1 : NULL, blank ? line.length - length - 1 : 0};
}

/* Fill an empty list with lines. On failure, sets an exception and returns 0. */
static int fill_list(WordList *list, const char *lines, size_t n_bytes, int has_bases)
{
    size_t n_lines = 1;
    for (size_t place = 0; place < n_bytes; place++)
        n_lines += lines[place] == '\n';
    list->bytes = zeros(n_bytes + PADDING, 1);
    list->bases = zeros(n_lines, sizeof(Word));
    if (!list->bytes || !list->bases || new_word_table(&list->table, n_lines) != DONE ||
        need_room(&list->table, (int32_t)n_lines) != DONE)
        return PyErr_NoMemory() != NULL;
    const uint8_t *line = memcpy(list->bytes, lines, n_bytes), *end = line + n_bytes;
    while (line < end) {
        const uint8_t *newline = memchr(line, '\n', (size_t)(end - line));
        const uint8_t *end_of_line = newline ? newline : end;
        add_line(list, (Word){line, (size_t)(end_of_line - line)}, has_bases);
        line = end_of_line + 1;
    }
    return 1;
}

PyObject *core_word_list(PyObject *module, PyObject *arguments)
{
    PyObject *capsule = NULL;
    const char *lines;
    Py_ssize_t n_bytes;
    int has_bases, as_nltk = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#p|p", &lines, &n_bytes, &has_bases, &as_nltk))
        return NULL;
    if (n_bytes > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "words of more bytes than 32 bits number");
        return NULL;
    }
    WordList *list = zeros(1, sizeof(WordList));
    if (!list)
        return PyErr_NoMemory();
    list->as_nltk = as_nltk;
    if (fill_list(list, lines, (size_t)n_bytes, has_bases))
        capsule = PyCapsule_New(list, WORD_LIST, free_capsule);
    if (!capsule) {
        free_word_list(list);
        free(list);
    }
    return capsule;
}

/* An entry of the table of functions, with a signature that a test compares with _core.pyi. */
#define FUNCTION(name, arguments) \
    {#name, core_##name, METH_VARARGS, #name "($module, " arguments ", /)\n--\n\n"}

/* An entry for a function that is called for single pairs. It gets its arguments as an array,
 * without a tuple. */
#define FAST_FUNCTION(name, arguments) \
    {#name, (PyCFunction)(void (*)(void))core_##name, METH_FASTCALL, \
     #name "($module, " arguments ", /)\n--\n\n"}

static PyMethodDef methods[] = {
    FUNCTION(match_pairs, "peers, models, n_types"),
    FUNCTION(mark_firsts, "types, sentence_offsets, n_types, is_first"),
    FUNCTION(count_units, "pairs, max_ngram, has_lcs, has_text_lcs, hits"),
    FUNCTION(count_clipped_lcs, "pairs, tables, hits"),
    FUNCTION(count_pairwise_lcs, "pairs, hits, peer_hits"),
    FUNCTION(mark_lcs_words, "pairs, peer_marks, model_marks"),
    FUNCTION(count_wlcs, "pairs, tables, f, added, subtracted, hits, bases"),
    FUNCTION(count_skip_bigrams, "pairs, max_gap, are_sets, hits, unigram_hits"),
    FUNCTION(choose_sentences,
             "pairs, starts, are_sets, added, least_gain, order, gains, counts"),
    FUNCTION(count_fragments, "pairs, sums"),
    FUNCTION(count_novel, "pairs, n_orders, is_cut, counts"),
    FUNCTION(sum_models, "counts, starts, sums"),
    FUNCTION(score_counts, "hits, model_counts, peer_hits, peer_counts, alpha, values"),
    FUNCTION(draw, "n_instances, first_resample, counts"),
    FUNCTION(sum_drawn, "n_instances, counts, units, sums"),
    FUNCTION(draw_means, "scores, states, position, means"),
    FUNCTION(read_texts,
             "texts, starts, stopwords, forms, keeps_unstemmed, has_flags, "
             "vocabulary=None, at_blanks=False"),
    FAST_FUNCTION(count_pair,
                  "stopwords, forms, max_ngram, has_lcs, has_text_lcs, has_flags, peer, model"),
    FAST_FUNCTION(score_pair, "hit, model_count, peer_count, alpha"),
    FUNCTION(flag_texts, "texts, has_letters"),
    FUNCTION(number_words, "text, starts, ends, numbers, firsts"),
    FUNCTION(nltk_stem, "word, is_extended"),
    FUNCTION(word_list, "lines, has_bases, as_nltk=False"),
    FUNCTION(score_pairs,
             "rows, columns, n_items, is_lcs, is_square, row_lengths, column_lengths, table, "
             "n_hits, order, scores"),
    FUNCTION(pair_index, "ranks, is_lcs"),
    FUNCTION(use_index,
             "index, is_added, is_triangle, texts, units, n_items, lengths, least, first, end, "
             "most_found"),
    {"vocabulary", core_vocabulary, METH_VARARGS, "vocabulary($module, /)\n--\n\n"},
    {NULL, NULL, 0, NULL},
};

/* Return the hash of a name, which differs between processes unless the user fixes it. On failure,
 * sets an exception and returns -1. */
static Py_hash_t hash_of(const char *name)
{
    PyObject *bytes = PyBytes_FromString(name);
    Py_hash_t hash = bytes ? PyObject_Hash(bytes) : -1;
    Py_XDECREF(bytes);
    return hash;
}

/* Choose the random factors once per process. If the module is loaded again, they must stay the
 * same, since there may be word lists that were made with them. */
static int choose_slots(PyObject *module)
{
    Py_hash_t hash = hash_of(WORD_LIST), next_hash = hash_of(PAIRS);
    (void)module;
    slot_factor = ((uint64_t)hash ^ GOLDEN_RATIO) | 1;
    next_factor = ((uint64_t)next_hash ^ ~GOLDEN_RATIO) | 1;
    return hash != -1 && next_hash != -1 ? 0 : -1;
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, choose_slots},
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "rouge_cli.core._core",
    .m_doc = "Reads, counts and draws as the reference in Python does.",
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
