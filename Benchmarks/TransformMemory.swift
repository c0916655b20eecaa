import AllocationShims
import Foundation
import Pipeline

/// X6: memory that transforms take at most beside their input, each in a fresh process.
enum TransformMemory {
  static let argument = "transform-memory"

  static let cases: [(id: String, note: String, transform: any ImageTransform, result: Int)] = [
    (
      "X6.resize", "X1", Resize.resize(to: PixelSize(width: 1024, height: 768)), 1024 * 768 * 4
    ),
    ("X6.blur", "a blur of sigma 10 of 12 megapixels", Blur.blur(sigma: 10), 48_000_000),
    ("X6.corners", "rounded corners of 12 megapixels", .roundedCorners(radius: 40), 48_000_000),
    (
      "X6.chain", "crop, resize, corners, border of 12 megapixels, one after another",
      TransformChain([
        .crop(x: 500, y: 500, size: PixelSize(width: 3000, height: 2000)),
        .resize(to: PixelSize(width: 1024, height: 768)), .roundedCorners(radius: 40),
        .border(width: 4, color: Pixel(red: 1, green: 2, blue: 3), radius: 40),
      ]), 1024 * 768 * 4
    ),
  ]

  /// Measures the case named after the argument, prints bytes, and ends the process.
  static func run() -> Never {
    guard let index = CommandLine.arguments.last.flatMap({ Int($0) }), cases.indices.contains(index)
    else { exit(1) }
    // Made in one piece: memory freed before would be taken again, and not be seen.
    let picture = Bitmap(size: PixelSize(width: 4_000, height: 3_000)) { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        bytes.storeBytes(
          of: UInt64(offset) &* 0x9E37_79B9_7F4A_7C15, toByteOffset: offset, as: UInt64.self)
      }
    }
    MemoryUse.resetPeak()
    let before = MemoryUse.current
    let blocks = allocation_count()
    let result = try? cases[index].transform.apply(to: picture, cancellation: CancellationFlag())
    let asked = allocation_count() - blocks
    print(MemoryUse.peak - before, asked)
    exit(result == nil ? 1 : 0)
  }
}

func transformMemoryBenchmark(_ report: BenchmarkReport) {
  for (index, line) in TransformMemory.cases.enumerated() where report.wants(line.id) {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [TransformMemory.argument, "\(index)"]
    process.standardOutput = output
    guard (try? process.run()) != nil else { continue }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 2 else { continue }
    report.record(
      line.id, "\(line.note): memory at most beside the input, floor: the result",
      ours: numbers[0] / 1024, floor: Double(line.result) / 1024, unit: "KiB")
    // Where they can not be counted there is nothing to tell.
    guard numbers[1] > 0 else { continue }
    report.record(
      line.id + ".allocations", "\(line.note): blocks of memory asked for, floor: the result's own",
      ours: numbers[1], floor: 1, unit: "blocks")
  }
}
