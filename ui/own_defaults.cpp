#include "ui/own_defaults.h"

#include <algorithm>

namespace phaseladder::ui {

void OwnDefaults::set(const QString& id, const ParameterValue& value, const Preset& current) {
    drop(id);
    m_entries.push_back({id, value, current});
}

void OwnDefaults::drop(const QString& id) {
    std::erase_if(m_entries, [&id](const Entry& entry) { return entry.id == id; });
}

const ParameterValue* OwnDefaults::find(const QString& id) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&id](const Entry& entry) { return entry.id == id; });
    return found == m_entries.end() ? nullptr : &found->value;
}

OwnDefaults::Values OwnDefaults::values() const {
    Values values;
    for (const Entry& entry : m_entries) {
        values.emplace_back(entry.id, entry.value);
    }
    return values;
}

Scene OwnDefaults::over(const Preset& preset, bool isStartUp) const {
    Scene together = *preset;  // two defaults may only fit together
    Scene oneByOne = *preset;
    for (const Entry& entry : m_entries) {
        const Parameter* row = findParameter(entry.id.toStdString());
        const bool holds = isStartUp || entry.setIn == preset;
        if (row == nullptr || !holds || !checkParameter(*row, entry.value)) {
            continue;
        }
        row->set(together, entry.value);
        Scene next = oneByOne;
        row->set(next, entry.value);
        if (validate(next)) {
            oneByOne = std::move(next);
        }
    }
    return validate(together) ? together : oneByOne;
}

}  // namespace phaseladder::ui
