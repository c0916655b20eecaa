#include "Decoder.h"

#include <stdlib.h>
#include <string.h>
#include <jerror.h>

static void print_nothing(j_common_ptr common) { (void)common; }

static void fail(j_common_ptr common) {
  flow_jpeg_decoder *d = common->client_data;
  common->err->format_message(common, d->message);
  switch (common->err->msg_code) {
  case JERR_OUT_OF_MEMORY: d->failure = FLOW_JPEG_NO_MEMORY; break;
  case JERR_SOF_UNSUPPORTED:
  case JERR_BAD_PRECISION:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_ARITH_NOTIMPL: d->failure = FLOW_JPEG_UNSUPPORTED; break;
  case JERR_SOF_NO_SOS: d->failure = FLOW_JPEG_TRUNCATED; break;
  default:
    // Before the pixels, the end marker that is not there is read as if it meant something.
    d->failure = d->has_invented_end && !d->is_started ? FLOW_JPEG_TRUNCATED : FLOW_JPEG_CORRUPT;
  }
  longjmp(d->escape, 1);
}

static void note(j_common_ptr common, int level) {
  if (level >= 0) return;
  flow_jpeg_decoder *d = common->client_data;
  if (common->err->num_warnings++ == 0) common->err->format_message(common, d->message);
  if (d->has_invented_end && common->err->msg_code == JWRN_HIT_MARKER) d->ran_dry = 1;
}

flow_jpeg_decoder *flow_jpeg_open(void) {
  flow_jpeg_decoder *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->jpeg.err = jpeg_std_error(&d->errors);
  d->errors.error_exit = fail;
  d->errors.emit_message = note;
  d->errors.output_message = print_nothing;
  d->jpeg.client_data = d;
  if (setjmp(d->escape)) {
    flow_jpeg_close(d);
    return NULL;
  }
  jpeg_create_decompress(&d->jpeg);
  flow_jpeg_open_source(d);
  return d;
}

void flow_jpeg_close(flow_jpeg_decoder *d) {
  if (!d) return;
  if (!setjmp(d->escape)) jpeg_destroy_decompress(&d->jpeg);
  free(d);
}

flow_jpeg_status flow_jpeg_read_header(flow_jpeg_decoder *d, flow_jpeg_header *header) {
  if (setjmp(d->escape)) return d->failure;
  if (jpeg_read_header(&d->jpeg, TRUE) == JPEG_SUSPENDED) return FLOW_JPEG_SUSPENDED;
  header->width = d->jpeg.image_width;
  header->height = d->jpeg.image_height;
  header->components = d->jpeg.num_components;
  header->is_four_color =
      d->jpeg.jpeg_color_space == JCS_CMYK || d->jpeg.jpeg_color_space == JCS_YCCK;
  header->is_gray = d->jpeg.jpeg_color_space == JCS_GRAYSCALE;
  header->has_adobe_marker = d->jpeg.saw_Adobe_marker;
  header->has_multiple_scans = jpeg_has_multiple_scans(&d->jpeg);
  header->is_arithmetic = d->jpeg.arith_code;
  header->segment_byte_count = d->segments.byte_count;
  return FLOW_JPEG_OK;
}

int flow_jpeg_segment(
    const flow_jpeg_decoder *d, int index, int *number, const uint8_t **bytes, size_t *count) {
  if (index < 0 || index >= d->segments.kept_count) return 0;
  *number = d->segments.kept[index].number;
  *bytes = d->bytes + d->segments.kept[index].offset;
  *count = d->segments.kept[index].count;
  return 1;
}

flow_jpeg_status flow_jpeg_start(
    flow_jpeg_decoder *d, int eighths, int buffered, uint32_t *width, uint32_t *height) {
  if (setjmp(d->escape)) return d->failure;
  int is_four_color =
      d->jpeg.jpeg_color_space == JCS_CMYK || d->jpeg.jpeg_color_space == JCS_YCCK;
  d->jpeg.out_color_space = is_four_color ? JCS_CMYK : JCS_EXT_RGBA;
  d->jpeg.scale_num = (unsigned)eighths;
  d->jpeg.scale_denom = 8;
  d->jpeg.buffered_image = buffered ? TRUE : FALSE;
  d->is_buffered = buffered;
  if (!d->is_started) flow_jpeg_note_components(d);
  d->is_started = 1;
  if (!jpeg_start_decompress(&d->jpeg)) return FLOW_JPEG_SUSPENDED;
  *width = d->jpeg.output_width;
  *height = d->jpeg.output_height;
  return FLOW_JPEG_OK;
}

flow_jpeg_status flow_jpeg_read_rows(
    flow_jpeg_decoder *d, uint8_t *rows, size_t stride, int limit, int *read) {
  *read = 0;
  if (setjmp(d->escape)) return d->failure;
  while (*read < limit && d->jpeg.output_scanline < d->jpeg.output_height) {
    JSAMPROW row = rows + (size_t)*read * stride;
    if (jpeg_read_scanlines(&d->jpeg, &row, 1) == 0) return FLOW_JPEG_SUSPENDED;
    (*read)++;
  }
  return d->jpeg.output_scanline < d->jpeg.output_height ? FLOW_JPEG_OK : FLOW_JPEG_DONE;
}

long flow_jpeg_warnings(const flow_jpeg_decoder *d) { return d->errors.num_warnings; }

const char *flow_jpeg_message(const flow_jpeg_decoder *d) { return d->message; }
