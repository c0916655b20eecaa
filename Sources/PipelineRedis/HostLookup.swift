import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Finds the addresses of a host's name, and waits for that no longer than it may.
///
/// The system's look-up can not be stopped and may take minutes. It runs on a thread of its own, one
/// for all who ask meanwhile: who has no more time leaves, and the next finds it still running, so
/// that a dead name server costs one thread, however often it is asked.
final class HostLookup: Sendable {
  /// Gives the addresses of a name; blocks.
  typealias Resolve = @Sendable (String) -> Result<[String], RedisFailure>

  private final class Run: Sendable {
    let end = DispatchGroup()
    let result = Mutex<Result<[String], RedisFailure>?>(nil)
  }

  private let host: String
  private let resolve: Resolve
  private let running = Mutex<Run?>(nil)
  private let thread = DispatchQueue(label: "flow.redis-names")

  init(of host: String, resolve: @escaping Resolve = HostLookup.systemAddresses) {
    self.host = host
    self.resolve = resolve
  }

  /// The addresses, as numbers.
  func addresses(by deadline: ContinuousClock.Instant) throws(RedisFailure) -> [String] {
    if case .success(let addresses) = Self.numericAddresses(host) { return addresses }
    let (run, isNew) = running.withLock { running in
      if let run = running { return (run, false) }
      let run = Run()
      run.end.enter()
      running = run
      return (run, true)
    }
    if isNew { start(run) }
    let left = max(.milliseconds(1), deadline - .now).milliseconds
    let isInTime =
      run.end.wait(timeout: .now() + .milliseconds(Int(min(left, 86_400_000)))) == .success
    guard isInTime, let result = run.result.withLock({ $0 }) else {
      throw RedisFailure(reason: "the address of \(host) was not found in time")
    }
    return try result.get()
  }

  private func start(_ run: Run) {
    thread.async { [self] in
      let result = resolve(host)
      run.result.withLock { $0 = result }
      running.withLock { $0 = nil }
      run.end.leave()
    }
  }

  /// Addresses that are written as such: needs no look-up.
  private static func numericAddresses(_ host: String) -> Result<[String], RedisFailure> {
    addresses(host, AI_NUMERICHOST)
  }

  /// What the system knows of a name.
  static func systemAddresses(_ host: String) -> Result<[String], RedisFailure> {
    addresses(host, 0)
  }

  private static func addresses(_ host: String, _ flags: Int32) -> Result<[String], RedisFailure> {
    var hints = addrinfo()
    hints.ai_flags = flags
    #if canImport(Glibc)
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    #else
      hints.ai_socktype = SOCK_STREAM
    #endif
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, nil, &hints, &list)
    guard code == 0 else {
      let words = String(cString: gai_strerror(code))
      return .failure(RedisFailure(reason: "\(host) has no address: \(words)"))
    }
    defer { freeaddrinfo(list) }
    return .success(
      sequence(first: list, next: { $0?.pointee.ai_next }).prefix { $0 != nil }
        .compactMap { $0.flatMap { number($0.pointee) } })
  }

  private static func number(_ address: addrinfo) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
      guard let base = text.baseAddress,
        getnameinfo(
          address.ai_addr, address.ai_addrlen, base, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
          == 0
      else { return nil }
      return String(cString: base)
    }
  }
}
