/// A marble string, read: what happens at which tick.
///
/// Each column is a tick of virtual time.
///
/// | Character | Meaning                                             |
/// |-----------|-----------------------------------------------------|
/// | `-`       | nothing                                             |
/// | `\|`      | the end                                             |
/// | `#`       | a failure                                           |
/// | `(…)`     | all inside happens at the tick of the opening one   |
/// | other     | a value                                             |
///
/// A group takes as many columns as it has characters, so that what stands below each other in two
/// strings happens at the same time.
public struct MarbleDiagram: Equatable, Sendable {
  /// What a character stands for.
  public enum Mark: Equatable, Sendable {
    /// A value, by its letter.
    case value(Character)
    /// The end.
    case finish
    /// A failure.
    case failure
  }

  /// A mark and the tick at which it stands.
  public struct Entry: Equatable, Sendable {
    /// The column, counted from zero.
    public let tick: Int
    /// What stands there.
    public let mark: Mark

    /// A mark at a tick.
    public init(tick: Int, mark: Mark) {
      self.tick = tick
      self.mark = mark
    }
  }

  /// What is wrong with a marble string.
  public enum SyntaxError: Error, Equatable, Sendable {
    /// A parenthesis without its partner, at this column.
    case unbalancedParenthesis(column: Int)
    /// A blank, or something after the end, at this column.
    case unexpected(Character, column: Int)
  }

  /// What happens, in order.
  public let entries: [Entry]
  /// The number of columns.
  public let length: Int

  /// Reads `string`. Fails with the first mistake in it.
  public init(_ string: String) throws(SyntaxError) {
    var entries: [Entry] = []
    var group: Int?
    var ended = false
    for (column, character) in string.enumerated() {
      let tick = group ?? column
      if ended, character != "-", character != ")" {
        throw .unexpected(character, column: column)
      }
      switch character {
      case "-":
        if group != nil { throw .unexpected(character, column: column) }
      case " ": throw .unexpected(character, column: column)
      case "(":
        if group != nil { throw .unbalancedParenthesis(column: column) }
        group = column
      case ")":
        if group == nil { throw .unbalancedParenthesis(column: column) }
        group = nil
      case "|", "#":
        entries.append(Entry(tick: tick, mark: character == "|" ? .finish : .failure))
        ended = true
      default: entries.append(Entry(tick: tick, mark: .value(character)))
      }
    }
    if let group { throw .unbalancedParenthesis(column: group) }
    self.entries = entries
    length = string.count
  }
}
