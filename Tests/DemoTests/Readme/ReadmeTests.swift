import Flow
import Foundation
import Pipeline
import Synchronization
import Testing

@testable import Demo

struct ReadmeTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Lines without indentation and empty ones.
  private static func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && $0 != "import Foundation" && $0 != "import Pipeline" }
  }

  @Test func `each piece of code in the readme and in the articles of Pipeline is compiled`() throws
  {
    let articles = ["Pipeline", "TheChain", "SharingAndCancellation", "CachingPolicies"]
      .map { "Sources/Pipeline/Pipeline.docc/\($0).md" }
    let compiled = Self.lines(try Self.text("Tests/DemoTests/Readme/ReadmeExamples.swift"))
    var count = 0
    for page in ["README.md"] + articles {
      let blocks = try Self.text(page).components(separatedBy: "```swift\n").dropFirst()
        .map { Self.lines($0.components(separatedBy: "```")[0]) }
        // Those of streams alone are compiled with the documentation of Flow.
        .filter { block in
          ![".package", "import Flow", "#expect("].contains { block[0].hasPrefix($0) }
        }
      count += blocks.count
      for block in blocks {
        #expect(compiled.firstRange(of: block) != nil, "\(page): \(block.joined(separator: "\n"))")
      }
    }
    #expect(count >= 8)
  }

  @Test func `the readme names every error of a download, a decode and a transform`() throws {
    let readme = try Self.text("README.md")
    let sources = [
      "Transfer/DownloadError.swift", "Codecs/DecodeError.swift", "Transforms/ImageTransform.swift",
      "Request/LoadError.swift",
    ]
    for source in sources {
      let text = try Self.text("Sources/Pipeline/\(source)")
      let cases = text.matches(of: /\n  case ([a-z][A-Za-z]*)/).map { String($0.1) }
      #expect(!cases.isEmpty)
      for name in cases where name != "cancelled" || source.hasPrefix("Transfer") {
        #expect(readme.contains(".\(name)"), "\(source): \(name)")
      }
    }
  }

  @Test func `the chain of the readme loads an avatar`() async throws {
    let picture = Bitmap(
      size: PixelSize(width: 200, height: 100), color: Pixel(red: 9, green: 9, blue: 9))
    let bytes = try PNGEncoder().encode(picture)
    let url = try #require(URL(string: "data:image/png;base64,\(bytes.data.base64EncodedString())"))
    let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 20), disk: nil)
    let sizes = Mutex<[PixelSize]>([])
    let held = Mutex<AnyCancellable?>(nil)
    await withCheckedContinuation { continuation in
      let task = ReadmeExamples.chain(
        url, cache: cache, downloader: Downloader(), finish: { _ in continuation.resume() },
        show: { event in
          if case .image(let loaded) = event { sizes.withLock { $0.append(loaded.image.size) } }
        })
      held.withLock { $0 = task }
    }
    #expect(sizes.withLock { $0 } == [PixelSize(width: 48, height: 48)])
  }
}
