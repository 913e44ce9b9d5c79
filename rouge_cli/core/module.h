/* Declarations shared by the files that know Python; see module.c. */
#ifndef ROUGE_CLI_MODULE_H
#define ROUGE_CLI_MODULE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "core.h"

#define WORD_LIST "rouge_cli.core.WordList"
#define PAIRS "rouge_cli.core.Pairs"
#define VOCABULARY "rouge_cli.core.Vocabulary"
#define PAIR_INDEX "rouge_cli.core.PairIndex"

/* Buffers that were requested from Python and must be released. */
typedef struct {
    Py_buffer views[12];
    int n_views;
} Arrays;

void release(Arrays *arrays);

/* Return the items of an array and set their number. On failure, sets an exception and returns
 * NULL. */
void *items_of(Arrays *arrays, PyObject *array, size_t item_size, int flags, int64_t *count);

/* Return the items of an array that must have a given number of them. */
void *exactly(Arrays *arrays, PyObject *array, size_t item_size, int flags, int64_t count);

int are_below(const int32_t *numbers, int64_t count, int64_t end);
int are_ascending(const int64_t *offsets, int64_t count, int64_t most);

/* Return None if the work is done and no exception is set. Otherwise return NULL, with a
 * MemoryError if there is no other exception. */
PyObject *result_of(Arrays *arrays, Outcome outcome);

/* Allocate items in a bytearray that NumPy can write to. It starts empty and grows: if one of the
 * full size cannot be allocated, Python 3.11 also prints a SystemError. */
PyObject *new_items(int64_t count, size_t size);

/* Set the word list of a capsule, or NULL for None. On failure, sets an exception and returns 0. */
int set_list(PyObject *capsule, WordList **list);

void lock_shared(void);
void unlock_shared(void);

/* Take a free cache of stems, which must be given back. On failure, sets an exception and returns
 * NULL. */
StemCache *take_stems(WordList *forms);
void give_back(WordList *forms, StemCache *cache);

/* Take a vocabulary, which one thread at a time can use. On failure, sets an exception and returns
 * NULL. */
StemCache *take_vocabulary(PyObject *capsule);
void give_back_vocabulary(StemCache *vocabulary);

/* Return an upper bound for the number of tokens of texts. */
int64_t most_tokens(const Word *texts, Py_ssize_t n_texts);

/* The functions of the module. Those called for single pairs take an array of arguments, not a
 * tuple. */
#define DECLARE(name) PyObject *core_##name(PyObject *module, PyObject *arguments)
#define DECLARE_FAST(name) \
    PyObject *core_##name(PyObject *module, PyObject *const *arguments, Py_ssize_t n_arguments)

DECLARE(match_pairs);
DECLARE(mark_firsts);
DECLARE(count_units);
DECLARE(count_clipped_lcs);
DECLARE(count_pairwise_lcs);
DECLARE(mark_lcs_words);
DECLARE(count_wlcs);
DECLARE(count_skip_bigrams);
DECLARE(choose_sentences);
DECLARE(count_fragments);
DECLARE(count_novel);
DECLARE(sum_models);
DECLARE(score_counts);
DECLARE(draw);
DECLARE(sum_drawn);
DECLARE(draw_means);
DECLARE(read_texts);
DECLARE_FAST(count_pair);
DECLARE_FAST(score_pair);
DECLARE(flag_texts);
DECLARE(number_words);
DECLARE(nltk_stem);
DECLARE(word_list);
DECLARE(vocabulary);
DECLARE(score_pairs);
DECLARE(pair_index);
DECLARE(use_index);

#endif
