import Foundation
import Pipeline
import Testing

/// Results beside those of Pillow with the same filter; `docs/transform-quality.md` has the figures
/// of whole pictures.
struct ResampleQualityTests {
  /// As `Scripts/pillow-results.py` draws it.
  private static let picture: Bitmap = {
    var noise: UInt32 = 1
    return Picture.make(64, 48) { x, y in
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let grain = Int(noise >> 27)
      let edge = (x / 11 + y / 9) % 2 == 1 ? 90 : 0
      return Pixel(
        red: UInt8(min(255, 2 * x + edge + grain)),
        green: UInt8(min(255, 3 * y + edge / 2 + grain)),
        blue: UInt8(200 - 2 * abs(x - y) + grain), alpha: UInt8(255 - 3 * abs(x - 32)))
    }
  }()

  @Test(arguments: PillowResults.all.indices)
  func `results differ from Pillow's by 1 level in the mean and 6 at most`(index: Int) throws {
    let known = PillowResults.all[index]
    let filter = try #require(ResampleFilter(rawValue: known.filter))
    let pixels = try #require(Data(base64Encoded: known.pixels))
    let ours = try Resize.resize(
      to: PixelSize(width: known.width, height: known.height), filter: filter
    ).apply(to: Self.picture)
    var differences: [Int] = []
    var place = pixels.startIndex
    for y in stride(from: 0, to: known.height, by: 7) {
      for x in stride(from: 0, to: known.width, by: 3) {
        let pixel = ours[x, y]
        for component in [pixel.red, pixel.green, pixel.blue, pixel.alpha] {
          differences.append(abs(Int(component) - Int(pixels[place])))
          place += 1
        }
      }
    }
    #expect(place == pixels.endIndex)
    let mean = Double(differences.reduce(0, +)) / Double(differences.count)
    #expect(mean <= 1 && differences.max() ?? 255 <= 6, "\(known.filter): \(mean)")
  }
}
