internal import CCurlShims

/// The cookies of one downloader, in memory. Belongs to the loop's thread, so it needs no locks.
final class CookieJar {
  private let share: UnsafeMutableRawPointer?

  init() {
    share = curl_share_init()
    guard let share else { return }
    _ = flow_share_set_long(share, CURLSHOPT_SHARE, Int(CURL_LOCK_DATA_COOKIE.rawValue))
  }

  /// After all handles that it was attached to are gone or reset.
  deinit { if let share { curl_share_cleanup(share) } }

  /// Lets a transfer send and keep cookies.
  func attach(to easy: CurlEasy) {
    guard let share else { return }
    easy.set(CURLOPT_SHARE, pointer: share)
    easy.set(CURLOPT_COOKIEFILE, "")
  }
}
