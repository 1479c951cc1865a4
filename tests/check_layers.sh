#!/usr/bin/env bash
# The layers of the program: app -> ui -> core <- gpu. Fails when an include crosses them or the top level grows.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.."
failures=0

forbid() {  # forbid WHAT PATTERN FOLDER...
    local what=$1 pattern=$2 found
    shift 2
    found=$(grep -rnE --include='*.h' --include='*.cpp' --include='*.cu' --include='*.cuh' "$pattern" "$@")
    [ -z "$found" ] && return
    echo "$what:"
    echo "$found"
    failures=$((failures + 1))
}

forbid "core includes Qt, CUDA or an upper layer" '#include [<"](Q[A-Z]|cuda|ui/|app/|gpu/)' core
forbid "core prints or exits" '\b(std::cout|std::cerr|printf|fmt::print|std::exit|abort\(\))' core
forbid "gpu includes Qt beyond QProcess, or an upper layer" '#include [<"](QtWidgets|QWidget|QApplication|QPainter|ui/|app/)' gpu
forbid "ui includes CUDA, gpu or app" '#include [<"](cuda|gpu/|app/)' ui
forbid "app includes CUDA" '#include [<"]cuda' app
forbid "a using-directive" '^\s*using namespace' core gpu ui app tests
forbid "a random distribution of the standard library" 'std::[a-z_]*_distribution' core gpu ui app
forbid "a note left behind" 'TODO|FIXME|XXX' core gpu ui app

extra=$(ls | grep -vxE 'app|core|gpu|ui|resources|tests|build|CMakeLists.txt|CMakePresets.json|README.md|LICENSE|CONTRIBUTING.md')
if [ -n "$extra" ]; then
    echo "The top level holds what the layout does not name: $extra"
    failures=$((failures + 1))
fi
long=$(find core gpu ui app -name '*.cpp' -o -name '*.h' | xargs wc -l | awk '$2 != "total" && $1 > 500 {print $2 " has " $1 " lines"}')
if [ -n "$long" ]; then
    echo "Files above 500 lines: $long"
    failures=$((failures + 1))
fi
exit "$failures"
