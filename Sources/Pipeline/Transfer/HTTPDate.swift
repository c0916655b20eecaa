/// Dates as HTTP writes them, in seconds since 1970.
enum HTTPDate {
  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT` and the two old forms (RFC 9110, 5.6.7).
  static func parse(_ text: String) -> Int? {
    let words = text.split { " ,-".contains($0) }.map(String.init)
    guard words.count >= 5 else { return nil }
    return words[3].contains(":")
      ? seconds(day: words[2], month: words[1], year: words[4], time: words[3])
      : seconds(day: words[1], month: words[2], year: words[3], time: words[4])
  }

  private static func seconds(day: String, month: String, year: String, time: String) -> Int? {
    let months = [
      "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    let clock = time.split(separator: ":").compactMap { Int($0) }
    guard let day = Int(day), (1...31).contains(day), var year = Int(year), clock.count == 3,
      let month = months.firstIndex(of: month.lowercased()), (0..<24).contains(clock[0]),
      (0..<60).contains(clock[1]), (0...60).contains(clock[2])
    else { return nil }
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    guard (1600...9999).contains(year) else { return nil }
    return days(year: year, month: month + 1, day: day) * 86_400 + clock[0] * 3600 + clock[1] * 60
      + clock[2]
  }

  /// Days since 1970: years begin in March here, so that the odd day comes last.
  private static func days(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
