import Flow

extension Publisher where Output == LoadEvent, Failure == LoadError {
  /// Fetches the bytes of requests that nobody has answered.
  ///
  /// Requests with equal transfer keys share one transfer for as long as one of their chains is
  /// subscribed; who joins late hears the latest progress and gets the bytes so far, and the most
  /// urgent of them decides its place in the queue. Bytes are passed on while they grow, so that
  /// they can be decoded as they come.
  ///
  /// Where the cache lookup found an image that its server has to confirm, this stage asks for it:
  /// a 304 answers with what is stored.
  ///
  /// Fails with `.download`. Delivers on the downloader's thread. Cancelling the last of those who
  /// share closes or frees the connection.
  ///
  /// - Parameters:
  ///   - downloader: What fetches.
  ///   - decoders: What the bytes are for: servers are asked for formats these take.
  public func download(
    with downloader: any ImageDownloader, for decoders: DecoderRegistry = .standard
  ) -> Download<Self> {
    Download(upstream: self, downloader: downloader, accept: decoders.accept)
  }
}

/// What `download(with:)` returns: requests become progress and bytes.
public struct Download<Upstream: Publisher>: Publisher
where Upstream.Output == LoadEvent, Upstream.Failure == LoadError {
  /// Events of a load.
  public typealias Output = LoadEvent
  /// Why a load gave no image.
  public typealias Failure = LoadError

  var upstream: Upstream
  let downloader: any ImageDownloader
  let accept: String

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == LoadEvent, S.Failure == LoadError {
    let source = BytesSource(downloader: downloader, accept: accept)
    upstream.answeringRequests(subscriber) { source.bytes(of: $0) }
  }
}

/// Where the stage gets bytes from.
private struct BytesSource: Sendable {
  let downloader: any ImageDownloader
  let accept: String

  func bytes(of request: ImageRequest) -> StageAnswer {
    var request = request
    guard let revalidation = request.course.revalidation else {
      return .events(plainBytes(of: request))
    }
    request.course.revalidation = nil
    let run = RevalidationRun(
      request: request, revalidation: revalidation, transfer: { transfer(of: $0) },
      whole: { plainBytes(of: $0) })
    guard revalidation.purpose == .upkeep else { return .events(run.events) }
    run.goOnAlone()
    return .nothing
  }

  private func plainBytes(of request: ImageRequest) -> AnyPublisher<LoadEvent, LoadError> {
    TransferAnswer(transfer: transfer(of: request), request: request).eraseToAnyPublisher()
  }

  private func transfer(of request: ImageRequest) -> AnyPublisher<TransferEvent, DownloadError> {
    var request = request
    request.accept(accept)
    if let running = downloader.sharedTransfers {
      return running.transfer(of: request, by: downloader).eraseToAnyPublisher()
    }
    guard let priorities = request.priorities else { return downloader.transfer(for: request) }
    return downloader.transfer(for: request, priorities: priorities)
  }
}

extension Download: LoadStage where Upstream: LoadStage {
  /// What the chain begins with.
  public var request: ImageRequest {
    get { upstream.request }
    set { upstream.request = newValue }
  }
}
