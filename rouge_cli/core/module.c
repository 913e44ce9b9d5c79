/* The core as Python sees it: arguments checked, memory of Python's, no lock while it works.
 *
 * Everything is checked here that could make the other files read or write outside of an array, so
 * that a mistake in Python raises ValueError. Nobody may write to the arrays of pairs as long as the
 * pairs are there; text/ascii155.py makes them, and the metrics those of the results.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "core.h"

#include <stdlib.h>
#include <string.h>

#define WORD_LIST "rouge_cli.core.WordList"
#define PAIRS "rouge_cli.core.Pairs"
#define STEMS "rouge_cli.core.Stems"
#define TEXTS "rouge_cli.core.Texts"

/* Arrays that were asked for, and have to be given back. */
typedef struct {
    Py_buffer views[8];
    int n_views;
} Arrays;

static void release(Arrays *arrays)
{
    while (arrays->n_views)
        PyBuffer_Release(&arrays->views[--arrays->n_views]);
}

/* Return the items of an array and set their number; NULL with an exception. */
static void *items_of(Arrays *arrays, PyObject *array, size_t item_size, int flags, int64_t *count)
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
static void *exactly(Arrays *arrays, PyObject *array, size_t item_size, int flags, int64_t count)
{
    int64_t found;
    void *items = items_of(arrays, array, item_size, flags, &found);
    if (items && found != count) {
        PyErr_SetString(PyExc_ValueError, "an array has another length");
        return NULL;
    }
    return items;
}

static int are_ascending(const int64_t *offsets, int64_t count, int64_t most)
{
    if (count < 1 || offsets[0] != 0 || offsets[count - 1] > most)
        return 0;
    for (int64_t place = 1; place < count; place++)
        if (offsets[place] < offsets[place - 1])
            return 0;
    return 1;
}

static int are_below(const int32_t *types, int64_t count, int64_t n_types)
{
    uint32_t greatest = 0;
    for (int64_t place = 0; place < count; place++)
        if ((uint32_t)types[place] > greatest)
            greatest = (uint32_t)types[place];
    return count == 0 || (int64_t)greatest < n_types;
}

/* Say whether columns fit together, and types are below the number of types. */
static int are_columns(const Columns *columns, int64_t n_tokens, int64_t n_sentences,
                       int64_t n_types)
{
    return n_tokens <= INT32_MAX && n_types >= 0 && n_types <= INT32_MAX &&
           are_below(columns->types, n_tokens, n_types) &&
           are_ascending(columns->sentence_offsets, n_sentences, n_tokens) &&
           are_ascending(columns->text_offsets, columns->n_texts + 1, n_sentences - 1);
}

/* Columns that were found right, and how many tokens and offsets of sentences they have. */
typedef struct {
    Columns columns;
    int64_t n_tokens, n_sentences;
} CheckedColumns;

static int are_same(const CheckedColumns *one, const CheckedColumns *other)
{
    return one->columns.types == other->columns.types &&
           one->columns.sentence_offsets == other->columns.sentence_offsets &&
           one->columns.text_offsets == other->columns.text_offsets &&
           one->columns.n_texts == other->columns.n_texts && one->n_tokens == other->n_tokens &&
           one->n_sentences == other->n_sentences;
}

/* Set a side from (types, sentence_offsets, text_offsets, texts); 0 with an exception. Most pairs
 * have both sides in the same columns, which are checked once: `checked` are those of the first. */
static int set_side(Arrays *arrays, PyObject *tuple, int64_t n_types, CheckedColumns *checked,
                    Side *side)
{
    PyObject *types, *sentence_offsets, *text_offsets, *texts;
    int64_t n_tokens, n_sentences, n_texts;
    Columns *columns = &side->columns;
    if (!PyArg_ParseTuple(tuple, "OOOO", &types, &sentence_offsets, &text_offsets, &texts))
        return 0;
    columns->types = items_of(arrays, types, sizeof(int32_t), 0, &n_tokens);
    if (!columns->types)
        return 0;
    columns->sentence_offsets = items_of(arrays, sentence_offsets, 8, 0, &n_sentences);
    if (!columns->sentence_offsets)
        return 0;
    columns->text_offsets = items_of(arrays, text_offsets, 8, 0, &n_texts);
    if (!columns->text_offsets)
        return 0;
    side->texts = items_of(arrays, texts, 8, 0, &side->n_pairs);
    if (!side->texts)
        return 0;
    columns->n_texts = n_texts - 1;
    CheckedColumns own = {*columns, n_tokens, n_sentences};
    int is_right =
        are_same(&own, checked) || are_columns(columns, n_tokens, n_sentences, n_types);
    *checked = own;
    for (int64_t pair = 0; is_right && pair < side->n_pairs; pair++)
        is_right = side->texts[pair] >= 0 && side->texts[pair] < columns->n_texts;
    if (!is_right)
        PyErr_SetString(PyExc_ValueError, "columns that do not fit together");
    return is_right;
}

/* Pairs with what they read, kept as long as they are: arrays, or columns of their own. */
typedef struct {
    Pairs pairs;
    Arrays arrays;
    int64_t *offsets;
    int32_t *types;
} KeptPairs;

static void free_kept_pairs(KeptPairs *kept)
{
    release(&kept->arrays);
    free(kept->offsets);
    free(kept->types);
    free(kept);
}

static void free_pairs_capsule(PyObject *capsule)
{
    free_kept_pairs(PyCapsule_GetPointer(capsule, PAIRS));
}

/* Set both sides of equally many pairs; 0 with an exception. */
static int set_sides(KeptPairs *kept, PyObject *peer, PyObject *model)
{
    Pairs *pairs = &kept->pairs;
    CheckedColumns checked = {{NULL, NULL, NULL, 0}, 0, 0};
    if (!set_side(&kept->arrays, peer, pairs->n_types, &checked, &pairs->peers) ||
        !set_side(&kept->arrays, model, pairs->n_types, &checked, &pairs->models))
        return 0;
    if (pairs->peers.n_pairs != pairs->models.n_pairs) {
        PyErr_SetString(PyExc_ValueError, "as many peers as models are needed");
        return 0;
    }
    return 1;
}

static PyObject *core_match_pairs(PyObject *module, PyObject *arguments)
{
    PyObject *peer, *model, *capsule = NULL;
    long long n_types;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!L", &PyTuple_Type, &peer, &PyTuple_Type, &model,
                          &n_types))
        return NULL;
    KeptPairs *kept = zeros(1, sizeof *kept);
    if (!kept)
        return PyErr_NoMemory();
    kept->pairs.n_types = n_types;
    if (set_sides(kept, peer, model)) {
        measure_pairs(&kept->pairs);
        capsule = PyCapsule_New(kept, PAIRS, free_pairs_capsule);
    }
    if (!capsule)
        free_kept_pairs(kept);
    return capsule;
}

/* Return the pairs that a capsule holds; NULL with an exception. */
static const Pairs *pairs_in(PyObject *capsule)
{
    const KeptPairs *kept = PyCapsule_GetPointer(capsule, PAIRS);
    return kept ? &kept->pairs : NULL;
}

/* The same for pairs whose unigram tables clip those of others. */
static const Pairs *tables_in(PyObject *capsule, const Pairs *pairs)
{
    const Pairs *tables = pairs_in(capsule);
    if (tables &&
        (tables->peers.n_pairs != pairs->peers.n_pairs || tables->n_types != pairs->n_types)) {
        PyErr_SetString(PyExc_ValueError, "a table is needed for each pair");
        return NULL;
    }
    return tables;
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
static PyObject *result_of(Arrays *arrays, Outcome outcome)
{
    release(arrays);
    if (PyErr_Occurred())
        return NULL;
    if (outcome != DONE)
        return PyErr_NoMemory();
    Py_RETURN_NONE;
}

/* Say whether an array has so many rows of so many items; 0 with an exception. */
static int has_rows(int64_t n_items, int64_t n_rows, int64_t length)
{
    if (n_items % n_rows == 0 && n_items / n_rows == length)
        return 1;
    PyErr_SetString(PyExc_ValueError, "an array has another length");
    return 0;
}

static PyObject *core_mark_firsts(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *type_array, *offset_array, *first_array;
    int64_t n_tokens, n_offsets;
    const int64_t *offsets;
    const int32_t *types;
    uint8_t *is_first;
    long long n_types;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOLO", &type_array, &offset_array, &n_types, &first_array))
        return NULL;
    if ((types = items_of(&arrays, type_array, sizeof(int32_t), 0, &n_tokens)) &&
        (offsets = items_of(&arrays, offset_array, 8, 0, &n_offsets)) &&
        (is_first = exactly(&arrays, first_array, 1, PyBUF_WRITABLE, n_tokens))) {
        if (n_types < 0 || n_types > INT32_MAX || !are_below(types, n_tokens, n_types) ||
            !are_ascending(offsets, n_offsets, n_tokens) || offsets[n_offsets - 1] != n_tokens)
            PyErr_SetString(PyExc_ValueError, "columns that do not fit together");
        else {
            Py_BEGIN_ALLOW_THREADS
            outcome = mark_firsts(types, offsets, n_offsets - 1, n_types, is_first);
            Py_END_ALLOW_THREADS
        }
    }
    return result_of(&arrays, outcome);
}

static PyObject *core_count_ngrams(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *hit;
    const Pairs *pairs;
    int max_ngram;
    int64_t *hits, n_hits;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OiO", &capsule, &max_ngram, &hit))
        return NULL;
    if (max_ngram < 1) {
        PyErr_SetString(PyExc_ValueError, "max_ngram has to be positive");
        return NULL;
    }
    if ((pairs = pairs_in(capsule)) &&
        (hits = items_of(&arrays, hit, 8, PyBUF_WRITABLE, &n_hits)) &&
        has_rows(n_hits, max_ngram, pairs->peers.n_pairs)) {
        memset(hits, 0, (size_t)n_hits * sizeof *hits);
        Py_BEGIN_ALLOW_THREADS
        outcome = count_ngrams(pairs, max_ngram, hits);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

static PyObject *core_count_lcs(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *table_capsule, *hit;
    const Pairs *pairs, *tables;
    int64_t *hits;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &capsule, &table_capsule, &hit))
        return NULL;
    if ((pairs = pairs_in(capsule)) && (tables = tables_in(table_capsule, pairs)) &&
        (hits = exactly(&arrays, hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs))) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_lcs(pairs, tables, hits);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

static PyObject *core_count_text_lcs(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *hit;
    const Pairs *pairs;
    int64_t *hits;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &hit))
        return NULL;
    if ((pairs = pairs_in(capsule)) &&
        (hits = exactly(&arrays, hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs))) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_text_lcs(pairs, hits);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

static PyObject *core_count_wlcs(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *table_capsule, *powers, *added, *subtracted, *hit, *base;
    const Pairs *pairs, *tables;
    int64_t n_powers;
    Weights f;
    double *hits, *bases;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOOOO", &capsule, &table_capsule, &powers, &added,
                          &subtracted, &hit, &base))
        return NULL;
    if ((pairs = pairs_in(capsule)) && (tables = tables_in(table_capsule, pairs)) &&
        (f.powers = items_of(&arrays, powers, sizeof(double), 0, &n_powers)) &&
        (f.added = exactly(&arrays, added, sizeof(double), 0, n_powers)) &&
        (f.subtracted = exactly(&arrays, subtracted, sizeof(double), 0, n_powers)) &&
        (hits = exactly(&arrays, hit, sizeof(double), PyBUF_WRITABLE, pairs->peers.n_pairs)) &&
        (bases = exactly(&arrays, base, sizeof(double), PyBUF_WRITABLE, pairs->peers.n_pairs))) {
        if (n_powers <= longest_sentence(&pairs->models))
            PyErr_SetString(PyExc_ValueError, "there are sentences longer than the powers reach");
        else {
            Py_BEGIN_ALLOW_THREADS
            outcome = count_wlcs(pairs, tables, &f, hits, bases);
            Py_END_ALLOW_THREADS
        }
    }
    return result_of(&arrays, outcome);
}

static PyObject *core_count_pairwise_lcs(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *hit, *peer_hit;
    const Pairs *pairs;
    int64_t *hits, *peer_hits;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &capsule, &hit, &peer_hit))
        return NULL;
    if ((pairs = pairs_in(capsule)) &&
        (hits = exactly(&arrays, hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs)) &&
        (peer_hits = exactly(&arrays, peer_hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs))) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_pairwise_lcs(pairs, hits, peer_hits);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

static PyObject *core_count_skip_bigrams(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *hit, *unigram_hit;
    const Pairs *pairs;
    long long max_gap;
    int64_t *hits, *hits_of_unigrams;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OLOO", &capsule, &max_gap, &hit, &unigram_hit))
        return NULL;
    if (max_gap > INT32_MAX)
        max_gap = INT32_MAX;
    if ((pairs = pairs_in(capsule)) &&
        (hits = exactly(&arrays, hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs)) &&
        (hits_of_unigrams =
             exactly(&arrays, unigram_hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs))) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_skip_bigrams(pairs, max_gap, hits, hits_of_unigrams);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

/* Return whether all are rounded. */
static PyObject *core_score_counts(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *hit, *model_count, *peer_hit, *peer_count, *value_array;
    int64_t n_rows, n_values;
    WholeCounts counts;
    double alpha, *values;
    int are_rounded = 1;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOOOdO", &hit, &model_count, &peer_hit, &peer_count, &alpha,
                          &value_array))
        return NULL;
    if ((counts.hits = items_of(&arrays, hit, 8, 0, &n_rows)) &&
        (counts.model_counts = exactly(&arrays, model_count, 8, 0, n_rows)) &&
        (counts.peer_hits = exactly(&arrays, peer_hit, 8, 0, n_rows)) &&
        (counts.peer_counts = exactly(&arrays, peer_count, 8, 0, n_rows)) &&
        (values = items_of(&arrays, value_array, sizeof(double), PyBUF_WRITABLE, &n_values)) &&
        has_rows(n_values, N_SCORES, n_rows)) {
        Py_BEGIN_ALLOW_THREADS
        are_rounded = score_counts(&counts, n_rows, alpha, values);
        Py_END_ALLOW_THREADS
    }
    release(&arrays);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(are_rounded);
}

/* Return whether all are added. */
static PyObject *core_sum_models(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *count_array, *start_array, *sum_array;
    int64_t n_pairs, n_instances, *sums;
    const int64_t *counts, *starts;
    int are_exact = 1;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &count_array, &start_array, &sum_array))
        return NULL;
    if ((counts = items_of(&arrays, count_array, 8, 0, &n_pairs)) &&
        (starts = items_of(&arrays, start_array, 8, 0, &n_instances)) &&
        (sums = exactly(&arrays, sum_array, 8, PyBUF_WRITABLE, n_instances))) {
        if (n_instances && !are_ascending(starts, n_instances, n_pairs))
            PyErr_SetString(PyExc_ValueError, "instances that do not begin at ascending pairs");
        else {
            Py_BEGIN_ALLOW_THREADS
            are_exact = sum_models(counts, n_pairs, starts, n_instances, sums);
            Py_END_ALLOW_THREADS
        }
    }
    release(&arrays);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(are_exact);
}

/* Return whether the bytes hold all counts. */
static PyObject *core_draw(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *array;
    long long n_instances, first_resample;
    int64_t n_cells;
    uint8_t *counts;
    int is_counted = 1;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "LLO", &n_instances, &first_resample, &array))
        return NULL;
    counts = items_of(&arrays, array, 1, PyBUF_WRITABLE, &n_cells);
    if (counts && (n_instances < 1 || n_instances > UINT32_MAX || n_cells % n_instances))
        PyErr_SetString(PyExc_ValueError, "rows of another length");
    else if (counts) {
        Py_BEGIN_ALLOW_THREADS
        is_counted = draw(n_instances, (uint64_t)first_resample, n_cells / n_instances, counts);
        Py_END_ALLOW_THREADS
    }
    release(&arrays);
    return PyErr_Occurred() ? NULL : PyBool_FromLong(is_counted);
}

/* Return how many states of the generator have been used; those in the array go on. */
static PyObject *core_draw_means(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *score_array, *state_array, *mean_array;
    int64_t n_scores, n_means;
    const double *scores;
    double *means;
    uint32_t *states;
    Twister twister;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOiO", &score_array, &state_array, &twister.position,
                          &mean_array))
        return NULL;
    if ((scores = items_of(&arrays, score_array, sizeof(double), 0, &n_scores)) &&
        (states = exactly(&arrays, state_array, 4, PyBUF_WRITABLE, TWISTER_STATES)) &&
        (means = items_of(&arrays, mean_array, sizeof(double), PyBUF_WRITABLE, &n_means))) {
        if (n_scores < N_SCORES || n_scores % N_SCORES || n_scores / N_SCORES > UINT32_MAX ||
            n_means % N_SCORES || twister.position < 0 || twister.position > TWISTER_STATES)
            PyErr_SetString(PyExc_ValueError, "rows of another length, or no such state");
        else {
            memcpy(twister.states, states, sizeof twister.states);
            Py_BEGIN_ALLOW_THREADS
            outcome = draw_means(scores, n_scores / N_SCORES, &twister, n_means / N_SCORES, means);
            Py_END_ALLOW_THREADS
            memcpy(states, twister.states, sizeof twister.states);
        }
    }
    PyObject *nothing = result_of(&arrays, outcome);
    if (!nothing)
        return NULL;
    Py_DECREF(nothing);
    return PyLong_FromLong(twister.position);
}

/* Texts of Python's, which keep their bytes, and where these are. A text that is not encoded has a
 * NULL, and its characters in place of its bytes. */
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

/* Return a capsule of texts and their owners; NULL with an exception, and the texts are gone. */
static PyObject *capsule_of(HeldTexts *held, PyObject *owners)
{
    Py_INCREF(owners);
    held->owners = owners;
    PyObject *capsule = PyCapsule_New(held, TEXTS, free_texts_capsule);
    if (!capsule)
        free_held_texts(held);
    return capsule;
}

/* Return room for texts, which have no owners yet; NULL with an exception. */
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

/* Texts whose bytes are at hand. */
typedef struct {
    const Word *words;
    Py_ssize_t n_texts;
    Word *own; /* to be freed */
} GivenTexts;

/* Set texts from a tuple of `bytes`, which keeps them; 0 with an exception. */
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

/* Return where some of the texts of a capsule are; NULL with an exception. */
static const HeldTexts *held_in(PyObject *capsule, Py_ssize_t first, Py_ssize_t n_texts)
{
    const HeldTexts *held = PyCapsule_GetPointer(capsule, TEXTS);
    if (held && (first < 0 || n_texts < 0 || first > held->n_words - n_texts)) {
        PyErr_SetString(PyExc_ValueError, "there are not so many texts");
        return NULL;
    }
    return held;
}

/* Set texts from a tuple of `bytes`, or of a capsule, the first of its texts and their number; 0 with
 * an exception. Behind each text there is a byte that is no blank. */
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

/* Point at texts in their content, behind each of which there is another byte; 0 with an exception. */
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

/* Return what knows the bytes of texts that stand in one buffer, and keeps that. */
static PyObject *core_join_texts(PyObject *module, PyObject *arguments)
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
        /* As long as there is a view, nobody can make the buffer shorter. */
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

/* Count the sentences of texts, and the tokens that there may be. */
static void count_most(const Word *texts, Py_ssize_t n_texts, int64_t *n_tokens,
                       int64_t *n_sentences)
{
    *n_tokens = *n_sentences = 0;
    for (const Word *text = texts; text < texts + n_texts; text++) {
        const uint8_t *end = text->bytes, *last = end + text->length;
        *n_tokens += (int64_t)(text->length / 2 + text->length % 2);
        ++*n_sentences;
        for (; (end = memchr(end, '\n', (size_t)(last - end))); end++)
            ++*n_sentences;
    }
}

/* Say whether so many bytes are behind every word that a key can be read; 0 with an exception. */
static int are_words(const int64_t *starts, const int64_t *ends, int64_t n_words, int64_t n_bytes)
{
    for (int64_t word = 0; word < n_words; word++)
        if (starts[word] < 0 || ends[word] < starts[word] || ends[word] > n_bytes - PADDING) {
            PyErr_SetString(PyExc_ValueError, "words outside of the text");
            return 0;
        }
    return 1;
}

/* Return how many different words there are. */
static PyObject *core_number_words(PyObject *module, PyObject *arguments)
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
        if (n_known == NONE)
            PyErr_NoMemory();
    }
    release(&arrays);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(n_known);
}

/* Return room for items, in a bytearray that NumPy can write to. It grows from nothing: where one of
 * the whole size cannot be had, Python 3.11 prints a SystemError besides. */
static PyObject *new_items(int64_t count, size_t size)
{
    if (count > (int64_t)(SIZE_MAX / 2 / size))
        return PyErr_NoMemory();
    PyObject *items = PyByteArray_FromStringAndSize("", 0);
    if (items && PyByteArray_Resize(items, (Py_ssize_t)count * (Py_ssize_t)size) != 0)
        Py_CLEAR(items);
    return items;
}

/* Read into arrays of Python's; returns a tuple of them, NULL with an exception. */
static PyObject *read_into(const Groups *groups, const WordList *stopwords, const WordList *forms,
                           StemTable *stem_table, int keeps_unstemmed, int64_t most_tokens,
                           int64_t n_sentences)
{
    ReadColumns read;
    Outcome outcome;
    PyObject *result = NULL;
    int has_both = forms && keeps_unstemmed;
    PyObject *types = new_items(most_tokens, sizeof(int32_t));
    PyObject *stems = has_both ? new_items(most_tokens, sizeof(int32_t)) : Py_BuildValue("");
    PyObject *sentences = new_items(n_sentences + 1, sizeof(int64_t));
    PyObject *offsets = new_items(groups->starts[groups->n_groups] + 1, sizeof(int64_t));
    if (types && stems && sentences && offsets) {
        read.types = (int32_t *)PyByteArray_AsString(types);
        read.stems = !forms ? NULL : (int32_t *)PyByteArray_AsString(has_both ? stems : types);
        read.sentence_offsets = (int64_t *)PyByteArray_AsString(sentences);
        read.text_offsets = (int64_t *)PyByteArray_AsString(offsets);
        Py_BEGIN_ALLOW_THREADS
        outcome = read_texts(groups, stopwords, forms, stem_table, &read);
        Py_END_ALLOW_THREADS
        Py_ssize_t n_bytes = outcome == DONE ? (Py_ssize_t)read.n_tokens * 4 : 0;
        if (outcome != DONE)
            PyErr_NoMemory();
        else if (PyByteArray_Resize(types, n_bytes) == 0 &&
                 (!has_both || PyByteArray_Resize(stems, n_bytes) == 0))
            result = Py_BuildValue("OOOOi", types, stems, sentences, offsets, (int)read.n_types);
    }
    Py_XDECREF(types);
    Py_XDECREF(stems);
    Py_XDECREF(sentences);
    Py_XDECREF(offsets);
    return result;
}

/* Set the list that a capsule holds, NULL for None; 0 with an exception. */
static int set_list(PyObject *capsule, const WordList **list)
{
    *list = capsule == Py_None ? NULL : PyCapsule_GetPointer(capsule, WORD_LIST);
    return *list || capsule == Py_None;
}

/* Words with their stems, that one thread at a time may use. */
typedef struct {
    StemTable table;
    int is_in_use;
} KeptStems;

static void free_stems_capsule(PyObject *capsule)
{
    KeptStems *stems = PyCapsule_GetPointer(capsule, STEMS);
    free_stem_table(&stems->table);
    free(stems);
}

static PyObject *core_stem_table(PyObject *module, PyObject *arguments)
{
    (void)module;
    if (!PyArg_ParseTuple(arguments, ""))
        return NULL;
    KeptStems *stems = zeros(1, sizeof *stems);
    PyObject *capsule = stems ? PyCapsule_New(stems, STEMS, free_stems_capsule) : PyErr_NoMemory();
    if (!capsule)
        free(stems);
    return capsule;
}

/* Return the stems that a capsule holds; NULL with an exception. */
static KeptStems *stems_in(PyObject *capsule)
{
    KeptStems *stems = PyCapsule_GetPointer(capsule, STEMS);
    if (stems && stems->is_in_use) {
        PyErr_SetString(PyExc_ValueError, "stems that another thread reads with");
        return NULL;
    }
    return stems;
}

/* Set the groups of texts: all are one where there is None. Returns 0 with an exception. */
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

/* Return the columns of texts; None where 32 bits do not number their tokens. */
static PyObject *core_read_texts(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *texts, *starts, *stopwords, *forms, *stems, *result = NULL;
    KeptStems *kept = NULL;
    int keeps_unstemmed;
    int64_t most_tokens = 0, n_sentences = 0, all[2];
    Groups groups;
    const WordList *stopword_list, *form_list;
    GivenTexts given;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OOOOp", &PyTuple_Type, &texts, &starts, &stopwords, &forms,
                          &stems, &keeps_unstemmed))
        return NULL;
    if (!set_list(stopwords, &stopword_list) || !set_list(forms, &form_list))
        return NULL;
    if (form_list && !(kept = stems_in(stems)))
        return NULL;
    if (!set_texts(texts, &given))
        return NULL;
    groups.texts = given.words;
    if (set_groups(&arrays, starts, given.n_texts, all, &groups)) {
        if (kept)
            kept->is_in_use = 1;
        Py_BEGIN_ALLOW_THREADS
        count_most(given.words, given.n_texts, &most_tokens, &n_sentences);
        Py_END_ALLOW_THREADS
        result = most_tokens > INT32_MAX ? Py_BuildValue("")
                                         : read_into(&groups, stopword_list, form_list,
                                                     kept ? &kept->table : NULL, keeps_unstemmed,
                                                     most_tokens, n_sentences);
        if (kept)
            kept->is_in_use = 0;
    }
    free(given.own);
    release(&arrays);
    return result;
}

/* Return the words, the broken ones, the first text with one and what it has lost, and a byte for
 * each text that is to be looked at. */
static PyObject *core_broken_words(PyObject *module, PyObject *arguments)
{
    PyObject *texts, *result = NULL;
    GivenTexts given;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &texts))
        return NULL;
    if (!set_texts(texts, &given))
        return NULL;
    PyObject *suspects = new_items(given.n_texts, 1);
    if (suspects) {
        BrokenWords found = {.is_suspect = (uint8_t *)PyByteArray_AsString(suspects)};
        Py_BEGIN_ALLOW_THREADS
        find_broken_words(given.words, given.n_texts, &found);
        Py_END_ALLOW_THREADS
        result = Py_BuildValue("LLLy#O", (long long)found.n_words, (long long)found.n_broken,
                               (long long)found.first_broken, (char *)found.lost,
                               (Py_ssize_t)found.n_lost, suspects);
    }
    free(given.own);
    Py_XDECREF(suspects);
    return result;
}

/* Return the number of newlines, and a byte of flags for each text. */
static PyObject *core_flag_texts(PyObject *module, PyObject *arguments)
{
    PyObject *texts, *result = NULL;
    GivenTexts given;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!", &PyTuple_Type, &texts))
        return NULL;
    if (!set_texts(texts, &given))
        return NULL;
    PyObject *flags = new_items(given.n_texts, 1);
    if (flags) {
        uint8_t *flag_bytes = (uint8_t *)PyByteArray_AsString(flags);
        int64_t n_newlines;
        Py_BEGIN_ALLOW_THREADS
        n_newlines = flag_texts(given.words, given.n_texts, flag_bytes);
        Py_END_ALLOW_THREADS
        result = Py_BuildValue("LO", (long long)n_newlines, flags);
    }
    free(given.own);
    Py_XDECREF(flags);
    return result;
}

/* Return the values of `NotedLines` in inputs/line_texts.py. */
static PyObject *core_note_lines(PyObject *module, PyObject *arguments)
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

/* Say whether there are words, none of which is empty; 0 with an exception. */
static int are_separators(const GivenTexts *words)
{
    for (Py_ssize_t word = 0; word < words->n_texts; word++)
        if (words->words[word].length == 0) {
            PyErr_SetString(PyExc_ValueError, "a word without bytes");
            return 0;
        }
    return 1;
}

/* Return how many lines there are; -1 if they are more than there is room for, or one does not
 * end. */
static PyObject *core_split_lines(PyObject *module, PyObject *arguments)
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
    read.peer_lengths = (int64_t *)PyByteArray_AsString(peers);
    read.model_lengths = (int64_t *)PyByteArray_AsString(models);
    read.n_models = (int64_t *)PyByteArray_AsString(counts);
    read.numbers = (int64_t *)PyByteArray_AsString(numbers);
    read.are_numbers = keys->of_roles[ID].length != 0;
    Py_BEGIN_ALLOW_THREADS
    is_read = scan_records(lines->bytes, lines->length, keys, &read);
    Py_END_ALLOW_THREADS
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

/* Return (peers, their lengths, models, their lengths, models of each record, IDs, numbers in place
 * of these), or None. */
static PyObject *core_scan_records(PyObject *module, PyObject *arguments)
{
    const char *names[N_ROLES];
    Py_ssize_t lengths[N_ROLES];
    RecordKeys keys;
    int64_t n_records, n_models;
    PyObject *lines, *result = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Sy#y#y#p", &lines, &names[PEER], &lengths[PEER],
                          &names[MODELS], &lengths[MODELS], &names[ID], &lengths[ID],
                          &keys.takes_lists))
        return NULL;
    for (int role = 0; role < N_ROLES; role++)
        keys.of_roles[role] = (Word){(const uint8_t *)names[role], (size_t)lengths[role]};
    /* Behind the bytes of a `bytes` there is a zero. */
    Word all = {(const uint8_t *)PyBytes_AsString(lines), (size_t)PyBytes_Size(lines)};
    count_records(all.bytes, all.length, &n_records, &n_models);
    uint8_t *bytes = zeros(all.length, N_ROLES);
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

/* Read a peer and its model into columns of the pair. */
static Outcome read_one_pair(KeptPairs *kept, const Word *texts, int64_t n_tokens,
                             int64_t n_sentences, const WordList *stopwords, const WordList *forms)
{
    static const int64_t both[2] = {0, 1}, all[2] = {0, 2};
    Pairs *pairs = &kept->pairs;
    int64_t *text_offsets = kept->offsets = zeros((size_t)n_sentences + 4, sizeof(int64_t));
    int32_t *types = kept->types = zeros((size_t)n_tokens, sizeof(int32_t));
    if (!text_offsets || !types)
        return NO_MEMORY;
    int64_t *sentence_offsets = text_offsets + 3;
    ReadColumns read = {types, types, sentence_offsets, text_offsets, 0, 0, 0, 0};
    Groups pair = {texts, all, 1};
    StemTable stems = {.room = 0};
    Outcome outcome = read_texts(&pair, stopwords, forms, forms ? &stems : NULL, &read);
    free_stem_table(&stems);
    if (outcome != DONE)
        return outcome;
    Columns columns = {types, sentence_offsets, text_offsets, 2};
    pairs->peers = (Side){columns, both, 1};
    pairs->models = (Side){columns, both + 1, 1};
    pairs->n_types = read.n_types;
    measure_pairs(pairs);
    return DONE;
}

/* A pair with fewer tokens is read before another thread would have begun to work. */
#define FEW_TOKENS 4096

/* Return (pairs, tokens of the peer, tokens of the model) of two texts; None as `read_texts`. */
static PyObject *core_read_pair(PyObject *module, PyObject *arguments)
{
    PyObject *texts, *stopwords, *forms, *capsule, *result = NULL;
    int64_t n_tokens, n_sentences;
    const WordList *stopword_list, *form_list;
    GivenTexts given;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!OO", &PyTuple_Type, &texts, &stopwords, &forms))
        return NULL;
    if (!set_list(stopwords, &stopword_list) || !set_list(forms, &form_list))
        return NULL;
    if (PyTuple_Size(texts) != 2) {
        PyErr_SetString(PyExc_ValueError, "two texts are needed");
        return NULL;
    }
    if (!set_bytes(texts, &given))
        return NULL;
    count_most(given.words, 2, &n_tokens, &n_sentences);
    if (n_tokens > INT32_MAX) {
        free(given.own);
        return Py_BuildValue("");
    }
    KeptPairs *kept = zeros(1, sizeof *kept);
    PyThreadState *let_go = n_tokens > FEW_TOKENS ? PyEval_SaveThread() : NULL;
    Outcome outcome = kept ? read_one_pair(kept, given.words, n_tokens, n_sentences,
                                           stopword_list, form_list)
                           : NO_MEMORY;
    if (let_go)
        PyEval_RestoreThread(let_go);
    free(given.own);
    capsule = outcome == DONE ? PyCapsule_New(kept, PAIRS, free_pairs_capsule) : PyErr_NoMemory();
    if (!capsule) {
        if (kept)
            free_kept_pairs(kept);
        return NULL;
    }
    const Pairs *pairs = &kept->pairs;
    result = Py_BuildValue("Nii", capsule, (int)pairs->longest_peer, (int)pairs->longest_model);
    return result;
}

/* Texts EVAL by EVAL, as they are gathered. */
typedef struct {
    PyObject *texts; /* a tuple with room for all, which nobody else holds as long as it is filled */
    HeldTexts *held;
    int64_t *lengths;     /* characters of strings, bytes of `bytes` */
    PyCFunction is_ascii; /* str.isascii */
    Py_ssize_t n_done;
    int are_encoded; /* are all known by their bytes? */
} OrderedTexts;

/* Point at the bytes of a text, with NULL and its characters in the place of those that Python would
 * have to encode, and then keep with the string; 0 for what is no text, or with an exception. */
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

/* Return the function behind str.isascii, which is called for each text: through the interpreter it
 * takes ten times as long. NULL with an exception. */
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

/* Return how many models an EVAL has: a text is one, a list or tuple has its items; 0 for others. */
static Py_ssize_t count_models(PyObject *models)
{
    if (PyList_CheckExact(models))
        return PyList_Size(models);
    if (PyTuple_CheckExact(models))
        return PyTuple_Size(models);
    return PyUnicode_CheckExact(models) || PyBytes_CheckExact(models);
}

/* Add a text, which becomes the tuple's; 0 if it is none, with an exception if there is nothing. */
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

/* Set the number of models of each EVAL; returns that of all texts, 0 if some EVAL has no model. */
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

/* Fill the tuple, which has room; 0 where something is no text. */
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
    /* Other threads may have shortened a list meanwhile. */
    return is_added && ordered->n_done == ordered->held->n_words;
}

/* Say whether there are predictions, in lists as long as the references. */
static int are_equally_many(PyObject *predictions, Py_ssize_t n_evals)
{
    for (Py_ssize_t system = 0; system < PyTuple_Size(predictions); system++) {
        PyObject *texts = PyTuple_GetItem(predictions, system);
        if (!PyList_CheckExact(texts) || PyList_Size(texts) != n_evals)
            return 0;
    }
    return PyTuple_Size(predictions) > 0 && n_evals > 0;
}

/* Return a tuple for texts EVAL by EVAL with what knows their bytes, as `core_order_texts`. */
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

/* Return the texts EVAL by EVAL, the models of each EVAL, the length of each text, what knows their
 * bytes, and whether it knows all; None where they are no plain texts. Twin: `order_texts` in
 * inputs/lists.py. */
static PyObject *core_order_texts(PyObject *module, PyObject *arguments)
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

/* Encode what is not encoded of some texts, and set the bytes that each has; 0 with an exception. */
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

/* Return what knows the bytes of some texts, all encoded, and the length of each. */
static PyObject *core_encode_texts(PyObject *module, PyObject *arguments)
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

static PyObject *core_nltk_stem(PyObject *module, PyObject *arguments)
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

static PyObject *core_word_list(PyObject *module, PyObject *arguments)
{
    PyObject *words, *bases, *capsule = NULL;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!", &PyTuple_Type, &words, &PyTuple_Type, &bases))
        return NULL;
    if (PyTuple_Size(words) != PyTuple_Size(bases)) {
        PyErr_SetString(PyExc_ValueError, "expected a base form for each word");
        return NULL;
    }
    WordList *list = zeros(1, sizeof(WordList));
    if (!list)
        return PyErr_NoMemory();
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
    FUNCTION(read_texts, "texts, starts, stopwords, forms, stems, keeps_unstemmed"),
    FUNCTION(read_pair, "texts, stopwords, forms"),
    FUNCTION(broken_words, "texts"),
    FUNCTION(flag_texts, "texts"),
    FUNCTION(join_texts, "content, starts, lengths"),
    FUNCTION(note_lines, "chunk, n_before, per_mark, marks"),
    FUNCTION(split_lines, "lines, words, starts, lengths, is_unsplit"),
    FUNCTION(order_texts, "predictions, references"),
    FUNCTION(encode_texts, "texts, first, n_texts"),
    FUNCTION(scan_records, "lines, peer_key, models_key, id_key, takes_lists"),
    FUNCTION(number_words, "text, starts, ends, numbers, firsts"),
    FUNCTION(nltk_stem, "word, is_extended"),
    FUNCTION(word_list, "words, bases"),
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
