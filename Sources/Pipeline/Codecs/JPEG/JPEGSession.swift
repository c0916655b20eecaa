/// The decoding of one JPEG. A baseline picture is decoded row by row as bytes come; a progressive
/// one is taken in scan by scan, and its rows are made for each preview and once at the end.
final class JPEGSession: DecodingSession {
  let cancellation = CancellationFlag()

  private enum Phase {
    /// Until the first scan begins; to `waiting`, `rows` or `scans`.
    case header
    /// Until all bytes are there, for pictures that cannot be decoded piece by piece.
    case waiting(JPEGReader.Header)
    /// Until the last row; to `done`.
    case rows(RasterTarget)
    /// Until the last scan has come; to `done`.
    case scans(RasterTarget)
    case done(RasterTarget)
  }

  private let options: DecodingOptions
  private var reader: JPEGReader?
  private var bytes = ImageBytes()
  private var phase = Phase.header
  private var orientation = Orientation.up
  private var begunScans = 0
  private var shownScans = 0
  private var shownRows = 0
  private var isCut = false
  private var notes: [String] = []

  /// More scans than this are an attempt to keep the machine busy.
  private static let scanLimit = 300

  init(options: DecodingOptions) {
    self.options = options
  }

  func append(_ bytes: ImageBytes) throws(DecodeError) {
    self.bytes = bytes
    try advance(isComplete: false)
  }

  func finish() throws(DecodeError) -> DecodedImage {
    guard !bytes.isEmpty else { throw .empty }
    try advance(isComplete: true)
    guard case .done(let target) = phase else { throw .truncated(.jpeg) }
    if let flaw = reader?.flaw { notes.append(flaw) }
    return try options.accepted(
      DecodedImage(
        bitmap: target.finish(), format: .jpeg, orientation: orientation, isComplete: !isCut,
        notes: notes))
  }

  func preview() -> Bitmap? {
    switch phase {
    case .header, .waiting: return nil
    case .rows(let target), .done(let target):
      guard target.rowCount > shownRows else { return nil }
      shownRows = target.rowCount
      return target.snapshot()
    case .scans(let target):
      // The scan that is coming in would make the pass wait for its rows.
      guard let reader, begunScans - 1 > shownScans else { return nil }
      shownScans = begunScans - 1
      do { try makeRows(with: reader, into: target, scan: shownScans) } catch { return nil }
      return target.snapshot()
    }
  }

  private func advance(isComplete: Bool) throws(DecodeError) {
    let reader = try openReader()
    reader.feed(bytes, isComplete: isComplete)
    if case .header = phase {
      guard let header = try readHeader(reader) else { return }
      phase = .waiting(header)
    }
    if case .waiting(let header) = phase {
      guard isComplete || !header.isArithmetic else { return }
      guard let started = try start(reader, header) else { return }
      phase = started
    }
    switch phase {
    case .header, .waiting, .done: break
    case .rows(let target): try readRows(with: reader, into: target)
    case .scans(let target): try takeInScans(with: reader, for: target)
    }
  }

  private func openReader() throws(DecodeError) -> JPEGReader {
    if let reader { return reader }
    let opened = try JPEGReader()
    reader = opened
    return opened
  }

  private func readHeader(_ reader: JPEGReader) throws(DecodeError) -> JPEGReader.Header? {
    do throws(DecodeError) {
      return try reader.readHeader()
    } catch {
      // A segment whose length is wrong looks as if the file were cut.
      guard error == .truncated(.jpeg), bytes.withUnsafeBytes({ JPEGMarkers($0).isMangled })
      else { throw error }
      throw .corrupt(.jpeg, reason: "its line ends were converted as if it were text")
    }
  }

  private func start(
    _ reader: JPEGReader, _ header: JPEGReader.Header
  ) throws(DecodeError) -> Phase? {
    try options.limits.check(header.size)
    guard header.segmentByteCount <= options.limits.ancillaryBytes else {
      throw .tooMuchMetadata(.jpeg, limit: options.limits.ancillaryBytes)
    }
    let wanted = options.appliesOrientation ? header.orientation : .up
    let eighths = Self.eighths(for: header.size, covering: options.targetSize.map(wanted.turning))
    guard let size = try reader.start(eighths: eighths, keepingScans: header.hasManyScans)
    else { return nil }
    orientation = header.orientation
    let target = try RasterTarget(
      sourceSize: size, hasAlpha: false, orientation: wanted, conversion: conversion(for: header))
    return header.hasManyScans ? .scans(target) : .rows(target)
  }

  /// The scale that libjpeg does fast and that keeps the picture no smaller than `target`.
  private static func eighths(for size: PixelSize, covering target: PixelSize?) -> Int {
    guard let target else { return 8 }
    return [1, 2, 4].first { eighths in
      (size.width * eighths + 7) / 8 >= target.width
        && (size.height * eighths + 7) / 8 >= target.height
    } ?? 8
  }

  private func conversion(for header: JPEGReader.Header) -> (any RowConversion)? {
    let kind: ColorConversion.PixelKind =
      header.isFourColor
      ? .fourColor(inverted: header.isInverted) : header.isGray ? .gray : .rgb
    let plain = header.isFourColor ? FourColorArithmetic(isInverted: header.isInverted) : nil
    guard options.colors == .convertedToSRGB else { return plain }
    switch header.profile {
    case .none: return plain
    case .broken:
      notes.append(ColorConversion.brokenProfileNote)
      return plain
    case .profile(let bytes):
      guard let conversion = ColorConversion(profile: bytes, kind: kind) else {
        notes.append(ColorConversion.brokenProfileNote)
        return plain
      }
      return conversion.changesNothing() ? nil : conversion
    }
  }

  private func readRows(with reader: JPEGReader, into target: RasterTarget) throws(DecodeError) {
    while !target.isFull {
      guard !cancellation.isCancelled else { throw .cancelled }
      let (rows, limit) = target.room()
      let (count, progress) = try reader.readRows(to: rows, stride: target.stride, limit: limit)
      if reader.isCut {
        // What libjpeg makes of missing bytes is no picture.
        guard options.acceptsPartial, target.rowCount > 0 else { throw .truncated(.jpeg) }
        isCut = true
        break
      }
      target.commit(count)
      if progress == .suspended { return }
    }
    phase = .done(target)
  }

  private func takeInScans(
    with reader: JPEGReader, for target: RasterTarget
  ) throws(DecodeError) {
    var progress = JPEGReader.Progress.more
    while progress == .more {
      guard !cancellation.isCancelled else { throw .cancelled }
      progress = try reader.takeInScans(limit: Self.scanLimit, begun: &begunScans)
    }
    guard progress == .done else { return }
    isCut = reader.isCut
    if isCut, !options.acceptsPartial || !reader.hasPixels { throw .truncated(.jpeg) }
    try makeRows(with: reader, into: target, scan: begunScans)
    phase = .done(target)
  }

  private func makeRows(
    with reader: JPEGReader, into target: RasterTarget, scan: Int
  ) throws(DecodeError) {
    target.restart()
    try reader.beginPass(scan: scan)
    while !target.isFull {
      guard !cancellation.isCancelled else { throw .cancelled }
      let (rows, limit) = target.room()
      let (count, progress) = try reader.readRows(to: rows, stride: target.stride, limit: limit)
      target.commit(count)
      if progress == .suspended { throw .corrupt(.jpeg, reason: "a scan ended early") }
    }
    try reader.endPass()
  }
}
