import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// Against a real server: what our own test server can not prove.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx or openssl is not installed"))
struct NginxTests {
  let server: NginxServer
  let downloader: Downloader

  init() throws {
    server = try NginxServer()
    var configuration = DownloaderConfiguration()
    configuration.tls.authorities = server.file("ca.pem")
    configuration.maximumConcurrentTransfers = 20
    downloader = Downloader(configuration: configuration)
  }

  private func connection(_ transfer: TransferRecorder) -> String? {
    transfer.image?.response?.header("x-connection")
  }

  @Test func `HTTP/1.1: the body comes, and the connection is used again`() async throws {
    let url = server.http.appending(path: "plain.bin")
    let first = await downloader.outcome(url)
    let second = await downloader.outcome(url)
    #expect(first.body == server.plain && second.body == server.plain)
    #expect(first.image?.response?.protocolName == "HTTP/1.1")
    #expect(connection(first) != nil && connection(first) == connection(second))
    #expect(first.image?.metrics?.reusedConnection == false)
    #expect(second.image?.metrics?.reusedConnection == true)
    #expect(second.image?.metrics?.wireByteCount == server.plain.count)
  }

  @Test func `B35: over HTTP/2, twenty at once share one connection`() async throws {
    let all = (0..<20).map {
      TransferRecorder(
        downloader,
        server.https.appending(path: "plain.bin").appending(
          queryItems: [URLQueryItem(name: "n", value: "\($0)")]))
    }
    for transfer in all { await transfer.ended() }
    #expect(all.allSatisfy { $0.body == server.plain })
    #expect(Set(all.map { $0.image?.response?.protocolName }) == ["HTTP/2"])
    #expect(Set(all.map(connection)).count == 1)
  }

  @Test func `HTTP/2: a cancelled stream leaves its connection to the others`() async throws {
    let slow = server.https.appending(path: "slow/plain.bin")
    let cancelled = TransferRecorder(downloader, slow)
    await cancelled.events(3)
    cancelled.cancel()
    let next = await downloader.outcome(server.https.appending(path: "plain.bin"))
    #expect(next.body == server.plain)
    #expect(next.image?.metrics?.reusedConnection == true)
  }

  @Test func `B27: what is trusted is the downloader's: other authorities are refused`()
    async throws
  {
    let url = server.https.appending(path: "plain.bin")
    #expect(await downloader.outcome(url).body == server.plain)
    let failure = await Downloader().outcome(url).failure
    guard case .insecure? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure?.mayHeal == false)
  }

  @Test func `B93: any certificate is taken when a request says so, and only then`() async throws {
    let downloader = Downloader()
    let url = server.https.appending(path: "plain.bin")
    var options = TransferOptions()
    options.tls = TLSOptions()
    options.tls?.allowsInvalidCertificates = true
    #expect(await downloader.outcome(url, options).body == server.plain)
    guard case .insecure? = await downloader.outcome(url).failure else {
      Issue.record("the open connection was used for a request that does not trust it")
      return
    }
  }

  @Test func `TLS: a certificate for another name is refused`() async throws {
    guard case .insecure? = await downloader.outcome(server.misnamed).failure else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func `TLS: a client certificate opens what it is asked for`() async throws {
    let url = server.mutual.appending(path: "plain.bin")
    #expect(await downloader.outcome(url).failure == .refused(status: 400, retryAfter: nil))
    var options = TransferOptions()
    options.tls = TLSOptions()
    options.tls?.authorities = server.file("ca.pem")
    options.tls?.clientCertificate = server.file("client.pem")
    options.tls?.clientKey = server.file("client.key")
    #expect(await downloader.outcome(url, options).body == server.plain)
  }

  @Test func `TLS: a pinned key that is another one is refused`() async throws {
    var options = TransferOptions()
    options.tls = TLSOptions()
    options.tls?.authorities = server.file("ca.pem")
    options.tls?.pinnedKeys = "sha256//" + Data(repeating: 1, count: 32).base64EncodedString()
    let url = server.https.appending(path: "plain.bin")
    guard case .insecure? = await downloader.outcome(url, options).failure else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func `Basic: the login opens, a wrong one and none do not`() async throws {
    let url = server.http.appending(path: "private/plain.bin")
    var options = TransferOptions()
    #expect(await downloader.outcome(url).failure == .refused(status: 401, retryAfter: nil))
    options.credential = .password(user: "me", password: "secret")
    #expect(await downloader.outcome(url, options).body == server.plain)
    options.credential = .password(user: "me", password: "wrong")
    let failure = await downloader.outcome(url, options).failure
    #expect(failure == .refused(status: 401, retryAfter: nil))
    #expect(await downloader.outcome(url).failure == .refused(status: 401, retryAfter: nil))
  }

  @Test func `gzip: the body is unpacked, and its size unknown before`() async throws {
    let transfer = await downloader.outcome(server.http.appending(path: "page.html"))
    #expect(transfer.body == server.page)
    #expect(transfer.image?.response?.header("content-encoding") == "gzip")
    #expect(transfer.progress.allSatisfy { $0.expected == nil })
    let wire = try #require(transfer.image?.metrics?.wireByteCount)
    #expect(wire > 0 && wire < server.page.count / 10)
  }

  @Test func `redirects: one is followed, a loop ends`() async throws {
    let moved = await downloader.outcome(server.http.appending(path: "moved"))
    #expect(moved.body == server.plain)
    #expect(moved.image?.response?.url.path() == "/plain.bin")
    let failure = await downloader.outcome(server.http.appending(path: "loop")).failure
    #expect(failure == .redirectRefused(reason: "there are too many"))
  }

  @Test(arguments: [false, true])
  func `ranges: a cancelled load is gone on with`(overTLS: Bool) async throws {
    let base = overTLS ? server.https : server.http
    let url = base.appending(path: "slow/plain.bin")
    let first = TransferRecorder(downloader, url)
    await first.received { $0 > 0 }
    first.cancel()
    let transfer = await downloader.outcome(url)
    #expect(transfer.body == server.plain)
    #expect(transfer.image?.response?.status == 206)
    #expect((transfer.image?.metrics?.resumedByteCount ?? 0) > 0)
  }
}
