import Foundation

/// Accepts connections and answers their requests, a thread each.
struct Connections: Sendable {
  let listener: Int32
  let log: EventLog
  let handler: @Sendable (String) -> FaultServer.Handler?

  func acceptAll() {
    while let socket = Socket.accept(listener) {
      guard log.opened(socket) else {
        Socket.close(socket)
        break
      }
      Thread.detachNewThread { answerAll(on: socket) }
    }
    Socket.close(listener)
  }

  private func answerAll(on socket: Int32) {
    var unread: [UInt8] = []
    while let request = nextRequest(on: socket, &unread) {
      let path = request.path
      log.update { counts in
        counts.hitsOfPath[path, default: 0] += 1
        if counts.keepsRequests { counts.requests.append(request) }
        counts.active += 1
        counts.mostAtOnce = max(counts.mostAtOnce, counts.active)
      }
      let exchange = Exchange(request: request, socket: socket, log: log)
      (handler(path) ?? { $0.respond(404, [:], Array("no such path".utf8)) })(exchange)
      log.update { $0.active -= 1 }
      guard exchange.keepsAlive else { break }
    }
    log.closed(socket)
  }

  /// Reads up to the empty line; requests have no bodies here.
  private func nextRequest(on socket: Int32, _ unread: inout [UInt8]) -> ServerRequest? {
    while true {
      if let end = unread.firstRange(of: [13, 10, 13, 10]) {
        let text = String(decoding: unread[..<end.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<end.upperBound)
        return parse(text)
      }
      guard let more = Socket.receive(from: socket), !more.isEmpty else { return nil }
      unread += more
    }
  }

  private func parse(_ text: String) -> ServerRequest? {
    let lines = text.split(separator: "\r\n")
    guard let words = lines.first?.split(separator: " "), words.count >= 2 else { return nil }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[line[..<colon].lowercased()] = String(value)
    }
    return ServerRequest(method: String(words[0]), target: String(words[1]), headers: headers)
  }
}
