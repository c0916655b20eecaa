#pragma once
#include <stddef.h>
#include <stdint.h>

// libpng reports errors by longjmp, which must never cross a Swift frame. Every function here
// catches it and returns a status instead. One thread at a time may use a decoder.

typedef struct flow_png_decoder flow_png_decoder;

typedef enum {
  FLOW_PNG_OK,
  FLOW_PNG_CORRUPT,  // see flow_png_message
  FLOW_PNG_NO_MEMORY,
} flow_png_status;

typedef struct {
  uint32_t width, height;
  int is_interlaced;
  int is_gray;
  int has_alpha;
  int has_gamma, has_chromaticities, is_srgb;
  double gamma;            // the file's exponent, about 0.45
  double chromaticities[8];  // white, red, green, blue; x and y each
  const uint8_t *profile;  // ICC; NULL without a usable one; lives as long as the decoder
  size_t profile_count;
  int has_broken_profile;
} flow_png_header;

// Gets each row of the picture, or of each pass of an interlaced one, as RGBA. The pixels of a pass
// stand in the columns they have in the picture; what is between them means nothing.
typedef void (*flow_png_row_handler)(
    void *context, uint32_t row, int pass, const uint8_t *pixels);

// NULL without memory. `trusts_checksums`: data checksums are not verified. No chunk that has to be
// held, such as an unpacked profile, may need more than `chunk_limit` bytes; it is passed over.
flow_png_decoder *flow_png_open(int trusts_checksums, size_t chunk_limit);
void flow_png_close(flow_png_decoder *decoder);

// Feeds the next bytes of the stream. Rows are held back until one of the two functions below has
// said where they go: feed no more than the head of the first IDAT before.
flow_png_status flow_png_feed(flow_png_decoder *decoder, const uint8_t *bytes, size_t count);
// Whether the header is complete; sets it once so.
int flow_png_has_header(const flow_png_decoder *decoder, flow_png_header *header);
// Rows go to `handler`, which must call nothing here.
void flow_png_hand_rows(flow_png_decoder *decoder, flow_png_row_handler handler, void *context);
// Rows of all passes are combined into `image`, RGBA.
void flow_png_fill(flow_png_decoder *decoder, uint8_t *image, size_t stride);

// Whether all rows of all passes have come.
int flow_png_is_done(const flow_png_decoder *decoder);
// Rows of the present pass that have come, and the pass.
uint32_t flow_png_rows(const flow_png_decoder *decoder, int *pass);
const char *flow_png_message(const flow_png_decoder *decoder);

typedef struct {
  const uint8_t *pixels;  // rows from the top
  size_t stride;
  uint32_t width, height;
  int channels;  // 1: palette indexes or gray; 4: RGBA, alpha dropped unless `keeps_alpha`
  int keeps_alpha;
  const uint8_t *palette;  // RGBA entries; NULL for none
  int palette_count;
  int level;  // of zlib, 0...9
  const uint8_t *exif;  // TIFF structure; NULL for none
  size_t exif_count;
  const uint8_t *profile;  // ICC; NULL for none
  size_t profile_count;
} flow_png_picture;

// Encodes into memory for flow_png_free. `message` has 200 bytes.
flow_png_status flow_png_encode(
    const flow_png_picture *picture, uint8_t **bytes, size_t *count, char *message);
void flow_png_free(uint8_t *bytes);
