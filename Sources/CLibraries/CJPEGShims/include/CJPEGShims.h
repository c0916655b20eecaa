#pragma once
#include <stddef.h>
#include <stdint.h>

// libjpeg reports errors by longjmp, which must never cross a Swift frame. Every function here
// catches it and returns a status instead. One thread at a time may use a decoder.

typedef struct flow_jpeg_decoder flow_jpeg_decoder;

typedef enum {
  FLOW_JPEG_OK,
  FLOW_JPEG_SUSPENDED,    // more bytes are needed
  FLOW_JPEG_DONE,         // nothing is left to read
  FLOW_JPEG_CORRUPT,      // see flow_jpeg_message
  FLOW_JPEG_TRUNCATED,    // the data ends before the picture
  FLOW_JPEG_UNSUPPORTED,  // see flow_jpeg_message
  FLOW_JPEG_NO_MEMORY,
} flow_jpeg_status;

typedef struct {
  uint32_t width, height;
  int components;
  int is_four_color;  // CMYK or YCCK
  int is_gray;
  int has_adobe_marker;  // its four-colour samples are stored inverted
  int has_multiple_scans;
  int is_arithmetic;  // can not suspend: wants all bytes at once
  size_t segment_byte_count;  // of all segments APP1 and APP2, known or not
} flow_jpeg_header;

// NULL without memory.
flow_jpeg_decoder *flow_jpeg_open(void);
void flow_jpeg_close(flow_jpeg_decoder *decoder);

// All bytes known so far; they must stay until the next feed. `complete`: no more will come.
void flow_jpeg_feed(flow_jpeg_decoder *decoder, const uint8_t *bytes, size_t count, int complete);

// Bytes before this have been read and are not read again.
size_t flow_jpeg_position(const flow_jpeg_decoder *decoder);

flow_jpeg_status flow_jpeg_read_header(flow_jpeg_decoder *decoder, flow_jpeg_header *header);
// The segments with EXIF (1) and colour profiles (2), from 0, among the bytes fed; 0 beyond the last.
int flow_jpeg_segment(
    const flow_jpeg_decoder *decoder, int index, int *number, const uint8_t **bytes,
    size_t *count);

// Starts decoding to RGBA (CMYK for four colours) at `eighths` / 8 of the size. `buffered` keeps
// the coefficients of all scans, so that passes can be shown while bytes arrive.
flow_jpeg_status flow_jpeg_start(
    flow_jpeg_decoder *decoder, int eighths, int buffered, uint32_t *width, uint32_t *height);
// Reads up to `limit` rows and sets `*read`. OK: all of them; SUSPENDED: fewer; DONE: the last.
flow_jpeg_status flow_jpeg_read_rows(
    flow_jpeg_decoder *decoder, uint8_t *rows, size_t stride, int limit, int *read);

// Buffered: takes in some rows of a scan. OK: there may be more; DONE: after the last scan.
// `*scans`: scans begun.
flow_jpeg_status flow_jpeg_consume(flow_jpeg_decoder *decoder, int scan_limit, int *scans);
// Buffered: begins and ends a pass over all rows, with what has been taken in. `scan` must have
// come in full, or be the last.
flow_jpeg_status flow_jpeg_begin_pass(flow_jpeg_decoder *decoder, int scan);
flow_jpeg_status flow_jpeg_end_pass(flow_jpeg_decoder *decoder);

// Whether pixels are missing because the bytes ended.
int flow_jpeg_is_cut(const flow_jpeg_decoder *decoder);
// Whether any row of a scan has been taken in.
int flow_jpeg_has_data(const flow_jpeg_decoder *decoder);
// Number of tolerated flaws.
long flow_jpeg_warnings(const flow_jpeg_decoder *decoder);
// The text of the last failure, or the first flaw.
const char *flow_jpeg_message(const flow_jpeg_decoder *decoder);

typedef struct {
  const uint8_t *pixels;  // RGBA rows from the top; alpha is ignored
  size_t stride;
  uint32_t width, height;
  int quality;             // 1...100
  int is_progressive;
  int horizontal_sampling;  // 1 or 2
  int vertical_sampling;    // 1 or 2
  const uint8_t *exif;      // from "Exif\0\0" on; NULL for none
  size_t exif_count;
  const uint8_t *profile;  // ICC; NULL for none
  size_t profile_count;
} flow_jpeg_picture;

// Encodes into memory for flow_jpeg_free. `message` has 200 bytes.
flow_jpeg_status flow_jpeg_encode(
    const flow_jpeg_picture *picture, uint8_t **bytes, size_t *count, char *message);
void flow_jpeg_free(uint8_t *bytes);
