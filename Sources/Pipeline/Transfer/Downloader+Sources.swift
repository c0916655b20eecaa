import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where the bytes come from: each kind of source has its own way.
extension Downloader {
  /// Begins the transfer of `request`; what is returned stops it.
  func start(
    _ request: ImageRequest, _ priorities: AnyPublisher<LoadPriority, Never>,
    _ sink: any TransferSink
  ) -> (@Sendable () -> Void)? {
    let limit = request.transfer.maximumBodySize
    switch request.source {
    case .bytes(let bytes, _):
      sink.receive(local: bytes.isEmpty ? .failure(.emptyBody) : .success(bytes))
    case .provider(let provider):
      return retrying(request, sink) { [self] _, sink in start(provider, request, sink) }
    case .url(let url):
      switch url.scheme?.lowercased() {
      case "http", "https":
        return retrying(request, sink) { [self] attempt, sink in
          startHTTP(attempt, url, request, priorities, sink)
        }
      case "data":
        sink.receive { () throws(DownloadError) in
          try DataURL.bytes(of: url.absoluteString, limit: limit)
        }
      case "file":
        fileQueue.async {
          sink.receive { () throws(DownloadError) in
            try LocalFile.bytes(at: url.path(percentEncoded: false), limit: limit)
          }
        }
      case let scheme?: sink.receive(end: .unsupportedScheme(scheme))
      case nil: sink.receive(end: .invalidURL(reason: "it has no scheme"))
      }
    }
    return nil
  }

  private func retrying(
    _ request: ImageRequest, _ sink: any TransferSink, _ begin: @escaping RetryingTransfer.Attempt
  ) -> (@Sendable () -> Void)? {
    guard request.transfer.retry.count > 0 else { return begin(0, sink) }
    let retrying = RetryingTransfer(
      policy: request.transfer.retry, sink: sink, delay: retryDelay, begin: begin)
    retrying.start()
    return { retrying.stop() }
  }

  private func start(
    _ provider: ImageProvider, _ request: ImageRequest, _ sink: any TransferSink
  ) -> (@Sendable () -> Void)? {
    let transfer = ProviderTransfer(sink: sink)
    if let deadline = request.transfer.deadline {
      retryDelay(deadline) { [weak transfer] in transfer?.expire() }
    }
    transfer.start(provider, limit: request.transfer.maximumBodySize)
    return { transfer.stop() }
  }

  private func startHTTP(
    _ attempt: Int, _ url: URL, _ request: ImageRequest,
    _ priorities: AnyPublisher<LoadPriority, Never>, _ sink: any TransferSink
  ) -> (@Sendable () -> Void)? {
    let id = loop.makeID()
    guard
      let job = TransferJob(
        id: id, address: url, request: request, attempt: attempt, sink: sink)
    else {
      sink.receive(end: .invalidURL(reason: "it names no host"))
      return nil
    }
    guard loop.post(.start(job)) else {
      sink.receive(end: .shutDown)
      return nil
    }
    let ranking = priorities.sink { [loop] in loop.post(.setPriority(id, $0)) }
    return { [self] in
      ranking.cancel()
      loop.post(.cancel(id))
    }
  }
}

extension TransferSink {
  /// Bytes that `read` has at once, or why it has not.
  func receive(_ read: () throws(DownloadError) -> ImageBytes) {
    do throws(DownloadError) {
      receive(local: .success(try read()))
    } catch {
      receive(local: .failure(error))
    }
  }

  /// Bytes that were at hand at once, or why they were not.
  func receive(local result: Result<ImageBytes, DownloadError>) {
    switch result {
    case .success(let bytes):
      receive(.progress(LoadProgress(received: bytes.count, expected: bytes.count)))
      receive(.bytes(EncodedImage(bytes: bytes, origin: .local)))
      receive(end: nil)
    case .failure(let failure): receive(end: failure)
    }
  }
}
