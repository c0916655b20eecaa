/// Rows of cells under a heading, in columns as wide as their widest cell.
struct TextTable {
  /// Where a column's cells stand.
  enum Alignment { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; it has as many cells as there are columns.
  mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The table, each line with its end.
  var text: String {
    let all = [columns.map(\.title)] + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
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
