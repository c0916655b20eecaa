#include <string.h>

#include "CPixelShims.h"
#include "Vectors.h"

typedef uint8_t b8 __attribute__((vector_size(8), aligned(1)));
typedef uint8_t b4 __attribute__((vector_size(4), aligned(1)));
typedef uint16_t s8 __attribute__((vector_size(16), aligned(2)));
typedef uint32_t u4 __attribute__((vector_size(16), aligned(4)));

INLINE void add_opaque(const uint8_t *bytes, long count, u4 *sum) {
  while (count > 1) {
    // More pixels, taken two at a time, could overflow sixteen bits.
    long part = count < 256 ? count & ~1L : 256;
    s8 two = {0};
    for (long i = 0; i < part; i += 2, bytes += 8)
      two += __builtin_convertvector(*(const b8 *)bytes, s8);
    for (int i = 0; i < 4; i++) (*sum)[i] += (uint32_t)two[i] + two[i + 4];
    count -= part;
  }
  if (count > 0) *sum += __builtin_convertvector(*(const b4 *)bytes, u4);
}

INLINE void add_weighed(const uint8_t *bytes, long count, u4 *sum) {
  for (long i = 0; i < count; i++, bytes += 4) {
    uint32_t a = bytes[3];
    u4 weights = {a, a, a, 1};
    *sum += __builtin_convertvector(*(const b4 *)bytes, u4) * weights;
  }
}

MANY_TARGETS
void px_add_row(const uint8_t *bytes, uint32_t *sums, const uint32_t *counts, long columns,
                int opaque) {
  for (long column = 0; column < columns; column++) {
    u4 sum = *(const u4 *)(sums + 4 * column);
    if (opaque) {
      add_opaque(bytes, counts[column], &sum);
    } else {
      add_weighed(bytes, counts[column], &sum);
    }
    *(u4 *)(sums + 4 * column) = sum;
    bytes += 4 * (size_t)counts[column];
  }
}
