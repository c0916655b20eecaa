import CGIF
import CJPEGShims
import CPNG
import CWebP
import Pipeline

/// The C libraries alone, decoding into fresh memory: what the decoders are measured against.
enum BareCodecs {
  /// Memory for RGBA, new each time, as a program without a pool would have it.
  private static func withFreshMemory(
    _ byteCount: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void
  ) {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: byteCount)
    body(memory)
    memory.deallocate()
  }

  /// libjpeg at `eighths` / 8 of the size; the number of rows.
  static func jpeg(_ bytes: ImageBytes, eighths: Int32 = 8) -> Int {
    bytes.withUnsafeBytes { buffer in
      let decoder = flow_jpeg_open()
      defer { flow_jpeg_close(decoder) }
      var header = flow_jpeg_header()
      var (width, height): (UInt32, UInt32) = (0, 0)
      flow_jpeg_feed(
        decoder, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), buffer.count, 1)
      _ = flow_jpeg_read_header(decoder, &header)
      _ = flow_jpeg_start(decoder, eighths, 0, &width, &height)
      var read: Int32 = 0
      withFreshMemory(Int(width * height) * 4) { memory in
        _ = flow_jpeg_read_rows(decoder, memory, Int(width) * 4, Int32(height), &read)
      }
      return Int(read)
    }
  }

  /// libpng's own whole-picture reader; the number of rows.
  static func png(_ bytes: ImageBytes) -> Int {
    bytes.withUnsafeBytes { buffer in
      var image = png_image()
      image.version = UInt32(PNG_IMAGE_VERSION)
      guard png_image_begin_read_from_memory(&image, buffer.baseAddress, buffer.count) != 0
      else { return 0 }
      image.format = 3  // PNG_FORMAT_RGBA
      withFreshMemory(Int(image.width * image.height) * 4) { memory in
        _ = png_image_finish_read(&image, nil, memory, Int32(image.width * 4), nil)
      }
      defer { png_image_free(&image) }
      return Int(image.height)
    }
  }

  /// libwebp's one call; the number of rows.
  static func webp(_ bytes: ImageBytes) -> Int {
    bytes.withUnsafeBytes { buffer in
      let base = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      var (width, height): (Int32, Int32) = (0, 0)
      guard WebPGetInfo(base, buffer.count, &width, &height) != 0 else { return 0 }
      let byteCount = Int(width * height) * 4
      withFreshMemory(byteCount) { memory in
        _ = WebPDecodeRGBAInto(base, buffer.count, memory, byteCount, width * 4)
      }
      return Int(height)
    }
  }

  private final class Source {
    let bytes: UnsafeRawBufferPointer
    var offset = 0
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
  }

  /// giflib, each frame drawn on a canvas that is copied out; the number of frames.
  static func gif(_ bytes: ImageBytes) -> Int {
    bytes.withUnsafeBytes { buffer in
      let source = Source(buffer)
      var code: Int32 = 0
      let file = DGifOpen(
        Unmanaged.passUnretained(source).toOpaque(),
        { file, target, count in
          guard let context = file?.pointee.UserData, let target else { return 0 }
          let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
          let taken = min(Int(count), source.bytes.count - source.offset)
          target.update(
            from: source.bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + source.offset,
            count: taken)
          source.offset += taken
          return Int32(taken)
        }, &code)
      guard let file, DGifSlurp(file) == GIF_OK else { return 0 }
      defer { DGifCloseFile(file, &code) }
      let (width, height) = (Int(file.pointee.SWidth), Int(file.pointee.SHeight))
      let canvas = UnsafeMutablePointer<UInt32>.allocate(capacity: width * height)
      defer { canvas.deallocate() }
      for index in 0..<Int(file.pointee.ImageCount) {
        draw(file.pointee.SavedImages[index], on: canvas, width: width)
        withFreshMemory(width * height * 4) { copy in
          UnsafeMutableRawPointer(copy).copyMemory(from: canvas, byteCount: width * height * 4)
        }
      }
      return Int(file.pointee.ImageCount)
    }
  }

  private static func draw(
    _ image: SavedImage, on canvas: UnsafeMutablePointer<UInt32>, width: Int
  ) {
    guard let map = image.ImageDesc.ColorMap else { return }
    var palette = [UInt32](repeating: 0, count: 256)
    for index in 0..<Int(map.pointee.ColorCount) {
      let color = map.pointee.Colors[index]
      palette[index] =
        UInt32(color.Red) | UInt32(color.Green) << 8 | UInt32(color.Blue) << 16 | 0xFF00_0000
    }
    let (columns, rows) = (Int(image.ImageDesc.Width), Int(image.ImageDesc.Height))
    palette.withUnsafeBufferPointer { palette in
      for row in 0..<rows {
        let target = canvas + (Int(image.ImageDesc.Top) + row) * width + Int(image.ImageDesc.Left)
        for x in 0..<columns { target[x] = palette[Int(image.RasterBits[row * columns + x])] }
      }
    }
  }
}
