import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a chain begins: one `.request`, then the end.
///
/// ```swift
/// Load(url).cacheLookup(in: cache).download(with: downloader).decode().store(in: cache)
/// ```
public struct Load: LoadStage {
  /// What is sent down the chain.
  public var request: ImageRequest

  /// Begins a chain for the image at `url`.
  public init(_ url: URL) { request = ImageRequest(url) }

  /// Begins a chain for `request`.
  public init(_ request: ImageRequest) { self.request = request }

  /// Attaches a subscriber; the request is delivered as soon as it asks for it.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    OneEvent(event: .request(request)).receive(subscriber: subscriber)
  }
}

/// A stretch of a load's chain that still knows the request it began with.
///
/// So a transform put behind it can tell the cache lookup before it which pixels are wanted. Behind
/// any other Flow operator the chain goes on as a plain publisher of `LoadEvent`.
public protocol LoadStage: Publisher where Output == LoadEvent, Failure == LoadError {
  /// What the chain begins with.
  var request: ImageRequest { get set }
}
