internal import CCurlShims

/// One libcurl multi handle: the sockets, connections and name look-ups of a loop.
// SAFETY: all but `wake` is called on the loop's thread; `wake` is made for other threads.
final class CurlMulti: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// `nil` when libcurl has no memory for it.
  init?() {
    guard CurlLibrary.isReady, let handle = curl_multi_init() else { return nil }
    self.handle = handle
    _ = flow_multi_set_long(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
  }

  deinit { curl_multi_cleanup(handle) }

  /// Connections that are kept open when nobody uses them.
  func keepConnections(_ count: Int) {
    _ = flow_multi_set_long(handle, CURLMOPT_MAXCONNECTS, count)
  }

  func add(_ easy: CurlEasy) -> Bool { curl_multi_add_handle(handle, easy.handle) == CURLM_OK }

  /// Takes a transfer out; the connection of an unfinished one is closed (its stream, in HTTP/2).
  func remove(_ easy: CurlEasy) { curl_multi_remove_handle(handle, easy.handle) }

  /// Reads and writes what can be without waiting; callbacks run in here.
  func perform() {
    var running: Int32 = 0
    curl_multi_perform(handle, &running)
  }

  /// Waits for a socket, a timer of libcurl's, `wake`, or the time given.
  func wait(milliseconds: Int32) { curl_multi_poll(handle, nil, 0, milliseconds, nil) }

  /// Ends `wait`, now or the next one. From any thread.
  func wake() { curl_multi_wakeup(handle) }

  /// The context pointer and result of the next transfer that ended.
  func nextDone() -> (context: UnsafeMutableRawPointer, code: CURLcode)? {
    var code = CURLE_OK
    var context: UnsafeMutableRawPointer?
    guard let easy = flow_multi_next_done(handle, &code) else { return nil }
    _ = flow_easy_get_private(easy, &context)
    return context.map { ($0, code) }
  }
}
