import FlowTesting
import Testing

@testable import Flow

@Suite struct TimingStateTests {
  private func at(_ tick: Int) -> VirtualTime { VirtualTime(offset: .ticks(tick)) }

  @Test func `debounce moves its alarm on as values follow each other`() {
    var state = DebounceState<Int, Never, VirtualTime>(.ticks(3))
    #expect(state.received(1, at: at(0)).wakeAt == at(3))
    #expect(state.received(2, at: at(2)).wakeAt == at(5))
    let early = state.woke(at: at(3))
    #expect(early.values == [])
    #expect(early.wakeAt == at(5))
    #expect(state.woke(at: at(5)).values == [2])
    #expect(state.woke(at: at(6)).values == [])
    #expect(state.ended(.finished, at: at(7)).values == [])
  }

  @Test func `throttle is shut for an interval after each value`() {
    var state = ThrottleState<Int, Never, VirtualTime>(.ticks(3), latest: true)
    #expect(state.received(1, at: at(0)).wakeAt == at(0))
    #expect(state.woke(at: at(0)).values == [1])
    #expect(state.received(2, at: at(1)).wakeAt == at(3))
    #expect(state.received(3, at: at(2)).wakeAt == at(3))
    #expect(state.woke(at: at(3)).values == [3])
    #expect(state.received(4, at: at(9)).wakeAt == at(9))
    #expect(state.ended(.finished, at: at(9)).values == [4])
  }

  @Test func `timeout moves its deadline on with each value`() {
    var state = TimeoutState<Int, Trouble, VirtualTime>(.ticks(3), error: { .large })
    #expect(state.started(at: at(0)).wakeAt == at(3))
    #expect(state.received(1, at: at(2)).values == [1])
    #expect(state.woke(at: at(3)).wakeAt == at(5))
    #expect(state.woke(at: at(5)).end == .failure(.large))
  }

  @Test func `collect takes the time from an array's first value`() {
    var state = CollectByTimeState<Int, Never, VirtualTime>(.ticks(3), count: 2)
    #expect(state.received(1, at: at(1)).wakeAt == at(4))
    #expect(state.received(2, at: at(2)).values == [[1, 2]])
    #expect(state.received(3, at: at(3)).wakeAt == at(6))
    #expect(state.woke(at: at(4)).wakeAt == at(6))
    #expect(state.woke(at: at(6)).values == [[3]])
  }

  @Test func `delay lets go what is due and waits for the rest`() {
    var state = DelayState<Int, Never, VirtualTime>(.ticks(2))
    #expect(state.received(1, at: at(0)).wakeAt == at(2))
    _ = state.received(2, at: at(1))
    _ = state.ended(.finished, at: at(1))
    let first = state.woke(at: at(2))
    #expect(first.values == [1])
    #expect(first.wakeAt == at(3))
    let last = state.woke(at: at(3))
    #expect(last.values == [2])
    #expect(last.end == .finished)
  }
}
