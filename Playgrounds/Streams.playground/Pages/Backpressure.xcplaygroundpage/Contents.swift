//: # Backpressure
//: A subscriber gets no more than it has asked for. So a fast source never runs over a slow sink,
//: and nothing piles up unless you say where.
import Flow
import Synchronization

/// A subscriber of our own: takes what it has asked for, when it is told to ask. (`sink` asks for
/// everything at once.)
final class SlowReader: Subscriber {
  private let subscription = Mutex<(any Subscription)?>(nil)

  func receive(subscription: any Subscription) {
    self.subscription.withLock { $0 = subscription }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    print("  got \(input)")
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { print("  the end") }

  func ask(for count: Int) {
    print("asks for \(count)")
    subscription.withLock { $0 }?.request(.max(count))
  }

  func stop() { subscription.withLock { $0 }?.cancel() }
}

print("-- a million numbers, made as they are asked for")
let reader = SlowReader()
(1...1_000_000).publisher
  .handleEvents(receiveOutput: { print("  made \($0)") })
  .subscribe(reader)
reader.ask(for: 2)
reader.ask(for: 1)
reader.stop()

//: `flatMap` asks for as many inner streams as may run at once: the next begins when one ends.
print("-- three downloads, two at a time")
let files = [
  PassthroughSubject<String, Never>(), PassthroughSubject<String, Never>(),
  PassthroughSubject<String, Never>(),
]
let downloads = files.indices.publisher
  .flatMap(maxPublishers: .max(2)) { index in
    files[index].handleEvents(receiveSubscription: { _ in print("  file \(index) begins") })
  }
  .sink { print("  \($0)") }
files[0].send("file 0: bytes")
files[1].send("file 1: bytes")
files[1].send(completion: .finished)
files[2].send("file 2: bytes")
downloads.cancel()

//: A source that can not wait needs a buffer, which says what becomes of values that come too early.
//: Here the oldest is dropped.
print("-- a source that can not wait, and room for two")
let sensor = PassthroughSubject<Int, Never>()
let patient = SlowReader()
sensor
  .buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
  .subscribe(patient)
for reading in 1...5 { sensor.send(reading) }
patient.ask(for: 2)
sensor.send(completion: .finished)

//: A loop asks for one value each time round. Leaving it stops the source.
print("-- a loop that leaves early")
for await number in (1...1_000_000).publisher.values {
  print("  \(number)")
  if number == 3 { break }
}
