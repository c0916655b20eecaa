#include "CPNGShims.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint8_t *bytes;
  size_t count, capacity;
  char *message;
} encoding;

static void fail(png_structp png, png_const_charp text) {
  encoding *e = png_get_error_ptr(png);
  strncpy(e->message, text, 199);
  png_longjmp(png, 1);
}

static void note(png_structp png, png_const_charp text) {
  (void)png;
  (void)text;
}

static void take(png_structp png, png_bytep bytes, size_t count) {
  encoding *e = png_get_io_ptr(png);
  if (e->capacity - e->count < count) {
    size_t capacity = (e->capacity + count) * 2;
    uint8_t *grown = realloc(e->bytes, capacity);
    if (!grown) png_error(png, "no memory");
    e->bytes = grown;
    e->capacity = capacity;
  }
  memcpy(e->bytes + e->count, bytes, count);
  e->count += count;
}

static void flush(png_structp png) { (void)png; }

static void write_palette(png_structp png, png_infop info, const flow_png_picture *picture) {
  png_color colors[256];
  png_byte alphas[256];
  int alpha_count = 0;
  for (int i = 0; i < picture->palette_count; i++) {
    const uint8_t *entry = picture->palette + i * 4;
    colors[i] = (png_color){entry[0], entry[1], entry[2]};
    alphas[i] = entry[3];
    if (entry[3] != 255) alpha_count = i + 1;
  }
  png_set_PLTE(png, info, colors, picture->palette_count);
  if (alpha_count > 0) png_set_tRNS(png, info, alphas, alpha_count, NULL);
}

static void write_picture(png_structp png, png_infop info, const flow_png_picture *picture) {
  int has_palette = picture->palette != NULL;
  int type = has_palette              ? PNG_COLOR_TYPE_PALETTE
             : picture->channels == 1 ? PNG_COLOR_TYPE_GRAY
             : picture->keeps_alpha   ? PNG_COLOR_TYPE_RGB_ALPHA
                                      : PNG_COLOR_TYPE_RGB;
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  int depth = !has_palette                   ? 8
              : picture->palette_count <= 2  ? 1
              : picture->palette_count <= 4  ? 2
              : picture->palette_count <= 16 ? 4
                                             : 8;
  png_set_IHDR(
      png, info, picture->width, picture->height, depth, type, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, picture->level);
  if (has_palette) write_palette(png, info, picture);
  if (picture->profile)
    png_set_iCCP(
        png, info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, picture->profile,
        (png_uint_32)picture->profile_count);
  else
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (picture->exif)
    png_set_eXIf_1(png, info, (png_uint_32)picture->exif_count, (png_bytep)picture->exif);
  png_write_info(png, info);
  if (depth < 8) png_set_packing(png);
  if (type == PNG_COLOR_TYPE_RGB) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t row = 0; row < picture->height; row++)
    png_write_row(png, picture->pixels + row * picture->stride);
  png_write_end(png, NULL);
}

flow_png_status flow_png_encode(
    const flow_png_picture *picture, uint8_t **bytes, size_t *count, char *message) {
  encoding *e = calloc(1, sizeof *e);
  if (!e) return FLOW_PNG_NO_MEMORY;
  e->message = message;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, e, fail, note);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  flow_png_status status = FLOW_PNG_OK;
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    free(e);
    return FLOW_PNG_NO_MEMORY;
  }
  png_set_write_fn(png, e, take, flush);
  if (setjmp(png_jmpbuf(png)))
    status = strstr(message, "memory") ? FLOW_PNG_NO_MEMORY : FLOW_PNG_CORRUPT;
  else
    write_picture(png, info, picture);
  png_destroy_write_struct(&png, &info);
  *bytes = status == FLOW_PNG_OK ? e->bytes : NULL;
  *count = status == FLOW_PNG_OK ? e->count : 0;
  if (status != FLOW_PNG_OK) free(e->bytes);
  free(e);
  return status;
}

void flow_png_free(uint8_t *bytes) { free(bytes); }
