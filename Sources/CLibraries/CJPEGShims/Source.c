#include "Decoder.h"

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

void flow_jpeg_open_source(flow_jpeg_decoder *d) {
  d->source.init_source = begin_source;
  d->source.fill_input_buffer = fill_source;
  d->source.skip_input_data = skip_source;
  d->source.resync_to_restart = jpeg_resync_to_restart;
  d->source.term_source = end_source;
  d->jpeg.src = &d->source;
  jpeg_set_marker_processor(&d->jpeg, JPEG_APP0 + 1, read_segment);
  jpeg_set_marker_processor(&d->jpeg, JPEG_APP0 + 2, read_segment);
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
