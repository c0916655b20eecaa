import Foundation
import Testing

@testable import Pipeline

struct SlotStateTests {
  /// Calls that change a value can not stand inside an expectation.
  private final class Slot {
    private var state = SlotState()
    var content: SlotContent { state.content }
    var phase: SlotPhase { state.phase }
    var loaded: LoadedImage? { state.loaded }

    func begin(placeholder: DecodedImage?, options: SlotOptions) -> Int {
      state.begin(placeholder: placeholder, options: options)
    }
    func receive(_ event: LoadEvent, of number: Int) -> Bool { state.receive(event, of: number) }
    func fail(_ error: LoadError, of number: Int) -> Bool { state.fail(error, of: number) }
    func stop() { state.stop() }
    func set(_ image: DecodedImage?, isAnimated: Bool) {
      state.set(image, isAnimated: isAnimated)
    }
  }

  private let grey = DecodedImage(
    bitmap: Bitmap(size: PixelSize(width: 1, height: 1), color: .clear), format: .png)

  private func loaded(_ origin: ImageOrigin) -> LoadEvent {
    .image(
      LoadedImage(
        image: DecodedImage(
          bitmap: Bitmap(size: PixelSize(width: 2, height: 2), color: .clear), format: .png),
        encoded: nil, origin: origin, request: ImageRequest(.bytes(ImageBytes(), key: "a")),
        metrics: LoadMetrics()))
  }

  private var error: LoadError { .download(.emptyBody, source: "a") }

  private func name(_ content: SlotContent) -> String {
    switch content {
    case .empty: "empty"
    case .placeholder: "placeholder"
    case .preview: "preview"
    case .image(_, let isAnimated): isAnimated ? "image, animated" : "image"
    case .failure(let image): image == nil ? "failure" : "failure image"
    }
  }

  @Test func `R008: news of an earlier load are dropped, whatever they are`() {
    let state = Slot()
    let old = state.begin(placeholder: nil, options: SlotOptions())
    let new = state.begin(placeholder: nil, options: SlotOptions())
    #expect(!state.receive(loaded(.network), of: old))
    #expect(!state.fail(error, of: old))
    #expect(state.phase == .loading(nil) && state.loaded == nil)
    #expect(state.receive(loaded(.network), of: new))
    state.stop()
    #expect(!state.receive(loaded(.network), of: new))
    #expect(state.phase == .loaded(.network))
  }

  @Test func `B224, B243: the placeholder stands meanwhile, or only after a failure`() {
    let state = Slot()
    var options = SlotOptions()
    var number = state.begin(placeholder: grey, options: options)
    #expect(name(state.content) == "placeholder")
    options.whileLoading = .nothing
    number = state.begin(placeholder: grey, options: options)
    #expect(name(state.content) == "empty")
    #expect(state.fail(error, of: number))
    #expect(name(state.content) == "failure image" && state.phase == .failed(error))
  }

  @Test func `what was shown stays while the next loads, and when that fails`() {
    let state = Slot()
    var options = SlotOptions()
    options.whileLoading = .current
    var number = state.begin(placeholder: grey, options: options)
    #expect(name(state.content) == "placeholder")
    _ = state.receive(loaded(.memory), of: number)
    number = state.begin(placeholder: grey, options: options)
    #expect(name(state.content) == "image")
    #expect(state.fail(error, of: number))
    #expect(name(state.content) == "image")
    options.failureImage = grey
    number = state.begin(placeholder: nil, options: options)
    _ = state.fail(error, of: number)
    #expect(name(state.content) == "failure image")
  }

  @Test(arguments: [
    (SlotOptions.Transition.whenFetched, [false, false, true, true]),
    (.unlessInMemory, [false, true, true, true]),
    (.always, [true, true, true, true]),
    (.never, [false, false, false, false]),
  ])
  func `B234: the hint to animate depends on where the picture came from, unless forced`(
    transition: SlotOptions.Transition, expected: [Bool]
  ) {
    let origins = [ImageOrigin.memory, .disk, .network, .local]
    for (origin, animates) in zip(origins, expected) {
      let state = Slot()
      var options = SlotOptions()
      options.transition = transition
      let number = state.begin(placeholder: nil, options: options)
      _ = state.receive(loaded(origin), of: number)
      #expect(name(state.content) == (animates ? "image, animated" : "image"))
    }
  }

  @Test func `B226: a picture that is not to be set waits beside`() {
    let state = Slot()
    var options = SlotOptions()
    options.setsImage = false
    let number = state.begin(placeholder: grey, options: options)
    #expect(!state.receive(.preview(grey), of: number))
    #expect(state.receive(loaded(.network), of: number))
    #expect(name(state.content) == "placeholder" && state.loaded != nil)
    state.set(state.loaded?.image, isAnimated: true)
    #expect(name(state.content) == "image, animated")
  }

  @Test func `a refresh behind a shown picture neither shows progress nor takes it back`() {
    let state = Slot()
    let number = state.begin(placeholder: nil, options: SlotOptions())
    _ = state.receive(.progress(LoadProgress(received: 1, expected: 2)), of: number)
    #expect(state.phase == .loading(LoadProgress(received: 1, expected: 2)))
    _ = state.receive(.preview(grey), of: number)
    #expect(name(state.content) == "preview")
    _ = state.receive(loaded(.disk), of: number)
    #expect(!state.receive(.progress(LoadProgress(received: 1, expected: 2)), of: number))
    #expect(!state.receive(.preview(grey), of: number))
    #expect(!state.fail(error, of: number))
    #expect(state.phase == .loaded(.disk))
  }
}
