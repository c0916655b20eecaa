/// What the decode stage is asked for.
public struct DecodingOptions: Sendable, Hashable {
  /// Decode no larger than needed to cover this size afterwards; `nil` decodes in full.
  ///
  /// Memory then follows the result, not the picture, but for what the formats' own ways of coding
  /// take: a progressive JPEG is held as coefficients (up to six bytes a pixel), a lossless WebP in
  /// full (four), an animation as one canvas (four), an interlaced PNG in full unless it shrinks
  /// to a third or less.
  public var targetSize: PixelSize?
  /// Which frames of an animation are given, and when they are decoded.
  public var frames = FrameLoading.onDemand
  /// Deliver incomplete pictures while bytes arrive.
  public var previews = false
  /// Take what can be decoded of truncated bytes instead of failing.
  public var acceptsPartial = false
  /// Turn the pixels upright by their EXIF orientation.
  public var appliesOrientation = true
  /// What happens to the colours of pictures that carry a profile.
  public var colors = ColorHandling.convertedToSRGB
  /// What is refused before memory is reserved.
  public var limits = DecodingLimits()

  /// The defaults: full size, all frames, no previews, upright.
  public init() {}
}

extension DecodingOptions {
  /// `image`, if it is of the kind that is asked for.
  func accepted(_ image: DecodedImage) throws(DecodeError) -> DecodedImage {
    guard frames == .animationOnly, image.animation == nil else { return image }
    throw .notAnimated(image.format)
  }
}

/// Which frames of an animation are given, and when they are decoded.
public enum FrameLoading: String, Sendable, Hashable, CaseIterable {
  /// Each frame is decoded when it is asked for; few are kept.
  case onDemand
  /// All frames are decoded before the image is delivered, and kept.
  case preloaded
  /// The first frame alone, as a still picture.
  case firstOnly
  /// As `onDemand`, but a still picture is an error: for those who can use an animation only.
  case animationOnly
}

/// What happens to the colours of pictures that carry a profile, or a PNG's `gAMA` and `cHRM`.
public enum ColorHandling: String, Sendable, Hashable, CaseIterable {
  /// They become sRGB.
  case convertedToSRGB
  /// The numbers stay as they are stored; four-colour JPEGs become RGB by plain arithmetic.
  case asStored
}

/// What a decoder refuses, by numbers read from the header before memory is reserved.
public struct DecodingLimits: Sendable, Hashable {
  /// Pixels of the canvas; 100 million unless told otherwise.
  public var pixels = 100_000_000
  /// Frames; 1,000 unless told otherwise.
  public var frames = 1_000
  /// Pixels of all frames together; 1,000 million unless told otherwise.
  public var framePixels = 1_000_000_000
  /// Bytes of metadata and other ancillary data; 64 MiB unless told otherwise.
  public var ancillaryBytes = 64 << 20

  /// The defaults.
  public init() {}
}
