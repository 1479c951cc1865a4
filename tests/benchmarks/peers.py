#!/usr/bin/env python3
"""The same work by this program and by what people use now: NumPy, matplotlib and pyqtgraph.

    tests/benchmarks/peers.py [--program build/release/bin/phaseladder] [--json FILE] [--only B3,B4] [--quick]

Both sides read the same seeded .npy files, take turns (ABAB, 3 to warm up, at least 11 repeats; items above 1 s 3 repeats,
above 10 s one) and have two threads each. Outputs are compared before any time counts (at most 1e-5 apart). ratio = median of
the peer / our median, in one run. Ours is `phaseladder benchmark --serve`; its items are in app/benchmark/serve.h.
Needs Debian's python3-numpy, python3-matplotlib, libopenblas0-pthread and, for two rows, python3-pyqtgraph.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

THREADS = "2"
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = THREADS
os.environ["QT_QPA_PLATFORM"] = "offscreen"
sys.dont_write_bytecode = True

try:
    import matplotlib
    import numpy as np
except ImportError as missing:
    sys.exit(f"{missing}; install python3-numpy and python3-matplotlib and start this with /usr/bin/python3.")

import map_rows  # noqa: E402
import other_rows  # noqa: E402
import tick_row  # noqa: E402
from ours import Ours  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def blas_library():
    """The file of the BLAS that NumPy has loaded. The reference BLAS is 3 to 4 times slower than what people have: refused."""
    np.ones((64, 64), np.float32) @ np.ones((64, 64), np.float32)
    files = {line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if "/" in line}
    good = sorted(file for file in files if "openblas" in file or "mkl" in file)
    if not good:
        found = sorted(file for file in files if "blas" in file)
        sys.exit(f"NumPy runs on {found or 'an unknown BLAS'}; install libopenblas0-pthread, or the comparison flatters us.")
    return os.path.realpath(good[0])


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def versions(program):
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    result = {"processor": processor(), "cores": os.cpu_count(), "threads": int(THREADS), "python": platform.python_version(),
              "numpy": np.__version__, "matplotlib": matplotlib.__version__, "blas": blas_library(),
              "phaseladder": subprocess.check_output([program, "--version"], text=True).splitlines()[0], "commit": commit}
    for name in ("pyqtgraph", "torch"):
        try:
            result[name] = __import__(name).__version__
        except ImportError:
            result[name] = "not installed"
    return result


def fresh_memory(program, folder, tokens):
    """Peak memory of our process after one map, in 10^6 bytes; Qt and the widget that it is drawn in included."""
    with Ours(program) as child:
        child.ask("data", *map_rows.normal_data(folder, tokens))
        child.ask("map", 10000, map_rows.PIXELS)
        return child.ask("memory")["peak_megabytes"]


def peer_memory(folder, tokens):
    return float(subprocess.check_output([sys.executable, __file__, "--memory-of", str(tokens), "--folder", folder]))


def all_rows(program, folder, wanted, quick):
    """Yields the rows one after the other."""
    with Ours(program) as ours:
        if wanted("B1"):
            yield from other_rows.phase_rows(ours, folder)
        if wanted("B2"):
            yield from tick_row.tick_rows(ours, folder)
        for row_id, tokens in (("B3", 1024), ("B4", 4096), ("B5", 16384)):
            if wanted(row_id) and not (quick and tokens > 4096):
                yield map_rows.map_row(f"{row_id}_map_{tokens}", tokens, ours, folder,
                                       lambda count: peer_memory(folder, count),
                                       lambda count: fresh_memory(program, folder, count))
        if (wanted("B6") or wanted("B7")) and not quick:
            yield from map_rows.long_rows(ours, folder)
            yield from other_rows.window_row(ours)
        if wanted("B8"):
            yield from other_rows.paint_rows(ours, folder)
        if wanted("B9"):
            yield from other_rows.order_rows(ours, folder, (8,) if quick else (8, 9, 10))
        if wanted("B10") and not quick:
            yield map_rows.hot_cells_row(ours, folder)
    if wanted("B12"):
        yield other_rows.start_row(program, os.environ)


def line_of(row):
    def times(result):
        return f"{result['median_ms']:10.2f} {result['p95_ms']:10.2f}" if result else f"{'-':>10} {'-':>10}"
    ratio = f"{row['ratio']:7.1f}x" if "ratio" in row else f"{'-':>8}"
    known = ("id", "size", "peer", "peer_result", "our_result", "ratio")
    facts = "".join(f"; {name} {value:.3g}" for name, value in row.items() if name not in known)
    return f"{row['id']:<26}{times(row['peer_result'])} {times(row['our_result'])} {ratio}  {row['peer']}; {row['size']}{facts}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "bin" / "phaseladder"))
    parser.add_argument("--json", metavar="FILE", help="write the rows to a file as JSON")
    parser.add_argument("--only", default="", metavar="IDS", help="rows, as B3,B4; default all")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    parser.add_argument("--memory-of", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory_of:
        print(map_rows.peer_memory_of(arguments.memory_of, arguments.folder))
        return
    if not os.access(arguments.program, os.X_OK):
        sys.exit(f"No program at {arguments.program}; build it with app/run.sh --version.")
    ids = set(filter(None, arguments.only.split(",")))
    known = versions(arguments.program)
    print("\n".join(f"{name}: {value}" for name, value in known.items()))
    print(f"\n{'row':<26}{'peer ms':>10} {'p95':>10} {'our ms':>10} {'p95':>10} {'ratio':>8}")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row in all_rows(arguments.program, folder, lambda row_id: not ids or row_id in ids, arguments.quick):
            rows.append(row)
            print(line_of(row), flush=True)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps({"machine": known, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
