import Pipeline

extension LoadReport {
  /// Whether it was loaded, and written if it was to be.
  var isWhole: Bool { outcome.image != nil && writeFailure == nil }

  /// Writes the picture, or the first frame, as PNG.
  func written(to folder: OutputFolder, as name: String) -> LoadReport {
    guard let image = outcome.image else { return self }
    var copy = self
    do {
      copy.output = try folder.writePNG(image.bitmap, named: name)
    } catch {
      copy.writeFailure = error
    }
    return copy
  }
}

extension OutputFolder {
  /// Encodes and writes a picture; gives the path.
  func writePNG(_ bitmap: Bitmap, named name: String) throws(OutputError) -> String {
    let bytes: ImageBytes
    do {
      bytes = try PNGEncoder().encode(bitmap)
    } catch {
      throw .notWritten(path: "\(path)/\(name)", reason: "\(error)")
    }
    return try write(bytes.prefix(bytes.count), named: name)
  }
}
