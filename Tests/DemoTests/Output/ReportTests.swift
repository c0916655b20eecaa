import Foundation
import Pipeline
import Testing

@testable import Demo

struct ReportTests {
  private static let request = ImageRequest(URL(fileURLWithPath: "/a.gif"))

  private static var moving: LoadReport {
    let bitmap = Bitmap(size: PixelSize(width: 3, height: 2), color: .clear)
    let animation = Animation(
      delays: [.milliseconds(80), .milliseconds(120)], loopCount: 3,
      residentByteCount: bitmap.byteCount
    ) { _ in bitmap }
    var metrics = LoadMetrics()
    metrics.decode = .microseconds(1500)
    let image = LoadedImage(
      image: DecodedImage(bitmap: bitmap, animation: animation, format: .gif),
      encoded: EncodedImage(bytes: ImageBytes([1, 2, 3] as [UInt8]), origin: .local),
      origin: .local, request: request, metrics: metrics)
    return LoadReport(name: "a.gif", outcome: .loaded(image), output: "out/a.png")
  }

  private static let failed = LoadReport(
    name: "b.png", outcome: .failed(.download(.refused(status: 404, retryAfter: nil), source: "b")))
  private static let stopped = LoadReport(
    name: "c.png", outcome: .cancelled(LoadProgress(received: 2500, expected: 9900)))

  private static var fetched: LoadReport {
    var transfer = TransferMetrics()
    transfer.wireByteCount = 812
    transfer.firstByte = .milliseconds(12)
    transfer.retryCount = 2
    let url = URL(fileURLWithPath: "/p")
    let encoded = EncodedImage(
      bytes: ImageBytes([UInt8](repeating: 0, count: 2300)),
      response: ImageResponse(url: url, status: 206, headers: [], protocolName: "HTTP/2"),
      origin: .network, metrics: transfer)
    let bitmap = Bitmap(size: PixelSize(width: 4, height: 4), color: .clear)
    let image = LoadedImage(
      image: DecodedImage(bitmap: bitmap, format: .png), encoded: encoded, origin: .network,
      request: request, metrics: LoadMetrics())
    return LoadReport(
      name: "http://host/" + String(repeating: "d/", count: 60) + "p.png",
      outcome: .loaded(image))
  }

  @Test func `the tables have a row for each load however it ended`() {
    #expect(
      ReportTables.text(of: [Self.moving, Self.failed, Self.stopped]) == """
        SOURCE  FORMAT  SIZE  FRAMES   BYTES  FROM
        a.gif   GIF      3×2       2     3 B  local
        b.png   –          –       –       –  failed
        c.png   –          –       –  2.5 kB  cancelled

        SOURCE  LOOKUP  DOWNLOAD  DECODE  TRANSFORM  STORE
        a.gif        –         –  1.5 ms          –      –

        SOURCE  STATUS  PROTOCOL  WIRE  BODY  FIRST BYTE  RETRIES
        b.png      404  –            –     –           –        –

        """)
  }

  @Test func `no line is wider than a hundred columns, and the end of an address is kept`() {
    let text = ReportTables.text(of: [Self.fetched, Self.moving])
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 100 })
    #expect(lines.count { $0.hasPrefix("http://host/d/") && $0.contains("…") } == 3)
    #expect(
      lines.last?.hasSuffix("p.png     206  HTTP/2    812 B  2.3 kB       12 ms        2") == true)
  }

  @Test func `json says all that is known and is read back the same`() throws {
    let text = try ReportJSON.text(of: [Self.moving, Self.failed, Self.stopped])
    let read = try JSONDecoder().decode([ReportJSON].self, from: Data(text.utf8))
    #expect(read == [Self.moving, Self.failed, Self.stopped].map(ReportJSON.init))
    #expect(read[0].status == "loaded")
    #expect(read[0].format == "GIF")
    #expect(read[0].frames == 2)
    #expect(read[0].delaysMilliseconds == [80, 120])
    #expect(read[0].loopCount == 3)
    #expect(read[0].milliseconds == ["decode": 1.5])
    #expect(read[0].output == "out/a.png")
    #expect(read[1].error == "b: the server answered with status 404")
    #expect(read[2].bytes == 2500)
    #expect(read[0].transfer == nil)
    #expect(read[1].transfer == .init(status: 404))
  }

  @Test func `json says how the bytes came`() throws {
    let text = try ReportJSON.text(of: [Self.fetched])
    let read = try JSONDecoder().decode([ReportJSON].self, from: Data(text.utf8))
    #expect(
      read[0].transfer
        == .init(
          status: 206, protocolName: "HTTP/2", wireBytes: 812, bodyBytes: 2300,
          firstByteMilliseconds: 12, retries: 2))
  }
}
