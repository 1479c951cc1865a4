#include "ui/dialogs/export_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <initializer_list>
#include <utility>

#include "core/export/figure_text.h"
#include "ui/dialogs/export_check.h"
#include "ui/dialogs/export_form.h"
#include "ui/dialogs/export_memory.h"
#include "ui/dialogs/export_preview.h"
#include "ui/dialogs/export_wait.h"
#include "ui/dialogs/form_row.h"
#include "ui/figure_clipboard.h"
#include "ui/shell_command.h"

namespace phaseladder::ui {

namespace {

constexpr qsizetype previewCharacters = 4000;

QString withSuffix(const QString& path, const QString& format) {
    const QFileInfo info(path);
    const bool hasKnownSuffix = exportFormats().contains(info.suffix().toLower());
    const QString bare = hasKnownSuffix ? path.chopped(info.suffix().size() + 1) : path;
    return bare + QLatin1Char('.') + format;
}

QString quotedName(const QString& path) {
    return QFileInfo(path).fileName();
}

}  // namespace

struct ExportDialog::Parts {
    ExportSubject subject;
    Settings* settings = nullptr;
    ExportChoices choices;
    QString failure;  // of the last try; shown until something changes

    ExportForm* form = nullptr;
    QLineEdit* path = nullptr;
    QStackedWidget* previews = nullptr;
    ExportPreview* page = nullptr;
    QPlainTextEdit* numbers = nullptr;
    ExportCheck* check = nullptr;
    ExportWait* wait = nullptr;  // while the figure is on its way
    QLabel* message = nullptr;   // why not; hidden when all is well
    QPushButton *browse = nullptr, *copyCommand = nullptr, *copyCaption = nullptr, *run = nullptr,
                *cancel = nullptr;
};

ExportDialog::ExportDialog(ExportSubject subject, QWidget* parent, Settings* settings)
    : QDialog(parent), m_parts(std::make_unique<Parts>()) {
    setObjectName(QStringLiteral("export_dialog"));
    setWindowTitle(tr("Export figure"));
    m_parts->subject = std::move(subject);
    m_parts->settings = settings;
    if (settings != nullptr) {
        m_parts->choices = rememberedChoices(*settings, m_parts->subject.project);
    }
    buildFooter();
    arrange();
    const QString folder = QFileInfo(m_parts->choices.folder).isDir()
                               ? m_parts->choices.folder
                               : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    setPath(QDir(folder).filePath(QString::fromStdString(m_parts->subject.figure.id) + QLatin1Char('.') +
                                  m_parts->choices.format));
    refresh();
}

ExportDialog::~ExportDialog() = default;

const ExportChoices& ExportDialog::choices() const {
    return m_parts->choices;
}

void ExportDialog::waitForFigure() {
    Parts& parts = *m_parts;
    parts.wait = new ExportWait(this);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, parts.wait);
    refresh();
}

bool ExportDialog::isWaiting() const {
    return m_parts->wait != nullptr;
}

void ExportDialog::setProgress(double share, const QString& what) {
    if (isWaiting()) {
        m_parts->wait->setProgress(share, what);
        refreshCheck();
    }
}

void ExportDialog::setChecking() {
    if (isWaiting()) {
        m_parts->wait->setChecking();
        refreshCheck();
    }
}

void ExportDialog::setSubject(ExportSubject subject) {
    Parts& parts = *m_parts;
    parts.subject = std::move(subject);
    parts.form->setFigure(parts.subject.figure);
    delete std::exchange(parts.wait, nullptr);
    refresh();
}

void ExportDialog::buildFooter() {
    Parts& parts = *m_parts;
    parts.path = new QLineEdit;
    parts.path->setObjectName(QStringLiteral("export_path"));
    parts.path->setAccessibleName(tr("File"));
    connect(parts.path, &QLineEdit::textEdited, this, [this](const QString& text) {
        const QString suffix = QFileInfo(text).suffix().toLower();
        if (exportFormats().contains(suffix)) {
            m_parts->choices.format = suffix;
        }
        choicesChanged();
    });
    parts.browse = new QPushButton(tr("Browse…"));
    parts.browse->setObjectName(QStringLiteral("export_browse"));
    parts.copyCommand = buildCopyButton("export_copy_command", tr("Copy command"), &ExportDialog::command);
    parts.copyCaption = buildCopyButton("export_copy_caption", tr("Copy caption"), &ExportDialog::caption);
    parts.copyCaption->setToolTip(tr("A draft of a caption: what the figure shows, settings and readouts."));
    parts.cancel = new QPushButton(tr("Cancel"));
    parts.cancel->setObjectName(QStringLiteral("export_cancel"));
    parts.run = new QPushButton(tr("Export"));
    parts.run->setObjectName(QStringLiteral("export_run"));
    parts.run->setProperty("primary", true);
    parts.run->setDefault(true);
    parts.check = new ExportCheck;
    parts.message = new QLabel;
    parts.message->setObjectName(QStringLiteral("export_message"));
    parts.message->setProperty("chip", QStringLiteral("error"));
    parts.message->setWordWrap(true);
    connect(parts.browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(parts.cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(parts.run, &QPushButton::clicked, this, &ExportDialog::exportNow);
}

/// A button that copies a text and says so until something changes.
QPushButton* ExportDialog::buildCopyButton(const char* name, const QString& label,
                                           QString (ExportDialog::*text)() const) {
    auto* button = new QPushButton(label);
    button->setObjectName(QLatin1StringView(name));
    connect(button, &QPushButton::clicked, this, [this, button, text] {
        QGuiApplication::clipboard()->setText((this->*text)());
        button->setText(tr("Copied"));
    });
    return button;
}

void ExportDialog::arrange() {
    Parts& parts = *m_parts;
    parts.form = new ExportForm(&parts.choices, parts.subject.figure);
    connect(parts.form, &ExportForm::changed, this, &ExportDialog::formChanged);
    connect(parts.form, &ExportForm::refused, this, [this](const QString& sentence) {
        m_parts->failure = sentence;
        refreshCheck();
    });
    parts.page = new ExportPreview;
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("export_preview_area"));
    scroll->setWidget(parts.page);
    scroll->setMinimumSize(360, 300);
    parts.numbers = new QPlainTextEdit;
    parts.numbers->setObjectName(QStringLiteral("export_numbers"));
    parts.numbers->setAccessibleName(tr("Beginning of the file"));
    parts.numbers->setReadOnly(true);
    parts.numbers->setLineWrapMode(QPlainTextEdit::NoWrap);
    parts.previews = new QStackedWidget;
    parts.previews->addWidget(scroll);
    parts.previews->addWidget(parts.numbers);

    auto* upper = new QHBoxLayout;
    upper->setSpacing(16);
    upper->addWidget(parts.form);
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    right->addWidget(parts.previews, 1);
    right->addWidget(parts.check);
    upper->addLayout(right, 1);
    auto* file = new QHBoxLayout;
    auto* fileLabel = new QLabel(tr("File"));
    file->addWidget(fileLabel);
    file->addWidget(parts.path, 1);
    file->addWidget(parts.browse);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(parts.copyCommand);
    buttons->addWidget(parts.copyCaption);
    buttons->addStretch();
    buttons->addWidget(parts.cancel);
    buttons->addWidget(parts.run);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(12);
    layout->addLayout(upper, 1);
    layout->addLayout(file);
    layout->addWidget(parts.message);
    layout->addLayout(buttons);
    resize(980, 640);
}

void ExportDialog::setFormat(const QString& format) {
    if (exportFormats().contains(format)) {
        m_parts->choices.format = format;
        formChanged();
    }
}

void ExportDialog::setPath(const QString& path) {
    m_parts->path->setText(path);
    refreshCheck();
}

/// The file's ending follows the format.
void ExportDialog::formChanged() {
    m_parts->path->setText(withSuffix(m_parts->path->text(), m_parts->choices.format));
    choicesChanged();
}

void ExportDialog::choicesChanged() {
    m_parts->failure.clear();
    m_parts->copyCommand->setText(tr("Copy command"));
    m_parts->copyCaption->setText(tr("Copy caption"));
    refresh();
}

void ExportDialog::refresh() {
    Parts& parts = *m_parts;
    applyHeightRule(parts.choices, parts.subject.figure);
    parts.form->refresh();
    const bool toFile = parts.form->isToFile();
    for (QWidget* control : std::initializer_list<QWidget*>{parts.path, parts.browse, parts.copyCommand}) {
        allowControl(control, toFile, tr("The clipboard needs no file."));
    }
    parts.copyCaption->setEnabled(!isWaiting());
    refreshPreview();
    refreshCheck();
}

void ExportDialog::refreshPreview() {
    Parts& parts = *m_parts;
    const ExportOptions options = exportOptions(parts.choices);
    parts.previews->setCurrentIndex(isPictureFormat(options.format) ? 0 : 1);
    if (isPictureFormat(options.format)) {
        parts.page->showPage(layoutFigure(parts.subject.figure, options.page), options.page.transparent);
        return;
    }
    const Result<QByteArray> bytes = isWaiting()
                                         ? fail(ErrorKind::failed, parts.wait->text().toStdString())
                                         : renderFigure(parts.subject.figure, parts.subject.scene, options);
    if (!bytes) {
        parts.numbers->setPlainText(QString::fromStdString(bytes.error().message));
        return;
    }
    // The header of an NPY file is one line of text behind ten bytes.
    constexpr qsizetype npyPrefix = 10;
    parts.numbers->setPlainText(
        options.format == QLatin1String("npy")
            ? QString::fromLatin1(bytes->mid(npyPrefix, bytes->indexOf('\n') - npyPrefix))
            : QString::fromUtf8(bytes->left(previewCharacters)));
}

/// Why nothing can be exported now, or empty.
QString ExportDialog::refusal() const {
    const Parts& parts = *m_parts;
    if (isWaiting()) {
        return parts.wait->text();
    }
    if (parts.form->isToFile() && QFileInfo(parts.path->text()).fileName().isEmpty()) {
        return tr("Name a file.");
    }
    if (parts.choices.format == QLatin1String("png")) {
        const Result<QSize> pixels = pngSize(exportOptions(parts.choices).page.sizePoints, parts.choices.dpi);
        if (!pixels) {
            return QString::fromStdString(pixels.error().message);
        }
    }
    if (parts.choices.format == QLatin1String("npy") && !parts.form->isToFile()) {
        return tr("The clipboard holds no NPY; choose CSV.");
    }
    return {};
}

void ExportDialog::refreshCheck() {
    Parts& parts = *m_parts;
    const QString blocked = refusal();
    parts.run->setEnabled(blocked.isEmpty());
    parts.run->setToolTip(blocked);
    const QString said = isWaiting() ? QString() : blocked;  // it stands above
    parts.message->setText(parts.failure.isEmpty() ? said : parts.failure);
    parts.message->setVisible(!parts.message->text().isEmpty());
    const bool hasNothing = isWaiting() && !isPictureFormat(parts.choices.format);
    parts.check->showLines(hasNothing ? QList<CheckLine>() : checkLines(parts.choices, parts.page->page()));
}

QStringList ExportDialog::commandWords() const {
    return exportCommand(m_parts->subject.command, m_parts->choices, m_parts->path->text());
}

QString ExportDialog::command() const {
    return shellCommand(commandWords());
}

QString ExportDialog::caption() const {
    const PanelLetters letters =
        m_parts->choices.showPanelLetters ? PanelLetters::shown : PanelLetters::hidden;
    return QString::fromStdString(writeCaption(m_parts->subject.figure, m_parts->subject.scene, letters));
}

void ExportDialog::browse() {
    QStringList filters;
    for (const QString& format : exportFormats()) {
        filters << QStringLiteral("%1 (*.%2)").arg(format.toUpper(), format);
    }
    QString filter =
        QStringLiteral("%1 (*.%2)").arg(m_parts->choices.format.toUpper(), m_parts->choices.format);
    const QString path = QFileDialog::getSaveFileName(this, tr("Export figure"), m_parts->path->text(),
                                                      filters.join(QStringLiteral(";;")), &filter,
                                                      QFileDialog::DontConfirmOverwrite);
    if (path.isEmpty()) {
        return;
    }
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QString chosen = filter.section(QLatin1Char(' '), 0, 0).toLower();
    m_parts->choices.format = exportFormats().contains(suffix) ? suffix : chosen;
    m_parts->path->setText(withSuffix(path, m_parts->choices.format));
    choicesChanged();
}

bool ExportDialog::mayReplace(const QString& path) {
    if (!QFileInfo(path).isFile()) {
        return true;
    }
    QMessageBox box(QMessageBox::Question, tr("Replace the file?"),
                    tr("%1 is already there. Replace it?").arg(quotedName(path)), QMessageBox::NoButton,
                    this);
    box.setObjectName(QStringLiteral("export_replace"));
    QPushButton* replace = box.addButton(tr("Replace"), QMessageBox::AcceptRole);
    replace->setObjectName(QStringLiteral("export_replace_yes"));
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    return box.clickedButton() == replace;
}

void ExportDialog::exportNow() {
    Parts& parts = *m_parts;
    if (!refusal().isEmpty()) {
        return;
    }
    const QString path = parts.path->text();
    const bool toFile = parts.form->isToFile();
    if (toFile && !mayReplace(path)) {
        return;
    }
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    QString problem;
    if (toFile) {
        ExportOptions options = exportOptions(parts.choices);
        options.commandLine = shellCommand(withoutFolders(commandWords()));
        const Result<void> written =
            renderFigure(parts.subject.figure, parts.subject.scene, options)
                .and_then([&](const QByteArray& bytes) { return writeFileSafely(path, bytes); });
        problem = written ? QString() : QString::fromStdString(written.error().message);
    } else {
        problem = copyToClipboard(parts.subject.figure, parts.subject.scene, exportOptions(parts.choices));
    }
    QGuiApplication::restoreOverrideCursor();
    if (!problem.isEmpty()) {
        parts.failure = problem;
        refreshCheck();
        return;
    }
    if (toFile) {
        parts.choices.folder = QFileInfo(path).absolutePath();
    }
    if (parts.settings != nullptr) {
        rememberChoices(*parts.settings, parts.subject.project, parts.choices);
    }
    Q_EMIT exported(toFile ? tr("Exported %1.").arg(path)
                           : tr("Copied %1.").arg(QString::fromStdString(parts.subject.figure.title)));
    accept();
}

}  // namespace phaseladder::ui
