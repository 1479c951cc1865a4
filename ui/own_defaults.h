#pragma once

#include <QString>

#include <memory>
#include <utility>
#include <vector>

#include "core/parameter.h"
#include "core/scene.h"

namespace phaseladder::ui {

/// Values of the person's own that take the place of the table's defaults.
///
/// They stand for the start-up scene: the program starts with them and reset goes back to them. A model or a
/// file that is opened brings its own values, which are not overruled; a default that is set while it is open
/// holds for it from then on, because that is what "set as default" was asked to do.
class OwnDefaults {
public:
    using Preset = std::shared_ptr<const Scene>;
    using Values = std::vector<std::pair<QString, ParameterValue>>;

    /// Sets a value for `id`, also for the preset that is current now.
    void set(const QString& id, const ParameterValue& value, const Preset& current);
    void drop(const QString& id);
    /// Null when there is none.
    [[nodiscard]] const ParameterValue* find(const QString& id) const;
    [[nodiscard]] Values values() const;

    /// The scene that reset goes back to: the preset with the defaults that hold for it (`isStartUp`: all of
    /// them). Those that make no valid scene together with it are left out.
    [[nodiscard]] Scene over(const Preset& preset, bool isStartUp) const;

private:
    struct Entry {
        QString id;
        ParameterValue value;
        Preset setIn;  // the preset that was current then; null: read from the settings
    };

    std::vector<Entry> m_entries;
};

}  // namespace phaseladder::ui
