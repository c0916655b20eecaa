#pragma once
#include "CJPEGShims.h"
#include "Segments.h"

#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>

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

// Makes what is fed the source of libjpeg's bytes.
void flow_jpeg_open_source(flow_jpeg_decoder *decoder);
// Notes what the scan that begins will tell of.
void flow_jpeg_note_components(flow_jpeg_decoder *decoder);
