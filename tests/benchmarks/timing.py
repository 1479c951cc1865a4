"""Turns of two programs, ABAB, and what comes out of them."""
import math
import time

# Threads that wait for more work keep a core busy for a while (OpenBLAS 2^26 cycles, OpenMP some milliseconds): the next
# turn begins when they sleep. After the pause each side runs once untimed, since caches and clocks are cold then.
PAUSE_SECONDS = 0.15
UNTIMED = 1000


def milliseconds(work):
    begin = time.perf_counter()
    work()
    return (time.perf_counter() - begin) * 1e3


def quantile(times, share):
    return sorted(times)[math.ceil(share * len(times)) - 1]


def summary(times):
    return {"median_ms": quantile(times, 0.5), "p95_ms": quantile(times, 0.95), "repeats": len(times)}


def take_turns(peer, ours, repeats=11, warm_up=3):
    """Times peer() by the clock; ours() answers with its own time. Each is told which repeat it is, so that nothing that is
    kept of one serves the next. Items above 1 s are warmed up once and repeated 3 times, above 10 s run once."""
    first = milliseconds(lambda: peer(0))
    ours(0)
    if first > 1e4:
        return summary([first]), summary([ours(1)["ms"]])
    if first > 1e3:
        warm_up, repeats = 1, 3
    for repeat in range(1, warm_up):
        peer(repeat)
        ours(repeat)
    peer_times, our_times = [], []
    for repeat in range(warm_up, warm_up + repeats):
        time.sleep(PAUSE_SECONDS)
        peer(UNTIMED + repeat)
        peer_times.append(milliseconds(lambda: peer(repeat)))
        time.sleep(PAUSE_SECONDS)
        ours(UNTIMED + repeat)
        our_times.append(ours(repeat)["ms"])
    return summary(peer_times), summary(our_times)


def row(row_id, size, peer_name, peer, ours, difference=None, **facts):
    """One row; where outputs were compared, they agree to `difference`."""
    result = {"id": row_id, "size": size, "peer": peer_name, "peer_result": peer, "our_result": ours}
    if peer and ours:
        result["ratio"] = peer["median_ms"] / ours["median_ms"]
    if difference is not None:
        result["largest_difference"] = float(difference)
    result.update(facts)
    return result


def agree(row_id, ours, peer, tolerance=1e-5):
    """The largest difference of two outputs; no time counts where it is above the tolerance."""
    difference = float(abs(ours - peer).max()) if ours.shape == peer.shape else math.inf
    if not difference <= tolerance:
        raise SystemExit(f"{row_id}: the outputs differ by {difference:.3g} (at most {tolerance:g}): no times.")
    return difference
