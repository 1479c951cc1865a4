#!/usr/bin/env bash
# Remakes resources/readme/window.png: a screenshot of the real window with the scene of the README.
#   tests/make_readme_picture.sh [PROGRAM] [OUT] [SCREEN] [light|dark]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=${1:-$root/build/release/bin/phaseladder}
out=${2:-$root/resources/readme/window.png}
screen=${3:-1440x900}
theme=${4:-light}
settings=$(mktemp -d)
trap 'rm -rf "$settings"' EXIT
mkdir -p "$settings/Phaseladder/Phaseladder" "$(dirname "$out")"
printf '[phaseladder]\nversion=1\n[window]\ntheme=%s\n' "$theme" > "$settings/Phaseladder/Phaseladder/phaseladder.ini"

XDG_CONFIG_HOME=$settings xvfb-run -a -s "-screen 0 ${screen}x24" bash -c '
    "$1" "$2" & window=$!
    sleep 3
    import -window root "$3"
    kill "$window"; wait "$window" || true
' bash "$program" "$root/resources/scenes/llama-3.1-8b-yarn.pldr" "$out"
