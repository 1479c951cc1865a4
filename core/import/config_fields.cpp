#include "core/import/config_fields.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/import/text.h"
#include "core/nearest_name.h"
#include "core/parameter.h"

namespace phaseladder {

namespace {

constexpr int mostUnknownNamed = 10;

void setRow(ConfigDraft& draft, std::string_view parameterId, std::string_view sourceName,
            const std::string& path, const ParameterValue& value) {
    const Result<const Parameter*> row = requireParameter(parameterId);
    if (!row) {
        draft.refuse(row.error().message);
        return;
    }
    if (const Result<void> set = setParameter(draft.config.scene, **row, value); !set) {
        draft.refuse(fmt::format("{}: {}", path, set.error().message));
        return;
    }
    draft.config.sources[std::string(sourceName)] = path;
}

}  // namespace

void ConfigDraft::refuse(std::string message) {
    if (!problem) {
        problem = Error{ErrorKind::invalidInput, std::move(message)};
    }
}

void ConfigDraft::warnUnknown(const std::string& prefix, const std::string& name,
                              const std::vector<std::string>& known) {
    if (++unknownSettings > mostUnknownNamed) {
        return;
    }
    const std::string near = nearestName(name, known);
    config.warnings.push_back(fmt::format("Unknown setting {} ignored{}", quotedText(prefix + name),
                                          near.empty() ? "." : "; did you mean '" + near + "'?"));
}

void ConfigDraft::countUnknown() {
    if (unknownSettings > mostUnknownNamed) {
        config.warnings.push_back(
            fmt::format("{} more unknown settings ignored.", unknownSettings - mostUnknownNamed));
    }
}

void ConfigDraft::set(std::string_view parameterId, std::string_view sourceName,
                      const ConfigField<double>& field) {
    setRow(*this, parameterId, sourceName, field.path, field.value);
}

void ConfigDraft::set(std::string_view parameterId, std::string_view sourceName,
                      const ConfigField<std::vector<double>>& field) {
    setRow(*this, parameterId, sourceName, field.path, field.value);
}

ConfigFields::ConfigFields(std::vector<Object> objects, ConfigDraft& draft)
    : m_objects(std::move(objects)), m_draft(draft) {}

std::optional<ConfigField<double>> ConfigFields::number(Names names) const {
    const auto field = find(names);
    if (!field) {
        return std::nullopt;
    }
    if (!field->value->is_number() || !std::isfinite(field->value->get<double>())) {
        refuseKind(*field, "a finite number");
        return std::nullopt;
    }
    return ConfigField<double>{field->value->get<double>(), field->path};
}

std::optional<ConfigField<double>> ConfigFields::wholeNumber(Names names) const {
    const auto field = number(names);
    if (field && std::trunc(field->value) != field->value) {
        refuseKind(*find(names), "a whole number");
        return std::nullopt;
    }
    return field;
}

std::optional<ConfigField<bool>> ConfigFields::flag(Names names) const {
    const auto field = find(names);
    if (!field) {
        return std::nullopt;
    }
    if (!field->value->is_boolean()) {
        refuseKind(*field, "true or false");
        return std::nullopt;
    }
    return ConfigField<bool>{field->value->get<bool>(), field->path};
}

std::optional<ConfigField<std::string>> ConfigFields::text(Names names) const {
    const auto field = find(names);
    if (!field) {
        return std::nullopt;
    }
    if (!field->value->is_string()) {
        refuseKind(*field, "text");
        return std::nullopt;
    }
    return ConfigField<std::string>{field->value->get<std::string>(), field->path};
}

std::optional<ConfigField<std::vector<double>>> ConfigFields::numberList(Names names) const {
    const auto field = find(names);
    if (!field) {
        return std::nullopt;
    }
    if (!field->value->is_array()) {
        refuseKind(*field, "a list of numbers");
        return std::nullopt;
    }
    ConfigField<std::vector<double>> list{{}, field->path};
    for (const nlohmann::ordered_json& item : *field->value) {
        if (!item.is_number() || !std::isfinite(item.get<double>())) {
            m_draft.refuse(fmt::format("{} must hold finite numbers only (got {} at place {}).", field->path,
                                       shownJson(item), list.value.size() + 1));
            return std::nullopt;
        }
        list.value.push_back(item.get<double>());
    }
    return list;
}

std::optional<ConfigField<const nlohmann::ordered_json*>> ConfigFields::object(Names names) const {
    const auto field = find(names);
    if (field && !field->value->is_object()) {
        refuseKind(*field, "an object");
        return std::nullopt;
    }
    return field;
}

bool ConfigFields::has(Names names) const {
    return find(names).has_value();
}

std::optional<ConfigField<const nlohmann::ordered_json*>> ConfigFields::find(Names names) const {
    for (const Object& object : m_objects) {
        for (const std::string_view name : names) {
            const auto entry = object.json->find(name);
            if (entry != object.json->end() && !entry->is_null()) {
                return ConfigField<const nlohmann::ordered_json*>{&*entry,
                                                                  fmt::format("{}{}", object.prefix, name)};
            }
        }
    }
    return std::nullopt;
}

void ConfigFields::refuseKind(const ConfigField<const nlohmann::ordered_json*>& field,
                              std::string_view wanted) const {
    m_draft.refuse(fmt::format("{} must be {} (got {}).", field.path, wanted, shownJson(*field.value)));
}

std::string shownJson(const nlohmann::ordered_json& value) {
    constexpr std::size_t longest = 40;
    if (value.is_structured() && value.size() > longest) {
        return value.is_array() ? "a list" : "an object";
    }
    std::string shown = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    if (shown.size() > longest) {
        std::size_t end = longest;
        while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0u) == 0x80u) {
            --end;  // not inside a UTF-8 sequence
        }
        shown.resize(end);
        shown += "…";
    }
    return shown;
}

}  // namespace phaseladder
