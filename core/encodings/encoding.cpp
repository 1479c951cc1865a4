#include "core/encodings/encoding.h"

#include <algorithm>
#include <array>

#include "core/encodings/encoding_list.h"

namespace phaseladder {

std::span<const Encoding> encodings() {
    static const std::array<Encoding, 3> list{noEncoding(), sinusoidalEncoding(), ropeEncoding()};
    return list;
}

const Encoding* findEncoding(std::string_view id) {
    const auto found = std::ranges::find(encodings(), id, &Encoding::id);
    return found == encodings().end() ? nullptr : &*found;
}

}  // namespace phaseladder
