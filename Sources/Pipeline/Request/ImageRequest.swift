import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What to load, and how: a small value whose fields each belong to the stage that reads them.
///
/// Copying it is cheap, whatever it asks for.
public struct ImageRequest: Sendable {
  private var wishes: RequestWishes
  private var onTheWay: LoadCourse.Reference?
  /// What the stages have measured on the way here.
  var timeline = LoadMetrics()

  /// Asks for the image at `url`.
  public init(_ url: URL) { self.init(.url(url)) }

  /// Asks for the image that `source` gives.
  public init(_ source: ImageSource) { wishes = RequestWishes(.init(source: source)) }

  /// Where the bytes come from.
  public var source: ImageSource {
    get { wishes.values.source }
    set { change { $0.source = newValue } }
  }

  /// How urgent it is; shared work runs at the highest priority of those who wait for it.
  public var priority: LoadPriority {
    get { wishes.values.priority }
    set { change { $0.priority = newValue } }
  }

  /// What may be read from and written to the caches.
  public var caching: CachePolicy {
    get { wishes.values.caching }
    set { change { $0.caching = newValue } }
  }

  /// Headers, time limits, retries.
  public var transfer: TransferOptions {
    get { wishes.values.transfer.options }
    set { change { $0.transfer = SentOptions(newValue) } }
  }

  /// Size, frames, previews, limits.
  public var decoding: DecodingOptions {
    get { wishes.values.decoding }
    set { change { $0.decoding = newValue } }
  }

  /// Done to the pixels, in order.
  public var transforms: [any ImageTransform] {
    get { wishes.values.transforms }
    set { change { $0.transforms = newValue } }
  }

  /// Whether the transforms are done to animations, too, frame by frame; they stay as they are
  /// unless this is set.
  public var transformsAnimations: Bool {
    get { wishes.values.transformsAnimations }
    set { change { $0.transformsAnimations = newValue } }
  }

  /// Comes first, as a preview, unless the image is in memory; no part of any key.
  public var placeholder: Placeholder? {
    get { wishes.values.placeholder }
    set { change { $0.placeholder = newValue } }
  }

  /// Takes the place of the source in every cache key when set.
  public var key: String? {
    get { wishes.values.key }
    set { change { $0.key = newValue } }
  }

  /// Pixels per point; `nil` takes it from `@2x` or `@3x` in the key.
  public var scale: Double? {
    get { wishes.values.scale }
    set { change { $0.scale = newValue } }
  }

  /// Values of the user's, by the type of their key.
  var values: [ObjectIdentifier: any Sendable] {
    get { wishes.values.others }
    set { change { $0.others = newValue } }
  }

  private mutating func change(_ change: (inout RequestWishes.Values) -> Void) {
    var values = wishes.values
    change(&values)
    wishes = RequestWishes(values)
  }
}

extension ImageRequest {
  /// What the stages have found out on the way here.
  var course: LoadCourse {
    get { onTheWay?.course ?? LoadCourse() }
    set { onTheWay = newValue.isEmpty ? nil : LoadCourse.Reference(newValue) }
  }

  /// What takes the place of `priority` while the load runs.
  var priorities: AnyPublisher<LoadPriority, Never>? {
    get { onTheWay?.course.priorities }
    set { course.priorities = newValue }
  }

  /// `source.name`, without making it anew.
  var sourceName: String { wishes.sourceName }

  /// What `RequestKeys` says of it.
  var keys: RequestKeys { onTheWay?.course.name == nil ? wishes.keys : wishes.keys(of: self) }

  /// Notes what the decoders of the bytes take.
  mutating func accept(_ mediaTypes: String) {
    var options = transfer
    options.accept = mediaTypes
    change { $0.transfer = .other(options) }
  }

  /// `keys.image`, without copying the others.
  var imageKey: String { onTheWay?.course.name == nil ? wishes.imageKey : keys.image }

  /// The same request, as urgent as `priorities` says while it is loaded.
  ///
  /// `priority` holds until the first value. What was queued moves up or down at once, be it a
  /// transfer or a decode; what runs goes on. The end of `priorities` leaves the last value.
  public func following(_ priorities: some Publisher<LoadPriority, Never>) -> ImageRequest {
    var request = self
    request.priorities = priorities.eraseToAnyPublisher()
    return request
  }

  /// How urgent it is, now and later.
  var urgency: Urgency { Urgency(now: priority, later: priorities) }
}
