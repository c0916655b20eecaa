//: # A transform of your own
//: A transform is a value with a key. The key stands for what it does: equal keys promise equal
//: pixels, so results can be cached and shared.
import Pipeline

/// Few levels of each colour, as in an old poster.
struct Posterize: ImageTransform {
  /// Levels of each colour, from 2.
  let levels: Int

  /// Empty when nothing would change: such an image keeps its key and its pixels.
  var key: String { levels >= 256 ? "" : "posterize(\(levels))" }

  func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    guard levels >= 2 else {
      throw .invalidParameter(transform: "posterize", reason: "\(levels) levels are too few")
    }
    let table = (0...255).map { value in
      let level = (value * (levels - 1) + 127) / 255
      return UInt8(level * 255 / (levels - 1))
    }
    return try bitmap.withUnsafeBytes { source throws(TransformError) in
      try Bitmap(size: bitmap.size, hasAlpha: bitmap.hasAlpha) { target throws(TransformError) in
        for y in 0..<bitmap.height {
          // Long work looks now and then whether anybody still wants it.
          if cancellation.isCancelled { throw .cancelled }
          for offset in (y * bitmap.bytesPerRow)..<((y + 1) * bitmap.bytesPerRow) {
            let isAlpha = offset % 4 == 3
            target[offset] = isAlpha ? source[offset] : table[Int(source[offset])]
          }
        }
      }
    }
  }
}

extension ImageTransform where Self == Posterize {
  /// Few levels of each colour.
  static func posterize(levels: Int) -> Posterize { Posterize(levels: levels) }
}

//: A ramp from black to white, eight pixels wide.
let ramp = Bitmap(size: PixelSize(width: 8, height: 1)) { bytes in
  for x in 0..<8 {
    for part in 0..<3 { bytes[x * 4 + part] = UInt8(x * 255 / 7) }
    bytes[x * 4 + 3] = 255
  }
}
let bytes = try PNGEncoder().encode(ramp)
let cache = ImageCache(memory: ImageCache.imageMemory(limit: 1 << 20), disk: nil)
let pipeline = ImagePipeline(configuration: .init(cache: cache))

func show(_ transforms: [any ImageTransform]) async {
  var request = ImageRequest(.bytes(bytes, key: "ramp"))
  request.transforms = transforms
  do {
    let loaded = try await pipeline.image(for: request)
    let row = (0..<loaded.bitmap.width).map { "\(loaded.bitmap[$0, 0].red)" }
    print("\(loaded.origin.rawValue): \(row.joined(separator: " "))")
  } catch {
    print(error)
  }
}

print("-- as it is")
await show([])
print("-- in three levels, then the same from memory")
await show([.posterize(levels: 3)])
await show([.posterize(levels: 3)])
print("-- without effect: found under the key of the plain image")
await show([.posterize(levels: 256)])
print("-- after a transform of the library")
await show([.resize(to: PixelSize(width: 4, height: 1), filter: .box), .posterize(levels: 2)])
print("-- a parameter that can not be")
await show([.posterize(levels: 1)])
