/// How a slot shows one load.
public struct SlotOptions: Sendable {
  /// What is shown until the picture comes.
  public enum WhileLoading: Sendable {
    /// The placeholder; without one, nothing.
    case placeholder
    /// What the slot showed before; without that, the placeholder.
    case current
    /// Nothing: the placeholder is shown only when the load has failed.
    case nothing
  }

  /// When the hint says that the picture's appearance may be animated.
  public enum Transition: Sendable, Hashable {
    /// When it came over the network or from a file: what is cached is there as if it had always been.
    case whenFetched
    /// When it was not in memory.
    case unlessInMemory
    /// Always.
    case always
    /// Never.
    case never
  }

  /// What is shown until the picture comes.
  public var whileLoading = WhileLoading.placeholder
  /// What is shown when it can not be had; `nil` shows the placeholder.
  public var failureImage: DecodedImage?
  /// When its appearance may be animated.
  public var transition = Transition.whenFetched
  /// Whether previews are shown as they come; the request has to ask for them.
  public var showsPreviews = true
  /// Whether the picture is shown as soon as it is there. When not, `loaded` has it and `set(_:)`
  /// shows it.
  public var setsImage = true

  /// The defaults.
  public init() {}

  func animates(_ origin: ImageOrigin) -> Bool {
    switch transition {
    case .whenFetched: origin == .network || origin == .local
    case .unlessInMemory: origin != .memory
    case .always: true
    case .never: false
    }
  }
}
