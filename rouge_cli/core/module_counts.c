/* Pairs, counts, scores and draws as Python sees them; see module.c. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

int are_below(const int32_t *types, int64_t count, int64_t n_types)
{
    /* A type below 0 or beyond the last one sets the high bit. Compilers vectorise this, as it has
     * no branch. */
    int64_t end = n_types < 0 ? 0 : n_types < INT32_MAX ? n_types : INT32_MAX;
    uint32_t bits = 0, last = (uint32_t)end - 1;
    for (int64_t place = 0; place < count; place++)
        bits |= (uint32_t)types[place] | (last - (uint32_t)types[place]);
    return !(bits >> 31);
}

/* Return whether columns are consistent, and types below the number of types. */
static int are_columns(const Columns *columns, int64_t n_tokens, int64_t n_sentences,
                       int64_t n_types)
{
    return n_tokens <= INT32_MAX && n_types >= 0 && n_types <= INT32_MAX &&
           are_below(columns->types, n_tokens, n_types) &&
           are_ascending(columns->sentence_offsets, n_sentences, n_tokens) &&
           are_ascending(columns->text_offsets, columns->n_texts + 1, n_sentences - 1);
}

/* Checked columns, with their numbers of tokens and of sentence offsets. */
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

/* Set a side from (types, sentence_offsets, text_offsets, texts). On failure, sets an exception and
 * returns 0. Usually both sides have the same columns, which are checked only once: `checked` has
 * the columns that were checked last. */
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

/* Pairs, with the buffers of the arrays that they use. The buffers are held as long as the pairs
 * exist. */
typedef struct {
    Pairs pairs;
    Arrays arrays;
} KeptPairs;

static void free_kept_pairs(KeptPairs *kept)
{
    release(&kept->arrays);
    free(kept);
}

static void free_pairs_capsule(PyObject *capsule)
{
    free_kept_pairs(PyCapsule_GetPointer(capsule, PAIRS));
}

/* Set both sides, which must have the same number of pairs. On failure, sets an exception and
 * returns 0. */
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

PyObject *core_match_pairs(PyObject *module, PyObject *arguments)
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

/* Return the pairs of a capsule. On failure, sets an exception and returns NULL. */
static const Pairs *pairs_in(PyObject *capsule)
{
    const KeptPairs *kept = PyCapsule_GetPointer(capsule, PAIRS);
    return kept ? &kept->pairs : NULL;
}

/* Return the pairs of a capsule whose unigram tables clip `pairs`. On failure, sets an exception
 * and returns NULL. */
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

/* Check that an array has `n_rows` rows of `length` items. On failure, sets an exception and
 * returns 0. */
static int has_rows(int64_t n_items, int64_t n_rows, int64_t length)
{
    if (n_items % n_rows == 0 && n_items / n_rows == length)
        return 1;
    PyErr_SetString(PyExc_ValueError, "an array has another length");
    return 0;
}

PyObject *core_mark_firsts(PyObject *module, PyObject *arguments)
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

PyObject *core_count_units(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *hit;
    const Pairs *pairs;
    Units units;
    int64_t *hits, n_hits;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OippO", &capsule, &units.max_ngram, &units.has_lcs,
                          &units.has_text_lcs, &hit))
        return NULL;
    if (units.max_ngram < 0 || count_of_units(&units) == 0) {
        PyErr_SetString(PyExc_ValueError, "nothing to count");
        return NULL;
    }
    if ((pairs = pairs_in(capsule)) &&
        (hits = items_of(&arrays, hit, 8, PyBUF_WRITABLE, &n_hits)) &&
        has_rows(n_hits, count_of_units(&units), pairs->peers.n_pairs)) {
        memset(hits, 0, (size_t)n_hits * sizeof *hits);
        Py_BEGIN_ALLOW_THREADS
        outcome = count_units(pairs, &units, hits);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

PyObject *core_count_clipped_lcs(PyObject *module, PyObject *arguments)
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
        outcome = count_clipped_lcs(pairs, tables, hits);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

PyObject *core_count_wlcs(PyObject *module, PyObject *arguments)
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

PyObject *core_count_pairwise_lcs(PyObject *module, PyObject *arguments)
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

/* Return the number of tokens of all pairs. A text in several pairs counts in each of them. */
static int64_t tokens_of_pairs(const Side *side)
{
    int64_t n_tokens = 0;
    for (int64_t pair = 0; pair < side->n_pairs; pair++)
        n_tokens += text_of(side, pair).n_tokens;
    return n_tokens;
}

PyObject *core_mark_lcs_words(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *of_peers, *of_models;
    const Pairs *pairs;
    uint8_t *peer_marks, *model_marks;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOO", &capsule, &of_peers, &of_models))
        return NULL;
    if ((pairs = pairs_in(capsule)) &&
        (peer_marks = exactly(&arrays, of_peers, 1, PyBUF_WRITABLE,
                              tokens_of_pairs(&pairs->peers))) &&
        (model_marks = exactly(&arrays, of_models, 1, PyBUF_WRITABLE,
                               tokens_of_pairs(&pairs->models)))) {
        Py_BEGIN_ALLOW_THREADS
        outcome = mark_lcs_words(pairs, peer_marks, model_marks);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

PyObject *core_count_skip_bigrams(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *hit, *unigram_hit;
    const Pairs *pairs;
    long long max_gap;
    int are_sets;
    int64_t *hits, *hits_of_unigrams;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OLpOO", &capsule, &max_gap, &are_sets, &hit,
                          &unigram_hit))
        return NULL;
    if (max_gap > INT32_MAX)
        max_gap = INT32_MAX;
    if ((pairs = pairs_in(capsule)) &&
        (hits = exactly(&arrays, hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs)) &&
        (hits_of_unigrams =
             exactly(&arrays, unigram_hit, 8, PyBUF_WRITABLE, pairs->peers.n_pairs))) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_skip_bigrams(pairs, max_gap, are_sets, hits, hits_of_unigrams);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

/* Check that the pairs are divided into documents, each with at least one pair. On failure, sets an
 * exception and returns 0. */
static int are_documents(const Pairs *pairs, const int64_t *starts, int64_t n_starts)
{
    int is_right = are_ascending(starts, n_starts, pairs->peers.n_pairs) &&
                   starts[n_starts - 1] == pairs->peers.n_pairs;
    for (int64_t number = 0; is_right && number + 1 < n_starts; number++)
        is_right = starts[number] < starts[number + 1];
    if (!is_right)
        PyErr_SetString(PyExc_ValueError, "documents without a summary");
    return is_right;
}

PyObject *core_choose_sentences(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *start_array, *order_array, *gain_array, *count_array;
    int64_t n_starts, n_items, *order, *counts;
    const int64_t *starts;
    const Pairs *pairs;
    Selection rule;
    double *gains;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OOpddOOO", &capsule, &start_array, &rule.are_sets,
                          &rule.added, &rule.least_gain, &order_array, &gain_array, &count_array))
        return NULL;
    if ((pairs = pairs_in(capsule)) && (starts = items_of(&arrays, start_array, 8, 0, &n_starts)) &&
        are_documents(pairs, starts, n_starts) &&
        (order = items_of(&arrays, order_array, 8, PyBUF_WRITABLE, &n_items)) &&
        (gains = exactly(&arrays, gain_array, sizeof(double), PyBUF_WRITABLE, n_items)) &&
        (counts = exactly(&arrays, count_array, 8, PyBUF_WRITABLE, n_starts - 1)) &&
        (n_starts == 1 || has_rows(n_items, n_starts - 1, n_items / (n_starts - 1)))) {
        int64_t take = n_starts == 1 ? 0 : n_items / (n_starts - 1);
        Py_BEGIN_ALLOW_THREADS
        outcome = choose_sentences(pairs, starts, n_starts - 1, &rule, take, order, gains, counts);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

PyObject *core_count_fragments(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *sum_array;
    const Pairs *pairs;
    int64_t *sums, n_sums;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OO", &capsule, &sum_array))
        return NULL;
    if ((pairs = pairs_in(capsule)) &&
        (sums = items_of(&arrays, sum_array, 8, PyBUF_WRITABLE, &n_sums)) &&
        has_rows(n_sums, 2, pairs->peers.n_pairs)) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_fragments(pairs, sums);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

PyObject *core_count_novel(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *capsule, *count_array;
    const Pairs *pairs;
    int n_orders, is_cut;
    int64_t *counts, n_counts;
    Outcome outcome = DONE;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "OipO", &capsule, &n_orders, &is_cut, &count_array))
        return NULL;
    if (n_orders < 1 || n_orders > INT32_MAX / 3) {
        PyErr_SetString(PyExc_ValueError, "nothing to count");
        return NULL;
    }
    if ((pairs = pairs_in(capsule)) &&
        (counts = items_of(&arrays, count_array, 8, PyBUF_WRITABLE, &n_counts)) &&
        has_rows(n_counts, (int64_t)n_orders * 3, pairs->peers.n_pairs)) {
        Py_BEGIN_ALLOW_THREADS
        outcome = count_novel(pairs, n_orders, is_cut, counts);
        Py_END_ALLOW_THREADS
    }
    return result_of(&arrays, outcome);
}

/* Return whether all scores are rounded. If not, Python must round them. */
PyObject *core_score_counts(PyObject *module, PyObject *arguments)
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

/* Return whether all counts are added. If not, Python must add them. */
PyObject *core_sum_models(PyObject *module, PyObject *arguments)
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

/* Return True, or False if a count exceeds a byte. */
PyObject *core_draw(PyObject *module, PyObject *arguments)
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

/* Fill `sums`, with a row per resample and a column per row of `units`. */
PyObject *core_sum_drawn(PyObject *module, PyObject *arguments)
{
    Arrays arrays = {.n_views = 0};
    PyObject *count_array, *unit_array, *sum_array;
    long long n_instances;
    int64_t n_counts, n_units, n_resamples, n_columns, *sums;
    const uint8_t *counts;
    const int32_t *units;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "LOOO", &n_instances, &count_array, &unit_array, &sum_array))
        return NULL;
    if ((counts = items_of(&arrays, count_array, 1, 0, &n_counts)) &&
        (units = items_of(&arrays, unit_array, 4, 0, &n_units))) {
        if (n_instances < 1 || n_counts % n_instances || n_units % n_instances)
            PyErr_SetString(PyExc_ValueError, "rows of another length");
        else {
            n_resamples = n_counts / n_instances, n_columns = n_units / n_instances;
            sums = exactly(&arrays, sum_array, 8, PyBUF_WRITABLE, n_resamples * n_columns);
            if (sums) {
                Py_BEGIN_ALLOW_THREADS
                sum_drawn(counts, n_resamples, units, n_columns, n_instances, sums);
                Py_END_ALLOW_THREADS
            }
        }
    }
    return result_of(&arrays, DONE);
}

/* Return the number of states used, and update the array of states. */
PyObject *core_draw_means(PyObject *module, PyObject *arguments)
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

/* A single pair: word lists and caches for reading it, the units to count, and its columns. */
typedef struct {
    WordList *stopwords, *forms;
    StemCache *stems; /* NULL without forms */
    Units units;
    int has_flags;
    Pairs pairs;
    int32_t *types;
    int64_t text_offsets[3], *sentence_offsets;
} LonePair;

/* Read a peer and its model into the pair's columns. */
static Outcome read_one_pair(LonePair *pair, const Word *texts, int64_t n_tokens,
                             FlaggedTexts *flagged)
{
    static const int64_t both[2] = {0, 1}, all[2] = {0, 2};
    Pairs *pairs = &pair->pairs;
    int32_t *types = pair->types = zeros((size_t)n_tokens, sizeof(int32_t));
    if (!types)
        return NO_MEMORY;
    ReadColumns read = {
        .types = types, .stems = pair->forms ? types : NULL, .text_offsets = pair->text_offsets,
        .flagged = pair->has_flags ? flagged : NULL};
    Groups both_texts = {texts, all, 1};
    Outcome outcome = read_texts(&both_texts, pair->stopwords, pair->forms, pair->stems, 0, &read);
    pair->sentence_offsets = read.sentence_offsets;
    if (outcome != DONE)
        return outcome;
    Columns columns = {types, read.sentence_offsets, pair->text_offsets, 2};
    pairs->peers = (Side){columns, both, 1};
    pairs->models = (Side){columns, both + 1, 1};
    /* The cache has numbered the stems of many pairs, so tables by type would be large without
     * renumbering. */
    pairs->n_types = pair->forms ? renumber_types(types, read.n_tokens) : read.n_types;
    measure_pairs(pairs);
    return pairs->n_types == NONE ? NO_MEMORY : DONE;
}

/* With fewer tokens the interpreter's lock is kept: reading the pair takes less time than switching
 * threads. */
#define FEW_TOKENS 4096

/* Read a pair and count it. `hits` has room for an entry for every unit, and for newlines and
 * flags. */
static Outcome count_one_pair(LonePair *pair, const Word *texts, int64_t n_tokens, int64_t *hits)
{
    uint8_t flags[2];
    FlaggedTexts flagged;
    begin_flags(&flagged, flags, 1);
    Outcome outcome = read_one_pair(pair, texts, n_tokens, &flagged);
    if (outcome == DONE)
        outcome = count_units(&pair->pairs, &pair->units, hits);
    if (outcome == DONE && pair->has_flags) {
        hits += count_of_units(&pair->units);
        hits[0] = flagged.n_newlines;
        hits[1] = flags[0] | flags[1];
    }
    return outcome;
}

/* Return integers as a tuple. On failure, sets an exception and returns NULL. */
static PyObject *tuple_of(const int64_t *numbers, Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    for (Py_ssize_t place = 0; tuple && place < count; place++) {
        PyObject *number = PyLong_FromLongLong((long long)numbers[place]);
        if (!number || PyTuple_SetItem(tuple, place, number) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* Return the result of `core_count_pair` for two texts. 32 bits must be able to number their
 * tokens. */
static PyObject *count_texts(LonePair *pair, const Word *texts, int64_t n_tokens)
{
    Py_ssize_t n_hits = (Py_ssize_t)count_of_units(&pair->units) + 2 * !!pair->has_flags;
    /* The first two entries are numbers of tokens, and the hits follow. */
    int64_t few[16], *counts = n_hits + 2 <= 16 ? memset(few, 0, sizeof few)
                                                : zeros((size_t)n_hits + 2, sizeof(int64_t));
    int has_memory = counts && (!pair->forms || (pair->stems = take_stems(pair->forms)));
    PyThreadState *let_go = n_tokens > FEW_TOKENS ? PyEval_SaveThread() : NULL;
    Outcome outcome =
        has_memory ? count_one_pair(pair, texts, n_tokens, counts + 2) : NO_MEMORY;
    if (let_go)
        PyEval_RestoreThread(let_go);
    if (pair->stems)
        give_back(pair->forms, pair->stems);
    PyObject *result = NULL;
    if (outcome == DONE) {
        counts[0] = pair->pairs.longest_peer;
        counts[1] = pair->pairs.longest_model;
        result = tuple_of(counts, n_hits + 2);
    } else if (!PyErr_Occurred())
        PyErr_NoMemory();
    free(pair->sentence_offsets);
    free(pair->types);
    if (counts != few)
        free(counts);
    return result;
}

/* Return (recall, precision, F). Twin: `score_pair`. */
PyObject *core_score_pair(PyObject *module, PyObject *const *arguments,
                                 Py_ssize_t n_arguments)
{
    int64_t numbers[3];
    double values[N_SCORES];
    (void)module;
    if (n_arguments != 4) {
        PyErr_SetString(PyExc_TypeError, "score_pair takes 4 arguments");
        return NULL;
    }
    for (int number = 0; number < 3; number++)
        numbers[number] = PyLong_AsLongLong(arguments[number]);
    double alpha = PyFloat_AsDouble(arguments[3]);
    if (PyErr_Occurred())
        return NULL;
    WholeCounts counts = {numbers, numbers + 1, numbers, numbers + 2};
    if (!score_counts(&counts, 1, alpha, values)) {
        PyErr_SetString(PyExc_ValueError, "more hits than there can be");
        return NULL;
    }
    return Py_BuildValue("ddd", values[0], values[1], values[2]);
}

/* Return the numbers of tokens of the peer and of the model, the hit of each unit and, if
 * requested, newlines and flags. Like `read_texts`, return None if 32 bits cannot number the
 * tokens. */
PyObject *core_count_pair(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments)
{
    LonePair pair = {.stems = NULL};
    Units *units = &pair.units;
    Word texts[2];
    (void)module;
    if (n_arguments != 8) {
        PyErr_SetString(PyExc_TypeError, "count_pair takes 8 arguments");
        return NULL;
    }
    if (!set_list(arguments[0], &pair.stopwords) || !set_list(arguments[1], &pair.forms))
        return NULL;
    long max_ngram = PyLong_AsLong(arguments[2]);
    units->has_lcs = PyObject_IsTrue(arguments[3]);
    units->has_text_lcs = PyObject_IsTrue(arguments[4]);
    pair.has_flags = PyObject_IsTrue(arguments[5]);
    if (PyErr_Occurred())
        return NULL;
    if (max_ngram < 0 || max_ngram > INT32_MAX / 2) {
        PyErr_SetString(PyExc_ValueError, "no such order of n-grams");
        return NULL;
    }
    units->max_ngram = (int)max_ngram;
    for (int text = 0; text < 2; text++) {
        char *bytes;
        Py_ssize_t length;
        if (PyBytes_AsStringAndSize(arguments[6 + text], &bytes, &length) != 0)
            return NULL;
        texts[text] = (Word){(const uint8_t *)bytes, (size_t)length};
    }
    int64_t n_tokens = most_tokens(texts, 2);
    if (n_tokens > INT32_MAX)
        Py_RETURN_NONE;
    return count_texts(&pair, texts, n_tokens);
}
