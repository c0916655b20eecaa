//: # Time is a parameter
//: Operators that wait take a scheduler. In an app that is a queue; here it is a clock that moves
//: when you move it, so a minute takes no time and comes out the same each run.
import Flow
import FlowTesting

let scheduler = VirtualScheduler()

print("-- a delay")
let delayed = Just("tea is ready")
  .delay(for: .seconds(240), scheduler: scheduler)
  .sink { print("  \($0)") }
print("after three minutes:")
scheduler.advance(by: .seconds(180))
print("after four minutes:")
scheduler.advance(by: .seconds(60))
delayed.cancel()

print("-- debounce: search when nobody has typed for 300 ms")
let typing = PassthroughSubject<String, Never>()
let search =
  typing
  .debounce(for: .milliseconds(300), scheduler: scheduler)
  .sink { print("  search for \"\($0)\"") }
for text in ["c", "ca", "cat"] {
  typing.send(text)
  scheduler.advance(by: .milliseconds(100))
}
print("still typing …")
scheduler.advance(by: .milliseconds(200))
search.cancel()

print("-- timeout: silence becomes a failure")
struct TooSlow: Error {}
let answers = PassthroughSubject<Int, TooSlow>()
let patience =
  answers
  .timeout(.seconds(2), scheduler: scheduler, customError: { TooSlow() })
  .sink {
    print("  ended: \($0)")
  } receiveValue: {
    print("  \($0)")
  }
answers.send(1)
scheduler.advance(by: .seconds(1))
answers.send(2)
scheduler.advance(by: .seconds(2))
patience.cancel()

//: Marbles draw time as text: a letter is a value, a dash a tick without one, `|` the end. The
//: first line goes in, the second is expected to come out; what differs would be shown.
print("-- marbles")
let debounced = marbles("ab---c--|", "---b---c|") {
  $0.debounce(for: .ticks(2), scheduler: $1)
}
print("  debounce: \(debounced)")
let wrong = marbles("a-b-|", "a-b---|") { upstream, _ in upstream }
print("  a wrong expectation:\n\(wrong)")

//: Nothing was left running.
print("-- idle: \(scheduler.isIdle)")
