#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps the stack shallow: streams nested a hundred thousand deep must not need as many frames.
///
/// Work that calls on from one stream to the next enters here. Past a certain depth it is put off
/// until the outermost such work on this thread has returned to the bottom.
@usableFromInline
enum Trampoline {
  private static let limit = 48

  private final class Thread {
    var depth = 0
    var postponed = Queue<() -> Void>()
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { value in
      // SAFETY: the value was retained when it was set, and is seen here for the last time.
      if let value = value as UnsafeMutableRawPointer? {
        Unmanaged<Thread>.fromOpaque(value).release()
      }
    }
    return key
  }()

  private static var current: Unmanaged<Thread> {
    // SAFETY: the key only ever holds a retained `Thread`, and only this thread reads it.
    if let value = pthread_getspecific(key) { return Unmanaged.fromOpaque(value) }
    let thread = Unmanaged.passRetained(Thread())
    pthread_setspecific(key, thread.toOpaque())
    return thread
  }

  /// Goes one deeper. Returns false, having done nothing, when that is too deep.
  @usableFromInline
  static func enter() -> Bool {
    current._withUnsafeGuaranteedRef { thread in
      guard thread.depth < limit else { return false }
      thread.depth += 1
      return true
    }
  }

  /// Comes back; at the bottom, does what was put off.
  @usableFromInline
  static func leave() {
    current._withUnsafeGuaranteedRef { thread in
      if thread.depth == 1 {
        while let work = thread.postponed.popFirst() { work() }
      }
      thread.depth -= 1
    }
  }

  /// Puts `work` off. Only after `enter` returned false.
  @usableFromInline
  static func postpone(_ work: @escaping () -> Void) {
    current._withUnsafeGuaranteedRef { $0.postponed.append(work) }
  }

  /// Runs `work` now, or at the bottom of the stack.
  @inlinable
  static func run(_ work: @escaping () -> Void) {
    if enter() {
      work()
      leave()
    } else {
      postpone(work)
    }
  }
}
