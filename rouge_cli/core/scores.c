/* Recall, precision and F of integer counts, rounded to five decimals as C prints them, and sums of
 * counts over several models. Twins: `rounded_scores` in metrics/formulas.py, `ordered_sums` in
 * metrics/arithmetic.py. */
#include "core.h"

#define UNITS 100000.0
#define NEAR_TIE 1e-6
#define LARGEST_SCALED 1000.0

/* Adding this to a double and subtracting it again rounds to the nearest integer, ties to even,
 * since the last bit of the sum has the value 1. C's own function would take the time of a call. */
#define WHOLE 6755399441055744.0

/* Split a double into halves of 26 bits, whose products are exact. */
static void split(double number, double *high, double *low)
{
    double shifted = number * 134217729.0;
    *high = shifted - (shifted - number);
    *low = number - *high;
}

/* Return the rounding error of a product of doubles, which is itself a double (T. J. Dekker, "A
 * Floating-Point Technique for Extending the Available Precision", 1971, section 5). */
static double lost_by(double left, double right, double product)
{
    double left_high, left_low, right_high, right_low;
    split(left, &left_high, &left_low);
    split(right, &right_high, &right_low);
    return ((left_high * right_high - product) + left_high * right_low + left_low * right_high) +
           left_low * right_low;
}

/* Round a score to an integer number of units if the rounded product, `scaled`, is close to a tie.
 */
static double units_near_tie(double score, double scaled)
{
    double nearest = scaled + WHOLE - WHOLE, below = nearest > scaled ? nearest - 1 : nearest;
    /* Each term is exact. Their sum may be rounded, but its sign is right. */
    double from_tie = scaled - below - 0.5 + lost_by(score, UNITS, scaled);
    if (from_tie != 0)
        return from_tie > 0 ? below + 1 : below;
    return below / 2 + WHOLE - WHOLE == below / 2 ? below : below + 1;
}

static inline double rounded(double score)
{
    double scaled = score * UNITS, units = scaled + WHOLE - WHOLE, distance = scaled - units;
    /* The distance is squared, since a branch on its sign would be mispredicted. */
    if (distance * distance > (0.5 - NEAR_TIE) * (0.5 - NEAR_TIE))
        units = units_near_tie(score, scaled);
    return units / UNITS;
}

/* Return a quotient, or 0 if either number is 0. There is no branch: it would be mispredicted, as
 * the hits of bigrams are often 0. */
static inline double quotient(int64_t numerator, int64_t denominator)
{
    int is_positive = (numerator > 0) & (denominator > 0);
    return (double)(is_positive ? numerator : 0) / (double)(is_positive ? denominator : 1);
}

int score_counts(const WholeCounts *counts, int64_t n_rows, double alpha, double *values)
{
    double *recalls = values, *precisions = recalls + n_rows, *f_measures = precisions + n_rows;
    int are_small = 1;
    for (int64_t row = 0; row < n_rows; row++) {
        double recall = quotient(counts->hits[row], counts->model_counts[row]);
        double precision = quotient(counts->peer_hits[row], counts->peer_counts[row]);
        are_small &= (recall <= LARGEST_SCALED) & (precision <= LARGEST_SCALED);
        recalls[row] = recall = rounded(recall);
        precisions[row] = precision = rounded(precision);
        double product = recall * precision, divisor = (1 - alpha) * precision + alpha * recall;
        double f_measure = (divisor > 0 ? product : 0) / (divisor > 0 ? divisor : 1);
        are_small &= f_measure <= LARGEST_SCALED;
        f_measures[row] = rounded(f_measure);
    }
    return are_small;
}

/* Integers below this are exact in doubles. */
#define DOUBLE_LIMIT (UINT64_C(1) << 53)

int sum_models(const int64_t *counts, int64_t n_pairs, const int64_t *starts, int64_t n_instances,
               int64_t *sums)
{
    uint64_t all = 0, all_sums = 0;
    for (int64_t pair = 0; pair < n_pairs; pair++)
        all |= (uint64_t)counts[pair];
    /* Sums of fewer and smaller numbers than these cannot overflow. */
    if (all > UINT32_MAX || n_pairs > UINT32_MAX / 2)
        return 0;
    for (int64_t instance = 0; instance < n_instances; instance++) {
        int64_t end = instance + 1 < n_instances ? starts[instance + 1] : n_pairs;
        int64_t sum = 0;
        for (int64_t pair = starts[instance]; pair < end; pair++)
            sum += counts[pair];
        sums[instance] = sum;
        all_sums |= (uint64_t)sum;
    }
    return all_sums < DOUBLE_LIMIT;
}
