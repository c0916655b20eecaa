/// Reads the scale that a file's name promises: `photo@2x.png` has two pixels a point.
enum ScaleSuffix {
  /// 2 or 3 where the key says so, else 1. Keys of fewer than 8 characters say nothing.
  static func scale(ofKey key: String) -> Double {
    guard key.utf8.count >= 8, !key.hasPrefix("data:") else { return 1 }
    if key.contains("@2x.") || key.contains("%402x.") { return 2 }
    if key.contains("@3x.") || key.contains("%403x.") { return 3 }
    return 1
  }
}
