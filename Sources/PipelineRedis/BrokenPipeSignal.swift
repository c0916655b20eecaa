#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps the signal of writing to a closed connection from ending the process: the library that
/// writes does not ask for that itself. One thread makes it, writes, and restores.
struct BrokenPipeSignal {
  private var former = sigset_t()
  private var wasPending = false

  init() {
    wasPending = Self.isPending
    var blocked = Self.set
    pthread_sigmask(SIG_BLOCK, &blocked, &former)
  }

  /// Takes the signal away if it came, and leaves the thread as it was.
  func restore() {
    if !wasPending, Self.isPending {
      var set = Self.set
      #if canImport(Glibc)
        var noTime = timespec()
        sigtimedwait(&set, nil, &noTime)
      #else
        var signal: Int32 = 0
        sigwait(&set, &signal)
      #endif
    }
    var former = former
    pthread_sigmask(SIG_SETMASK, &former, nil)
  }

  private static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    return set
  }

  private static var isPending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGPIPE) == 1
  }
}
