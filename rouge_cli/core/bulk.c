/* Scores of many pairs: all pairs of two lists of texts, or those above a threshold.
 *
 * A text is a sequence of items: of words for the LCS of whole texts, of units for ROUGE-N. A unit
 * is an n-gram together with the number of its earlier occurrences in the text. So no text has a
 * unit twice, and the hits of ROUGE-N are the units that two texts share. Twins: `score_pairs` in
 * bulk/pairs.py and `TextIndex` in bulk/above.py.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

/* Several rows are counted side by side, each in a lane. The additions for one LCS have to wait for
 * each other, but those for different lanes do not. For units, a lane is a byte that tells whether
 * the row has the unit. */
#define BITS 64
#define LCS_LANES 16
#define FEW_LANES 8 /* for few rows, and for long rows, of which more would not fit in the cache */
#define UNIT_LANES 128
#define LONGEST_SHORT (2 * BITS)
#define SLOTS_EMPTIED 16 /* slots whose masks are cleared together */
#define MOST_OF_BYTE 255 /* units that a byte can count */
#define MOST_LIMBS (MOST_IN_LANES / BITS)

#define STEPS_PER_TEXT 16
#define STEPS_PER_ITEM 4

static inline int64_t length_of(const Sequences *texts, int64_t text)
{
    return texts->offsets[text + 1] - texts->offsets[text];
}

static int64_t longest_of(const Sequences *texts)
{
    int64_t longest = 0;
    for (int64_t text = 0; text < texts->n_texts; text++)
        longest = length_of(texts, text) > longest ? length_of(texts, text) : longest;
    return longest;
}

static inline int count_bits(uint64_t limb)
{
    limb -= limb >> 1 & UINT64_C(0x5555555555555555);
    limb = (limb & UINT64_C(0x3333333333333333)) + (limb >> 2 & UINT64_C(0x3333333333333333));
    limb = (limb + (limb >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    limb += limb >> 8;
    limb += limb >> 16;
    return (int)((limb + (limb >> 32)) & 0x7F);
}

/* The rows in the lanes. Each of their items has a slot of its own; all other items share slot 0.
 */
typedef struct {
    int is_lcs;
    int32_t *slots;  /* by item */
    int32_t *kept;   /* slots of a column's items, without slot 0 */
    size_t n_slots, n_lanes, n_limbs;
    uint64_t *masks; /* by slot. For the LCS: the positions in the row as bits, by limb and lane.
                      * For units: a byte per lane, 1 if the row has the unit */
} Lanes;

static void free_lanes(Lanes *lanes)
{
    free(lanes->slots);
    free(lanes->kept);
    free(lanes->masks);
}

/* Return the number of limbs per slot if the longest row has this length. */
static size_t limbs_of_slot(const Lanes *lanes, int64_t longest)
{
    size_t n_limbs = (size_t)(longest + BITS - 1) / BITS;
    return lanes->is_lcs ? (n_limbs ? n_limbs : 1) * lanes->n_lanes : (lanes->n_lanes + 7) / 8;
}

/* Return the most limbs that all slots can need together if the longest row has this length. */
static size_t limbs_of_rows(const Lanes *lanes, int64_t longest, int64_t n_items)
{
    size_t n_slots = lanes->n_lanes * (size_t)longest;
    n_slots = n_slots < (size_t)n_items ? n_slots : (size_t)n_items;
    return (n_slots + 1 + SLOTS_EMPTIED) * limbs_of_slot(lanes, longest);
}

/* Make room for rows and columns of up to these lengths, and for at most `n_lanes` lanes. */
static Outcome new_lanes(Lanes *lanes, int is_lcs, size_t n_lanes, int64_t longest_row,
                         int64_t longest_column, int64_t n_items)
{
    *lanes = (Lanes){.is_lcs = is_lcs, .n_lanes = n_lanes};
    int64_t longest = !is_lcs || longest_row < LONGEST_SHORT ? longest_row : LONGEST_SHORT;
    size_t room = limbs_of_rows(lanes, longest, n_items);
    if (longest_row > longest) {
        lanes->n_lanes = n_lanes < FEW_LANES ? n_lanes : FEW_LANES;
        size_t room_of_few = limbs_of_rows(lanes, longest_row, n_items);
        room = room_of_few > room ? room_of_few : room;
    }
    lanes->slots = zeros((size_t)n_items, sizeof(int32_t));
    lanes->kept = malloc(((size_t)longest_column + 1) * sizeof(int32_t));
    lanes->masks = malloc(room * 8);
    return lanes->slots && lanes->kept && lanes->masks ? DONE : NO_MEMORY;
}

/* Return the slot of a row's item, taking a new one if needed. New slots are cleared in batches. */
static inline size_t slot_of_item(Lanes *lanes, int32_t item, size_t stride)
{
    if (!lanes->slots[item]) {
        lanes->slots[item] = (int32_t)++lanes->n_slots;
        if (lanes->n_slots % SLOTS_EMPTIED == 1)
            memset(lanes->masks + lanes->n_slots * stride, 0, SLOTS_EMPTIED * stride * 8);
    }
    return (size_t)lanes->slots[item];
}

static void fill_lanes(Lanes *lanes, const Sequences *rows, const int64_t *order, size_t n_rows)
{
    int64_t longest = 1;
    for (size_t lane = 0; lane < n_rows; lane++)
        longest = length_of(rows, order[lane]) > longest ? length_of(rows, order[lane]) : longest;
    lanes->n_limbs = (size_t)(longest + BITS - 1) / BITS;
    size_t stride = limbs_of_slot(lanes, longest);
    for (size_t lane = 0; lane < n_rows; lane++) {
        const int32_t *items = rows->items + rows->offsets[order[lane]];
        size_t length = (size_t)length_of(rows, order[lane]);
        for (size_t place = 0; place < length; place++) {
            uint64_t *masks = lanes->masks + slot_of_item(lanes, items[place], stride) * stride;
            if (lanes->is_lcs)
                masks[place / BITS * lanes->n_lanes + lane] |= UINT64_C(1) << place % BITS;
            else
                ((uint8_t *)masks)[lane] = 1;
        }
    }
}

static void empty_lanes(Lanes *lanes, const Sequences *rows, const int64_t *order, size_t n_rows)
{
    for (size_t lane = 0; lane < n_rows; lane++)
        for (int64_t item = rows->offsets[order[lane]]; item < rows->offsets[order[lane] + 1];
             item++)
            lanes->slots[rows->items[item]] = 0;
    lanes->n_slots = 0;
}

/* Keep the slots of a column's items, except slot 0, which most items have. There is no branch,
 * since it would be mispredicted. */
static inline int64_t keep_slots(const Lanes *lanes, const int32_t *items, int64_t n_items)
{
    int64_t n_kept = 0;
    for (int64_t item = 0; item < n_items; item++) {
        int32_t slot = lanes->slots[items[item]];
        lanes->kept[n_kept] = slot;
        n_kept += slot != 0;
    }
    return n_kept;
}

/* A vector holds four lanes, if the compiler has vectors. */
#ifdef __GNUC__
#define WIDTH 4
typedef uint64_t Vector __attribute__((vector_size(8 * WIDTH), aligned(8)));
#else
#define WIDTH 1
typedef uint64_t Vector;
#endif

#define UNIT_VECTORS (UNIT_LANES / 8 / WIDTH)

/* Count the LCS of each lane; see metrics/lcs.py. Callers pass literal numbers of vectors and
 * limbs, so that the compiler can keep rows in registers. */
INLINE void count_lanes(const Lanes *lanes, int64_t n_kept, size_t n_vectors, size_t n_limbs,
                        Vector *rows, int32_t *hits)
{
    for (size_t place = 0; place < n_limbs * n_vectors; place++)
        rows[place] = ~(Vector){0};
    for (int64_t place = 0; place < n_kept; place++) {
        size_t slot = (size_t)lanes->kept[place] * n_limbs * n_vectors;
        const Vector *masks = (const Vector *)lanes->masks + slot;
        for (size_t vector = 0; vector < n_vectors; vector++) {
            Vector carry = {0};
            for (size_t limb = 0; limb < n_limbs; limb++) {
                Vector row = rows[limb * n_vectors + vector];
                Vector mask = masks[limb * n_vectors + vector], matched = row & mask;
                Vector sum = row + matched + carry;
                carry = (matched | (row & ~sum)) >> (BITS - 1);
                rows[limb * n_vectors + vector] = sum | (row & ~mask);
            }
        }
    }
    size_t n_lanes = n_vectors * WIDTH;
    const uint64_t *limbs = (const uint64_t *)rows;
    for (size_t lane = 0; lane < n_lanes; lane++)
        hits[lane] = count_bits(~limbs[lane]);
    for (size_t limb = 1; limb < n_limbs; limb++)
        for (size_t lane = 0; lane < n_lanes; lane++)
            hits[lane] += count_bits(~limbs[limb * n_lanes + lane]);
}

FOR_WIDE_VECTORS
static void count_limb(const Lanes *lanes, int64_t n_kept, int32_t *hits)
{
    Vector rows[LCS_LANES / WIDTH];
    count_lanes(lanes, n_kept, LCS_LANES / WIDTH, 1, rows, hits);
}

FOR_WIDE_VECTORS
static void count_two_limbs(const Lanes *lanes, int64_t n_kept, int32_t *hits)
{
    Vector rows[2 * LCS_LANES / WIDTH];
    count_lanes(lanes, n_kept, LCS_LANES / WIDTH, 2, rows, hits);
}

FOR_WIDE_VECTORS
static void count_limbs(const Lanes *lanes, int64_t n_kept, int32_t *hits)
{
    Vector rows[MOST_LIMBS * FEW_LANES / WIDTH];
    count_lanes(lanes, n_kept, FEW_LANES / WIDTH, lanes->n_limbs, rows, hits);
}

/* Count the LCS if there is only one lane. */
static void count_lane(const Lanes *lanes, int64_t n_kept, int32_t *hits)
{
    uint64_t rows[MOST_LIMBS];
    size_t n_limbs = lanes->n_limbs;
    memset(rows, 0xFF, n_limbs * 8);
    for (int64_t place = 0; place < n_kept; place++) {
        const uint64_t *masks = lanes->masks + (size_t)lanes->kept[place] * n_limbs;
        uint64_t carry = 0;
        for (size_t limb = 0; limb < n_limbs; limb++) {
            uint64_t row = rows[limb], matched = row & masks[limb], sum = row + matched + carry;
            carry = (matched | (row & ~sum)) >> (BITS - 1);
            rows[limb] = sum | (row ^ matched);
        }
    }
    hits[0] = 0;
    for (size_t limb = 0; limb < n_limbs; limb++)
        hits[0] += count_bits(~rows[limb]);
}

/* Add up the bytes of each lane: the units that its row shares with the column. */
FOR_WIDE_VECTORS
static void count_units_of(const Lanes *lanes, int64_t n_kept, int32_t *hits)
{
    memset(hits, 0, UNIT_LANES * sizeof *hits);
    for (int64_t first = 0; first < n_kept; first += MOST_OF_BYTE) {
        int64_t end = n_kept - first < MOST_OF_BYTE ? n_kept : first + MOST_OF_BYTE;
        Vector sums[UNIT_VECTORS] = {{0}};
        for (int64_t place = first; place < end; place++) {
            size_t slot = (size_t)lanes->kept[place];
            for (size_t vector = 0; vector < UNIT_VECTORS; vector++)
                sums[vector] += ((const Vector *)lanes->masks)[slot * UNIT_VECTORS + vector];
        }
        for (size_t lane = 0; lane < UNIT_LANES; lane++)
            hits[lane] += ((const uint8_t *)sums)[lane];
    }
}

/* Count the hits of all lanes with a text. Returns the number of steps of work. */
static int64_t count_hits(const Lanes *lanes, const int32_t *items, int64_t n_items,
                                 int32_t *hits)
{
    int64_t n_kept = keep_slots(lanes, items, n_items);
    if (!lanes->is_lcs && lanes->n_lanes == 1)
        hits[0] = (int32_t)n_kept;
    else if (!lanes->is_lcs)
        count_units_of(lanes, n_kept, hits);
    else if (lanes->n_lanes == 1)
        count_lane(lanes, n_kept, hits);
    else if (lanes->n_lanes < LCS_LANES)
        count_limbs(lanes, n_kept, hits);
    else if (lanes->n_limbs == 1)
        count_limb(lanes, n_kept, hits);
    else
        count_two_limbs(lanes, n_kept, hits);
    return STEPS_PER_TEXT + n_items + n_kept * (int64_t)(lanes->n_limbs * lanes->n_lanes);
}

/* Score the rows in the lanes with all columns. A square is symmetric, so there the columns start
 * at the first of these rows in the order, and each score is written to both of its places. */
static Outcome score_rows(const Lanes *lanes, const PairScores *pairs, const int64_t *order,
                          size_t n_rows, int64_t n_left, int64_t *work)
{
    const Sequences *columns = &pairs->columns;
    const double *bases[UNIT_LANES];
    double *targets[UNIT_LANES];
    int32_t hits[UNIT_LANES];
    for (size_t lane = 0; lane < n_rows; lane++) {
        int64_t length = pairs->row_lengths[order[lane]];
        bases[lane] = pairs->table + length * pairs->n_column_lengths * pairs->n_hits;
        targets[lane] = pairs->scores + order[lane] * columns->n_texts;
    }
    int64_t n_columns = pairs->is_square ? n_left : columns->n_texts;
    for (int64_t place = 0; place < n_columns; place++) {
        int64_t column = pairs->is_square ? order[place] : place;
        const int32_t *items = columns->items + columns->offsets[column];
        int64_t n_steps = count_hits(lanes, items, length_of(columns, column), hits);
        int64_t first = pairs->column_lengths[column] * pairs->n_hits;
        for (size_t lane = 0; lane < n_rows; lane++)
            targets[lane][column] = bases[lane][first + hits[lane]];
        const double *base = pairs->table + first * pairs->n_column_lengths;
        for (size_t lane = 0; pairs->is_square && lane < n_rows; lane++)
            pairs->scores[column * columns->n_texts + order[lane]] =
                base[pairs->row_lengths[order[lane]] * pairs->n_hits + hits[lane]];
        if (has_to_end(work, n_steps))
            return INTERRUPTED;
    }
    return DONE;
}

/* Choose the number of lanes for the next rows. Returns the number of rows to take. */
static size_t set_lanes(Lanes *lanes, const Sequences *rows, const int64_t *order, int64_t n_left)
{
    lanes->n_lanes = lanes->is_lcs ? LCS_LANES : UNIT_LANES;
    size_t n_rows = (size_t)n_left < lanes->n_lanes ? (size_t)n_left : lanes->n_lanes;
    int are_few = n_rows <= FEW_LANES;
    for (size_t row = 0; row < n_rows; row++)
        are_few = are_few || length_of(rows, order[row]) > LONGEST_SHORT;
    if (lanes->is_lcs && are_few)
        lanes->n_lanes = FEW_LANES;
    return n_rows < lanes->n_lanes ? n_rows : lanes->n_lanes;
}

Outcome score_pairs(const PairScores *pairs, const int64_t *order, int64_t n_rows)
{
    Lanes lanes;
    int64_t work = 0;
    size_t n_some;
    size_t most = pairs->is_lcs ? LCS_LANES : UNIT_LANES;
    Outcome outcome = new_lanes(&lanes, pairs->is_lcs, most, longest_of(&pairs->rows),
                                longest_of(&pairs->columns), pairs->n_items);
    for (int64_t row = 0; outcome == DONE && row < n_rows; row += (int64_t)n_some) {
        n_some = set_lanes(&lanes, &pairs->rows, order + row, n_rows - row);
        fill_lanes(&lanes, &pairs->rows, order + row, n_some);
        outcome = score_rows(&lanes, pairs, order + row, n_some, n_rows - row, &work);
        empty_lanes(&lanes, &pairs->rows, order + row, n_some);
    }
    free_lanes(&lanes);
    return outcome;
}

/* Pairs above a threshold.
 *
 * The units of a text are sorted, the rarest first. Two texts that share n units share at least one
 * among the first `length - n + 1` units of each. So only these units of a text get postings, and
 * only these units of a query are looked up (Bayardo, Ma and Srikant 2007, "Scaling up all pairs
 * similarity search"). Most postings are rejected without reading their texts, by two facts in the
 * posting: how many units are left in the text, and a signature with a bit for the hash of each
 * unit. A bit that is missing from the other signature proves that a unit is missing.
 */

struct Term {
    Posting *postings;
    int32_t n_postings, room;
};

void free_pair_index(PairIndex *index)
{
    for (int64_t term = 0; term < index->n_terms; term++)
        free(index->terms[term].postings);
    free(index->terms);
    free(index->ranks);
    free(index->items);
    free(index->offsets);
    free(index);
}

/* A text to look up, in the only lane. Its units are sorted from the rarest on: each key has the
 * rank in its higher half. */
typedef struct {
    Lanes lanes;
    uint64_t *keys;
    int64_t n_units;
    uint64_t signature;
    int32_t *looked; /* by text of the index: number of the last query compared with it */
    int32_t number;
} Query;

static int compare_keys(const void *left, const void *right)
{
    uint64_t one = *(const uint64_t *)left, other = *(const uint64_t *)right;
    return (one > other) - (one < other);
}

#define FEW_KEYS 48 /* up to this number, sorting here is faster than `qsort` */

static void sort_keys(uint64_t *keys, int64_t n_keys)
{
    if (n_keys > FEW_KEYS) {
        qsort(keys, (size_t)n_keys, sizeof *keys, compare_keys);
        return;
    }
    for (int64_t place = 1; place < n_keys; place++) {
        uint64_t key = keys[place];
        int64_t before = place - 1;
        for (; before >= 0 && keys[before] > key; before--)
            keys[before + 1] = keys[before];
        keys[before + 1] = key;
    }
}

/* Set the units of a query. Units without a rank are the rarest. */
static void set_units(Query *query, const PairIndex *index, const int32_t *units, int64_t n_units)
{
    query->n_units = n_units;
    query->signature = 0;
    for (int64_t place = 0; place < n_units; place++) {
        uint32_t unit = (uint32_t)units[place];
        uint64_t rank = unit < index->n_ranked ? (uint64_t)index->ranks[unit] + 1 : 0;
        query->keys[place] = rank << 32 | unit;
        query->signature |= UINT64_C(1) << (unit * GOLDEN_RATIO >> 58);
    }
    sort_keys(query->keys, n_units);
}

/* Grow an array to hold `count` items. Returns 0 if memory runs out. */
static int grow_to(void **items, int64_t count, size_t size)
{
    void *grown = realloc(*items, (size_t)count * size);
    if (grown)
        *items = grown;
    return grown != NULL;
}

static Outcome add_found(FoundPairs *found, FoundPair pair)
{
    if (found->n_pairs == found->room) {
        int64_t room = 2 * found->room + 1024;
        if (!grow_to((void **)&found->pairs, room, sizeof pair))
            return NO_MEMORY;
        found->room = room;
    }
    found->pairs[found->n_pairs++] = pair;
    return DONE;
}

/* Return the position of the first posting of a text with a higher number than `text`. */
static int32_t posting_above(const Term *term, int64_t text)
{
    int32_t first = 0, end = term->n_postings;
    while (first < end) {
        int32_t middle = first + (end - first) / 2;
        if (term->postings[middle].text > text)
            end = middle;
        else
            first = middle + 1;
    }
    return first;
}

/* Return whether a query and the text of a posting may share `least` units. */
static inline int may_share(const Query *query, const Posting *posting, int64_t n_left,
                            int64_t least, const int32_t *n_units)
{
    uint64_t ours = query->signature, theirs = posting->signature;
    return least <= n_left && least <= posting->n_left &&
           count_bits(ours & ~theirs) <= query->n_units - least &&
           count_bits(theirs & ~ours) <= n_units[posting->length] - least;
}

/* Find the texts numbered above `after` that have enough hits with the query. */
static Outcome look_up(const PairIndex *index, Query *query, const LeastHits *least,
                       int32_t length, int64_t after, FoundPairs *found, int64_t *work)
{
    const int32_t *least_with = least->of_pairs + (int64_t)length * least->n_lengths;
    int64_t n_keys = query->n_units - least->of_rows[length] + 1;
    for (int64_t key = 0; key < n_keys; key++) {
        uint32_t unit = (uint32_t)query->keys[key];
        if (unit >= index->n_terms)
            continue;
        const Term *term = &index->terms[unit];
        int32_t first = after < 0 ? 0 : posting_above(term, after);
        if (has_to_end(work, STEPS_PER_TEXT + (term->n_postings - first) * STEPS_PER_ITEM))
            return INTERRUPTED;
        for (int32_t place = first; place < term->n_postings; place++) {
            const Posting *posting = &term->postings[place];
            int32_t needed = least_with[posting->length], text = posting->text;
            int32_t hits[UNIT_LANES];
            if (!may_share(query, posting, query->n_units - key, needed, least->n_units) ||
                query->looked[text] == query->number)
                continue;
            query->looked[text] = query->number;
            *work += count_hits(&query->lanes, index->items + index->offsets[text],
                                index->offsets[text + 1] - index->offsets[text], hits);
            if (hits[0] >= needed &&
                add_found(found, (FoundPair){query->number - 1, text, hits[0]}) != DONE)
                return NO_MEMORY;
        }
    }
    return DONE;
}

/* Make room for `n_terms` terms, and for one more text. */
static Outcome need_index(PairIndex *index, int64_t n_terms, int64_t n_items)
{
    int64_t n_all = index->offsets[index->n_texts] + n_items, room = n_terms + n_terms / 2;
    if (n_terms > index->n_terms) {
        if (!grow_to((void **)&index->terms, room, sizeof(Term)))
            return NO_MEMORY;
        memset(index->terms + index->n_terms, 0, (size_t)(room - index->n_terms) * sizeof(Term));
        index->n_terms = room;
    }
    room = n_all + n_all / 2;
    if (n_all > index->room_for_items) {
        if (!grow_to((void **)&index->items, room, sizeof(int32_t)))
            return NO_MEMORY;
        index->room_for_items = room;
    }
    room = 3 * (index->n_texts + 2) / 2;
    if (index->n_texts + 2 > index->room_for_texts) {
        if (room > INT32_MAX || !grow_to((void **)&index->offsets, room, sizeof(int64_t)))
            return NO_MEMORY;
        index->room_for_texts = room;
    }
    return DONE;
}

static Outcome post(Term *term, Posting posting)
{
    if (term->n_postings == term->room) {
        int64_t room = (int64_t)term->room + term->room / 4 + 2;
        if (room > INT32_MAX || !grow_to((void **)&term->postings, room, sizeof(Posting)))
            return NO_MEMORY;
        term->room = (int32_t)room;
    }
    term->postings[term->n_postings++] = posting;
    return DONE;
}

/* Add the text of a query to the index. */
static Outcome add_text(PairIndex *index, const Query *query, const LeastHits *least,
                        int32_t length, const int32_t *items, int64_t n_items)
{
    int64_t n_keys = query->n_units - least->of_columns[length] + 1, n_terms = 0;
    for (int64_t key = 0; key < n_keys; key++)
        n_terms = (uint32_t)query->keys[key] >= n_terms ? (uint32_t)query->keys[key] + 1 : n_terms;
    if (need_index(index, n_terms, n_items) != DONE)
        return NO_MEMORY;
    /* Count the text before posting it, since memory may run out in between. */
    int32_t text = (int32_t)index->n_texts++;
    index->offsets[text + 1] = index->offsets[text] + n_items;
    if (n_items)
        memcpy(index->items + index->offsets[text], items, (size_t)n_items * sizeof(int32_t));
    for (int64_t key = 0; key < n_keys; key++) {
        uint16_t n_left = (uint16_t)(query->n_units - key);
        Posting posting = {text, (uint16_t)length, n_left, query->signature};
        if (post(&index->terms[(uint32_t)query->keys[key]], posting) != DONE)
            return NO_MEMORY;
    }
    return DONE;
}

static Outcome new_query(Query *query, const PairIndex *index, const IndexTask *task)
{
    size_t n_texts = (size_t)(index->n_texts + task->texts.n_texts);
    int64_t longest = longest_of(&task->texts);
    int64_t most = index->is_lcs ? MOST_IN_LANES : MOST_IN_INDEX;
    query->keys = malloc(((size_t)longest_of(&task->units) + 1) * 8);
    query->looked = zeros(n_texts, sizeof(int32_t));
    Outcome outcome = new_lanes(&query->lanes, index->is_lcs, 1, longest, most, task->n_items);
    return query->keys && query->looked ? outcome : NO_MEMORY;
}

Outcome use_index(PairIndex *index, const IndexTask *task, int64_t *text, FoundPairs *found)
{
    Query query;
    int64_t work = 0;
    Outcome outcome = new_query(&query, index, task);
    for (; outcome == DONE && *text < task->end && found->n_pairs < task->most_found; ++*text) {
        const int32_t *items = task->texts.items + task->texts.offsets[*text];
        int64_t n_items = length_of(&task->texts, *text);
        int64_t after = task->is_triangle ? *text : NONE;
        int32_t length = task->lengths[*text];
        query.number = (int32_t)*text + 1; /* not 0, with which `looked` begins */
        set_units(&query, index, task->units.items + task->units.offsets[*text],
                  length_of(&task->units, *text));
        if (task->is_added) {
            outcome = add_text(index, &query, &task->least, length, items, n_items);
        } else {
            fill_lanes(&query.lanes, &task->texts, text, 1);
            outcome = look_up(index, &query, &task->least, length, after, found, &work);
            empty_lanes(&query.lanes, &task->texts, text, 1);
        }
        if (outcome == DONE && has_to_end(&work, STEPS_PER_TEXT + n_items * STEPS_PER_ITEM))
            outcome = INTERRUPTED;
    }
    free_lanes(&query.lanes);
    free(query.keys);
    free(query.looked);
    return outcome;
}
