#include "CCurlShims.h"

// The type checks of curl's macros look at literal options only; ours are variables.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt

CURLcode flow_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode flow_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode flow_easy_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode flow_easy_set_write(CURL *easy, CURLoption option, curl_write_callback function) {
  return curl_easy_setopt(easy, option, function);
}

CURLcode flow_easy_set_prereq(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode flow_easy_set_opensocket(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

CURLcode flow_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode flow_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode flow_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode flow_easy_get_private(CURL *easy, void **value) {
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, value);
}

CURLMcode flow_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLSHcode flow_share_set_long(CURLSH *share, CURLSHoption option, long value) {
  return curl_share_setopt(share, option, value);
}

CURL *flow_multi_next_done(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg == CURLMSG_DONE) {
      *result = message->data.result;
      return message->easy_handle;
    }
  }
  return NULL;
}
