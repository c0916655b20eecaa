import Pipeline

/// Reads the arguments of `demo load`.
extension Invocation {
  static func load(_ rest: inout ArgumentReader) throws(UsageError) -> Invocation {
    var options = LoadOptions()
    while let argument = rest.next() {
      switch argument {
      case .option("-h"), .option("--help"): return .help(.load)
      case .option("-o"), .option("--output"): options.output = try rest.value(of: argument, .load)
      case .option("--cache"): options.cache = try rest.value(of: argument, .load)
      case .option("--json"): options.printsJSON = true
      case .option("--progressive"): options.showsPreviews = true
      case .option("--resize"):
        options.resize = try size(try rest.value(of: argument, .load))
      case .option(let name): try take(name, argument, &rest, &options.fetching)
      case .word(let word): options.sources.append(word)
      }
    }
    guard !options.sources.isEmpty else {
      throw UsageError("There is nothing to load.", hint: "Name a URL or a file: demo load FILE")
    }
    return .load(options)
  }

  private static func take(
    _ name: String, _ argument: ArgumentReader.Argument, _ rest: inout ArgumentReader,
    _ options: inout FetchOptions
  ) throws(UsageError) {
    switch name {
    case "--insecure": options.takesAnyCertificate = true
    case "--public-only": options.isPublicOnly = true
    case "--header": options.headers.append(try field(try rest.value(of: argument, .load)))
    case "--user": options.login = try login(try rest.value(of: argument, .load))
    case "--retry": options.retryCount = try retries(try rest.value(of: argument, .load))
    case "--timeout": options.timeout = try seconds(try rest.value(of: argument, .load))
    default: throw UsageError("\(name) is not an option.", see: .load)
    }
  }

  private static func field(_ text: String) throws(UsageError) -> HeaderField {
    guard let (name, value) = halves(of: text) else {
      throw UsageError(
        "\"\(text)\" is not a header field.",
        hint: "Give name and value: \"Referer: http://host/\".")
    }
    return HeaderField(name: name, value: String(value.drop { $0 == " " }))
  }

  private static func login(_ text: String) throws(UsageError) -> Credential {
    guard let (name, password) = halves(of: text) else {
      // What was given may be a password: it is not repeated.
      throw UsageError("That is not a login.", hint: "Give name and password: --user NAME:PASSWORD")
    }
    return .password(user: name, password: password)
  }

  /// What stands before and after the first colon; `nil` when either colon or name is missing.
  private static func halves(of text: String) -> (String, String)? {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else { return nil }
    return (String(text[..<colon]), String(text[text.index(after: colon)...]))
  }

  private static func retries(_ text: String) throws(UsageError) -> Int {
    guard let count = Int(text), (0...100).contains(count) else {
      throw UsageError(
        "\"\(text)\" is not a number of retries.", hint: "Give a number from 0 to 100.")
    }
    return count
  }

  private static func seconds(_ text: String) throws(UsageError) -> Duration {
    guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
      throw UsageError("\"\(text)\" is not a time.", hint: "Give seconds, as in 0.5 or 20.")
    }
    return .seconds(seconds)
  }
}
