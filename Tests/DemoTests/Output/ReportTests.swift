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

  @Test func `the table has a row for each load however it ended`() {
    #expect(
      TextTable([Self.moving, Self.failed, Self.stopped]).text == """
        SOURCE  FORMAT  SIZE  FRAMES   BYTES  FROM       LOOKUP  DOWNLOAD  DECODE  TRANSFORM  STORE
        a.gif   GIF      3×2       2     3 B  local           –         –  1.5 ms          –      –
        b.png   –          –       –       –  failed          –         –       –          –      –
        c.png   –          –       –  2.5 kB  cancelled       –         –       –          –      –

        """)
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
  }
}
