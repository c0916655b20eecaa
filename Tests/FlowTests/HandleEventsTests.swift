import Flow
import Synchronization
import Testing

@Suite struct HandleEventsTests {
  @Test func `a cancel while another is told of counts at once, and is not told of`() {
    let source = PassthroughSubject<Int, Never>()
    let held = Mutex<(any Subscription)?>(nil)
    let values = Mutex<[Int]>([])
    let cancels = Counter()
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { subscription in
        held.withLock { $0 = subscription }
        subscription.request(.unlimited)
      },
      receiveValue: { value in
        values.withLock { $0.append(value) }
        return .none
      }, receiveCompletion: { _ in })
    source.handleEvents(receiveCancel: {
      cancels.up()
      let subscription = held.withLock { $0 }
      subscription?.cancel()
      source.send(2)
    })
    .subscribe(subscriber)
    source.send(1)
    let subscription = held.withLock { $0 }
    subscription?.cancel()
    source.send(3)
    #expect(values.withLock { $0 } == [1])
    #expect(cancels.count == 1)
  }
}
