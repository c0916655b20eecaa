#include <string.h>

#include "CPixelShims.h"
#include "Vectors.h"

// A strip is four pixels wide: sixteen floats a step, one cache line.
#define LANES 16

typedef uint8_t b16 __attribute__((vector_size(16), aligned(1)));
typedef int16_t s8 __attribute__((vector_size(16), aligned(2)));

INLINE void premultiply(v8 *two) {
  v8 p = *two, one = {1, 1, 1, 1, 1, 1, 1, 1};
  v8 alpha = __builtin_shufflevector(p, p, 3, 3, 3, 3, 7, 7, 7, 7) * (1.0f / 255.0f);
  *two = p * __builtin_shufflevector(alpha, one, 0, 1, 2, 8, 4, 5, 6, 8);
}

MANY_TARGETS
void px_strip_of_rows(const uint8_t *const rows[4], float *strip, long count, int opaque) {
  for (long x = 0; x < count; x++) {
    uint32_t pixels[4];
    for (int r = 0; r < 4; r++) memcpy(&pixels[r], rows[r] + 4 * x, 4);
    b16 bytes;
    memcpy(&bytes, pixels, 16);
    v8 a = __builtin_convertvector(
        __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7), v8);
    v8 b = __builtin_convertvector(
        __builtin_shufflevector(bytes, bytes, 8, 9, 10, 11, 12, 13, 14, 15), v8);
    if (!opaque) {
      premultiply(&a);
      premultiply(&b);
    }
    *(v8 *)(strip + x * LANES) = a;
    *(v8 *)(strip + x * LANES + 8) = b;
  }
}

MANY_TARGETS
void px_tiles_of_strip(const float *strip, int16_t *tiles, long tile_stride, long count) {
  for (long x = 0; x < count; x++) {
    int16_t *to = tiles + x / 4 * tile_stride + x % 4 * 4;
    for (int half = 0; half < 2; half++) {
      v8 value = *(const v8 *)(strip + x * LANES + half * 8) * 128.0f + 0.5f;
      s8 v = __builtin_convertvector(__builtin_convertvector(value, i8), s8);
      memcpy(to + (2 * half) * LANES, &v, 8);
      memcpy(to + (2 * half + 1) * LANES, (const char *)&v + 8, 8);
    }
  }
}

MANY_TARGETS
void px_strip_of_tile(const int16_t *tile, float *strip, long count) {
  for (long i = 0; i < count * LANES; i += 8) {
    *(v8 *)(strip + i) =
        __builtin_convertvector(*(const s8 *)(tile + i), v8) * (1.0f / 128.0f);
  }
}

static inline long within(long i, long count) { return i < 0 ? 0 : i >= count ? count - 1 : i; }

#define AT(base, step, half) (*(const v8 *)((base) + (step) * LANES + (half) * 8))

MANY_TARGETS
void px_box(const float *in, float *out, long count, long radius, float part) {
  const float scale = 1.0f / ((float)(2 * radius + 1) + 2 * part), side = part * scale;
  // The window of step 0: what lies before the strip repeats its first step, and so at the end.
  long inside = radius < count - 1 ? radius : count - 1;
  v8 a = AT(in, 0, 0) * (float)(radius + 1), b = AT(in, 0, 1) * (float)(radius + 1);
  for (long k = 1; k <= inside; k++) {
    a += AT(in, k, 0);
    b += AT(in, k, 1);
  }
  a += AT(in, count - 1, 0) * (float)(radius - inside);
  b += AT(in, count - 1, 1) * (float)(radius - inside);
  long y = 0;
  while (y < count) {
    // Where the window lies within the strip nothing has to be clamped.
    long end = y > radius && y + radius + 1 < count ? count - radius - 1 : y + 1;
    const float *next = in + within(y + radius + 1, count) * LANES;
    const float *first = in + within(y - radius, count) * LANES;
    v8 before_a = AT(in, within(y - radius - 1, count), 0);
    v8 before_b = AT(in, within(y - radius - 1, count), 1);
    for (; y < end; y++, next += LANES, first += LANES) {
      v8 next_a = AT(next, 0, 0), next_b = AT(next, 0, 1);
      v8 first_a = AT(first, 0, 0), first_b = AT(first, 0, 1);
      *(v8 *)(out + y * LANES) = a * scale + (before_a + next_a) * side;
      *(v8 *)(out + y * LANES + 8) = b * scale + (before_b + next_b) * side;
      a += next_a - first_a;
      b += next_b - first_b;
      before_a = first_a;
      before_b = first_b;
    }
  }
}
