/// Work on large pictures, in parts: between two parts it can be cancelled, and workers that have
/// nothing else to do take some.
enum Bands {
  /// The workers that may help: those of the stage whose transform runs, else those that decode.
  @TaskLocal static var workers = WorkerPool.decoding

  /// Pixels from which on sharing costs less than it saves.
  static let pixelsWorthSharing = 1 << 19
  /// Pixels of a band whose rows are changed where they are: it stays in the processor's cache.
  private static let pixelsOfBand = 1 << 16

  /// Runs `body` for each number below `count`, on one thread or several; `pixels` is what they
  /// have to do together.
  static func run(
    _ count: Int, pixels: Int, cancellation: CancellationFlag,
    _ body: @escaping @Sendable (Int) -> Void
  ) throws(TransformError) {
    if pixels < pixelsWorthSharing {
      for index in 0..<count {
        if cancellation.isCancelled { throw .cancelled }
        body(index)
      }
    } else {
      workers.share(count, cancellation: cancellation, body)
    }
    if cancellation.isCancelled { throw .cancelled }
  }

  /// Runs `body` for ranges of rows that together are all rows of a picture of `size`.
  static func run(
    rowsOf size: PixelSize, cancellation: CancellationFlag,
    _ body: @escaping @Sendable (Range<Int>) -> Void
  ) throws(TransformError) {
    let (rows, height) = (max(1, pixelsOfBand / size.width), size.height)
    let count = (height + rows - 1) / rows
    try run(count, pixels: size.width * height, cancellation: cancellation) { index in
      body((index * rows)..<min(height, (index + 1) * rows))
    }
  }

  /// Runs `body`, whose bands the idle ones of `workers` share.
  static func sharing<Output>(
    with workers: WorkerPool, _ body: () throws(TransformError) -> Output
  ) throws(TransformError) -> Output {
    try $workers.withValue(workers) { Result(catching: body) }.get()
  }

  /// How many parts to make of work whose every part costs something extra.
  static func partCount(pixels: Int) -> Int {
    guard pixels >= pixelsWorthSharing else { return 1 }
    let idle = workers.idleCount
    return idle > 0 ? 2 * (idle + 1) : 1
  }
}
