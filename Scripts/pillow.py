#!/usr/bin/env python3
"""Does to raw RGBA pixels what the benchmarks do, with Pillow, and prints the milliseconds it took.

pillow.py resize IN W H OUT OUTW OUTH FILTER     pillow.py blur IN W H OUT SIGMA
Premultiplies before resizing, as a picture with alpha needs. The median of five runs is printed.
"""
import statistics
import sys
import time

from PIL import Image, ImageFilter

FILTERS = {
    "lanczos3": Image.Resampling.LANCZOS,
    "catmullRom": Image.Resampling.BICUBIC,
    "bilinear": Image.Resampling.BILINEAR,
    "box": Image.Resampling.BOX,
}


def main(verb, source, width, height, target, *rest):
    with open(source, "rb") as file:
        image = Image.frombytes("RGBA", (int(width), int(height)), file.read())
    image.load()

    def run():
        if verb == "blur":
            return image.filter(ImageFilter.GaussianBlur(float(rest[0])))
        size, how = (int(rest[0]), int(rest[1])), FILTERS[rest[2]]
        # Image.resize itself multiplies RGBA with alpha before and divides after.
        return image.resize(size, how)

    result = run()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    with open(target, "wb") as file:
        file.write(result.tobytes())
    print(statistics.median(times))


main(*sys.argv[1:])
