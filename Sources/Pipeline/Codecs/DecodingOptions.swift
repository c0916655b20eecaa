/// What the decode stage is asked for.
public struct DecodingOptions: Sendable, Hashable {
  /// Decode no larger than needed to cover this size afterwards; `nil` decodes in full.
  public var targetSize: PixelSize?
  /// Give the first frame of an animation only.
  public var firstFrameOnly = false
  /// Deliver incomplete pictures while bytes arrive.
  public var previews = false
  /// Take what can be decoded of truncated bytes instead of failing.
  public var acceptsPartial = false
  /// Turn the pixels upright by their EXIF orientation.
  public var appliesOrientation = true
  /// What is refused before memory is reserved.
  public var limits = DecodingLimits()

  /// The defaults: full size, all frames, no previews, upright.
  public init() {}
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
