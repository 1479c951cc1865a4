"""A picture as rows of colours, read by ImageMagick; for the acceptance checks that look at pixels."""
import subprocess

PER_INCH, PER_MM = 72.0, 72.0 / 25.4  # points


class Picture:
    """Colours are (red, green, blue, alpha), 0 to 255."""

    def __init__(self, path):
        size = subprocess.run(["identify", "-format", "%w %h", path], check=True, capture_output=True, text=True)
        self.width, self.height = map(int, size.stdout.split())
        run = ["convert", path, "-depth", "8", "rgba:-"]
        self.bytes = subprocess.run(run, check=True, capture_output=True).stdout
        assert len(self.bytes) == 4 * self.width * self.height, f"{path} has other pixels than its size says"

    def at(self, x, y):
        start = 4 * (y * self.width + x)
        return tuple(self.bytes[start:start + 4])


def close(one, other, tolerance=2):
    return all(abs(a - b) <= tolerance for a, b in zip(one[:3], other[:3]))


def side(element, name):
    return float(element.getAttribute(name))


def box(element):
    """(left, top, right, bottom) of a <rect> or <image>, in the units of its file: points in ours."""
    left, top = side(element, "x"), side(element, "y")
    return left, top, left + side(element, "width"), top + side(element, "height")


def plot_rects(document):
    """The plot rectangles of one of our SVG files; their clip paths leave room for half a pen around them."""
    half_pen = 0.8
    rects = []
    for path in document.getElementsByTagName("clipPath"):
        left, top, right, bottom = box(path.getElementsByTagName("rect")[0])
        rects.append((left + half_pen, top + half_pen, right - half_pen, bottom - half_pen))
    assert rects, "the SVG has no plot rectangle"
    return rects
