import Flow

/// Code of the user's around every load of a pipeline.
///
/// Hooks run on the thread that subscribes a load, or, `mayDownload`, on the one that asked the
/// caches; they should be quick. None is called while a lock is held: they may load, too.
public struct LoadHooks: Sendable {
  /// Changes what is asked for before anything is done: options by address, a key, a transform for
  /// all pictures of one host. Applied once to each load; `nil` changes nothing.
  public var rewrite: (@Sendable (ImageRequest) -> ImageRequest)?
  /// Whether a picture that no cache has may be fetched; when not, the load fails with
  /// `DownloadError.notAllowed`. `nil` allows all. Asked once for loads that share their work.
  public var mayDownload: (@Sendable (ImageRequest) -> Bool)?
  /// Stand around the whole load, the first outermost.
  public var interceptors: [any LoadInterceptor] = []

  /// No hooks.
  public init() {}
}

/// Stands around loads: may change the request, answer by itself, or change what comes back.
///
/// ```swift
/// struct Patient: LoadInterceptor {
///   func load(_ request: ImageRequest, next: @escaping Next) -> AnyPublisher<LoadEvent, LoadError> {
///     next(request).retry(2).eraseToAnyPublisher()
///   }
/// }
/// ```
public protocol LoadInterceptor: Sendable {
  /// The rest of the way: further interceptors, then the pipeline's own chain.
  typealias Next = @Sendable (ImageRequest) -> AnyPublisher<LoadEvent, LoadError>

  /// The load of `request`; called when it is subscribed, on that thread.
  ///
  /// - Parameters:
  ///   - request: What is asked for, with what outer interceptors have made of it.
  ///   - next: Makes the load without this interceptor; any number of times, or not at all.
  func load(_ request: ImageRequest, next: @escaping Next) -> AnyPublisher<LoadEvent, LoadError>
}

extension LoadHooks {
  /// The load of `request` by `chain`, with everything that stands around it.
  func around(
    _ request: ImageRequest, _ chain: @escaping LoadInterceptor.Next
  ) -> AnyPublisher<LoadEvent, LoadError> {
    let request = rewrite?(request) ?? request
    guard !interceptors.isEmpty else { return chain(request) }
    let way = interceptors.reversed().reduce(chain) { next, interceptor in
      { interceptor.load($0, next: next) }
    }
    return way(request)
  }
}

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Fails requests that nobody has answered and that may not be downloaded.
  func stopUnlessDownloadable(
    _ mayDownload: (@Sendable (ImageRequest) -> Bool)?
  ) -> AnyPublisher<LoadEvent, LoadError> {
    guard let mayDownload else { return eraseToAnyPublisher() }
    return requestsAnswered { request in
      if mayDownload(request) { return .event(.request(request)) }
      // Who has his image already hears of no failure.
      if request.course.isShown { return .nothing }
      if let purpose = request.course.revalidation?.purpose, purpose != .answer { return .nothing }
      return .failure(.download(.notAllowed, source: request.sourceName))
    }
  }
}
