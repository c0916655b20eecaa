import Flow

/// The error that `#` stands for in a marble string.
public struct MarbleFailure: Error, Hashable, Sendable {
  /// The error.
  public init() {}
}

/// Sends the letters of a marble string, each at its tick after the subscription.
///
/// Each subscriber gets the whole string, from the moment at which it subscribes. A letter for
/// which nothing was demanded waits in line, and is sent as soon as it is asked for. Cancelling
/// drops what is still to come.
public struct MarblePublisher: Publisher {
  /// A letter.
  public typealias Output = String
  /// What `#` stands for.
  public typealias Failure = MarbleFailure

  private let diagram: MarbleDiagram
  private let scheduler: VirtualScheduler

  /// A publisher of `marbles`. Fails when they cannot be read.
  public init(
    _ marbles: String, scheduler: VirtualScheduler
  ) throws(MarbleDiagram.SyntaxError) {
    diagram = try MarbleDiagram(marbles)
    self.scheduler = scheduler
  }

  /// Attaches a subscriber.
  public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let (diagram, scheduler) = (diagram, scheduler)
    Create<Output, Failure> { emitter in
      let start = scheduler.now
      for entry in diagram.entries {
        // The emitter drops what comes after the cancel: no need to take it from the agenda.
        scheduler.schedule(after: start.advanced(by: .ticks(entry.tick))) {
          switch entry.mark {
          case .value(let letter): emitter.send(String(letter))
          case .finish: emitter.send(completion: .finished)
          case .failure: emitter.send(completion: .failure(MarbleFailure()))
          }
        }
      }
    }.receive(subscriber: subscriber)
  }
}
