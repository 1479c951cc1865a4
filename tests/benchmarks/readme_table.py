#!/usr/bin/env python3
"""Puts measured rows into the table of README.md.

    app/run.sh benchmark --json > benchmark.json
    /usr/bin/python3 tests/benchmarks/peers.py --json peers.json
    tests/benchmarks/readme_table.py benchmark.json peers.json
"""
import datetime
import json
import pathlib
import re
import sys

README = pathlib.Path(__file__).resolve().parent.parent.parent / "README.md"
# Row, what a reader calls it.
WORK = [
    ("B1_phase_tables", "cos and sin of 131,072 positions × 64 pairs"),
    ("B2_slider_tick", "slider tick → four panes, 256 tokens"),
    ("B2_slider_tick_4096", "slider tick → four panes, 4,096 tokens"),
    ("B3_map_1024", "exact causal map, n = 1,024"),
    ("B4_map_4096", "exact causal map, n = 4,096, 1024² pixels"),
    ("B5_map_16384", "exact causal map, n = 16,384, 1024² pixels"),
    ("B6_slider_tick_131072", "slider tick → first picture in four panes, n = 131,072"),
    ("B6_preview_131072", "its preview of the map alone, rotation included"),
    ("B6_map_131072", "exact causal map, n = 131,072, 1024² pixels"),
    ("B6_preview_1048576", "first preview, n = 1,048,576, rotation included"),
    ("B7_windows_131072", "1:1 window of 1024 × 1024 cells anywhere, n = 131,072"),
    ("B8_paint_1920x1080", "1920 × 1080 values → colours → widget"),
    ("B8_paint_3840x2160", "3840 × 2160 values → colours → widget"),
    ("B9_orders_8", "verdict over all 40,320 orders of 8 tokens"),
    ("B9_orders_8_counts", "the same, with distinct states counted"),
    ("B9_orders_10", "verdict over all 3,628,800 orders of 10 tokens"),
    ("B10_hot_cells_16384", "100 single hot cells in n = 16,384, 1024² pixels"),
    ("B12_start", "cold start to the first painted window"),
]


def time_text(milliseconds):
    if milliseconds >= 1000:
        return f"{milliseconds / 1000:.1f} s"
    return f"{milliseconds:.0f} ms" if milliseconds >= 100 else f"{milliseconds:.1f} ms"


def limit_text(row):
    """What was reached of a rate, or the longest wait that is allowed."""
    if row["limit"].endswith(" ms"):
        return f"p95 ≤ {row['limit']}: {time_text(row['p95_ms'])}"
    return f"{100 * row['limit_ratio']:.0f} % of the {row['limit']}"


def peer_text(peers):
    texts = []
    for peer in peers:
        if "ratio" in peer:
            texts.append(f"{peer['ratio']:.1f} × ({peer['peer']}, {time_text(peer['peer_result']['median_ms'])})")
        elif "peer_visible_percent" in peer:
            texts.append(f"{peer['peer_visible_percent']:.0f} % visible ({peer['peer']})")
        else:
            texts.append(peer["peer"])
    return "; ".join(texts)


def table(benchmark, peers):
    measured = {row["id"]: row for row in benchmark["rows"]}
    lines = ["| work | median | against its limit | peers: their time over ours |", "| --- | --- | --- | --- |"]
    for row_id, work in WORK:
        row = measured.get(row_id)
        if row is None:
            continue
        limit = f"{row['visible_percent']:.0f} % visible" if "visible_percent" in row else limit_text(row)
        memory = f", {row['peak_megabytes']:.0f} MB" if "peak_megabytes" in row else ""
        same = [peer for peer in peers["rows"] if peer["id"] == row_id]
        lines.append(f"| {work} | {time_text(row['median_ms'])}{memory} | {limit} | {peer_text(same)} |")
    ceilings, known = benchmark["ceilings"], peers["machine"]
    lines += ["", f"{benchmark['machine']}; measured on {datetime.date.today()}: GEMM {ceilings['gemm_gflops']:.0f} GFLOP/s "
              f"(Eigen's {ceilings['eigen_gemm_gflops']:.0f}), exp "
              f"{ceilings['exp_per_second'] / 1e9:.1f} G/s, store {ceilings['store_gb_per_second']:.0f} GB/s. Peers: NumPy "
              f"{known['numpy']} on OpenBLAS, matplotlib {known['matplotlib']}, pyqtgraph {known['pyqtgraph']}."]
    return "\n".join(lines)


def main():
    benchmark, peers = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:3])
    text = README.read_text()
    begin, end = "<!-- measured -->\n", "\n<!-- /measured -->"
    new = re.sub(re.escape(begin) + ".*?" + re.escape(end), lambda _: begin + table(benchmark, peers) + end, text, flags=re.S)
    README.write_text(new)


if __name__ == "__main__":
    main()
