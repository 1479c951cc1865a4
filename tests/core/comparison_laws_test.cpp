#include <QTest>

#include <map>

#include "tests/core/comparison_test_parts.h"

namespace phaseladder::test {

namespace {

/// A figure's own, in the same resolution.
Figure alone(const std::string& id, const Scene& scene) {
    FigureRequest request;
    request.id = id;
    request.pixelColumns = request.pixelRows = 256;
    return figureOf(scene, request);
}

/// The rows of a table by the columns that name them: the first, or the first two.
using Rows = std::map<std::pair<double, double>, std::size_t>;

Rows rowsOf(const std::vector<TableColumn>& table, bool hasTwoKeys) {
    Rows rows;
    for (std::size_t row = 0; !table.empty() && row < table[0].values.size(); ++row) {
        rows.emplace(std::pair(table[0].values[row], hasTwoKeys ? table[1].values[row] : 0.0), row);
    }
    return rows;
}

bool hasTwoKeys(const std::vector<TableColumn>& differences) {
    return differences.size() > 1 && !differences[1].name.starts_with("delta_");
}

const TableColumn* findColumn(const Figure& figure, std::string_view name) {
    const auto found = std::ranges::find(figure.table, name, &TableColumn::name);
    return found == figure.table.end() ? nullptr : &*found;
}

/// Equal, or both without a number.
bool isSame(double left, double right) {
    return left == right || (std::isnan(left) && std::isnan(right));
}

/// What x has for y; several y at one x in their order.
std::multimap<double, double> pointsOf(const std::vector<double>& x, const std::vector<double>& y) {
    std::multimap<double, double> points;
    for (std::size_t index = 0; index < x.size(); ++index) {
        points.emplace(x[index], y[index]);
    }
    return points;
}

template <class LayerType>
bool areOpposite(const Panel& one, const Panel& other) {
    const std::vector<LayerType> left = layersOf<LayerType>(one);
    const std::vector<LayerType> right = layersOf<LayerType>(other);
    const auto drawn = [&one](const auto& layer, double sign) {
        LayerType signedLayer = layer;
        for (double& y : signedLayer.y) {
            y *= sign;
        }
        for (double& x : signedLayer.x) {
            x *= one.isPlane ? sign : 1.0;  // both are coordinates
        }
        return pointsOf(signedLayer.x, signedLayer.y);
    };
    const auto hasOpposite = [&](const LayerType& layer) {
        return std::ranges::any_of(right, [&](const LayerType& counterpart) {
            return std::ranges::equal(drawn(layer, 1.0), drawn(counterpart, -1.0),
                                      [](const auto& a, const auto& b) {
                                          return a.first == b.first && isSame(a.second, b.second);
                                      });
        });
    };
    return left.size() == right.size() && std::ranges::all_of(left, hasOpposite);
}

/// A figure of a pair of scenes: each apart, and their differences there and back.
struct ComparedPair {
    std::string figure, where;
    Figure pinned, live, difference, back;
};

std::vector<ComparedPair> everyComparedPair() {
    std::vector<ComparedPair> all;
    for (const FigureKind& kind : figureKinds()) {
        for (const auto& [pinned, live] : comparedScenes()) {
            all.push_back({kind.id, kind.id + ' ' + pinned.encoding + ' ' + live.encoding + ' ',
                           alone(kind.id, pinned), alone(kind.id, live),
                           compared(kind.id, pinned, live, CompareMode::difference),
                           compared(kind.id, live, pinned, CompareMode::difference)});
        }
    }
    return all;
}

}  // namespace

class ComparisonLawsTest : public QObject {
    Q_OBJECT

    std::vector<ComparedPair> m_pairs;

private Q_SLOTS:
    void initTestCase() { m_pairs = everyComparedPair(); }

    void theSameSettingsGiveExactlyZeroInEveryFigure() {
        std::vector<Scene> scenes{
            sceneWith({{"encoding", "sinusoidal"}, {"causal", "false"}}),
            sceneWith({{"scaling", "yarn"}, {"view.values", "logits"}, {"order", "2,1,0"}}),
            sceneWith({{"encoding", "alibi"}, {"text.length", "300"}, {"head_dim", "32"}}),
            sceneWith({{"view.positions", "131072"}, {"head_dim", "128"}})};
        for (const Encoding& encoding : encodings()) {
            scenes.push_back(sceneWith({{"encoding", encoding.id}, {"head_dim", "32"}}));
        }
        for (const FigureKind& kind : figureKinds()) {
            for (const Scene& scene : scenes) {
                const Figure figure = compared(kind.id, scene, scene, CompareMode::difference);
                const Figure own = alone(kind.id, scene);
                const std::string where = kind.id + ' ' + scene.encoding + ' ';
                QVERIFY2(figure.panels.empty() == own.panels.empty(), where.c_str());
                for (const Panel& panel : figure.panels) {
                    QVERIFY2(saysNoDifference(panel), (where + panel.id).c_str());
                }
                for (const Readout& readout : figure.readouts) {
                    const double* value = std::get_if<double>(&readout.value);
                    QVERIFY2(value == nullptr || *value == 0.0 || std::isnan(*value),
                             (where + readout.id).c_str());
                }
                for (const TableColumn& column : figure.table) {
                    QVERIFY2(!column.name.starts_with("delta_") || areAllZero(column.values),
                             (where + column.name).c_str());
                }
                QVERIFY(!figure.matrix || areAllZero(figure.matrix->values));
                QCOMPARE(figure.matrix.has_value(), own.matrix.has_value());
            }
        }
    }

    void differencesAreThoseOfTheFiguresComputedApart() {
        for (const ComparedPair& pair : m_pairs) {
            const bool twoKeys = hasTwoKeys(pair.difference.table);
            const Rows rows = rowsOf(pair.difference.table, twoKeys);
            const Rows rowsOfA = rowsOf(pair.pinned.table, twoKeys);
            for (const auto& [key, rowOfB] : rowsOf(pair.live.table, twoKeys)) {
                const auto row = rows.find(key);
                QVERIFY2(row != rows.end(), pair.where.c_str());
                const auto rowOfA = rowsOfA.find(key);
                for (const TableColumn& column : pair.difference.table) {
                    const std::string name = column.name.starts_with("delta_") ? column.name.substr(6) : "";
                    const TableColumn* ofA = findColumn(pair.pinned, name);
                    if (ofA != nullptr && rowOfA != rowsOfA.end()) {
                        const double before = ofA->values[rowOfA->second];
                        const double now = findColumn(pair.live, name)->values[rowOfB];
                        QVERIFY2(isSame(column.values[row->second], before == now ? 0.0 : now - before),
                                 (pair.where + name).c_str());
                    }
                }
            }
        }
    }

    void matricesAreSubtractedCellByCell() {
        int matrices = 0;
        for (const ComparedPair& pair : m_pairs) {
            if (!pair.difference.matrix || pair.pinned.matrix->rows != pair.live.matrix->rows ||
                pair.pinned.matrix->columns != pair.live.matrix->columns) {
                continue;
            }
            ++matrices;
            for (std::size_t cell = 0; cell < pair.difference.matrix->values.size(); ++cell) {
                const double before = pair.pinned.matrix->values[cell];
                const double now = pair.live.matrix->values[cell];
                const double difference = before == now             ? 0.0
                                          : pair.figure == "phases" ? std::remainder(now - before, 2.0 * M_PI)
                                                                    : now - before;
                QVERIFY2(isSame(pair.difference.matrix->values[cell], difference), pair.where.c_str());
            }
        }
        QVERIFY(matrices > 100);
    }

    void changingPlacesChangesTheSign() {
        for (const ComparedPair& pair : m_pairs) {
            const Figure& there = pair.difference;
            QCOMPARE(there.matrix.has_value(), pair.back.matrix.has_value());
            for (std::size_t cell = 0; there.matrix && cell < there.matrix->values.size(); ++cell) {
                QVERIFY2(isSame(there.matrix->values[cell], -pair.back.matrix->values[cell]),
                         pair.where.c_str());
            }
            for (const Panel& panel : there.panels) {
                const auto same = std::ranges::find(pair.back.panels, panel.id, &Panel::id);
                if (same == pair.back.panels.end() || panel.y.laneHeight > 0.0) {
                    continue;
                }
                QVERIFY2(areOpposite<Curve>(panel, *same), (pair.where + panel.id).c_str());
                QVERIFY2(areOpposite<Points>(panel, *same), (pair.where + panel.id).c_str());
                QVERIFY2(areOpposite<Bars>(panel, *same), (pair.where + panel.id).c_str());
            }
        }
    }

    /// Nothing is blank without a word: a picture, or a sentence with what to do.
    void aBlankDifferenceSaysWhyAndWhatToDo() {
        for (const ComparedPair& pair : m_pairs) {
            QVERIFY2(!pair.difference.panels.empty() || !pair.difference.emptyState.empty(),
                     pair.where.c_str());
            for (const Panel& panel : pair.difference.panels) {
                const bool isBlank = std::ranges::all_of(panel.layers, [](const Layer& layer) {
                    return std::holds_alternative<Rule>(layer) || std::holds_alternative<Band>(layer);
                });
                QVERIFY2(!isBlank, (pair.where + panel.id).c_str());
            }
        }
    }

    void denseWavesAreSubtractedAtEveryDistanceThatBothDefine() {
        for (const auto& [pinned, live] :
             {std::pair(sceneWith({{"encoding", "rope"}}), sceneWith({{"encoding", "sinusoidal"}})),
              std::pair(sceneWith({{"length.target", "300"}}), sceneWith({{"encoding", "xpos"}})),
              std::pair(sceneWith({{"encoding", "t5"}, {"length.target", "2048"}}), Scene())}) {
            const Figure delta = compared("decay", pinned, live, CompareMode::difference);
            const std::vector<double> distances = columnOf(delta, "distance");
            const std::vector<double> differences = columnOf(delta, "delta_score");
            QCOMPARE(distances.back(), 8192.0);
            QVERIFY(std::ranges::none_of(differences, [](double value) { return std::isnan(value); }));
            // What is drawn holds all of it: points of the lines, or the range of a column.
            const Panel& panel = panelOf(delta);
            const std::vector<Curve> curves = layersOf<Curve>(panel);
            const std::vector<Envelope> envelopes = layersOf<Envelope>(panel);
            double drawnTo = 0.0;
            for (const Curve& curve : curves) {
                drawnTo = std::max(drawnTo, curve.x.back());
            }
            for (const Envelope& envelope : envelopes) {
                drawnTo = std::max(drawnTo, envelope.x.back());
                for (std::size_t bin = 0; bin + 1 < envelope.dense.binEdges.size(); ++bin) {
                    for (std::size_t at = 0; at < distances.size(); ++at) {
                        const bool isInside = distances[at] >= envelope.dense.binEdges[bin] &&
                                              distances[at] < envelope.dense.binEdges[bin + 1];
                        QVERIFY(!isInside || (envelope.low[bin] <= differences[at] &&
                                              differences[at] <= envelope.high[bin]));
                    }
                }
            }
            QCOMPARE(drawnTo, 8192.0);
        }
    }

    void staircasesOfOtherReachAreSubtractedAsFarAsTheLargerOne() {
        const Figure delta =
            compared("relative-bias", sceneWith({{"encoding", "t5"}, {"t5.max_distance", "64"}}),
                     sceneWith({{"encoding", "t5"}, {"t5.max_distance", "256"}}), CompareMode::difference);
        const std::vector<double> offsets = columnOf(delta, "offset");
        const std::vector<double> differences = columnOf(delta, "delta_head_0");
        QVERIFY(offsets.back() > 256.0);
        const auto panel = std::ranges::find(delta.panels, std::string("curves"), &Panel::id);
        const Curve stairs = layersOf<Curve>(*panel).at(0);
        QVERIFY(stairs.isStaircase);
        for (std::size_t at = 0; at < offsets.size(); ++at) {
            const auto corner = std::ranges::upper_bound(stairs.x, offsets[at]);
            QVERIFY(corner != stairs.x.begin() && corner != stairs.x.end());
            const auto index = static_cast<std::size_t>(corner - stairs.x.begin());
            QCOMPARE(stairs.y[index], stairs.y[index - 1]);  // flat at each offset
            QCOMPARE(stairs.y[index], differences[at]);
        }
    }

    void mapsOfOtherSizesAreComparedWhereBothAre() {
        const Figure delta = compared("attention", sceneWith({{"text.length", "4"}}),
                                      sceneWith({{"text.length", "6"}}), CompareMode::difference);
        const auto map = onlyLayer<Heatmap>(delta);
        QCOMPARE(map.rows, std::int64_t(6));
        for (std::int64_t row = 0; row < 6; ++row) {
            for (std::int64_t column = 0; column < 6; ++column) {
                QCOMPARE(map.states.at(static_cast<std::size_t>(6 * row + column)) == CellState::shown,
                         row < 4 && column < 4);
            }
        }
        QVERIFY(says(delta, "4 × 4 of 6 × 6 cells are compared"));
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::ComparisonLawsTest)
#include "comparison_laws_test.moc"
