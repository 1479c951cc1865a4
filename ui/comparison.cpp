#include "ui/comparison.h"

namespace phaseladder::ui {

void Comparison::pin(const Scene& scene) {
    m_pinned = std::make_shared<const Scene>(scene);
    m_mode = CompareMode::live;
    Q_EMIT changed();
}

void Comparison::unpin() {
    if (m_pinned != nullptr) {
        m_pinned.reset();
        m_mode = CompareMode::live;
        Q_EMIT changed();
    }
}

void Comparison::show(CompareMode mode) {
    if (m_pinned != nullptr && mode != m_mode) {
        m_mode = mode;
        Q_EMIT changed();
    }
}

void Comparison::showNext() {
    switch (m_mode) {
        case CompareMode::pinned:
            show(CompareMode::live);
            break;
        case CompareMode::live:
            show(CompareMode::difference);
            break;
        case CompareMode::difference:
            show(CompareMode::pinned);
            break;
    }
}

}  // namespace phaseladder::ui
