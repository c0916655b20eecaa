import Flow
import Synchronization

/// Runs what `PrefetchState` decides: one thread at a time, whichever brings news.
///
/// News that come in reply to an effect wait until that is done: a million sources that are all in
/// memory take no stack.
final class PrefetchPump: Sendable {
  enum News: Sendable {
    case list(PrefetchRun, PrefetchSource)
    case arrived(ImageRequest, run: Int)
    case exhausted(run: Int)
    case ended(load: Int, PrefetchOutcome)
    case pause, resume
    case stop(run: Int)
    case stopAll
  }

  private typealias Machine = PrefetchState<ImageRequest>

  private struct State {
    var machine: Machine
    var lists: [Int: (run: PrefetchRun, source: PrefetchSource)] = [:]
    var loads: [Int: AnyCancellable] = [:]
    var news: [News] = []
    var isBusy = false
  }

  private let state: Mutex<State>
  private let load: PrefetchLoad
  private let lastRun = Atomic(0)

  init(_ pipeline: ImagePipeline, _ destination: Prefetcher.Destination, slots: Int) {
    load = PrefetchLoad(pipeline: pipeline, destination: destination)
    state = Mutex(State(machine: Machine(slots: slots)))
  }

  func add(_ requests: AnyPublisher<ImageRequest, Never>) -> PrefetchRun {
    let number = lastRun.add(1, ordering: .relaxed).newValue
    let run = PrefetchRun(number: number) { [weak self] in self?.post(.stop(run: $0)) }
    let source = PrefetchSource(
      arrived: { [weak self] in self?.post(.arrived($0, run: number)) },
      exhausted: { [weak self] in self?.post(.exhausted(run: number)) })
    // Known first: a list may be exhausted while it is subscribed.
    post(.list(run, source))
    requests.subscribe(source)
    return run
  }

  /// Takes news in; whoever is at work handles them, or else the caller.
  func post(_ news: News) {
    let isMine = state.withLock { state in
      state.news.append(news)
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isMine else { return }
    while let effects = nextEffects() { for effect in effects { perform(effect) } }
  }

  private func nextEffects() -> [Machine.Effect]? {
    // What is dropped goes outside the lock: it may be the last reference to code of the user's.
    let (effects, dropped) = state.withLock { state -> ([Machine.Effect]?, AnyCancellable?) in
      guard !state.news.isEmpty else {
        state.isBusy = false
        return (nil, nil)
      }
      let news = state.news.removeFirst()
      var dropped: AnyCancellable?
      if case .ended(let load, _) = news { dropped = state.loads.removeValue(forKey: load) }
      return (Self.decide(news, &state), dropped)
    }
    _ = dropped
    return effects
  }

  private static func decide(_ news: News, _ state: inout State) -> [Machine.Effect] {
    switch news {
    case .list(let run, let source):
      state.lists[run.number] = (run, source)
      return state.machine.add(run.number)
    case .arrived(let request, let run): return state.machine.arrived(request, of: run)
    case .exhausted(let run): return state.machine.exhausted(run)
    case .ended(let load, let outcome): return state.machine.ended(load, outcome)
    case .pause:
      state.machine.pause()
      return []
    case .resume: return state.machine.resume()
    case .stop(let run): return state.machine.stop(run)
    case .stopAll: return state.machine.stopAll()
    }
  }

  private func perform(_ effect: Machine.Effect) {
    switch effect {
    case .ask(let run): state.withLock { $0.lists[run] }?.source.ask()
    case .start(let number, let request):
      let task = load.start(request) { [weak self] in self?.post(.ended(load: number, $0)) }
      // Its end, if it came already, is among the news and takes it out again.
      state.withLock { $0.loads[number] = task }
    case .cancel(let loads):
      let tasks = state.withLock { state in loads.compactMap { state.loads.removeValue(forKey: $0) }
      }
      for task in tasks { task.cancel() }
    case .report(let run, let counts): state.withLock { $0.lists[run] }?.run.counts.send(counts)
    case .end(let run, let counts):
      guard let list = state.withLock({ $0.lists.removeValue(forKey: run) }) else { return }
      list.source.cancel()
      list.run.counts.send(counts)
      list.run.counts.send(completion: .finished)
    }
  }
}
