#!/usr/bin/env python3
"""Whether every kernel keeps to its budget, by what ptxas said when it was compiled:
kernel_budgets.py REPORT BUDGETS [ARCHITECTURE...]

ARCHITECTURE as CMake names it: 75, 80-real, 120-virtual. Prints a table, then what is wrong."""
import re
import sys

MOST_SHARED = 48 * 1024
ENTRY = re.compile(r"ptxas info +: Compiling entry function '(?P<symbol>\w+)' for 'sm_(?P<architecture>\w+)'\n"
                   r"ptxas info +: Function properties for (?P=symbol)\n"
                   r" +(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, "
                   r"(?P<loads>\d+) bytes spill loads\n"
                   r"ptxas info +: Used (?P<registers>\d+) registers(?P<rest>.*)\n")


def kernel_name(symbol):
    """The last of the names that a symbol is made of: _ZN1a2bcEv is a::bc."""
    name, rest = symbol, symbol.removeprefix("_ZN").removeprefix("_Z")
    while found := re.match(r"\d+", rest):
        begin, length = found.end(), int(found[0])
        name, rest = rest[begin:begin + length], rest[begin + length:]
    return name


def read_report(text):
    """(kernel, architecture) -> [registers, shared, spilled, stack]; the most of each, where a kernel has variants."""
    found = {}
    for entry in ENTRY.finditer(text):
        shared = re.search(r"(\d+) bytes smem", entry["rest"])
        numbers = [int(entry["registers"]), int(shared[1]) if shared else 0,
                   int(entry["stores"]) + int(entry["loads"]), int(entry["stack"])]
        key = kernel_name(entry["symbol"]), entry["architecture"]
        found[key] = [max(pair) for pair in zip(numbers, found.get(key, numbers))]
    return found


def read_budgets(path):
    """The architectures, and kernel -> (registers, shared)."""
    architectures, budgets = [], {}
    for line in open(path, encoding="utf-8"):
        words = line.partition("#")[0].split()
        if words[:1] == ["architectures"]:
            architectures = words[1:]
        elif words:
            budgets[words[0]] = int(words[1]), int(words[2])
    return architectures, budgets


def problems_of(found, known, budgets, built):
    """What is wrong, a sentence each."""
    architectures = sorted({architecture for _, architecture in found} | set(built))
    yield from (f"architecture {a} is not in the budgets" for a in architectures if a not in known)
    kernels = sorted({kernel for kernel, _ in found} | set(budgets))
    yield from (f"{kernel} has no budget" for kernel in kernels if kernel not in budgets)
    for kernel in kernels:
        for architecture in architectures:
            place = f"{kernel} on {architecture}"
            if (kernel, architecture) not in found:
                yield f"{place}: ptxas reported nothing"
                continue
            registers, shared, spilled, _ = found[kernel, architecture]
            most_registers, most_shared = budgets.get(kernel, (255, MOST_SHARED))
            if spilled > 0:
                yield f"{place}: {spilled} bytes of registers are spilled"
            if registers > most_registers:
                yield f"{place}: {registers} registers, {most_registers} allowed"
            if shared > min(most_shared, MOST_SHARED):
                yield f"{place}: {shared} bytes of shared memory, {min(most_shared, MOST_SHARED)} allowed"


def print_table(found, budgets):
    architectures = sorted({architecture for _, architecture in found}, key=lambda name: (len(name), name))
    print(f"{'registers':18}" + "".join(f"{a:>6}" for a in architectures) +
          "  budget | shared  budget | spilled  stack")
    for kernel in dict.fromkeys([*budgets, *(kernel for kernel, _ in found)]):
        here = [found.get((kernel, a)) for a in architectures]
        most = [max(column) for column in zip(*filter(None, here))] or ["-"] * 4
        registers, shared = budgets.get(kernel, ("none", "none"))
        print(f"{kernel:18}" + "".join(f"{numbers[0] if numbers else '-':>6}" for numbers in here) +
              f"{registers:>8} |{most[1]:>7}{shared:>8} |{most[2]:>8}{most[3]:>7}")


def main():
    report, budgets_path, *wanted = sys.argv[1:]
    try:
        text = open(report, encoding="utf-8").read()
    except FileNotFoundError:
        sys.exit(f"{report} is not there: gpu/helper/cuda_device.cu has to be compiled again")
    found = read_report(text)
    known, budgets = read_budgets(budgets_path)
    built = [name.removesuffix("-real") for name in wanted if name[0].isdigit() and not name.endswith("-virtual")]
    print_table(found, budgets)
    problems = list(problems_of(found, known, budgets, built))
    if len(found) == 0 or text.count("Compiling entry function") != len(ENTRY.findall(text)):
        problems.append(f"{report} is not as ptxas of CUDA 13 writes it")
    print("\n".join(problems) or "every kernel keeps to its budget")
    sys.exit(1 if problems else 0)


main()
