import Foundation
import Pipeline
import Testing

/// Bytes of a file that are not held.
struct MappedFileTests {
  private static func withFile(_ bytes: ImageBytes, _ body: (String) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "mapped-\(UUID())")
    try bytes.data.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try body(file.path(percentEncoded: false))
  }

  private static let encoders: [any ImageEncoder] = [
    PNGEncoder(level: 0), JPEGEncoder(quality: 100), JPEGEncoder(quality: 100, isProgressive: true),
    WebPEncoder(compression: .lossless),
  ]

  /// The larger of them are given back megabyte by megabyte while they are decoded.
  @Test(arguments: encoders)
  func `a mapped file gives the same pixels, again and again`(
    _ encoder: any ImageEncoder
  ) throws {
    let picture = Bitmap(size: PixelSize(width: 1_200, height: 900), hasAlpha: false) { bytes in
      var state: UInt32 = 7
      for index in bytes.indices {
        state = state &* 1_664_525 &+ 1_013_904_223
        bytes[index] = index % 4 == 3 ? 255 : UInt8(state >> 24)
      }
    }
    let held = try encoder.encode(picture)
    let wanted = try DecoderRegistry.standard.decode(held).bitmap
    try Self.withFile(held) { path in
      let mapped = try ImageBytes(mappingFileAt: path)
      #expect(mapped.count == held.count)
      for _ in 0..<2 {
        #expect(try DecoderRegistry.standard.decode(mapped).bitmap == wanted)
      }
      #expect(mapped == held)
    }
  }

  @Test func `what is no file with bytes says what it is`() throws {
    #expect(throws: DownloadError.fileNotFound) {
      try ImageBytes(mappingFileAt: "/nowhere/a.png")
    }
    #expect(throws: DownloadError.notAFile) { try ImageBytes(mappingFileAt: "/") }
    #expect(throws: DownloadError.notAFile) { try ImageBytes(mappingFileAt: "/dev/zero") }
    try Self.withFile(ImageBytes()) { path in
      #expect(throws: DownloadError.emptyBody) { try ImageBytes(mappingFileAt: path) }
    }
  }
}
