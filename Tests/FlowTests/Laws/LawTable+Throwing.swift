import Flow
import Synchronization

extension LawTable {
  /// Operators whose closures may throw.
  static let throwing: [LawCase] = [
    LawCase("tryMap(_:)", "of any error", is: .exact) {
      $0.first.tryMap(anyError { $0 * 2 }).mapError(trouble)
    },
    LawCase("tryFilter(_:)", "of any error", is: .exact) {
      $0.first.tryFilter(anyError { $0 % 2 == 0 }).mapError(trouble)
    },
    LawCase("tryCompactMap(_:)", "of any error", is: .exact) {
      $0.first.tryCompactMap(anyError { $0 % 2 == 0 ? $0 : nil }).mapError(trouble)
    },
    LawCase("tryScan(_:_:)", "of any error", is: .exact) {
      $0.first.tryScan(0) { sum, n throws(any Error) in sum &+ n }.mapError(trouble)
    },
    LawCase("tryCatch(_:)", "of any error") {
      $0.first.tryCatch { _ throws(any Error) in Just(7) }.mapError(trouble)
    },
    LawCase("tryRemoveDuplicates(by:)", is: .exact) {
      $0.first.tryRemoveDuplicates { old, new throws(Trouble) in old / 2 == new / 2 }
    },
    LawCase("tryDrop(while:)", is: .exact) {
      $0.first.tryDrop { n throws(Trouble) in n < 3 }
    },
    LawCase("tryPrefix(while:)") { $0.first.tryPrefix { n throws(Trouble) in n < 3 } },
    LawCase("tryPrefix(while:)", "that throws", is: .silent) {
      $0.first.tryPrefix { _ throws(Trouble) in throw .small }
    },
    LawCase("tryFirst(where:)") { $0.first.tryFirst { n throws(Trouble) in n == 3 } },
    LawCase("tryLast(where:)") { $0.first.tryLast { n throws(Trouble) in n < 5 } },
    LawCase("tryContains(where:)") {
      $0.first.tryContains { n throws(Trouble) in n == 3 }.map { $0 ? 1 : 0 }
    },
    LawCase("tryAllSatisfy(_:)") {
      $0.first.tryAllSatisfy { n throws(Trouble) in n < 3 }.map { $0 ? 1 : 0 }
    },
    LawCase("tryReduce(_:_:)") { $0.first.tryReduce(0) { sum, n throws(Trouble) in sum &+ n } },
    LawCase("tryReduce(_:_:)", "of any error") {
      $0.first.tryReduce(0) { sum, n throws(any Error) in sum &+ n }.mapError(trouble)
    },
    LawCase("tryMax(by:)") { $0.first.tryMax { a, b throws(Trouble) in a < b } },
    LawCase("tryMin(by:)") { $0.first.tryMin { a, b throws(Trouble) in a < b } },
  ]

  @Sendable private static func trouble(_ error: any Error) -> Trouble {
    error as? Trouble ?? .large
  }

  private static func anyError<T>(
    _ body: @escaping @Sendable (Int) -> T
  ) -> @Sendable (Int) throws -> T {
    { body($0) }
  }
}
