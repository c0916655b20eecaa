//: # Sharing
//: A publisher is a recipe: each subscriber starts its own work. Sharing makes one work serve all.
import Flow

/// A stream that tells when its work begins and ends; its values are sent by hand.
struct Work {
  let values = PassthroughSubject<Int, Never>()

  var publisher: some Publisher<Int, Never> {
    values.handleEvents(
      receiveSubscription: { _ in print("  work begins") },
      receiveCancel: { print("  work stops") })
  }
}

print("-- not shared: two subscribers, two pieces of work")
let alone = Work()
let first = alone.publisher.sink { print("  first \($0)") }
let second = alone.publisher.sink { print("  second \($0)") }
alone.values.send(1)
first.cancel()
second.cancel()

print("-- shared: one piece of work, which stops when the last has left")
let work = Work()
let shared = work.publisher.share()
let third = shared.sink { print("  third \($0)") }
let fourth = shared.sink { print("  fourth \($0)") }
work.values.send(2)
third.cancel()
work.values.send(3)
fourth.cancel()

print("-- shared with a memory: who joins late gets the latest at once")
let progress = Work()
let remembered = progress.publisher.share(replay: 1)
let early = remembered.sink { print("  early \($0)") }
progress.values.send(40)
let late = remembered.sink { print("  late \($0)") }
progress.values.send(80)
early.cancel()
late.cancel()

//: Those who want the same find each other by a key. So do loads of one image: many ask for the
//: URL, one transfer runs.
print("-- shared by key: equal keys share, others do not")
let transfers = SharedPublishers<String, String, Never>(replay: .latest)
let network = PassthroughSubject<String, Never>()

@Sendable func bytes(of url: String) -> some Publisher<String, Never> {
  network
    .map { "\($0) of \(url)" }
    .handleEvents(
      receiveSubscription: { _ in print("  GET \(url)") },
      receiveCancel: { print("  close \(url)") }
    )
    .shared(by: url, in: transfers)
}

let views = [
  bytes(of: "cat.png").sink { print("  list: \($0)") },
  bytes(of: "cat.png").sink { print("  detail: \($0)") },
  bytes(of: "dog.png").sink { print("  list: \($0)") },
]
network.send("bytes")
for view in views { view.cancel() }
