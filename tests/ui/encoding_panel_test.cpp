#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QRadioButton>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include <set>

#include "core/encodings/encoding.h"
#include "tests/ui/parameter_panel_test_parts.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/encoding_about.h"
#include "ui/controls/grid_editor.h"
#include "ui/controls/parts_row.h"
#include "ui/controls/text_row.h"
#include "ui/theme.h"

using phaseladder::Encoding;
using phaseladder::Scene;
using phaseladder::ui::ChoiceBox;
using phaseladder::ui::GridEditor;
using phaseladder::ui::gridPicture;
using phaseladder::ui::sharedOut;
using phaseladder::ui::TextRow;

/// The rows of the panel that came with the encodings: the picker and its explanation, files, lists, tokens
/// and images.
class EncodingPanelTest : public QObject, private phaseladder::ui::test::ParameterPanelFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::applyTheme(*qApp, phaseladder::ui::ThemeKind::light); }

    void init() { showPanel(); }
    void cleanup() { closePanel(); }

    void everyEncodingIsOneClickAway() {
        for (const Encoding& encoding : phaseladder::encodings()) {
            const std::string name = "segment_encoding_" + encoding.id;
            auto* segment = find<QRadioButton>(name.c_str());
            QVERIFY2(segment != nullptr && segment->isVisible(), name.c_str());
            QTest::mouseClick(segment, Qt::LeftButton);
            QCOMPARE(m_document->scene().encoding, encoding.id);
            QCOMPARE(segment->accessibleName().toStdString(), encoding.label);
        }
    }

    void noneAndRopeAreOneKeyApart() {
        auto* rope = find<QRadioButton>("segment_encoding_rope");
        rope->setFocus();
        QTest::keyClick(rope, Qt::Key_Left);
        QCOMPARE(m_document->scene().encoding, std::string("none"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QCOMPARE(m_document->scene().encoding, std::string("rope"));
        QVERIFY(rope->hasFocus());
    }

    void arrowKeysReachTheSecondLine() {
        auto* rope = find<QRadioButton>("segment_encoding_rope");
        rope->setFocus();
        QTest::keyClick(rope, Qt::Key_Down);
        QVERIFY(QApplication::focusWidget()->y() > rope->y());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
        QCOMPARE(QApplication::focusWidget()->y(), rope->y());
    }

    void theExplanationFollowsTheEncodingAndTheNumbers() {
        for (const Encoding& encoding : phaseladder::encodings()) {
            m_document->setParameter(QStringLiteral("encoding"), encoding.id);
            QCOMPARE(find<QLabel>("about_help")->text().toStdString(), encoding.help);
            QCOMPARE(find<QLabel>("about_limits")->text().toStdString(), encoding.limits);
            QCOMPARE(find<QLabel>("about_source")->text().toStdString(), encoding.source);
            QCOMPARE(find<QLabel>("about_numbers")->text().toStdString(),
                     encoding.numbers(m_document->scene()));
            QVERIFY(find<QLabel>("about_formula")
                        ->accessibleName()
                        .endsWith(QString::fromStdString(encoding.formula)));
        }
        m_document->setParameter(QStringLiteral("encoding"), std::string("rope"));
        const QString before = find<QLabel>("about_numbers")->text();
        type("field_rope.theta", "1e6");
        QVERIFY(find<QLabel>("about_numbers")->text() != before);
    }

    void theExplanationFoldsAndIsRemembered() {
        auto* button = find<QToolButton>("about_encoding");
        QVERIFY(find<QLabel>("about_help")->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!find<QLabel>("about_help")->isVisible());
        // Nothing is computed that nobody sees; unfolded again, it is of the scene as it is then.
        const QString before = find<QLabel>("about_numbers")->text();
        type("field_rope.theta", "2e6");
        QCOMPARE(find<QLabel>("about_numbers")->text(), before);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(find<QLabel>("about_numbers")->text().toStdString(),
                 phaseladder::findEncoding("rope")->numbers(m_document->scene()));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!m_settings->encodingExplained());
        QVERIFY(button->accessibleName().contains(QStringLiteral("folded")));
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(m_settings->encodingExplained());
    }

    void formulasAreSet() {
        using phaseladder::ui::formulaHtml;
        QCOMPARE(formulaHtml(QStringLiteral("logit(i,j) = q_i . k_j / sqrt(d)")),
                 QStringLiteral("logit(i,j) = q<sub>i</sub> · k<sub>j</sub> / √d"));
        QCOMPARE(formulaHtml(QStringLiteral("t = p theta^(-2k/r)")),
                 QStringLiteral("t = p θ<sup>−2k/r</sup>"));
        QCOMPARE(formulaHtml(QStringLiteral("zeta_k^((i - j)/B)")),
                 QStringLiteral("ζ<sub>k</sub><sup>(i − j)/B</sup>"));
        QCOMPARE(formulaHtml(QStringLiteral("(x, y) -> a < b")), QStringLiteral("(x, y) → a &lt; b"));
        for (const Encoding& encoding : phaseladder::encodings()) {
            QVERIFY2(!formulaHtml(QString::fromStdString(encoding.formula)).contains(QLatin1Char('^')),
                     encoding.id.c_str());
        }
    }

    void aTableFileIsTypedDroppedAndEmptied() {
        m_document->setParameter(QStringLiteral("encoding"), std::string("learned"));
        QVERIFY(!find<QLineEdit>("field_learned.tensor")->isVisible());
        type("field_learned.table", "/nowhere/wpe.safetensors");
        QCOMPARE(m_document->scene().learned.table, std::string("/nowhere/wpe.safetensors"));
        QVERIFY(find<QLineEdit>("field_learned.tensor")->isVisible());
        auto* clear = find<QToolButton>("clear_learned.table");
        QVERIFY(clear->isVisible());
        QTest::mouseClick(clear, Qt::LeftButton);
        QVERIFY(m_document->scene().learned.table.empty());
        QVERIFY(!clear->isVisible());
        drop(QStringLiteral("/nowhere/table.txt"));
        QVERIFY(m_document->scene().learned.table.empty());
        const int steps = m_document->undoStack()->count();
        drop(QStringLiteral("/nowhere/table.npy"));
        QCOMPARE(m_document->scene().learned.table, std::string("/nowhere/table.npy"));
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QVERIFY(!find<QLineEdit>("field_learned.tensor")->isVisible());
    }

    void whatModelsSetHasNoControl() {
        QVERIFY(m_panel->findChild<QWidget*>(QStringLiteral("field_model")) == nullptr);
        QVERIFY(m_panel->findChild<QWidget*>(QStringLiteral("field_layer_type")) == nullptr);
        QVERIFY(!m_panel->focusField(QStringLiteral("model")));
    }

    void drawnListsAreSummedUpAndReset() {
        m_document->setParameter(QStringLiteral("encoding"), std::string("relative_bias"));
        const auto* words = find<QLabel>("field_relative_bias.values");
        QCOMPARE(words->text(), QStringLiteral("seeded"));
        m_document->setParameter(QStringLiteral("relative_bias.values"), std::vector<double>(9, 0.5));
        QCOMPARE(words->text(), QStringLiteral("drawn: 9 numbers"));
        QVERIFY(!find<QToolButton>("clear_relative_bias.values")->isVisible());  // ⟲ does it
        QTest::mouseClick(find<QToolButton>("reset_relative_bias.values"), Qt::LeftButton);
        QVERIFY(m_document->scene().relativeBias.values.empty());
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scene().relativeBias.values.size(), std::size_t{9});
        m_document->replaceScene(m_document->scene(), QStringLiteral("Open"), true);
        QTest::mouseClick(find<QToolButton>("clear_relative_bias.values"), Qt::LeftButton);
        QVERIFY(m_document->scene().relativeBias.values.empty());
        m_document->setParameter(QStringLiteral("content"), std::vector<double>{0, 0, 0, 1, 0.5, 0.5});
        QVERIFY(find<QLabel>("field_content")->isVisible());
        QCOMPARE(find<QLabel>("field_content")->text(), QStringLiteral("1 hand turned"));
    }

    void sharesKeepTheirSum() {
        QCOMPARE(sharedOut({16, 24, 24}, 0, 24), (std::vector<double>{24, 20, 20}));
        QCOMPARE(sharedOut({16, 24, 24}, 1, 20), (std::vector<double>{20, 20, 24}));
        QCOMPARE(sharedOut({8, 12, 12}, 2, 30), (std::vector<double>{0, 2, 30}));
        QCOMPARE(sharedOut({8, 12, 12}, 0, 32), (std::vector<double>{32, 0, 0}));
        QCOMPARE(sharedOut({32, 0, 0}, 0, 31), (std::vector<double>{31, 1, 0}));
    }

    void sectionsAreThreeFieldsWithTheirSum() {
        m_document->setParameter(QStringLiteral("rope.axes"), std::string("mrope"));
        QCOMPARE(find<QLabel>("readout_rope.sections")->text(),
                 QStringLiteral("8 + 12 + 12 = 32 of 32 pairs"));
        const int steps = m_document->undoStack()->count();
        type("field_rope.sections_1", "10");
        QCOMPARE(m_document->scene().rope.sections, (std::vector<double>{10, 10, 12}));
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        type("field_rope.sections", "40");
        QVERIFY(find<QLabel>("refusal_rope.sections")->text().contains(QStringLiteral("0..32 (got 40)")));
        QTest::mouseClick(find<QToolButton>("reset_rope.sections"), Qt::LeftButton);
        QVERIFY(m_document->scene().rope.sections.empty());
    }

    void tokensAreChosenByTheirWord() {
        auto* words = find<ChoiceBox>("field_view.token");
        QCOMPARE(words->currentText(), QStringLiteral("man"));
        words->setFocus();
        QTest::keyClick(words, Qt::Key_Up);
        QCOMPARE(m_document->scene().view.token, 1);
        QCOMPARE(words->currentText(), QStringLiteral("bites"));
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>(1000, "a"));
        QVERIFY(!words->isVisible());
        type("number_view.token", "700");
        QCOMPARE(m_document->scene().view.token, 700);
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{});
        QVERIFY(words->isVisible() && !words->isEnabled());
    }

    void aPictureHasTheTokensWhereTheAxesPutThem() {
        Scene scene;
        scene.tokens = {"a", "p", "q", "r", "s", "b"};
        scene.rope.axes = phaseladder::RopeAxes::mrope;
        scene.rope.gridStart = 1;
        const auto picture = gridPicture(scene, {240, 130});
        std::set<std::pair<int, int>> places;
        for (const auto& cell : picture.cells) {
            places.emplace(cell.row, cell.column);
        }
        QCOMPARE(places, (std::set<std::pair<int, int>>{{0, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 3}}));
        QCOMPARE(picture.cells[2].sentence, QStringLiteral("q, token 2: time 1, row 1, column 2"));
        scene.rope.axes = phaseladder::RopeAxes::vision_2d;
        scene.rope.gridColumns = 4;
        const auto sheet = gridPicture(scene, {240, 130});
        QCOMPARE(sheet.cells[5].sentence, QStringLiteral("b, token 5: row 1, column 1"));
    }

    void aPictureOfAHugeImageLooksAtFewTokens() {
        Scene scene;
        scene.rope.axes = phaseladder::RopeAxes::mrope;
        scene.rope.gridRows = 4096;
        scene.rope.gridColumns = 4096;
        scene.rope.gridStart = 16000000;
        scene.textLength = 16777216;
        QVERIFY(gridPicture(scene, {240, 130}).cells.empty());
        scene.rope.gridRows = 2;
        scene.rope.gridColumns = 2;
        QVERIFY(gridPicture(scene, {240, 130}).cells.size() <= 10);
    }

    void draggingTheCornerIsOneStep() {
        m_document->setParameter(QStringLiteral("rope.axes"), std::string("mrope"));
        QCoreApplication::processEvents();
        auto* grid = find<GridEditor>("grid_editor");
        QVERIFY(grid->isVisible());
        const int steps = m_document->undoStack()->count();
        const double pitch = grid->pitch();
        const QPoint corner = grid->corner().toPoint();
        QTest::mousePress(grid, Qt::LeftButton, Qt::NoModifier, corner);
        for (const double way : {0.4, 1.1, 2.0}) {
            QTest::mouseMove(grid, corner + QPointF(way * pitch, pitch).toPoint());
        }
        QTest::mouseRelease(grid, Qt::LeftButton, Qt::NoModifier, corner);
        QCOMPARE(m_document->scene().rope.gridColumns, 4);
        QCOMPARE(m_document->scene().rope.gridRows, 3);
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scene().rope.gridColumns, 2);
        QCOMPARE(m_document->scene().rope.gridRows, 2);
    }

    void draggingTheImageSetsItsStart() {
        m_document->setParameter(QStringLiteral("rope.axes"), std::string("mrope_interleaved"));
        QCoreApplication::processEvents();
        auto* grid = find<GridEditor>("grid_editor");
        const QPoint middle = (grid->corner() - QPointF(1.5, 1.5) * grid->pitch()).toPoint();
        QTest::mousePress(grid, Qt::LeftButton, Qt::NoModifier, middle);
        QTest::mouseMove(grid, middle + QPointF(3.0 * grid->pitch(), 0.0).toPoint());
        QTest::mouseRelease(grid, Qt::LeftButton, Qt::NoModifier, middle);
        QCOMPARE(m_document->scene().rope.gridStart, 3);
    }

    void arrowKeysSetTheImage() {
        m_document->setParameter(QStringLiteral("rope.axes"), std::string("mrope"));
        auto* grid = find<GridEditor>("grid_editor");
        grid->setFocus();
        const int steps = m_document->undoStack()->count();
        QTest::keyClick(grid, Qt::Key_Right);
        QTest::keyClick(grid, Qt::Key_Down);
        QTest::keyClick(grid, Qt::Key_Up);
        QTest::keyClick(grid, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(grid, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(grid, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(m_document->scene().rope.gridColumns, 3);
        QCOMPARE(m_document->scene().rope.gridRows, 2);
        QCOMPARE(m_document->scene().rope.gridStart, 0);
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QVERIFY(grid->accessibleDescription().contains(QStringLiteral("2 × 3")));
        m_document->setParameter(QStringLiteral("rope.axes"), std::string("vision_2d"));
        QTest::keyClick(grid, Qt::Key_Down);
        QCOMPARE(m_document->scene().rope.gridRows, 2);
    }

    void rareRowsOfTheViewAreFolded() {
        QVERIFY(find<QWidget>("field_view.token")->isVisible());
        for (const char* field : {"field_view.shift", "field_view.position", "field_view.start"}) {
            QVERIFY2(!find<QWidget>(field)->isVisible(), field);
        }
        QTest::mouseClick(find<QToolButton>("more_View"), Qt::LeftButton);
        QVERIFY(find<QWidget>("field_view.shift")->isVisible());
    }

private:
    /// Drops a file on the row of the table.
    void drop(const QString& path) const {
        QWidget* row = find<QLineEdit>("field_learned.table");
        while (qobject_cast<TextRow*>(row) == nullptr) {
            row = row->parentWidget();
        }
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(row, &enter);
        if (enter.isAccepted()) {
            QDropEvent event(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(row, &event);
        }
    }
};

QTEST_MAIN(EncodingPanelTest)
#include "encoding_panel_test.moc"
