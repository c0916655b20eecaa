internal import CHiredis

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a server gave no answer.
struct RedisFailure: Error {
  /// One sentence without full stop.
  let reason: String
}

/// What a server answered.
enum RedisReply: Equatable {
  case nothing
  case bytes([UInt8])
  case number(Int64)
  case list([RedisReply])
  case error(String)
}

/// One connection to a server. Used by one thread at a time; of no use any more after a failure.
// SAFETY: the context is touched by its one user only, and freed with this.
final class RedisConnection: @unchecked Sendable {
  private let context: UnsafeMutablePointer<redisContext>

  /// Connects, by `deadline` at the latest.
  init(
    to configuration: RedisConfiguration, found lookup: HostLookup,
    by deadline: ContinuousClock.Instant
  ) throws(RedisFailure) {
    let addresses = try lookup.addresses(by: deadline)
    context = try Self.connect(to: addresses, configuration.port, by: deadline)
    if let password = configuration.password {
      try expectNoError(try send(["AUTH", password], by: deadline))
    }
    if configuration.database != 0 {
      try expectNoError(try send(["SELECT", "\(configuration.database)"], by: deadline))
    }
  }

  deinit { redisFree(context) }

  /// Connects to the first address that answers; each gets its part of the time.
  private static func connect(
    to addresses: [String], _ port: Int, by deadline: ContinuousClock.Instant
  ) throws(RedisFailure) -> UnsafeMutablePointer<redisContext> {
    var failure = RedisFailure(reason: "it has no address")
    for (index, address) in addresses.enumerated() {
      let share = (deadline - .now) / (addresses.count - index)
      let time = try left(until: .now + share)
      guard let context = redisConnectWithTimeout(address, Int32(clamping: port), time) else {
        throw RedisFailure(reason: "there is no memory for a connection")
      }
      if context.pointee.err == 0 { return context }
      failure = Self.failure(of: context)
      redisFree(context)
    }
    throw failure
  }

  /// Sends a command of texts.
  func send(_ words: [String], by deadline: ContinuousClock.Instant) throws(RedisFailure)
    -> RedisReply
  {
    try send([words.map { Array($0.utf8) }], by: deadline)[0]
  }

  /// Sends commands at once and gives their answers, in order.
  func send(
    _ commands: [[[UInt8]]], by deadline: ContinuousClock.Instant
  ) throws(RedisFailure) -> [RedisReply] {
    let signal = BrokenPipeSignal()
    defer { signal.restore() }
    for command in commands { try append(command) }
    var isWritten: Int32 = 0
    while isWritten == 0 {
      try limit(until: deadline)
      guard redisBufferWrite(context, &isWritten) == REDIS_OK else { throw failure }
    }
    var replies: [RedisReply] = []
    while replies.count < commands.count {
      var reply: UnsafeMutableRawPointer?
      guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw failure }
      if let reply {
        defer { freeReplyObject(reply) }
        replies.append(Self.reply(reply.assumingMemoryBound(to: redisReply.self)))
      } else {
        try limit(until: deadline)
        guard redisBufferRead(context) == REDIS_OK else { throw failure }
      }
    }
    return replies
  }

  private func append(_ command: [[UInt8]]) throws(RedisFailure) {
    // One run of memory for all words: pointers into it stay good during the call.
    let lengths = command.map(\.count)
    let joined = command.flatMap { $0 }
    let outcome = joined.withUnsafeBytes { all in
      var offset = 0
      var words: [UnsafePointer<CChar>?] = []
      for length in lengths {
        words.append(all.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self))
        offset += length
      }
      return redisAppendCommandArgv(context, Int32(command.count), &words, lengths)
    }
    guard outcome == REDIS_OK else { throw failure }
  }

  /// Lets the next call on the socket take what is left of the time.
  private func limit(until deadline: ContinuousClock.Instant) throws(RedisFailure) {
    guard redisSetTimeout(context, try Self.left(until: deadline)) == REDIS_OK else {
      throw failure
    }
  }

  private static func left(until deadline: ContinuousClock.Instant) throws(RedisFailure) -> timeval
  {
    // More than a day is refused by the library, or wraps around in it.
    let (seconds, attoseconds) = min(deadline - .now, .seconds(86_400)).components
    let microseconds = Int(attoseconds / 1_000_000_000_000)
    // Zero would mean: without limit.
    guard seconds >= 0, seconds > 0 || microseconds > 0 else {
      throw RedisFailure(reason: "it took too long")
    }
    return timeval(tv_sec: Int(seconds), tv_usec: .init(microseconds))
  }

  private var failure: RedisFailure { Self.failure(of: context) }

  private static func failure(of context: UnsafeMutablePointer<redisContext>) -> RedisFailure {
    let words = withUnsafeBytes(of: &context.pointee.errstr) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    return RedisFailure(reason: words.isEmpty ? "the connection is broken" : words)
  }

  private func expectNoError(_ reply: RedisReply) throws(RedisFailure) {
    if case .error(let words) = reply { throw RedisFailure(reason: words) }
  }

  private static func reply(_ pointer: UnsafeMutablePointer<redisReply>) -> RedisReply {
    let reply = pointer.pointee
    switch reply.type {
    case REDIS_REPLY_STRING, REDIS_REPLY_STATUS:
      return .bytes(Array(UnsafeRawBufferPointer(start: reply.str, count: Int(reply.len))))
    case REDIS_REPLY_INTEGER: return .number(reply.integer)
    case REDIS_REPLY_ERROR:
      return .error(
        String(
          decoding: UnsafeRawBufferPointer(start: reply.str, count: Int(reply.len)), as: UTF8.self))
    case REDIS_REPLY_ARRAY:
      let elements = UnsafeBufferPointer(start: reply.element, count: Int(reply.elements))
      return .list(elements.compactMap { $0.map(Self.reply) })
    default: return .nothing
    }
  }
}
