import Flow
import FlowTesting
import Foundation
import Testing

/// One case on probes, with a referee at its end.
final class LawRun {
  let probes = (0..<4).map { _ in Probe() }
  let scheduler = VirtualScheduler()
  let publisher: LawStream
  var referee: Referee?
  private var next = 1

  init(_ law: LawCase, _ referee: Referee) {
    publisher = law.build(
      LawInputs(sources: probes.map { $0.eraseToAnyPublisher() }, scheduler: scheduler))
    self.referee = referee
    publisher.subscribe(referee)
    settle()
  }

  /// Offers the next numbers to all sources, one after the other.
  func offer(_ count: Int = 1) {
    for _ in 0..<count {
      for probe in probes { probe.send(next) }
      next += 1
      settle()
    }
  }

  func finish() { end(.finished) }

  func end(_ completion: Subscribers.Completion<Trouble>) {
    for probe in probes { probe.send(completion: completion) }
    settle()
  }

  /// Lets time pass, so that what was put off happens.
  func settle() { scheduler.advance(by: .ticks(50)) }

  var alive: Int { probes.reduce(0) { $0 + $1.aliveCount } }
  var subscriptions: Int { probes.reduce(0) { $0 + $1.subscriptions } }
  var cancels: Int { probes.reduce(0) { $0 + $1.cancelCount } }
}

/// Runs `body` on `count` threads at once and waits for all.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for index in 0..<count {
    group.enter()
    Thread.detachNewThread {
      body(index)
      group.leave()
    }
  }
  group.wait()
}

/// Waits for something that another task is about to do.
func eventually(_ condition: () -> Bool) async {
  while !condition() { await Task.yield() }
}

/// Whether a sanitizer watches: everything is then slower, and freed memory is kept.
let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
