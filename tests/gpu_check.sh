#!/usr/bin/env bash
# On a machine with an NVIDIA GPU: builds the helper program for it, compares what it computes with the reference
# (files of tests/golden/gpu), runs it under compute-sanitizer and measures rows G1 and G2 of the benchmarks. Prints
# one table. Needs nvcc, g++ and CMake, and of libraries two headers. Without a GPU it says so, builds all the same,
# and compares the emulated device.
#   tests/gpu_check.sh [HEADERS]     folder of tl/expected.hpp and xxhash.h; default: the system's
# Exit: 0, or 1 where something is wrong. A bar that is missed is shown, and no failure.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/gpu_check
cases=$root/tests/golden/gpu
check=$build/bin/gpu_check
helper=$build/bin/phaseladder-gpu
headers=${1:+$(cd "$1" && pwd)} || exit 1

capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d '.')
[[ $capability =~ ^[0-9]+$ ]] || capability=90  # without a GPU: to see that it compiles
mkdir -p "$build"
if ! { cmake -S "$root/tests/gpu/standalone" -B "$build" -DCMAKE_BUILD_TYPE=Release -DPHASELADDER_CUDA=ON \
        -DCMAKE_CUDA_ARCHITECTURES="$capability" -DGPU_CHECK_HEADERS="$headers" &&
    cmake --build "$build" --parallel "$(nproc)"; } >"$build/build.txt" 2>&1; then
    tail -30 "$build/build.txt"
    echo "The build failed; $build/build.txt has all of it."
    exit 1
fi

rows=$build/rows.txt
: >"$rows"
show() { tee -a "$rows"; }
row() { printf '| %s | %s | %s | %s | %s |\n' "$@" | show; }
checked() {  # checked ARGUMENT...: rows of gpu_check
    timeout 240 "$check" "$@" | show
    local code=${PIPESTATUS[0]}
    [ "$code" -le 1 ] || row "gpu_check $1" 0 "ended with $code" "" WRONG
}

device=$("$check" --device -- "$helper")
found=$?
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
echo "GPU check of $(date -u '+%Y-%m-%d %H:%M UTC'), commit $(git -C "$root" describe --always --dirty 2>/dev/null || echo unknown)"
echo "GPU: $device$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | sed '1!d; s/^/; driver /')"
echo "built for capability $capability by nvcc $("$nvcc" --version | sed -n 's/.*, V//p') in $SECONDS s"
echo
echo "| what | cases | result | bar | verdict |"
echo "| --- | --- | --- | --- | --- |"

sanitizer=$(command -v compute-sanitizer || echo "$(dirname "$nvcc")/compute-sanitizer")
sanitize() {  # sanitize TOOL [OPTION]...: of the files that meet every kernel
    local tool=$1 answers=$build/$1.txt log=$build/$1.log summary code
    if [ ! -x "$sanitizer" ]; then
        row "$tool" 0 "no compute-sanitizer found" "" skipped
        return
    fi
    rm -f "$log".*
    timeout 90 "$check" --cases "$cases" --only longer_texts --only orders --only tensor -- \
        "$sanitizer" --tool "$@" --log-file "$log.%p" "$helper" --deadline 600 >"$answers"
    code=$?
    summary=$(sed -n 's/.*SUMMARY: //p' "$log".* 2>/dev/null | sort -u | paste -sd ';')
    if [ -z "$summary" ] || [ "$code" = 124 ]; then
        row "$tool" 0 "did not run to its end: $(cat "$log".* 2>/dev/null | tail -1)" "" skipped
    elif [ "$code" = 0 ] && [[ ! $summary =~ (^|\;)[1-9] ]]; then
        row "$tool" 3 "$summary" "0 errors" ok
    else
        row "$tool" 3 "$summary; $(grep -c WRONG "$answers") wrong answers; see $log.*" "0 errors" WRONG
    fi
}

if [ "$found" = 0 ]; then
    checked --cases "$cases" -- "$helper"
    sanitize memcheck --report-api-errors no
    sanitize racecheck
    sanitize synccheck
    checked --speed 4096,8192,16384,32768,65536,131072 -- "$helper"
else
    checked --cases "$cases" -- "$helper" --emulate
    for skipped in memcheck racecheck synccheck "G1: cold map" "G2: warm window and its copy to the host"; do
        row "$skipped" 0 "no GPU: ${device:-no answer}" "" skipped
    done
fi

count() { grep -c "| $1 |\$" "$rows"; }
echo
echo "$(count ok) ok, $(count WRONG) wrong, $(count MISSED) slower than their bar, $(count skipped) skipped; $SECONDS s in all"
[ "$(count WRONG)" = 0 ]
