#include "CJPEGShims.h"
#include "Segments.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

struct flow_jpeg_decoder {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf escape;
  const uint8_t *bytes;
  size_t count;
  size_t debt;  // bytes to skip that have not come yet
  int is_complete;
  int has_invented_end;  // an end marker was put where the bytes ended
  int ran_dry;           // entropy data was missing after that
  int is_buffered;
  int seen_components;
  int is_started;
  struct flow_jpeg_segments segments;
  flow_jpeg_status failure;
  char message[JMSG_LENGTH_MAX];
};

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

static void print_nothing(j_common_ptr common) { (void)common; }

static void begin_source(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean fill_source(j_decompress_ptr jpeg) {
  static const JOCTET end[2] = {0xFF, JPEG_EOI};
  flow_jpeg_decoder *d = jpeg->client_data;
  if (!d->is_complete) return FALSE;
  d->has_invented_end = 1;
  d->source.next_input_byte = end;
  d->source.bytes_in_buffer = sizeof end;
  return TRUE;
}

static void skip_source(j_decompress_ptr jpeg, long length) {
  flow_jpeg_decoder *d = jpeg->client_data;
  if (length <= 0) return;
  size_t wanted = (size_t)length;
  size_t present = d->source.bytes_in_buffer;
  if (wanted > present) {
    d->debt += wanted - present;
    wanted = present;
  }
  d->source.next_input_byte += wanted;
  d->source.bytes_in_buffer -= wanted;
}

static void end_source(j_decompress_ptr jpeg) { (void)jpeg; }

// Reads an APP1 or APP2 segment. libjpeg's own way of keeping them takes longer for each one more.
static boolean read_segment(j_decompress_ptr jpeg) {
  flow_jpeg_decoder *d = jpeg->client_data;
  const JOCTET *bytes = d->source.next_input_byte;
  size_t present = d->source.bytes_in_buffer;
  size_t length = present < 2 ? 2 : (size_t)(bytes[0] << 8 | bytes[1]);
  if (length < 2) length = 2;
  if (present < length) {
    if (!d->is_complete) return FALSE;
    return fill_source(jpeg);
  }
  if (!d->has_invented_end)
    flow_jpeg_note_segment(&d->segments, jpeg->unread_marker - JPEG_APP0,
                           (size_t)(bytes - d->bytes) + 2, bytes + 2, length - 2);
  d->source.next_input_byte += length;
  d->source.bytes_in_buffer -= length;
  return TRUE;
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
  d->source.init_source = begin_source;
  d->source.fill_input_buffer = fill_source;
  d->source.skip_input_data = skip_source;
  d->source.resync_to_restart = jpeg_resync_to_restart;
  d->source.term_source = end_source;
  d->jpeg.src = &d->source;
  jpeg_set_marker_processor(&d->jpeg, JPEG_APP0 + 1, read_segment);
  jpeg_set_marker_processor(&d->jpeg, JPEG_APP0 + 2, read_segment);
  return d;
}

void flow_jpeg_close(flow_jpeg_decoder *d) {
  if (!d) return;
  if (!setjmp(d->escape)) jpeg_destroy_decompress(&d->jpeg);
  free(d);
}

void flow_jpeg_feed(flow_jpeg_decoder *d, const uint8_t *bytes, size_t count, int complete) {
  if (d->has_invented_end) return;
  // libjpeg goes on from where it stopped; the bytes may have moved since.
  size_t start = d->count - d->source.bytes_in_buffer;
  size_t skipped = d->debt < count - start ? d->debt : count - start;
  d->debt -= skipped;
  start += skipped;
  d->bytes = bytes;
  d->count = count;
  d->is_complete = complete;
  d->source.next_input_byte = bytes + start;
  d->source.bytes_in_buffer = count - start;
}

size_t flow_jpeg_position(const flow_jpeg_decoder *d) {
  return d->has_invented_end ? d->count : d->count - d->source.bytes_in_buffer;
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

static void note_components(flow_jpeg_decoder *d) {
  for (int i = 0; i < d->jpeg.comps_in_scan; i++)
    d->seen_components |= 1 << d->jpeg.cur_comp_info[i]->component_index;
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
  if (!d->is_started) note_components(d);
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

flow_jpeg_status flow_jpeg_consume(flow_jpeg_decoder *d, int scan_limit, int *scans) {
  if (setjmp(d->escape)) return d->failure;
  for (int step = 0; step < 16; step++) {
    int result = jpeg_consume_input(&d->jpeg);
    *scans = d->jpeg.input_scan_number;
    if (result == JPEG_SUSPENDED) return FLOW_JPEG_SUSPENDED;
    if (result == JPEG_REACHED_EOI) return FLOW_JPEG_DONE;
    if (result == JPEG_REACHED_SOS) note_components(d);
    if (*scans > scan_limit) {
      strcpy(d->message, "Too many scans");
      return FLOW_JPEG_CORRUPT;
    }
  }
  return FLOW_JPEG_OK;
}

flow_jpeg_status flow_jpeg_begin_pass(flow_jpeg_decoder *d, int scan) {
  if (setjmp(d->escape)) return d->failure;
  return jpeg_start_output(&d->jpeg, scan) ? FLOW_JPEG_OK : FLOW_JPEG_SUSPENDED;
}

flow_jpeg_status flow_jpeg_end_pass(flow_jpeg_decoder *d) {
  if (setjmp(d->escape)) return d->failure;
  return jpeg_finish_output(&d->jpeg) ? FLOW_JPEG_OK : FLOW_JPEG_SUSPENDED;
}

// Whether all bits of all coefficients have come, as far as the scan script tells.
static int has_all_bits(const flow_jpeg_decoder *d) {
  if (d->seen_components != (1 << d->jpeg.num_components) - 1) return 0;
  if (!d->jpeg.progressive_mode || !d->jpeg.coef_bits) return 1;
  for (int component = 0; component < d->jpeg.num_components; component++)
    for (int k = 0; k < DCTSIZE2; k++)
      if (d->jpeg.coef_bits[component][k] != 0) return 0;
  return 1;
}

int flow_jpeg_is_cut(const flow_jpeg_decoder *d) {
  if (!d->has_invented_end) return 0;
  if (d->ran_dry || d->jpeg.arith_code) return 1;
  return d->is_buffered && !has_all_bits(d);
}

int flow_jpeg_has_data(const flow_jpeg_decoder *d) {
  return d->jpeg.input_scan_number > 1 || d->jpeg.input_iMCU_row > 0;
}

long flow_jpeg_warnings(const flow_jpeg_decoder *d) { return d->errors.num_warnings; }

const char *flow_jpeg_message(const flow_jpeg_decoder *d) { return d->message; }
