import Flow
import FlowTesting
import Synchronization
import Testing

@testable import Pipeline

/// Shared work is as urgent as the most urgent of those who wait for it.
struct UrgencyBoardTests {
  let board = UrgencyBoard<String>()

  @Test func `a ballot knows its highest and its end`() {
    var ballot = UrgencyBallot()
    #expect(ballot.isEmpty && ballot.highest == nil)
    ballot.add(.low)
    ballot.add(.high)
    ballot.add(nil)
    #expect(ballot.highest == .high)
    ballot.remove(.high)
    #expect(ballot.highest == .low)
    ballot.remove(.low)
    #expect(ballot.highest == nil && !ballot.isEmpty)
    ballot.remove(nil)
    #expect(ballot.isEmpty)
  }

  @Test func `it rises and falls with those who come and go, and is told only when it changes`() {
    let first = board.join("a", .low)
    let told = first.urgency.recording()
    let second = board.join("a", .low)
    let third = board.join("a", .veryHigh)
    third.withdraw()
    third.withdraw()
    second.withdraw()
    #expect(told.values == [.low, .veryHigh, .low])
    first.withdraw()
    #expect(board.keys.isEmpty)
  }

  @Test func `a vote follows its priorities until it is withdrawn`() {
    let first = board.join("a", .normal)
    let told = first.urgency.recording()
    let priorities = PassthroughSubject<LoadPriority, Never>()
    let second = board.join("a", .low)
    second.follow(priorities.eraseToAnyPublisher())
    for priority in [LoadPriority.high, .veryLow, .veryHigh] { priorities.send(priority) }
    second.withdraw()
    priorities.send(.veryHigh)
    #expect(told.values == [.normal, .high, .normal, .veryHigh, .normal])
  }

  @Test func `a vote that is released is withdrawn, and others of the key are left alone`() {
    var vote: UrgencyVote? = board.join("a", .high)
    let other = board.join("b", .low)
    #expect(Set(board.keys) == ["a", "b"])
    vote = nil
    #expect(board.keys == ["b"])
    withExtendedLifetime((vote, other)) {}
  }

  @Test func `work without anybody's say keeps its urgency and its place`() {
    let place = board.join("a", nil)
    let told = place.urgency.recording()
    board.join("a", .high).withdraw()
    #expect(told.values == [.normal, .high])
    let late = board.join("a", .low)
    #expect(told.values == [.normal, .high, .low])
    withExtendedLifetime((place, late)) {}
  }

  @Test func `from many threads the last word is right`() async {
    let place = board.join("a", nil)
    let last = Mutex(LoadPriority.normal)
    let task = place.urgency.sink { priority in last.withLock { $0 = priority } }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 { board.join("a", LoadPriority.allCases.randomElement()).withdraw() }
        }
      }
    }
    let high = board.join("a", .veryHigh)
    #expect(last.withLock { $0 } == .veryHigh)
    high.withdraw()
    let low = board.join("a", .veryLow)
    #expect(last.withLock { $0 } == .veryLow)
    low.withdraw()
    place.withdraw()
    #expect(board.keys.isEmpty)
    task.cancel()
  }
}

struct LatestEventsTests {
  @Test func `of each kind the latest is kept, oldest first`() {
    let all = [("a1", 0), ("b1", 1), ("a2", 0), ("a3", 0)]
      .reduce(LatestEvents<String>()) { $0.adding($1.0, kind: $1.1) }
    let first = all.next(after: 0)
    #expect(first?.event == "b1" && first?.told == 2)
    #expect(all.next(after: 2)?.event == "a3")
    #expect(all.next(after: all.count) == nil)
  }

  @Test func `who asks for one at a time is told the latest of each kind, then the end`() {
    let work = SharedWork<Int, String, Never> { $0.hasPrefix("a") ? 0 : 1 }
    let source = PassthroughSubject<String, Never>()
    let slow = RecordingSubscriber<String, Never>(demand: .none)
    work.publisher(for: 1, urgency: Urgency(now: .low, later: nil)) { _ in source }
      .receive(subscriber: slow)
    for event in ["a1", "b1", "a2", "b2", "a3"] { source.send(event) }
    source.send(completion: .finished)
    #expect(slow.values == [])
    slow.request(.max(1))
    #expect(slow.values == ["b2"] && !slow.isFinished)
    slow.request(.max(1))
    #expect(slow.values == ["b2", "a3"] && slow.isFinished)
  }

  @Test func `a subscriber that cancels in reply to a value hears no more and frees the key`() {
    let work = SharedWork<Int, Int, Never> { _ in 0 }
    let source = PassthroughSubject<Int, Never>()
    let heard = Mutex<[Int]>([])
    let task = Mutex<AnyCancellable?>(nil)
    let subscription = work.publisher(for: 1, urgency: Urgency(now: .low, later: nil)) { _ in source
    }
    .sink { value in
      heard.withLock { $0.append(value) }
      task.withLock { $0 }?.cancel()
    }
    task.withLock { $0 = subscription }
    source.send(1)
    source.send(2)
    #expect(heard.withLock { $0 } == [1])
    #expect(work.keys.running.isEmpty && work.keys.wanted.isEmpty)
  }

  @Test func `work is begun by the first, heard by all, and gone with the last`() {
    let work = SharedWork<String, String, Never> { $0.hasPrefix("a") ? 0 : 1 }
    let source = PassthroughSubject<String, Never>()
    let urgencies = Mutex<[LoadPriority]>([])
    let tasks = Mutex<[AnyCancellable]>([])
    func join(_ priority: LoadPriority) -> RecordingSubscriber<String, Never> {
      work.publisher(for: "k", urgency: Urgency(now: priority, later: nil)) { urgency in
        let task = urgency.sink { priority in urgencies.withLock { $0.append(priority) } }
        tasks.withLock { $0.append(task) }
        return source
      }.recording()
    }
    let first = join(.low)
    for event in ["a1", "b1", "a2", "a3"] { source.send(event) }
    let late = join(.high)
    source.send("b2")
    #expect(first.values == ["a1", "b1", "a2", "a3", "b2"])
    #expect(late.values == ["b1", "a3", "b2"])
    late.cancel()
    #expect(urgencies.withLock { $0 } == [.low, .high, .low])
    #expect(work.keys.running == ["k"])
    first.cancel()
    #expect(work.keys.running.isEmpty && work.keys.wanted.isEmpty)
    let again = join(.normal)
    source.send(completion: .finished)
    #expect(again.isFinished)
    #expect(work.keys.running.isEmpty && work.keys.wanted.isEmpty)
  }
}
