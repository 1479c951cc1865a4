#include "core/attention/assignment.h"

#include <cassert>
#include <limits>

namespace phaseladder {

std::vector<int> bestAssignment(std::span<const double> gains, int rows, int columns) {
    assert(rows <= columns && gains.size() == static_cast<std::size_t>(rows) * columns);
    // Rows and columns count from 1; column 0 holds the row that looks for a place. Costs are minus the
    // gains.
    const auto width = static_cast<std::size_t>(columns) + 1;
    std::vector<double> rowPotential(static_cast<std::size_t>(rows) + 1, 0.0), columnPotential(width, 0.0);
    std::vector<std::size_t> rowOfColumn(width, 0), previousColumn(width, 0);
    std::vector<double> slack(width);
    std::vector<char> isReached(width);
    for (std::size_t newRow = 1; newRow <= static_cast<std::size_t>(rows); ++newRow) {
        rowOfColumn[0] = newRow;
        slack.assign(width, std::numeric_limits<double>::infinity());
        isReached.assign(width, 0);
        std::size_t column = 0;
        do {
            isReached[column] = 1;
            const std::size_t row = rowOfColumn[column];
            double step = std::numeric_limits<double>::infinity();
            std::size_t nextColumn = 0;
            for (std::size_t other = 1; other < width; ++other) {
                if (isReached[other] != 0) {
                    continue;
                }
                const double gain = gains[(row - 1) * static_cast<std::size_t>(columns) + other - 1];
                const double reduced = -gain - rowPotential[row] - columnPotential[other];
                if (reduced < slack[other]) {
                    slack[other] = reduced;
                    previousColumn[other] = column;
                }
                if (slack[other] < step) {
                    step = slack[other];
                    nextColumn = other;
                }
            }
            for (std::size_t other = 0; other < width; ++other) {
                if (isReached[other] != 0) {
                    rowPotential[rowOfColumn[other]] += step;
                    columnPotential[other] -= step;
                } else {
                    slack[other] -= step;
                }
            }
            column = nextColumn;
        } while (rowOfColumn[column] != 0);
        for (; column != 0; column = previousColumn[column]) {
            rowOfColumn[column] = rowOfColumn[previousColumn[column]];
        }
    }
    std::vector<int> columnOfRow(static_cast<std::size_t>(rows), -1);
    for (std::size_t column = 1; column < width; ++column) {
        if (rowOfColumn[column] != 0) {
            columnOfRow[rowOfColumn[column] - 1] = static_cast<int>(column) - 1;
        }
    }
    return columnOfRow;
}

}  // namespace phaseladder
