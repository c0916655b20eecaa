/// Arguments, one after the other.
struct ArgumentReader {
  /// One argument.
  enum Argument: Equatable {
    /// Begins with a dash.
    case option(String)
    /// Anything else, or whatever follows `--`.
    case word(String)
  }

  private var rest: ArraySlice<String>
  private var takesOptions = true

  init(_ arguments: [String]) { rest = arguments[...] }

  /// Takes the first word if the next argument is one; options belong to the default command, but
  /// those that ask for help belong to the program.
  mutating func command() -> String? {
    guard let first = rest.first else { return nil }
    if first == "--help" || first == "-h" {
      rest.removeFirst()
      return "help"
    }
    return first.hasPrefix("-") ? nil : rest.removeFirst()
  }

  /// The next argument. `--name=value` comes as two.
  mutating func next() -> Argument? {
    guard let first = rest.popFirst() else { return nil }
    guard takesOptions, first.hasPrefix("-"), first != "-" else { return .word(first) }
    if first == "--" {
      takesOptions = false
      return next()
    }
    if first.hasPrefix("--"), let sign = first.firstIndex(of: "=") {
      rest = [String(first[first.index(after: sign)...])] + rest
      return .option(String(first[..<sign]))
    }
    return .option(first)
  }

  /// The value that must follow the option just read.
  mutating func value(of option: Argument, _ topic: HelpTopic) throws(UsageError) -> String {
    if let value = rest.popFirst(), !value.isEmpty { return value }
    guard case .option(let name) = option else { return "" }
    throw UsageError("\(name) needs a value.", see: topic)
  }
}
