#if THREAD_SANITIZER
  import Synchronization

  /// Stands in for `Synchronization.Mutex` in builds for the thread sanitizer, which does not see that a
  /// contended lock of that kind orders what happens before and after: the kernel takes it.
  // SAFETY: all access goes through the lock.
  @usableFromInline
  struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    @usableFromInline let lock: Synchronization.Mutex<Value>
    @usableFromInline let trace = Atomic<Int>(0)

    @inlinable
    init(_ value: consuming sending Value) { lock = Synchronization.Mutex(value) }

    @inlinable
    borrowing func withLock<Result: ~Copyable, E: Error>(
      _ body: (inout sending Value) throws(E) -> sending Result
    ) throws(E) -> sending Result {
      try lock.withLock { value throws(E) in
        _ = trace.load(ordering: .acquiring)
        defer { trace.store(1, ordering: .releasing) }
        return try body(&value)
      }
    }
  }
#endif
