#include "ui/dialogs/search_entries.h"

#include <QPixmap>

#include <algorithm>

#include "ui/actions.h"
#include "ui/model_library.h"

namespace phaseladder::ui {
namespace {

/// The start of a model's name that spells its family: "Code Llama" of "Code Llama 34B" for "codellama".
QString familyName(const QString& label, qsizetype letters) {
    qsizetype end = 0;
    for (qsizetype found = 0; end < label.size() && found < letters; ++end) {
        found += label[end].isLetter() ? 1 : 0;
    }
    return label.left(end);
}

/// Keeps the names of commands without an icon in line with the others.
QIcon blankIcon() {
    QPixmap pixmap(16, 16);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

}  // namespace

QList<SearchEntry> modelEntries(QStringList& ids) {
    QList<SearchEntry> entries;
    QString family;
    for (const BuiltInModel& model : builtInModels()) {
        const auto end =
            std::find_if_not(model.id.begin(), model.id.end(), [](QChar sign) { return sign.isLetter(); });
        const qsizetype letters = end - model.id.begin();
        if (model.id.left(letters) != family) {
            family = model.id.left(letters);
            entries.append({familyName(model.label, letters), {}, {}, {}, true});
            ids.append(QString());
        }
        entries.append({model.label, model.id, {}, family + QLatin1Char(' ') + model.source, false});
        ids.append(model.id);
    }
    return entries;
}

QList<SearchEntry> commandEntries(const QList<QAction*>& actions, QList<QPointer<QAction>>& found) {
    QList<SearchEntry> entries;
    for (QAction* action : actions) {
        if (action->isEnabled()) {
            entries.append({QStringLiteral("%1: %2").arg(commandGroup(*action), commandName(*action)),
                            action->shortcut().toString(QKeySequence::NativeText),
                            action->icon().isNull() ? blankIcon() : action->icon(),
                            {},
                            false});
            found.append(action);
        }
    }
    return entries;
}

}  // namespace phaseladder::ui
