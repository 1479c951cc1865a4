#include "ui/shell_command.h"

#include <QFileInfo>
#include <QRegularExpression>

namespace phaseladder::ui {

namespace {

const QStringList fileOptions{QStringLiteral("-o"),        QStringLiteral("--output"),
                              QStringLiteral("--scene"),   QStringLiteral("--config"),
                              QStringLiteral("--caption"), QStringLiteral("--pin")};

}  // namespace

QString shellWord(const QString& text) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
    if (plain.match(text).hasMatch()) {
        return text;
    }
    QString quoted = text;
    quoted.replace(QLatin1Char('\''), QLatin1String("'\\''"));
    return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

QString shellCommand(const QStringList& words) {
    QStringList quoted;
    for (const QString& word : words) {
        quoted.append(shellWord(word));
    }
    return quoted.join(QLatin1Char(' '));
}

QStringList withoutFolders(QStringList words) {
    for (qsizetype index = 0; index < words.size(); ++index) {
        const QString shortOption = QStringLiteral("-o");
        if (words[index].startsWith(shortOption) && words[index] != shortOption) {  // -oFILE
            words[index] = shortOption + QFileInfo(words[index].mid(shortOption.size())).fileName();
            continue;
        }
        const QString option = words[index].section(QLatin1Char('='), 0, 0);
        if (!fileOptions.contains(option)) {
            continue;
        }
        if (option != words[index]) {
            words[index] =
                option + QLatin1Char('=') + QFileInfo(words[index].mid(option.size() + 1)).fileName();
        } else if (index + 1 < words.size()) {
            ++index;
            words[index] = QFileInfo(words[index]).fileName();
        }
    }
    return words;
}

}  // namespace phaseladder::ui
