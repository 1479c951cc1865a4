#!/usr/bin/env python3
"""Check 18: our SVG files of a zoomed view, as other programs read and draw them.

    check_svg.py TEXT.svg PATHS.svg WIDTH_MM HEIGHT_MM TITLE SCREENSHOT_FOLDER

Valid XML; the title as it was given; <text> in one, none in the other; the size in mm right in rsvg-convert and in Chromium; no ink
of the data outside the plot rectangle, even in a program that ignores clipping.
"""
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.dom.minidom

from pixels import PER_MM, Picture, close, plot_rects

ZOOM = 4  # of the pictures that are searched for ink
CSS_PER_MM = 96 / 25.4
PEN = 1.2  # points that half a pen and its smooth edge may reach over the plot's border


def rsvg(svg, png, zoom):
    subprocess.run(["rsvg-convert", "-d", "96", "-p", "96", "-z", str(zoom), svg, "-o", png], check=True)


def chromium(svg, png, zoom):
    """The file in a window that is larger than it, on a magenta ground."""
    page = svg + ".html"
    with open(page, "w") as file:
        file.write('<body style="margin:0;background:#ff00ff"><img style="display:block" '
                   f'src="file://{os.path.abspath(svg)}">')
    with tempfile.TemporaryDirectory() as home:
        run = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
               f"--user-data-dir={home}", f"--force-device-scale-factor={zoom}", "--window-size=600,500",
               "--allow-file-access-from-files", f"--screenshot={png}", f"file://{os.path.abspath(page)}"]
        subprocess.run(run, check=True, capture_output=True, timeout=120, env={**os.environ, "HOME": home})
    assert os.path.exists(png), "Chromium drew nothing"


def drawn_size(picture):
    """Pixels from the corner to the last that is not Chromium's ground."""
    ground = (255, 0, 255)
    width = max(x for x in range(picture.width) if not close(picture.at(x, 5), ground, 40)) + 1
    height = max(y for y in range(picture.height) if not close(picture.at(5, y), ground, 40)) + 1
    return width, height


def check_size(name, size, zoom, width_mm, height_mm):
    wanted = (width_mm * CSS_PER_MM * zoom, height_mm * CSS_PER_MM * zoom)
    assert all(abs(a - b) <= 1.0 for a, b in zip(size, wanted)), f"{name}: {size} pixels, not {wanted}"


def only_data(text, clipped):
    """The file without what is not data (frame, labels, legend), with or without its clip paths."""
    document = xml.dom.minidom.parseString(text)
    root = document.documentElement
    for node in list(root.childNodes):
        is_data = node.nodeName == "g" and node.hasAttribute("clip-path")
        if not is_data and node.nodeName != "defs":
            root.removeChild(node)
        elif is_data and not clipped:
            node.removeAttribute("clip-path")
    return document.toxml()


def check_ink(name, picture, rects):
    """Every pixel outside the plots is ground; some inside are not."""
    scale = ZOOM * CSS_PER_MM / PER_MM
    grounds = ((255, 0, 255, 255), (0, 0, 0, 0), (255, 255, 255, 255))
    boxes = [(math.floor((left - PEN) * scale), math.floor((top - PEN) * scale), math.ceil((right + PEN) * scale),
              math.ceil((bottom + PEN) * scale)) for left, top, right, bottom in rects]
    inside = 0
    for y in range(picture.height):
        for x in range(picture.width):
            if picture.at(x, y) in grounds:
                continue
            assert any(left <= x < right and top <= y < bottom for left, top, right, bottom in boxes), \
                f"{name}: ink {picture.at(x, y)} at pixel {x}, {y}, outside the plot {boxes}"
            inside += 1
    assert inside > 500, f"{name}: no data was drawn"


def main():
    text_file, paths_file, width_mm, height_mm, title, folder = sys.argv[1:]
    width_mm, height_mm = float(width_mm), float(height_mm)
    text, paths = (open(path, encoding="utf-8").read() for path in (text_file, paths_file))
    for svg in (text, paths):
        document = xml.dom.minidom.parseString(svg)
        assert document.getElementsByTagName("title")[0].firstChild.data == title, "another title"
        size = [float(document.documentElement.getAttribute(side).removesuffix("mm")) for side in ("width", "height")]
        assert abs(size[0] - width_mm) < 0.01 and abs(size[1] - height_mm) < 0.01, f"{size} mm"
    assert re.search(r"<text\b", text), "no <text> in text mode"
    assert not re.search(r"<text\b", paths), "<text> in path mode"

    renderers = {"rsvg": rsvg}
    if shutil.which("chromium"):
        renderers["chromium"] = chromium
    else:
        print("check 18: Chromium is not installed, so only rsvg-convert draws the SVG")
    rects = plot_rects(xml.dom.minidom.parseString(text))
    for name, render in renderers.items():
        for file in (text_file, paths_file):
            mode = "text" if file == text_file else "paths"
            png = os.path.join(folder, f"check18_{name}_{mode}.png")
            render(file, png, 1 if name == "rsvg" else ZOOM)
            picture = Picture(png)
            if name == "rsvg":
                check_size(name, (picture.width, picture.height), 1, width_mm, height_mm)
            elif mode == "text":
                check_size(name, drawn_size(picture), ZOOM, width_mm, height_mm)
        for clipped in (True, False):
            data = os.path.join(os.path.dirname(text_file), f"data_{name}_{clipped}.svg")
            with open(data, "w", encoding="utf-8") as file:
                file.write(only_data(text, clipped))
            png = os.path.join(folder, f"check18_{name}_data_{'clipped' if clipped else 'unclipped'}.png")
            render(data, png, ZOOM)
            check_ink(name, Picture(png), rects)


main()
