import Foundation

/// Where the disk cache is when nobody says otherwise.
enum CacheFolder {
  /// The user's folder for caches, as the desktop's rules have it.
  static func path(_ chosen: String?, environment: [String: String]) -> String {
    if let chosen { return chosen }
    if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/flow-demo" }
    let home = environment["HOME"] ?? NSTemporaryDirectory()
    return home + "/.cache/flow-demo"
  }
}
