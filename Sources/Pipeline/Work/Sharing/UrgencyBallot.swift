/// How many wait for one piece of work, by urgency. Knows no lock.
///
/// Some take part without a say: they count for whether anybody is there, not for how urgent it is.
struct UrgencyBallot {
  /// By raw value; the last place is for those without a say.
  private var counts = SIMD8<Int32>.zero
  private static let withoutSay = 7

  /// Somebody joins.
  mutating func add(_ priority: LoadPriority?) { counts[Self.place(priority)] &+= 1 }

  /// Somebody leaves. Threads may overtake each other: a count is below zero for a moment then.
  mutating func remove(_ priority: LoadPriority?) { counts[Self.place(priority)] &-= 1 }

  /// Whether nobody is left.
  var isEmpty: Bool { counts.wrappedSum() == 0 }

  /// The most urgent of those who have a say.
  var highest: LoadPriority? {
    LoadPriority.allCases.last { counts[$0.rawValue] > 0 }
  }

  private static func place(_ priority: LoadPriority?) -> Int { priority?.rawValue ?? withoutSay }
}
