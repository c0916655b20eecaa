/// Reads the arguments of the commands that look at codecs alone.
extension Invocation {
  static func probe(_ rest: inout ArgumentReader) throws(UsageError) -> Invocation {
    var sources: [String] = []
    while let argument = rest.next() {
      switch argument {
      case .option("-h"), .option("--help"): return .help(.probe)
      case .option(let name): throw UsageError("\(name) is not an option.", see: .probe)
      case .word(let word): sources.append(word)
      }
    }
    guard !sources.isEmpty else {
      throw UsageError("There is nothing to probe.", hint: "Name a URL or a file: demo probe FILE")
    }
    return .probe(sources)
  }

  static func convert(_ rest: inout ArgumentReader) throws(UsageError) -> Invocation {
    var options = ConvertOptions(input: "", output: "")
    var words: [String] = []
    while let argument = rest.next() {
      switch argument {
      case .option("-h"), .option("--help"): return .help(.convert)
      case .option("--quality"):
        options.quality = try quality(try rest.value(of: argument, .convert))
      case .option("--resize"):
        options.resize = try size(try rest.value(of: argument, .convert))
      case .option(let name): throw UsageError("\(name) is not an option.", see: .convert)
      case .word(let word): words.append(word)
      }
    }
    guard words.count == 2 else {
      throw UsageError(
        "Converting takes two names.", hint: "Name a source and a file: demo convert IN OUT")
    }
    (options.input, options.output) = (words[0], words[1])
    guard ConvertOptions.names(format: options.output) else {
      throw UsageError(
        "\"\(options.output)\" names no format that is written here.",
        hint: "Give jpg, png, gif or webp as its extension.")
    }
    return .convert(options)
  }

  static func transforms(_ rest: inout ArgumentReader) throws(UsageError) -> Invocation {
    var options = TransformsOptions(input: "")
    var words: [String] = []
    while let argument = rest.next() {
      switch argument {
      case .option("-h"), .option("--help"): return .help(.transforms)
      case .option("-o"), .option("--output"):
        options.output = try rest.value(of: argument, .transforms)
      case .option(let name): throw UsageError("\(name) is not an option.", see: .transforms)
      case .word(let word): words.append(word)
      }
    }
    guard words.count == 1 else {
      throw UsageError(
        "One picture is transformed.", hint: "Name a URL or a file: demo transforms FILE")
    }
    options.input = words[0]
    return .transforms(options)
  }

  private static func quality(_ text: String) throws(UsageError) -> Int {
    guard let quality = Int(text), (1...100).contains(quality) else {
      throw UsageError("\"\(text)\" is not a quality.", hint: "Give a number from 1 to 100.")
    }
    return quality
  }
}
