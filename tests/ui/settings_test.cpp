#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "ui/settings.h"

namespace phaseladder::ui::test {
using phaseladder::ui::Settings;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

/// A settings file with every value set.
QByteArray goodFile(const QString& path) {
    {
        Settings settings(path);
        settings.setTheme(ui::ThemeChoice::dark);
        settings.setPaneCount(2);
        settings.setPaneFigures({QStringLiteral("ramp"), QStringLiteral("ladder"), QStringLiteral("phases"),
                                 QStringLiteral("attention")});
        settings.setColormap(QStringLiteral("cividis"));
        settings.setMotion(ui::MotionChoice::reduced);
        settings.setShortcuts({{QStringLiteral("action_export"), QStringLiteral("Ctrl+,")},
                               {QStringLiteral("action_undo"), QString()},
                               {QStringLiteral("action_zoom_in"), QStringLiteral("Ctrl+=; Ctrl+;")}});
        settings.setPaneShares({0.3, 0.75});
        settings.setCurrentPane(2);
        settings.addRecentFile(QStringLiteral("/tmp/a b.pldr"));
        settings.setState(QStringLiteral("geometry"), QByteArray("\x00\x01\x02geometry", 11));
    }
    return contentOf(path);
}

/// Whatever the file held, every value read from it must be one that the window can use.
void checkUsable(const Settings& settings) {
    QVERIFY(settings.paneCount() == 1 || settings.paneCount() == 2 || settings.paneCount() == 4);
    QCOMPARE(settings.paneFigures().size(), 4);
    QVERIFY(settings.recentFiles().size() <= 10);
    QVERIFY(settings.currentPane() >= 0 && settings.currentPane() < 4);
    for (const double share : {settings.paneShares().x(), settings.paneShares().y()}) {
        QVERIFY(share >= 0.1 && share <= 0.9);
    }
    static_cast<void>(settings.shortcuts());
    const QByteArray geometry = settings.state(QStringLiteral("geometry"));
    QVERIFY(geometry.isEmpty() || geometry == QByteArray("\x00\x01\x02geometry", 11));
}

QStringList quarantined(const QTemporaryDir& folder) {
    return QDir(folder.path()).entryList({QStringLiteral("phaseladder.ini.corrupt-*")});
}

}  // namespace

class SettingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void valuesComeBack() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("deep/er/phaseladder.ini"));
        goodFile(path);
        const Settings settings(path);
        QCOMPARE(settings.problem(), QString());
        QCOMPARE(settings.theme(), ui::ThemeChoice::dark);
        QCOMPARE(settings.paneCount(), 2);
        QCOMPARE(settings.paneFigures().first(), QStringLiteral("ramp"));
        QCOMPARE(settings.colormap(), QStringLiteral("cividis"));
        QCOMPARE(settings.motion(), ui::MotionChoice::reduced);
        const QMap<QString, QString> keys = settings.shortcuts();
        QCOMPARE(keys.size(), 3);
        QCOMPARE(keys.value(QStringLiteral("action_export")), QStringLiteral("Ctrl+,"));
        QCOMPARE(keys.value(QStringLiteral("action_undo"), QStringLiteral("missing")), QString());
        QCOMPARE(keys.value(QStringLiteral("action_zoom_in")), QStringLiteral("Ctrl+=; Ctrl+;"));
        QCOMPARE(settings.paneShares(), QPointF(0.3, 0.75));
        QCOMPARE(settings.currentPane(), 2);
        QCOMPARE(settings.recentFiles(), QStringList{QStringLiteral("/tmp/a b.pldr")});
        QCOMPARE(settings.state(QStringLiteral("geometry")).size(), 11);
    }

    void withoutAFileValuesHoldUntilTheEnd() {
        Settings settings{QString()};
        QCOMPARE(settings.theme(), ui::ThemeChoice::system);
        QCOMPARE(settings.motion(), ui::MotionChoice::system);
        QVERIFY(settings.shortcuts().isEmpty());
        QCOMPARE(settings.paneShares(), QPointF(0.5, 0.5));
        settings.setTheme(ui::ThemeChoice::light);
        settings.setColormap(QStringLiteral("magma"));
        QCOMPARE(settings.theme(), ui::ThemeChoice::light);
        QCOMPARE(settings.colormap(), QStringLiteral("magma"));
        QCOMPARE(Settings{QString()}.colormap(), QStringLiteral("viridis"));

        const OwnDefaults::Values values{{QStringLiteral("rope.theta"), 5e5}};
        settings.setOwnDefaults(values);
        QCOMPARE(settings.ownDefaults(), values);
        settings.setOwnDefaults({});
        QVERIFY(settings.ownDefaults().empty());
        const Parameter& theta = *findParameter("rope.theta");
        const SliderChange change{1e3, 2e5, 500.0, SliderScale::linear};
        settings.setSlider(theta, change);
        QCOMPARE(settings.slider(theta), change);
        settings.setSlider(theta, {});
        QCOMPARE(settings.slider(theta), SliderChange());
        settings.setUnfoldedGroups({QStringLiteral("Scaling")});
        QCOMPARE(settings.unfoldedGroups(), QStringList{QStringLiteral("Scaling")});
    }

    void unreadableFilesAreKeptAsideAndDefaultsUsed_data() {
        QTest::addColumn<QByteArray>("bytes");
        QByteArray random(4000, '\0');
        for (qsizetype index = 0; index < random.size(); ++index) {
            random[index] = char((index * 2654435761u) >> 13);
        }
        QTest::newRow("random bytes") << random;
        QTest::newRow("of another program") << QByteArray("[General]\ncolor=red\n");
        QTest::newRow("JSON") << QByteArray("{\"phaseladder\": 1}");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("newer version") << QByteArray("[phaseladder]\nversion=99\n");
        QTest::newRow("version of a wrong type") << QByteArray("[phaseladder]\nversion=one\n");
        QTest::newRow("with a NUL") << QByteArray("[phaseladder]\nversion=1\n\0[window]\n", 34);
        QTest::newRow("huge") << QByteArray("[phaseladder]\nversion=1\n") + QByteArray(2 << 20, 'x');
    }

    void unreadableFilesAreKeptAsideAndDefaultsUsed() {
        QFETCH(QByteArray, bytes);
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        write(path, bytes);
        {
            Settings settings(path);
            QVERIFY2(settings.problem().contains(QStringLiteral("corrupt-")), qPrintable(settings.problem()));
            QCOMPARE(settings.paneCount(), 4);
            settings.setPaneCount(1);
        }
        QCOMPARE(quarantined(folder).size(), 1);
        QCOMPARE(contentOf(folder.filePath(quarantined(folder).first())), bytes);
        const Settings again(path);
        QCOMPARE(again.problem(), QString());  // said once
        QCOMPARE(again.paneCount(), 1);
    }

    void damagedBytesNeverGiveUnusableValues() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        const QByteArray good = goodFile(path);
        quint32 state = 7;
        const auto next = [&state] { return state = state * 1664525u + 1013904223u; };
        for (int mutation = 0; mutation < 50; ++mutation) {
            QByteArray bytes = good;
            for (int change = 0; change < 1 + mutation % 8; ++change) {
                bytes[qsizetype(next() % quint32(bytes.size()))] = char(next() >> 24);
            }
            if (mutation % 5 == 0) {
                bytes.truncate(qsizetype(next() % quint32(bytes.size())));
            }
            write(path, bytes);
            checkUsable(Settings(path));
        }
    }

    void anUnwritableFolderIsSaidAndDoesNoHarm() {
        const QTemporaryDir folder;
        write(folder.filePath(QStringLiteral("file")), "x");
        Settings settings(folder.filePath(QStringLiteral("file/phaseladder.ini")));
        QVERIFY2(settings.problem().startsWith(QStringLiteral("Settings cannot be saved")),
                 qPrintable(settings.problem()));
        settings.setPaneCount(2);
        settings.addRecentFile(QStringLiteral("/a"));
        QCOMPARE(contentOf(folder.filePath(QStringLiteral("file"))), QByteArray("x"));
    }

    void aFolderInPlaceOfTheFileIsKeptAside() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        QVERIFY(QDir().mkpath(path));
        const Settings settings(path);
        QVERIFY(!settings.problem().isEmpty());
        QCOMPARE(settings.paneCount(), 4);
    }

    void recentFilesAreTenAndNewestFirst() {
        const QTemporaryDir folder;
        Settings settings(folder.filePath(QStringLiteral("phaseladder.ini")));
        for (int file = 0; file < 15; ++file) {
            settings.addRecentFile(QStringLiteral("/%1").arg(file));
        }
        settings.addRecentFile(QStringLiteral("/9"));
        QCOMPARE(settings.recentFiles().size(), 10);
        QCOMPARE(settings.recentFiles().first(), QStringLiteral("/9"));
        QCOMPARE(settings.recentFiles().count(QStringLiteral("/9")), 1);
    }

    void ownDefaultsComeBackExactly() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        const OwnDefaults::Values values{
            {QStringLiteral("encoding"), std::string("none")},
            {QStringLiteral("rope.theta"), 483321.123456789},
            {QStringLiteral("scaling.short_factors"), std::vector<double>{1.0, 2.5}},
            {QStringLiteral("causal"), true}};
        Settings(path).setOwnDefaults(values);
        QCOMPARE(Settings(path).ownDefaults(), values);
        Settings(path).setOwnDefaults({values[1]});
        QCOMPARE(Settings(path).ownDefaults(), OwnDefaults::Values{values[1]});
        QVERIFY(Settings(QString()).ownDefaults().empty());
    }

    void defaultsThatTheTableForbidsAreNotUsed() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        write(path,
              "[phaseladder]\nversion=1\n[defaults]\nrope.theta=-5\nhead_dim=63\nencoding=wheel\n"
              "heads=abc\ncausal=true\nnonsense=1\n");
        const OwnDefaults::Values expected{{QStringLiteral("causal"), true}};
        QCOMPARE(Settings(path).ownDefaults(), expected);
    }

    void changedSlidersComeBackAndBrokenOnesDoNot() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        const Parameter& theta = *findParameter("rope.theta");
        const SliderChange change{1e3, 2e5, 500.0, SliderScale::linear};
        Settings(path).setSlider(theta, change);
        QCOMPARE(Settings(path).slider(theta), change);
        QCOMPARE(Settings(path).slider(*findParameter("heads")), SliderChange());
        Settings(path).setSlider(theta, {});
        QCOMPARE(Settings(path).slider(theta), SliderChange());
        for (const char* texts :
             {"5, 1, , ", "-1, , , ", "0, 10, , log10", ", 1e13, , ", "word", ", , -2, "}) {
            write(path, QByteArray("[phaseladder]\nversion=1\n[sliders]\nrope.theta=") + texts + "\n");
            QVERIFY2(Settings(path).slider(theta) == SliderChange(), texts);
        }
    }

    void unfoldedGroupsComeBack() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("phaseladder.ini"));
        Settings(path).setUnfoldedGroups({QStringLiteral("Scaling")});
        QCOMPARE(Settings(path).unfoldedGroups(), QStringList{QStringLiteral("Scaling")});
    }
};

}  // namespace phaseladder::ui::test

QTEST_GUILESS_MAIN(phaseladder::ui::test::SettingsTest)
#include "settings_test.moc"
