extension DecodedImage {
  /// Finds this image while somebody holds its pixels; `nil` for animations, whose frames are made
  /// anew anyway.
  var weakReference: WeakReference<DecodedImage>? {
    guard animation == nil else { return nil }
    weak let storage = bitmap.storage
    let (size, hasAlpha) = (bitmap.size, bitmap.hasAlpha)
    let (format, orientation, scale) = (format, orientation, scale)
    let (isComplete, notes) = (isComplete, notes)
    return WeakReference {
      storage.map {
        DecodedImage(
          bitmap: Bitmap(size: size, hasAlpha: hasAlpha, storage: $0), format: format,
          orientation: orientation, scale: scale, isComplete: isComplete, notes: notes)
      }
    }
  }
}
