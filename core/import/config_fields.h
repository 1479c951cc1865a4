#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/import/model_config.h"
#include "core/result.h"

namespace phaseladder {

/// A value of a config file and the path of its field ("text_config.rope_theta").
template <class T>
struct ConfigField {
    T value{};
    std::string path;
};

/// The model's settings while they are read. Reading goes on after a problem, as if the field were absent;
/// only the first problem is kept, and whoever reads looks at it once, at the end.
struct ConfigDraft {
    ModelConfig config;
    std::optional<Error> problem;

    int unknownSettings = 0;

    void refuse(std::string message);

    /// Warns about a key that nobody knows, with the nearest known one. The first ten are named; the rest is
    /// only counted.
    void warnUnknown(const std::string& prefix, const std::string& name,
                     const std::vector<std::string>& known);

    /// Warns once about those that warnUnknown has not named.
    void countUnknown();

    /// Puts a value of the file into a row of the parameter table (whose limits hold) and records its source.
    void set(std::string_view parameterId, std::string_view sourceName, const ConfigField<double>& field);
    void set(std::string_view parameterId, std::string_view sourceName,
             const ConfigField<std::vector<double>>& field);
};

/// Look-up by name and kind in the objects of a config.json, in order: text_config before the file's top
/// level. Of several names the first one counts. null is an absent value, a whole number is a number;
/// anything else of another kind (a number in quotes) is a problem.
class ConfigFields {
public:
    struct Object {
        std::string prefix;  ///< "text_config.", or empty at the top level
        const nlohmann::ordered_json* json = nullptr;
    };
    using Names = std::initializer_list<std::string_view>;

    /// `draft` and the JSON must outlive this.
    ConfigFields(std::vector<Object> objects, ConfigDraft& draft);

    [[nodiscard]] std::optional<ConfigField<double>> number(Names names) const;
    /// A number without a fraction.
    [[nodiscard]] std::optional<ConfigField<double>> wholeNumber(Names names) const;
    [[nodiscard]] std::optional<ConfigField<bool>> flag(Names names) const;
    [[nodiscard]] std::optional<ConfigField<std::string>> text(Names names) const;
    [[nodiscard]] std::optional<ConfigField<std::vector<double>>> numberList(Names names) const;
    [[nodiscard]] std::optional<ConfigField<const nlohmann::ordered_json*>> object(Names names) const;

    /// Whether one of the names holds something other than null.
    [[nodiscard]] bool has(Names names) const;

    [[nodiscard]] const std::vector<Object>& objects() const { return m_objects; }

private:
    [[nodiscard]] std::optional<ConfigField<const nlohmann::ordered_json*>> find(Names names) const;
    void refuseKind(const ConfigField<const nlohmann::ordered_json*>& field, std::string_view wanted) const;

    std::vector<Object> m_objects;
    ConfigDraft& m_draft;
};

/// A JSON value as a message shows it: `"ten"`, `true`, `[1,2,…`; long ones are cut.
[[nodiscard]] std::string shownJson(const nlohmann::ordered_json& value);

}  // namespace phaseladder
