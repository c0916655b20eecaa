import Pipeline

/// What `demo gallery` is told.
struct GalleryOptions: Equatable {
  /// Folder for the pictures and the contact sheet.
  var output = "demo-output"
  /// Folder of the disk cache; `nil` is the user's.
  var cache: String?
}

/// What `demo load` is told.
struct LoadOptions: Equatable {
  /// URLs and paths of files.
  var sources: [String] = []
  /// Folder for the pictures; `nil` writes none.
  var output: String?
  /// Folder of the disk cache; `nil` is the user's.
  var cache: String?
  /// The size to fit into.
  var resize: RequestedSize?
  /// Whether incomplete pictures are decoded while bytes arrive.
  var showsPreviews = false
  /// Whether JSON takes the place of the tables.
  var printsJSON = false
  /// How the bytes are fetched.
  var fetching = FetchOptions()
}

/// How `demo load` fetches bytes.
struct FetchOptions: Equatable {
  /// Sent with each request.
  var headers: [HeaderField] = []
  /// Answers a server that asks for a login.
  var login: Credential?
  /// Whether any certificate is taken.
  var takesAnyCertificate = false
  /// Whether only public addresses are connected to.
  var isPublicOnly = false
  /// Attempts after the first.
  var retryCount = 0
  /// Silence that ends a load; `nil` leaves it as it is.
  var timeout: Duration?
}

/// What `demo convert` is told.
struct ConvertOptions: Equatable {
  /// A URL, or the path of a file.
  var input: String
  /// The file to write; its extension says the format.
  var output: String
  /// 1 to 100, for JPEG and WebP.
  var quality: Int?
  /// The size to fit into.
  var resize: RequestedSize?

  /// Whether the extension of `output` is one that files are written for, or leaves the choice.
  static func names(format output: String) -> Bool {
    let name = output.split(separator: "/").last ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let last = parts.last else { return true }
    return ["", "jpg", "jpeg", "png", "gif", "webp"].contains(last.lowercased())
  }
}

/// What `demo transforms` is told.
struct TransformsOptions: Equatable {
  /// A URL, or the path of a file.
  var input: String
  /// The sheet to write.
  var output = "transforms.png"
}

/// A size from the command line, both sides at least 1.
struct RequestedSize: Equatable {
  var width: Int
  var height: Int
}
