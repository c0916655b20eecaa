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
  /// Whether JSON takes the place of the table.
  var printsJSON = false
}

/// A size from the command line, both sides at least 1.
struct RequestedSize: Equatable {
  var width: Int
  var height: Int
}
