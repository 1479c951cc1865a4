# Sourced by app/run.sh and tests/run.sh: install_packages build | test

build_packages="g++ cmake ninja-build pkg-config libeigen3-dev nlohmann-json3-dev libexpected-dev libfmt-dev libxxhash-dev
    qt6-base-dev qt6-charts-dev qt6-svg-dev libqt6opengl6-dev libgl-dev libopengl-dev libegl-dev libvulkan-dev
    libxkbcommon-dev libqt6svg6 qt6-qpa-plugins fontconfig"
test_packages="clang-format xvfb xauth xdotool imagemagick poppler-utils librsvg2-bin fonts-dejavu-core python3"

# Installs the packages that are missing with apt; on a system without apt it names them and stops.
install_packages() {
    local wanted=$build_packages missing="" package
    [ "$1" = build ] || wanted="$build_packages $test_packages"
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        command -v cmake >/dev/null && [ -n "${PHASELADDER_PACKAGES_PRESENT:-}" ] && return 0
        echo "This script installs packages with apt only. Install what matches these Debian packages:" >&2
        echo $wanted >&2
        echo "then run it again with PHASELADDER_PACKAGES_PRESENT=1." >&2
        exit 1
    fi
    for package in $wanted; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "install ok installed" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    local become=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || { echo "These packages are missing, and neither root nor sudo is at hand:$missing" >&2; exit 1; }
        become=sudo
    fi
    echo "Installing:$missing" >&2
    $become apt-get update -qq >&2
    $become env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
}
