/* The core as Python sees it: arguments checked, memory of Python's, no lock while it works.
 *
 * Everything is checked here and in the files beside it (module_counts.c, module_texts.c) that could
 * make the others read or write outside of an array, so that a mistake in Python raises ValueError.
 * Nobody may write to the arrays of pairs as long as the pairs are there; text/ascii155.py makes them,
 * and the metrics those of the results.
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

void release(Arrays *arrays)
{
    while (arrays->n_views)
        PyBuffer_Release(&arrays->views[--arrays->n_views]);
}

/* Return the items of an array and set their number; NULL with an exception. */
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

/* Return what has to have a number of items that is known. */
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

/* Say whether this is a thread of a pool whose results nobody waits for any more: `PoolThread` in
 * threads.py. The attribute is read by name, since it is asked for ten times a second at most. */
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
    PyErr_Clear(); /* other threads have no such attribute */
    return has_to_end;
}

/* Handlers of signals run here, in Python, and what they raise stays for `result_of`. */
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

/* Return None, or raise MemoryError; an exception that is set goes first. */
PyObject *result_of(Arrays *arrays, Outcome outcome)
{
    release(arrays);
    if (PyErr_Occurred())
        return NULL;
    if (outcome != DONE)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* Return room for items, in a bytearray that NumPy can write to. It grows from nothing: where one of
 * the whole size cannot be had, Python 3.11 prints a SystemError besides. */
PyObject *new_items(int64_t count, size_t size)
{
    if (count > (int64_t)(SIZE_MAX / 2 / size))
        return PyErr_NoMemory();
    PyObject *items = PyByteArray_FromStringAndSize("", 0);
    if (items && PyByteArray_Resize(items, (Py_ssize_t)count * (Py_ssize_t)size) != 0)
        Py_CLEAR(items);
    return items;
}

/* Set the list that a capsule holds, NULL for None; 0 with an exception. */
int set_list(PyObject *capsule, const WordList **list)
{
    *list = capsule == Py_None ? NULL : PyCapsule_GetPointer(capsule, WORD_LIST);
    return *list || capsule == Py_None;
}

PyObject *core_nltk_stem(PyObject *module, PyObject *arguments)
{
    const char *word;
    Py_ssize_t length;
    int is_extended;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "y#p", &word, &length, &is_extended))
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

/* Return the bytes of all words of a tuple together; negative with an exception. */
static Py_ssize_t total_length(PyObject *words)
{
    Py_ssize_t total = 0;
    for (Py_ssize_t place = 0; place < PyTuple_Size(words); place++) {
        Py_ssize_t length = PyBytes_Size(PyTuple_GetItem(words, place));
        if (length < 0)
            return length;
        total += length;
    }
    return total;
}

/* Copy a word of a tuple to `bytes`. */
static Word copy_word(PyObject *words, Py_ssize_t place, uint8_t *bytes)
{
    PyObject *word = PyTuple_GetItem(words, place);
    size_t length = (size_t)PyBytes_Size(word);
    memcpy(bytes, PyBytes_AsString(word), length);
    return (Word){bytes, length};
}

/* Fill a list that is zeros; 0 with an exception. */
static int fill_list(WordList *list, PyObject *words, PyObject *bases)
{
    Py_ssize_t n_bytes = total_length(words), n_base_bytes = total_length(bases);
    Py_ssize_t n_words = PyTuple_Size(words);
    if (n_bytes < 0 || n_base_bytes < 0)
        return 0;
    if ((uint64_t)n_bytes > UINT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "words of more bytes than 32 bits number");
        return 0;
    }
    uint8_t *bytes = list->bytes = zeros((size_t)(n_bytes + n_base_bytes) + PADDING, 1);
    list->bases = zeros((size_t)n_words, sizeof(Word));
    if (!bytes || !list->bases || new_word_table(&list->table, (size_t)n_words) != DONE)
        return PyErr_NoMemory() != NULL;
    for (Py_ssize_t place = 0; place < n_words; place++) {
        Word word = copy_word(words, place, bytes);
        if (need_room(&list->table, 1) != DONE)
            return PyErr_NoMemory() != NULL;
        int32_t number = number_word(&list->table, word.bytes, word.length,
                                     key_of_word(word.bytes, word.length));
        list->bases[number] = copy_word(bases, place, bytes + word.length);
        bytes += word.length + list->bases[number].length;
    }
    return 1;
}

PyObject *core_word_list(PyObject *module, PyObject *arguments)
{
    PyObject *words, *bases, *capsule = NULL;
    int as_nltk = 0;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!|p", &PyTuple_Type, &words, &PyTuple_Type, &bases,
                          &as_nltk))
        return NULL;
    if (PyTuple_Size(words) != PyTuple_Size(bases)) {
        PyErr_SetString(PyExc_ValueError, "expected a base form for each word");
        return NULL;
    }
    WordList *list = zeros(1, sizeof(WordList));
    if (!list)
        return PyErr_NoMemory();
    list->as_nltk = as_nltk;
    if (fill_list(list, words, bases))
        capsule = PyCapsule_New(list, WORD_LIST, free_capsule);
    if (!capsule) {
        free_word_list(list);
        free(list);
    }
    return capsule;
}

/* A function with its signature, which a test compares with _core.pyi. */
#define FUNCTION(name, arguments) \
    {#name, core_##name, METH_VARARGS, #name "($module, " arguments ", /)\n--\n\n"}

/* The same for those that are called pair by pair: no tuple of arguments is made. */
#define FAST_FUNCTION(name, arguments) \
    {#name, (PyCFunction)(void (*)(void))core_##name, METH_FASTCALL, \
     #name "($module, " arguments ", /)\n--\n\n"}

static PyMethodDef methods[] = {
    FUNCTION(match_pairs, "peers, models, n_types"),
    FUNCTION(mark_firsts, "types, sentence_offsets, n_types, is_first"),
    FUNCTION(count_ngrams, "pairs, max_ngram, hits"),
    FUNCTION(count_lcs, "pairs, tables, hits"),
    FUNCTION(count_text_lcs, "pairs, hits"),
    FUNCTION(count_pairwise_lcs, "pairs, hits, peer_hits"),
    FUNCTION(count_wlcs, "pairs, tables, f, added, subtracted, hits, bases"),
    FUNCTION(count_skip_bigrams, "pairs, max_gap, hits, unigram_hits"),
    FUNCTION(sum_models, "counts, starts, sums"),
    FUNCTION(score_counts, "hits, model_counts, peer_hits, peer_counts, alpha, values"),
    FUNCTION(draw, "n_instances, first_resample, counts"),
    FUNCTION(draw_means, "scores, states, position, means"),
    FUNCTION(read_texts, "texts, starts, stopwords, forms, stems, keeps_unstemmed, has_flags"),
    FAST_FUNCTION(count_pair,
                  "stopwords, forms, max_ngram, has_lcs, has_text_lcs, has_flags, peer, model"),
    FAST_FUNCTION(score_pair, "hit, model_count, peer_count, alpha"),
    FUNCTION(flag_texts, "texts, has_letters"),
    FUNCTION(join_texts, "content, starts, lengths"),
    FUNCTION(note_lines, "chunk, n_before, per_mark, marks"),
    FUNCTION(split_lines, "lines, words, starts, lengths, is_unsplit"),
    FUNCTION(order_texts, "predictions, references"),
    FUNCTION(encode_texts, "texts, first, n_texts"),
    FUNCTION(scan_records, "lines, peer_key, models_key, id_key, takes_lists"),
    FUNCTION(number_words, "text, starts, ends, numbers, firsts"),
    FUNCTION(nltk_stem, "word, is_extended"),
    FUNCTION(word_list, "words, bases, as_nltk=False"),
    {"stem_table", core_stem_table, METH_VARARGS, "stem_table($module, /)\n--\n\n"},
    {NULL, NULL, 0, NULL},
};

/* Return the hash of a name: another in each process, unless its user has chosen it; -1 with an
 * exception. */
static Py_hash_t hash_of(const char *name)
{
    PyObject *bytes = PyBytes_FromString(name);
    Py_hash_t hash = bytes ? PyObject_Hash(bytes) : -1;
    Py_XDECREF(bytes);
    return hash;
}

/* In one process the factors are the same each time that the module is loaded: there may be word
 * lists already. */
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
