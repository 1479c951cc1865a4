#!/usr/bin/env python3
"""A line to a helper as bad as a far host's: slow_line.py [--delay SECONDS] [--drop BYTES] COMMAND...

Hands standard input and output on, each piece later by the delay, and drops the line after so many bytes
from the helper: like `ssh host phaseladder-gpu`."""
import os
import subprocess
import sys
import threading
import time


def hand_on(source, target, delay, drop, when_dropped):
    passed = 0
    while piece := os.read(source, 1 << 16):
        time.sleep(delay)
        if drop is not None and passed + len(piece) > drop:
            piece = piece[:drop - passed]
        try:
            while piece:
                written = os.write(target, piece)
                piece = piece[written:]
                passed += written
        except BrokenPipeError:
            break
        if drop is not None and passed >= drop:
            when_dropped()
    os.close(target)


def main():
    words = sys.argv[1:]
    delay, drop = 0.0, None
    while words and words[0] in ("--delay", "--drop"):
        if words[0] == "--delay":
            delay = float(words[1])
        else:
            drop = int(words[1])
        words = words[2:]
    helper = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    there = threading.Thread(target=hand_on, daemon=True,
                             args=(0, helper.stdin.fileno(), delay, None, None))
    there.start()

    def end():
        print("slow_line: connection closed by the far host", file=sys.stderr, flush=True)
        helper.kill()
        os._exit(255)

    hand_on(helper.stdout.fileno(), 1, delay, drop, end)
    os._exit(helper.wait())


main()
