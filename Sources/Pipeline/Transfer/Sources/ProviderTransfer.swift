import Synchronization

/// A transfer from code of the user's: its pieces in one growing buffer, its errors typed.
final class ProviderTransfer: Sendable {
  private enum State {
    case idle
    case running(Task<Void, Never>)
    case over
  }

  private let state = Mutex(State.idle)
  private let sink: any TransferSink

  init(sink: any TransferSink) { self.sink = sink }

  /// Begins to ask `provider`.
  func start(_ provider: ImageProvider, limit: Int) {
    let task = Task { [self] in
      do throws(DownloadError) {
        sink.receive(.progress(LoadProgress(received: 0, expected: nil)))
        let body = try await collect(provider, limit: limit)
        finish(body)
      } catch {
        end(error)
      }
    }
    let isOver = state.withLock { state in
      guard case .idle = state else { return true }
      state = .running(task)
      return false
    }
    if isOver { task.cancel() }
  }

  /// Wants nothing more; silent.
  func stop() { _ = close() }

  /// The time is up: fails, and wants nothing more.
  func expire() { end(.timedOut(.deadline)) }

  private func end(_ failure: DownloadError) {
    if close() { sink.receive(end: failure) }
  }

  private func finish(_ body: ProvidedBody) {
    guard close() else { return }
    sink.receive(.progress(LoadProgress(received: body.count, expected: body.count)))
    sink.receive(.bytes(EncodedImage(bytes: body.view, origin: .local)))
    sink.receive(end: nil)
  }

  /// Whether it was this call that closed it.
  private func close() -> Bool {
    let (task, wasOpen) = state.withLock { state in
      defer { state = .over }
      switch state {
      case .idle: return (nil as Task<Void, Never>?, true)
      case .running(let task): return (task, true)
      case .over: return (nil, false)
      }
    }
    task?.cancel()
    return wasOpen
  }

  private var isOver: Bool {
    state.withLock { state in
      if case .over = state { true } else { false }
    }
  }

  private func collect(
    _ provider: ImageProvider, limit: Int
  ) async throws(DownloadError) -> ProvidedBody {
    let body = ProvidedBody(limit: limit)
    do {
      try await provider.provide { [self] piece, expected in
        guard !isOver else { throw CancellationError() }
        guard let count = try body.append(piece) else { return }
        sink.receive(.bytes(EncodedImage(bytes: body.view, isComplete: false, origin: .local)))
        let wanted = expected.flatMap { $0 >= count ? $0 : nil }
        sink.receive(.progress(LoadProgress(received: count, expected: wanted)))
      }
    } catch let error as DownloadError {
      throw error
    } catch {
      // Only who wants nothing more is not told why; a provider may give up by itself.
      if error is CancellationError, isOver { throw .cancelled }
      throw .providerFailed(reason: "\(error)")
    }
    guard body.count > 0 else { throw .emptyBody }
    return body
  }
}

/// The bytes that a provider has given so far.
private final class ProvidedBody: Sendable {
  private let buffer = Mutex(BodyBuffer())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { buffer.withLock { $0.count } }
  var view: ImageBytes { buffer.withLock { $0.view } }

  /// How many there are now; `nil` when nothing was added.
  func append(_ piece: UnsafeRawBufferPointer) throws(DownloadError) -> Int? {
    guard !piece.isEmpty else { return nil }
    let count: Int? = buffer.withLock { buffer in
      guard piece.count <= limit - buffer.count else { return nil }
      buffer.append(piece)
      return buffer.count
    }
    guard let count else { throw .tooLarge(limit: limit) }
    return count
  }
}
