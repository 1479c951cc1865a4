#!/usr/bin/env bash
# The acceptance run: the real program and window under Xvfb with real mouse and keys (xdotool), and the exported files with
# independent tools. Leaves its screenshots in a folder.
#   tests/acceptance.sh [BUILD_FOLDER]      default build/dev; screenshots in BUILD_FOLDER/screenshots
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build/dev}
program=$build/bin/phaseladder
checks=$root/tests/acceptance
export PHASELADDER_SCREENSHOTS=$build/screenshots
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME=$scratch/config XDG_STATE_HOME=$scratch/state XDG_RUNTIME_DIR=$scratch PHASELADDER_REDUCED_MOTION=1
export PHASELADDER_NO_PROMPT=1 PHASELADDER_EXPORTS=$scratch PYTHONDONTWRITEBYTECODE=1
mkdir -p "$PHASELADDER_SCREENSHOTS"

fail() { echo "FAIL: $*"; exit 1; }
pass() { echo "ok: $*"; }
expect_code() {  # expect_code CODE ARGUMENTS...
    local wanted=$1 got=0
    shift
    env -u DISPLAY -u WAYLAND_DISPLAY -u QT_QPA_PLATFORM "$program" "$@" >"$scratch/out" 2>"$scratch/err" || got=$?
    [ "$got" = "$wanted" ] || fail "phaseladder $* exited with $got, not $wanted: $(cat "$scratch/err")"
}
figure() { "$program" figure "$@" || fail "figure $*"; }
# Runs a command on a screen of its own, once that answers: xvfb-run may start it a moment too early.
on_screen() {
    xvfb-run -a -s "-screen 0 1440x900x24" bash -c '
        for _ in $(seq 100); do xdotool getdisplaygeometry >/dev/null 2>&1 && break; sleep 0.1; done
        exec "$@"' bash "$@"
}

# 2: command line without a display
expect_code 0 --help;      [ -s "$scratch/out" ] && [ ! -s "$scratch/err" ] || fail "--help speaks on the wrong stream"
expect_code 0 --version;   [ -s "$scratch/out" ] || fail "--version is silent"
expect_code 2 --nonsense;  [ -s "$scratch/err" ] && [ ! -s "$scratch/out" ] || fail "--nonsense speaks on the wrong stream"
expect_code 3 "$scratch/missing.json"; [ -s "$scratch/err" ] || fail "a missing file is silent"
pass "check 2: command line without a display"

# 17: PDF for a paper
figure ladder --model llama-3.1-8b --width 5.5in --title "Ladder, θ = 500,000" -o "$scratch/ladder.pdf"
pdfinfo "$scratch/ladder.pdf" | grep -q "Page size: *396 x" || fail "the PDF is not 396 pt wide"
fonts=$(pdffonts "$scratch/ladder.pdf" | tail -n +3)
[ -n "$fonts" ] || fail "the PDF has no fonts"
echo "$fonts" | grep -q "Type 3" && fail "a Type 3 font in the PDF"
[ "$(echo "$fonts" | wc -l)" = "$(echo "$fonts" | grep -cE 'TrueType .* yes (yes|no)  ?yes ')" ] || fail "a font is not embedded as TrueType: $fonts"
[ "$(pdfimages -list "$scratch/ladder.pdf" | tail -n +3 | wc -l)" = 0 ] || fail "the ladder's PDF holds an image"
pdftotext "$scratch/ladder.pdf" - | grep -q "θ" || fail "pdftotext does not find θ"
pass "check 17: PDF"

# 19: heat map in PDF
for format in pdf svg npy; do
    figure attention --set text.length=32 --set causal=false --width 3.25in --height 3in -o "$scratch/map.$format"
done
grep -qa DCTDecode "$scratch/map.pdf" && fail "a JPEG in the PDF"
pdftoppm -r 300 -png "$scratch/map.pdf" "$PHASELADDER_SCREENSHOTS/check19"
python3 "$checks/check_map_pdf.py" "$PHASELADDER_SCREENSHOTS"/check19-1.png "$scratch/map.svg" "$scratch/map.npy" \
    "$root/resources/colormaps/viridis.txt" || fail "the heat map's pixels"
pass "check 19: heat map"

# 20: PNG
figure ladder --width 3.25in --dpi 600 --background transparent -o "$scratch/ladder.png"
[ "$(identify -format %w "$scratch/ladder.png")" = 1950 ] || fail "3.25 in at 600 dpi are not 1950 px"
[ "$(convert "$scratch/ladder.png" -format '%[fx:p{0,0}.a]' info:)" = 0 ] || fail "the corner is not transparent"
[ "$(identify -units PixelsPerInch -format '%[fx:round(resolution.x)]' "$scratch/ladder.png")" = 600 ] || fail "pHYs is not 600 dpi"
pass "check 20: PNG"

# 21: data, read by a reader of its own
figure attention --set text.length=5 -o "$scratch/a.npy"
figure attention --set text.length=5 -o "$scratch/a.csv"
python3 - "$scratch/a.npy" "$scratch/a.csv" <<'PYTHON' || fail "NPY and CSV differ"
import ast, csv, struct, sys
data = open(sys.argv[1], "rb").read()
size = struct.unpack("<H", data[8:10])[0]
header = ast.literal_eval(data[10:10 + size].decode())
assert data[:8] == b"\x93NUMPY\x01\x00" and (10 + size) % 64 == 0, "header"
assert header == {"descr": "<f8", "fortran_order": False, "shape": (5, 5)}, header
values = struct.unpack("<25d", data[10 + size:])
rows = list(csv.DictReader(open(sys.argv[2])))
assert len(rows) == 25
for row in rows:
    assert float(row["value"]) == values[5 * int(row["row"]) + int(row["column"])], row
PYTHON
pass "check 21: data"

# 1: first look at the real program
on_screen bash -euc '
    start=$(date +%s%N)
    "$1" & window=$!
    until xdotool search --onlyvisible --name Phaseladder >/dev/null 2>&1; do
        [ $(( ($(date +%s%N) - start) / 1000000 )) -lt 10000 ] || { echo "no window"; exit 1; }
    done
    echo "window after $(( ($(date +%s%N) - start) / 1000000 )) ms"
    sleep 1
    import -window root "$PHASELADDER_SCREENSHOTS/check01_first_look.png"
    xdotool mousemove 700 500 click 1 key ctrl+q
    wait "$window"
' bash "$program" || fail "check 1: the window did not start, or Ctrl+Q did not end it with 0"
pass "check 1: first look"

# 3 to 15, the files of 18, 26 and 27: the window in one process with its checks
for part in controls figures files attention; do
    on_screen "$build/bin/${part}_acceptance_test" || fail "${part}_acceptance_test"
done
pass "checks 3 to 8, 10 to 15, 26, 27"

# 18: the SVG of a zoomed view with a hostile title, drawn by two other programs
python3 "$checks/check_svg.py" "$scratch/zoomed_text.svg" "$scratch/zoomed_paths.svg" 80 55 'a<b & "c"' "$PHASELADDER_SCREENSHOTS" ||
    fail "check 18: SVG"
pass "check 18: SVG"
echo "Screenshots are in $PHASELADDER_SCREENSHOTS"
