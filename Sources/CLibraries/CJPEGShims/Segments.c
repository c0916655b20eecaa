#include "Segments.h"

#include <string.h>

static int begins_with(const uint8_t *bytes, size_t count, const char *name, size_t length) {
  return count >= length && memcmp(bytes, name, length) == 0;
}

void flow_jpeg_note_segment(struct flow_jpeg_segments *segments, int number, size_t offset,
                            const uint8_t *bytes, size_t count) {
  const size_t limit = sizeof segments->kept / sizeof *segments->kept;
  segments->byte_count += count;
  if ((size_t)segments->kept_count == limit) return;
  if (number == 1 ? !begins_with(bytes, count, "Exif\0", 6)
                  : !begins_with(bytes, count, "ICC_PROFILE", 12))
    return;
  segments->kept[segments->kept_count].number = number;
  segments->kept[segments->kept_count].offset = offset;
  segments->kept[segments->kept_count].count = count;
  segments->kept_count++;
}
