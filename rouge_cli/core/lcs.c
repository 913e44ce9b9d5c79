/* ROUGE-L, ROUGE-W and pairwise LCS: the LCS of each model sentence with every peer sentence.
 *
 * Twins: metrics/lcs.py and metrics/weighted_lcs.py, which compare one pair of sentences at a time,
 * with integers of any length as rows. Here a row of 64 bits holds the columns of as many peer
 * sentences as fit, separated by walls: columns that stop carries. ROUGE-W compares with one peer
 * sentence at a time, since its cells are not bits.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define LIMB_BITS 64
enum { MATCH, UP, LEFT };

/* Normally every token of the model is looked up among the peer sentences. If the tokens and
 * sentences of the model are more than this many times the matches, the matches are looked up in
 * the model instead. */
#define FEW 64

/* Memory that an array can reuse; a larger block replaces it if needed. */
typedef struct {
    void *items;
    size_t room;
} Room;

/* Make room for rows of items. Their contents are undefined. Returns NULL if memory runs out. */
static void *room_for(Room *room, size_t n_rows, size_t length, size_t size)
{
    if (length && n_rows > SIZE_MAX / 2 / size / length)
        return NULL;
    if (n_rows * length * size > room->room) {
        free(room->items);
        room->room = 2 * n_rows * length * size;
        room->items = malloc(room->room);
        if (!room->items)
            room->room = 0;
    }
    return room->items;
}

/* The table of some peer sentences and a model sentence, without parts that cannot matter. These
 * are rows without a match, in which backtracking only goes up, and the columns of a gap
 * (consecutive words without a match in the other text) after its first, to which they are equal.
 */
typedef struct {
    int32_t *all_columns;   /* group of each column of the peer; NONE for a gap, and for the wall
                             * that ends each sentence */
    int64_t *starts;        /* first column of each sentence with a match, and the end */
    int64_t n_sentences;    /* number of sentences with a match */
    const int32_t *column_groups; /* columns of the current sentences */
    int32_t width;          /* without the last wall */
    uint64_t walls;         /* walls between the sentences, if there is one limb */
    size_t n_limbs;         /* limbs of a mask, from the lowest columns on */
    int32_t *group_masks;   /* allocation of `mask_of_group`, which starts one item later */
    int32_t *mask_of_group; /* number of each group's mask, also of group NONE, which has index -1;
                             * NONE if the peer sentences lack the group */
    uint64_t *masks;        /* columns of each group in the peer sentences */
    int32_t *mask_groups;   /* group of each mask */
    uint64_t *masks_of_groups; /* masks by group if there is one limb; the first is that of group
                                * NONE */
    int32_t n_masks;
    int32_t *row_tokens;    /* by row with a match: its token of the model */
    int32_t *row_masks;     /* by row with a match: the number of its mask */
    int32_t n_rows;
    Room room_for_columns, room_for_starts, room_for_masks, room_for_stops, room_for_state;
    Room room_for_rows, room_for_cells, room_for_moves, room_for_matches;
    int32_t *first_of_group; /* first token of each group in the model; see `find_occurrences` */
    int32_t *next_of_token;  /* next token of the same group; NONE for the last */
    int has_occurrences;     /* whether these two are set for the current pair */
    int64_t work; /* steps since the last check for an interrupt */
} Table;

static Outcome new_table(Table *table, const Pairs *pairs)
{
    size_t n_groups = (size_t)pairs->longest_peer;
    size_t n_model_tokens = (size_t)pairs->longest_model;
    memset(table, 0, sizeof *table);
    table->group_masks = zeros(n_groups + 1, sizeof(int32_t));
    table->mask_groups = zeros(n_groups + 1, sizeof(int32_t));
    table->masks_of_groups = zeros(n_groups + 1, sizeof(uint64_t));
    table->row_tokens = zeros(n_model_tokens, sizeof(int32_t));
    table->row_masks = zeros(n_model_tokens, sizeof(int32_t));
    table->first_of_group = zeros(n_groups, sizeof(int32_t));
    table->next_of_token = zeros(n_model_tokens, sizeof(int32_t));
    if (!table->group_masks || !table->mask_groups || !table->row_tokens || !table->row_masks ||
        !table->masks_of_groups || !table->first_of_group || !table->next_of_token)
        return NO_MEMORY;
    memset(table->group_masks, 0xFF, (n_groups + 1) * sizeof(int32_t));
    table->mask_of_group = table->group_masks + 1;
    return DONE;
}

static void free_table(Table *table)
{
    free(table->group_masks);
    free(table->mask_groups);
    free(table->masks_of_groups);
    free(table->row_tokens);
    free(table->row_masks);
    free(table->first_of_group);
    free(table->next_of_token);
    free(table->room_for_columns.items);
    free(table->room_for_starts.items);
    free(table->room_for_masks.items);
    free(table->room_for_stops.items);
    free(table->room_for_state.items);
    free(table->room_for_rows.items);
    free(table->room_for_cells.items);
    free(table->room_for_moves.items);
    free(table->room_for_matches.items);
}

/* Set the columns of a peer: matched tokens, the first token of each gap between them, and walls. A
 * sentence without a match has no columns. Twin: `PeerSentence.of`. */
static Outcome set_columns(Table *table, const Matches *matches)
{
    const Text *peer = &matches->peer;
    size_t n_sentences = (size_t)peer->n_sentences;
    int32_t *columns = table->all_columns =
        room_for(&table->room_for_columns, 1, 2 * (size_t)matches->n_peer_places + n_sentences + 2,
                 sizeof(int32_t));
    int64_t *starts = table->starts =
        room_for(&table->room_for_starts, 1, n_sentences + 1, sizeof(int64_t));
    if (!columns || !starts)
        return NO_MEMORY;
    const int32_t *place = matches->peer_places, *end = place + matches->n_peer_places;
    int64_t width = 0;
    int32_t next = 0;
    starts[0] = 0;
    table->n_sentences = 0;
    for (int64_t sentence = 1; place < end; sentence++) {
        int32_t last = sentence_start(peer, sentence);
        for (; place < end && *place < last; next = *place++ + 1) {
            columns[width] = NONE;
            width += *place != next;
            columns[width++] = matches->peer_groups[*place];
        }
        if (width > starts[table->n_sentences]) {
            columns[width] = NONE;
            width += next != last;
            columns[width++] = NONE;
            starts[++table->n_sentences] = width;
        }
        next = last;
    }
    return DONE;
}

/* Return the end of the sentences from `first` on that are processed together: as many as fit into
 * one limb, but at least one. */
static int64_t end_of_set(const Table *table, int64_t first, int is_weighted)
{
    int64_t end = first + 1;
    while (!is_weighted && end < table->n_sentences &&
           table->starts[end + 1] - 1 - table->starts[first] <= LIMB_BITS)
        end++;
    return end;
}

/* Number the groups of the columns, and set their bits in the masks. */
static Outcome set_long_masks(Table *table)
{
    table->n_masks = 0;
    for (int32_t column = 0; column < table->width; column++) {
        int32_t group = table->column_groups[column];
        if (group != NONE && table->mask_of_group[group] == NONE) {
            table->mask_of_group[group] = table->n_masks;
            table->mask_groups[table->n_masks++] = group;
        }
    }
    size_t n_masks = (size_t)table->n_masks;
    table->masks = room_for(&table->room_for_masks, n_masks, table->n_limbs, sizeof(uint64_t));
    if (!table->masks)
        return NO_MEMORY;
    memset(table->masks, 0, n_masks * table->n_limbs * sizeof(uint64_t));
    for (int32_t column = 0; column < table->width; column++) {
        int32_t group = table->column_groups[column];
        if (group == NONE)
            continue;
        uint64_t *mask = table->masks + (size_t)table->mask_of_group[group] * table->n_limbs;
        mask[column / LIMB_BITS] |= UINT64_C(1) << column % LIMB_BITS;
    }
    return DONE;
}

/* Set the masks if the columns fit into one limb. Group NONE has a mask too, which is never used.
 */
static Outcome set_masks(Table *table)
{
    uint64_t *masks = room_for(&table->room_for_masks, 1, LIMB_BITS + 1, sizeof(uint64_t));
    if (!masks)
        return NO_MEMORY;
    *masks++ = 0;
    table->masks = masks;
    table->n_masks = 0;
    for (int32_t column = 0; column < table->width; column++) {
        int32_t group = table->column_groups[column], known = table->mask_of_group[group];
        int is_new = (group != NONE) & (known == NONE);
        int32_t mask = is_new ? table->n_masks : known;
        masks[mask] = (is_new ? 0 : masks[mask]) | UINT64_C(1) << column;
        table->mask_of_group[group] = mask;
        table->mask_groups[table->n_masks] = group;
        table->n_masks += is_new;
    }
    return DONE;
}

/* Make some peer sentences the current ones. */
static void set_sentences(Table *table, int64_t first, int64_t end)
{
    int64_t start = table->starts[first];
    table->column_groups = table->all_columns + start;
    table->width = (int32_t)(table->starts[end] - 1 - start);
    table->walls = 0;
    for (int64_t sentence = first + 1; sentence < end; sentence++)
        table->walls |= UINT64_C(1) << (table->starts[sentence] - 1 - start);
    table->n_limbs = ((size_t)table->width + LIMB_BITS - 1) / LIMB_BITS;
}

/* Set the masks of the current peer sentences. */
static Outcome enter_sentences(Table *table)
{
    return table->n_limbs == 1 ? set_masks(table) : set_long_masks(table);
}

static void leave_sentences(Table *table)
{
    for (int32_t mask = 0; mask < table->n_masks; mask++)
        table->mask_of_group[table->mask_groups[mask]] = NONE;
}

static inline int32_t mask_of(const Table *table, int32_t group)
{
    return table->mask_of_group[group];
}

/* Find the rows of a model sentence that have a match. */
static void find_rows(Table *table, const int32_t *groups, int32_t first, int32_t last)
{
    table->n_rows = 0;
    for (int32_t token = first; token < last; token++) {
        int32_t mask = mask_of(table, groups[token]);
        table->row_tokens[table->n_rows] = token;
        table->row_masks[table->n_rows] = mask;
        table->n_rows += mask != NONE;
    }
}

/* Backtracking needs all rows of a table, from the last one on. The rows of two books would fill
 * the memory. So of a table above this size, in bytes, only the states before blocks of rows are
 * kept, and each block is filled again when backtracking reaches it. Twin: `rows_backwards`. */
#ifndef MOST_KEPT
#define MOST_KEPT (1 << 26)
#endif

/* Return the number of rows per block: all rows if they fit; otherwise a block takes about as much
 * memory as all states together. */
static int32_t rows_of_block(int32_t n_rows, size_t row_bytes, size_t state_bytes)
{
    int32_t n_of_block = 1;
    if ((size_t)n_rows <= MOST_KEPT / row_bytes)
        return n_rows;
    double n_squared = (double)n_rows / (double)row_bytes * (double)state_bytes;
    while ((double)n_of_block * n_of_block < n_squared)
        n_of_block *= 2;
    return n_of_block < n_rows ? n_of_block : n_rows;
}

/* Return the number of rows of the block that starts at `first`. The last block may be shorter. */
static int32_t rows_from(int32_t first, int32_t n_of_block, int32_t n_rows)
{
    return n_rows - first < n_of_block ? n_rows - first : n_of_block;
}

/* Compute M | E, the columns in which backtracking stops, for the rows of a block. */
static Outcome fill_stops(Table *table, int32_t first, int32_t n_rows, size_t n_limbs,
                          uint64_t *state, uint64_t *stops)
{
    for (int32_t row = first; row < first + n_rows; row++) {
        const uint64_t *mask = table->masks + (size_t)table->row_masks[row] * table->n_limbs;
        uint64_t carry = 0;
        for (size_t limb = 0; limb < n_limbs; limb++) {
            uint64_t matched = state[limb] & mask[limb];
            uint64_t total = state[limb] + matched + carry;
            uint64_t carries = matched | (state[limb] & ~total);
            carry = carries >> (LIMB_BITS - 1);
            stops[limb] = mask[limb] | carries;
            state[limb] = total | (state[limb] ^ matched);
        }
        stops += table->n_limbs;
        if (has_to_end(&table->work, (int64_t)n_limbs))
            return INTERRUPTED;
    }
    return DONE;
}

/* Return the last column with a match at or before `column`. There must be one. */
static int32_t nearest_match(const uint64_t *mask, int32_t column)
{
    int32_t limb = column / LIMB_BITS;
    uint64_t word = mask[limb] & ((UINT64_C(2) << column % LIMB_BITS) - 1);
    while (word == 0)
        word = mask[--limb];
    return limb * LIMB_BITS + highest_bit(word);
}

/* Mark the rows of a block that are on the LCS: backtrack from a column, and set the column where
 * the block before it continues. */
static void mark_stops(const Table *table, int32_t first, int32_t n_rows, const uint64_t *stops,
                       int32_t *column, uint8_t *is_marked)
{
    size_t n_limbs = table->n_limbs;
    for (int32_t row = first + n_rows - 1; row >= first && *column >= 0; row--) {
        uint64_t word = stops[(size_t)(row - first) * n_limbs + (size_t)*column / LIMB_BITS];
        if (word >> *column % LIMB_BITS & 1) {
            is_marked[table->row_tokens[row]] = 1;
            const uint64_t *mask = table->masks + (size_t)table->row_masks[row] * n_limbs;
            *column = nearest_match(mask, *column) - 1;
        }
    }
}

/* Mark the rows on the LCS of one peer sentence of any length. Twin: `matched_words`. */
static Outcome mark_long_lcs(Table *table, uint8_t *is_marked)
{
    size_t n_limbs = table->n_limbs, row_bytes = n_limbs * sizeof(uint64_t);
    int32_t n_rows = table->n_rows, n_of_block = rows_of_block(n_rows, row_bytes, row_bytes);
    int32_t n_blocks = (n_rows - 1) / n_of_block + 1, column = table->width - 1;
    uint64_t *stops = room_for(&table->room_for_stops, (size_t)n_of_block, n_limbs, 8);
    /* One more than the blocks, as the state before a block is kept while it is filled. */
    uint64_t *states = room_for(&table->room_for_state, (size_t)n_blocks + 1, n_limbs, 8);
    if (!stops || !states)
        return NO_MEMORY;
    memset(states, 0xFF, row_bytes);
    for (int32_t block = 0; block < n_blocks; block++) {
        uint64_t *state = states + (size_t)block * n_limbs, *next = state + n_limbs;
        int32_t first = block * n_of_block;
        memcpy(next, state, row_bytes);
        if (fill_stops(table, first, rows_from(first, n_of_block, n_rows), n_limbs, next, stops))
            return INTERRUPTED;
    }
    for (int32_t block = n_blocks - 1; block >= 0 && column >= 0; block--) {
        uint64_t *state = states + (size_t)block * n_limbs;
        int32_t first = block * n_of_block, n_some = rows_from(first, n_of_block, n_rows);
        size_t n_left = (size_t)column / LIMB_BITS + 1;
        if (block < n_blocks - 1 && fill_stops(table, first, n_some, n_left, state, stops))
            return INTERRUPTED;
        mark_stops(table, first, n_some, stops, &column, is_marked);
    }
    return DONE;
}

/* Move each cursor to the left of the nearest match in its row. A cursor in a wall stays there,
 * since no row has a match in it. */
static inline uint64_t moved(uint64_t cursors, uint64_t mask)
{
    uint64_t matches = cursors & mask;
    for (uint64_t left = cursors & ~mask; left; left &= left - 1)
        matches |= UINT64_C(1) << highest_bit(mask & (left ^ (left - 1)));
    return matches >> 1;
}

/* Mark the rows on the LCS of each peer sentence, if all of them share one limb. Each sentence has
 * a cursor: a bit at its current column. */
static Outcome mark_lcs(Table *table, uint8_t *is_marked)
{
    uint64_t *stops =
        room_for(&table->room_for_stops, (size_t)table->n_rows, 1, sizeof(uint64_t));
    if (!stops)
        return NO_MEMORY;
    uint64_t state = ~table->walls;
    for (int32_t row = 0; row < table->n_rows; row++) {
        uint64_t mask = table->masks[table->row_masks[row]];
        uint64_t matched = state & mask;
        uint64_t total = state + matched;
        stops[row] = mask | (state & ~total);
        state = (total | (state ^ matched)) & ~table->walls;
    }
    uint64_t cursors = table->walls >> 1 | UINT64_C(1) << (table->width - 1);
    for (int32_t row = table->n_rows - 1; row >= 0; row--) {
        uint64_t stopped = cursors & stops[row];
        if (stopped) {
            is_marked[table->row_tokens[row]] = 1;
            uint64_t mask = table->masks[table->row_masks[row]];
            cursors = (cursors ^ stopped) | moved(stopped, mask);
        }
    }
    return DONE;
}

/* Return whether two matches are diagonally adjacent. Twin: `has_runs`. */
static int has_runs(const Table *table)
{
    for (int32_t row = 1; row < table->n_rows; row++) {
        if (table->row_tokens[row] != table->row_tokens[row - 1] + 1)
            continue;
        const uint64_t *before = table->masks + (size_t)table->row_masks[row - 1] * table->n_limbs;
        const uint64_t *here = table->masks + (size_t)table->row_masks[row] * table->n_limbs;
        uint64_t carry = 0;
        for (size_t limb = 0; limb < table->n_limbs; limb++) {
            if ((before[limb] << 1 | carry) & here[limb])
                return 1;
            carry = before[limb] >> (LIMB_BITS - 1);
        }
    }
    return 0;
}

/* A cell of a row of the weighted table. */
typedef struct {
    double score;
    int32_t run;
} Cell;

/* Fill the first columns of a row of the weighted table. Before, `cells` has the row above. */
static void fill_weighted_row(const Table *table, int32_t n_columns, int32_t group,
                              const Weights *f, Cell *cells, uint8_t *moves)
{
    Cell diagonal = cells[0];
    double left = 0;
    for (int32_t column = 0; column < n_columns; column++) {
        Cell above = cells[column + 1], *cell = &cells[column + 1];
        if (group != NONE && table->column_groups[column] == group) {
            cell->score = diagonal.score + f->added[diagonal.run + 1] -
                          f->subtracted[diagonal.run];
            cell->run = diagonal.run + 1;
            moves[column] = MATCH;
        } else {
            moves[column] = above.score >= left ? UP : LEFT;
            cell->score = above.score >= left ? above.score : left;
            cell->run = 0;
        }
        left = cell->score;
        diagonal = above;
    }
}

/* Find the rows of a model sentence that have a match, and the first row of each gap. Twin:
 * `_without_gaps`. */
static int32_t shorten_rows(const Table *table, const int32_t *groups, int32_t first, int32_t last,
                            int32_t *rows)
{
    int32_t n_rows = 0;
    for (int32_t token = first; token < last; token++)
        if (token == first || mask_of(table, groups[token]) != NONE ||
            mask_of(table, groups[token - 1]) != NONE)
            rows[n_rows++] = token;
    return n_rows;
}

/* Fill rows of the weighted table. Twin: `_fill`. */
static Outcome fill_weighted_rows(Table *table, const int32_t *groups, const int32_t *rows,
                                  int32_t n_rows, int32_t n_columns, const Weights *f, Cell *cells,
                                  uint8_t *moves)
{
    for (int32_t row = 0; row < n_rows; row++) {
        int32_t group = groups[rows[row]];
        if (mask_of(table, group) == NONE)
            group = NONE;
        fill_weighted_row(table, n_columns, group, f, cells, moves);
        moves += table->width;
        if (has_to_end(&table->work, n_columns))
            return INTERRUPTED;
    }
    return DONE;
}

/* Mark the tokens of some rows that are on the weighted LCS: backtrack from the last row and a
 * column, and set the column where the rows before them continue. */
static void follow_moves(const Table *table, const int32_t *rows, int32_t n_rows,
                         const uint8_t *moves, int32_t *column, uint8_t *is_marked)
{
    for (int32_t row = n_rows - 1; row >= 0 && *column >= 0;) {
        uint8_t move = moves[(size_t)row * (size_t)table->width + (size_t)*column];
        if (move == MATCH)
            is_marked[rows[row]] = 1;
        row -= move != LEFT;
        *column -= move != UP;
    }
}

/* Mark the tokens on the weighted LCS. Twin: `weighted_words`. */
static Outcome mark_weighted_lcs(Table *table, const int32_t *groups, int32_t first, int32_t last,
                                 const Weights *f, uint8_t *is_marked)
{
    size_t width = (size_t)table->width, n_cells = width + 1;
    int32_t *rows = room_for(&table->room_for_rows, 1, (size_t)(last - first), sizeof(int32_t));
    if (!rows)
        return NO_MEMORY;
    int32_t n_rows = shorten_rows(table, groups, first, last, rows), column = table->width - 1;
    int32_t n_of_block = rows_of_block(n_rows, width, n_cells * sizeof(Cell));
    int32_t n_blocks = (n_rows - 1) / n_of_block + 1;
    uint8_t *moves = room_for(&table->room_for_moves, (size_t)n_of_block, width, 1);
    /* One more than the blocks, as the state before a block is kept while it is filled. */
    Cell *states = room_for(&table->room_for_cells, (size_t)n_blocks + 1, n_cells, sizeof(Cell));
    if (!moves || !states)
        return NO_MEMORY;
    memset(states, 0, n_cells * sizeof(Cell));
    for (int32_t block = 0; block < n_blocks; block++) {
        Cell *cells = states + (size_t)block * n_cells, *next = cells + n_cells;
        int32_t start = block * n_of_block, n_some = rows_from(start, n_of_block, n_rows);
        memcpy(next, cells, n_cells * sizeof(Cell));
        if (fill_weighted_rows(table, groups, rows + start, n_some, table->width, f, next, moves))
            return INTERRUPTED;
    }
    for (int32_t block = n_blocks - 1; block >= 0 && column >= 0; block--) {
        Cell *cells = states + (size_t)block * n_cells;
        int32_t start = block * n_of_block, n_some = rows_from(start, n_of_block, n_rows);
        if (block < n_blocks - 1 &&
            fill_weighted_rows(table, groups, rows + start, n_some, column + 1, f, cells, moves))
            return INTERRUPTED;
        follow_moves(table, rows + start, n_some, moves, &column, is_marked);
    }
    return DONE;
}

/* Mark the tokens of a model sentence whose rows have been found. */
static Outcome mark_sentence(Table *table, const Matches *matches, int64_t sentence,
                             const Weights *f, uint8_t *is_marked)
{
    if (table->n_rows == 0)
        return DONE;
    if (f && has_runs(table))
        return mark_weighted_lcs(table, matches->model_groups,
                                 sentence_start(&matches->model, sentence),
                                 sentence_start(&matches->model, sentence + 1), f, is_marked);
    return table->n_limbs == 1 ? mark_lcs(table, is_marked) : mark_long_lcs(table, is_marked);
}

/* A row of the table of all model sentences, for peer sentences that share one limb. */
typedef struct {
    uint64_t mask, stops;
    int32_t token, sentence;
} Row;

/* Find the rows of all model sentences. Returns their number. The masks of groups must be 0 before
 * and are 0 afterwards, except for that of NONE, which is undefined. */
static int32_t find_all_rows(const Table *table, const Matches *matches, uint64_t *masks, Row *rows)
{
    const Text *model = &matches->model;
    int32_t n_rows = 0, sentence = 0, last = sentence_start(model, 1);
    for (int32_t column = 0; column < table->width; column++)
        masks[table->column_groups[column]] |= UINT64_C(1) << column;
    for (int32_t place = 0; place < matches->n_model_places; place++) {
        int32_t token = matches->model_places[place];
        while (token >= last)
            last = sentence_start(model, ++sentence + 1);
        uint64_t mask = masks[matches->model_groups[token]];
        rows[n_rows] = (Row){mask, 0, token, sentence};
        n_rows += mask != 0;
    }
    for (int32_t column = 0; column < table->width; column++)
        masks[table->column_groups[column]] = 0;
    return n_rows;
}

/* Mark the rows on the LCS of each model sentence with each current peer sentence. Each peer
 * sentence has a row and a cursor, which are reset for each model sentence. */
static Outcome mark_all_rows(Table *table, const Matches *matches, uint8_t *is_marked)
{
    Row *rows =
        room_for(&table->room_for_stops, (size_t)matches->n_model_places + 1, 1, sizeof(Row));
    if (!rows)
        return NO_MEMORY;
    uint64_t open = ~table->walls, state = open, cursors = 0;
    uint64_t last_columns = table->walls >> 1 | UINT64_C(1) << (table->width - 1);
    int32_t n_rows = find_all_rows(table, matches, table->masks_of_groups + 1, rows);
    int32_t sentence = NONE;
    for (Row *row = rows; row < rows + n_rows; row++) {
        state = row->sentence == sentence ? state : open;
        sentence = row->sentence;
        uint64_t matched = state & row->mask, total = state + matched;
        row->stops = row->mask | (state & ~total);
        state = (total | (state ^ matched)) & open;
    }
    sentence = NONE;
    for (Row *row = rows + n_rows; row-- > rows;) {
        cursors = row->sentence == sentence ? cursors : last_columns;
        sentence = row->sentence;
        uint64_t stopped = cursors & row->stops;
        is_marked[row->token] |= stopped != 0;
        cursors = (cursors ^ stopped) | moved(stopped, row->mask);
    }
    return DONE;
}

/* Mark the tokens of a model on its LCS with the current peer sentences, sentence by sentence. */
static Outcome mark_sentences(Table *table, const Matches *matches, const Weights *f,
                              uint8_t *is_marked)
{
    Outcome outcome = DONE;
    const Text *model = &matches->model;
    for (int64_t sentence = 0; outcome == DONE && sentence < model->n_sentences; sentence++) {
        find_rows(table, matches->model_groups, sentence_start(model, sentence),
                  sentence_start(model, sentence + 1));
        outcome = mark_sentence(table, matches, sentence, f, is_marked);
    }
    return outcome;
}

/* List the tokens of each group in the model, once per pair. */
static void find_occurrences(Table *table, const Matches *matches)
{
    if (table->has_occurrences)
        return;
    table->has_occurrences = 1;
    for (int32_t group = 0; group < matches->n_groups; group++)
        table->first_of_group[group] = NONE;
    for (int32_t token = matches->model.n_tokens - 1; token >= 0; token--) {
        int32_t group = matches->model_groups[token];
        if (group == NONE)
            continue;
        table->next_of_token[token] = table->first_of_group[group];
        table->first_of_group[group] = token;
    }
}

static int compare_tokens(const void *left, const void *right)
{
    int32_t one = *(const int32_t *)left, other = *(const int32_t *)right;
    return (one > other) - (one < other);
}

/* Gather the tokens of the model that match the current peer sentences, in text order. Returns
 * their number. */
static int32_t gather_matches(const Table *table, int32_t *tokens)
{
    int32_t n_found = 0;
    for (int32_t mask = 0; mask < table->n_masks; mask++)
        for (int32_t token = table->first_of_group[table->mask_groups[mask]]; token != NONE;
             token = table->next_of_token[token])
            tokens[n_found++] = token;
    qsort(tokens, (size_t)n_found, sizeof(int32_t), compare_tokens);
    return n_found;
}

/* Return the number of the sentence that contains a token. */
static int64_t sentence_of(const Text *text, int32_t token)
{
    int64_t low = 0, high = text->n_sentences;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (sentence_start(text, middle) <= token)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Like `mark_sentences`, but visit only the tokens of the model that match. */
static Outcome mark_few(Table *table, const Matches *matches, int64_t n_matches, const Weights *f,
                        uint8_t *is_marked)
{
    Outcome outcome = DONE;
    int32_t *tokens = room_for(&table->room_for_matches, 1, (size_t)n_matches, sizeof(int32_t));
    if (!tokens)
        return NO_MEMORY;
    find_occurrences(table, matches);
    int32_t n_found = gather_matches(table, tokens), place = 0;
    while (outcome == DONE && place < n_found) {
        int64_t sentence = sentence_of(&matches->model, tokens[place]);
        int32_t last = sentence_start(&matches->model, sentence + 1);
        table->n_rows = 0;
        for (; place < n_found && tokens[place] < last; place++) {
            table->row_tokens[table->n_rows] = tokens[place];
            table->row_masks[table->n_rows++] =
                mask_of(table, matches->model_groups[tokens[place]]);
        }
        outcome = mark_sentence(table, matches, sentence, f, is_marked);
    }
    return outcome;
}

/* Count the tokens of the model that match the current peer sentences. */
static int64_t count_matches(const Table *table, const Matches *matches)
{
    int64_t n_matches = 0;
    for (int32_t mask = 0; mask < table->n_masks; mask++)
        n_matches += matches->model_counts[table->mask_groups[mask]];
    return n_matches;
}

/* Mark the tokens of a model on the LCS of its sentences with the current peer sentences. */
static Outcome mark_set(Table *table, const Matches *matches, const Weights *f, uint8_t *is_marked)
{
    /* Each column has at least one match, so looking up the matches instead would not pay here. */
    if (table->n_limbs == 1 && !f && matches->n_model_places <= FEW * table->width)
        return mark_all_rows(table, matches, is_marked);
    Outcome outcome = enter_sentences(table);
    int64_t n_matches = outcome == DONE ? count_matches(table, matches) : 0;
    int64_t n_searched = matches->model.n_tokens + matches->model.n_sentences;
    if (n_matches > 0 && n_matches < n_searched / FEW)
        outcome = mark_few(table, matches, n_matches, f, is_marked);
    else if (n_matches > 0)
        outcome = mark_sentences(table, matches, f, is_marked);
    leave_sentences(table);
    return outcome;
}

/* Mark the tokens of a model on its union LCS; `f` is NULL in ROUGE-L. */
static Outcome mark_union(Table *table, const Matches *matches, const Weights *f,
                          uint8_t *is_marked)
{
    const Text *model = &matches->model;
    int64_t end;
    Outcome outcome = set_columns(table, matches);
    memset(is_marked, 0, (size_t)model->n_tokens);
    table->has_occurrences = 0;
    for (int64_t first = 0; outcome == DONE && first < table->n_sentences; first = end) {
        end = end_of_set(table, first, f != NULL);
        set_sentences(table, first, end);
        outcome = mark_set(table, matches, f, is_marked);
        int64_t n_steps = (end - first) * (model->n_tokens + model->n_sentences);
        if (outcome == DONE && has_to_end(&table->work, n_steps))
            outcome = INTERRUPTED;
    }
    return outcome;
}

/* Drop the marks that exceed the counts in the unigram tables. Twin: `clipped`.
 *
 * `left` has the number of tokens of each group that may still count. Returns the number of marks
 * that are kept. A dropped mark becomes USED_UP: it no longer counts, but in ROUGE-W it still keeps
 * a run from ending.
 */
enum { UNMARKED, COUNTED, USED_UP };

static int64_t clip_marks(const Matches *matches, int32_t *left, uint8_t *is_marked)
{
    int64_t n_counted = 0;
    for (int32_t place = 0; place < matches->n_model_places; place++) {
        int32_t token = matches->model_places[place];
        int32_t *left_of_group = &left[matches->model_groups[token]];
        uint8_t mark = is_marked[token], is_left = *left_of_group > 0;
        is_marked[token] = mark * (USED_UP - is_left);
        n_counted += mark & is_left;
        *left_of_group -= mark;
    }
    return n_counted;
}

/* Set the number of tokens of each group that both unigram tables contain. */
static void set_limits(const Matches *matches, int32_t *left)
{
    for (int32_t group = 0; group < matches->n_groups; group++)
        left[group] = shared_count(matches, group);
}

/* Set the limits if the tables belong to other texts than the matches. */
static void set_limits_of_tables(const Matches *matches, const Matcher *matcher,
                                 const Matches *tables, int32_t *left)
{
    for (int32_t place = 0; place < matches->n_model_places; place++) {
        int32_t token = matches->model_places[place];
        int32_t of_table = group_of_type(matcher, tables, matches->model.types[token]);
        left[matches->model_groups[token]] =
            of_table < 0 ? 0 : shared_count(tables, of_table);
    }
}

/* Add up f(length) over the runs of counted tokens, in order. Twin: `runs_of`. */
static double weigh_runs(const Text *model, const uint8_t *is_marked, const double *f)
{
    double hits = 0;
    for (int64_t sentence = 0; sentence < model->n_sentences; sentence++) {
        int32_t last = sentence_start(model, sentence + 1), run = 0;
        for (int32_t token = sentence_start(model, sentence); token < last; token++) {
            if (is_marked[token] != COUNTED)
                continue;
            run++;
            if (token + 1 == last || is_marked[token + 1] == UNMARKED) {
                hits += f[run];
                run = 0;
            }
        }
    }
    return hits;
}

/* Add up f(length) over the sentences of a model, in order. */
static double base_of(const Text *model, const double *f)
{
    double base = 0;
    for (int64_t sentence = 0; sentence < model->n_sentences; sentence++)
        base += f[sentence_start(model, sentence + 1) - sentence_start(model, sentence)];
    return base;
}

struct LcsCounter {
    Table table;
    uint8_t *is_marked; /* by token of the model */
    int32_t *left;      /* by group */
    uint64_t *masks;    /* masks by group, for a peer that fits into one limb; the first is that of
                         * NONE */
};

void free_lcs_counter(LcsCounter *counter)
{
    if (!counter)
        return;
    free_table(&counter->table);
    free(counter->is_marked);
    free(counter->left);
    free(counter->masks);
    free(counter);
}

LcsCounter *new_lcs_counter(const Pairs *pairs)
{
    LcsCounter *counter = zeros(1, sizeof *counter);
    if (!counter)
        return NULL;
    counter->is_marked = zeros((size_t)pairs->longest_model, 1);
    counter->left = zeros((size_t)pairs->longest_peer, sizeof(int32_t));
    counter->masks = zeros((size_t)pairs->longest_peer + 1, sizeof(uint64_t));
    if (new_table(&counter->table, pairs) == DONE && counter->is_marked && counter->left &&
        counter->masks)
        return counter;
    free_lcs_counter(counter);
    return NULL;
}

/* Mark one pair, and drop the marks beyond the limits. `n_counted` becomes the hit of ROUGE-L. */
static Outcome mark_within_limits(LcsCounter *counter, const Matches *matches, const Weights *f,
                                  int64_t *n_counted)
{
    Outcome outcome = mark_union(&counter->table, matches, f, counter->is_marked);
    if (outcome == DONE)
        *n_counted = clip_marks(matches, counter->left, counter->is_marked);
    return outcome;
}

/* Count one pair for ROUGE-L. Twin: `count_union_lcs`. */
Outcome count_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit)
{
    set_limits(matches, counter->left);
    return mark_within_limits(counter, matches, NULL, hit);
}

/* The state of counting when the unigram tables may belong to texts other than the pairs. */
typedef struct {
    LcsCounter *counter;
    Matcher matcher, of_tables;
} Work;

static Outcome new_work(Work *work, const Pairs *pairs, const Pairs *tables)
{
    memset(work, 0, sizeof *work);
    work->counter = new_lcs_counter(pairs);
    if (!work->counter || new_matcher(&work->matcher, pairs) != DONE)
        return NO_MEMORY;
    return tables == pairs ? DONE : new_matcher(&work->of_tables, tables);
}

static void free_work(Work *work)
{
    free_lcs_counter(work->counter);
    free_matcher(&work->matcher);
    free_matcher(&work->of_tables);
}

/* Mark one pair, and clip its marks by the pair's tables. */
static Outcome mark_pair(Work *work, const Matches *matches, const Pairs *tables, int64_t pair,
                         const Weights *f, int64_t *n_counted)
{
    LcsCounter *counter = work->counter;
    if (work->of_tables.marks) {
        Matches of_tables = match_pair(&work->of_tables, tables, pair);
        set_limits_of_tables(matches, &work->of_tables, &of_tables, counter->left);
    } else
        set_limits(matches, counter->left);
    return mark_within_limits(counter, matches, f, n_counted);
}

/* Count all pairs for ROUGE-L. Twin: `count_union_lcs`. */
Outcome count_clipped_lcs(const Pairs *pairs, const Pairs *tables, int64_t *hits)
{
    Work work;
    Outcome outcome = new_work(&work, pairs, tables);
    for (int64_t pair = 0; outcome == DONE && pair < pairs->peers.n_pairs; pair++) {
        Matches matches = match_pair(&work.matcher, pairs, pair);
        outcome = mark_pair(&work, &matches, tables, pair, NULL, &hits[pair]);
    }
    free_work(&work);
    return outcome;
}

/* Set the length of the LCS of one peer sentence and the model sentence whose rows have been found.
 * Twin: `lcs_length`. */
static Outcome lcs_length(Table *table, int64_t *length)
{
    size_t n_limbs = table->n_limbs;
    uint64_t *state = room_for(&table->room_for_state, 1, n_limbs, sizeof(uint64_t));
    if (!state)
        return NO_MEMORY;
    for (size_t limb = 0; limb < n_limbs; limb++)
        state[limb] = UINT64_MAX;
    for (int32_t row = 0; row < table->n_rows; row++) {
        const uint64_t *mask = table->masks + (size_t)table->row_masks[row] * n_limbs;
        uint64_t carry = 0;
        for (size_t limb = 0; limb < n_limbs; limb++) {
            uint64_t matched = state[limb] & mask[limb];
            uint64_t total = state[limb] + matched + carry;
            carry = (matched | (state[limb] & ~total)) >> (LIMB_BITS - 1);
            state[limb] = total | (state[limb] ^ matched);
        }
        if (has_to_end(&table->work, (int64_t)n_limbs))
            return INTERRUPTED;
    }
    *length = 0;
    for (size_t limb = 0; limb < n_limbs; limb++)
        for (uint64_t left = ~state[limb]; left; left &= left - 1)
            ++*length;
    return DONE;
}

/* Set the columns to the matched tokens of a peer, as if it were one sentence. */
static Outcome set_text_columns(Table *table, const Matches *matches)
{
    int32_t *columns = room_for(&table->room_for_columns, 1, (size_t)matches->peer.n_tokens + 1,
                                sizeof(int32_t));
    if (!columns)
        return NO_MEMORY;
    table->column_groups = table->all_columns = columns;
    table->width = 0;
    for (int32_t token = 0; token < matches->peer.n_tokens; token++) {
        int32_t group = matches->peer_groups[token];
        columns[table->width] = group;
        table->width += group != NONE;
    }
    table->n_limbs = ((size_t)table->width + LIMB_BITS - 1) / LIMB_BITS;
    return DONE;
}

/* Return the length of the LCS of a model and a peer that fits into one limb. All rows are
 * processed, even those without a match: the mask of a group that the peer lacks does not change V.
 * The first of the masks is that of group NONE. */
static int64_t short_lcs_length(const Table *table, const Matches *matches, uint64_t *masks)
{
    uint64_t state = UINT64_MAX;
    int64_t length = 0;
    masks[NONE] = 0;
    for (int32_t column = 0; column < table->width; column++)
        masks[table->column_groups[column]] = 0;
    for (int32_t column = 0; column < table->width; column++)
        masks[table->column_groups[column]] |= UINT64_C(1) << column;
    for (int32_t token = 0; token < matches->model.n_tokens; token++) {
        uint64_t matched = state & masks[matches->model_groups[token]];
        state = (state + matched) | (state ^ matched);
    }
    for (uint64_t left = ~state; left; left &= left - 1)
        length++;
    return length;
}

/* Count one pair for the LCS of whole texts. Twin: `count_text_lcs`. Nothing is clipped, so the
 * lengths suffice and no word has to be marked. */
Outcome count_text_lcs(LcsCounter *counter, const Matches *matches, int64_t *hit)
{
    Table *table = &counter->table;
    Outcome outcome = set_text_columns(table, matches);
    *hit = 0;
    if (outcome != DONE || table->width == 0)
        return outcome;
    if (table->n_limbs == 1) {
        *hit = short_lcs_length(table, matches, counter->masks + 1);
        return has_to_end(&table->work, matches->model.n_tokens) ? INTERRUPTED : DONE;
    }
    outcome = set_long_masks(table);
    if (outcome == DONE) {
        find_rows(table, matches->model_groups, 0, matches->model.n_tokens);
        outcome = lcs_length(table, hit);
    }
    leave_sentences(table);
    return outcome;
}

/* Set the longest LCS of a peer sentence with any model sentence. In `best`, raise the entries of
 * model sentences for which it is the longest so far. */
static Outcome longest_of_peer_sentence(Table *table, const Matches *matches, int64_t *best,
                                        int64_t *longest)
{
    const Text *model = &matches->model;
    *longest = 0;
    for (int64_t sentence = 0; sentence < model->n_sentences; sentence++) {
        int64_t length;
        find_rows(table, matches->model_groups, sentence_start(model, sentence),
                  sentence_start(model, sentence + 1));
        if (table->n_rows == 0)
            continue;
        Outcome outcome = lcs_length(table, &length);
        if (outcome != DONE)
            return outcome;
        if (length > best[sentence])
            best[sentence] = length;
        if (length > *longest)
            *longest = length;
    }
    return has_to_end(&table->work, model->n_tokens + model->n_sentences) ? INTERRUPTED : DONE;
}

/* Sum the longest LCS of each sentence of a pair, on both sides. `best` has room for an entry per
 * model sentence. */
static Outcome add_longest(Table *table, const Matches *matches, int64_t *best, int64_t *hit,
                           int64_t *peer_hit)
{
    int64_t longest, n_sentences = matches->model.n_sentences;
    Outcome outcome = set_columns(table, matches);
    memset(best, 0, (size_t)n_sentences * sizeof *best);
    *hit = *peer_hit = 0;
    for (int64_t sentence = 0; outcome == DONE && sentence < table->n_sentences; sentence++) {
        set_sentences(table, sentence, sentence + 1);
        outcome = enter_sentences(table);
        if (outcome == DONE)
            outcome = longest_of_peer_sentence(table, matches, best, &longest);
        if (outcome == DONE)
            *peer_hit += longest;
        leave_sentences(table);
    }
    for (int64_t sentence = 0; sentence < n_sentences; sentence++)
        *hit += best[sentence];
    return outcome;
}

/* Return the largest number of sentences in any text of a side. */
static int64_t most_sentences(const Side *side)
{
    int64_t most = 0;
    for (int64_t pair = 0; pair < side->n_pairs; pair++) {
        int64_t n_sentences = text_of(side, pair).n_sentences;
        if (n_sentences > most)
            most = n_sentences;
    }
    return most;
}

/* Count all pairs for pairwise LCS. Twin: `count_pairwise_lcs`. */
Outcome count_pairwise_lcs(const Pairs *pairs, int64_t *hits, int64_t *peer_hits)
{
    Work work;
    Outcome outcome = new_work(&work, pairs, pairs);
    int64_t *best = zeros((size_t)most_sentences(&pairs->models), sizeof(int64_t));
    if (!best)
        outcome = NO_MEMORY;
    for (int64_t pair = 0; outcome == DONE && pair < pairs->peers.n_pairs; pair++) {
        Matches matches = match_pair(&work.matcher, pairs, pair);
        outcome = add_longest(&work.counter->table, &matches, best, &hits[pair], &peer_hits[pair]);
    }
    free(best);
    free_work(&work);
    return outcome;
}

/* Count all pairs for ROUGE-W. Twin: `RougeW.count_pair`. */
Outcome count_wlcs(const Pairs *pairs, const Pairs *tables, const Weights *f, double *hits,
                   double *bases)
{
    Work work;
    int64_t n_counted;
    Outcome outcome = new_work(&work, pairs, tables);
    for (int64_t pair = 0; outcome == DONE && pair < pairs->peers.n_pairs; pair++) {
        Matches matches = match_pair(&work.matcher, pairs, pair);
        outcome = mark_pair(&work, &matches, tables, pair, f, &n_counted);
        if (outcome == DONE) {
            hits[pair] = weigh_runs(&matches.model, work.counter->is_marked, f->powers);
            bases[pair] = base_of(&matches.model, f->powers);
        }
    }
    free_work(&work);
    return outcome;
}

/* Mark the tokens on the LCS of two sentences in both texts. `cells` has room for the whole table.
 */
static void mark_both(const Text *peer, const Text *model, int64_t peer_sentence,
                      int64_t model_sentence, int32_t *cells, uint8_t *peer_marks,
                      uint8_t *model_marks)
{
    int32_t first_column = sentence_start(peer, peer_sentence);
    int32_t first_row = sentence_start(model, model_sentence);
    int32_t column = sentence_start(peer, peer_sentence + 1) - first_column;
    int32_t row = sentence_start(model, model_sentence + 1) - first_row;
    const int32_t *columns = peer->types + first_column, *rows = model->types + first_row;
    size_t width = (size_t)column + 1;
    memset(cells, 0, width * sizeof *cells);
    for (int32_t i = 0; i < row; i++) {
        int32_t *above = cells + i * width, *cell = above + width;
        cell[0] = 0;
        for (int32_t j = 0; j < column; j++) {
            int32_t most = above[j + 1] > cell[j] ? above[j + 1] : cell[j];
            cell[j + 1] = rows[i] == columns[j] ? above[j] + 1 : most;
        }
    }
    while (row && column) {
        const int32_t *cell = cells + row * width + column;
        if (rows[row - 1] == columns[column - 1]) {
            row--, column--;
            peer_marks[first_column + column] = model_marks[first_row + row] = 1;
        } else if (cell[-(ptrdiff_t)width] >= cell[-1])
            row--;
        else
            column--;
    }
}

/* Mark the tokens of both texts of each pair that are on the LCS of any two sentences. Twin:
 * `aligned`. Why not with bits? Only texts that are displayed are marked, so whole tables of
 * numbers are fast enough. */
Outcome mark_lcs_words(const Pairs *pairs, uint8_t *peer_marks, uint8_t *model_marks)
{
    size_t width = (size_t)longest_sentence(&pairs->peers) + 1;
    size_t height = (size_t)longest_sentence(&pairs->models) + 1;
    int32_t *cells = malloc(width * height * sizeof(int32_t));
    if (!cells)
        return NO_MEMORY;
    for (int64_t pair = 0; pair < pairs->peers.n_pairs; pair++) {
        Text peer = text_of(&pairs->peers, pair), model = text_of(&pairs->models, pair);
        for (int64_t row = 0; row < model.n_sentences; row++)
            for (int64_t column = 0; column < peer.n_sentences; column++)
                mark_both(&peer, &model, column, row, cells, peer_marks, model_marks);
        peer_marks += peer.n_tokens;
        model_marks += model.n_tokens;
    }
    free(cells);
    return DONE;
}
