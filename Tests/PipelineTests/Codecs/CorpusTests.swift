import Pipeline
import Testing

/// Decodes every file of the shared corpus and compares it with the corpus's manifest.
@Suite(
  .enabled(if: CorpusManifest.folder != nil, "needs the image corpus: set IMAGE_CORPUS to it"))
struct CorpusTests {
  @Test(arguments: CorpusManifest.files.filter { $0.isPicture && $0.expected.partial != true })
  func `a picture decodes to what the manifest says`(_ file: CorpusManifest.File) throws {
    let image: DecodedImage
    do {
      image = try DecoderRegistry.standard.decode(try file.read())
    } catch let error as DecodeError {
      if case .error = file.expected.alternative { return }
      throw error
    }
    checkShape(of: image, file)
    checkFrames(of: image, file)
    checkColors(of: image, file)
    try checkUnmanagedColors(file)
    #expect(image.isComplete)
  }

  @Test(arguments: CorpusManifest.files.filter { $0.expected.partial == true })
  func `a cut picture is an error, or part of a picture where that is accepted`(
    _ file: CorpusManifest.File
  ) throws {
    let bytes = try file.read()
    var options = DecodingOptions()
    options.acceptsPartial = true
    if file.expected.signatureSRGB == nil { options.colors = .asStored }
    let image = try DecoderRegistry.standard.decode(bytes, options: options)
    #expect(image.size.width == file.expected.width)
    #expect(image.size.height == file.expected.height)
    checkFrames(of: image, file)
    let rows = try #require(file.expected.validRows)
    let wanted = try #require(file.expected.signatureSRGB ?? file.expected.signature)
    let difference = ColorGrid.difference(ColorGrid.of(image.bitmap), wanted, rows: rows)
    #expect(difference <= file.expected.tolerance ?? 3)
    // Where only a later frame is damaged, that is known once it is asked for.
    let error = #expect(throws: DecodeError.self) {
      let strict = try DecoderRegistry.standard.decode(bytes)
      for index in 0..<strict.frameCount { _ = try strict.animation?.frame(at: index) }
    }
    #expect(["truncated", "corrupt"].contains(error.map(Self.kind)))
  }

  @Test(arguments: CorpusManifest.files.filter { !$0.isPicture })
  func `what is no picture is refused with the stated error`(_ file: CorpusManifest.File) throws {
    let bytes = try file.read()
    let error = #expect(throws: DecodeError.self) {
      _ = try DecoderRegistry.standard.decode(bytes)
    }
    var accepted = [file.expected.errorKind ?? ""]
    if case .errorKind(let other) = file.expected.alternative { accepted.append(other) }
    let kind = try #require(error.map(Self.kind))
    #expect(accepted.contains(kind), "\(String(describing: error))")
    if case .unsupportedFormat(let name) = error, let format = file.expected.format {
      #expect(format.lowercased().contains(name.lowercased().replacing("plain ", with: "")))
    }
  }

  private static func kind(of error: DecodeError) -> String {
    switch error {
    case .empty: "empty"
    case .unsupportedFormat, .unknownFormat: "unsupportedFormat"
    case .unsupportedFeature: "unsupportedFeature"
    case .truncated: "truncated"
    case .corrupt: "corrupt"
    case .tooLarge, .tooManyFrames: "tooLarge"
    case .tooMuchMetadata: "tooLarge"
    case .notAnimated: "notAnimated"
    case .outOfMemory: "outOfMemory"
    case .cancelled: "cancelled"
    }
  }
}

// What is compared.
extension CorpusTests {
  private func checkShape(of image: DecodedImage, _ file: CorpusManifest.File) {
    let expected = file.expected
    if case .size(let other) = expected.alternative, image.size == other { return }
    #expect(image.size.width == expected.width)
    #expect(image.size.height == expected.height)
    #expect(image.orientation.turning(image.size).width == expected.storedWidth)
    #expect(image.orientation.rawValue == expected.orientation)
    #expect(image.bitmap.hasAlpha == expected.hasAlpha)
  }

  private func checkFrames(of image: DecodedImage, _ file: CorpusManifest.File) {
    let expected = file.expected
    let least = expected.framesMin ?? expected.frames ?? 1
    #expect((least...(expected.framesMax ?? expected.frames ?? 1)).contains(image.frameCount))
    guard let animation = image.animation else { return }
    let delays = expected.delaysMs ?? []
    #expect(animation.delays.prefix(delays.count).elementsEqual(delays.map { .milliseconds($0) }))
    #expect(animation.loopCount == expected.loopCount)
  }

  private func checkColors(of image: DecodedImage, _ file: CorpusManifest.File) {
    let expected = file.expected
    var accepted = [expected.signatureSRGB ?? expected.signatureGamma ?? expected.signature]
    let isManaged = expected.signatureSRGB != nil || expected.signatureGamma != nil
    accepted += others(file, isManaged ? "signature_srgb" : "first frame", size: image.size)
    checkGrid(of: image.bitmap, against: accepted.compactMap(\.self), expected.tolerance)
    guard let last = expected.signatureLast, let animation = image.animation else { return }
    do {
      let bitmap = try animation.frame(at: animation.frameCount - 1)
      checkGrid(of: bitmap, against: [last] + others(file, "last frame", size: nil), nil)
    } catch {
      Issue.record("the last frame: \(error)")
    }
  }

  private func checkUnmanagedColors(_ file: CorpusManifest.File) throws {
    guard file.expected.signatureSRGB != nil || file.expected.signatureGamma != nil,
      let stored = file.expected.signature
    else { return }
    var options = DecodingOptions()
    options.colors = .asStored
    options.frames = .firstOnly
    let image = try DecoderRegistry.standard.decode(try file.read(), options: options)
    let accepted = [stored] + others(file, "first frame", size: image.size)
    checkGrid(of: image.bitmap, against: accepted, file.expected.tolerance)
  }

  /// Other decoders' readings, where the manifest does not settle on one.
  private func others(
    _ file: CorpusManifest.File, _ what: String, size: PixelSize?
  ) -> [CorpusManifest.Grid] {
    guard file.disputed == true,
      file.firstFrameAgreedBy?.contains("chromium") != true || what != "first frame"
    else { return [] }
    return (file.disputes ?? []).filter { dispute in
      dispute.what == what
        && (size == nil || dispute.size == nil
          || dispute.size == [size?.width ?? 0, size?.height ?? 0])
    }.compactMap(\.grid)
  }

  private func checkGrid(
    of bitmap: Bitmap, against accepted: [CorpusManifest.Grid], _ tolerance: Double?
  ) {
    let grid = ColorGrid.of(bitmap)
    let differences = accepted.map { ColorGrid.difference(grid, $0) }
    #expect((differences.min() ?? .infinity) <= tolerance ?? 3, "differences \(differences)")
  }
}
