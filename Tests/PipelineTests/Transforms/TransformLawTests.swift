import Foundation
import Testing

@testable import Pipeline

/// What holds for every transform.
struct TransformLawTests {
  /// Half of it transparent, in steps; what can not be seen has the colour `hidden`.
  private static func picture(hidden: Pixel) -> Bitmap {
    Picture.make(16, 12) { x, y in
      if (x / 4 + y / 4) % 2 == 1 {
        return Pixel(red: hidden.red, green: hidden.green, blue: hidden.blue, alpha: 0)
      }
      return Pixel(
        red: UInt8(x * 15), green: UInt8(y * 20), blue: 77, alpha: UInt8(255 - (x * y) % 200))
    }
  }

  @Test func `every transform of the library has a row`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Pipeline/Transforms").standardizedFileURL
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var declared: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: /public struct (\w+): ImageTransform/) {
        declared.insert(String(match.1))
      }
    }
    #expect(declared.count >= 14)
    #expect(declared == Set(TransformRow.all.map(\.name)))
    for row in TransformRow.all { #expect("\(type(of: row.sample))" == row.name) }
  }

  @Test func `keys stay as they are from version to version and differ from one another`() {
    for row in TransformRow.all { #expect(row.sample.key == row.key) }
    #expect(Set(TransformRow.all.map(\.key)).count == TransformRow.all.count)
    let idle = TransformRow.all.flatMap(\.idle)
    for transform in idle { #expect(transform.key.isEmpty, "\(transform)") }
    for row in TransformRow.all {
      for transform in row.bad + row.extreme + row.idleFor16x12 {
        #expect(!transform.key.contains(RequestKeys.separator))
      }
    }
  }

  @Test(arguments: TransformRow.all) func `without effect it is the same memory`(row: TransformRow)
    throws
  {
    let picture = Self.picture(hidden: .clear)
    for transform in row.idle + row.idleFor16x12 {
      #expect(try transform.apply(to: picture).storage === picture.storage, "\(transform)")
    }
  }

  @Test(arguments: TransformRow.all)
  func `with effect the picture changes and the old one does not`(
    row: TransformRow
  ) throws {
    let picture = Self.picture(hidden: .clear)
    let copy = Self.picture(hidden: .clear)
    #expect(try row.sample.apply(to: picture) != picture)
    #expect(picture == copy)
    #expect(try row.sample.apply(to: picture) == row.sample.apply(to: copy))
  }

  @Test(arguments: TransformRow.all) func `bad parameters are a typed error`(row: TransformRow) {
    for picture in [Self.picture(hidden: .clear), Picture.gray([1, 2, 3])] {
      for transform in row.bad {
        #expect(throws: TransformError.self, "\(transform)") { try transform.apply(to: picture) }
      }
    }
  }

  @Test(arguments: TransformRow.all, [(1, 1), (1, 700), (700, 1), (2, 3), (16, 12)])
  func `thin and tiny pictures and extreme values give a picture or a typed error`(
    row: TransformRow, size: (Int, Int)
  ) throws {
    let picture = Picture.gradient(size.0, size.1)
    for transform in [row.sample] + row.extreme {
      do throws(TransformError) {
        let result = try transform.apply(to: picture)
        #expect(result.width > 0 && result.height > 0)
        checkPromise(of: result)
      } catch {
        #expect(error != .cancelled)
      }
    }
  }

  /// `hasAlpha == false` promises that all is opaque.
  private func checkPromise(of bitmap: Bitmap) {
    guard !bitmap.hasAlpha else { return }
    let isOpaque = bitmap.withUnsafeBytes { bytes in
      stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 }
    }
    #expect(isOpaque)
  }

  @Test(arguments: TransformRow.all) func `colours that can not be seen do not show in the result`(
    row: TransformRow
  ) throws {
    for transform in [row.sample] + row.extreme.filter({ !($0 is Resize) }) {
      let dark = try transform.apply(to: Self.picture(hidden: .clear))
      let bright = try transform.apply(to: Self.picture(hidden: Pixel(gray: 255)))
      #expect(dark.size == bright.size)
      for y in 0..<dark.height {
        for x in 0..<dark.width where dark[x, y].alpha > 0 || bright[x, y].alpha > 0 {
          guard dark[x, y] != bright[x, y] else { continue }
          Issue.record("\(transform) at \(x),\(y): \(dark[x, y]), \(bright[x, y])")
          return
        }
      }
    }
  }

  @Test(arguments: TransformRow.all.filter(\.keepsOneColor))
  func `one colour gives one colour, to the edges`(row: TransformRow) throws {
    for color in [
      Pixel(red: 240, green: 3, blue: 99), Pixel(red: 9, green: 250, blue: 31, alpha: 90),
    ] {
      let picture = Bitmap(size: PixelSize(width: 21, height: 17), color: color)
      let result = try row.sample.apply(to: picture)
      #expect(result == Bitmap(size: result.size, color: result[0, 0]))
    }
  }

  @Test(arguments: TransformRow.all) func `cancelled work stops with that error`(row: TransformRow)
  {
    let flag = CancellationFlag()
    flag.cancel()
    #expect(throws: TransformError.cancelled) {
      try row.sample.apply(to: Self.picture(hidden: .clear), cancellation: flag)
    }
  }
}
