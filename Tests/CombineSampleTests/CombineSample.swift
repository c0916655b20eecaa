// A file as one writes it against Combine: subjects, operators, sinks, a publisher, a subscriber
// and a subscription of one's own. Only the import was changed, and `Sendable` said where state is
// shared.
// SAFETY: the tests use each object on one thread at a time.
import Dispatch
import Flow

// MARK: - Models

struct Track: Equatable, Hashable, Sendable {
  let title: String
  let seconds: Int
}

enum ServiceError: Error, Equatable {
  case offline
  case notFound(String)
  case unknown
}

// MARK: - A service with Future, Deferred and share

final class TrackService: @unchecked Sendable {
  private(set) var requests = 0
  private let catalogue: [String: [Track]]
  private var failuresLeft: Int

  init(catalogue: [String: [Track]], failuresLeft: Int = 0) {
    self.catalogue = catalogue
    self.failuresLeft = failuresLeft
  }

  func search(_ text: String) -> AnyPublisher<[Track], ServiceError> {
    Deferred {
      Future<[Track], ServiceError> { promise in
        self.requests += 1
        if self.failuresLeft > 0 {
          self.failuresLeft -= 1
          promise(.failure(.offline))
        } else if let tracks = self.catalogue[text] {
          promise(.success(tracks))
        } else {
          promise(.failure(.notFound(text)))
        }
      }
    }
    .retry(1)
    .eraseToAnyPublisher()
  }

  func durations(of text: String) -> AnyPublisher<Int, Never> {
    search(text)
      .map { tracks in tracks.map(\.seconds).reduce(0, +) }
      .replaceError(with: 0)
      .eraseToAnyPublisher()
  }
}

// MARK: - A view model with subjects, debounce, flatMap, switchToLatest and assign

final class SearchViewModel: @unchecked Sendable {
  enum State: Equatable {
    case idle
    case loading
    case loaded([Track])
    case failed(ServiceError)
  }

  let query = CurrentValueSubject<String, Never>("")
  let reload = PassthroughSubject<Void, Never>()
  let state = CurrentValueSubject<State, Never>(.idle)
  var title = "" {
    didSet { titles.append(title) }
  }
  private(set) var titles: [String] = []

  private var cancellables = Set<AnyCancellable>()

  init<S: Scheduler>(service: TrackService, scheduler: S) {
    let terms =
      query
      .debounce(for: .milliseconds(300), scheduler: scheduler)
      .removeDuplicates()
      .filter { !$0.isEmpty }

    Publishers.CombineLatest(terms, reload.prepend(()))
      .map { term, _ in
        service.search(term)
          .map(State.loaded)
          .catch { Just(State.failed($0)) }
          .prepend(.loading)
      }
      .switchToLatest()
      .sink { [weak self] in self?.state.send($0) }
      .store(in: &cancellables)

    state
      .map { state -> String in
        switch state {
        case .idle: return "Search"
        case .loading: return "Searching…"
        case .loaded(let tracks): return "\(tracks.count) tracks"
        case .failed: return "Something went wrong"
        }
      }
      .assign(to: \.title, on: self)
      .store(in: &cancellables)
  }

  func cancelAll() { cancellables.removeAll() }
}

// MARK: - Form validation with combineLatest

struct RegistrationForm {
  let name = CurrentValueSubject<String, Never>("")
  let password = CurrentValueSubject<String, Never>("")
  let repeated = CurrentValueSubject<String, Never>("")
  let terms = CurrentValueSubject<Bool, Never>(false)

  var isPasswordValid: AnyPublisher<Bool, Never> {
    Publishers.CombineLatest(password, repeated)
      .map { password, repeated in password.count >= 8 && password == repeated }
      .eraseToAnyPublisher()
  }

  var canSubmit: AnyPublisher<Bool, Never> {
    name.map { !$0.isEmpty }
      .combineLatest(isPasswordValid, terms) { $0 && $1 && $2 }
      .removeDuplicates()
      .eraseToAnyPublisher()
  }
}

// MARK: - A publisher and a subscription of one's own

struct Countdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let start: Int

  func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Int {
    let subscription = Inner(subscriber: subscriber, next: start)
    subscriber.receive(subscription: subscription)
  }

  private final class Inner<S: Subscriber>: Subscription, @unchecked Sendable
  where S.Input == Int, S.Failure == Never {
    private var subscriber: S?
    private var next: Int

    init(subscriber: S, next: Int) {
      self.subscriber = subscriber
      self.next = next
    }

    func request(_ demand: Subscribers.Demand) {
      var demand = demand
      while let subscriber, demand > 0 {
        guard next >= 0 else {
          self.subscriber = nil
          subscriber.receive(completion: .finished)
          return
        }
        demand -= 1
        next -= 1
        demand += subscriber.receive(next + 1)
      }
    }

    func cancel() { subscriber = nil }
  }
}

// MARK: - A subscriber of one's own, which asks for a few values at a time

final class BatchSubscriber<Input: Sendable>: Subscriber, Cancellable, @unchecked Sendable {
  typealias Failure = Never

  private(set) var batches: [[Input]] = []
  private(set) var isFinished = false
  private var current: [Input] = []
  private var subscription: Subscription?
  private let size: Int

  init(size: Int) { self.size = size }

  func receive(subscription: Subscription) {
    self.subscription = subscription
    subscription.request(.max(size))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    current.append(input)
    if current.count < size { return .none }
    batches.append(current)
    current = []
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { isFinished = true }

  func askForMore() { subscription?.request(.max(size)) }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

// MARK: - Operators of one's own

extension Publisher {
  func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    compactMap { $0 }
  }

  func withPrevious() -> AnyPublisher<(previous: Output?, current: Output), Failure> {
    scan((Output?.none, Output?.none)) { pair, value in (pair.1, value) }
      .compactMap { pair in pair.1.map { (previous: pair.0, current: $0) } }
      .eraseToAnyPublisher()
  }

  func asResult() -> AnyPublisher<Result<Output, Failure>, Never> {
    map(Result.success)
      .catch { Just(.failure($0)) }
      .eraseToAnyPublisher()
  }
}

// MARK: - A player that merges, zips, shares and multicasts

final class Player: @unchecked Sendable {
  enum Command: Equatable, Sendable {
    case play, pause
    case seek(Int)
  }

  let buttons = PassthroughSubject<Command, Never>()
  let remote = PassthroughSubject<Command, Never>()
  let timeline = PassthroughSubject<Int, Never>()
  private(set) var log: [String] = []
  private var cancellables: Set<AnyCancellable> = []

  var commands: AnyPublisher<Command, Never> {
    buttons.merge(with: remote).removeDuplicates().eraseToAnyPublisher()
  }

  func start() {
    let shared = commands.share()

    shared
      .sink { completion in
        self.log.append("commands \(completion)")
      } receiveValue: { command in
        self.log.append("command \(command)")
      }
      .store(in: &cancellables)

    shared
      .compactMap { command -> Int? in
        guard case .seek(let seconds) = command else { return nil }
        return seconds
      }
      .subscribe(timeline)
      .store(in: &cancellables)

    timeline
      .scan(0) { furthest, seconds in max(furthest, seconds) }
      .zip(timeline)
      .sink(receiveValue: { self.log.append("furthest \($0), now \($1)") })
      .store(in: &cancellables)
  }

  func stop() { cancellables.forEach { $0.cancel() } }
}

// MARK: - Parsing with try operators

func parse(_ lines: [String]) -> AnyPublisher<[Int], Error> {
  struct BadLine: Error {}
  return lines.publisher
    .tryMap { line -> Int in
      guard let number = Int(line) else { throw BadLine() }
      return number
    }
    .tryFilter { number in
      if number < 0 { throw ServiceError.unknown }
      return number.isMultiple(of: 2)
    }
    .collect()
    .eraseToAnyPublisher()
}

func describe(_ lines: [String]) -> AnyPublisher<String, Never> {
  parse(lines)
    .map { numbers in numbers.map(String.init).joined(separator: ",") }
    .mapError { $0 as? ServiceError ?? .unknown }
    .flatMap { text -> AnyPublisher<String, ServiceError> in
      text.isEmpty
        ? Fail(error: ServiceError.notFound("numbers")).eraseToAnyPublisher()
        : Just(text).setFailureType(to: ServiceError.self).eraseToAnyPublisher()
    }
    .catch { error in Just("error: \(error)") }
    .eraseToAnyPublisher()
}

// MARK: - One connection for many

func multicast(_ values: [Int]) -> (sums: [Int], counts: [Int]) {
  final class Box: @unchecked Sendable {
    var sums: [Int] = []
    var counts: [Int] = []
  }
  let box = Box()
  let connectable = values.publisher.multicast { PassthroughSubject<Int, Never>() }
  let first = connectable.reduce(0, +).sink { box.sums.append($0) }
  let second = connectable.count().sink { box.counts.append($0) }
  let connection = connectable.connect()
  first.cancel()
  second.cancel()
  connection.cancel()
  return (box.sums, box.counts)
}

// MARK: - Work on a queue

func squares(upTo limit: Int, on queue: DispatchQueue) -> AnyPublisher<[Int], Never> {
  (1...limit).publisher
    .flatMap(maxPublishers: .max(2)) { number in
      Just(number).subscribe(on: queue).map { $0 * $0 }
    }
    .collect()
    .receive(on: queue)
    .handleEvents(receiveOutput: { _ in dispatchPrecondition(condition: .onQueue(queue)) })
    .map { $0.sorted() }
    .eraseToAnyPublisher()
}
