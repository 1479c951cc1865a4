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

# Another helper may be built of gpu/protocol without Qt and without the core.
beyond=$(grep -rn '#include' gpu/protocol |
    grep -vE '#include (<(xxhash\.h|[a-z_]+)>|"(core/(result|index)\.h|gpu/protocol/[a-z_]+\.h)")$')
if [ -n "$beyond" ]; then
    echo "gpu/protocol includes more than the standard library, xxhash.h, core/result.h and core/index.h: $beyond"
    failures=$((failures + 1))
fi
extra=$(ls | grep -vxE 'app|core|gpu|ui|resources|tests|build|CMakeLists.txt|CMakePresets.json|README.md|LICENSE|CONTRIBUTING.md')
if [ -n "$extra" ]; then
    echo "The top level holds what the layout does not name: $extra"
    failures=$((failures + 1))
fi
# Two types of one name in one namespace: the linker keeps one of their destructors, and says nothing.
twice=$(grep -rnE --include='*.h' '^(struct|class|enum class) [A-Za-z]+( final)?( :.*)? *\{' core gpu ui app |
    sed -E 's|^(core\|ui\|app\|gpu)(/[^:]*):[0-9]+:(struct\|class\|enum class) ([A-Za-z]+).*|\1 \4|' | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "Types that two headers of a layer define: $twice"
    failures=$((failures + 1))
fi
long=$(find core gpu ui app -name '*.cpp' -o -name '*.h' | xargs wc -l | awk '$2 != "total" && $1 > 500 {print $2 " has " $1 " lines"}')
if [ -n "$long" ]; then
    echo "Files above 500 lines: $long"
    failures=$((failures + 1))
fi
exit "$failures"
