//: # A decoder of your own
//: QOI, the "quite OK image format", is not built in. One protocol teaches it to the pipeline.
import Pipeline

struct QOIDecoder: ImageDecoder {
  let format = ImageFormat(name: "QOI", fileExtension: "qoi", mediaType: "image/qoi")

  /// QOI files begin with `qoif`.
  func accepts(prefix: [UInt8]) -> Bool { prefix.starts(with: Array("qoif".utf8)) }

  func makeSession(options: DecodingOptions) -> any DecodingSession {
    QOISession(format: format, options: options)
  }
}

//: A session is fed with bytes as they come. This one waits for all of them; a better one would
//: decode what is there and give previews.
final class QOISession: DecodingSession {
  let cancellation = CancellationFlag()
  private let format: ImageFormat
  private let options: DecodingOptions
  private var bytes = ImageBytes()

  init(format: ImageFormat, options: DecodingOptions) {
    self.format = format
    self.options = options
  }

  func append(_ bytes: ImageBytes) throws(DecodeError) { self.bytes = bytes }

  func preview() -> Bitmap? { nil }

  func finish() throws(DecodeError) -> DecodedImage {
    var reader = QOIReader(bytes: bytes.prefix(bytes.count))
    guard let size = reader.readHeader() else { throw .truncated(format) }
    guard size.width > 0, size.height > 0 else {
      throw .corrupt(format, reason: "it has no pixels")
    }
    // Limits come before memory: a header may claim anything.
    let (pixels, isHuge) = size.width.multipliedReportingOverflow(by: size.height)
    guard !isHuge, pixels <= options.limits.pixels else {
      throw .tooLarge(size, limit: "\(options.limits.pixels) pixels")
    }
    let format = format
    let cancellation = cancellation
    let bitmap = try Bitmap(size: size) { memory throws(DecodeError) in
      for index in 0..<pixels {
        if index.isMultiple(of: size.width), cancellation.isCancelled { throw .cancelled }
        guard let pixel = reader.next() else { throw .truncated(format) }
        memory[index * 4] = pixel.red
        memory[index * 4 + 1] = pixel.green
        memory[index * 4 + 2] = pixel.blue
        memory[index * 4 + 3] = pixel.alpha
      }
    }
    return DecodedImage(bitmap: bitmap, format: format)
  }
}

/// Reads pixels; `nil` when the bytes end too early.
struct QOIReader {
  let bytes: [UInt8]
  private var place = 0
  private var pixel = Pixel(red: 0, green: 0, blue: 0)
  private var seen = [Pixel](repeating: .clear, count: 64)
  private var repeats = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func readHeader() -> PixelSize? {
    guard bytes.count >= 14 else { return nil }
    place = 14
    let numbers = [4, 8].map { start in
      bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    return PixelSize(width: numbers[0], height: numbers[1])
  }

  mutating func next() -> Pixel? {
    if repeats > 0 {
      repeats -= 1
      return pixel
    }
    guard let tag = byte() else { return nil }
    switch (tag, tag >> 6) {
    case (0xFE, _), (0xFF, _):
      guard let red = byte(), let green = byte(), let blue = byte() else { return nil }
      pixel = Pixel(red: red, green: green, blue: blue, alpha: pixel.alpha)
      if tag == 0xFF {
        guard let alpha = byte() else { return nil }
        pixel.alpha = alpha
      }
    case (_, 0): pixel = seen[Int(tag)]
    case (_, 1): add(Int(tag >> 4 & 3) - 2, Int(tag >> 2 & 3) - 2, Int(tag & 3) - 2)
    case (_, 2):
      guard let more = byte() else { return nil }
      let green = Int(tag & 63) - 32
      add(green + Int(more >> 4) - 8, green, green + Int(more & 15) - 8)
    default: repeats = Int(tag & 63)
    }
    seen[slot(of: pixel)] = pixel
    return pixel
  }

  private mutating func byte() -> UInt8? {
    guard place < bytes.count else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  private mutating func add(_ red: Int, _ green: Int, _ blue: Int) {
    pixel.red = UInt8(truncatingIfNeeded: Int(pixel.red) + red)
    pixel.green = UInt8(truncatingIfNeeded: Int(pixel.green) + green)
    pixel.blue = UInt8(truncatingIfNeeded: Int(pixel.blue) + blue)
  }

  private func slot(of pixel: Pixel) -> Int {
    (Int(pixel.red) * 3 + Int(pixel.green) * 5 + Int(pixel.blue) * 7 + Int(pixel.alpha) * 11) % 64
  }
}

//: The registry asks the newest decoder first. A picture of 3 by 2 pixels, written by hand:
let pipeline = ImagePipeline(
  configuration: .init(decoders: DecoderRegistry.standard.adding(QOIDecoder())))
let file: [UInt8] =
  Array("qoif".utf8) + [0, 0, 0, 3, 0, 0, 0, 2, 4, 0]
  + [0xFE, 255, 0, 0]  // red
  + [0xC0]  // the same once more
  + [0xFF, 0, 0, 255, 128]  // blue, half transparent
  + [0x32]  // red, which was seen before
  + [0x6B]  // the last one, a little more blue
  + [0xA1, 0x88]  // one step more of all three; red goes round
  + [0, 0, 0, 0, 0, 0, 0, 1]

func load(_ bytes: [UInt8], _ name: String) async {
  do {
    let request = ImageRequest(.bytes(ImageBytes(bytes), key: name))
    let loaded = try await pipeline.image(for: request)
    print("\(name): \(loaded.image.format) \(loaded.image.size)")
    for y in 0..<loaded.bitmap.height {
      let row = (0..<loaded.bitmap.width).map { loaded.bitmap[$0, y] }
      print(row.map { "(\($0.red) \($0.green) \($0.blue) \($0.alpha))" }.joined(separator: " "))
    }
  } catch {
    print(error)
  }
}

await load(file, "flag.qoi")
await load(Array(file.dropLast(12)), "cut.qoi")
await load(
  Array("qoif".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 4, 0], "bomb.qoi")
await load(
  try PNGEncoder().encode(
    Bitmap(
      size: PixelSize(width: 1, height: 1), color: Pixel(red: 1, green: 2, blue: 3))
  ).prefix(1000),
  "still-works.png")
