import Foundation
import Pipeline

/// C1 to C5.
func codecBenchmarks(_ report: BenchmarkReport) {
  let pictures = BenchmarkPictures(wanted: report)
  wholeDecodeBenchmarks(report, pictures)
  lastBytesBenchmarks(report, pictures)
  thumbnailBenchmarks(report)
  animationBenchmarks(report)
  allocationBenchmarks(report)
}

/// Twelve megapixels in each format, made once.
struct BenchmarkPictures {
  struct Entry {
    var name: String
    var bytes: ImageBytes
    var bare: (ImageBytes) -> Int
  }

  var entries: [Entry] = []

  init(wanted report: BenchmarkReport) {
    let encoders: [(String, any ImageEncoder, (ImageBytes) -> Int)] = [
      ("jpeg", JPEGEncoder(quality: 85), { BareCodecs.jpeg($0) }),
      ("progressive", JPEGEncoder(quality: 85, isProgressive: true), { BareCodecs.jpeg($0) }),
      ("png", PNGEncoder(level: 3, usesPalette: false), BareCodecs.png),
      ("webp", WebPEncoder(compression: .lossy(quality: 80), effort: 1), BareCodecs.webp),
      ("lossless", WebPEncoder(compression: .lossless, effort: 0), BareCodecs.webp),
    ]
    let wanted = encoders.filter { report.wants("C1.\($0.0)") || report.wants("C2.\($0.0)") }
    guard !wanted.isEmpty else { return }
    let picture = Self.photo(width: 4_000, height: 3_000)
    entries = wanted.map { name, encoder, bare in
      Entry(name: name, bytes: encoded(picture, encoder), bare: bare)
    }
  }

  /// Something like a photograph: soft shapes, some texture, a little noise.
  static func photo(width: Int, height: Int) -> Bitmap {
    Bitmap(size: PixelSize(width: width, height: height), hasAlpha: false) { bytes in
      var noise: UInt32 = 1
      for y in 0..<height {
        let wave = sin(Double(y) / 97)
        for x in 0..<width {
          noise = noise &* 1_664_525 &+ 1_013_904_223
          let grain = Int(noise >> 27)
          let soft = Int(90 * (wave + sin(Double(x) / 131) + 2) / 2)
          let edge = (x / 300 + y / 200) % 3 * 20
          let start = (y * width + x) * 4
          bytes[start] = UInt8(truncatingIfNeeded: min(255, soft + edge + grain))
          bytes[start + 1] = UInt8(truncatingIfNeeded: min(255, soft + grain + 20))
          bytes[start + 2] = UInt8(truncatingIfNeeded: min(255, 200 - soft / 2 + edge + grain))
          bytes[start + 3] = 255
        }
      }
    }
  }
}

/// Encodes, or stops the run.
func encoded(_ picture: Bitmap, _ encoder: any ImageEncoder) -> ImageBytes {
  guard let bytes = try? encoder.encode(picture) else {
    preconditionFailure("\(encoder.format) cannot be written")
  }
  return bytes
}

/// Decodes, or stops the run.
func decoded(_ bytes: ImageBytes, _ options: DecodingOptions = DecodingOptions()) -> DecodedImage {
  guard let image = try? DecoderRegistry.standard.decode(bytes, options: options) else {
    preconditionFailure("a picture cannot be decoded")
  }
  return image
}

private func wholeDecodeBenchmarks(_ report: BenchmarkReport, _ pictures: BenchmarkPictures) {
  for entry in pictures.entries where report.wants("C1.\(entry.name)") {
    var (ours, floor): ([Double], [Double]) = ([], [])
    for _ in 0..<7 {
      ours.append(nanoseconds { check(decoded(entry.bytes).size.height, 3_000, "C1") } / 1e6)
      floor.append(nanoseconds { check(entry.bare(entry.bytes), 3_000, "C1 floor") } / 1e6)
    }
    report.record(
      "C1.\(entry.name)", "12 megapixels to RGBA; floor: the library alone, fresh memory",
      ours: median(ours), floor: median(floor), unit: "ms")
  }
}

private func lastBytesBenchmarks(_ report: BenchmarkReport, _ pictures: BenchmarkPictures) {
  for entry in pictures.entries where report.wants("C2.\(entry.name)") {
    var (rest, total, whole): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<5 {
      let options = DecodingOptions()
      guard
        let decoder = try? DecoderRegistry.standard.decoder(for: entry.bytes.prefix(16))
      else { return }
      let session = decoder.makeSession(options: options)
      let step = 16 << 10
      let last = max(0, entry.bytes.count - step)
      let before = nanoseconds {
        for end in stride(from: step, to: last, by: step) {
          try? session.append(entry.bytes.beginning(end))
        }
        try? session.append(entry.bytes.beginning(last))
      }
      let after = nanoseconds {
        try? session.append(entry.bytes)
        check((try? session.finish())?.size.height ?? 0, 3_000, "C2")
      }
      rest.append(after / 1e6)
      total.append((before + after) / 1e6)
      whole.append(nanoseconds { _ = decoded(entry.bytes) } / 1e6)
    }
    report.record(
      "C2.\(entry.name)", "left to do after the last 16 kB, of the whole decode",
      ours: median(rest), floor: median(whole), unit: "ms")
    report.record(
      "C2.\(entry.name).total", "fed by 16 kB, of decoding at once", ours: median(total),
      floor: median(whole), unit: "ms")
  }
}

private func thumbnailBenchmarks(_ report: BenchmarkReport) {
  let programs = try? ThumbnailPrograms()
  defer { programs?.remove() }
  for (megapixels, width, height) in [(12, 4_000, 3_000), (48, 8_000, 6_000)]
  where report.wants("C3.jpeg.\(megapixels)") || report.wants("C3.png.\(megapixels)")
    || report.wants("C3.webp.\(megapixels)")
  {
    let picture = BenchmarkPictures.photo(width: width, height: height)
    var options = DecodingOptions()
    options.targetSize = PixelSize(width: 300, height: 225)
    let cases: [(String, any ImageEncoder, (ImageBytes) -> Int)] = [
      ("jpeg", JPEGEncoder(quality: 85), { BareCodecs.jpeg($0, eighths: 1) }),
      ("png", PNGEncoder(level: 3, usesPalette: false), BareCodecs.png),
      ("webp", WebPEncoder(compression: .lossy(quality: 80), effort: 1), BareCodecs.webp),
    ]
    for (name, encoder, bare) in cases where report.wants("C3.\(name).\(megapixels)") {
      let bytes = encoded(picture, encoder)
      var (ours, floor): ([Double], [Double]) = ([], [])
      for _ in 0..<5 {
        ours.append(nanoseconds { _ = decoded(bytes, options) } / 1e6)
        floor.append(nanoseconds { _ = bare(bytes) } / 1e6)
      }
      let what = name == "jpeg" ? "at 1/8" : "in full"
      report.record(
        "C3.\(name).\(megapixels)", "to cover 300 pixels; floor: the library alone, \(what)",
        ours: median(ours), floor: median(floor), unit: "ms")
      report.record(
        "C3.\(name).\(megapixels).memory", "peak beyond what is there; floor: the same",
        ours: peakMegabytes { _ = decoded(bytes, options) },
        floor: peakMegabytes { _ = bare(bytes) }, unit: "MB")
      programs?.measure(
        report, id: "C3.\(name).\(megapixels)", bytes, extension: name == "jpeg" ? "jpg" : name)
    }
  }
}

/// How far resident memory rises above its present size while `body` runs, by the kernel's count.
private func peakMegabytes(_ body: () -> Void) -> Double {
  func value(_ name: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return Double(line?.split { !$0.isNumber }.first ?? "0") ?? 0
  }
  try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  let before = value("VmRSS")
  body()
  return (value("VmHWM") - before) / 1_024
}

private func animationBenchmarks(_ report: BenchmarkReport) {
  guard report.wants("C4") else { return }
  let photo = decoded(
    encoded(BenchmarkPictures.photo(width: 500, height: 700), GIFEncoder())
  ).bitmap
  let frames = (0..<200).map { index in
    Bitmap(size: PixelSize(width: 500, height: 500), hasAlpha: false) { bytes in
      photo.withUnsafeBytes { source in
        bytes.copyMemory(
          from: UnsafeRawBufferPointer(rebasing: source[(index * 2_000)...].prefix(1_000_000)))
      }
    }
  }
  let animation = Animation(
    delays: frames.map { _ in .milliseconds(40) }, loopCount: 0, residentByteCount: 0
  ) { frames[$0] }
  let image = DecodedImage(bitmap: frames[0], animation: animation, format: .gif)
  guard let bytes = try? GIFEncoder().encode(image) else { return }
  var (ours, floor): ([Double], [Double]) = ([], [])
  for _ in 0..<5 {
    ours.append(
      nanoseconds {
        let animation = decoded(bytes).animation
        for index in 0..<200 { _ = try? animation?.frame(at: index) }
      } / 1e6)
    floor.append(nanoseconds { check(BareCodecs.gif(bytes), 200, "C4 floor") } / 1e6)
  }
  report.record(
    "C4", "GIF, 200 frames of 500×500, all composed; floor: giflib", ours: median(ours),
    floor: median(floor), unit: "ms")
}
