/// What the arguments ask for.
enum Invocation: Equatable {
  case gallery(GalleryOptions)
  case load(LoadOptions)
  case probe([String])
  case convert(ConvertOptions)
  case transforms(TransformsOptions)
  case cache(CacheOptions)
  case help(HelpTopic)

  /// Reads the arguments, program name not included. No command means the gallery.
  init(_ arguments: [String]) throws(UsageError) {
    var rest = ArgumentReader(arguments)
    switch rest.command() {
    case nil, "gallery": self = try Self.gallery(&rest)
    case "load": self = try Self.load(&rest)
    case "probe": self = try Self.probe(&rest)
    case "convert": self = try Self.convert(&rest)
    case "transforms": self = try Self.transforms(&rest)
    case "cache": self = try Self.cache(&rest)
    case "help": self = .help(try Self.topic(&rest))
    case let word?: throw Self.unknown(word)
    }
  }

  private static func gallery(_ rest: inout ArgumentReader) throws(UsageError) -> Invocation {
    var options = GalleryOptions()
    while let argument = rest.next() {
      switch argument {
      case .option("-h"), .option("--help"): return .help(.gallery)
      case .option("-o"), .option("--output"):
        options.output = try rest.value(of: argument, .gallery)
      case .option("--cache"): options.cache = try rest.value(of: argument, .gallery)
      case .option(let name): throw UsageError("\(name) is not an option.", see: .gallery)
      case .word(let word): throw unknown(word)
      }
    }
    return .gallery(options)
  }

  private static func topic(_ rest: inout ArgumentReader) throws(UsageError) -> HelpTopic {
    guard let word = rest.command() else { return .program }
    guard let topic = HelpTopic(rawValue: word) else { throw unknown(word) }
    return topic
  }

  /// `300x200`, as two whole numbers from 1.
  static func size(_ text: String) throws(UsageError) -> RequestedSize {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0
    else {
      throw UsageError(
        "\"\(text)\" is not a size.", hint: "Give width and height in pixels, as in 300x200.")
    }
    return RequestedSize(width: width, height: height)
  }

  private static func unknown(_ word: String) -> UsageError {
    if word.contains("://") || word.contains(".") {
      return UsageError("\"\(word)\" is not a command.", hint: "To load it: demo load \(word)")
    }
    if word.hasPrefix("-") { return UsageError("\(word) is not an option.", see: .program) }
    return UsageError(
      "\"\(word)\" is not a command.",
      hint: "There are: gallery, load, probe, convert, transforms, cache, help.")
  }
}
