#pragma once
#include <microhttpd.h>
#include <stdint.h>

// MHD_start_daemon and MHD_get_daemon_info are variadic in use, which Swift can not call.

// A server on 127.0.0.1 at a free port, a thread for each connection; NULL when none can be had.
// `answer` and `ended` are called with `context`, which must outlive the server.
struct MHD_Daemon *flow_httpd_start(MHD_AccessHandlerCallback answer,
                                    MHD_RequestCompletedCallback ended, void *context);

// The port it listens on; 0 when it can not be told.
uint16_t flow_httpd_port(struct MHD_Daemon *daemon);
