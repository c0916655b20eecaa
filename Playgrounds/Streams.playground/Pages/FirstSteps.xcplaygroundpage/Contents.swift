//: # First steps
//: A publisher says what comes, a subscriber asks for it, operators stand between them. Run this page
//: with `swift run PageFirstSteps`, change it, and run it again.
import Flow

//: Nothing happens before somebody subscribes; `sink` does. It returns the running subscription,
//: which stops when it is cancelled or released. Here all has come by then.
print("-- values, one after the other")
[1, 2, 3, 4, 5, 6].publisher
  .filter { $0.isMultiple(of: 2) }
  .map { $0 * 10 }
  .sink { print($0) }
  .cancel()

//: A subject is a publisher that you feed yourself. Nothing comes before you subscribe, and
//: nothing after you cancel.
print("-- a subject")
let clicks = PassthroughSubject<String, Never>()
clicks.send("nobody hears this")
let counting =
  clicks
  .scan(0) { count, _ in count + 1 }
  .sink { print("clicks so far: \($0)") }
clicks.send("left")
clicks.send("right")
counting.cancel()
clicks.send("nobody hears this either")

//: Failures are typed: the compiler knows what a stream may fail with, and after `catch` that it
//: does not fail any more.
print("-- a failure")
struct NoNumber: Error { let text: String }

@Sendable func number(_ text: String) throws(NoNumber) -> Int {
  guard let number = Int(text) else { throw NoNumber(text: text) }
  return number
}

["1", "2", "three", "4"].publisher
  .tryMap(number)
  .catch { failure in
    print("\"\(failure.text)\" is no number")
    return Just(-1)
  }
  .sink { _ in
    print("finished")
  } receiveValue: {
    print($0)
  }
  .cancel()

//: Two streams become one: the latest of both, whenever one of them changes.
print("-- two streams")
let width = CurrentValueSubject<Int, Never>(2)
let height = CurrentValueSubject<Int, Never>(3)
let area =
  width.combineLatest(height) { $0 * $1 }
  .removeDuplicates()
  .sink { print("area \($0)") }
width.send(4)
height.send(3)
height.send(5)
area.cancel()

//: A stream can be read by a loop, too. It is asked for one value at a time, and cancelled when the
//: loop is left.
print("-- a loop")
for await letter in "flow".publisher.map({ $0.uppercased() }).values {
  print(letter)
}
