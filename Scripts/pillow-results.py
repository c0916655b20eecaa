#!/usr/bin/env python3
"""Prints Tests/PipelineTests/Transforms/PillowResults.swift: what Pillow makes of a drawn picture.

The picture is drawn by `ResampleQualityTests.picture` with the same numbers.
"""
import base64
import textwrap

import PIL
from PIL import Image

WIDTH, HEIGHT = 64, 48
KINDS = Image.Resampling
FILTERS = {
    "lanczos3": KINDS.LANCZOS,
    "catmullRom": KINDS.BICUBIC,
    "bilinear": KINDS.BILINEAR,
    "box": KINDS.BOX,
}
SIZES = [(13, 9), (90, 50)]


def picture():
    noise, data = 1, bytearray()
    for y in range(HEIGHT):
        for x in range(WIDTH):
            noise = (noise * 1664525 + 1013904223) % 2**32
            grain = noise >> 27
            edge = 90 if (x // 11 + y // 9) % 2 else 0
            data += bytes([
                min(255, 2 * x + edge + grain),
                min(255, 3 * y + edge // 2 + grain),
                200 - 2 * abs(x - y) + grain,
                255 - 3 * abs(x - 32),
            ])
    return Image.frombytes("RGBA", (WIDTH, HEIGHT), bytes(data))


def main():
    image = picture()
    print(f"/// What Pillow {PIL.__version__} makes of the picture of `ResampleQualityTests`; printed by")
    print("/// `Scripts/pillow-results.py`.")
    print("enum PillowResults {")
    print("  /// Filter, width, height, and the pixels in base 64.")
    print("  static let all: [(filter: String, width: Int, height: Int, pixels: String)] = [")
    for name, kind in FILTERS.items():
        for width, height in SIZES:
            # Every seventh row and third column are enough.
            result = image.resize((width, height), kind).tobytes()
            kept = b"".join(
                result[(y * width + x) * 4 : (y * width + x) * 4 + 4]
                for y in range(0, height, 7)
                for x in range(0, width, 3)
            )
            print("    (")
            print(f'      "{name}", {width}, {height},')
            print('      """')
            lines = textwrap.wrap(base64.b64encode(kept).decode(), 88)
            print("\\\n".join(f"      {line}" for line in lines))
            print('      """')
            print("    ),")
    print("  ]")
    print("}")


main()
