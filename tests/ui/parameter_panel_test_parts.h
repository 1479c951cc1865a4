#pragma once

#include <QCoreApplication>
#include <QLineEdit>
#include <QRadioButton>
#include <QTest>

#include <memory>

#include "ui/controls/parameter_panel.h"
#include "ui/document.h"
#include "ui/settings.h"

namespace phaseladder::ui::test {

/// A shown parameter panel with a document and settings of its own, driven as a person does.
struct ParameterPanelFixture {
    std::unique_ptr<SceneDocument> m_document;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<ParameterPanel> m_panel;

    void showPanel() {
        m_document = std::make_unique<SceneDocument>();
        m_settings = std::make_unique<Settings>(QString());
        m_panel = std::make_unique<ParameterPanel>(m_document.get(), m_settings.get());
        m_panel->resize(312, 1400);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }

    void closePanel() {
        m_panel.reset();
        m_document.reset();
    }

    template <class Widget>
    Widget* find(const char* name) const {
        auto* widget = m_panel->findChild<Widget*>(QLatin1StringView(name));
        if (widget == nullptr) {
            qWarning("no control %s", name);
        }
        return widget;
    }

    /// Types a value into a field and presses Enter.
    void type(const char* field, const char* text) const {
        auto* line = find<QLineEdit>(field);
        line->setFocus();
        QCoreApplication::processEvents();
        line->selectAll();
        QTest::keyClicks(line, QLatin1StringView(text));
        QTest::keyClick(line, Qt::Key_Return);
    }

    void chooseYarn() const {
        QTest::mouseClick(find<QRadioButton>("segment_scaling_yarn"), Qt::LeftButton);
        QCOMPARE(m_document->scene().scaling.method, std::string("yarn"));
    }
};

}  // namespace phaseladder::ui::test
