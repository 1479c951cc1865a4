#pragma once

#include <QObject>

#include <memory>

#include "core/figures/figure_list.h"
#include "core/scene.h"

namespace phaseladder::ui {

/// What the window compares: a pinned scene (A) with the document's (B), and which of A, B and their
/// difference the panes show. It is no part of the scene: nothing here is undone or saved.
class Comparison : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Null while nothing is pinned.
    [[nodiscard]] const std::shared_ptr<const Scene>& pinned() const { return m_pinned; }
    [[nodiscard]] CompareMode mode() const { return m_mode; }

    /// Makes the scene A, in place of another one, and shows B.
    void pin(const Scene& scene);
    /// A is forgotten; the panes show the document's scene alone.
    void unpin();
    /// Without a pinned scene there is only B.
    void show(CompareMode mode);
    /// From A to B to Δ to A.
    void showNext();

Q_SIGNALS:
    void changed();

private:
    std::shared_ptr<const Scene> m_pinned;
    CompareMode m_mode = CompareMode::live;
};

}  // namespace phaseladder::ui
