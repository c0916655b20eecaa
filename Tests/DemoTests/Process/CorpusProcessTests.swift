import Foundation
import Pipeline
import Testing

@testable import Demo

/// Pictures from elsewhere, with what others decode them to; they lie beside the package where there
/// are any.
struct CorpusProcessTests {
  private struct Manifest: Decodable {
    let files: [Entry]
  }

  private struct Entry: Decodable {
    struct Expected: Decodable {
      var width: Int?
      var height: Int?
      var frames: Int?
      var signature: [[[Double]]]?
      var signatureInSRGB: [[[Double]]]?
      var signatureWithGamma: [[[Double]]]?
      var tolerance: Double?

      /// The readings that are right: by the profile if there is one, else with gamma or without.
      var grids: [[[[Double]]]] {
        if let signatureInSRGB { return [signatureInSRGB] }
        return [signature, signatureWithGamma].compactMap(\.self)
      }

      enum CodingKeys: String, CodingKey {
        case width, height, frames, signature, tolerance
        case signatureInSRGB = "signature_srgb"
        case signatureWithGamma = "signature_gamma"
      }
    }

    let file: String
    let kind: String
    let bytes: Int
    let tags: [String]
    let expected: Expected
    var disputed: Bool?
  }

  /// Where `IMAGE_CORPUS` says, else beside the package.
  private static let folder: URL = {
    if let named = ProcessInfo.processInfo.environment["IMAGE_CORPUS"] {
      return URL(fileURLWithPath: named)
    }
    return (1...5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }.appendingPathComponent("shared/corpus")
  }()

  private static var isThere: Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent("manifest.json").path)
  }

  /// Five of each format that all decoders agree on.
  private static func entries() throws -> [Entry] {
    let data = try Data(contentsOf: folder.appendingPathComponent("manifest.json"))
    let all = try JSONDecoder().decode(Manifest.self, from: data).files
      .filter { $0.bytes < 300_000 && $0.disputed != true && $0.expected.signature != nil }
    return ["jpeg", "png", "gif", "webp"].flatMap { kind in
      let files = all.filter { $0.kind == kind }
      // Spread over the list, which is sorted by name: neighbours are alike.
      return stride(from: 0, to: files.count, by: max(1, files.count / 5)).prefix(5)
        .map { files[$0] }
    }
  }

  @Test(.enabled(if: isThere, "the corpus lies beside the package"))
  func `the program gives the sizes, frames and colours that others give`() async throws {
    let scratch = try ScratchFolder()
    let entries = try Self.entries()
    #expect(entries.count == 20)
    let paths = entries.map { Self.folder.appendingPathComponent($0.file).path }
    let run = try await DemoProcess(
      ["load", "--json", "-o", scratch.path + "/out"] + paths, cacheHome: scratch.path + "/cache")
    #expect(run.code == 0, "\(run.errors)")
    let reports = try JSONDecoder().decode([ReportJSON].self, from: Data(run.output.utf8))
    for (entry, report) in zip(entries, reports) {
      #expect(report.width == entry.expected.width, "\(entry.file)")
      #expect(report.height == entry.expected.height, "\(entry.file)")
      #expect(report.frames == entry.expected.frames, "\(entry.file)")
      #expect(report.bytes == entry.bytes, "\(entry.file)")
      let output = try #require(report.output, "\(entry.file)")
      let written = try #require(FileManager.default.contents(atPath: output))
      let bitmap = try DecoderRegistry.standard.decode(ImageBytes(written)).bitmap
      let cells = ColorGrid.cells(of: bitmap)
      let distance = entry.expected.grids.map { ColorGrid.distance(cells, $0) }.min() ?? .infinity
      #expect(distance <= entry.expected.tolerance ?? 3, "\(entry.file)")
    }
  }
}
