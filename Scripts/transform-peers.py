#!/usr/bin/env python3
"""Does to raw RGBA pixels what the benchmarks do, with Pillow or libvips, for as long as it is asked.

    transform-peers.py pillow|libvips

Prints "ready VERSION", or "absent" where the library is not there. Then reads lines of words and
answers each with the milliseconds of processor time it took, or with "error" and why:

    keep FILE W H                      takes the picture that the next lines are about
    resize W H FILTER [OUT]            resamples, alpha respected; writes the result's bytes to OUT
    blur SIGMA [OUT]                   a Gaussian blur

The libvips side needs the Python package pyvips and the library libvips42.
"""
import os
import sys
import time

os.environ["VIPS_CONCURRENCY"] = "1"


class Pillow:
    def __init__(self):
        import PIL
        from PIL import Image, ImageFilter

        self.version = PIL.__version__
        self.image, self.blurred = Image, ImageFilter.GaussianBlur
        kinds = Image.Resampling
        self.filters = {
            "lanczos3": kinds.LANCZOS,
            "catmullRom": kinds.BICUBIC,
            "bilinear": kinds.BILINEAR,
            "box": kinds.BOX,
        }

    def keep(self, data, width, height):
        self.picture = self.image.frombytes("RGBA", (width, height), data)

    def resize(self, width, height, how):
        # It multiplies RGBA with alpha before and divides after.
        return self.picture.resize((width, height), self.filters[how])

    def blur(self, sigma):
        return self.picture.filter(self.blurred(sigma))

    def bytes(self, result):
        return result.tobytes()


class Vips:
    def __init__(self):
        import pyvips

        self.vips = pyvips
        self.version = ".".join(str(pyvips.version(part)) for part in range(3))
        pyvips.cache_set_max(0)

    def keep(self, data, width, height):
        self.picture = self.vips.Image.new_from_memory(data, width, height, 4, "uchar")

    def resize(self, width, height, how):
        kernels = {"lanczos3": "lanczos3", "catmullRom": "cubic", "bilinear": "linear"}
        small = self.picture.premultiply().resize(
            width / self.picture.width,
            vscale=height / self.picture.height,
            kernel=kernels.get(how, "nearest"),
        )
        return small.unpremultiply().cast("uchar").write_to_memory()

    def blur(self, sigma):
        return self.picture.gaussblur(sigma).write_to_memory()

    def bytes(self, result):
        return result


def answer(peer, words):
    verb, *rest = words
    if verb == "keep":
        name, width, height = rest
        with open(name, "rb") as file:
            peer.keep(file.read(), int(width), int(height))
        return "0"
    start = time.process_time()
    if verb == "resize":
        width, height, how, *target = rest
        result = peer.resize(int(width), int(height), how)
    else:
        sigma, *target = rest
        result = peer.blur(float(sigma))
    spent = (time.process_time() - start) * 1000
    if target:
        with open(target[0], "wb") as file:
            file.write(peer.bytes(result))
    return f"{spent:.3f}"


def main(name):
    try:
        peer = {"pillow": Pillow, "libvips": Vips}[name]()
    except (ImportError, OSError):
        print("absent", flush=True)
        return
    print("ready", peer.version, flush=True)
    for line in sys.stdin:
        try:
            print(answer(peer, line.split()), flush=True)
        except Exception as error:
            print("error", error, flush=True)


main(*sys.argv[1:])
