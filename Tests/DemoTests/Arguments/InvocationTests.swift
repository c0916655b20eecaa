import Testing

@testable import Demo

struct InvocationTests {
  @Test func `no arguments mean the gallery`() throws {
    #expect(try Invocation([]) == .gallery(GalleryOptions()))
    #expect(try Invocation(["gallery"]) == .gallery(GalleryOptions()))
  }

  @Test func `options without a command belong to the gallery`() throws {
    let options = GalleryOptions(output: "out", cache: "store")
    #expect(try Invocation(["-o", "out", "--cache", "store"]) == .gallery(options))
    #expect(try Invocation(["gallery", "--output=out", "--cache=store"]) == .gallery(options))
  }

  @Test func `load takes sources and options in any order`() throws {
    let wanted = LoadOptions(
      sources: ["a.png", "http://host/b"], output: "out",
      resize: RequestedSize(width: 300, height: 200), printsJSON: true)
    #expect(
      try Invocation([
        "load", "a.png", "--json", "-o", "out", "http://host/b", "--resize", "300x200",
      ])
        == .load(wanted))
  }

  @Test func `two dashes end the options`() throws {
    #expect(
      try Invocation(["load", "--", "--json", "-"]) == .load(LoadOptions(sources: ["--json", "-"])))
  }

  @Test func `help is given for the program and for each command`() throws {
    #expect(try Invocation(["--help"]) == .help(.program))
    #expect(try Invocation(["-h"]) == .help(.program))
    #expect(try Invocation(["help", "load"]) == .help(.load))
    #expect(try Invocation(["load", "a", "--help"]) == .help(.load))
    #expect(try Invocation(["gallery", "-h"]) == .help(.gallery))
    for topic in [HelpTopic.program, .gallery, .load, .probe, .convert, .cache] {
      #expect(topic.text.hasSuffix("\n"))
      #expect(topic.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }

  @Test(arguments: [
    (
      ["laod", "a"], "\"laod\" is not a command.",
      "There are: gallery, load, probe, convert, transforms, cache, help."
    ),
    (["a.png"], "\"a.png\" is not a command.", "To load it: demo load a.png"),
    (["http://h/a"], "\"http://h/a\" is not a command.", "To load it: demo load http://h/a"),
    (["load"], "There is nothing to load.", "Name a URL or a file: demo load FILE"),
    (["load", "a", "--qiet"], "--qiet is not an option.", "Try \"demo load --help\"."),
    (["-x"], "-x is not an option.", "Try \"demo gallery --help\"."),
    (["load", "a", "-o"], "-o needs a value.", "Try \"demo load --help\"."),
    (["gallery", "--cache="], "--cache needs a value.", "Try \"demo gallery --help\"."),
    (
      ["help", "me"], "\"me\" is not a command.",
      "There are: gallery, load, probe, convert, transforms, cache, help."
    ),
  ])
  func `arguments that make no sense are answered with a hint`(
    _ arguments: [String], _ message: String, _ hint: String
  ) {
    #expect(throws: UsageError(message, hint: hint)) { try Invocation(arguments) }
  }

  @Test(arguments: ["", "300", "300x", "x200", "0x5", "-3x5", "3x4x5", "axb", "1e3x5"])
  func `what is not a size is refused`(_ text: String) {
    #expect(throws: UsageError.self) { try Invocation(["load", "a", "--resize", text]) }
  }
}

struct SourceArgumentTests {
  @Test(arguments: [
    ("http://host/a.png", "http://host/a.png"),
    ("data:image/png;base64,AAAA", "data:image/png;base64,AAAA"),
    ("ftp://host/a", "ftp://host/a"),
    ("/pictures/a b.png", "file:///pictures/a%20b.png"),
    ("/odd:name.png", "file:///odd:name.png"),
  ])
  func `what begins with a scheme is a URL and all else a path`(_ text: String, _ url: String) {
    #expect(SourceArgument.url(text).absoluteString == url)
  }
}
