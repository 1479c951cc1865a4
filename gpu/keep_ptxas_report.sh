#!/usr/bin/env bash
# Launches the CUDA compiler, and keeps what ptxas says of every kernel in a file; all else is shown.
#   gpu/keep_ptxas_report.sh REPORT COMPILER ARGUMENT...
report=$1
shift
"$@" 2>"$report"
code=$?
grep -vE '^ptxas info |^ +[0-9]+ bytes stack frame' "$report" >&2
[ "$code" = 0 ] || rm -f "$report"
exit "$code"
