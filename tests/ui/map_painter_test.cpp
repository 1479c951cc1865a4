#include <QImage>
#include <QPainter>
#include <QTest>

#include <cmath>
#include <limits>

#include "core/figures/color_range.h"
#include "core/figures/map_tiles.h"
#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_painter.h"
#include "ui/figure/heatmap_layout.h"
#include "ui/figure/map_cells.h"
#include "ui/figure/map_painter.h"

namespace phaseladder::ui::test {
namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// 1e-8 and up, all different.
Heatmap manyValues(std::int64_t rows, std::int64_t columns) {
    Heatmap map;
    map.rows = rows;
    map.columns = columns;
    for (std::int64_t cell = 0; cell < rows * columns; ++cell) {
        map.values.push_back(std::pow(10.0, -8.0 * static_cast<double>((cell * 7919) % (rows * columns)) /
                                                static_cast<double>(rows * columns)));
    }
    return map;
}

Panel panelOf(const Heatmap& map) {
    Panel panel;
    panel.x.minimum = panel.y.minimum = -0.5;
    panel.x.maximum = static_cast<double>(map.columns) - 0.5;
    panel.y.maximum = static_cast<double>(map.rows) - 0.5;
    panel.y.reversed = true;
    return panel;
}

PlotRange wholeOf(const Panel& panel) {
    return {panel.x.minimum, panel.x.maximum, panel.y.minimum, panel.y.maximum};
}

QImage painted(MapPainter& painter, const Heatmap& map, const Panel& panel, const QSize& size,
               const FigureStyle& style, double ratio = 1.0, std::optional<PlotRange> range = {}) {
    QImage image(size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::magenta);
    QPainter on(&image);
    painter.paint(
        on, map,
        PlotMapping(QRectF(QPointF(0.0, 0.0), size), panel.x, panel.y, range.value_or(wholeOf(panel))),
        style);
    return image;
}

QRgb expectedColor(const Heatmap& map, std::int64_t row, std::int64_t column, const FigureStyle& style) {
    return levelColors(
        map.map, style)[colorLevel(map, map.values[static_cast<std::size_t>(row * map.columns + column)])];
}

}  // namespace

class MapPainterTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void levelsAreThoseOfTheColourBar_data() {
        QTest::addColumn<bool>("isLog");
        QTest::addColumn<double>("low");
        QTest::newRow("linear") << false << 0.0;
        QTest::newRow("log from 1e-12") << true << 1e-12;
        QTest::newRow("log from 0.1") << true << 0.1;
    }

    void levelsAreThoseOfTheColourBar() {
        QFETCH(bool, isLog);
        QFETCH(double, low);
        Heatmap map = manyValues(64, 70);
        map.values[0] = 0.0;
        map.scale = isLog ? AxisScale::log10 : AxisScale::linear;
        map.low = low;
        std::vector<ColorLevel> levels;
        const std::vector<std::uint8_t> gaps = setColorLevels(map, levels);
        QVERIFY(std::ranges::find(gaps, 1) == gaps.end());
        for (std::size_t cell = 0; cell < levels.size(); ++cell) {
            const double exact =
                std::clamp(colorShare(map, map.values[cell]), 0.0, 1.0) * (colorLevelCount - 1);
            QVERIFY(std::abs(levels[cell] - exact) <= 0.51);
            QVERIFY(std::abs(int{colorLevel(map, map.values[cell])} - int{levels[cell]}) <= 1);
        }
    }

    void whatIsNoNumberHasNoLevel() {
        Heatmap map = manyValues(2, 3);
        map.values[1] = notANumber;
        map.values[2] = std::numeric_limits<double>::infinity();
        map.values[3] = 1e30;
        for (const AxisScale scale : {AxisScale::linear, AxisScale::log10}) {
            map.scale = scale;
            map.low = 1e-6;
            std::vector<ColorLevel> levels;
            const std::vector<std::uint8_t> gaps = setColorLevels(map, levels);
            QVERIFY(gaps == (std::vector<std::uint8_t>{1, 0}));
            QVERIFY(levels[1] == noColorLevel && levels[2] == noColorLevel);
            QCOMPARE(int{levels[3]}, colorLevelCount - 1);
        }
    }

    void colorsEndWhereThePublishedOnesDo() {
        const FigureStyle style = figureStyle(StyleKind::light);
        const QList<QRgb> colors = levelColors(ColorMapKind::sequential, style);
        const QList<QRgb> published = colormapFor(ColorMapKind::sequential, style);
        QCOMPARE(colors.size(), colorLevelCount);
        QCOMPARE(colors.first(), published.first());
        QCOMPARE(colors.last(), published.last());
        for (qsizetype level = 0; level < published.size(); ++level) {
            const QRgb between = colors[std::lround(static_cast<double>(level) * 1023.0 / 255.0)];
            QVERIFY(std::abs(qGreen(between) - qGreen(published[level])) <= 1);
        }
    }

    void screenAndPaperAgree_data() {
        QTest::addColumn<bool>("isLog");
        QTest::newRow("linear") << false;
        QTest::newRow("log") << true;
    }

    void screenAndPaperAgree() {
        QFETCH(bool, isLog);
        Heatmap map = manyValues(12, 15);
        map.scale = isLog ? AxisScale::log10 : AxisScale::linear;
        map.low = isLog ? 1e-6 : 0.0;
        const Panel panel = panelOf(map);
        const FigureStyle style = figureStyle(StyleKind::light);
        MapPainter painter;
        const QImage screen = painted(painter, map, panel, QSize(150, 120), style);
        QList<Primitive> primitives;
        addHeatmap(primitives, map,
                   PlotMapping(QRectF(0.0, 0.0, 150.0, 120.0), panel.x, panel.y, wholeOf(panel)), style,
                   TextStyle{});
        LaidOutFigure page;
        page.primitives = primitives;
        QImage paper(screen.size(), QImage::Format_RGB32);
        QPainter on(&paper);
        paintFigure(on, page);
        on.end();
        for (int row = 0; row < 12; ++row) {
            for (int column = 0; column < 15; ++column) {
                const QPoint middle(10 * column + 5, 10 * row + 5);
                const QRgb left = screen.pixel(middle), right = paper.pixel(middle);
                const int apart =
                    std::max({std::abs(qRed(left) - qRed(right)), std::abs(qGreen(left) - qGreen(right)),
                              std::abs(qBlue(left) - qBlue(right))});
                QVERIFY2(apart <= 2, "a level at most");
            }
        }
    }

    void everyPixelShowsTheCellUnderIt_data() {
        QTest::addColumn<bool>("xReversed");
        QTest::addColumn<bool>("yReversed");
        QTest::addColumn<double>("ratio");
        for (const bool x : {false, true}) {
            for (const bool y : {false, true}) {
                for (const double ratio : {1.0, 1.5, 2.0}) {
                    QTest::addRow("%d %d %.1f", x, y, ratio) << x << y << ratio;
                }
            }
        }
    }

    void everyPixelShowsTheCellUnderIt() {
        QFETCH(bool, xReversed);
        QFETCH(bool, yReversed);
        QFETCH(double, ratio);
        const Heatmap map = manyValues(20, 30);
        Panel panel = panelOf(map);
        panel.x.reversed = xReversed;
        panel.y.reversed = yReversed;
        const FigureStyle style = figureStyle(StyleKind::dark);
        const PlotRange part{3.2, 17.9, 2.5, 12.5};
        for (const PlotRange& range : {wholeOf(panel), part}) {
            MapPainter painter;
            const QImage image = painted(painter, map, panel, QSize(60, 40), style, ratio, range);
            const QList<QRgb> colors = levelColors(map.map, style);
            const PlotMapping mapping(QRectF(0.0, 0.0, 60.0, 40.0), panel.x, panel.y, range);
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QPointF at = mapping.data({(x + 0.5) / ratio, (y + 0.5) / ratio});
                    const double row = at.y() + 0.5, column = at.x() + 0.5;
                    if (std::abs(row - std::round(row)) < 1e-6 ||
                        std::abs(column - std::round(column)) < 1e-6) {
                        continue;  // between two cells
                    }
                    QCOMPARE(image.pixel(x, y),
                             colors[colorLevel(map, map.values[static_cast<std::size_t>(row) * 30 +
                                                               static_cast<std::size_t>(column)])]);
                }
            }
        }
    }

    void eachReasonForNoValueHasAHatchOfItsOwn() {
        Heatmap map;
        map.rows = map.columns = 40;
        map.values.assign(1600, 0.5);
        map.states.assign(1600, CellState::shown);
        const CellState kinds[] = {CellState::masked, CellState::undefined, CellState::aliased,
                                   CellState::noKeys};
        for (std::size_t row = 0; row < 40; ++row) {
            for (std::size_t column = 0; column < 28; ++column) {
                map.states[40 * row + column] = kinds[row / 10];
            }
        }
        const FigureStyle style = figureStyle(StyleKind::light);
        MapPainter painter;
        const QImage image = painted(painter, map, panelOf(map), QSize(160, 160), style);
        QSet<QByteArray> pictures;
        for (int kind = 0; kind < 4; ++kind) {
            const QImage part = image.copy(7, 42 * kind, 70, 28);  // whole tiles of 7 pixels
            pictures.insert(QByteArray(reinterpret_cast<const char*>(part.constBits()), part.sizeInBytes()));
            bool hasGround = false, hasLine = false;
            for (int x = 0; x < part.width(); ++x) {
                hasGround = hasGround || part.pixel(x, 10) == style.plotBackground.rgb();
                hasLine = hasLine || part.pixel(x, 10) != style.plotBackground.rgb() ||
                          part.pixel(3, 10 + x % 7) != style.plotBackground.rgb();
            }
            QVERIFY(hasLine && (hasGround || kind == 2));
        }
        QCOMPARE(pictures.size(), 4);
        QCOMPARE(image.pixel(150, 80), expectedColor(map, 0, 0, style));
    }

    void aNotANumberIsHatchedWithoutAnyState() {
        Heatmap map = manyValues(40, 40);
        for (std::size_t cell = 400; cell < 800; ++cell) {
            map.values[cell] = notANumber;
        }
        const FigureStyle style = figureStyle(StyleKind::light);
        MapPainter painter;
        const QImage image = painted(painter, map, panelOf(map), QSize(160, 160), style);
        QSet<QRgb> colors;
        for (int x = 0; x < 160; ++x) {
            colors.insert(image.pixel(x, 60));
        }
        QVERIFY(colors.contains(style.plotBackground.rgb()) && colors.size() > 1);
    }

    void aStackIsDrawnAsEachOfItsMapsWouldBe_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<PlotRange>("range");
        const PlotRange whole{-0.1, 3.3, -0.3, 2.6};
        QTest::newRow("hatched cells") << 230 << whole;
        QTest::newRow("cells with strokes") << 900 << whole;
        QTest::newRow("a part of some of them") << 230 << PlotRange{0.4, 1.7, 0.7, 2.1};
    }

    void aStackIsDrawnAsEachOfItsMapsWouldBe() {
        QFETCH(int, width);
        QFETCH(PlotRange, range);
        Heatmap stack = manyValues(5 * 12, 12);
        stack.states.assign(stack.values.size(), CellState::shown);
        for (std::size_t cell = 0; cell < stack.states.size(); cell += 7) {
            stack.states[cell] = cell % 2 == 0 ? CellState::masked : CellState::undefined;
        }
        stack.values[100] = notANumber;
        stack.tiles = MapTiles{.rows = 12, .across = 3, .x = {}, .y = {}, .chosen = {}};
        Panel panel;
        panel.y.reversed = true;
        const FigureStyle style = figureStyle(StyleKind::light);
        const QSize size(width, width);
        const PlotMapping mapping(QRectF(QPointF(0.0, 0.0), size), panel.x, panel.y, range);
        const auto drawn = [&](const std::vector<Heatmap>& maps) {
            QImage image(size, QImage::Format_RGB32);
            image.fill(Qt::magenta);
            QPainter on(&image);
            for (const Heatmap& map : maps) {
                MapPainter painter;
                painter.paint(on, map, mapping, style);
            }
            return image;
        };
        const std::vector<Heatmap> each = placedMaps(stack);
        QCOMPARE(each.size(), std::size_t{5});
        const QImage together = drawn({stack});
        QVERIFY(together == drawn(each));
        QVERIFY(together != drawn({each.front()}));
    }

    void otherColoursNeedNoLookAtTheValues() {
        Heatmap map = manyValues(20, 20);
        const Panel panel = panelOf(map);
        const FigureStyle light = figureStyle(StyleKind::light);
        FigureStyle magma = light;
        magma.sequentialMap = QStringLiteral("magma");
        MapPainter painter;
        static_cast<void>(painted(painter, map, panel, QSize(20, 20), light));
        const QRgb expected = expectedColor(map, 3, 4, magma);
        std::ranges::fill(map.values, 0.5);
        QCOMPARE(painted(painter, map, panel, QSize(20, 20), magma).pixel(4, 3), expected);
        painter.startMap();
        QCOMPARE(painted(painter, map, panel, QSize(20, 20), magma).pixel(4, 3),
                 expectedColor(map, 3, 4, magma));
    }

    void smallNumbersInLogColoursAreWrittenShort() {
        Heatmap map;
        map.scale = AxisScale::log10;
        QCOMPARE(cellText(map, 0.25), QStringLiteral("0.25"));
        QCOMPARE(cellText(map, 0.0123), QStringLiteral("0.01"));
        QCOMPARE(cellText(map, 0.0031), QStringLiteral("3e\u22123"));
        QCOMPARE(cellText(map, 9.7e-6), QStringLiteral("1e\u22125"));
        QCOMPARE(cellText(map, 0.0), QStringLiteral("0"));
    }

    void numbersOfACellHaveTheDigitsOfTheirMap() {
        Heatmap map;
        QCOMPARE(cellText(map, 0.314), QStringLiteral("0.31"));
        QCOMPARE(cellText(map, 0.314, CellRoom::narrow), QStringLiteral(".31"));
        QCOMPARE(cellText(map, 1.0), QStringLiteral("1.00"));
        QCOMPARE(cellText(map, 1.0, CellRoom::narrow), QStringLiteral("1.0"));
        map.high = 0.05;
        QCOMPARE(cellText(map, 0.0314), QStringLiteral("0.031"));
        map.high = 5e-5;
        QCOMPARE(cellText(map, 4.26e-6), QStringLiteral("4.3e\u22126"));
        map.low = -20.0;
        map.high = 5.0;
        QCOMPARE(cellText(map, -12.34, CellRoom::narrow), QStringLiteral("\u221212.3"));
        map.map = ColorMapKind::diverging;
        QCOMPARE(cellText(map, 0.0), QStringLiteral("0"));
    }

    void aNumberHasTheContrastThatReadingNeeds() {
        const auto luminance = [](const QColor& color) {
            const auto linear = [](double part) {
                return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
            };
            return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
                   0.0722 * linear(color.blueF());
        };
        for (const QString& name : colormapNames()) {
            for (const QRgb ground : colormap(name)) {
                const double one = luminance(QColor(ground)), other = luminance(inkOn(ground));
                const double contrast = (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
                QVERIFY2(contrast >= 4.2, qPrintable(name));
            }
        }
    }

    void aNumberThatWouldBeCutIsLeftOut() {
        Heatmap map = manyValues(1, 3);
        Heatmap silent = map;
        map.writeValues = true;
        const FigureStyle style = figureStyle(StyleKind::light);
        const Panel panel = panelOf(map);
        MapPainter painter, ofSilent;
        // 100 pixels a cell: 10 of the first, all of the second, 40 of the third.
        const PlotRange range{0.4, 1.9, -0.5, 0.5};
        const QImage written = painted(painter, map, panel, QSize(150, 60), style, 1.0, range);
        const QImage bare = painted(ofSilent, silent, panel, QSize(150, 60), style, 1.0, range);
        const auto differs = [&](int begin, int end) {
            const QRect part(begin, 0, end - begin, 60);
            return written.copy(part) != bare.copy(part);
        };
        QVERIFY(!differs(0, 10));
        QVERIFY(differs(10, 110));
        QVERIFY(differs(110, 150));
        QVERIFY(!differs(148, 150));
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::MapPainterTest)
#include "map_painter_test.moc"
