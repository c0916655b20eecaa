import Foundation
import Pipeline
import TestSupport
import Testing

struct RedirectTests {
  let server: FaultServer
  let downloader = Downloader()

  init() throws {
    server = try FaultServer()
    server.serve("/pictures/end", [1, 2, 3])
  }

  @Test(arguments: ["end", "/pictures/end", "http://127.0.0.1:PORT/pictures/end"])
  func `R044: relative, path and absolute`(location: String) async throws {
    let location = location.replacing("PORT", with: String(server.port))
    server.redirect("/pictures/start", to: location)
    let transfer = await downloader.outcome(server.url("/pictures/start"))
    #expect(transfer.body == [1, 2, 3])
    #expect(transfer.image?.response?.url == server.url("/pictures/end"))
  }

  @Test func `R041, B91: two redirects, followed, with the address that answered`() async throws {
    server.redirect("/one", to: "/two", status: 301)
    server.redirect("/two", to: "/pictures/end", status: 307)
    let transfer = await downloader.outcome(server.url("/one"))
    #expect(transfer.body == [1, 2, 3])
    #expect(transfer.image?.response?.status == 200)
  }

  @Test func `R044: a loop ends`() async throws {
    server.redirect("/a", to: "/b")
    server.redirect("/b", to: "/a")
    let failure = await downloader.outcome(server.url("/a")).failure
    #expect(failure == .redirectRefused(reason: "there are too many"))
    #expect(server.counts.hits("/a") + server.counts.hits("/b") == 11)
  }

  @Test func `R044: thirty hops are too many, ten are not`() async throws {
    for hop in 0..<30 { server.redirect("/\(hop)", to: "/\(hop + 1)") }
    server.serve("/30", [1])
    let failure = await downloader.outcome(server.url("/0")).failure
    #expect(failure == .redirectRefused(reason: "there are too many"))
    #expect(await downloader.outcome(server.url("/20")).body == [1])
  }

  @Test func `R044, B79: no Location is a refusal`() async throws {
    server.serve("/a", [], status: 302)
    let failure = await downloader.outcome(server.url("/a")).failure
    #expect(failure == .refused(status: 302, retryAfter: nil))
  }

  @Test(arguments: ["file:///etc/hostname", "ftp://127.0.0.1/a", "gopher://127.0.0.1/a"])
  func `R044: other schemes are not followed`(location: String) async throws {
    server.redirect("/a", to: location)
    let transfer = await downloader.outcome(server.url("/a"))
    guard case .redirectRefused? = transfer.failure else {
      Issue.record("\(location): \(String(describing: transfer.end))")
      return
    }
    #expect(transfer.image == nil)
  }

  @Test func `a login sent to one host is not sent to another`() async throws {
    let other = try FaultServer()
    other.serve("/end", [1])
    server.redirect("/a", to: other.url("/end", host: "localhost").absoluteString)
    var options = TransferOptions()
    options.headers = [
      HeaderField(name: "Authorization", value: "Bearer secret"),
      HeaderField(name: "Cookie", value: "session=secret"),
    ]
    #expect(await downloader.outcome(server.url("/a"), options).body == [1])
    #expect(server.counts.requests[0].headers["authorization"] == "Bearer secret")
    #expect(other.counts.requests[0].headers["authorization"] == nil)
    #expect(other.counts.requests[0].headers["cookie"] == nil)
  }
}
