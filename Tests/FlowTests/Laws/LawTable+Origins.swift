import Flow
import Synchronization

extension LawTable {
  /// Publishers that start a stream.
  static let origins: [LawCase] = [
    LawCase("Just", is: [.source]) { _ in Just(1).setFailureType(to: Trouble.self) },
    LawCase("Publishers.OfOptional", is: [.source]) { _ in
      Optional(1).publisher.setFailureType(to: Trouble.self)
    },
    LawCase("Publishers.OfResult", is: [.source]) { _ in
      Result<Int, Trouble>.success(1).publisher
    },
    LawCase("Publishers.OfResult", "of a failure", is: [.source, .silent]) { _ in
      Result<Int, Trouble>.failure(.small).publisher
    },
    LawCase("Fail", is: [.source, .silent]) { _ in Fail<Int, Trouble>(error: .small) },
    LawCase("Empty", is: [.source, .silent]) { _ in Empty<Int, Trouble>() },
    LawCase("Empty", "without end", is: [.source, .silent, .endless]) { _ in
      Empty<Int, Trouble>(completeImmediately: false)
    },
    LawCase("NeverEnding", is: [.source, .silent, .endless]) { _ in NeverEnding<Int, Trouble>() },
    LawCase("Deferred", is: .exact) { inputs in Deferred { inputs.first } },
    LawCase("Future", is: [.source]) { _ in Future<Int, Trouble> { $0(.success(1)) } },
    LawCase("Future", "that fails", is: [.source, .silent]) { _ in
      Future<Int, Trouble> { $0(.failure(.small)) }
    },
    LawCase("Publishers.Sequence", is: [.source, .exact]) { _ in
      (1...100).publisher.setFailureType(to: Trouble.self)
    },
    LawCase("Create", is: .exact) { inputs in
      Create<Int, Trouble> { emitter in
        inputs.first.sink {
          emitter.send(completion: $0)
        } receiveValue: {
          emitter.send($0)
        }
      }
    },
    LawCase("Create", "with a bound") { inputs in
      Create<Int, Trouble>(overflow: .dropOldest(1)) { emitter in
        inputs.first.sink {
          emitter.send(completion: $0)
        } receiveValue: {
          emitter.send($0)
        }
      }
    },
  ]
}
