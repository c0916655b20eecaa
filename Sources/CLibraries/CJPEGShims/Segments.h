#pragma once
#include <stddef.h>
#include <stdint.h>

// The segments that are of use, by where they lie: EXIF (1) and colour profiles (2).
struct flow_jpeg_segments {
  // A profile has at most 255 parts. Of more segments none is kept: a file may have a million.
  struct {
    int number;
    size_t offset, count;
  } kept[300];
  int kept_count;
  size_t byte_count;  // of all APP1 and APP2 segments, kept or not
};

// Notes the segment APP`number` whose `count` bytes lie `offset` bytes from the file's start.
void flow_jpeg_note_segment(struct flow_jpeg_segments *segments, int number, size_t offset,
                            const uint8_t *bytes, size_t count);
