// A small program of its own that offers one file to be dragged from it: the drop in the acceptance run comes
// from outside.
//   drag_source FILE        a 120 × 60 window at the lower right of the screen

#include <QApplication>
#include <QDrag>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

namespace {

class DragSource : public QLabel {
public:
    explicit DragSource(const QString& file) : m_file(file) {
        setText(QStringLiteral("drag me"));
        setAlignment(Qt::AlignCenter);
        setWindowFlags(Qt::FramelessWindowHint | Qt::WindowStaysOnTopHint);
        setGeometry(1300, 820, 120, 60);
    }

protected:
    void mouseMoveEvent(QMouseEvent* event) override {
        if (!(event->buttons() & Qt::LeftButton)) {
            return;
        }
        auto* dragged = new QMimeData;
        dragged->setUrls({QUrl::fromLocalFile(m_file)});
        auto* drag = new QDrag(this);
        drag->setMimeData(dragged);
        drag->exec(Qt::CopyAction);
    }

private:
    QString m_file;
};

}  // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    DragSource source(QString::fromLocal8Bit(argv[1]));
    source.show();
    return QApplication::exec();
}
