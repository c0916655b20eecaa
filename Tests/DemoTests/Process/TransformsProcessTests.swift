import Foundation
import Pipeline
import Testing

@testable import Demo

struct TransformsProcessTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")

  @Test func `the sheet of transforms shows every transform there is`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = folder.appending(path: "in.png")
    let scene = Scene.hills(320, 240, .evening).bitmap
    try PNGEncoder().encode(scene).data.write(to: source)
    let sheet = folder.appending(path: "new/sheet.png")
    let run = try await DemoProcess(
      ["transforms", source.path, "-o", sheet.path], cacheHome: folder.path)
    #expect(run.code == 0 && run.errors.isEmpty)
    let samples = TransformSample.all(of: scene)
    #expect(run.output == "\(sheet.path): \(samples.count + 4) pictures\n")
    let image = try DecoderRegistry.standard.decode(
      ImageBytes(Data(contentsOf: sheet)), options: DecodingOptions())
    #expect(image.format == .png && image.size.width > 1_000)
    #expect(image.size.height > samples.count / 4 * 200)
    let keys = samples.map(\.transform.key).joined(separator: " ")
    for name in [
      "resize", "crop", "pad", "rotate", "flip", "blur", "sharpen", "pixelate", "matrix",
      "controls", "tint", "background", "rounded", "border", "watermark", "custom",
    ] { #expect(keys.contains("\(name)("), "\(name)") }
    for mode in BlendMode.allCases { #expect(keys.contains(mode.rawValue)) }
    for filter in ResampleFilter.allCases { #expect(keys.contains(filter.rawValue)) }
  }

  @Test func `a sheet of nothing fails and says so`() async throws {
    let run = try await DemoProcess(
      ["transforms", folder.appending(path: "none.png").path], cacheHome: folder.path)
    #expect(run.code == 1 && run.output.isEmpty && run.errors.hasPrefix("demo: "))
    let none = try await DemoProcess(["transforms"], cacheHome: folder.path)
    #expect(none.code == 2 && none.errors.contains("demo transforms FILE"))
  }
}
