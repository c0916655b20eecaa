import Testing

/// The table of the laws is complete: whoever adds an operator adds it there.
@Suite struct CompletenessTests {
  /// Public members that end a stream.
  static let ends: Set<String> = [
    "sink(receiveCompletion:receiveValue:)", "sink(receiveValue:)", "assign(to:on:)",
    "assign(to:onWeak:)", "assign(onMain:_:)", "subscribe(_:)", "values", "results", "first()",
    "send()", "connect()",
  ]

  /// Publisher types that cannot be driven by hand, with tests of their own.
  static let special: Set<String> = ["Publishers.FromAsyncSequence"]

  @Test func `every public operator and end is in a table`() throws {
    let surface = try PublicSurface()
    #expect(surface.members.count > 60, "the sources were not found or not understood")
    let known = Set(LawTable.cases.map(\.name)).union(Self.ends)
    #expect(surface.members.subtracting(known).sorted() == [])
    let gone = Self.ends.union(LawTable.cases.map(\.name).filter { $0.contains("(") })
      .subtracting(surface.members)
    #expect(gone.subtracting(["connect()"]).sorted() == [])
  }

  @Test func `every public publisher is in a table`() throws {
    let surface = try PublicSurface()
    #expect(surface.publishers.count > 50)
    let known = LawTable.cases.flatMap { law in
      let base = law.name.prefix { $0 != "(" }
      return law.types + [law.name, "Publishers.\(base.prefix(1).uppercased())\(base.dropFirst())"]
    }
    #expect(surface.publishers.subtracting(known).subtracting(Self.special).sorted() == [])
  }
}
