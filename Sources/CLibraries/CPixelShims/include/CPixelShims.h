// Inner loops over rows of pixels, compiled for several instruction sets and chosen at load time:
// Swift has no way to compile one function for more than the oldest processor of its kind.
//
// Rows of floats hold red, green, blue, alpha, 0 to 255, colours multiplied with alpha.
// Nothing here allocates, keeps state, or reads beyond what the comments say.
#ifndef CPIXEL_SHIMS_H
#define CPIXEL_SHIMS_H

#include <stdint.h>

// Bytes (straight alpha) to floats. `opaque`: all alphas are 255 and need no multiplication.
void px_load_row(const uint8_t *bytes, float *row, long count, int opaque);

// Floats to bytes with straight alpha, rounded and clamped.
void px_store_row(const float *row, uint8_t *bytes, long count, int opaque);

// Four rows at once: pixel i of row r is the sum over `taps` (even) pixels from starts[i] on, with
// weights[i * taps]. Input rows lie `stride` floats apart; each has pixels up to starts[i] + taps.
void px_weigh_columns(const float *rows, long stride, float *const out[4], const int32_t *starts,
                      const float *weights, long taps, long count);

// One row: the sum of `taps` rows, each with its weight; `count` floats.
void px_weigh_rows(const float *const *rows, const float *weights, long taps, float *out,
                   long count);

// Runs a box of `radius` whole pixels on either side, plus `part` (0 to 1) of one more, over `count`
// steps of `width` floats each (a multiple of 4). Ends are continued. `in` is not `out`.
void px_box(const float *in, long in_stride, float *out, long out_stride, long count, long width,
            long radius, float part);

#endif
