/// Transforms in order, as one.
///
/// Steps are joined where that saves a pass over the pixels: a crop before a resize, quarter turns
/// and flips before a resize that shrinks (they are done to the small picture; components may
/// differ by 1 from those of single steps), and whatever changes pixels where they are is done in
/// the memory that the step before it has made.
public struct TransformChain: ImageTransform {
  /// In order.
  public var transforms: [any ImageTransform]

  /// Puts transforms in order.
  public init(_ transforms: [any ImageTransform]) { self.transforms = transforms }

  /// The keys of those that have an effect; empty if none has.
  public var key: String {
    transforms.map(\.key).filter { !$0.isEmpty }.joined(separator: ";")
  }

  /// The picture after the last transform.
  ///
  /// - Throws: What the first transform that fails throws.
  public func apply(
    to bitmap: Bitmap, cancellation: CancellationFlag
  ) throws(TransformError) -> Bitmap {
    var picture = bitmap
    // Whether nobody else can hold the picture's memory.
    var isOwn = false
    var rest = transforms[...]
    while let transform = rest.first {
      if cancellation.isCancelled { throw .cancelled }
      if isOwn, let change = transform as? any RowTransform {
        rest.removeFirst()
        picture = try change.changing(inPlace: picture, cancellation)
        continue
      }
      let before = picture
      let isOurs: Bool
      if let joined = JoinedResize(takingFrom: &rest, for: picture.size) {
        picture = try joined.apply(to: picture, cancellation: cancellation)
        isOurs = true
      } else {
        rest.removeFirst()
        picture = try transform.apply(to: picture, cancellation: cancellation)
        isOurs = transform is any MemoryMaking || transform is any RowTransform
      }
      if picture.storage !== before.storage { isOwn = isOurs }
    }
    return picture
  }
}

/// A transform that, unless it returns its bitmap as it is, makes one that nobody else holds.
protocol MemoryMaking: ImageTransform {}

/// A resize with the steps before it that need no pass of their own.
private struct JoinedResize {
  private var crop: Crop?
  private var turns: [any QuarterTurning] = []
  private var resize: Resize

  /// Takes the steps off `rest`; `nil` when it does not begin with any that can be joined.
  init?(takingFrom rest: inout ArraySlice<any ImageTransform>, for size: PixelSize) {
    var steps = rest
    if let first = steps.first as? Crop {
      crop = first
      steps.removeFirst()
    } else {
      while let turn = steps.first as? any QuarterTurning, turn.swapsSides != nil {
        turns.append(turn)
        steps.removeFirst()
      }
    }
    guard crop != nil || !turns.isEmpty, let last = steps.first as? Resize else { return nil }
    resize = last
    if turns.count(where: { $0.swapsSides == true }) % 2 == 1 {
      resize.size = PixelSize(width: last.size.height, height: last.size.width)
    }
    if !turns.isEmpty {
      // A box that ends half-way through a pixel takes it on one side: mirrored, on the other.
      guard resize.filter != .box else { return nil }
      let output = resize.outputSize(for: size)
      guard output.width <= size.width, output.height <= size.height else { return nil }
    }
    steps.removeFirst()
    rest = steps
  }

  func apply(to bitmap: Bitmap, cancellation: CancellationFlag) throws(TransformError) -> Bitmap {
    if let crop {
      return try resize.apply(
        to: bitmap, region: crop.region(in: bitmap.size), cancellation: cancellation)
    }
    var picture = try resize.apply(to: bitmap, cancellation: cancellation)
    for turn in turns { picture = try turn.apply(to: picture, cancellation: cancellation) }
    return picture
  }
}

/// A transform that may move pixels without changing any.
protocol QuarterTurning: ImageTransform {
  /// Whether width and height change places; `nil` when pixels change.
  var swapsSides: Bool? { get }
}
