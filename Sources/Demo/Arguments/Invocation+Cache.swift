/// Reads the arguments of `demo cache`.
extension Invocation {
  static func cache(_ rest: inout ArgumentReader) throws(UsageError) -> Invocation {
    var options = CacheOptions(action: .stats)
    var action: CacheOptions.Action?
    while let argument = rest.next() {
      switch argument {
      case .option("-h"), .option("--help"): return .help(.cache)
      case .option("--cache"): options.folder = try rest.value(of: argument, .cache)
      case .option("--size"): options.size = try bytes(try rest.value(of: argument, .cache))
      case .option(let name): throw UsageError("\(name) is not an option.", see: .cache)
      case .word(let word):
        if let action {
          guard action == .path, options.key == nil else {
            throw UsageError("\"\(word)\" is one word too many.", see: .cache)
          }
          options.key = word
        } else {
          guard let known = CacheOptions.Action(rawValue: word) else {
            throw UsageError(
              "\"\(word)\" is nothing to do with a cache.",
              hint: "There are: path, stats, list, verify, trim, clear.")
          }
          action = known
        }
      }
    }
    options.action = action ?? .stats
    return .cache(options)
  }

  /// `500000`, `500k`, `20M`, `1G`: bytes.
  static func bytes(_ text: String) throws(UsageError) -> Int {
    let factors: [Character: Int] = ["k": 1_000, "M": 1_000_000, "G": 1_000_000_000]
    let factor = text.last.flatMap { factors[$0] }
    let digits = factor == nil ? text[...] : text.dropLast()
    guard let number = Int(digits), number >= 0,
      case let (bytes, overflow) = number.multipliedReportingOverflow(by: factor ?? 1), !overflow
    else {
      throw UsageError("\"\(text)\" is no number of bytes.", hint: "Give it as in 500k, 20M or 1G.")
    }
    return bytes
  }
}

/// What `demo cache` is told.
struct CacheOptions: Equatable {
  enum Action: String {
    case path, stats, list, verify, trim, clear
  }

  /// What to do.
  var action: Action
  /// The cache's folder; `nil` is the user's.
  var folder: String?
  /// The address whose file is asked for.
  var key: String?
  /// Bytes to trim to; `nil` keeps the cache's own limit.
  var size: Int?
}
