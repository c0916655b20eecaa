import Foundation
import Synchronization

/// An HTTP server on 127.0.0.1 that does what it is told, faults included.
///
/// ```swift
/// let server = try FaultServer()                        // on a free port; stops when released
/// server.serve("/a.png", bytes, type: "image/png")      // a plain answer, any number of times
/// server.route("/cut") { exchange in                    // or an answer by hand, on its own thread
///   exchange.sendHead(200, ["Content-Length": "1000"])
///   exchange.write(Array(repeating: 7, count: 10))
///   exchange.reset()
/// }
/// let gate = Gate()
/// server.route("/slow") { exchange in
///   exchange.sendHead(200, ["Content-Length": "2"])
///   guard exchange.hold(until: gate) else { return }    // false: the client went away
///   exchange.write([1, 2])
/// }
/// let url = server.url("/slow")
/// try await server.wait { $0.hits("/slow") == 1 }       // waits for events, never for time
/// try await server.wait { $0.abandoned("/slow") == 1 }  // the client closed while it was held
/// gate.open()
/// #expect(server.counts.hits("/slow") == 1)             // also .connections, .mostAtOnce, …
/// ```
/// A path without a route is answered with 404. Connections are kept alive unless the handler
/// closes or resets them, or wrote fewer bytes than a head it sent promised.
public final class FaultServer: Sendable {
  public typealias Handler = @Sendable (Exchange) -> Void

  /// The port it listens on.
  public let port: UInt16
  private let listener: Int32
  private let routes = Mutex<[String: Handler]>([:])
  private let log = EventLog()

  /// Starts to listen. Throws when the system gives no socket.
  public init() throws {
    (listener, port) = try Socket.listen()
    let server = Connections(listener: listener, log: log) { [weak self] path in
      self?.routes.withLock { $0[path] }
    }
    Thread.detachNewThread { server.acceptAll() }
  }

  deinit { stop() }

  /// Stops listening and closes all connections.
  public func stop() { log.stop(listener) }

  /// The address of `path`, which begins with a slash.
  public func url(_ path: String, host: String = "127.0.0.1") -> URL {
    URL(string: "http://\(host):\(port)\(path)") ?? URL(fileURLWithPath: "/")
  }

  /// Lets `handler` answer requests for `path` (without query). It runs on the connection's thread.
  public func route(_ path: String, _ handler: @escaping Handler) {
    routes.withLock { $0[path] = handler }
  }

  /// Answers requests for `path` with these bytes and their length.
  public func serve(
    _ path: String, _ bytes: [UInt8], type: String = "application/octet-stream",
    status: Int = 200, headers: [String: String] = [:]
  ) {
    route(path) { exchange in
      var headers = headers
      headers["Content-Type"] = headers["Content-Type"] ?? type
      exchange.respond(status, headers, bytes)
    }
  }

  /// Answers requests for `path` with a redirect to `location`.
  public func redirect(_ path: String, to location: String, status: Int = 302) {
    route(path) { $0.respond(status, ["Location": location], []) }
  }

  /// Whether `counts.requests` grows; switched off for long runs.
  public func keepsRequests(_ keeps: Bool) { log.update { $0.keepsRequests = keeps } }

  /// What has happened so far.
  public var counts: ServerCounts { log.counts }

  /// Returns when `condition` holds of what has happened; throws when that takes too long.
  public func wait(
    within limit: Duration = .seconds(20),
    until condition: @escaping @Sendable (ServerCounts) -> Bool
  ) async throws {
    try await log.wait(within: limit, until: condition)
  }
}

/// What a server has seen.
public struct ServerCounts: Sendable {
  var hitsOfPath: [String: Int] = [:]
  var abandonedOfPath: [String: Int] = [:]
  var keepsRequests = true
  /// Connections taken since the start.
  public internal(set) var connections = 0
  /// Connections that stand now.
  public internal(set) var openConnections = 0
  /// Requests being answered now.
  public internal(set) var active = 0
  /// The most requests that were being answered at once.
  public internal(set) var mostAtOnce = 0
  /// All requests, oldest first.
  public internal(set) var requests: [ServerRequest] = []

  /// Requests for `path` (without query) so far.
  public func hits(_ path: String) -> Int { hitsOfPath[path, default: 0] }
  /// Times the client went away while an answer was held or written.
  public func abandoned(_ path: String) -> Int { abandonedOfPath[path, default: 0] }
}

/// One request as it came.
public struct ServerRequest: Sendable {
  /// `GET`, …
  public let method: String
  /// Path with query, as sent.
  public let target: String
  /// Fields, names in lower case.
  public let headers: [String: String]

  /// Path without query.
  public var path: String { String(target.prefix { $0 != "?" }) }
}

/// Holds threads of the server until a test opens it; stays open then.
public final class Gate: Sendable {
  private let opened = Atomic(false)

  /// A closed gate.
  public init() {}
  /// Lets everybody through, now and later.
  public func open() { opened.store(true, ordering: .releasing) }
  /// Whether it was opened.
  public var isOpen: Bool { opened.load(ordering: .acquiring) }
}
