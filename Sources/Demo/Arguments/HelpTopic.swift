/// What the program can explain.
enum HelpTopic: String {
  case program, gallery, load, probe, convert, transforms, cache

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
      demo probe URL|FILE...      say what it is by its header
      demo convert IN OUT         write it in another format
      demo transforms IN          show what all transforms make of it
      demo cache ACTION           look after the disk cache
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
      demo load URL|FILE... [-o DIR] [--resize WxH] [--progressive] [--json]
                [--cache DIR] [--header FIELD]... [--user NAME:PASSWORD]
                [--insecure] [--public-only] [--retry N] [--timeout SECONDS]

      Loads images and prints what they are, how long each stage took, and how the
      bytes came: status, protocol, bytes on the wire and of the body, time to the
      first byte, retries.

      -o, --output DIR   write each picture there as PNG
      --resize WxH       shrink to fit into W by H pixels
      --progressive      decode previews while bytes arrive, and count them
      --json             print JSON instead of tables
      --cache DIR        the disk cache, kept between runs
      --header FIELD     send this field, as "Name: value"; may be repeated
      --user NAME:PASSWORD   answer a server that asks for a login
      --insecure         take any certificate
      --public-only      refuse addresses that are not public, such as 127.0.0.1
      --retry N          try up to N times more when it can help; 0 unless given
      --timeout SECONDS  end after so much silence; 15 unless given

      Ends with 0 if all were loaded, else with 1.

      """
    case .probe:
      """
      demo probe URL|FILE...

      Prints format, size, frames, orientation, alpha and colour profile, as far as
      the header tells, and fetches no more than that.

      Ends with 0 if all are images, else with 1.

      """
    case .convert:
      """
      demo convert IN OUT [--quality N] [--resize WxH]

      Loads IN, a URL or a file, and writes it to the file OUT in the format that
      its extension names: jpg, png, gif or webp. Animations stay animations where
      that is GIF, WebP or PNG.

      --quality N    1 to 100, for JPEG and WebP
      --resize WxH   shrink to fit into W by H pixels

      Ends with 0 if the file was written, else with 1.

      """
    case .transforms:
      """
      demo transforms IN [-o FILE]

      Loads IN, a URL or a file, and writes a contact sheet of what every transform
      of the library makes of it, as PNG.

      -o, --output FILE   the sheet; transforms.png unless given

      Ends with 0 if the sheet was written, else with 1.

      """
    case .cache:
      """
      demo cache [path [URL] | stats | list | verify | trim | clear]
                 [--cache DIR] [--size BYTES]

      Looks after the disk cache that the other commands fill.

      path [URL]   print the folder, or the file of an address
      stats        print entries and bytes; this unless told otherwise
      list         print what is stored, latest used first
      verify       check every file, and remove what is damaged
      trim         remove what is too old or too much; with --size, down to it
      clear        remove everything

      --cache DIR    the cache's folder; the user's unless given
      --size BYTES   a number, or one with k, M or G behind it

      Ends with 0, or with 1 if the folder can not be used or files were damaged.

      """
    }
  }
}
