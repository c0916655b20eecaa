#ifndef VECTORS_H
#define VECTORS_H

#include <stdint.h>

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

// Vectors of floats that need not be aligned.
typedef float v8 __attribute__((vector_size(32), aligned(4)));
typedef float v4 __attribute__((vector_size(16), aligned(4)));
typedef int32_t i8 __attribute__((vector_size(32), aligned(4)));

// Vectors go to these by address: a call for an older processor could not take them by value.
#define INLINE static inline __attribute__((always_inline))

#endif
