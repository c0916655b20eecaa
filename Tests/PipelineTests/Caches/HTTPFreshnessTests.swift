import Foundation
import Testing

@testable import Pipeline

/// Each test names the section of RFC 9111 it is about, unless it says otherwise.
struct HTTPFreshnessTests {
  private let start: Int = 1_700_000_000

  private func response(_ headers: [(String, String)], status: Int = 200) throws -> ImageResponse {
    ImageResponse(
      url: try #require(URL(string: "http://example.com/a.png")), status: status,
      headers: headers.map { HeaderField(name: $0.0, value: $0.1) }, protocolName: "HTTP/1.1")
  }

  private func fields(_ fields: [(String, String)]) -> [HeaderField] {
    fields.map { HeaderField(name: $0.0, value: $0.1) }
  }

  /// The verdict `after` seconds on a response with `headers`.
  private func verdict(
    _ headers: [(String, String)], after: Int, request: [(String, String)] = []
  ) throws -> HTTPFreshness.Verdict {
    let stored = StoredResponse(
      response: try response(headers), requestHeaders: [], requestTime: start, responseTime: start)
    return HTTPFreshness(stored).verdict(requestHeaders: fields(request), now: start + after)
  }

  private let tag = HeaderField(name: "If-None-Match", value: "\"1\"")

  @Test func `4.2 fresh until its age reaches max-age`() throws {
    let headers = [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")]
    #expect(try verdict(headers, after: 59) == .fresh(age: 59))
    #expect(
      try verdict(headers, after: 60) == .revalidate(conditions: [tag], mayServeOnError: false))
  }

  @Test func `4.2.1 max-age comes before Expires, and Expires counts from Date`() throws {
    let date = httpDate(start)
    let later = httpDate(start + 100)
    #expect(
      try verdict([("Cache-Control", "max-age=5"), ("Date", date), ("Expires", later)], after: 6)
        == .fetch)
    #expect(try verdict([("Date", date), ("Expires", later)], after: 99) == .fresh(age: 99))
    #expect(try verdict([("Date", date), ("Expires", later)], after: 100) == .fetch)
  }

  @Test(arguments: ["0", "-1", "yesterday", ""]) func `5.3 an Expires of no date is past`(
    value: String
  ) throws {
    #expect(try verdict([("Expires", value), ("ETag", "\"1\"")], after: 0) != .fresh(age: 0))
  }

  @Test func `1.2.2 a huge or meaningless max-age is 2³¹ or 0`() throws {
    let huge = "max-age=99999999999999999999"
    #expect(try verdict([("Cache-Control", huge)], after: 1 << 30) == .fresh(age: 1 << 30))
    #expect(try verdict([("Cache-Control", "max-age=soon")], after: 0) == .fetch)
  }

  @Test func `4.2.2 without a word a tenth of the time since modification, a week at most`() throws
  {
    let modified = ("Last-Modified", httpDate(start - 1000))
    let date = ("Date", httpDate(start))
    #expect(try verdict([date, modified], after: 99) == .fresh(age: 99))
    #expect(try verdict([date, modified], after: 100) != .fresh(age: 100))
    let old = ("Last-Modified", httpDate(start - 100_000_000))
    #expect(try verdict([date, old], after: 604_799) == .fresh(age: 604_799))
    #expect(try verdict([date, old], after: 604_800) != .fresh(age: 604_800))
  }

  @Test func `4.2.3 age counts Age, the time on the way, and a slow clock`() throws {
    var stored = StoredResponse(
      response: try response([("Age", "30"), ("Date", httpDate(start))]),
      requestHeaders: [], requestTime: start, responseTime: start + 4)
    #expect(HTTPFreshness(stored).age(now: start + 10) == 40)
    stored.response.headers = fields([("Date", httpDate(start - 500))])
    #expect(HTTPFreshness(stored).age(now: start + 10) == 510)
    stored.response.headers = fields([("Age", "-7")])
    #expect(HTTPFreshness(stored).age(now: start) == 4)
  }

  @Test(arguments: [
    ("30, 99", 30), ("99999999999999999999", 1 << 31), ("soon", 0), ("", 0), ("+7", 0), ("1.5", 0),
  ]) func `5.1 the first Age counts, and one that is no number is ignored`(
    field: String, age: Int
  ) throws {
    let stored = StoredResponse(
      response: try response([("Age", field), ("Date", httpDate(start))]), requestHeaders: [],
      requestTime: start, responseTime: start)
    #expect(HTTPFreshness(stored).age(now: start) == age)
  }

  @Test func `5.2.2.4 no-cache is asked each time, 5.2.2.2 must-revalidate when stale`() throws {
    let always = [("Cache-Control", "no-cache, max-age=60"), ("ETag", "\"1\"")]
    #expect(
      try verdict(always, after: 0) == .revalidate(conditions: [tag], mayServeOnError: false))
    let bound = [
      ("Cache-Control", "must-revalidate, max-age=10, stale-if-error=99"), ("ETag", "\"1\""),
    ]
    #expect(try verdict(bound, after: 5) == .fresh(age: 5))
    #expect(
      try verdict(bound, after: 20, request: [("Cache-Control", "max-stale")])
        == .revalidate(conditions: [tag], mayServeOnError: false))
  }

  @Test func `5.2.1 what a request asks for narrows or widens freshness`() throws {
    let headers = [("Cache-Control", "max-age=60")]
    func asked(_ directive: String, _ after: Int) throws -> HTTPFreshness.Verdict {
      try verdict(headers, after: after, request: [("Cache-Control", directive)])
    }
    #expect(try asked("max-age=10", 11) == .fetch)
    #expect(try asked("max-age=10", 10) == .fresh(age: 10))
    #expect(try asked("min-fresh=30", 31) == .fetch)
    #expect(try asked("min-fresh=30", 30) == .fresh(age: 30))
    #expect(try asked("max-stale=5", 65) == .fresh(age: 65))
    #expect(try asked("max-stale=5", 66) == .fetch)
    #expect(try asked("max-stale", 6000) == .fresh(age: 6000))
    #expect(try asked("no-cache", 1) == .fetch)
    #expect(try asked("only-if-cached", 59) == .fresh(age: 59))
    #expect(try asked("only-if-cached", 61) == .notCached)
    #expect(
      HTTPFreshness.verdictOnMiss(
        requestHeaders: fields([("Cache-Control", "only-if-cached")])) == .notCached)
  }

  @Test func `RFC 8246 what is immutable is not asked for while fresh, and is when stale`()
    throws
  {
    let headers = [("Cache-Control", "max-age=60, immutable"), ("ETag", "\"1\"")]
    #expect(try verdict(headers, after: 59) == .fresh(age: 59))
    #expect(
      try verdict(headers, after: 60) == .revalidate(conditions: [tag], mayServeOnError: false))
  }

  @Test func `5.4 Pragma no-cache counts only without Cache-Control`() throws {
    let headers = [("Cache-Control", "max-age=60")]
    #expect(try verdict(headers, after: 1, request: [("Pragma", "no-cache")]) == .fetch)
    #expect(
      try verdict(
        headers, after: 1, request: [("Pragma", "no-cache"), ("Cache-Control", "max-age=9")])
        == .fresh(age: 1))
  }

  @Test func `RFC 5861 stale while it is asked for, and stale when the server is in trouble`()
    throws
  {
    let headers = [
      ("Cache-Control", "max-age=10, stale-while-revalidate=20, stale-if-error=40"),
      ("ETag", "\"1\""),
    ]
    #expect(try verdict(headers, after: 30) == .staleWhileRevalidate(conditions: [tag]))
    #expect(
      try verdict(headers, after: 31) == .revalidate(conditions: [tag], mayServeOnError: true))
    #expect(
      try verdict(headers, after: 51) == .revalidate(conditions: [tag], mayServeOnError: false))
    #expect([500, 502, 503, 504].allSatisfy(HTTPFreshness.isServerTrouble))
    #expect(![404, 200, 501].contains(where: HTTPFreshness.isServerTrouble))
  }

  @Test func `3 what may be stored`() throws {
    func may(
      _ headers: [(String, String)], _ status: Int = 200, request: [(String, String)] = []
    ) throws -> Bool {
      StoredResponse.mayStore(
        try response(headers, status: status), requestHeaders: fields(request))
    }
    #expect(try may([]))
    #expect(try may([("Cache-Control", "private, max-age=5")]))
    #expect(try !may([("Cache-Control", "no-store")]))
    #expect(try !may([("Cache-Control", "NO-STORE ,max-age=5")]))
    #expect(try !may([], request: [("Cache-Control", "no-store")]))
    #expect(try !may([("Vary", "*")]))
    #expect(try !may([], 302) && may([("Cache-Control", "max-age=5")], 302))
    #expect(try !may([("Cache-Control", "max-age=5")], 206))
    #expect(try !may([("Cache-Control", "max-age=5")], 304))
    #expect(try may([], 404) && !may([], 500))
    #expect(try !may([("Cache-Control", "must-understand, max-age=9")], 599))
    #expect(try may([("Cache-Control", "must-understand, no-store, max-age=9")]))
    #expect(try !may([("Cache-Control", "must-understand, no-store, max-age=9")], 599))
  }

  @Test func `4.1 only a request with the same varying fields is answered`() throws {
    let stored = StoredResponse(
      response: try response([("Vary", "Accept, X-Theme"), ("Cache-Control", "max-age=60")]),
      requestHeaders: fields([("accept", "image/webp,  image/png"), ("Cookie", "a")]),
      requestTime: start, responseTime: start)
    #expect(stored.varying.map(\.name) == ["accept"])
    #expect(stored.varying.allSatisfy { $0.value.count == 64 && !$0.value.contains("image") })
    #expect(stored.matches(fields([("Accept", "image/webp,image/png")])))
    #expect(!stored.matches(fields([("Accept", "image/png")])))
    #expect(!stored.matches(fields([("Accept", "image/webp,image/png"), ("X-Theme", "dark")])))
    let verdict = HTTPFreshness(stored).verdict(requestHeaders: [], now: start)
    #expect(verdict == .fetch)
  }

  @Test func `4.3.1 both validators are sent`() throws {
    let stored = StoredResponse(
      response: try response([("ETag", "W/\"x\""), ("Last-Modified", "then")]),
      requestHeaders: [], requestTime: 0, responseTime: 0)
    #expect(
      stored.conditionalHeaders
        == fields([("If-None-Match", "W/\"x\""), ("If-Modified-Since", "then")]))
  }

  @Test func `4.3.4 a 304 renews the fields it brings and keeps those of the body`() throws {
    let stored = StoredResponse(
      response: try response([
        ("ETag", "\"1\""), ("Cache-Control", "max-age=1"), ("Content-Length", "9"),
        ("Content-Type", "image/png"), ("X-Kept", "yes"),
      ]), requestHeaders: [], requestTime: start, responseTime: start)
    let updated = stored.updated(
      by: try response(
        [("cache-control", "max-age=60"), ("Content-Length", "0"), ("ETag", "\"1\"")], status: 304),
      requestTime: start + 10, responseTime: start + 10)
    #expect(updated.response.status == 200)
    #expect(updated.response.header("Content-Length") == "9")
    #expect(updated.response.header("X-Kept") == "yes")
    #expect(updated.response.headers.filter { $0.name.lowercased() == "cache-control" }.count == 1)
    #expect(
      HTTPFreshness(updated).verdict(requestHeaders: [], now: start + 69) == .fresh(age: 59))
  }
}

/// A date as HTTP writes it.
private func httpDate(_ seconds: Int) -> String {
  var time = time_t(seconds)
  var parts = tm()
  gmtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 40)
  let length = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
  return String(decoding: text.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
