/* Scores of many pairs as Python sees them; see module.c. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* Set texts from (items, offsets), with all items below `n_items`. On failure, sets an exception
 * and returns 0. */
static int set_sequences(Arrays *arrays, PyObject *tuple, long long n_items, Sequences *texts)
{
    PyObject *items, *offsets;
    int64_t count, n_offsets;
    if (!PyArg_ParseTuple(tuple, "OO", &items, &offsets) ||
        !(texts->items = items_of(arrays, items, sizeof(int32_t), 0, &count)) ||
        !(texts->offsets = items_of(arrays, offsets, 8, 0, &n_offsets)))
        return 0;
    texts->n_texts = n_offsets - 1;
    if (n_items >= 0 && n_items <= INT32_MAX && are_below(texts->items, count, n_items) &&
        are_ascending(texts->offsets, n_offsets, count))
        return 1;
    PyErr_SetString(PyExc_ValueError, "texts that do not fit together");
    return 0;
}

/* Return whether every text has at most `most` items. */
static int are_short(const Sequences *texts, int64_t most)
{
    for (int64_t text = 0; text < texts->n_texts; text++)
        if (texts->offsets[text + 1] - texts->offsets[text] > most)
            return 0;
    return 1;
}

/* Set the numbers of the lengths of texts, all below `n_lengths`. On failure, sets an exception and
 * returns 0. */
static int set_lengths(Arrays *arrays, PyObject *array, const Sequences *texts, int64_t n_lengths,
                       const int32_t **lengths)
{
    if (!(*lengths = exactly(arrays, array, sizeof(int32_t), 0, texts->n_texts)))
        return 0;
    if (are_below(*lengths, texts->n_texts, n_lengths))
        return 1;
    PyErr_SetString(PyExc_ValueError, "numbers of lengths beyond the table");
    return 0;
}

/* Return whether each row of the order is within the scores, and each pair within the table. */
static int are_scores(const PairScores *pairs, const int64_t *order, int64_t n_order,
                      int64_t n_scores)
{
    int64_t n_columns = pairs->columns.n_texts;
    for (int64_t place = 0; place < n_order; place++)
        if (order[place] < 0 || order[place] >= pairs->rows.n_texts ||
            (n_columns && order[place] >= n_scores / n_columns))
            return 0;
    if (pairs->is_square && (pairs->rows.n_texts != n_columns || n_order != n_columns ||
                             pairs->row_lengths != pairs->column_lengths))
        return 0;
    return are_short(&pairs->columns, pairs->n_hits - 1) &&
           are_short(&pairs->rows, pairs->is_lcs ? MOST_IN_LANES : INT32_MAX / 64);
}

PyObject *core_score_pairs(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *rows, *columns, *row_lengths, *column_lengths, *table, *order_array, *scores;
    PairScores pairs;
    long long n_items, n_hits;
    int64_t n_order, n_scores, n_in_table, n_lengths;
    const int64_t *order;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O!LppOO(OL)LOO", &PyTuple_Type, &rows, &PyTuple_Type,
                          &columns, &n_items, &pairs.is_lcs, &pairs.is_square, &row_lengths,
                          &column_lengths, &table, &n_lengths, &n_hits, &order_array, &scores))
        return NULL;
    pairs.n_items = n_items;
    pairs.n_hits = n_hits;
    pairs.n_column_lengths = n_lengths;
    if (set_sequences(&arrays, rows, n_items, &pairs.rows) &&
        set_sequences(&arrays, columns, n_items, &pairs.columns) &&
        (pairs.table = items_of(&arrays, table, 8, 0, &n_in_table)) &&
        (order = items_of(&arrays, order_array, 8, 0, &n_order)) &&
        (pairs.scores = items_of(&arrays, scores, 8, PyBUF_WRITABLE, &n_scores))) {
        int64_t n_row_lengths = n_lengths > 0 && n_hits > 0 && n_hits <= INT32_MAX
                                    ? n_in_table / n_lengths / n_hits : 0;
        if (!set_lengths(&arrays, row_lengths, &pairs.rows, n_row_lengths, &pairs.row_lengths) ||
            !set_lengths(&arrays, column_lengths, &pairs.columns, n_lengths,
                         &pairs.column_lengths))
            return result_of(&arrays, DONE);
        if (!are_scores(&pairs, order, n_order, n_scores))
            PyErr_SetString(PyExc_ValueError, "scores that do not fit the texts");
        else {
            Py_BEGIN_ALLOW_THREADS
            outcome = score_pairs(&pairs, order, n_order);
            Py_END_ALLOW_THREADS
        }
    }
    return result_of(&arrays, outcome);
}

static void free_index_capsule(PyObject *capsule)
{
    free_pair_index(PyCapsule_GetPointer(capsule, PAIR_INDEX));
}

PyObject *core_pair_index(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *rank_array, *capsule = NULL;
    int is_lcs;
    const int32_t *ranks;
    PairIndex *index = NULL;
    int64_t n_ranked;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "Op", &rank_array, &is_lcs))
        return NULL;
    if ((ranks = items_of(&arrays, rank_array, sizeof(int32_t), 0, &n_ranked)) &&
        (index = zeros(1, sizeof *index))) {
        *index = (PairIndex){.is_lcs = is_lcs, .n_ranked = n_ranked, .room_for_texts = 1};
        index->ranks = zeros((size_t)n_ranked, sizeof(int32_t));
        index->offsets = zeros(1, sizeof(int64_t));
        if (index->ranks && index->offsets) {
            memcpy(index->ranks, ranks, (size_t)n_ranked * sizeof(int32_t));
            capsule = PyCapsule_New(index, PAIR_INDEX, free_index_capsule);
        }
        if (!capsule)
            free_pair_index(index);
    }
    release(&arrays);
    return capsule || PyErr_Occurred() ? capsule : PyErr_NoMemory();
}

/* Take an index: alone if the task changes it, otherwise together with other readers. On failure,
 * sets an exception and returns 0. */
static int take_index(PairIndex *index, int is_changed)
{
    lock_shared();
    int is_free = index->n_users == 0 || (index->n_users > 0 && !is_changed);
    if (is_free)
        index->n_users = is_changed ? -1 : index->n_users + 1;
    unlock_shared();
    if (!is_free)
        PyErr_SetString(PyExc_ValueError, "another thread changes the index, or looks texts up");
    return is_free;
}

static void give_back_index(PairIndex *index)
{
    lock_shared();
    index->n_users = index->n_users < 0 ? 0 : index->n_users - 1;
    unlock_shared();
}

/* Set the least hits from (of_pairs, of_rows, of_columns, n_units). On failure, sets an exception
 * and returns 0. */
static int set_least(Arrays *arrays, PyObject *tuple, LeastHits *least)
{
    PyObject *of_pairs, *of_rows, *of_columns, *n_units;
    if (!PyArg_ParseTuple(tuple, "OOOO", &of_pairs, &of_rows, &of_columns, &n_units) ||
        !(least->n_units = items_of(arrays, n_units, 4, 0, &least->n_lengths)))
        return 0;
    int64_t n_lengths = least->n_lengths, n_pairs = n_lengths * n_lengths;
    if (!(least->of_pairs = exactly(arrays, of_pairs, 4, 0, n_pairs)) ||
        !(least->of_rows = exactly(arrays, of_rows, 4, 0, n_lengths)) ||
        !(least->of_columns = exactly(arrays, of_columns, 4, 0, n_lengths)))
        return 0;
    int is_right = n_lengths <= UINT16_MAX;
    for (int64_t length = 0; is_right && length < n_lengths; length++)
        is_right = least->of_rows[length] > 0 && least->of_columns[length] > 0;
    if (!is_right)
        PyErr_SetString(PyExc_ValueError, "least hits below 1, or too many lengths");
    return is_right;
}

/* Return whether a task fits an index. */
static int is_task_for(const IndexTask *task, const PairIndex *index, int64_t first)
{
    return first >= 0 && first <= task->end && task->end <= task->texts.n_texts &&
           task->units.n_texts == task->texts.n_texts &&
           task->texts.n_texts < INT32_MAX - index->n_texts && task->most_found > 0 &&
           task->n_items >= index->n_items && task->least.n_lengths >= index->n_lengths &&
           are_short(&task->texts, index->is_lcs ? MOST_IN_LANES : MOST_IN_INDEX) &&
           are_short(&task->units, MOST_IN_INDEX);
}

/* Return a tuple of the number of the first text that is left, and the pairs. On failure, sets an
 * exception and returns NULL. */
static PyObject *pairs_found(Outcome outcome, int64_t text, const FoundPairs *found)
{
    if (PyErr_Occurred())
        return NULL;
    if (outcome != DONE)
        return PyErr_NoMemory();
    PyObject *pairs = new_items(found->n_pairs, sizeof *found->pairs);
    if (pairs && found->n_pairs)
        memcpy(PyByteArray_AsString(pairs), found->pairs,
               (size_t)found->n_pairs * sizeof *found->pairs);
    return pairs ? Py_BuildValue("LN", (long long)text, pairs) : NULL;
}

PyObject *core_use_index(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *texts, *units, *lengths, *least, *result = NULL;
    IndexTask task;
    long long n_items, first, end, most_found;
    PairIndex *index;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OppO!O!LOO!LLL", &capsule, &task.is_added, &task.is_triangle,
                          &PyTuple_Type, &texts, &PyTuple_Type, &units, &n_items, &lengths,
                          &PyTuple_Type, &least, &first, &end, &most_found) ||
        !(index = PyCapsule_GetPointer(capsule, PAIR_INDEX)))
        return NULL;
    task.n_items = n_items;
    task.end = end;
    task.most_found = most_found;
    if (set_sequences(&arrays, texts, n_items, &task.texts) &&
        set_sequences(&arrays, units, INT32_MAX, &task.units) &&
        set_least(&arrays, least, &task.least) &&
        set_lengths(&arrays, lengths, &task.texts, task.least.n_lengths, &task.lengths) &&
        take_index(index, task.is_added)) {
        if (!is_task_for(&task, index, first))
            PyErr_SetString(PyExc_ValueError, "a task that does not fit the index");
        else {
            FoundPairs found = {NULL, 0, 0};
            int64_t text = first;
            Outcome outcome;
            if (task.is_added) {
                index->n_items = n_items;
                index->n_lengths = task.least.n_lengths;
            }
            Py_BEGIN_ALLOW_THREADS
            outcome = use_index(index, &task, &text, &found);
            Py_END_ALLOW_THREADS
            result = pairs_found(outcome, text, &found);
            free(found.pairs);
        }
        give_back_index(index);
    }
    release(&arrays);
    return result;
}
