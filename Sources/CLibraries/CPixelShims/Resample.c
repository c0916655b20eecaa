#include "CPixelShims.h"
#include "Vectors.h"

MANY_TARGETS
void px_weigh_columns(const float *rows, long stride, float *const out[4], const int32_t *starts,
                      const float *weights, long taps, long count) {
  for (long i = 0; i < count; i++) {
    const float *in = rows + (long)starts[i] * 4;
    const float *w = weights + i * taps;
    v8 a = {0}, b = {0}, c = {0}, d = {0};
    for (long t = 0; t < taps; t += 2) {
      float w0 = w[t], w1 = w[t + 1];
      v8 both = {w0, w0, w0, w0, w1, w1, w1, w1};
      const float *p = in + t * 4;
      a += *(const v8 *)p * both;
      b += *(const v8 *)(p + stride) * both;
      c += *(const v8 *)(p + 2 * stride) * both;
      d += *(const v8 *)(p + 3 * stride) * both;
    }
#define HALVES(v) \
  (__builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7))
    *(v4 *)(out[0] + i * 4) = HALVES(a);
    *(v4 *)(out[1] + i * 4) = HALVES(b);
    *(v4 *)(out[2] + i * 4) = HALVES(c);
    *(v4 *)(out[3] + i * 4) = HALVES(d);
#undef HALVES
  }
}

MANY_TARGETS
void px_weigh_rows(const float *const *rows, const float *weights, long taps, float *out,
                   long count) {
  long i = 0;
  for (; i + 32 <= count; i += 32) {
    v8 a = {0}, b = {0}, c = {0}, d = {0};
    for (long t = 0; t < taps; t++) {
      const float *p = rows[t] + i;
      float w = weights[t];
      a += *(const v8 *)p * w;
      b += *(const v8 *)(p + 8) * w;
      c += *(const v8 *)(p + 16) * w;
      d += *(const v8 *)(p + 24) * w;
    }
    *(v8 *)(out + i) = a;
    *(v8 *)(out + i + 8) = b;
    *(v8 *)(out + i + 16) = c;
    *(v8 *)(out + i + 24) = d;
  }
  for (; i < count; i++) {
    float sum = 0;
    for (long t = 0; t < taps; t++) sum += rows[t][i] * weights[t];
    out[i] = sum;
  }
}
