#ifndef FLOW_CHECKSUM_SHIMS_H
#define FLOW_CHECKSUM_SHIMS_H

#include <stddef.h>
#include <stdint.h>

/// A 64-bit checksum of `count` bytes, the same on every machine. Reads those bytes and no others.
uint64_t cs_checksum(const uint8_t *bytes, size_t count);

#endif
