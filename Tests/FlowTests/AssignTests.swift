import Dispatch
import Flow
import Observation
import Synchronization
import Testing

/// Streams that end in a property.
@Suite struct AssignTests {
  @Test func `a property follows the stream until that is cancelled, and the object is kept`() {
    let source = PassthroughSubject<Int, Never>()
    weak var witness: Model?
    let task = {
      let model = Model()
      witness = model
      return source.assign(to: \.number, on: model)
    }()
    source.send(1)
    #expect(witness?.numbers == [1])
    source.send(2)
    #expect(witness?.numbers == [1, 2])
    task.cancel()
    #expect(witness == nil)
  }

  @Test func `an object that is kept goes with the end of the stream`() {
    let source = PassthroughSubject<Int, Never>()
    weak var witness: Model?
    let task = {
      let model = Model()
      witness = model
      return source.assign(to: \.number, on: model)
    }()
    source.send(completion: .finished)
    #expect(witness == nil)
    task.cancel()
  }

  @Test func `a weak assign keeps nothing alive, and stops the stream when the object has gone`() {
    let source = PassthroughSubject<Int, Never>()
    let cancels = Counter()
    var model: Model? = Model()
    weak let witness = model
    let task = model.map {
      source.handleEvents(receiveCancel: { cancels.up() }).assign(to: \.number, onWeak: $0)
    }
    source.send(1)
    #expect(model?.numbers == [1])
    model = nil
    #expect(witness == nil)
    #expect(cancels.count == 0)
    source.send(2)
    #expect(cancels.count == 1)
    task?.cancel()
  }

  @Test @MainActor func `on the main actor a property is set at once, without a hop`() async {
    // A task of the main actor runs on the main queue, also where the test itself does not.
    await onMainQueue {
      let model = Model()
      let source = CurrentValueSubject<Int, Never>(1)
      let task = source.assign(onMain: model, \.number)
      #expect(model.numbers == [1])
      source.send(2)
      #expect(model.numbers == [1, 2])
      task.cancel()
    }
  }

  @Test func `from elsewhere a property is set on the main actor, in order`() async {
    let model = Model()
    let source = PassthroughSubject<Int, Never>()
    let task = source.assign(onMain: model, \.number)
    for number in 1...10 { source.send(number) }
    _ = await model.changes.first { $0 == 10 }.first()
    #expect(model.numbers == Array(1...10))
    #expect(model.wereOnMain)
    task.cancel()
  }

  @Test @MainActor func `an observed property tells its observers`() async {
    let model = ObservedModel()
    let changes = Counter()
    withObservationTracking {
      _ = model.number
    } onChange: {
      changes.up()
    }
    await onMainQueue {
      Just(7).assign(to: \.number, on: model).cancel()
    }
    #expect(model.number == 7)
    #expect(changes.count == 1)
  }
}

/// Runs `body` on the main queue and waits for it.
private func onMainQueue(_ body: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.main.async {
      body()
      continuation.resume()
    }
  }
}

private final class Model: Sendable {
  private let state = Mutex<(numbers: [Int], wereOnMain: Bool)>(([], true))
  let changes = ReplaySubject<Int, Never>()

  var number: Int {
    get { numbers.last ?? 0 }
    set {
      state.withLock {
        $0.numbers.append(newValue)
        if !MainActorScheduler.isCurrent { $0.wereOnMain = false }
      }
      changes.send(newValue)
    }
  }

  var numbers: [Int] { state.withLock { $0.numbers } }
  var wereOnMain: Bool { state.withLock { $0.wereOnMain } }
}

// SAFETY: the test uses it on the main queue only.
@Observable private final class ObservedModel: @unchecked Sendable {
  var number = 0
}
