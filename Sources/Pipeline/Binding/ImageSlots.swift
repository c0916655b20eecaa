/// Several slots of one target, each under a name: the states of a button, the parts of a card.
///
/// A slot is made when it is first asked for, and is independent of the others.
@MainActor public final class ImageSlots {
  private let pipeline: ImagePipeline
  private var slots: [String: ImageSlot] = [:]

  /// A target that shows nothing yet.
  public init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// The names of the slots that were asked for.
  public var names: [String] { slots.keys.sorted() }

  /// The slot called `name`.
  public subscript(name: String) -> ImageSlot {
    if let slot = slots[name] { return slot }
    let slot = ImageSlot(pipeline)
    slots[name] = slot
    return slot
  }

  /// Stops the loads of all slots; what they show stays.
  public func cancelAll() { for slot in slots.values { slot.cancel() } }
}
