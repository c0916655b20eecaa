import Flow
import Foundation
import Synchronization

/// The pictures of a server and what happened to them.
final class ServedSite: Sendable {
  /// What has been seen; changes are heard on the threads of the server.
  let counts = CurrentValueSubject<ServerCounts, Never>(ServerCounts())
  private let pictures: [String: ServedPicture]
  private let latest = Mutex(ServerCounts())
  private let stopped = Atomic(false)

  init(_ pictures: [String: ServedPicture]) { self.pictures = pictures }

  /// Lets answers that are being sent break off.
  func stop() { stopped.store(true, ordering: .relaxed) }

  /// Whether `stop()` was called.
  var isStopped: Bool { stopped.load(ordering: .relaxed) }

  /// A request for `path` came.
  func begin(_ path: String) -> ServedExchange {
    note { $0.requests[path, default: 0] += 1 }
    return ServedExchange(path: path, picture: pictures[path], site: self)
  }

  /// Its answer is sent, or the client is gone.
  func end(_ exchange: ServedExchange, isWhole: Bool) {
    note { counts in
      if isWhole {
        counts.completed[exchange.path, default: 0] += 1
      } else {
        counts.abandoned[exchange.path, default: 0] += 1
      }
    }
  }

  private func note(_ change: (inout ServerCounts) -> Void) {
    counts.send(
      latest.withLock { latest in
        change(&latest)
        return latest
      })
  }
}

/// One request and the answer to it.
final class ServedExchange: Sendable {
  /// What was asked for.
  let path: String
  /// The answer; `nil` is 404.
  let picture: ServedPicture?
  private let site: ServedSite

  init(path: String, picture: ServedPicture?, site: ServedSite) {
    self.path = path
    self.picture = picture
    self.site = site
  }

  /// Copies the next part after a pause; `nil` when the server is to stop.
  func read(
    from position: Int, into buffer: UnsafeMutablePointer<CChar>, _ capacity: Int
  ) -> Int? {
    guard let picture else { return nil }
    Thread.sleep(forTimeInterval: Double(picture.pause) / 1000)
    if site.isStopped { return nil }
    let count = min(capacity, picture.partSize, picture.bytes.count - position)
    guard count > 0 else { return nil }
    picture.bytes.withUnsafeBytes { bytes in
      // SAFETY: `buffer` has room for `capacity` bytes.
      UnsafeMutableRawBufferPointer(start: buffer, count: count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)]))
    }
    return count
  }
}
