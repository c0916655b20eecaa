/// Rows of cells under a heading, in columns as wide as their widest cell; when that is too much,
/// the first column's cells lose their middle.
struct TextTable {
  /// Where a column's cells stand.
  enum Alignment { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private let width: Int
  private var rows: [[String]] = []

  /// - Parameter width: No line is wider, as long as the first column can give way.
  init(_ columns: [(title: String, alignment: Alignment)], width: Int = .max) {
    self.columns = columns
    self.width = width
  }

  /// Whether there is no row.
  var isEmpty: Bool { rows.isEmpty }

  /// Adds a row; it has as many cells as there are columns.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The table, each line with its end.
  var text: String {
    var all = [columns.map(\.title)] + rows
    var widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    guard !widths.isEmpty else { return "" }
    let others = widths.dropFirst().reduce(0) { $0 + 2 + $1 }
    widths[0] = min(widths[0], max(columns[0].title.count, width - others))
    for row in all.indices { all[row][0] = Figures.shortened(all[row][0], to: widths[0]) }
    return all.map { line(of: $0, widths) }.joined()
  }

  private func line(of cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: widths[index] - cell.count)
      let gap = index == 0 ? "" : "  "
      line += gap + (columns[index].alignment == .left ? cell + padding : padding + cell)
    }
    while line.last == " " { line.removeLast() }
    return line + "\n"
  }
}
