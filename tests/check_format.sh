#!/usr/bin/env bash
# Every source file is formatted as .clang-format says.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
find app core gpu ui tests -name '*.cpp' -o -name '*.h' | xargs clang-format --dry-run --Werror
