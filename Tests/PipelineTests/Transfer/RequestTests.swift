import Flow
import Foundation
import TestSupport
import Testing

@testable import Pipeline

/// What is sent: headers, logins, cookies, hooks.
struct RequestTests {
  let server: FaultServer

  init() throws {
    server = try FaultServer()
    server.serve("/a", [1, 2, 3])
  }

  private func downloader(_ change: (inout DownloaderConfiguration) -> Void) -> Downloader {
    var configuration = DownloaderConfiguration()
    change(&configuration)
    return Downloader(configuration: configuration)
  }

  private func options(_ fields: [String: String]) -> TransferOptions {
    var options = TransferOptions()
    options.headers = fields.map { HeaderField(name: $0.key, value: $0.value) }
    return options
  }

  private var sent: [String: String] { server.counts.requests.last?.headers ?? [:] }

  @Test func `B12, B13: Accept and User-Agent are sent unless given`() async throws {
    let downloader = Downloader()
    await downloader.outcome(server.url("/a"))
    #expect(
      sent["accept"]
        == "image/jpeg,image/png,image/apng,image/gif,image/webp,image/*;q=0.8,*/*;q=0.5")
    #expect(sent["user-agent"] == "Flow/1")
    await downloader.outcome(server.url("/a"), options(["accept": "image/gif"]))
    #expect(sent["accept"] == "image/gif")
  }

  @Test func `B12, B13: Accept names what the decoders take and nothing else`() async throws {
    let pipeline = ImagePipeline(
      configuration: .init(decoders: DecoderRegistry(decoders: [GIFDecoder(), JPEGDecoder()])))
    _ = try? await pipeline.data(for: ImageRequest(server.url("/a")))
    #expect(sent["accept"] == "image/gif,image/jpeg,image/*;q=0.8,*/*;q=0.5")
    let told = ImagePipeline(
      configuration: .init(downloader: downloader { $0.accept = "image/avif" }))
    _ = try? await told.data(for: ImageRequest(server.url("/a")))
    #expect(sent["accept"] == "image/avif")
  }

  @Test func `B14, B15, B16: a field set goes with later requests, until removed`() async throws {
    let downloader = Downloader()
    downloader.configuration.headers = [HeaderField(name: "X-Key", value: "v")]
    #expect(downloader.configuration.headers.first?.value == "v")
    await downloader.outcome(server.url("/a"))
    #expect(sent["x-key"] == "v")
    downloader.configuration.headers = []
    await downloader.outcome(server.url("/a"))
    #expect(sent["x-key"] == nil)
  }

  @Test func `R046: one request's headers do not go with the next`() async throws {
    let downloader = Downloader()
    await downloader.outcome(server.url("/a"), options(["X-Key": "v"]))
    #expect(sent["x-key"] == "v")
    await downloader.outcome(server.url("/a"))
    #expect(sent["x-key"] == nil)
  }

  @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b"])
  func `a header that would smuggle another is not sent`(value: String) async throws {
    let transfer = await Downloader().outcome(server.url("/a"), options(["X-Key": value]))
    guard case .requestRefused? = transfer.failure else {
      Issue.record("it was sent: \(String(describing: transfer.end))")
      return
    }
    #expect(server.counts.hits("/a") == 0)
  }

  // MARK: Hooks

  @Test func `B17, B18, B19: a modifier changes a copy`() async throws {
    let downloader = downloader {
      $0.headers = [HeaderField(name: "X-Base", value: "1")]
      var hooks = TransferHooks(name: "sign")
      hooks.modifyRequest = { request in
        request[header: "X-Base"] = "changed"
        request[header: "X-Sign"] = request.url.path()
      }
      $0.hooks = hooks
    }
    await downloader.outcome(server.url("/a"))
    #expect(sent["x-base"] == "changed")
    #expect(sent["x-sign"] == "/a")
    #expect(downloader.configuration.headers == [HeaderField(name: "X-Base", value: "1")])
  }

  private struct Refusal: Error, CustomStringConvertible { let description = "not today" }

  @Test func `a modifier may refuse, a validator too`() async throws {
    var refusing = TransferHooks(name: "refuse")
    refusing.modifyRequest = { _ in throw Refusal() }
    var options = TransferOptions()
    options.hooks = refusing
    let refused = await Downloader().outcome(server.url("/a"), options)
    #expect(refused.failure == .requestRefused(reason: "not today"))
    #expect(server.counts.hits("/a") == 0)

    var judging = TransferHooks(name: "judge")
    judging.validateResponse = { if $0.header("x-signature") == nil { throw Refusal() } }
    options.hooks = judging
    let judged = await Downloader().outcome(server.url("/a"), options)
    #expect(judged.failure == .responseRefused(reason: "not today"))
    #expect(judged.image == nil)
  }

  @Test func `a decryptor gives the bytes, and none are seen before`() async throws {
    var hooks = TransferHooks(name: "xor")
    hooks.decryptBody = { bytes, _ in ImageBytes(bytes.prefix(bytes.count).map { $0 ^ 0xFF }) }
    var options = TransferOptions()
    options.hooks = hooks
    let transfer = await Downloader().outcome(server.url("/a"), options)
    #expect(transfer.body == [0xFE, 0xFD, 0xFC])
    let images = transfer.events.filter { if case .bytes = $0 { true } else { false } }
    #expect(images.count == 1)
    hooks.decryptBody = { _, _ in throw Refusal() }
    options.hooks = hooks
    let failed = await Downloader().outcome(server.url("/a"), options)
    #expect(failed.failure == .responseRefused(reason: "not today"))
  }

  // MARK: Logins

  private func requireBasic(_ path: String) {
    server.route(path) { exchange in
      let login = "Basic " + Data("me:secret".utf8).base64EncodedString()
      if exchange.request.headers["authorization"] == login {
        exchange.respond(200, [:], [7])
      } else {
        exchange.respond(401, ["WWW-Authenticate": "Basic realm=\"r\""], [])
      }
    }
  }

  @Test func `B22, B24, B92: a question for a login is answered`() async throws {
    requireBasic("/login")
    var options = TransferOptions()
    options.credential = .password(user: "me", password: "secret")
    #expect(await Downloader().outcome(server.url("/login"), options).body == [7])
    options.credential = .password(user: "me", password: "wrong")
    let wrong = await Downloader().outcome(server.url("/login"), options)
    #expect(wrong.failure == .refused(status: 401, retryAfter: nil))
    #expect(server.counts.hits("/login") <= 4)
  }

  @Test func `B21: a request's own login wins over the host's`() async throws {
    requireBasic("/login")
    let port = server.port
    let downloader = downloader {
      $0.credentials = {
        $0 == "127.0.0.1:\(port)" ? .password(user: "me", password: "secret") : nil
      }
    }
    #expect(await downloader.outcome(server.url("/login")).body == [7])
    var options = TransferOptions()
    options.credential = .password(user: "other", password: "x")
    let failure = await downloader.outcome(server.url("/login"), options).failure
    #expect(failure == .refused(status: 401, retryAfter: nil))
    let elsewhere = server.url("/login", host: "localhost")
    #expect(
      await downloader.outcome(elsewhere).failure == .refused(status: 401, retryAfter: nil))
  }

  @Test func `a bearer token goes with the request`() async throws {
    var options = TransferOptions()
    options.credential = .bearer("abc")
    await Downloader().outcome(server.url("/a"), options)
    #expect(sent["authorization"] == "Bearer abc")
    #expect(
      "\(Credential.bearer("abc")) \(Credential.password(user: "me", password: "abc"))"
        == "bearer token password of me")
  }

  @Test(arguments: ["MD5", "SHA-256"])
  func `R047: digest logins, a stale nonce, a wrong password`(algorithm: String) async throws {
    server.route("/digest") { exchange in
      let login = exchange.request.headers["authorization"] ?? ""
      let isAnswered = login.hasPrefix("Digest ") && login.contains("username=\"me\"")
      if isAnswered, login.contains("nonce=\"fresh\"") { return exchange.respond(200, [:], [9]) }
      let nonce = isAnswered ? "fresh\", stale=true" : "old\""
      exchange.respond(
        401,
        [
          "WWW-Authenticate":
            "Digest realm=\"r\", qop=\"auth\", algorithm=\(algorithm), nonce=\"\(nonce)"
        ], [])
    }
    var options = TransferOptions()
    options.credential = .password(user: "me", password: "secret")
    #expect(await Downloader().outcome(server.url("/digest"), options).body == [9])

    server.route("/never") { exchange in
      exchange.respond(
        401,
        [
          "WWW-Authenticate":
            "Digest realm=\"r\", qop=\"auth\", nonce=\"n\", algorithm=\(algorithm)"
        ],
        [])
    }
    let failure = await Downloader().outcome(server.url("/never"), options).failure
    #expect(failure == .refused(status: 401, retryAfter: nil))
    #expect(server.counts.hits("/never") <= 3)
  }

  // MARK: Cookies

  @Test func `B34: cookies are kept and sent only when asked for`() async throws {
    server.serve("/set", [1], headers: ["Set-Cookie": "session=1; Path=/"])
    let downloader = Downloader()
    var withCookies = TransferOptions()
    withCookies.usesCookies = true
    await downloader.outcome(server.url("/set"))
    await downloader.outcome(server.url("/a"), withCookies)
    #expect(sent["cookie"] == nil)
    await downloader.outcome(server.url("/set"), withCookies)
    await downloader.outcome(server.url("/a"), withCookies)
    #expect(sent["cookie"] == "session=1")
    await downloader.outcome(server.url("/a"))
    #expect(sent["cookie"] == nil)
    await Downloader().outcome(server.url("/a"), withCookies)
    #expect(sent["cookie"] == nil)
  }

  @Test func `B20: a registered scheme is loaded by whoever was registered`() async throws {
    struct Fixed: ImageDownloader {
      func transfer(for request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
        Just(.bytes(EncodedImage(bytes: ImageBytes([4]), origin: .local)))
          .setFailureType(to: DownloadError.self).eraseToAnyPublisher()
      }
    }
    let downloader = downloader { $0.schemes["asset"] = Fixed() }
    let url = try #require(URL(string: "asset://icons/a"))
    #expect(await downloader.outcome(url).body == [4])
    #expect(await Downloader().outcome(url).failure == .unsupportedScheme("asset"))
  }
}
