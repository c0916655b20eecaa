#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread for work that waits in system calls, which a shared pool must not be blocked by.
enum DedicatedThread {
  /// Runs `body` on a new thread, which ends when it returns.
  ///
  /// SIGPIPE is blocked there: a connection closed by its peer is an error, not the process's end.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      pthread_create(&thread, nil, { runThread($0) }, context)
    #else
      var thread = pthread_t()
      pthread_create(&thread, nil, { runThread($0) }, context)
    #endif
  }
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  pthread_detach(pthread_self())
  // SAFETY: `start` retained the body for this one thread.
  let body = Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue()
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  body.run()
  return nil
}
