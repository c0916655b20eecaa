#include <string.h>

#include "CPixelShims.h"
#include "Vectors.h"

typedef int32_t i4 __attribute__((vector_size(16), aligned(4)));
typedef uint8_t b8 __attribute__((vector_size(8), aligned(1)));

MANY_TARGETS
void px_load_row(const uint8_t *bytes, float *row, long count, int opaque) {
  if (opaque) {
    for (long i = 0; i < count * 4; i++) row[i] = bytes[i];
    return;
  }
  for (long i = 0; i < count; i++) {
    float a = bytes[4 * i + 3];
    float m = a * (1.0f / 255.0f);
    row[4 * i] = bytes[4 * i] * m;
    row[4 * i + 1] = bytes[4 * i + 1] * m;
    row[4 * i + 2] = bytes[4 * i + 2] * m;
    row[4 * i + 3] = a;
  }
}

INLINE void store_two(const v8 *two, uint8_t *bytes) {
  v8 low = {0}, high = low + 255.0f;
  v8 value = __builtin_elementwise_min(__builtin_elementwise_max(*two + 0.5f, low), high);
  b8 rounded = __builtin_convertvector(__builtin_convertvector(value, i8), b8);
  memcpy(bytes, &rounded, 8);
}

// Four pixels, and the place for their sixteen bytes.
INLINE void store_four(const float *row, uint8_t *bytes, int opaque) {
  v8 a = *(const v8 *)row, b = *(const v8 *)(row + 8);
  if (!opaque) {
    v4 alpha = {row[3], row[7], row[11], row[15]};
    v4 factor = 255.0f / alpha;
    // What rounds to opaque keeps its colours; what rounds to nothing has none.
    i4 whole = alpha >= 254.5f, some = alpha >= 0.5f;
    v4 one = {1, 1, 1, 1};
    factor = (v4)((((i4)factor & ~whole) | ((i4)one & whole)) & some);
    v8 first = __builtin_shufflevector(factor, one, 0, 0, 0, 4, 1, 1, 1, 4);
    v8 second = __builtin_shufflevector(factor, one, 2, 2, 2, 4, 3, 3, 3, 4);
    a *= first;
    b *= second;
  }
  store_two(&a, bytes);
  store_two(&b, bytes + 8);
}

// Up to three pixels.
INLINE void store_rest(const float *row, uint8_t *bytes, long count, int opaque) {
  float padded[16] = {0};
  uint8_t four[16];
  memcpy(padded, row, (size_t)count * 16);
  store_four(padded, four, opaque);
  memcpy(bytes, four, (size_t)count * 4);
}

MANY_TARGETS
void px_store_row(const float *row, uint8_t *bytes, long count, int opaque) {
  long i = 0;
  for (; i + 4 <= count; i += 4) store_four(row + 4 * i, bytes + 4 * i, opaque);
  if (i < count) store_rest(row + 4 * i, bytes + 4 * i, count - i, opaque);
}

MANY_TARGETS
void px_columns_of_strip(const float *strip, uint8_t *bytes, long stride, long count, long width,
                         int opaque) {
  for (long y = 0; y < count; y++) {
    if (width == 4) {
      store_four(strip + y * 16, bytes + y * stride, opaque);
    } else {
      store_rest(strip + y * 16, bytes + y * stride, width, opaque);
    }
  }
}
