#include "Decoder.h"

#include <string.h>

void flow_jpeg_note_components(flow_jpeg_decoder *d) {
  for (int i = 0; i < d->jpeg.comps_in_scan; i++)
    d->seen_components |= 1 << d->jpeg.cur_comp_info[i]->component_index;
}

flow_jpeg_status flow_jpeg_consume(flow_jpeg_decoder *d, int scan_limit, int *scans) {
  if (setjmp(d->escape)) return d->failure;
  for (int step = 0; step < 16; step++) {
    int result = jpeg_consume_input(&d->jpeg);
    *scans = d->jpeg.input_scan_number;
    if (result == JPEG_SUSPENDED) return FLOW_JPEG_SUSPENDED;
    if (result == JPEG_REACHED_EOI) return FLOW_JPEG_DONE;
    if (result == JPEG_REACHED_SOS) flow_jpeg_note_components(d);
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
