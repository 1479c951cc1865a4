"""Our side: a child process that does one item of work at a time (`phaseladder benchmark --serve`, app/benchmark/serve.h)."""
import json
import os
import subprocess


class Ours:
    def __init__(self, program):
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen")
        self._child = subprocess.Popen([program, "benchmark", "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       text=True, env=environment)

    def ask(self, *words):
        """The answer to one line of work; its "ms" is the time of the work alone."""
        self._child.stdin.write(" ".join(str(word) for word in words) + "\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise SystemExit(f"phaseladder ended while it worked on: {' '.join(map(str, words))}")
        answer = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"phaseladder refuses {words[0]}: {answer['error']}")
        return answer

    def close(self):
        self._child.stdin.close()
        self._child.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
