#pragma once
#include <curl/curl.h>
#include <stddef.h>

// libcurl's setopt and getinfo are variadic, which Swift can not call: one function a type of argument.
// They keep no state and allocate nothing.

CURLcode flow_easy_set_long(CURL *easy, CURLoption option, long value);
CURLcode flow_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value);
// Strings, lists, shares and callback contexts. libcurl copies strings and nothing else.
CURLcode flow_easy_set_pointer(CURL *easy, CURLoption option, const void *value);
// Body and header bytes.
CURLcode flow_easy_set_write(CURL *easy, CURLoption option, curl_write_callback function);
CURLcode flow_easy_set_prereq(CURL *easy, curl_prereq_callback function);
CURLcode flow_easy_set_opensocket(CURL *easy, curl_opensocket_callback function);

// The logins by user and password that are answered; a macro with a cast is invisible to Swift.
enum { flow_auth_password = CURLAUTH_BASIC | CURLAUTH_DIGEST };

CURLcode flow_easy_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode flow_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
// The string belongs to the handle.
CURLcode flow_easy_get_string(CURL *easy, CURLINFO info, const char **value);
// The context set by CURLOPT_PRIVATE.
CURLcode flow_easy_get_private(CURL *easy, void **value);

CURLMcode flow_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLSHcode flow_share_set_long(CURLSH *share, CURLSHoption option, long value);

// The next transfer that ended: its handle and result. NULL when there is none.
CURL *flow_multi_next_done(CURLM *multi, CURLcode *result);
