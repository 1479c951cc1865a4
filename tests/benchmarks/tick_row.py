"""A slider's tick: four figures of a RoPE head of 256 tokens, computed by NumPy and drawn by matplotlib with blitting."""
import pathlib

import numpy as np

from map_rows import rotated, weights
from timing import agree, row, take_turns

TOKENS, POSITIONS = 256, 512


def causal_weights(queries, keys, theta):
    hidden = np.triu(np.ones((len(keys), len(keys)), dtype=bool), 1)
    scaled = rotated(queries, theta) / np.float32(np.sqrt(queries.shape[1]))
    return weights(scaled, rotated(keys, theta), hidden)


class TickFigure:
    """Ladder, phases, attention and frequencies; what moves is drawn anew over what was drawn once."""

    def __init__(self, queries, keys):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        self.queries, self.keys = queries, keys
        self.pairs = queries.shape[1] // 2
        figure = Figure(figsize=(14.4, 9), dpi=100)
        self.canvas = FigureCanvasAgg(figure)
        ladder, attention, phases, ramp = figure.subplots(2, 2).flat
        indices = np.arange(self.pairs)
        ladder.set(yscale="log", xlim=(0, self.pairs - 1), ylim=(1, 1e9), xlabel="pair", ylabel="wavelength (tokens)")
        ramp.set(yscale="log", xlim=(0, self.pairs - 1), ylim=(1e-9, 1), xlabel="pair", ylabel="frequency (radians per token)")
        image = {"aspect": "auto", "interpolation": "nearest", "animated": True}
        self.artists = [(ladder, ladder.plot(indices, np.ones(self.pairs), animated=True)[0]),
                        (ramp, ramp.plot(indices, np.ones(self.pairs), animated=True)[0]),
                        (phases, phases.imshow(np.zeros((self.pairs, POSITIONS)), vmin=0, vmax=2 * np.pi, cmap="twilight", **image)),
                        (attention, attention.imshow(np.zeros((TOKENS, TOKENS)), vmin=0, vmax=0.1, **image))]
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(figure.bbox)

    def tick(self, theta):
        frequencies = theta ** (-np.arange(self.pairs) / self.pairs)
        data = [2 * np.pi / frequencies, frequencies, np.outer(frequencies, np.arange(POSITIONS)) % (2 * np.pi),
                causal_weights(self.queries, self.keys, theta)]
        self.canvas.restore_region(self.background)
        for (axes, artist), values in zip(self.artists, data):
            if values.ndim == 1:
                artist.set_ydata(values)
            else:
                artist.set_data(values)
            axes.draw_artist(artist)


def tick_rows(ours, folder):
    rows = []
    for width, name in ((64, "_d64"), (128, ""), (256, "_d256")):
        row_id = f"B2_slider_tick{name}"
        ours.ask("tick", 10000, width, folder)
        queries, keys, shown = (np.load(pathlib.Path(folder) / f"{part}.npy") for part in ("queries", "keys", "weights"))
        queries, keys = queries.astype(np.float32), keys.astype(np.float32)
        difference = agree(row_id, shown, causal_weights(queries, keys, 10000.0))
        figure = TickFigure(queries, keys)
        times = take_turns(lambda repeat: figure.tick(10000.0 * 1.01 ** (repeat + 1)),
                           lambda repeat: ours.ask("tick", 10000.0 * 1.01 ** (repeat + 1), width), repeats=50)
        rows.append(row(row_id, f"four figures, d={width}, {TOKENS} tokens, 1440 x 900", "NumPy, matplotlib with blitting", *times,
                        difference))
    return rows
