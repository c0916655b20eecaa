/// Times and counts of one load. Stages that did not run are `nil`.
public struct LoadMetrics: Sendable, Hashable {
  private var times = Times()
  /// Body bytes.
  public var byteCount = 0
  /// When what was measured happened.
  public var moments = LoadMoments()

  /// Nothing measured yet.
  public init() {}

  /// Looking into the caches.
  public var lookup: Duration? {
    get { times.lookup.duration }
    set { times.lookup = Nanoseconds(newValue) }
  }

  /// From the request to the last byte.
  public var download: Duration? {
    get { times.download.duration }
    set { times.download = Nanoseconds(newValue) }
  }

  /// Bytes to pixels.
  public var decode: Duration? {
    get { times.decode.duration }
    set { times.decode = Nanoseconds(newValue) }
  }

  /// Pixels to pixels.
  public var transform: Duration? {
    get { times.transform.duration }
    set { times.transform = Nanoseconds(newValue) }
  }

  /// Writing to the caches.
  public var store: Duration? {
    get { times.store.duration }
    set { times.store = Nanoseconds(newValue) }
  }
}

extension LoadMetrics {
  fileprivate struct Times: Sendable, Hashable {
    var lookup = Nanoseconds()
    var download = Nanoseconds()
    var decode = Nanoseconds()
    var transform = Nanoseconds()
    var store = Nanoseconds()
  }
}
