internal import CCurlShims

/// One libcurl easy handle and the lists it borrows. Belongs to one loop's thread.
final class CurlEasy {
  let handle: UnsafeMutableRawPointer
  private var lists: [UnsafeMutablePointer<curl_slist>] = []

  /// `nil` when libcurl has no memory for it.
  init?() {
    guard CurlLibrary.isReady, let handle = curl_easy_init() else { return nil }
    self.handle = handle
  }

  deinit {
    curl_easy_cleanup(handle)
    freeLists()
  }

  /// Forgets all options; connections that live on are kept by the multi handle.
  func reset() {
    // libcurl's reset keeps the share, and with it the cookies, for whoever comes next.
    set(CURLOPT_SHARE, pointer: nil)
    curl_easy_reset(handle)
    freeLists()
  }

  func set(_ option: CURLoption, _ value: Int) { _ = flow_easy_set_long(handle, option, value) }

  func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

  func set(_ option: CURLoption, _ value: String?) {
    guard let value else { return }
    _ = value.withCString { flow_easy_set_pointer(handle, option, $0) }
  }

  func set(_ option: CURLoption, pointer: UnsafeRawPointer?) {
    _ = flow_easy_set_pointer(handle, option, pointer)
  }

  func set(_ option: CURLoption, lines: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines { list = curl_slist_append(list, line) ?? list }
    guard let list else { return }
    lists.append(list)
    _ = flow_easy_set_pointer(handle, option, list)
  }

  func number(_ key: CURLINFO) -> Int {
    var value = 0
    return flow_easy_get_long(handle, key, &value) == CURLE_OK ? value : 0
  }

  func offset(_ key: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return flow_easy_get_offset(handle, key, &value) == CURLE_OK ? Int(value) : 0
  }

  func text(_ key: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard flow_easy_get_string(handle, key, &value) == CURLE_OK, let value else { return nil }
    return String(cString: value)
  }

  private func freeLists() {
    for list in lists { curl_slist_free_all(list) }
    lists = []
  }
}

/// libcurl itself, made ready once a process.
enum CurlLibrary {
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// What libcurl says of a result, in words.
  static func text(of code: CURLcode) -> String {
    String(cString: curl_easy_strerror(code)).lowercasedFirst
  }
}

extension String {
  /// A sentence's small beginning; abbreviations such as SSL stay as they are.
  fileprivate var lowercasedFirst: String {
    guard dropFirst().first?.isUppercase != true else { return self }
    return prefix(1).lowercased() + dropFirst()
  }
}
