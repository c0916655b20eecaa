import Flow
import Foundation
import Synchronization

@testable import Pipeline

/// Everything one transfer said, and how it ended.
final class TransferRecorder: Sendable {
  private struct State {
    var events: [TransferEvent] = []
    var end: Subscribers.Completion<DownloadError>?
    var waiters: [CheckedContinuation<Void, Never>] = []
    var eventWaiters: [(Int, CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let subscription = Mutex<AnyCancellable?>(nil)

  init(_ publisher: AnyPublisher<TransferEvent, DownloadError>) {
    let task = publisher.sink { [self] end in
      let waiters = state.withLock { state in
        state.end = end
        let all = state.waiters + state.eventWaiters.map(\.1)
        state.waiters = []
        state.eventWaiters = []
        return all
      }
      for waiter in waiters { waiter.resume() }
    } receiveValue: { [self] event in
      let ready = state.withLock { state in
        state.events.append(event)
        let count = state.events.count
        defer { state.eventWaiters.removeAll { $0.0 <= count } }
        return state.eventWaiters.filter { $0.0 <= count }
      }
      for waiter in ready { waiter.1.resume() }
    }
    subscription.withLock { $0 = task }
  }

  convenience init(_ downloader: Downloader, _ url: URL, _ options: TransferOptions = .init()) {
    var request = ImageRequest(url)
    request.transfer = options
    self.init(downloader.transfer(for: request))
  }

  func cancel() { subscription.withLock { $0 }?.cancel() }

  /// Returns when the transfer has ended.
  @discardableResult
  func ended() async -> TransferRecorder {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if state.end == nil { state.waiters.append(continuation) }
        return state.end != nil
      }
      if isOver { continuation.resume() }
    }
    return self
  }

  /// Returns when `count` events have come, or the end.
  func events(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.end != nil || state.events.count >= count { return true }
        state.eventWaiters.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Returns when a number of bytes that fits was reported, or at the end.
  func received(_ fits: (Int) -> Bool) async {
    while end == nil {
      // What is looked at and what is waited for are of one moment: nothing comes in between.
      let events = self.events
      let isThere = events.contains { event in
        if case .progress(let progress) = event { fits(progress.received) } else { false }
      }
      if isThere { return }
      await self.events(events.count + 1)
    }
  }

  var events: [TransferEvent] { state.withLock { $0.events } }
  var end: Subscribers.Completion<DownloadError>? { state.withLock { $0.end } }

  /// The error it ended with.
  var failure: DownloadError? {
    guard case .failure(let error)? = end else { return nil }
    return error
  }

  /// The complete image, if it came.
  var image: EncodedImage? {
    for case .bytes(let image) in events.reversed() where image.isComplete { return image }
    return nil
  }

  /// The body, if it came.
  var body: [UInt8]? { image.map { $0.bytes.prefix($0.bytes.count) } }

  var progress: [LoadProgress] {
    events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
  }
}

extension Downloader {
  /// Loads to the end.
  @discardableResult
  func outcome(_ url: URL, _ options: TransferOptions = .init()) async -> TransferRecorder {
    await TransferRecorder(self, url, options).ended()
  }
}

/// `count` bytes that repeat nowhere near.
func pattern(_ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
}
