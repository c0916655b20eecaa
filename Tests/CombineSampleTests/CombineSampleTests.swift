import Dispatch
import Flow
import Testing

/// What was written against Combine does here what it does there.
@Suite struct CombineSampleTests {
  private let catalogue = [
    "blue": [Track(title: "Blue Train", seconds: 643), Track(title: "Blue in Green", seconds: 337)]
  ]

  @Test func `a view model searches, tells its state and starts again`() {
    let service = TrackService(catalogue: catalogue, failuresLeft: 1)
    let model = SearchViewModel(service: service, scheduler: ImmediateScheduler.shared)
    let states = Log<SearchViewModel.State>()
    let task = model.state.sink { states.append($0) }
    model.query.send("blue")
    model.query.send("blue")
    model.query.send("red")
    model.reload.send()
    let tracks = catalogue["blue"] ?? []
    #expect(
      states.all == [
        .idle, .loading, .loaded(tracks), .loading, .failed(.notFound("red")), .loading,
        .failed(.notFound("red")),
      ])
    #expect(
      model.titles == [
        "Search", "Searching…", "2 tracks", "Searching…", "Something went wrong", "Searching…",
        "Something went wrong",
      ])
    // Blue: a failure and its retry; red: twice twice.
    #expect(service.requests == 6)
    task.cancel()
    model.cancelAll()
    model.query.send("blue")
    #expect(service.requests == 6)
  }

  @Test func `a failed search counts as nothing`() {
    let service = TrackService(catalogue: catalogue)
    let sums = Log<Int>()
    service.durations(of: "blue").merge(with: service.durations(of: "red"))
      .sink { sums.append($0) }.cancel()
    #expect(sums.all == [980, 0])
  }

  @Test func `a form may be sent once all its fields are right`() {
    let form = RegistrationForm()
    let answers = Log<Bool>()
    let task = form.canSubmit.sink { answers.append($0) }
    form.name.value = "Ada"
    form.password.value = "analytical"
    form.repeated.value = "analytic"
    form.terms.value = true
    #expect(answers.all == [false])
    form.repeated.value = "analytical"
    form.name.value = ""
    #expect(answers.all == [false, true, false])
    task.cancel()
  }

  @Test func `own publishers and subscribers speak with each other and with operators`() {
    let subscriber = BatchSubscriber<Int>(size: 2)
    Countdown(start: 4).subscribe(subscriber)
    #expect(subscriber.batches == [[4, 3]])
    subscriber.askForMore()
    #expect(subscriber.batches == [[4, 3], [2, 1]])
    subscriber.askForMore()
    #expect(subscriber.isFinished)
    let stopped = BatchSubscriber<Int>(size: 1)
    Countdown(start: 4).map { $0 * 10 }.dropFirst().subscribe(stopped)
    stopped.cancel()
    stopped.askForMore()
    #expect(stopped.batches == [[30]])
    let values = Log<Int>()
    let task = Countdown(start: 9).first { $0 < 7 }.sink { values.append($0) }
    #expect(values.all == [6])
    task.cancel()
  }

  @Test func `own operators are made of others`() {
    let log = Log<String>()
    [1, nil, 2, 3].publisher.unwrap().withPrevious()
      .sink { pair in log.append("\(pair.previous.map(String.init) ?? "-")\(pair.current)") }
      .cancel()
    #expect(log.all == ["-1", "12", "23"])
    let results = Log<Result<Int, ServiceError>>()
    Just(1).setFailureType(to: ServiceError.self).append(Fail(error: .offline)).asResult()
      .sink { results.append($0) }.cancel()
    #expect(results.all == [.success(1), .failure(.offline)])
  }

  @Test func `commands of two sources are shared, and drive a subject`() {
    let player = Player()
    player.start()
    player.buttons.send(.play)
    player.remote.send(.play)
    player.remote.send(.seek(30))
    player.buttons.send(.seek(10))
    player.buttons.send(completion: .finished)
    player.remote.send(.pause)
    player.remote.send(completion: .finished)
    #expect(
      player.log == [
        "command play", "command seek(30)", "furthest 30, now 30", "command seek(10)",
        "furthest 30, now 10", "command pause", "commands finished",
      ])
    player.stop()
  }

  @Test(arguments: [
    (["1", "2", "4"], "2,4"), (["1", "x", "4"], "error: unknown"),
    (["1", "-2", "4"], "error: unknown"), (["1"], "error: notFound(\"numbers\")"),
  ])
  func `what throws fails the stream`(lines: [String], text: String) {
    let log = Log<String>()
    describe(lines).sink { log.append($0) }.cancel()
    #expect(log.all == [text])
  }

  @Test func `one connection feeds all subscribers`() {
    let (sums, counts) = multicast([1, 2, 3])
    #expect(sums == [6])
    #expect(counts == [3])
  }

  @Test func `work on a queue comes back on it`() async {
    var iterator = squares(upTo: 5, on: DispatchQueue(label: "squares")).values.makeAsyncIterator()
    #expect(await iterator.next() == [1, 4, 9, 16, 25])
    #expect(await iterator.next() == nil)
  }
}

/// What came, in order. All of it comes on the test's thread.
// SAFETY: see above.
private final class Log<Value>: @unchecked Sendable {
  private(set) var all: [Value] = []
  func append(_ value: Value) { all.append(value) }
}
