import Flow

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Loads what will be wanted soon into the caches, a few at a time and after all that is wanted now.
///
/// Lists may be of any length: a source is taken from one only when a slot is about to be free. When
/// a user asks for a source that is just prefetched or waits for it, both share the work, at the
/// user's urgency. Safe from any thread. Releasing the prefetcher stops all its runs.
///
/// ```swift
/// let prefetcher = Prefetcher(pipeline)
/// let run = prefetcher.prefetch(urls)
/// let counts = await run.value  // finished, skipped, failed
/// ```
public final class Prefetcher: Sendable {
  /// How far sources are brought.
  public enum Destination: Sendable, Hashable {
    /// Pixels into memory, as the request says, and bytes onto the disk.
    case memory
    /// Bytes onto the disk, without decoding.
    case disk
  }

  private let pump: PrefetchPump
  private let preset: RequestPreset

  /// Makes a prefetcher that waits for lists.
  ///
  /// - Parameters:
  ///   - pipeline: What loads, and whose caches are filled.
  ///   - destination: How far; into memory unless told otherwise.
  ///   - slots: Loads that run at once, for all lists together; 3 unless told otherwise, at least 1.
  ///   - preset: What is done to the requests made of plain URLs: low priority, unless told
  ///     otherwise. For disk, size and transforms have no meaning.
  public init(
    _ pipeline: ImagePipeline, to destination: Destination = .memory, slots: Int = 3,
    preset: RequestPreset = RequestPreset { $0.priority = .low }
  ) {
    pump = PrefetchPump(pipeline, destination, slots: slots)
    self.preset = preset
  }

  deinit { pump.post(.stopAll) }

  /// Begins to prefetch `urls`, in their order.
  @discardableResult
  public func prefetch(_ urls: some Sequence<URL> & Sendable) -> PrefetchRun {
    prefetch(urls.publisher)
  }

  /// Begins to prefetch URLs as a stream gives them; one at a time is asked for.
  @discardableResult
  public func prefetch(_ urls: some Publisher<URL, Never>) -> PrefetchRun {
    let preset = preset
    return prefetch(requests: urls.map { ImageRequest($0).applying(preset) })
  }

  /// Begins to prefetch what requests ask for, as a stream gives them; one at a time is asked for.
  ///
  /// Requests are taken as they are: give them a low priority.
  @discardableResult
  public func prefetch(requests: some Publisher<ImageRequest, Never>) -> PrefetchRun {
    pump.add(requests.eraseToAnyPublisher())
  }

  /// Lets no more loads start; those that run go on.
  public func pause() { pump.post(.pause) }

  /// Lets loads start again after `pause()`.
  public func resume() { pump.post(.resume) }

  /// Stops all runs and cancels their loads.
  public func stopAll() { pump.post(.stopAll) }
}
