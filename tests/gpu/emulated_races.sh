#!/usr/bin/env bash
# The barriers of the kernels are enough, and each is needed: ThreadSanitizer finds no race between the threads of the emulated
# kernels, and finds one as soon as any __syncthreads is left out. Prints a table; 77 where ThreadSanitizer cannot run.
#   tests/gpu/emulated_races.sh PROGRAM      the program is emulated_races
set -u
program=$1
kernels=$(dirname "${BASH_SOURCE[0]}")/../../gpu/kernels
export LC_ALL=C TSAN_OPTIONS=halt_on_error=1:exitcode=66
failures=0

# Where addresses are very random, ThreadSanitizer of g++ 12 may not start.
plain_addresses=(setarch -R)
"${plain_addresses[@]}" true 2>/dev/null || plain_addresses=()

run() {  # run ARGUMENTS...   sets output and code
    code=0
    output=$("${plain_addresses[@]}" "$program" "$@" 2>&1) || code=$?
    if [ "$code" != 0 ] && grep -qE 'unexpected memory mapping|memory layout is incompatible' <<<"$output"; then
        echo "SKIPPED: ThreadSanitizer cannot start with the random addresses of this machine, and setarch -R does not help"
        exit 77
    fi
}
row() { printf '%-34s %s\n' "$1" "$2"; }
wrong() {  # wrong WHAT FOUND
    row "$1" "$2, WRONG (exit code $code)"
    [ -z "$output" ] || printf '%s\n' "$output" | head -n 60
    failures=$((failures + 1))
}
expect_report() {  # expect_report WHAT ARGUMENTS...
    local what=$1
    shift
    run "$@"
    if [ "$code" = 66 ] && grep -q 'WARNING: ThreadSanitizer: data race' <<<"$output"; then
        row "$what" reported
    else
        wrong "$what" "not reported"
    fi
}

row "left out" ThreadSanitizer
barriers=$(cd "$kernels" && grep -nE '^ *__syncthreads\(\);' -- *.cuh | cut -d: -f1,2)
run --list
if [ "$code" != 0 ]; then
    wrong nothing reported
elif [ "$(sort <<<"$output")" != "$(sort <<<"$barriers")" ]; then
    wrong nothing "does not meet each of: $barriers"
else
    row nothing clean
fi
for barrier in $barriers; do
    expect_report "$barrier" --omit "$barrier"
done
expect_report "one that an exchange replaces" --exchange-only
exit "$((failures > 0))"
