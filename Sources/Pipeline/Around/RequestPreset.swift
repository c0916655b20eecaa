/// A named set of wishes that many requests have in common.
///
/// ```swift
/// extension RequestPreset {
///   static let avatar = RequestPreset { $0.transforms += [.circle] }
/// }
/// let request = ImageRequest(url).applying(.thumbnail(size), .avatar)
/// ```
public struct RequestPreset: Sendable {
  private let change: @Sendable (inout ImageRequest) -> Void

  /// A preset that does `change` to requests.
  public init(_ change: @escaping @Sendable (inout ImageRequest) -> Void) { self.change = change }

  /// Does what the preset is for.
  public func apply(to request: inout ImageRequest) { change(&request) }

  /// A small still picture that fits into `size`: decoded no larger than needed, then resized.
  public static func thumbnail(_ size: PixelSize) -> RequestPreset {
    RequestPreset { request in
      request.decoding.targetSize = size
      request.decoding.frames = .firstOnly
      request.transforms.append(.resize(fitting: size))
    }
  }

  /// Shown bit by bit while it comes.
  public static let progressive = RequestPreset { $0.decoding.previews = true }

  /// Nobody waits for it: after all others.
  public static let background = RequestPreset { $0.priority = .veryLow }

  /// Somebody looks at the place where it is to appear: before all others.
  public static let urgent = RequestPreset { $0.priority = .veryHigh }

  /// From caches only.
  public static let offline = RequestPreset { $0.caching = .cacheOnly }
}

extension ImageRequest {
  /// The same request with presets applied, in order: what a later one says holds.
  public func applying(_ presets: RequestPreset...) -> ImageRequest {
    var request = self
    for preset in presets { preset.apply(to: &request) }
    return request
  }
}
