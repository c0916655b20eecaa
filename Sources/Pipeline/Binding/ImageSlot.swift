import Flow
import Observation

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A place for one picture on a screen: shows the latest that was asked for, and no other.
///
/// Asking for another picture cancels the load before; what comes of it afterwards is dropped. A
/// picture in memory is there when `show` returns. Lives on the main actor; its properties are
/// observable, and `changes` tells the same as a stream. Releasing the slot cancels its load.
///
/// ```swift
/// let slot = ImageSlot(pipeline)
/// slot.show(url, placeholder: grey)
/// draw(slot.content.image)
/// ```
@MainActor @Observable public final class ImageSlot {
  /// What is to be drawn.
  public private(set) var content = SlotContent.empty
  /// How far the load is.
  public private(set) var phase = SlotPhase.idle
  /// The picture that came last for what was asked for last, shown or not.
  public private(set) var loaded: LoadedImage?

  /// Draws in place of the owner, if set: called on the main actor with each new content.
  @ObservationIgnored public var draw: (@MainActor (SlotContent) -> Void)?
  @ObservationIgnored private let pipeline: ImagePipeline
  @ObservationIgnored private var state = SlotState()
  @ObservationIgnored private var load: AnyCancellable?
  @ObservationIgnored private let subject = CurrentValueSubject<SlotContent, Never>(.empty)

  /// A slot that shows nothing yet.
  public init(_ pipeline: ImagePipeline) { self.pipeline = pipeline }

  /// What is shown, now and whenever it or `phase` changes. Delivers on the main actor.
  public var changes: AnyPublisher<SlotContent, Never> { subject.eraseToAnyPublisher() }

  /// Shows the picture at `url` as soon as it is there. See `show(_:placeholder:options:)`.
  public func show(
    _ url: URL, placeholder: DecodedImage? = nil, options: SlotOptions = SlotOptions()
  ) {
    show(ImageRequest(url), placeholder: placeholder, options: options)
  }

  /// Shows what `request` asks for as soon as it is there, in place of all that was asked before.
  ///
  /// - Parameters:
  ///   - request: What is to be shown.
  ///   - placeholder: Shown meanwhile and after a failure, as `options` say; the request's own
  ///     unless given.
  ///   - options: How it is shown.
  public func show(
    _ request: ImageRequest, placeholder: DecodedImage? = nil, options: SlotOptions = SlotOptions()
  ) {
    show(
      pipeline.load(request), placeholder: placeholder ?? request.placeholder?.image,
      options: options)
  }

  /// Shows what a load of any kind gives, such as one of several sources or a chain of your own.
  public func show(
    _ events: some Publisher<LoadEvent, LoadError>, placeholder: DecodedImage? = nil,
    options: SlotOptions = SlotOptions()
  ) {
    load = nil
    let number = state.begin(placeholder: placeholder, options: options)
    // What comes in this turn is shown in this turn: the placeholder of a hit never appears.
    isCollecting = true
    let task = events.receive(on: MainActorScheduler.shared).sink { [weak self] completion in
      guard case .failure(let error) = completion else { return }
      MainActor.assumeIsolated { self?.apply { $0.fail(error, of: number) } }
    } receiveValue: { [weak self] event in
      MainActor.assumeIsolated { self?.apply { $0.receive(event, of: number) } }
    }
    isCollecting = false
    // Somebody may have asked for another in reply to what was just delivered.
    if state.number == number { load = task }
    publish()
  }

  /// Shows this picture, or nothing, and stops waiting for another.
  public func set(_ image: DecodedImage?, isAnimated: Bool = false) {
    load = nil
    state.set(image, isAnimated: isAnimated)
    publish()
  }

  /// Stops the load, and keeps what is shown.
  public func cancel() {
    load = nil
    state.stop()
    publish()
  }

  @ObservationIgnored private var isCollecting = false
  /// The last that was drawn.
  @ObservationIgnored private var drawing = 0

  private func apply(_ change: (inout SlotState) -> Bool) {
    if change(&state), !isCollecting { publish() }
  }

  private func publish() {
    content = state.content
    phase = state.phase
    loaded = state.loaded
    let isNew = drawing != state.drawing
    drawing = state.drawing
    if isNew { draw?(content) }
    subject.send(content)
  }
}
