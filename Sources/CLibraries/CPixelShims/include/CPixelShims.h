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

// Adds a row of pixels to sums of four numbers each: column i of `columns` takes the next counts[i]
// pixels. Colours are multiplied with alpha, or not where `opaque`: all alphas are 255.
void px_add_row(const uint8_t *bytes, uint32_t *sums, const uint32_t *counts, long columns,
                int opaque);

// A strip is a line of steps, each of four pixels side by side across the line: sixteen floats.
// A tile column holds a strip of a picture as 16 bit integers, in 128ths.

// Bytes of four rows to a strip that runs along them, `count` steps.
void px_strip_of_rows(const uint8_t *const rows[4], float *strip, long count, int opaque);

// A strip that ran along rows to four steps of each tile column it crosses. Step x goes to tile
// column x / 4, which lies `tile_stride` integers after the one before.
void px_tiles_of_strip(const float *strip, int16_t *tiles, long tile_stride, long count);

// A tile column to a strip, `count` steps.
void px_strip_of_tile(const int16_t *tile, float *strip, long count);

// A strip to a column of pixels, `width` (up to 4) wide: `count` rows of bytes, `stride` bytes apart.
void px_columns_of_strip(const float *strip, uint8_t *bytes, long stride, long count, long width,
                         int opaque);

// Runs a box of `radius` whole steps on either side, plus `part` (0 to 1) of one more, over a strip
// of `count` steps, at least 1. Ends are continued. `in` is not `out`.
void px_box(const float *in, float *out, long count, long radius, float part);

#endif
