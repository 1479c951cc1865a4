#!/usr/bin/env bash
# Installs what is missing with the system's packages, builds everything and runs all tests.
#   tests/run.sh [dev|asan|tsan]     the preset; default dev
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=${1:-dev}
. "$root/app/install_packages.sh"
install_packages test

cmake -S "$root" --preset "$preset"
cmake --build "$root/build/$preset" --parallel "$(nproc)"
cd "$root"
exec ctest --preset "$preset"
