#include "app/benchmark/serve.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/benchmark/attention_data.h"
#include "app/benchmark/painted_map.h"
#include "app/benchmark/row.h"
#include "app/benchmark/shown_window.h"
#include "app/benchmark/words.h"
#include "app/command_line.h"
#include "app/streams.h"
#include "core/attention/order_sweep.h"
#include "core/attention/permutations.h"
#include "core/export/figure_text.h"
#include "core/import/npy.h"
#include "core/phase/cos_sin_table.h"

namespace phaseladder::app {
namespace {

using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

double milliseconds(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

template <class T>
T valueOrThrow(Result<T> result) {
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return std::move(*result);
}

NumberTable readTable(const std::string& path) {
    OpenFile file = valueOrThrow(OpenFile::open(path));
    NumberTable table = valueOrThrow(readNpy(file));
    if (table.shape.size() != 2) {
        throw std::runtime_error("A matrix is needed in " + path + ".");
    }
    return table;
}

HeadRows readRows(const std::string& path) {
    const NumberTable table = readTable(path);
    FloatRows rows(table.shape[0], table.shape[1]);
    std::transform(table.values.begin(), table.values.end(), rows.data(),
                   [](double value) { return static_cast<float>(value); });
    return HeadRows(std::move(rows));
}

void writeMatrix(const std::string& path, std::int64_t rows, std::int64_t columns,
                 std::vector<double> values) {
    Figure figure;
    figure.matrix = Matrix{rows, columns, std::move(values)};
    const std::vector<std::uint8_t> bytes = writeNpy(figure);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file) {
        throw std::runtime_error("Cannot write " + path + ".");
    }
}

void writeRows(const std::string& path, const HeadRows& rows) {
    const RowMatrix matrix = rows.matrix();
    writeMatrix(path, matrix.rows(), matrix.cols(), {matrix.data(), matrix.data() + matrix.size()});
}

/// Answers one line after the other; keeps the data, the last map and the widget between them.
class Server {
public:
    Json answer(const std::string& line) {
        std::istringstream stream(line);
        Words words;
        for (std::string word; stream >> word;) {
            words.push_back(std::move(word));
        }
        const std::map<std::string, Json (Server::*)(const Words&)> commands{
            {"data", &Server::data},     {"map", &Server::map},       {"preview", &Server::map},
            {"window", &Server::window}, {"phases", &Server::phases}, {"draw", &Server::draw},
            {"orders", &Server::orders}, {"memory", &Server::memory}, {"picture", &Server::picture},
            {"tick", &Server::tick}};
        const auto command = words.empty() ? commands.end() : commands.find(words.front());
        if (command == commands.end()) {
            throw std::runtime_error("No such work.");
        }
        return (this->*command->second)(words);
    }

private:
    Json data(const Words& words) {
        m_data = {readRows(words.at(1)), readRows(words.at(2))};
        return {{"tokens", m_data.tokens()}};
    }

    Json map(const Words& words) {
        const double theta = std::stod(words.at(1));
        const std::int64_t pixels = std::stoll(words.at(2));
        const bool isPreview = words.front() == "preview";
        AttentionResult result;
        const double compute = milliseconds([&] {
            m_backend = makeCpuBackend();
            if (theta > 0.0) {
                m_problem = ropeProblem(m_data, theta);
            } else {
                auto problem = std::make_shared<AttentionProblem>();
                problem->queries = m_data.queries;
                problem->keys = m_data.keys;
                problem->causal = true;
                m_problem = std::move(problem);
            }
            result =
                runOrThrow(*m_backend, wholeMap(m_problem, pixels, isPreview ? std::stoll(words.at(3)) : 0));
        });
        if (!isPreview && words.size() > 3) {
            writeMatrix(words[3], result.pixelRows, result.pixelColumns, result.map);
        }
        m_drawnFile.clear();
        return drawn(compute, std::move(result));
    }

    /// Writes the last map as it is painted with colours from 0 to a value.
    Json picture(const Words& words) {
        m_widget.setHigh(std::stod(words.at(1)));
        if (!m_widget.grab().save(QString::fromStdString(words.at(2)))) {
            throw std::runtime_error("Cannot write " + words[2] + ".");
        }
        return Json::object();
    }

    Json window(const Words& words) {
        const std::int64_t top = std::stoll(words.at(1)), left = std::stoll(words.at(2));
        const std::int64_t side = std::stoll(words.at(3));
        AttentionRequest request = wholeMap(m_problem, side);
        request.map->window = {top, top + side, left, left + side};
        AttentionResult result;
        const double compute = milliseconds([&] { result = runOrThrow(*m_backend, request); });
        return drawn(compute, std::move(result));
    }

    Json drawn(double compute, AttentionResult result) {
        const double draw = milliseconds([&] {
            m_widget.setValues(result.pixelRows, result.pixelColumns, std::move(result.map), result.masked,
                               0.01);
            m_widget.paintNow();
        });
        return {{"ms", compute + draw}, {"compute_ms", compute}, {"draw_ms", draw}};
    }

    Json phases(const Words& words) {
        const double theta = std::stod(words.at(1));
        const auto pairs = std::stoul(words.at(2));
        const auto positions = std::stoul(words.at(3));
        m_cosine.resize(pairs * positions);
        m_sine.resize(m_cosine.size());
        const double time = milliseconds([&] {
            CosSinTable(phaseTurns(plainLadder(theta, static_cast<int>(2 * pairs))),
                        static_cast<std::int64_t>(positions))
                .fill(m_cosine, m_sine);
        });
        if (words.size() > 4) {
            std::vector<double> both(m_cosine.begin(), m_cosine.end());
            both.insert(both.end(), m_sine.begin(), m_sine.end());
            writeMatrix(words[4], static_cast<std::int64_t>(2 * positions), static_cast<std::int64_t>(pairs),
                        std::move(both));
        }
        return {{"ms", time}};
    }

    Json draw(const Words& words) {
        if (words.at(1) != m_drawnFile) {
            NumberTable table = readTable(words[1]);
            m_widget.setValues(table.shape[0], table.shape[1], std::move(table.values), {},
                               std::stod(words.at(2)));
            m_drawnFile = words[1];
        }
        return {{"ms", milliseconds([&] { m_widget.paintNow(); })}};
    }

    Json orders(const Words& words) {
        const int tokens = std::stoi(words.at(1));
        Scene scene;
        scene.tokens = differentWords(tokens);
        OrderDifferences differences;
        const double time = milliseconds([&] {
            const OrderSweep sweep = valueOrThrow(OrderSweep::create(scene, {}));
            differences = valueOrThrow(sweep.differences(identityOrder(tokens), {}));
        });
        if (words.size() > 2) {
            const std::string& folder = words[2];
            const auto problem = makeProblem(scene, valueOrThrow(makePlan(scene, tokens)));
            writeRows(folder + "/queries.npy", problem->queries);
            writeRows(folder + "/keys.npy", problem->keys);
            writeRows(folder + "/values.npy", problem->values);
            writeMatrix(folder + "/largest.npy", 1, tokens, differences.largest);
        }
        return {{"ms", time}};
    }

    Json tick(const Words& words) {
        const double theta = std::stod(words.at(1)), width = std::stod(words.at(2));
        if (!m_window || m_window->scene().headDim != static_cast<int>(width)) {
            m_window.emplace(std::vector<std::pair<QString, ParameterValue>>{
                {QStringLiteral("tokens"), differentWords(256)},
                {QStringLiteral("head_dim"), width},
                {QStringLiteral("causal"), true}});
        }
        const double time = milliseconds([&] { m_window->set(QStringLiteral("rope.theta"), theta); });
        if (words.size() > 3) {
            const Scene& scene = m_window->scene();
            const auto tokens = static_cast<std::int64_t>(scene.tokens.size());
            const auto problem = makeProblem(scene, valueOrThrow(makePlan(scene, tokens)));
            writeRows(words[3] + "/queries.npy", problem->queries);
            writeRows(words[3] + "/keys.npy", problem->keys);
            AttentionResult result = runOrThrow(*makeReferenceBackend(), wholeMap(problem, tokens));
            writeMatrix(words[3] + "/weights.npy", tokens, tokens, std::move(result.map));
        }
        return {{"ms", time}};
    }

    Json memory(const Words&) { return {{"peak_megabytes", peakMegabytes()}}; }

    AttentionData m_data;
    std::unique_ptr<Backend> m_backend = makeCpuBackend();
    std::shared_ptr<const AttentionProblem> m_problem;
    std::vector<float> m_cosine, m_sine;
    PaintedMap m_widget;
    std::optional<ShownWindow> m_window;  // of the ticks
    std::string m_drawnFile;
};

}  // namespace

int serveBenchmark() {
    Server server;
    for (std::string line; std::getline(std::cin, line);) {
        Json answer;
        try {
            answer = server.answer(line);
        } catch (const std::exception& exception) {
            answer = {{"error", exception.what()}};
        }
        if (const int code = printOutput(answer.dump() + "\n"); code != exitDone) {
            return code;
        }
    }
    return exitDone;
}

}  // namespace phaseladder::app
