/// A rectangle of pixels: RGBA, 8 bits a component, straight alpha, sRGB, rows contiguous from top.
///
/// Copying is cheap: the storage is shared and never changes once the bitmap exists.
public struct Bitmap: Sendable {
  /// Pixels in a row; at least 1.
  public let width: Int
  /// Rows; at least 1.
  public let height: Int
  /// Whether any pixel may be less than opaque. `false` promises that all alphas are 255.
  public let hasAlpha: Bool
  let storage: PixelStorage

  /// Width and height.
  public var size: PixelSize { PixelSize(width: width, height: height) }
  /// Bytes from one row to the next: `width * 4`.
  public var bytesPerRow: Int { width * 4 }
  /// Bytes of all rows.
  public var byteCount: Int { width * height * 4 }

  /// Makes a bitmap whose pixels `fill` writes, top row first.
  ///
  /// - Parameters:
  ///   - size: At least 1×1.
  ///   - hasAlpha: Pass `false` only when every alpha written is 255.
  ///   - fill: Gets the zeroed (transparent black) bytes; what it throws is passed on.
  /// - Throws: What `fill` throws.
  public init<Failure: Error>(
    size: PixelSize, hasAlpha: Bool = true,
    fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(size.width > 0 && size.height > 0, "a bitmap has at least one pixel")
    let storage = PixelStorage(byteCount: size.width * size.height * 4)
    try fill(storage.bytes)
    self.init(size: size, hasAlpha: hasAlpha, storage: storage)
  }

  /// Makes a bitmap of one colour.
  public init(size: PixelSize, color: Pixel) {
    self.init(size: size, hasAlpha: color.alpha != 255) { bytes in
      for pixel in 0..<(size.width * size.height) {
        bytes.storeBytes(of: color.red, toByteOffset: pixel * 4, as: UInt8.self)
        bytes.storeBytes(of: color.green, toByteOffset: pixel * 4 + 1, as: UInt8.self)
        bytes.storeBytes(of: color.blue, toByteOffset: pixel * 4 + 2, as: UInt8.self)
        bytes.storeBytes(of: color.alpha, toByteOffset: pixel * 4 + 3, as: UInt8.self)
      }
    }
  }

  init(size: PixelSize, hasAlpha: Bool, storage: PixelStorage) {
    width = size.width
    height = size.height
    self.hasAlpha = hasAlpha
    self.storage = storage
  }

  /// The bytes of all rows, valid inside `body` only.
  public func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let storage = self.storage
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(storage.bytes))
  }

  /// The pixel at column `x` (0 is left) and row `y` (0 is top). Traps outside the bitmap.
  public subscript(x: Int, y: Int) -> Pixel {
    precondition((0..<width).contains(x) && (0..<height).contains(y), "pixel outside the bitmap")
    let offset = (y * width + x) * 4
    return withUnsafeBytes { bytes in
      Pixel(
        red: bytes[offset], green: bytes[offset + 1], blue: bytes[offset + 2],
        alpha: bytes[offset + 3])
    }
  }
}

extension Bitmap: Equatable {
  /// Whether both have the same size and the same bytes.
  public static func == (left: Bitmap, right: Bitmap) -> Bool {
    guard left.size == right.size else { return false }
    if left.storage === right.storage { return true }
    return left.withUnsafeBytes { a in right.withUnsafeBytes { b in a.elementsEqual(b) } }
  }
}
