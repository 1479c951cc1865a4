#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QAction;
class QToolButton;

namespace phaseladder::ui {

/// Whether a command may go behind "More" where the row has no room for all.
enum class ToolPlace { row, rowOrMenu };

/// Commands as links in a row; in a narrow window the lesser ones are behind "More".
class StripTools : public QWidget {
    Q_OBJECT

public:
    explicit StripTools(QWidget* parent = nullptr);

    /// `name` is the link's object name; its command's is NAME_action. `help` is the tool tip.
    QAction* add(ToolPlace place, const QString& name, const QString& text, const QString& help,
                 std::function<void()> run);

    /// The most pixels that the row should take.
    void setRoom(int pixels);

    QSize minimumSizeHint() const override;

private:
    struct Tool {
        ToolPlace place;
        QToolButton* link;
    };

    [[nodiscard]] QToolButton* makeLink(const QString& name);
    [[nodiscard]] int widthOf(ToolPlace place) const;
    void fit();

    std::vector<Tool> m_tools;
    QToolButton* m_more;
    int m_room = 0;
};

}  // namespace phaseladder::ui
