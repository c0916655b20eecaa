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
///
/// Operators without a lock call on directly, so depth alone does not bound them: a stream also has
/// a level, the number of erased streams it was subscribed from inside of. See `Landing`.
@usableFromInline
enum Trampoline {
  private static let limit = 24

  private final class Thread {
    var depth = 0
    var level = 0
    var postponed = Queue<(level: Int, work: () -> Void)>()
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
        let level = thread.level
        while let (level, work) = thread.postponed.popFirst() {
          thread.level = level
          work()
        }
        thread.level = level
      }
      thread.depth -= 1
    }
  }

  /// Puts `work` off. Only after `enter` returned false.
  @usableFromInline
  static func postpone(_ work: @escaping () -> Void) {
    current._withUnsafeGuaranteedRef { $0.postponed.append(($0.level, work)) }
  }

  /// Runs `work` now, or at the bottom of the stack.
  @usableFromInline
  static func run(_ work: @escaping () -> Void) {
    if enter() {
      work()
      leave()
    } else {
      postpone(work)
    }
  }

  /// How many erased streams are being subscribed around this call.
  @usableFromInline
  static var level: Int { current._withUnsafeGuaranteedRef { $0.level } }

  /// Goes one level up and returns the one before.
  @usableFromInline
  static func ascend() -> Int {
    current._withUnsafeGuaranteedRef { thread in
      defer { thread.level += 1 }
      return thread.level
    }
  }

  /// Comes back to `level`.
  @usableFromInline
  static func descend(to level: Int) { current._withUnsafeGuaranteedRef { $0.level = level } }

  /// Runs `work`, which subscribes on behalf of a stream at `level`.
  @usableFromInline
  static func at(_ level: Int, _ work: () -> Void) {
    current._withUnsafeGuaranteedRef { thread in
      let before = thread.level
      thread.level = level
      work()
      thread.level = before
    }
  }
}
