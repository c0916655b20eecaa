#include "CJPEGShims.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

typedef struct {
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  jmp_buf escape;
  unsigned char *bytes;
  unsigned long count;
  flow_jpeg_status failure;
  char *message;
} encoding;

static void fail(j_common_ptr common) {
  encoding *e = common->client_data;
  common->err->format_message(common, e->message);
  e->failure =
      common->err->msg_code == JERR_OUT_OF_MEMORY ? FLOW_JPEG_NO_MEMORY : FLOW_JPEG_CORRUPT;
  longjmp(e->escape, 1);
}

static void print_nothing(j_common_ptr common) { (void)common; }

// A profile is cut into APP2 segments, each with its number and their count.
static void write_profile(j_compress_ptr jpeg, const uint8_t *bytes, size_t count) {
  const size_t most = 65519;
  size_t segments = (count + most - 1) / most;
  if (segments > 255) return;
  for (size_t segment = 0; segment < segments; segment++) {
    size_t length = count - segment * most < most ? count - segment * most : most;
    jpeg_write_m_header(jpeg, JPEG_APP0 + 2, (unsigned)length + 14);
    const char *name = "ICC_PROFILE";
    for (int i = 0; i < 12; i++) jpeg_write_m_byte(jpeg, name[i]);
    jpeg_write_m_byte(jpeg, (int)segment + 1);
    jpeg_write_m_byte(jpeg, (int)segments);
    for (size_t i = 0; i < length; i++) jpeg_write_m_byte(jpeg, bytes[segment * most + i]);
  }
}

static void write_picture(encoding *e, const flow_jpeg_picture *picture) {
  j_compress_ptr jpeg = &e->jpeg;
  jpeg_mem_dest(jpeg, &e->bytes, &e->count);
  jpeg->image_width = picture->width;
  jpeg->image_height = picture->height;
  jpeg->input_components = 4;
  jpeg->in_color_space = JCS_EXT_RGBX;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, picture->quality, TRUE);
  jpeg->comp_info[0].h_samp_factor = picture->horizontal_sampling;
  jpeg->comp_info[0].v_samp_factor = picture->vertical_sampling;
  jpeg->optimize_coding = TRUE;
  if (picture->is_progressive) jpeg_simple_progression(jpeg);
  jpeg_start_compress(jpeg, TRUE);
  if (picture->exif && picture->exif_count < 65534)
    jpeg_write_marker(
        jpeg, JPEG_APP0 + 1, picture->exif, (unsigned)picture->exif_count);
  if (picture->profile) write_profile(jpeg, picture->profile, picture->profile_count);
  while (jpeg->next_scanline < jpeg->image_height) {
    JSAMPROW row = (JSAMPROW)(picture->pixels + jpeg->next_scanline * picture->stride);
    jpeg_write_scanlines(jpeg, &row, 1);
  }
  jpeg_finish_compress(jpeg);
}

flow_jpeg_status flow_jpeg_encode(
    const flow_jpeg_picture *picture, uint8_t **bytes, size_t *count, char *message) {
  encoding *e = calloc(1, sizeof *e);
  if (!e) return FLOW_JPEG_NO_MEMORY;
  e->message = message;
  e->jpeg.err = jpeg_std_error(&e->errors);
  e->errors.error_exit = fail;
  e->errors.output_message = print_nothing;
  e->jpeg.client_data = e;
  flow_jpeg_status status = FLOW_JPEG_OK;
  if (setjmp(e->escape)) {
    status = e->failure;
  } else {
    jpeg_create_compress(&e->jpeg);
    write_picture(e, picture);
  }
  jpeg_destroy_compress(&e->jpeg);
  *bytes = status == FLOW_JPEG_OK ? e->bytes : NULL;
  *count = status == FLOW_JPEG_OK ? e->count : 0;
  if (status != FLOW_JPEG_OK) free(e->bytes);
  free(e);
  return status;
}

void flow_jpeg_free(uint8_t *bytes) { free(bytes); }
