private import CMicroHTTPD
private import CMicroHTTPDShims
import Flow
import Foundation

/// Serves pictures on this machine only, at a free port, slowly, and counts what it is asked.
final class PictureServer: Sendable {
  /// The port it listens on.
  let port: UInt16
  private let site: ServedSite
  // SAFETY: libmicrohttpd's daemon may be used from any thread; it is stopped once, in `deinit`.
  private nonisolated(unsafe) let daemon: OpaquePointer

  /// Starts to serve `pictures`, by path; other paths are answered with 404.
  init(_ pictures: [String: ServedPicture]) throws(ServerError) {
    site = ServedSite(pictures)
    // The site is held by `self`, which stops the daemon before it goes.
    let context = Unmanaged.passUnretained(site).toOpaque()
    guard let daemon = flow_httpd_start(answerRequest, requestEnded, context) else {
      throw ServerError()
    }
    self.daemon = daemon
    port = flow_httpd_port(daemon)
  }

  deinit {
    site.stop()
    MHD_stop_daemon(daemon)
  }

  /// The address of `path`, which begins with a slash.
  func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// What has been seen so far.
  var counts: ServerCounts { site.counts.value }

  /// Waits until `condition` holds of what has been seen; `false` when `limit` passes before.
  func wait(
    upTo limit: Duration, until condition: @escaping @Sendable (ServerCounts) -> Bool
  ) async -> Bool {
    let matching = site.counts.filter(condition)
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { await matching.first() != nil }
      group.addTask {
        try? await Task.sleep(for: limit)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}

/// No port, thread or memory for a server.
struct ServerError: Error, CustomStringConvertible {
  /// One plain sentence, without full stop.
  var description: String { "the server could not be started on 127.0.0.1" }
}

/// Answers one request: a picture or 404.
private let answerRequest: MHD_AccessHandlerCallback = {
  context, connection, path, method, _, _, _, request in
  guard let context, let connection, let path, let request else { return .NO }
  let site = Unmanaged<ServedSite>.fromOpaque(context).takeUnretainedValue()
  let exchange = site.begin(String(cString: path))
  request.pointee = Unmanaged.passRetained(exchange).toOpaque()
  guard let picture = exchange.picture else {
    return send(status: UInt32(MHD_HTTP_NOT_FOUND), makeNotFound(), on: connection)
  }
  let response = MHD_create_response_from_callback(
    UInt64(picture.bytes.count), picture.partSize, readPart,
    Unmanaged.passRetained(exchange).toOpaque(), releaseExchange)
  guard let response else {
    Unmanaged.passUnretained(exchange).release()
    return .NO
  }
  MHD_add_response_header(response, "Content-Type", picture.mediaType)
  return send(status: UInt32(MHD_HTTP_OK), response, on: connection)
}

/// Gives the next part of a body, after a pause on the connection's own thread.
private let readPart: MHD_ContentReaderCallback = { context, position, buffer, capacity in
  guard let context, let buffer else { return Int(MHD_READ_FAILED) }
  let exchange = Unmanaged<ServedExchange>.fromOpaque(context).takeUnretainedValue()
  return exchange.read(from: Int(position), into: buffer, capacity) ?? Int(MHD_READ_FAILED)
}

private let releaseExchange: MHD_ContentReaderFreeCallback = { context in
  guard let context else { return }
  Unmanaged<ServedExchange>.fromOpaque(context).release()
}

/// Notes how a request ended.
private let requestEnded: MHD_RequestCompletedCallback = { context, _, request, reason in
  guard let context, let request, let pointer = request.pointee else { return }
  request.pointee = nil
  let exchange = Unmanaged<ServedExchange>.fromOpaque(pointer).takeRetainedValue()
  let site = Unmanaged<ServedSite>.fromOpaque(context).takeUnretainedValue()
  site.end(exchange, isWhole: reason == .REQUEST_TERMINATED_COMPLETED_OK)
}

/// The reader's word for "break the connection"; libmicrohttpd's macro is not seen by Swift.
private let MHD_READ_FAILED = -2

private func makeNotFound() -> OpaquePointer? {
  let text = "no such picture\n"
  return text.withCString {
    // SAFETY: the bytes are copied, and so only read.
    MHD_create_response_from_buffer(
      text.utf8.count, UnsafeMutableRawPointer(mutating: $0), .RESPMEM_MUST_COPY)
  }
}

private func send(
  status: UInt32, _ response: OpaquePointer?, on connection: OpaquePointer
) -> MHD_Result {
  guard let response else { return .NO }
  defer { MHD_destroy_response(response) }
  return MHD_queue_response(connection, status, response)
}
