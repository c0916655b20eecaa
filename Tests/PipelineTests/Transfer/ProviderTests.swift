import Flow
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Bytes from code of the user's.
@Suite(.timeLimit(.minutes(1))) struct ProviderTests {
  let downloader = Downloader()

  private struct Refusal: Error, CustomStringConvertible { let description = "the archive is shut" }

  private func outcome(
    _ provider: ImageProvider, _ change: (inout TransferOptions) -> Void = { _ in }
  ) async -> TransferRecorder {
    var request = ImageRequest(.provider(provider))
    change(&request.transfer)
    return await TransferRecorder(downloader.transfer(for: request)).ended()
  }

  private func pieces(_ all: [[UInt8]], then error: (any Error)? = nil)
    -> AsyncThrowingStream<[UInt8], any Error>
  {
    AsyncThrowingStream { continuation in
      for piece in all { continuation.yield(piece) }
      continuation.finish(throwing: error)
    }
  }

  @Test func `bytes that come at once`() async {
    let bytes = pattern(70_000)
    let transfer = await outcome(ImageProvider(key: "a") { ImageBytes(bytes) })
    #expect(transfer.body == bytes)
    #expect(transfer.image?.origin == .local)
    #expect(transfer.image?.response == nil)
    #expect(transfer.progress.first == LoadProgress(received: 0, expected: nil))
    #expect(transfer.progress.last == LoadProgress(received: 70_000, expected: 70_000))
    #expect(transfer.end == .finished)
  }

  @Test func `bytes that come in pieces grow, and empty pieces are nothing`() async {
    let all = [pattern(10), [], pattern(20_000), pattern(5)]
    let transfer = await outcome(ImageProvider(key: "a", expected: 20_015) { pieces(all) })
    #expect(transfer.body == all.flatMap { $0 })
    #expect(transfer.progress.map(\.received) == transfer.progress.map(\.received).sorted())
    #expect(transfer.progress.dropFirst().allSatisfy { $0.expected == 20_015 })
    for case .bytes(let image) in transfer.events {
      #expect(
        image.bytes.prefix(image.bytes.count) == Array(all.joined().prefix(image.bytes.count)))
    }
  }

  @Test func `a number of bytes that turns out too small is no number`() async {
    let transfer = await outcome(ImageProvider(key: "a", expected: 3) { pieces([pattern(10)]) })
    #expect(transfer.progress.allSatisfy { ($0.expected ?? 10) == 10 })
    #expect(transfer.body == pattern(10))
  }

  @Test func `an error is told in its words, a download error as it is`() async {
    let failed = await outcome(ImageProvider(key: "a") { throw Refusal() })
    #expect(failed.failure == .providerFailed(reason: "the archive is shut"))
    #expect(failed.failure?.mayHeal == false)
    let missing = await outcome(ImageProvider(key: "a") { throw DownloadError.fileNotFound })
    #expect(missing.failure == .fileNotFound)
    let broken = await outcome(
      ImageProvider(key: "a") { pieces([pattern(10)], then: Refusal()) })
    #expect(broken.failure == .providerFailed(reason: "the archive is shut"))
    #expect(broken.image == nil)
  }

  @Test func `no bytes and too many are errors`() async {
    #expect(await outcome(ImageProvider(key: "a") { ImageBytes() }).failure == .emptyBody)
    #expect(await outcome(ImageProvider(key: "a") { pieces([[], []]) }).failure == .emptyBody)
    let large = ImageProvider(key: "a") { pieces([pattern(60), pattern(41)]) }
    let limited = await outcome(large) { $0.maximumBodySize = 100 }
    #expect(limited.failure == .tooLarge(limit: 100))
    #expect(limited.image == nil)
  }

  @Test func `endless pieces stop at the limit`() async {
    let endless = AsyncStream<[UInt8]>(unfolding: { pattern(4096) })
    let transfer = await outcome(ImageProvider(key: "a") { endless }) {
      $0.maximumBodySize = 100_000
    }
    #expect(transfer.failure == .tooLarge(limit: 100_000))
  }

  @Test func `one that never answers has a deadline`() async {
    let never = AsyncStream<[UInt8]> { _ in }
    let transfer = await outcome(ImageProvider(key: "a") { never }) {
      $0.deadline = .milliseconds(50)
    }
    #expect(transfer.failure == .timedOut(.deadline))
  }

  @Test func `what can heal is tried again when asked`() async {
    let attempts = Mutex(0)
    let flaky = ImageProvider(key: "a") { () async throws -> ImageBytes in
      let attempt = attempts.withLock { count in
        count += 1
        return count
      }
      guard attempt == 3 else { throw DownloadError.connectionFailed(reason: "not yet") }
      return ImageBytes([1])
    }
    let transfer = await outcome(flaky) {
      $0.retry = TransferRetry(count: 2, firstDelay: .milliseconds(1))
    }
    #expect(transfer.body == [1])
  }

  @Test func `the last to cancel cancels the task, and nothing is heard`() async {
    let (cancelled, began) = (Gate(), Gate())
    let held = ImageProvider(key: "a") { () async throws -> ImageBytes in
      began.open()
      // Ends by cancel alone.
      for await _ in AsyncStream(Never.self, { _ in }) {}
      cancelled.open()
      throw CancellationError()
    }
    let transfer = TransferRecorder(downloader.transfer(for: ImageRequest(.provider(held))))
    while !began.isOpen { await Task.yield() }
    transfer.cancel()
    while !cancelled.isOpen { await Task.yield() }
    #expect(transfer.end == nil)
  }

  @Test func `a pipeline asks once for all who wait, and caches under the key`() async throws {
    let calls = Mutex(0)
    let gate = Gate()
    let provider = ImageProvider(key: "archive:42") { () async throws -> ImageBytes in
      calls.withLock { $0 += 1 }
      while !gate.isOpen { await Task.yield() }
      return ImageBytes(PipelineFixture.png)
    }
    let fixture = try PipelineFixture()
    let counter = LoadCounter()
    let all = (0..<5).map { _ in
      counter.subscribe(to: fixture.pipeline.load(ImageRequest(.provider(provider))))
    }
    gate.open()
    await counter.wait { $0.finished == 5 }
    #expect(counter.now.images == 5)
    let again = try await fixture.pipeline.image(for: ImageRequest(.provider(provider)))
    #expect(again.origin == .memory)
    #expect(calls.withLock { $0 } == 1)
    withExtendedLifetime(all) {}
  }
}
