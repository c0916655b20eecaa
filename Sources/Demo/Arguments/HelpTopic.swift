/// What the program can explain.
enum HelpTopic: String {
  case program, gallery, load

  /// The command whose `--help` prints it.
  var command: String { self == .program ? "demo" : "demo \(rawValue)" }

  /// The explanation, with a line end.
  var text: String {
    switch self {
    case .program:
      """
      Loads images as streams: cache lookup, download, decode, transform, store.

      demo [gallery] [-o DIR]     load pictures from a server of its own
      demo load URL|FILE...       load anything
      demo help COMMAND           explain a command

      """
    case .gallery:
      """
      demo gallery [-o DIR] [--cache DIR]

      Starts a server on this machine, loads pictures of all formats from it, and
      shows a shared, a cancelled, a failing and a cached load. Writes the pictures
      and a contact sheet.

      -o, --output DIR   where the pictures go; demo-output unless given
      --cache DIR        the disk cache, kept between runs

      Ends with 0 if everything went as announced, else with 1.

      """
    case .load:
      """
      demo load URL|FILE... [-o DIR] [--resize WxH] [--json] [--cache DIR]

      Loads images and prints what they are and how long each stage took.

      -o, --output DIR   write each picture there as PNG
      --resize WxH       shrink to fit into W by H pixels
      --json             print JSON instead of a table
      --cache DIR        the disk cache, kept between runs

      Ends with 0 if all were loaded, else with 1.

      """
    }
  }
}
