import Foundation
import Pipeline

/// How far our results are from Pillow's with the same filter: Q.FILTER.WIDTH prints the mean and
/// the largest difference of any component, in levels; S.FILTER.WIDTH what the structural
/// similarity of the brightness lacks to 1, in thousandths.
///
/// The picture is a photograph if `QUALITY_PICTURE` names one, else drawn.
func qualityBenchmark(_ report: BenchmarkReport, _ pillow: TransformPeer) {
  let picture = qualityPicture()
  pillow.keep(picture.data, width: picture.width, height: picture.height)
  for filter in ResampleFilter.allCases where filter != .mitchell {
    for share in [0.25, 0.6, 1.5] {
      let size = PixelSize(
        width: Int(Double(picture.width) * share), height: Int(Double(picture.height) * share))
      guard
        let theirs = pillow.result("resize \(size.width) \(size.height) \(filter.rawValue)"),
        let ours = try? Resize.resize(to: size, filter: filter).apply(
          to: picture, cancellation: CancellationFlag())
      else {
        return report.record("Q", "differences: \(pillow.label)", ours: 0, floor: 0, unit: "levels")
      }
      let mine = [UInt8](ours.data)
      let other = [UInt8](theirs)
      var (sum, most) = (0, 0)
      for index in mine.indices {
        let difference = abs(Int(mine[index]) - Int(other[index]))
        sum += difference
        most = max(most, difference)
      }
      report.record(
        "Q.\(filter.rawValue).\(size.width)", "from \(pillow.label): mean (ours), largest (floor)",
        ours: Double(sum) / Double(mine.count), floor: Double(most), unit: "levels")
      report.record(
        "S.\(filter.rawValue).\(size.width)", "1 − SSIM from \(pillow.label)",
        ours: (1 - similarity(mine, other, width: size.width)) * 1_000, floor: 0,
        unit: "thousandths")
    }
  }
}

private func qualityPicture() -> Bitmap {
  guard let path = ProcessInfo.processInfo.environment["QUALITY_PICTURE"],
    let data = try? Data(contentsOf: URL(fileURLWithPath: path))
  else { return BenchmarkPictures.photo(width: 1_200, height: 900) }
  return decoded(ImageBytes(data)).bitmap
}

/// The mean structural similarity of the brightness of two pictures, in windows of eight by eight.
private func similarity(_ a: [UInt8], _ b: [UInt8], width: Int) -> Double {
  func luma(_ bytes: [UInt8], _ pixel: Int) -> Double {
    let (red, green) = (Double(bytes[pixel * 4]), Double(bytes[pixel * 4 + 1]))
    let blue = Double(bytes[pixel * 4 + 2])
    return red * 0.299 + green * 0.587 + blue * 0.114
  }
  let height = a.count / 4 / width
  let (c1, c2) = (6.5025, 58.5225)
  var (sum, count) = (0.0, 0.0)
  for top in stride(from: 0, through: height - 8, by: 4) {
    for left in stride(from: 0, through: width - 8, by: 4) {
      var (x, y, xx, yy, xy) = (0.0, 0.0, 0.0, 0.0, 0.0)
      for row in top..<(top + 8) {
        for pixel in (row * width + left)..<(row * width + left + 8) {
          let p = luma(a, pixel)
          let q = luma(b, pixel)
          x += p
          y += q
          xx += p * p
          yy += q * q
          xy += p * q
        }
      }
      let mx: Double = x / 64
      let my: Double = y / 64
      let squares: Double = mx * mx + my * my
      let variances: Double = xx / 64 + yy / 64 - squares
      let covariance: Double = xy / 64 - mx * my
      let above: Double = (2 * mx * my + c1) * (2 * covariance + c2)
      let below: Double = (squares + c1) * (variances + c2)
      sum += above / below
      count += 1
    }
  }
  return count > 0 ? sum / count : 1
}

extension Bitmap {
  /// The bytes, copied.
  var data: Data { withUnsafeBytes { Data($0) } }
}
