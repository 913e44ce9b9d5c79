/* The draws of the bootstrap: how often each resample draws each instance, and the sums of what it
 * draws.
 *
 * Twins: `draw_instances`, `_times_drawn` and `products` in scores/bootstrap.py. The counts of a
 * resample do not depend on the order of its draws. So four generators take turns, each advancing
 * by four draws at a time, and no multiplication has to wait for the one before.
 */
#include "core.h"

#include <stdlib.h>
#include <string.h>

#define MULTIPLIER UINT64_C(25214903917)
#define SHIFT 16 /* states are shifted, so that wrapping around at 64 bits reduces them modulo 2 **
                  * 48 */
#define INCREMENT (UINT64_C(11) << SHIFT)
#define STATES 281474976710656.0 /* 2 ** 48 */
#define N_LANES 4
#define SUMMED_TOGETHER 256 /* bytes whose sum fits into 16 bits */
#define PRODUCTS_SUMMED 64  /* products of a byte and less than MOST_UNITS whose sum fits into 32 */
#define INSTANCES_AT_A_TIME 4096 /* whose units stay in the cache while all resamples need them */

/* The states of four generators. states[0] is the next draw, states[1] the draw after it. */
typedef struct {
    uint64_t states[N_LANES];
    uint64_t factor, term; /* factor and summand of a step that advances by four draws */
    double scale;
} Generator;

static Generator seeded(uint64_t resample, int64_t n_instances)
{
    /* Scaling by a power of two is exact, so the product is rounded once, like N * rand. */
    Generator generator = {.factor = 1, .term = 0, .scale = (double)n_instances / STATES};
    uint64_t state = (resample * 65536 + 13070) << SHIFT;
    for (int lane = 0; lane < N_LANES; lane++) {
        state = state * MULTIPLIER + INCREMENT;
        generator.states[lane] = state;
        generator.factor *= MULTIPLIER;
        generator.term = generator.term * MULTIPLIER + INCREMENT;
    }
    return generator;
}

static inline int64_t index_of(const Generator *generator, int lane)
{
    return (int64_t)((double)(int64_t)(generator->states[lane] >> SHIFT) * generator->scale);
}

static inline void step(Generator *generator, int lane)
{
    generator->states[lane] = generator->states[lane] * generator->factor + generator->term;
}

/* Count the draws of a resample. The counts must be 0 before. They are bytes, so that they stay in
 * the cache. */
static void count_draws(Generator generator, int64_t n_instances, uint8_t *counts)
{
    for (int64_t drawn = 0; drawn + N_LANES <= n_instances; drawn += N_LANES)
        for (int lane = 0; lane < N_LANES; lane++) {
            counts[index_of(&generator, lane)]++;
            step(&generator, lane);
        }
    for (int lane = 0; lane < n_instances % N_LANES; lane++)
        counts[index_of(&generator, lane)]++;
}

/* Return whether the counts add up to the number of draws. Each overflow of a byte reduces the sum
 * by 256. */
static int has_all_draws(const uint8_t *counts, int64_t n_instances)
{
    int64_t n_draws = 0;
    for (int64_t start = 0, end; start < n_instances; start = end) {
        /* The sum of these bytes fits into 16 bits, and processors add four times as many such
         * numbers at once. */
        uint16_t n_here = 0;
        end = n_instances - start < SUMMED_TOGETHER ? n_instances : start + SUMMED_TOGETHER;
        for (int64_t instance = start; instance < end; instance++)
            n_here = (uint16_t)(n_here + counts[instance]);
        n_draws += n_here;
    }
    return n_draws == n_instances;
}

/* Count the draws of each resample, in a row of `counts`. Twin: `_times_drawn`. */
int draw(int64_t n_instances, uint64_t first_resample, int64_t n_resamples, uint8_t *counts)
{
    int are_counted = 1;
    for (int64_t row = 0; row < n_resamples; row++, counts += n_instances) {
        memset(counts, 0, (size_t)n_instances);
        count_draws(seeded(first_resample + (uint64_t)row, n_instances), n_instances, counts);
        are_counted &= has_all_draws(counts, n_instances);
    }
    return are_counted;
}

/* Return the sum of `n` units, each multiplied by its count. */
INLINE int64_t sum_of_products(const uint8_t *counts, const int32_t *units, int64_t n)
{
    int64_t sum = 0;
    for (int64_t start = 0, end; start < n; start = end) {
        int32_t sum_here = 0;
        end = n - start < PRODUCTS_SUMMED ? n : start + PRODUCTS_SUMMED;
        for (int64_t instance = start; instance < end; instance++)
            sum_here += counts[instance] * units[instance];
        sum += sum_here;
    }
    return sum;
}

/* Twin: `products`. */
FOR_WIDE_VECTORS
void sum_drawn(const uint8_t *counts, int64_t n_resamples, const int32_t *units, int64_t n_columns,
               int64_t n_instances, int64_t *sums)
{
    memset(sums, 0, (size_t)(n_resamples * n_columns) * sizeof *sums);
    for (int64_t start = 0; start < n_instances; start += INSTANCES_AT_A_TIME) {
        int64_t n_left = n_instances - start;
        int64_t n_here = n_left < INSTANCES_AT_A_TIME ? n_left : INSTANCES_AT_A_TIME;
        for (int64_t cell = 0; cell < n_resamples * n_columns; cell++)
            sums[cell] += sum_of_products(counts + cell / n_columns * n_instances + start,
                                          units + cell % n_columns * n_instances + start, n_here);
    }
}

/* The Mersenne Twister (M. Matsumoto and T. Nishimura, "Mersenne Twister", ACM TOMACS 8(1), 1998).
 */
#define N_STATES TWISTER_STATES
#define MIDDLE 397

/* Return the next value of a state, from the state, its successor, and a later one. */
static inline uint32_t twisted(uint32_t state, uint32_t next, uint32_t further)
{
    uint32_t mixed = (state & UINT32_C(0x80000000)) | (next & UINT32_C(0x7FFFFFFF));
    return further ^ mixed >> 1 ^ (UINT32_C(0x9908B0DF) & (0 - (next & 1)));
}

static void twist(uint32_t *states)
{
    for (int i = 0; i < N_STATES - MIDDLE; i++)
        states[i] = twisted(states[i], states[i + 1], states[i + MIDDLE]);
    for (int i = N_STATES - MIDDLE; i < N_STATES - 1; i++)
        states[i] = twisted(states[i], states[i + 1], states[i + MIDDLE - N_STATES]);
    states[N_STATES - 1] = twisted(states[N_STATES - 1], states[0], states[MIDDLE - 1]);
}

static void temper(const uint32_t *states, uint32_t *numbers)
{
    for (int i = 0; i < N_STATES; i++) {
        uint32_t number = states[i];
        number ^= number >> 11;
        number ^= number << 7 & UINT32_C(0x9D2C5680);
        number ^= number << 15 & UINT32_C(0xEFC60000);
        numbers[i] = number ^ number >> 18;
    }
}

/* Draw rows as `RandomState.randint` does: with as many bits as the number of the last row has, and
 * again if the result is too large. If there is only one row, no number is drawn. */
static void draw_rows(Twister *twister, uint32_t *numbers, uint32_t last_row, uint32_t *rows,
                      int64_t n_rows)
{
    uint32_t mask = last_row;
    for (int shift = 1; shift < 32; shift *= 2)
        mask |= mask >> shift;
    if (last_row == 0)
        memset(rows, 0, (size_t)n_rows * sizeof *rows);
    for (int64_t n_drawn = last_row ? 0 : n_rows; n_drawn < n_rows;) {
        if (twister->position >= N_STATES) {
            twist(twister->states);
            temper(twister->states, numbers);
            twister->position = 0;
        }
        int position = twister->position;
        for (; position < N_STATES && n_drawn < n_rows; position++) {
            uint32_t row = numbers[position] & mask;
            rows[n_drawn] = row;
            n_drawn += row <= last_row;
        }
        twister->position = position;
    }
}

/* Draw resamples, and compute their means. Each column is summed in the order drawn, as NumPy sums
 * rows. Twin: `means_of_drawn`. */
Outcome draw_means(const double *scores, int64_t n_rows, Twister *twister, int64_t n_resamples,
                   double *means)
{
    uint32_t numbers[N_STATES], *rows = zeros((size_t)n_rows, sizeof(uint32_t));
    int64_t work = 0;
    if (!rows)
        return NO_MEMORY;
    temper(twister->states, numbers);
    for (int64_t resample = 0; resample < n_resamples; resample++, means += N_SCORES) {
        draw_rows(twister, numbers, (uint32_t)(n_rows - 1), rows, n_rows);
        const double *first = scores + (size_t)rows[0] * N_SCORES;
        double sums[N_SCORES] = {first[0], first[1], first[2]};
        for (int64_t place = 1; place < n_rows; place++) {
            const double *row = scores + (size_t)rows[place] * N_SCORES;
            for (int column = 0; column < N_SCORES; column++)
                sums[column] += row[column];
        }
        for (int column = 0; column < N_SCORES; column++)
            means[column] = sums[column] / (double)n_rows;
        if (has_to_end(&work, n_rows)) {
            free(rows);
            return INTERRUPTED;
        }
    }
    free(rows);
    return DONE;
}
