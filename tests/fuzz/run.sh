#!/usr/bin/env bash
# Builds the fuzzers with clang and lets each look for inputs that crash a reader, leak, overflow, or get an answer that is
# no sentence. Fails on the first finding, which lies in build/fuzz/findings: copy it to tests/fuzz/corpus/KIND/finding-NAME,
# where corpus_test meets it ever after, and give it a unit test.
#   tests/fuzz/run.sh [SECONDS]      for each fuzzer; default 60
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${1:-60}
build=$root/build/fuzz
fuzzers=(npy safetensors config helper_stream client_stream scene)

cmake -S "$root" --preset fuzz >/dev/null
cmake --build "$build" --parallel "$(nproc)" --target "${fuzzers[@]/%/_fuzzer}"
mkdir -p "$build/findings"
for name in "${fuzzers[@]}"; do
    mkdir -p "$build/grown/$name"
    words=$root/tests/fuzz/$name.dict
    options=(-max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=1024 -print_final_stats=1
        -artifact_prefix="$build/findings/$name-")
    [ ! -f "$words" ] || options+=(-dict="$words")
    echo "== $name, $seconds s"
    log=$build/$name.log
    "$build/bin/${name}_fuzzer" "${options[@]}" "$build/grown/$name" "$root/tests/fuzz/corpus/$name" \
        "$root/tests/golden/tables" >"$log" 2>&1 ||
        { tail -n 60 "$log"; echo "The $name fuzzer found something: see $build/findings and $log" >&2; exit 1; }
    grep -E "stat::number_of_executed_units|stat::average_exec_per_sec|stat::peak_rss_mb|cov:" "$log" | tail -n 4
done
echo "No findings."
