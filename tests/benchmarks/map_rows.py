"""Attention maps: NumPy makes the n x n weights, pools them, and matplotlib draws them on its Agg canvas."""
import pathlib

import numpy as np

from timing import agree, row, summary, take_turns

WIDTH, PIXELS, SEED = 128, 1024, 1


def normal_data(folder, tokens):
    """Queries and keys as .npy, made once: seeded, normal, all rows distinct."""
    paths = [pathlib.Path(folder) / f"{name}_{tokens}.npy" for name in ("queries", "keys")]
    if not paths[1].exists():
        generator = np.random.default_rng(SEED)
        for path in paths:
            np.save(path, generator.standard_normal((tokens, WIDTH), dtype=np.float32))
    return paths


def rotated(rows, theta):
    """RoPE, half-split, with phases in double precision: what our program does inside its time, NumPy gets for nothing."""
    half = rows.shape[1] // 2
    angles = np.outer(np.arange(len(rows), dtype=np.float64), theta ** (-np.arange(half) / half))
    cosine, sine = np.cos(angles), np.sin(angles)
    x, y = rows[:, :half].astype(np.float64), rows[:, half:].astype(np.float64)
    return np.hstack((x * cosine - y * sine, x * sine + y * cosine)).astype(np.float32)


class Canvas:
    """imshow on a canvas of `width` x `height` pixels without anything around it."""

    def __init__(self, width, height, data, high=0.01):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        figure = Figure(figsize=(width / 100, height / 100), dpi=100)
        self.canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        self.image = axes.imshow(data, vmin=0, vmax=high, aspect="auto")

    def draw(self, data):
        self.image.set_data(data)
        self.canvas.draw()


def weights(queries, keys, hidden):
    """The whole causal map; the scale is in the queries already."""
    scores = queries @ keys.T
    np.copyto(scores, -np.inf, where=hidden)
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores


def pooled(values, pixels=PIXELS):
    block = len(values) // pixels
    return values if block == 1 else values.reshape(pixels, block, pixels, block).max(axis=(1, 3))


def peer_inputs(paths, theta):
    queries, keys = (np.load(path) for path in paths)
    queries = rotated(queries, theta) / np.float32(np.sqrt(WIDTH))
    return queries, rotated(keys, theta), np.triu(np.ones((len(keys), len(keys)), dtype=bool), 1)


def map_row(row_id, tokens, ours, folder, peer_memory, our_memory):
    paths = normal_data(folder, tokens)
    ours.ask("data", *paths)
    queries, keys, hidden = peer_inputs(paths, 10000.0)
    canvas = Canvas(PIXELS, PIXELS, np.zeros((PIXELS, PIXELS), np.float32))
    out = pathlib.Path(folder) / "map.npy"
    ours.ask("map", 10000, PIXELS, out)
    difference = agree(row_id, np.load(out), pooled(weights(queries, keys, hidden)))
    peer, mine = take_turns(lambda _: canvas.draw(pooled(weights(queries, keys, hidden))),
                            lambda repeat: ours.ask("map", 10000 + repeat, PIXELS))
    return row(row_id, f"n={tokens}, d={WIDTH}, causal, max, {PIXELS} px, drawn", "NumPy n x n, reshape-max, imshow", peer, mine,
               difference, peer_megabytes=peer_memory(tokens), our_megabytes=our_memory(tokens))


def peer_memory_of(tokens, folder):
    """Peak memory of this process after one map, in 10^6 bytes."""
    canvas = Canvas(PIXELS, PIXELS, np.zeros((PIXELS, PIXELS), np.float32))
    canvas.draw(pooled(weights(*peer_inputs(normal_data(folder, tokens), 10000.0))))
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024e-6
    return 0.0


def long_rows(ours, folder):
    """n = 131072: the peer would need the whole n x n map. Ours alone, exact once; then windows of it (B7)."""
    tokens = 131072
    ours.ask("data", *normal_data(folder, tokens))
    previews = [ours.ask("preview", 10000 + repeat, PIXELS, 256)["ms"] for repeat in range(14)][3:]
    exact = ours.ask("map", 10000, PIXELS)["ms"]
    needed = f"cannot: n x n float32 is {tokens ** 2 * 4 / 2 ** 30:.0f} GiB"
    return [row("B6_preview_131072", f"n={tokens}, first preview of 256 rows, drawn", needed, None, summary(previews)),
            row("B6_map_131072", f"n={tokens}, exact, drawn", needed, None, summary([exact]))]


def hot_cells_row(ours, folder):
    """100 single hot cells: how many can be seen (a pixel of at least half their weight)."""
    tokens, count = 16384, 100
    queries, keys = (np.load(path) for path in normal_data(folder, tokens))
    generator = np.random.default_rng(SEED + 1)
    rows = generator.choice(np.arange(tokens // 16, tokens), count, replace=False)
    columns = generator.choice(tokens // 16, count, replace=False)
    queries[rows] = 3 * keys[columns]
    paths = [pathlib.Path(folder) / name for name in ("hot_queries.npy", "hot_keys.npy")]
    np.save(paths[0], queries)
    np.save(paths[1], keys)
    out = pathlib.Path(folder) / "hot.png"
    ours.ask("data", *paths)
    ours.ask("map", 0, PIXELS)
    ours.ask("picture", 1.0, out)

    import matplotlib.image
    colours = (np.array(matplotlib.colormaps["viridis"].colors) * 255).round().astype(np.int32)

    def visible(picture):
        """How many of the cells have a pixel in the colour of at least half their weight."""
        at = picture[rows * PIXELS // tokens, columns * PIXELS // tokens, :3].astype(np.int32)
        nearest = ((at[:, None] - colours) ** 2).sum(axis=2).argmin(axis=1)
        return float(100.0 * np.mean(nearest >= (len(colours) - 1) / 2))

    mine = visible((matplotlib.image.imread(out) * 255).round())
    hidden = np.triu(np.ones((tokens, tokens), dtype=bool), 1)
    whole = weights(queries / np.float32(np.sqrt(WIDTH)), keys, hidden)
    del hidden
    canvas = Canvas(PIXELS, PIXELS, whole, high=1.0)
    canvas.canvas.draw()
    return row("B10_hot_cells_16384", f"{count} single hot cells in n={tokens}, {PIXELS} px", "matplotlib default imshow",
               None, None, our_visible_percent=mine, peer_visible_percent=visible(np.asarray(canvas.canvas.buffer_rgba())))
