import Foundation

/// One request and the connection its answer goes to. Used by its handler's thread only.
public final class Exchange {
  /// What was asked.
  public let request: ServerRequest
  private let socket: Int32
  private let log: EventLog
  private var promised: Int?
  private var written = 0
  private(set) var mustClose = false

  init(request: ServerRequest, socket: Int32, log: EventLog) {
    self.request = request
    self.socket = socket
    self.log = log
  }

  /// A whole answer: head, length, body.
  public func respond(_ status: Int, _ headers: [String: String] = [:], _ body: [UInt8] = []) {
    var headers = headers
    if headers["Content-Length"] == nil { headers["Content-Length"] = String(body.count) }
    sendHead(status, headers)
    write(body)
  }

  /// The head of an answer. Without `Content-Length` the body ends when the connection does.
  public func sendHead(_ status: Int, _ headers: [String: String] = [:]) {
    var text = "HTTP/1.1 \(status) Told\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    sendRaw(Array((text + "\r\n").utf8))
    promised = headers["Content-Length"].flatMap { Int($0) }
    written = 0
    if promised == nil, headers["Transfer-Encoding"] == nil { mustClose = true }
  }

  /// Bytes of the body. `false` when the client is gone.
  @discardableResult
  public func write(_ bytes: [UInt8]) -> Bool {
    written += bytes.count
    return sendRaw(bytes)
  }

  /// One chunk of a chunked body; an empty one ends it.
  @discardableResult
  public func writeChunk(_ bytes: [UInt8]) -> Bool {
    sendRaw(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
  }

  /// Bytes exactly as given, head or body. `false` when the client is gone.
  @discardableResult
  public func sendRaw(_ bytes: [UInt8]) -> Bool {
    guard !mustEnd else { return false }
    if Socket.send(bytes, to: socket) { return true }
    abandon()
    return false
  }

  /// Waits for the gate; `false` when the client went away meanwhile, which is counted.
  public func hold(until gate: Gate) -> Bool {
    while !gate.isOpen {
      if Socket.isClosedByPeer(socket, waiting: 2) || log.isStopped {
        abandon()
        return false
      }
    }
    return true
  }

  /// Lets time pass, for what drips; `false` when the client went away meanwhile.
  public func pause(milliseconds: Int32) -> Bool {
    if !mustEnd, Socket.isClosedByPeer(socket, waiting: milliseconds) || log.isStopped { abandon() }
    return !mustEnd
  }

  /// Waits until the client goes away.
  public func holdUntilClosed() { _ = hold(until: Gate()) }

  /// Closes the connection after the answer.
  public func close() { mustClose = true }

  /// Breaks the connection at once, without the polite end.
  public func reset() {
    Socket.resetOnClose(socket)
    mustEnd = true
    mustClose = true
  }

  private var mustEnd = false

  private func abandon() {
    guard !mustEnd else { return }
    mustEnd = true
    mustClose = true
    log.update { $0.abandonedOfPath[self.request.path, default: 0] += 1 }
  }

  /// Whether another request may follow on the connection.
  var keepsAlive: Bool {
    !mustClose && request.headers["connection"]?.lowercased() != "close"
      && (promised == nil || request.method == "HEAD" || promised == written)
  }
}
