#!/usr/bin/env bash
# Installs what is missing with the system's packages, builds the program and starts it.
# Arguments go to the program: app/run.sh figure ladder --model llama-3.1-8b -o ladder.pdf
# Without a display and without arguments it draws the start-up figures to files and says where.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/app/install_packages.sh"
install_packages build

program=$root/build/release/bin/phaseladder
{
    cmake -S "$root" --preset release
    cmake --build "$root/build/release" --parallel "$(nproc)" --target phaseladder
} >&2

if [ $# -gt 0 ] || [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ]; then
    exec "$program" "$@"
fi
folder=$root/build/start-up-figures
mkdir -p "$folder"
for figure in ladder attention phases ramp; do
    "$program" figure "$figure" --width 5.5in -o "$folder/$figure.png"
done
echo "No display was found, so the start-up figures were drawn to files in $folder:"
ls "$folder"
