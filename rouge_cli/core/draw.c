/* The draws of the bootstrap: how often each instance is drawn by each resample.
 *
 * Twins: `draw_instances` and `_times_drawn` in scores/bootstrap.py. How often a resample draws
 * an instance does not depend on the order of its draws. So four generators take turns, each four
 * draws further at a time, and none has to wait for the multiplication of another. */
#include "core.h"

#include <string.h>

#define MULTIPLIER UINT64_C(25214903917)
#define SHIFT 16 /* states are kept shifted up: then the wrap of 64 bits is the modulus 2 ** 48 */
#define INCREMENT (UINT64_C(11) << SHIFT)
#define STATES 281474976710656.0 /* 2 ** 48 */
#define N_LANES 4

/* Where four generators stand: states[0] is the next draw, states[1] that behind it. */
typedef struct {
    uint64_t states[N_LANES];
    uint64_t factor, term; /* four draws further */
    double scale;
} Generator;

static Generator seeded(uint64_t resample, int64_t n_instances)
{
    /* Scaling by a power of two is exact, so the product is rounded once, as N * rand is. */
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

/* Count the draws of a resample in bytes, which stay in the cache; returns whether one overflowed. */
static int count_draws(Generator generator, int64_t n_instances, uint8_t *counts)
{
    int has_overflowed = 0;
    memset(counts, 0, (size_t)n_instances);
    for (int64_t drawn = 0; drawn + N_LANES <= n_instances; drawn += N_LANES)
        for (int lane = 0; lane < N_LANES; lane++) {
            has_overflowed |= ++counts[index_of(&generator, lane)] == 0;
            step(&generator, lane);
        }
    for (int lane = 0; lane < n_instances % N_LANES; lane++)
        has_overflowed |= ++counts[index_of(&generator, lane)] == 0;
    return has_overflowed;
}

/* Twin: `_times_drawn`. `counts` has a row for each resample. */
int draw(int64_t n_instances, uint64_t first_resample, int64_t n_resamples, uint8_t *counts)
{
    int has_overflowed = 0;
    for (int64_t row = 0; row < n_resamples; row++, counts += n_instances)
        has_overflowed |=
            count_draws(seeded(first_resample + (uint64_t)row, n_instances), n_instances, counts);
    return !has_overflowed;
}
