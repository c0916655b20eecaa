import Flow
import Observation
import Testing

/// Streams that end in a model of the main actor, as programs with windows have them.
@Suite(.timeLimit(.minutes(1))) struct MainActorModelTests {
  @MainActor @Observable final class Model {
    var title = ""
    var log: [String] = []
    @ObservationIgnored private var tasks = Set<AnyCancellable>()

    func follow(_ titles: CurrentValueSubject<String, Never>) {
      titles.assign(onMain: self, \.title).store(in: &tasks)
      titles.sink(onMain: self) { model, title in model.log.append(title) }.store(in: &tasks)
    }

    func follow(_ titles: PassthroughSubject<String, Trouble>) {
      titles.sink(onMain: self) { model, end in
        model.log.append(end == .finished ? "end" : "failure")
      } receiveValue: { model, title in
        model.log.append(title)
      }
      .store(in: &tasks)
    }
  }

  @Test @MainActor func `a model's properties and closures follow a stream on the main actor`()
    async
  {
    let titles = CurrentValueSubject<String, Never>("a")
    let model = Model()
    model.follow(titles)
    #expect(model.title == "a")
    await Task.detached { titles.send("b") }.value
    while model.log.count < 2 { await Task.yield() }
    #expect(model.title == "b")
    #expect(model.log == ["a", "b"])
  }

  @Test @MainActor func `a model hears the failure of its stream once`() {
    let titles = PassthroughSubject<String, Trouble>()
    let model = Model()
    model.follow(titles)
    titles.send("a")
    titles.send(completion: .failure(.small))
    titles.send("b")
    #expect(model.log == ["a", "failure"])
  }

  @Test @MainActor func `a stream keeps no model alive, and stops when it has gone`() {
    let (titles, cancels) = (CurrentValueSubject<String, Never>("a"), Counter())
    var model: Model? = Model()
    weak let witness = model
    let task = model.map {
      titles.handleEvents(receiveCancel: { cancels.up() }).sink(onMain: $0) { $0.title = $1 }
    }
    #expect(model?.title == "a")
    model = nil
    #expect(witness == nil)
    titles.send("b")
    #expect(cancels.count == 1)
    task?.cancel()
  }
}
