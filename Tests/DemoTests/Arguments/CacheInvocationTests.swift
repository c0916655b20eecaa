import Testing

@testable import Demo

struct CacheInvocationTests {
  @Test func `cache takes an action, and tells numbers without one`() throws {
    #expect(try Invocation(["cache"]) == .cache(CacheOptions(action: .stats)))
    for action in ["path", "stats", "list", "verify", "trim", "clear"] {
      let wanted = try #require(CacheOptions.Action(rawValue: action))
      #expect(try Invocation(["cache", action]) == .cache(CacheOptions(action: wanted)))
    }
    #expect(
      try Invocation(["cache", "--cache=d", "path", "http://h/a"])
        == .cache(CacheOptions(action: .path, folder: "d", key: "http://h/a")))
    #expect(try Invocation(["cache", "-h"]) == .help(.cache))
  }

  @Test(arguments: [("0", 0), ("500", 500), ("500k", 500_000), ("20M", 20_000_000)])
  func `sizes may end in k, M or G`(text: String, size: Int) throws {
    #expect(
      try Invocation(["cache", "trim", "--size", text])
        == .cache(CacheOptions(action: .trim, size: size)))
  }

  @Test(arguments: [
    ["cache", "wipe"], ["cache", "list", "x"], ["cache", "--size", "1.5M"],
    ["cache", "--size", "-1"],
    ["cache", "--size", "99999999999999999G"], ["cache", "--json"], ["cache", "path", "a", "b"],
  ])
  func `what makes no sense is said`(arguments: [String]) {
    #expect(throws: UsageError.self) { try Invocation(arguments) }
  }
}
