#include "CChecksumShims.h"

#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
// The choice of a clone runs before the sanitizer's runtime is there, and would crash in it.
#define ONE_TARGET
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(ONE_TARGET)
#define MANY_TARGETS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define MANY_TARGETS
#endif

// Sixteen lanes of 32 bits. Several such vectors stand side by side, because a multiplication takes
// longer than it takes to begin the next.
typedef uint32_t lanes __attribute__((vector_size(64), aligned(4)));
enum { VECTORS = 8, LANES = sizeof(lanes) / 4, BLOCK = VECTORS * sizeof(lanes) };

static const uint32_t odd = 0x9e3779b1u;
static const uint64_t odd_wide = 0x9e3779b97f4a7c15u;

// Each step can be undone, so a change within one word changes its lane for certain. The shift
// carries high bits low, where the next multiplication spreads them again. A macro, because vectors
// can not be handed to a function that is not compiled for the same instruction set.
#define STEP(state, words)                 \
  {                                        \
    lanes mixed = ((state) ^ (words)) * odd; \
    (state) = mixed ^ (mixed >> 15);       \
  }
#define STEP_ALL(state, words) \
  for (int v = 0; v < VECTORS; v++) STEP((state)[v], (words)[v])

static inline uint64_t fold(uint64_t sum, uint64_t word) {
  uint64_t mixed = (sum ^ word) * odd_wide;
  return (mixed << 29) | (mixed >> 35);
}

MANY_TARGETS
uint64_t cs_checksum(const uint8_t *bytes, size_t count) {
  lanes state[VECTORS];
  for (int v = 0; v < VECTORS; v++)
    for (int lane = 0; lane < LANES; lane++)
      state[v][lane] = odd * (uint32_t)(v * LANES + lane + 1);
  size_t rest = count;
  while (rest >= BLOCK) {
    lanes words[VECTORS];
    memcpy(words, bytes, BLOCK);
    STEP_ALL(state, words)
    bytes += BLOCK;
    rest -= BLOCK;
  }
  if (rest > 0) {
    lanes words[VECTORS];
    memset(words, 0, BLOCK);
    memcpy(words, bytes, rest);
    STEP_ALL(state, words)
  }
  // The vectors become one by the same step, which can be undone for each of them.
  lanes all = state[0];
  for (int v = 1; v < VECTORS; v++) STEP(all, state[v])
  // The length tells zeros of the data from those that fill the last block.
  uint64_t words[sizeof(lanes) / 8], sum = (uint64_t)count * odd_wide;
  memcpy(words, &all, sizeof(lanes));
  for (size_t i = 0; i < sizeof(lanes) / 8; i++) sum = fold(sum, words[i]);
  return sum ^ (sum >> 32);
}
