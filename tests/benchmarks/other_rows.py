"""Phase tables, painting, windows, orders and start."""
import itertools
import pathlib
import subprocess
import sys

import numpy as np

from map_rows import Canvas
from timing import agree, milliseconds, row, take_turns


def phase_rows(ours, folder):
    positions, pairs = 131072, 64
    out = pathlib.Path(folder) / "phases.npy"

    tables = np.empty((2, positions, pairs), np.float32)

    def peer(theta, number, angles, results):
        """Into arrays that are there already, as ours does it."""
        frequencies = theta ** (-np.arange(pairs) / pairs)
        np.outer(np.arange(positions, dtype=number), frequencies.astype(number), out=angles)
        for table, function in zip(tables, (np.cos, np.sin)):
            function(angles, out=results)
            np.copyto(table, results, casting="same_kind")
        return tables

    ours.ask("phases", 10000, pairs, positions, out)
    mine = np.load(out)
    rows = []
    for name, number in (("", np.float64), ("_fp32_peer", np.float32)):
        exact = number is np.float64
        buffers = [np.empty((positions, pairs), number) for _ in range(2)]
        theirs = peer(10000.0, number, *buffers).reshape(2 * positions, pairs)
        # float32 angles are off by 0.004 rad at these positions; that row is a time to compare with, not the same work.
        difference = agree("B1", mine, theirs) if exact else float(abs(mine - theirs).max())
        times = take_turns(lambda repeat: peer(10000.0 + repeat, number, *buffers),
                           lambda repeat: ours.ask("phases", 10000 + repeat, pairs, positions))
        rows.append(row(f"B1_phase_tables{name}", f"{positions} positions x {pairs} pairs",
                        f"NumPy outer, cos, sin in {np.dtype(number).name}", *times, difference))
    return rows


class QtImage:
    """pyqtgraph's ImageItem in a view of its own, painted at once."""

    def __init__(self, width, height):
        import pyqtgraph
        from pyqtgraph.Qt import QtWidgets
        self.application = QtWidgets.QApplication.instance() or QtWidgets.QApplication([])
        pyqtgraph.setConfigOption("imageAxisOrder", "row-major")
        self.view = pyqtgraph.GraphicsView()
        self.view.resize(width, height)
        self.box = pyqtgraph.ViewBox(enableMouse=False, defaultPadding=0)  # the image fills the view
        self.view.setCentralItem(self.box)
        self.item = pyqtgraph.ImageItem()
        self.item.setLookupTable(pyqtgraph.colormap.get("viridis").getLookupTable(nPts=256))
        self.box.addItem(self.item)
        self.view.show()
        self.application.processEvents()

    def draw(self, data, high):
        self.item.setImage(data, levels=(0, high), autoLevels=False)
        self.view.viewport().repaint()


def has_pyqtgraph():
    try:
        import pyqtgraph  # noqa: F401
        return True
    except ImportError:
        return False


def paint_rows(ours, folder):
    rows = []
    for width, height in ((1920, 1080), (3840, 2160)):
        tile = np.random.default_rng(1).random((height, width), dtype=np.float32)
        path = pathlib.Path(folder) / f"tile_{width}.npy"
        np.save(path, tile)
        canvas = Canvas(width, height, tile, high=1.0)
        peers = [("matplotlib set_data and draw", lambda _: canvas.draw(tile))]
        if has_pyqtgraph():
            image = QtImage(width, height)
            peers.append(("pyqtgraph ImageItem", lambda _: image.draw(tile, 1.0)))
        for name, peer in peers:
            times = take_turns(peer, lambda _: ours.ask("draw", path, 1.0))
            rows.append(row(f"B8_paint_{width}x{height}", f"{width} x {height} values to colours to a widget", name, *times))
    return rows


def window_row(ours):
    """After long_rows: 1:1 windows anywhere in n = 131072; the peer's array of n = 8192 is there already."""
    side, tokens, held = 1024, 131072, 8192
    if not has_pyqtgraph():
        return []
    generator = np.random.default_rng(3)
    array = generator.random((held, held), dtype=np.float32)
    image = QtImage(side, side)

    def peer(_):
        top, left = generator.integers(0, held - side, 2)
        image.draw(array[top:top + side, left:left + side], 1.0)

    def mine(_):
        left, top = sorted(generator.integers(0, tokens - side, 2))
        return ours.ask("window", top, left, side)

    times = take_turns(peer, mine, repeats=200)
    return [row("B7_windows_131072", f"1:1 windows of {side} x {side} cells, n={tokens} (computed); peer n={held} (precomputed)",
                "pyqtgraph ImageItem on an array in memory", *times)]


def batches_of_orders(tokens, size=20000):
    """All orders, made outside of the time that is measured: Python takes longer to make them than NumPy to compute."""
    orders = itertools.permutations(range(tokens))
    return [np.array(batch, dtype=np.int8) for batch in iter(lambda: list(itertools.islice(orders, size)), [])]


def largest_differences(queries, keys, values, batches):
    """By how much all orders change each token's hidden state, batched over the orders: the scores of every pair at every
    distance in a table, and then gathered."""
    tokens, width = queries.shape
    half = width // 2
    angles = np.outer(np.arange(1 - tokens, tokens), 10000.0 ** (-np.arange(half) / half))
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x, y = keys[:, :half], keys[:, half:]
    turned = np.concatenate((x * cosine - y * sine, x * sine + y * cosine), axis=2)  # distances x tokens x width
    scores = np.einsum("ac,dbc->abd", queries, turned) / np.sqrt(width)
    table = np.exp(scores - scores.max(axis=(1, 2), keepdims=True))
    a, b = np.arange(tokens)[:, None], np.arange(tokens)[None, :]

    def states(positions):
        chosen = table[a, b, positions[:, None, :] - positions[:, :, None] + tokens - 1]
        return (chosen / chosen.sum(axis=2, keepdims=True)) @ values

    own = states(np.arange(tokens)[None])[0]
    largest = np.zeros(tokens)
    for batch in batches:
        largest = np.maximum(largest, abs(states(batch) - own).max(axis=(0, 2)))
    return largest


def order_rows(ours, folder, counts=(8, 9, 10)):
    rows = []
    for tokens in counts:
        ours.ask("orders", tokens, folder)
        queries, keys, values, largest = (np.load(pathlib.Path(folder) / f"{name}.npy")
                                          for name in ("queries", "keys", "values", "largest"))
        batches = batches_of_orders(tokens)
        difference = agree(f"B9_orders_{tokens}", largest[0], largest_differences(queries, keys, values, batches))
        times = take_turns(lambda _: largest_differences(queries, keys, values, batches),
                           lambda _: ours.ask("orders", tokens))
        rows.append(row(f"B9_orders_{tokens}", f"all orders of {tokens} tokens, d={queries.shape[1]}, float64",
                        "NumPy, batched over orders", *times, difference))
    return rows


def start_row(program, environment):
    script = ("import numpy, matplotlib; matplotlib.use('Agg'); import matplotlib.pyplot as p; "
              "p.imshow(numpy.random.rand(64, 64)); p.gcf().canvas.draw()")

    def mine(_):
        return {"ms": milliseconds(lambda: subprocess.run(
            [program], env=dict(environment, QT_QPA_PLATFORM="offscreen", PHASELADDER_QUIT_AFTER_PAINT="1"), check=True))}

    times = take_turns(lambda _: subprocess.run([sys.executable, "-c", script], check=True), mine)
    return row("B12_start", "cold process to the first painted window", "Python: import NumPy and matplotlib, draw one map", *times)
