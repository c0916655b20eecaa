#ifndef FLOW_CHECKSUM_SHIMS_H
#define FLOW_CHECKSUM_SHIMS_H

#include <stddef.h>
#include <stdint.h>

/// A 64-bit checksum of `count` bytes, the same on every machine. Reads those bytes and no others.
uint64_t cs_checksum(const uint8_t *bytes, size_t count);

/// Whether the processor has instructions for SHA-256 that this library uses. Takes long: ask once.
int cs_has_sha256(void);

/// Takes `count` blocks of 64 bytes into the eight words of a SHA-256 `state`. Only where
/// `cs_has_sha256`.
void cs_sha256(uint32_t *state, const uint8_t *blocks, size_t count);

#endif
