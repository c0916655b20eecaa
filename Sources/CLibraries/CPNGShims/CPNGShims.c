#include "CPNGShims.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct flow_png_decoder {
  png_structp png;
  png_infop info;
  flow_png_header header;
  int has_header, is_done, pass, has_broken_profile;
  uint32_t rows;
  flow_png_row_handler handler;
  void *context;
  uint8_t *image;
  size_t stride;
  char message[200];
};

static void fail(png_structp png, png_const_charp text) {
  flow_png_decoder *d = png_get_error_ptr(png);
  strncpy(d->message, text, sizeof d->message - 1);
  png_longjmp(png, 1);
}

static void note(png_structp png, png_const_charp text) {
  flow_png_decoder *d = png_get_error_ptr(png);
  if (strncmp(text, "iCCP", 4) == 0) d->has_broken_profile = 1;
}

static void describe(flow_png_decoder *d) {
  flow_png_header *h = &d->header;
  png_structp png = d->png;
  h->width = png_get_image_width(png, d->info);
  h->height = png_get_image_height(png, d->info);
  h->is_interlaced = png_get_interlace_type(png, d->info) != PNG_INTERLACE_NONE;
  h->is_gray = !(png_get_color_type(png, d->info) & PNG_COLOR_MASK_COLOR);
  h->has_alpha = (png_get_color_type(png, d->info) & PNG_COLOR_MASK_ALPHA) != 0 ||
                 png_get_valid(png, d->info, PNG_INFO_tRNS) != 0;
  h->has_gamma = png_get_gAMA(png, d->info, &h->gamma) != 0;
  double *c = h->chromaticities;
  h->has_chromaticities =
      png_get_cHRM(png, d->info, &c[0], &c[1], &c[2], &c[3], &c[4], &c[5], &c[6], &c[7]) != 0;
  h->is_srgb = png_get_valid(png, d->info, PNG_INFO_sRGB) != 0;
  png_charp name;
  int compression;
  png_bytep profile;
  png_uint_32 count;
  if (png_get_iCCP(png, d->info, &name, &compression, &profile, &count)) {
    h->profile = profile;
    h->profile_count = count;
  }
  h->has_broken_profile = d->has_broken_profile;
}

static void receive_info(png_structp png, png_infop info) {
  flow_png_decoder *d = png_get_progressive_ptr(png);
  describe(d);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != (size_t)d->header.width * 4)
    png_error(png, "unexpected row length");
  d->has_header = 1;
}

// Passes whose rows or columns would be none are not there at all.
static int last_pass(const flow_png_header *h) {
  if (!h->is_interlaced) return 0;
  int pass = 6;
  while (pass > 0 && (PNG_PASS_ROWS(h->height, pass) == 0 || PNG_PASS_COLS(h->width, pass) == 0))
    pass--;
  return pass;
}

// libpng calls this for every row of every pass, without pixels for rows the pass leaves out.
static void receive_row(png_structp png, png_bytep row, png_uint_32 number, int pass) {
  flow_png_decoder *d = png_get_progressive_ptr(png);
  if (number >= d->header.height) return;
  d->pass = pass;
  d->rows = number + 1;
  if (number + 1 == d->header.height && pass >= last_pass(&d->header)) d->is_done = 1;
  if (!row) return;
  if (d->image)
    png_progressive_combine_row(png, d->image + (size_t)number * d->stride, row);
  else if (d->handler && (!d->header.is_interlaced || PNG_ROW_IN_INTERLACE_PASS(number, pass)))
    d->handler(d->context, number, pass, row);
}

flow_png_decoder *flow_png_open(int trusts_checksums, size_t chunk_limit) {
  flow_png_decoder *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, d, fail, note);
  if (!d->png) {
    free(d);
    return NULL;
  }
  if (setjmp(png_jmpbuf(d->png))) {
    flow_png_close(d);
    return NULL;
  }
  d->info = png_create_info_struct(d->png);
  if (!d->info) png_error(d->png, "no memory");
  png_set_user_limits(d->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(d->png, chunk_limit);
  if (trusts_checksums) png_set_crc_action(d->png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  // The chunks' checksums guard the same bytes. This one, when wrong, would take the last row along
  // or not, by how the bytes were cut.
  png_set_option(d->png, PNG_IGNORE_ADLER32, PNG_OPTION_ON);
  png_set_progressive_read_fn(d->png, d, receive_info, receive_row, NULL);
  return d;
}

void flow_png_close(flow_png_decoder *d) {
  if (!d) return;
  png_destroy_read_struct(&d->png, &d->info, NULL);
  free(d);
}

flow_png_status flow_png_feed(flow_png_decoder *d, const uint8_t *bytes, size_t count) {
  if (setjmp(png_jmpbuf(d->png)))
    return strstr(d->message, "memory") ? FLOW_PNG_NO_MEMORY : FLOW_PNG_CORRUPT;
  png_process_data(d->png, d->info, (png_bytep)bytes, count);
  return FLOW_PNG_OK;
}

int flow_png_has_header(const flow_png_decoder *d, flow_png_header *header) {
  if (d->has_header) *header = d->header;
  return d->has_header;
}

void flow_png_hand_rows(flow_png_decoder *d, flow_png_row_handler handler, void *context) {
  d->handler = handler;
  d->context = context;
}

void flow_png_fill(flow_png_decoder *d, uint8_t *image, size_t stride) {
  d->image = image;
  d->stride = stride;
}

int flow_png_is_done(const flow_png_decoder *d) { return d->is_done; }

uint32_t flow_png_rows(const flow_png_decoder *d, int *pass) {
  *pass = d->pass;
  return d->rows;
}

const char *flow_png_message(const flow_png_decoder *d) { return d->message; }
