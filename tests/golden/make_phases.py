"""Phases and wavelengths in 60-digit arithmetic from the formulas alone: writes phases.json. Needs mpmath.

Each row: a scene in words, and for some pairs the phase (radians, 0 to 2 pi) at each position.
"""
import json
import pathlib

from mpmath import ceil, floor, log, mp, mpf, pi

mp.dps = 60
POSITIONS = sorted({0, 1, 131071, 1_000_000, 2**31 - 1}
                   | {2**k + sign for k in range(1, 31) for sign in (-1, 1)})


def plain(r, b):
    return [mpf(b) ** (-mpf(2 * k) / r) for k in range(r // 2)]


def linear(r, b, s):
    return [w / s for w in plain(r, b)]


def ntk(r, b, s):
    return plain(r, b * mpf(s) ** (mpf(r) / (r - 2)))


def yarn(r, b, s, length, fast, slow, truncate):
    low, high = (r * log(length / (2 * pi * beta)) / (2 * log(b)) for beta in (fast, slow))
    if truncate:
        low, high = floor(low), ceil(high)
    low, high = max(low, 0), min(high, r - 1)
    result = []
    for k, w in enumerate(plain(r, b)):
        ramp = min(max((k - low) / (high - low), 0), 1)
        result.append(ramp * w / s + (1 - ramp) * w)
    return result


def llama3(r, b, s, length, lo, hi):
    result = []
    for w in plain(r, b):
        t = min(max((length * w / (2 * pi) - lo) / (hi - lo), 0), 1)
        result.append((1 - t) * w / s + t * w)
    return result


ROWS = {
    "plain_d128_b10000": (plain(128, 10000), [0, 1, 2, 7, 20, 32, 47, 63]),
    "plain_d96_b500000": (plain(96, 500000), [0, 1, 5, 17, 33, 47]),
    "linear_d128_b10000_s3": (linear(128, 10000, 3), [0, 1, 13, 40, 63]),
    "ntk_d128_b10000_s4": (ntk(128, 10000, 4), [0, 1, 13, 40, 63]),
    "yarn_d64_b150000_s32_L4096_untruncated": (yarn(64, 150000, 32, 4096, 32, 1, False), [0, 1, 9, 12, 17, 31]),
    "yarn_d128_b10000_s16_L4096": (yarn(128, 10000, 16, 4096, 32, 1, True), [1, 21, 30, 38, 45, 63]),
    "llama3_d128_b500000_s8_L8192": (llama3(128, 500000, 8, 8192, 1, 4), [1, 28, 29, 31, 34, 63]),
}

phases = {
    name: {str(k): [float(w[k] * p - floor(w[k] * p / (2 * pi)) * 2 * pi) for p in POSITIONS] for k in pairs}
    for name, (w, pairs) in ROWS.items()
}
path = pathlib.Path(__file__).with_name("phases.json")
with path.open("w", encoding="utf-8") as out:
    out.write('{"positions": ' + json.dumps(POSITIONS))
    for name, pairs in phases.items():
        out.write(f',\n "{name}": {{\n  ')
        out.write(",\n  ".join(f'"{k}": {json.dumps(values)}' for k, values in pairs.items()))
        out.write("}")
    out.write("\n}\n")
