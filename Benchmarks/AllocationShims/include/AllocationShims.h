#pragma once
#include <stdint.h>

// Blocks of memory that the process has asked the C library for since it began, by all threads;
// -1 where they can not be counted.
int64_t allocation_count(void);
