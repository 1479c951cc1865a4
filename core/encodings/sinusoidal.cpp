#include "core/encodings/sinusoidal.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "core/encodings/absolute.h"
#include "core/encodings/encoding_list.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

constexpr long double base = 10000.0L;

Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
    return absolutePlan(scene, sinusoidalRows(scene.sinusoidal, scene.headDim, 0, tokens));
}

std::string numbers(const Scene& scene) {
    const Ladder ladder = sinusoidalLadder(scene.sinusoidal.spacing, scene.headDim);
    return fmt::format("d = {}: {} pairs, wavelengths {} .. {} tokens; {}", scene.headDim,
                       ladder.inverseFrequency.size(),
                       formatForPeople(wavelengthTokens(ladder.inverseFrequency.front()), 4),
                       formatForPeople(wavelengthTokens(ladder.inverseFrequency.back()), 6), joinText(scene));
}

}  // namespace

Ladder sinusoidalLadder(SinusoidalSpacing spacing, int width) {
    const bool paper = spacing == SinusoidalSpacing::paper;
    const int pairs = paper ? (width + 1) / 2 : width / 2;
    Ladder ladder;
    for (int pair = 0; pair < pairs; ++pair) {
        const long double exponent = paper ? 2.0L * pair / width : 1.0L * pair / std::max(pairs - 1, 1);
        ladder.inverseFrequency.push_back(std::pow(base, -exponent));
    }
    return ladder;
}

std::vector<double> sinusoidalRows(const SinusoidalSettings& settings, int width, std::int64_t first,
                                   std::int64_t count) {
    assert(width >= 1 && first >= 0 && count >= 0);
    const std::vector<std::uint64_t> turns = phaseTurns(sinusoidalLadder(settings.spacing, width));
    const std::size_t columns = static_cast<std::size_t>(width);
    const std::size_t sines = turns.size();
    const std::size_t cosines = std::min(sines, columns - sines);  // one less for an odd width of the paper's
    std::vector<double> rows(static_cast<std::size_t>(count) * columns, 0.0);
    for (std::int64_t index = 0; index < count; ++index) {
        double* row = rows.data() + static_cast<std::size_t>(index) * columns;
        for (std::size_t pair = 0; pair < sines; ++pair) {
            const CosSin value = cosSin(phaseOf(turns[pair], static_cast<std::uint64_t>(first + index)));
            const bool halves = settings.layout == SinusoidalLayout::halves;
            row[halves ? pair : 2 * pair] = value.sine;
            if (pair < cosines) {
                row[halves ? sines + pair : 2 * pair + 1] = value.cosine;
            }
        }
    }
    return rows;
}

Encoding sinusoidalEncoding() {
    return {
        .id = "sinusoidal",
        .label = "Sinusoidal (absolute)",
        .help =
            "Adds sines and cosines of the position to the token vectors. Position mixes with content, "
            "and the "
            "logits depend on where a pair of tokens stands, not only on its distance.",
        .formula = "PE(p,2k) = sin(p 10000^(-2k/d)),  PE(p,2k+1) = cos(same)",
        .limits =
            "Rows repeat and grow alike: far positions look similar, and the same pattern must be learned at "
            "each place.",
        .source = "Vaswani et al. 2017, Attention Is All You Need, section 3.5",
        .numbers = numbers,
        .plan = plan,
        .ladders = [](const Scene& scene) -> Result<SceneLadders> {
            return unscaledLadders(sinusoidalLadder(scene.sinusoidal.spacing, scene.headDim));
        }};
}

}  // namespace phaseladder
