import Pipeline
import Testing

@testable import Demo

/// The options of `demo load` that say how bytes are fetched.
struct FetchInvocationTests {
  private func fetching(_ arguments: String...) throws -> FetchOptions {
    guard case .load(let options) = try Invocation(["load", "a"] + arguments) else {
      throw UsageError("That is another command.", hint: "")
    }
    return options.fetching
  }

  @Test func `unless told otherwise, all is as the library has it`() throws {
    let options = try fetching()
    #expect(options == FetchOptions())
    #expect(options.transfer == TransferOptions())
    #expect(options.downloader.addresses == .any)
  }

  @Test func `header fields add up`() throws {
    let options = try fetching("--header", "Referer: http://h/?a:b", "--header=X-Empty:")
    #expect(
      options.transfer.headers == [
        HeaderField(name: "Referer", value: "http://h/?a:b"),
        HeaderField(name: "X-Empty", value: ""),
      ])
  }

  @Test func `a login has a name and a password, which may have colons`() throws {
    let options = try fetching("--user", "me:a:b")
    #expect(options.transfer.credential == .password(user: "me", password: "a:b"))
    #expect(try fetching("--user", "me:").login == .password(user: "me", password: ""))
  }

  @Test func `certificates, addresses, retries and time`() throws {
    let options = try fetching("--insecure", "--public-only", "--retry", "3", "--timeout", "0.5")
    #expect(options.transfer.tls?.allowsInvalidCertificates == true)
    #expect(options.downloader.addresses == .publicOnly)
    #expect(options.transfer.retry == TransferRetry(count: 3))
    #expect(options.transfer.idleTimeout == .milliseconds(500))
    #expect(options.transfer.connectTimeout == .milliseconds(500))
  }

  @Test(arguments: [
    (["--header", "Referer"], "\"Referer\" is not a header field."),
    (["--header", ": x"], "\": x\" is not a header field."),
    (["--user", "secret"], "That is not a login."),
    (["--retry", "-1"], "\"-1\" is not a number of retries."),
    (["--retry", "many"], "\"many\" is not a number of retries."),
    (["--timeout", "0"], "\"0\" is not a time."),
    (["--timeout", "nan"], "\"nan\" is not a time."),
    (["--timeout", "soon"], "\"soon\" is not a time."),
    (["--timeout"], "--timeout needs a value."),
    (["--insecur"], "--insecur is not an option."),
  ])
  func `values that make no sense are refused`(_ arguments: [String], _ message: String) throws {
    let error = #expect(throws: UsageError.self) { try Invocation(["load", "a"] + arguments) }
    #expect(error?.message == message)
    #expect(error?.hint.contains("secret") == false)
  }
}
