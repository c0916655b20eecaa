import Pipeline

/// One picture of the gallery: what it shows, in which format, and how it is to be loaded.
struct Exhibit: Sendable {
  /// File name, and path on the server.
  let name: String
  /// What it is encoded in.
  let format: ImageFormat
  /// What is special about it, in a few words.
  let caption: String
  /// Done to the pixels when it is loaded.
  var transforms: [any ImageTransform] = []
  /// Its size when it is upright and before transforms.
  let size: PixelSize
  /// Its frames.
  var frameCount = 1
  /// Draws and encodes it.
  let make: @Sendable () throws(EncodeError) -> ImageBytes

  /// Where the server has it.
  var path: String { "/\(name)" }
}
