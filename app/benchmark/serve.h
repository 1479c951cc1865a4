#pragma once

namespace phaseladder::app {

/// Does one item of work for each line of standard input and answers with one line of JSON, until the input
/// ends: how tests/benchmarks/peers.py lets this program and its peers take turns. {"ms": ...} is the time of
/// the item alone; {"error": ...} says why there is none. Files are .npy.
///
///     data QUERIES KEYS            reads them, tokens × width; answers {"tokens": n}
///     map THETA PIXELS [OUT]       exact causal map under RoPE (theta 0: no positions), pooled by the
///     largest,
///                                  nothing kept of an earlier one, and drawn; also "compute_ms", "draw_ms"
///     picture HIGH OUT             the last map as it is drawn with colours from 0 to HIGH, a PNG
///     preview THETA PIXELS ROWS    the same, made of some of its rows
///     window TOP LEFT SIDE         a 1:1 window of the last map, and drawn
///     phases THETA PAIRS POSITIONS [OUT]   the cosines and sines: OUT holds the cosines over the sines
///     draw FILE HIGH               values to colours to a widget, from 0 to HIGH
///     orders TOKENS [FOLDER]       how much all orders change the hidden states; FOLDER gets queries, keys,
///                                  values (before positions) and largest
///     tick THETA WIDTH [FOLDER]    theta's slider in the program's window, 256 tokens under RoPE, until all
///     four
///                                  panes are painted; FOLDER gets queries, keys (before positions), weights
///     memory                       {"peak_megabytes": ...}
[[nodiscard]] int serveBenchmark();

}  // namespace phaseladder::app
