/// A frame of a GIF: where it goes, how it ends, and where its data lies.
struct GIFFrame {
  /// What happens to the frame's rectangle before the next one.
  enum Disposal {
    case keep, clear, restore
  }

  var rectangle: PixelRectangle
  var isInterlaced = false
  /// The bytes of its colours, three each; the file's if it has none of its own.
  var palette: Range<Int>
  var transparentIndex: UInt8?
  var delay = Duration.zero
  var disposal = Disposal.keep
  /// Where its first data block begins, after the code size.
  var dataStart = 0
  var codeSize = 0
  /// Whether its last data block has come.
  var isComplete = false
}
