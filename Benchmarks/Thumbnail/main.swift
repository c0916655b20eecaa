import Pipeline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Thumbnail IN OUT: makes a JPEG of at most 300×300 pixels, as a program of somebody who uses the
// library would. It is measured against other programs.

/// Writes all of `bytes` to a new file.
func write(_ bytes: ImageBytes, to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  let count = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
  return fclose(file) == 0 && count == bytes.count
}

/// The largest size of the shape of `size` that fits into `limit`.
func fitted(_ size: PixelSize, into limit: PixelSize) -> PixelSize {
  let ratio = min(
    1, Double(limit.width) / Double(size.width), Double(limit.height) / Double(size.height))
  return PixelSize(
    width: max(1, Int((Double(size.width) * ratio).rounded())),
    height: max(1, Int((Double(size.height) * ratio).rounded())))
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { exit(2) }
do {
  let limit = PixelSize(width: 300, height: 300)
  let bytes = try ImageBytes(mappingFileAt: arguments[1])
  var options = DecodingOptions()
  if let size = try DecoderRegistry.standard.probe(bytes)?.size {
    options.targetSize = fitted(size, into: limit)
  }
  let image = try DecoderRegistry.standard.decode(bytes, options: options)
  let transform: any ImageTransform = .resize(fitting: limit)
  let small = try transform.apply(to: image.bitmap, cancellation: CancellationFlag())
  let isWritten = write(try JPEGEncoder(quality: 75).encode(small), to: arguments[2])
  exit(isWritten ? 0 : 1)
} catch {
  print(error)
  exit(1)
}
