#!/usr/bin/env python3
"""Check 19: a heat map's PDF, drawn at 300 dpi, has sharp cell edges and, edges aside, only colours of its map.

    check_map_pdf.py RENDERED.png MAP.svg MAP.npy COLORMAP.txt

MAP.svg is the same page, for the place of its cells; MAP.npy has the values; COLORMAP.txt one "red green blue" a line.
"""
import ast
import struct
import sys
import xml.dom.minidom

from pixels import PER_INCH, Picture, box, close

DPI = 300
EDGE = 1.5  # pixels beside an edge that may be neither colour


def read_npy(path):
    data = open(path, "rb").read()
    size = struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10:10 + size].decode())["shape"]
    return shape, struct.unpack(f"<{shape[0] * shape[1]}d", data[10 + size:])


def main():
    picture = Picture(sys.argv[1])
    map_image = xml.dom.minidom.parse(sys.argv[2]).getElementsByTagName("image")[0]
    left, top, right, bottom = (side * DPI / PER_INCH for side in box(map_image))
    (rows, columns), values = read_npy(sys.argv[3])
    colors = [tuple(map(int, line.split()[:3])) for line in open(sys.argv[4]) if line.strip() and line[0].isdigit()]
    assert len(colors) == 256, len(colors)
    index_of = {color: index for index, color in enumerate(colors)}
    width, height = (right - left) / columns, (bottom - top) / rows
    assert width > 4 * EDGE and height > 4 * EDGE, "the cells are too small to look into"
    shown = []
    for row in range(rows):
        for column in range(columns):
            x0, y0 = left + column * width, top + row * height
            inner = [picture.at(x, y) for y in range(round(y0 + EDGE), round(y0 + height - EDGE))
                     for x in range(round(x0 + EDGE), round(x0 + width - EDGE))]
            color = inner[len(inner) // 2]
            assert all(close(pixel, color, 0) for pixel in inner), \
                f"cell {row}, {column} is blurred or displaced: {sorted(set(inner))[:4]}"
            nearest = min(range(256), key=lambda index: sum(abs(a - b) for a, b in zip(color, colors[index])))
            assert close(color, colors[nearest], 1), f"cell {row}, {column} has {color}, no colour of the map"
            shown.append((values[row * columns + column], index_of[colors[nearest]]))
    assert len({index for _, index in shown}) > 8, "the map is all of one colour"
    shown.sort()
    assert all(low[1] <= high[1] for low, high in zip(shown, shown[1:])), "a larger value has a lower colour"


main()
