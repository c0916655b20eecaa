#include "CMicroHTTPDShims.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>

// A client that goes away is no news here: the callbacks tell of it.
static void ignore(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

struct MHD_Daemon *flow_httpd_start(MHD_AccessHandlerCallback answer,
                                    MHD_RequestCompletedCallback ended, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
      MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ERROR_LOG, 0, NULL,
      NULL, answer, context, MHD_OPTION_EXTERNAL_LOGGER, ignore, NULL, MHD_OPTION_SOCK_ADDR,
      (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, ended, context, MHD_OPTION_END);
}

uint16_t flow_httpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}
