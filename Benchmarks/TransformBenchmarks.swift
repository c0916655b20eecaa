import Foundation
import Pipeline

/// X1 to X4, X6, and how far results are from Pillow's. Pillow runs in a process of its own, in
/// alternation; without it the floor is 0.
func transformBenchmarks(_ report: BenchmarkReport) {
  let pillow = Pillow()
  if ["X1", "X2", "X6"].contains(where: report.wants) {
    let picture = transparentPhoto(width: 4_000, height: 3_000)
    pillow.keep(picture)
    for (id, width, height) in [("X1", 1024, 768), ("X2", 300, 225)] where report.wants(id) {
      let resize = Resize.resize(to: PixelSize(width: width, height: height))
      let (ours, theirs) = alternate(
        { run(resize, picture) },
        { pillow.run("resize", picture, ["\(width)", "\(height)", "lanczos3"])?.milliseconds ?? 0 })
      report.record(
        id, "12 megapixels RGBA to \(width) wide, Lanczos3, floor: Pillow", ours: ours,
        floor: theirs, unit: "ms")
    }
    if report.wants("X6") {
      // Lets the kernel begin a new peak.
      try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
      let before = peakMemory()
      _ = run(.resize(to: PixelSize(width: 1024, height: 768)), picture)
      report.record(
        "X6", "peak memory added by X1, floor: its result", ours: Double(peakMemory() - before),
        floor: Double(1024 * 768 * 4) / 1024, unit: "KiB")
    }
  }
  if report.wants("X3") {
    let picture = transparentPhoto(width: 2_000, height: 1_000)
    pillow.keep(picture)
    let (ours, theirs) = alternate(
      { run(.blur(sigma: 10), picture) },
      { pillow.run("blur", picture, ["10"])?.milliseconds ?? 0 })
    report.record(
      "X3", "Gaussian of sigma 10 on 2 megapixels, floor: Pillow", ours: ours, floor: theirs,
      unit: "ms")
  }
  if report.wants("X4") { roundedCornersBenchmark(report) }
  if report.wants("Q") { qualityBenchmark(report, pillow) }
}

private func roundedCornersBenchmark(_ report: BenchmarkReport) {
  let picture = BenchmarkPictures.photo(width: 1_000, height: 1_000)
  let (ours, copy) = alternate(
    { run(.roundedCorners(radius: 40), picture) },
    {
      milliseconds {
        let target = UnsafeMutableRawPointer.allocate(byteCount: 4_000_000, alignment: 64)
        picture.withUnsafeBytes { source in
          if let base = source.baseAddress { target.copyMemory(from: base, byteCount: 4_000_000) }
        }
        target.deallocate()
      }
    })
  report.record(
    "X4", "rounded corners on 1 megapixel, floor: a copy into fresh memory", ours: ours,
    floor: copy, unit: "ms")
}

/// Mean and largest difference of any component from Pillow's result of the same filter.
private func qualityBenchmark(_ report: BenchmarkReport, _ pillow: Pillow) {
  let picture = BenchmarkPictures.photo(width: 1_200, height: 900)
  pillow.keep(picture)
  for filter in ResampleFilter.allCases where filter != .mitchell {
    for (width, height) in [(300, 225), (700, 333), (1_900, 1_400)] {
      let size = PixelSize(width: width, height: height)
      let resize = Resize.resize(to: size, filter: filter)
      guard let theirs = pillow.run("resize", picture, ["\(width)", "\(height)", filter.rawValue]),
        let ours = try? resize.apply(to: picture, cancellation: CancellationFlag())
      else { return }
      let differences = ours.withUnsafeBytes { bytes in
        zip(bytes, theirs.pixels).map { abs(Int($0) - Int($1)) }
      }
      report.record(
        "Q.\(filter.rawValue).\(width)", "difference from Pillow: mean (ours), largest (floor)",
        ours: Double(differences.reduce(0, +)) / Double(differences.count),
        floor: Double(differences.max() ?? 0), unit: "levels")
    }
  }
}

private func run(_ transform: some ImageTransform, _ picture: Bitmap) -> Double {
  milliseconds { _ = try? transform.apply(to: picture, cancellation: CancellationFlag()) }
}

private func milliseconds(_ body: () -> Void) -> Double { nanoseconds(body) / 1e6 }

/// Medians of five alternating runs, after one that does not count.
private func alternate(_ ours: () -> Double, _ floor: () -> Double) -> (Double, Double) {
  _ = (ours(), floor())
  var times: (ours: [Double], floor: [Double]) = ([], [])
  for _ in 0..<5 {
    times.ours.append(ours())
    times.floor.append(floor())
  }
  return (median(times.ours), median(times.floor))
}

private func transparentPhoto(width: Int, height: Int) -> Bitmap {
  let photo = BenchmarkPictures.photo(width: width, height: height)
  return Bitmap(size: photo.size, hasAlpha: true) { bytes in
    photo.withUnsafeBytes { bytes.copyMemory(from: $0) }
    for pixel in stride(from: 3, to: bytes.count, by: 4) {
      bytes[pixel] = UInt8(truncatingIfNeeded: pixel >> 9)
    }
  }
}

/// Kilobytes of the process's largest resident size.
private func peakMemory() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
}

/// Pillow, through `Scripts/pillow.py`.
private final class Pillow {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "pillow-\(UUID().uuidString)")

  init() { try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func keep(_ picture: Bitmap) {
    let data = picture.withUnsafeBytes { Data($0) }
    try? data.write(to: folder.appendingPathComponent("in"))
  }

  func run(
    _ verb: String, _ picture: Bitmap, _ rest: [String]
  ) -> (milliseconds: Double, pixels: Data)? {
    let (source, target) = (
      folder.appendingPathComponent("in"), folder.appendingPathComponent("out")
    )
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "python3", "Scripts/pillow.py", verb, source.path, "\(picture.width)",
        "\(picture.height)", target.path,
      ] + rest
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard let milliseconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)),
      let pixels = try? Data(contentsOf: target)
    else { return nil }
    return (milliseconds, pixels)
  }
}
