#include "CPixelShims.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// The choice of a clone runs before the sanitizer's runtime is there, and would crash in it.
#define ONE_TARGET
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(ONE_TARGET)
#define MANY_TARGETS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define MANY_TARGETS
#endif

typedef float v8 __attribute__((vector_size(32), aligned(4)));
typedef float v4 __attribute__((vector_size(16), aligned(4)));

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

static inline uint8_t byte_of(float value) {
  float v = value + 0.5f;
  v = v < 0 ? 0 : v;
  v = v > 255.0f ? 255.0f : v;
  return (uint8_t)(int32_t)v;
}

MANY_TARGETS
void px_store_row(const float *row, uint8_t *bytes, long count, int opaque) {
  if (opaque) {
    for (long i = 0; i < count * 4; i++) bytes[i] = byte_of(row[i]);
    return;
  }
  for (long i = 0; i < count; i++) {
    float a = row[4 * i + 3];
    float m = a > 0.001f ? 255.0f / a : 0.0f;
    m = a >= 254.5f ? 1.0f : m;
    bytes[4 * i] = byte_of(row[4 * i] * m);
    bytes[4 * i + 1] = byte_of(row[4 * i + 1] * m);
    bytes[4 * i + 2] = byte_of(row[4 * i + 2] * m);
    bytes[4 * i + 3] = byte_of(a);
    // What rounds to nothing has no colour either.
    uint32_t keep = bytes[4 * i + 3] ? 0xffffffffu : 0;
    uint32_t pixel;
    memcpy(&pixel, bytes + 4 * i, 4);
    pixel &= keep;
    memcpy(bytes + 4 * i, &pixel, 4);
  }
}

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

static inline long within(long i, long count) { return i < 0 ? 0 : i >= count ? count - 1 : i; }

// A box over vectors of one type; sums stay in registers. `count` steps of `lanes` vectors.
#define BOX(name, type, lanes)                                                                  \
  static inline __attribute__((always_inline)) void name(                                       \
      const float *in, long in_stride, float *out, long out_stride, long count, long radius,    \
      float part) {                                                                             \
    float scale = 1.0f / ((float)(2 * radius + 1) + 2 * part);                                  \
    type sum[lanes] = {{0}};                                                                    \
    for (long k = -radius; k <= radius; k++) {                                                  \
      const type *p = (const type *)(in + within(k, count) * in_stride);                        \
      for (int l = 0; l < lanes; l++) sum[l] += p[l];                                           \
    }                                                                                           \
    for (long y = 0; y < count; y++) {                                                          \
      const type *before = (const type *)(in + within(y - radius - 1, count) * in_stride);      \
      const type *first = (const type *)(in + within(y - radius, count) * in_stride);           \
      const type *next = (const type *)(in + within(y + radius + 1, count) * in_stride);        \
      type *to = (type *)(out + y * out_stride);                                                \
      for (int l = 0; l < lanes; l++) {                                                         \
        type n = next[l];                                                                       \
        to[l] = (sum[l] + part * (before[l] + n)) * scale;                                      \
        sum[l] += n - first[l];                                                                 \
      }                                                                                         \
    }                                                                                           \
  }

BOX(box_of_pixel, v4, 1)
BOX(box_of_strip, v8, 4)

MANY_TARGETS
void px_box(const float *in, long in_stride, float *out, long out_stride, long count, long width,
            long radius, float part) {
  if (width == 32) {
    box_of_strip(in, in_stride, out, out_stride, count, radius, part);
    return;
  }
  for (long x = 0; x < width; x += 4) {
    box_of_pixel(in + x, in_stride, out + x, out_stride, count, radius, part);
  }
}
