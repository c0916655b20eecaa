/// The pixels of one picture in a PNG stream: the reader, and where its rows go.
final class PNGPicture {
  private let reader: PNGReader
  private let options: DecodingOptions
  private var orientation: Orientation
  private var target: RasterTarget?
  private var interlaced: PixelStorage?
  private var shrinker: InterlacedShrinker?
  private var conversion: (any RowConversion)?
  private(set) var header: PNGReader.Header?
  private(set) var notes: [String] = []

  /// Opens a picture that will be turned upright from `orientation`.
  init(
    options: DecodingOptions, orientation: Orientation, trustingChecksums: Bool
  ) throws(DecodeError) {
    reader = try PNGReader(
      trustingChecksums: trustingChecksums, chunkLimit: options.limits.ancillaryBytes)
    self.options = options
    self.orientation = orientation
  }

  /// Whether all rows have come.
  var isDone: Bool { reader.isDone }
  /// Whether any row has come.
  var hasRows: Bool { reader.hasRows }

  /// Rows that have come, of all passes.
  var rowsFed: Int { reader.rowsFed }

  /// Feeds the next bytes of the stream. The head of the first data chunk must come alone.
  func feed(_ bytes: UnsafeRawBufferPointer) throws(DecodeError) {
    try reader.feed(bytes)
    if header == nil, let header = reader.header {
      self.header = header
      try prepare(for: header)
    }
  }

  /// What there is of the picture; `nil` before the first row.
  func preview() -> Bitmap? {
    guard interlaced != nil || shrinker != nil else { return target?.snapshot() }
    do { return try isDone || hasRows ? finish() : nil } catch { return nil }
  }

  /// The picture; rows that have not come are transparent.
  func finish() throws(DecodeError) -> Bitmap {
    if let shrinker, let header {
      return try shrinker.picture(hasAlpha: header.hasAlpha || !isDone)
        .redrawn(orientation: orientation)
    }
    if interlaced != nil { return try turnedInterlaced() }
    guard let target else { throw .truncated(.png) }
    return target.finish()
  }

  private func prepare(for header: PNGReader.Header) throws(DecodeError) {
    conversion = conversion(for: header)
    if header.isInterlaced, factor(for: header) >= InterlacedShrinker.smallestFactor {
      let shrinker = try InterlacedShrinker(
        sourceSize: header.size, factor: factor(for: header), conversion: conversion)
      self.shrinker = shrinker
      reader.send(to: shrinker)
    } else if header.isInterlaced {
      let image = try PixelStorage.reserving(header.size.width * header.size.height * 4)
      image.clear()
      interlaced = image
      reader.send(to: image, stride: header.size.width * 4)
    } else {
      let target = try makeTarget(for: header)
      self.target = target
      reader.send(to: target)
    }
  }

  private func makeTarget(for header: PNGReader.Header) throws(DecodeError) -> RasterTarget {
    try RasterTarget(
      sourceSize: header.size, hasAlpha: header.hasAlpha, orientation: orientation,
      factor: factor(for: header), conversion: conversion)
  }

  private func factor(for header: PNGReader.Header) -> Int {
    RowShrinker.factor(
      for: header.size, covering: options.targetSize.map(orientation.turning))
  }

  private func turnedInterlaced() throws(DecodeError) -> Bitmap {
    guard let header, let interlaced else { throw .truncated(.png) }
    let target = try makeTarget(for: header)
    for row in 0..<header.size.height {
      target.commitCopy(of: interlaced.pointer + row * target.stride)
    }
    let bitmap = target.finish()
    return isDone || header.hasAlpha
      ? bitmap : Bitmap(size: bitmap.size, hasAlpha: true, storage: bitmap.storage)
  }

  private func conversion(for header: PNGReader.Header) -> (any RowConversion)? {
    guard options.colors == .convertedToSRGB else { return nil }
    let kind: ColorConversion.PixelKind = header.isGray ? .gray : .rgb
    var made: ColorConversion?
    if let profile = header.profile {
      made = ColorConversion(profile: profile, kind: kind)
      if made == nil { notes.append(ColorConversion.brokenProfileNote) }
    } else if header.hasBrokenProfile {
      notes.append(ColorConversion.brokenProfileNote)
    } else if !header.isSRGB, let gamma = header.gamma {
      made = ColorConversion(gamma: gamma, chromaticities: header.chromaticities, kind: kind)
    }
    guard let made, !made.changesNothing() else { return nil }
    return made
  }
}
