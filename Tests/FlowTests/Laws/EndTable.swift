import Flow
import Synchronization
import Testing

/// One way to end a chain, as the laws see it.
struct EndCase: Sendable, CustomTestStringConvertible {
  /// The member, with its labels, as the sources declare it.
  let name: String
  let variant: String
  /// It asks for one value at a time.
  let isAsync: Bool
  /// It takes one value and is done.
  let takesOne: Bool
  let attach: @Sendable (LawStream, Heard) -> AnyCancellable

  init(
    _ name: String, _ variant: String = "", isAsync: Bool = false, takesOne: Bool = false,
    attach: @escaping @Sendable (LawStream, Heard) -> AnyCancellable
  ) {
    self.name = name
    self.variant = variant
    self.isAsync = isAsync
    self.takesOne = takesOne
    self.attach = attach
  }

  var testDescription: String { variant.isEmpty ? name : "\(name) \(variant)" }
}

/// What an end was told; it is told of every end, too, also where the public member is silent.
final class Heard: Sendable {
  struct State: Sendable {
    var values: [Int] = []
    var ends: [Subscribers.Completion<Trouble>] = []
  }

  private let state = Mutex(State())
  private let reply: @Sendable (Int) -> Void

  init(reply: @escaping @Sendable (Int) -> Void = { _ in }) { self.reply = reply }

  func value(_ value: Int) {
    state.withLock { $0.values.append(value) }
    reply(value)
  }

  func end(_ completion: Subscribers.Completion<Trouble>) {
    state.withLock { $0.ends.append(completion) }
  }

  var values: [Int] { state.withLock { $0.values } }
  var ends: [Subscribers.Completion<Trouble>] { state.withLock { $0.ends } }
}

/// An object with a property to assign to.
final class Target: Sendable {
  private let heard: Heard
  init(_ heard: Heard) { self.heard = heard }
  var number: Int {
    get { heard.values.last ?? 0 }
    set { heard.value(newValue) }
  }
}

/// All ways to end a chain, each a member of the public surface.
enum EndTable {
  static let cases: [EndCase] = [
    EndCase("sink(receiveCompletion:receiveValue:)") { stream, heard in
      stream.sink {
        heard.end($0)
      } receiveValue: {
        heard.value($0)
      }
    },
    EndCase("sink(receiveValue:)") { stream, heard in
      silent(stream, heard).sink { heard.value($0) }
    },
    EndCase("assign(to:on:)") { stream, heard in
      silent(stream, heard).assign(to: \.number, on: Target(heard))
    },
    EndCase("assign(to:onWeak:)") { stream, heard in
      let target = Target(heard)
      let running = silent(stream, heard).assign(to: \.number, onWeak: target)
      return AnyCancellable { withExtendedLifetime(target) { running.cancel() } }
    },
    EndCase("subscribe(_:)", "a subscriber") { stream, heard in
      let sink = Subscribers.Sink<Int, Trouble> {
        heard.end($0)
      } receiveValue: {
        heard.value($0)
      }
      stream.subscribe(sink)
      return AnyCancellable(sink)
    },
    EndCase("subscribe(_:)", "a subject") { stream, heard in
      let subject = PassthroughSubject<Int, Trouble>()
      let listening = subject.sink {
        heard.end($0)
      } receiveValue: {
        heard.value($0)
      }
      let feeding = stream.subscribe(subject)
      return AnyCancellable { withExtendedLifetime(listening) { feeding.cancel() } }
    },
    EndCase("connect()") { stream, heard in
      let connectable = stream.makeConnectable()
      let listening = connectable.sink {
        heard.end($0)
      } receiveValue: {
        heard.value($0)
      }
      let connection = connectable.connect()
      return AnyCancellable { withExtendedLifetime(listening) { connection.cancel() } }
    },
    EndCase("send()") { stream, heard in
      let (bell, last) = (PassthroughSubject<Void, Trouble>(), CurrentValueSubject<Int, Never>(0))
      let listening = bell.sink {
        heard.end($0)
      } receiveValue: {
        heard.value(last.value)
      }
      let feeding = stream.sink {
        bell.send(completion: $0)
      } receiveValue: {
        last.send($0)
        bell.send()
      }
      return AnyCancellable { withExtendedLifetime(listening) { feeding.cancel() } }
    },
    EndCase("sink(onMain:receiveCompletion:receiveValue:)") { stream, heard in
      let running = stream.sink(onMain: heard) { heard, end in
        heard.end(end)
      } receiveValue: { heard, value in
        heard.value(value)
      }
      return AnyCancellable { withExtendedLifetime(heard) { running.cancel() } }
    },
    EndCase("sink(onMain:receiveValue:)") { stream, heard in
      let running = silent(stream, heard).sink(onMain: heard) { $0.value($1) }
      return AnyCancellable { withExtendedLifetime(heard) { running.cancel() } }
    },
    EndCase("assign(onMain:_:)") { stream, heard in
      let target = Target(heard)
      let running = silent(stream, heard).assign(onMain: target, \.number)
      return AnyCancellable { withExtendedLifetime(target) { running.cancel() } }
    },
    EndCase("values", isAsync: true) { stream, heard in
      task {
        do throws(Trouble) {
          for try await value in stream.values { heard.value(value) }
          if !Task.isCancelled { heard.end(.finished) }
        } catch {
          heard.end(.failure(error))
        }
      }
    },
    EndCase("results", isAsync: true) { stream, heard in
      task {
        for await result in stream.results {
          switch result {
          case .success(let value): heard.value(value)
          case .failure(let error): return heard.end(.failure(error))
          }
        }
        if !Task.isCancelled { heard.end(.finished) }
      }
    },
    EndCase("first()", isAsync: true, takesOne: true) { stream, heard in
      task {
        do throws(Trouble) {
          if let value = try await stream.first() { heard.value(value) }
          if !Task.isCancelled { heard.end(.finished) }
        } catch {
          heard.end(.failure(error))
        }
      }
    },
  ]

  /// For ends that take streams which cannot fail: a failure is told in front of them.
  private static func silent(_ stream: LawStream, _ heard: Heard) -> AnyPublisher<Int, Never> {
    stream.handleEvents(receiveCompletion: { heard.end($0) })
      .catch { _ in Empty<Int, Never>() }.eraseToAnyPublisher()
  }

  private static func task(_ work: @escaping @Sendable () async -> Void) -> AnyCancellable {
    let task = Task { await work() }
    return AnyCancellable { task.cancel() }
  }
}
