import Flow
import Synchronization
import Testing

@testable import Pipeline

/// Shared work against a simple model: who waits for what, how urgently, and what they heard.
struct RandomSharingTests {
  struct Broken: Error, Equatable {}

  /// Numbers that look random and are the same in each run (SplitMix64).
  private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }

  /// What the work has seen of one key.
  private final class Work: Sendable {
    struct Seen {
      var begun = 0
      var stopped = 0
      var urgency: LoadPriority?
      var source: PassthroughSubject<Int, Broken>?
      var following: AnyCancellable?
    }
    let seen = Mutex(Seen())

    func make(_ urgency: AnyPublisher<LoadPriority, Never>) -> AnyPublisher<Int, Broken> {
      let source = PassthroughSubject<Int, Broken>()
      let following = urgency.sink { priority in self.seen.withLock { $0.urgency = priority } }
      seen.withLock { seen in
        seen.begun += 1
        seen.source = source
        seen.following = following
      }
      return source.handleEvents(receiveCancel: {
        self.seen.withLock { $0.stopped += 1 }
      }).eraseToAnyPublisher()
    }
  }

  /// One who waits: what they heard, and what the model says they should have.
  private final class Waiter: Sendable {
    struct Heard: Equatable {
      var values: [Int] = []
      var end: Subscribers.Completion<Broken>?
    }
    let heard = Mutex(Heard())
    let task = Mutex<AnyCancellable?>(nil)
    let priorities = PassthroughSubject<LoadPriority, Never>()
  }

  private struct Member {
    let waiter: Waiter
    var priority: LoadPriority
    var expected = Waiter.Heard()
  }

  @Test(arguments: [1, 2026, 0xF10, 77] as [UInt64])
  func `ten thousand steps of joining, leaving, telling, ending and ranking agree with a model`(
    seed: UInt64
  ) throws {
    var random = Seeded(state: seed)
    let shared = SharedWork<Int, Int, Broken> { $0 % 2 }
    let works = (0..<4).map { _ in Work() }
    var members: [[Member]] = Array(repeating: [], count: 4)
    var begun = [0, 0, 0, 0]
    var stopped = [0, 0, 0, 0]
    var latest: [[Int]] = Array(repeating: [], count: 4)
    for step in 0..<10_000 {
      let key = Int.random(in: 0..<4, using: &random)
      let work = works[key]
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:  // Somebody joins.
        let waiter = Waiter()
        let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
        if members[key].isEmpty {
          begun[key] += 1
          latest[key] = []
        }
        var member = Member(waiter: waiter, priority: priority)
        member.expected.values = latest[key]
        members[key].append(member)
        let urgency = Urgency(now: priority, later: waiter.priorities.eraseToAnyPublisher())
        let task = shared.publisher(for: key, urgency: urgency) { work.make($0) }.sink { end in
          waiter.heard.withLock { $0.end = end }
        } receiveValue: { value in
          waiter.heard.withLock { $0.values.append(value) }
        }
        waiter.task.withLock { $0 = task }
      case 6..<11:  // Somebody leaves; what was heard by then stays.
        guard let index = members[key].indices.randomElement(using: &random) else { break }
        let member = members[key].remove(at: index)
        if members[key].isEmpty { stopped[key] += 1 }
        member.waiter.task.withLock { $0.take() }?.cancel()
        #expect(member.waiter.heard.withLock { $0 } == member.expected)
      case 11..<15:  // The work tells something.
        guard !members[key].isEmpty else { break }
        latest[key] = latest[key].filter { $0 % 2 != step % 2 } + [step]
        for index in members[key].indices { members[key][index].expected.values.append(step) }
        work.seen.withLock { $0.source }?.send(step)
      case 15..<18:  // Somebody changes their mind.
        guard let index = members[key].indices.randomElement(using: &random) else { break }
        let priority = LoadPriority.allCases.randomElement(using: &random) ?? .normal
        members[key][index].priority = priority
        members[key][index].waiter.priorities.send(priority)
      default:  // It ends, well or badly.
        let end: Subscribers.Completion<Broken> =
          Bool.random(using: &random) ? .finished : .failure(Broken())
        guard !members[key].isEmpty else { break }
        work.seen.withLock { $0.source }?.send(completion: end)
        for var member in members[key] {
          member.expected.end = end
          #expect(member.waiter.heard.withLock { $0 } == member.expected)
        }
        members[key] = []
      }
      let seen = work.seen.withLock { (begun: $0.begun, stopped: $0.stopped, urgency: $0.urgency) }
      try #require(seen.begun == begun[key] && seen.stopped == stopped[key], "step \(step)")
      if let highest = members[key].map(\.priority).max() {
        try #require(seen.urgency == highest, "step \(step)")
      }
      let wanted = members.indices.filter { !members[$0].isEmpty }
      try #require(shared.keys.running.sorted() == wanted, "step \(step)")
      try #require(shared.keys.wanted.sorted() == wanted, "step \(step)")
    }
  }
}
