#include "ui/controls/token_strip.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

#include "core/attention/permutations.h"
#include "core/import/text.h"
#include "ui/controls/order_line.h"
#include "ui/controls/order_stepper.h"
#include "ui/controls/segmented_control.h"
#include "ui/controls/strip_tools.h"
#include "ui/controls/toggle_switch.h"
#include "ui/controls/token_chips.h"
#include "ui/controls/token_order.h"
#include "ui/controls/words_editor.h"
#include "ui/document.h"
#include "ui/figure/figure_link.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int toolDistance = 12;

}  // namespace

struct TokenStrip::Parts {
    Parts(TokenStrip* owner, SceneDocument* sceneDocument, FigureLink* figureLink)
        : strip(owner), document(sceneDocument), link(figureLink) {}

    void build();
    void buildTools();
    void showScene();
    void showSwap();
    void fitTools();
    void showMarks();
    void markFigures(int position);
    [[nodiscard]] const SharedList<int>& order();
    [[nodiscard]] OrderedTokens content();
    void setOrder(const std::vector<int>& order);
    void lookAt(const QString& id, int position);
    void setContent(const OrderedTokens& changed);
    void replaceWords(int position, const QString& text);
    void insertWords(int position, const QString& text);
    bool replaceText(const QString& text);
    [[nodiscard]] std::optional<std::vector<std::string>> readWords(const QString& text);
    void refuse(const QString& sentence);

    TokenStrip* strip;
    SceneDocument* document;
    FigureLink* link;
    TokenChips* chips = nullptr;
    WordsEditor* words = nullptr;
    QStackedLayout* stack = nullptr;
    StripTools* tools = nullptr;
    QAction* shuffleTool = nullptr;
    QAction* swapTool = nullptr;
    QAction* holdTool = nullptr;
    bool holdsLast = false;
    SegmentedControl* viewBy = nullptr;
    ToggleSwitch* causal = nullptr;
    OrderLine* permutation = nullptr;
    OrderStepper* stepper = nullptr;
    QLabel* refusal = nullptr;
    QLabel* verdict = nullptr;
    int shuffleSeed = 0;
    SharedList<int> identity;  // of the tokens, made where the text is in its own order
};

void TokenStrip::Parts::build() {
    chips = new TokenChips(strip);
    strip->setFocusProxy(chips);
    words = new WordsEditor(strip);
    auto* front = new QWidget(strip);
    stack = new QStackedLayout(front);
    stack->addWidget(chips);
    stack->addWidget(words);
    front->setFixedHeight(chips->height());

    auto* first = new QHBoxLayout;
    first->setSpacing(0);
    first->addWidget(front, 1);
    first->addSpacing(toolDistance);
    tools = new StripTools(strip);
    first->addWidget(tools, 0, Qt::AlignTop);
    buildTools();

    viewBy = new SegmentedControl(
        QStringLiteral("strip"), findParameter("view.by")->choices,
        {{"position", tr("by position").toStdString()}, {"token", tr("by token").toStdString()}}, strip);
    viewBy->setAccessibleName(tr("Map by"));
    viewBy->setHelp(QStringLiteral("position"), tr("Rows and columns of the maps move with the tokens"));
    viewBy->setHelp(QStringLiteral("token"),
                    tr("Rows and columns stay with their tokens: an order-blind map does not change"));
    viewBy->setObjectName(QStringLiteral("strip_view_by"));
    for (const char* choice : {"position", "token"}) {
        const QString id = QLatin1StringView(choice);
        viewBy->findChild<QWidget*>(QStringLiteral("segment_strip_") + id)
            ->setObjectName(QStringLiteral("strip_by_") + id);
    }
    causal = new ToggleSwitch(tr("causal"), strip);
    causal->setObjectName(QStringLiteral("strip_causal"));
    causal->setAccessibleName(tr("Causal mask"));
    causal->setToolTip(QString::fromStdString(findParameter("causal")->help));
    permutation = new OrderLine(strip);
    permutation->setObjectName(QStringLiteral("strip_permutation"));
    stepper = new OrderStepper(strip);
    refusal = new QLabel(strip);
    refusal->setObjectName(QStringLiteral("strip_refusal"));
    refusal->setProperty("failure", true);
    refusal->setTextFormat(Qt::PlainText);
    refusal->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    refusal->hide();
    verdict = new QLabel(strip);
    verdict->setObjectName(QStringLiteral("strip_verdict"));
    verdict->setTextFormat(Qt::PlainText);
    verdict->hide();
    auto* second = new QHBoxLayout;
    second->setSpacing(12);
    second->addWidget(viewBy);
    second->addWidget(causal);
    second->addWidget(stepper);
    second->addWidget(permutation, 1);
    second->addWidget(refusal, 2);
    second->addWidget(verdict);

    auto* lines = new QVBoxLayout(strip);
    lines->setContentsMargins(12, 7, 12, 7);
    lines->setSpacing(2);
    lines->addLayout(first);
    lines->addLayout(second);
}

void TokenStrip::Parts::buildTools() {
    const auto add = [this](ToolPlace place, const char* name, const QString& text, const QString& help,
                            void (TokenStrip::*run)()) {
        return tools->add(place, QLatin1StringView(name), text, help, [this, run] { (strip->*run)(); });
    };
    add(ToolPlace::row, "strip_reverse", tr("Reverse"), tr("Last token first"), &TokenStrip::reverse);
    add(ToolPlace::rowOrMenu, "strip_rotate", tr("Rotate"),
        tr("Every token one place on, the last one first"), &TokenStrip::rotate);
    swapTool = add(ToolPlace::rowOrMenu, "strip_swap", tr("Swap pair"), QString(), &TokenStrip::swapPair);
    shuffleTool = add(ToolPlace::row, "strip_shuffle", tr("Shuffle"),
                      tr("Another order; each press takes the next seed"), &TokenStrip::shuffle);
    add(ToolPlace::row, "strip_identity", tr("Identity"), tr("The text's own order"), &TokenStrip::identity);
    holdTool = add(ToolPlace::rowOrMenu, "strip_hold_last", tr("Hold last"),
                   tr("Step through the orders of the other tokens only: the last one stays last"),
                   &TokenStrip::toggleHeldLast);
    add(ToolPlace::rowOrMenu, "strip_edit_text", tr("Edit text"), tr("All words in one field"),
        &TokenStrip::editText);
}

void TokenStrip::Parts::showSwap() {
    const QString obstacle = strip->swapRefusal();
    const QString help = obstacle.isEmpty()
                             ? tr("The two selected tokens change places, or the focused one and the next")
                             : obstacle;
    if (swapTool->toolTip() != help) {
        swapTool->setToolTip(help);
        swapTool->setEnabled(obstacle.isEmpty());
        Q_EMIT strip->swapRefusalChanged(obstacle);
    }
}

/// The tools have the room that the tokens leave; those that fold do so before a token has to be scrolled to.
void TokenStrip::Parts::fitTools() {
    const QMargins margins = strip->layout()->contentsMargins();
    tools->setRoom(strip->width() - margins.left() - margins.right() - toolDistance - chips->contentWidth());
}

/// The present order, written out.
const SharedList<int>& TokenStrip::Parts::order() {
    const Scene& scene = document->scene();
    if (!scene.order.empty()) {
        return scene.order;
    }
    if (identity.size() != scene.tokens.size()) {
        identity = identityOrder(static_cast<int>(scene.tokens.size()));
    }
    return identity;
}

/// A copy, to be edited.
OrderedTokens TokenStrip::Parts::content() {
    return {document->scene().tokens, order()};
}

void TokenStrip::Parts::showScene() {
    chips->setContent(document->scene().tokens, order());
    fitTools();
    permutation->setOrder(order());
    stepper->setOrder(order());
    const QString by =
        document->scene().view.by == ViewBy::position ? QStringLiteral("position") : QStringLiteral("token");
    if (viewBy->current() != by) {
        viewBy->setCurrent(by);
    }
    causal->setChecked(document->scene().causal);
    chips->setViewed(viewedToken(document->scene()), viewedKey(document->scene()));
    refuse(QString());
    showMarks();
}

void TokenStrip::Parts::showMarks() {
    const int count = chips->count();
    std::optional<double> mark = link->mark(AxisMeaning::queryToken);
    if (!mark) {
        mark = link->mark(AxisMeaning::keyToken);
    }
    const bool isInText =
        mark && *mark >= 0.0 && *mark < static_cast<double>(sequenceLength(document->scene()));
    if (!isInText || count == 0) {
        chips->setMarked(-1);
        return;
    }
    // Texts longer than the list repeat it.
    const int place = static_cast<int>(std::fmod(std::round(*mark), count));
    const bool isByToken = document->scene().view.by == ViewBy::token;
    chips->setMarked(isByToken ? chips->positionOf(place) : place);
}

void TokenStrip::Parts::markFigures(int position) {
    if (position < 0) {
        link->clearMarks();
        return;
    }
    const bool isByToken = document->scene().view.by == ViewBy::token;
    const double place = isByToken ? order()[static_cast<std::size_t>(position)] : position;
    link->setMarks(
        {{AxisMeaning::queryToken, place}, {AxisMeaning::keyToken, place}, {AxisMeaning::position, position}},
        strip);
}

void TokenStrip::Parts::setOrder(const std::vector<int>& order) {
    refuse(document->setParameter(QStringLiteral("order"), order));
}

/// `id` is view.token or view.key, which count tokens in the text's own order.
void TokenStrip::Parts::lookAt(const QString& id, int position) {
    const int token = order()[static_cast<std::size_t>(position)];
    refuse(document->setParameter(id, static_cast<double>(token)));
}

void TokenStrip::Parts::setContent(const OrderedTokens& changed) {
    refuse(document->setParameters(
        {{QStringLiteral("tokens"), changed.tokens}, {QStringLiteral("order"), changed.order}}));
}

std::optional<std::vector<std::string>> TokenStrip::Parts::readWords(const QString& text) {
    const Result<TokenText> read = readTokens(text.toStdString());
    if (!read) {
        refuse(QString::fromStdString(read.error().message));
        return std::nullopt;
    }
    return read->tokens;
}

void TokenStrip::Parts::replaceWords(int position, const QString& text) {
    if (const auto typed = readWords(text)) {
        OrderedTokens changed = content();
        changed.replace(position, *typed);
        setContent(changed);
    }
}

void TokenStrip::Parts::insertWords(int position, const QString& text) {
    const auto typed = readWords(text);
    if (typed && !typed->empty()) {
        OrderedTokens changed = content();
        changed.insert(position, *typed);
        setContent(changed);
        chips->setCurrentPosition(position + static_cast<int>(typed->size()) - 1);
    }
}

bool TokenStrip::Parts::replaceText(const QString& text) {
    const auto typed = readWords(text);
    if (!typed) {
        return false;
    }
    OrderedTokens changed = content();
    const bool keepsOrder = typed->size() == changed.tokens.size();
    changed.tokens = *typed;
    if (!keepsOrder) {
        changed.order = identityOrder(static_cast<int>(typed->size()));
    }
    setContent(changed);
    return true;
}

void TokenStrip::Parts::refuse(const QString& sentence) {
    if (sentence.isEmpty() && refusal->isHidden()) {
        return;
    }
    refusal->setText(sentence);
    refusal->setToolTip(sentence);
    refusal->setVisible(!sentence.isEmpty());
    permutation->setVisible(sentence.isEmpty());
    if (!sentence.isEmpty()) {
        Q_EMIT strip->refused(sentence);
    }
}

TokenStrip::TokenStrip(SceneDocument* document, FigureLink* link, QWidget* parent)
    : QWidget(parent), m_parts(std::make_unique<Parts>(this, document, link)) {
    setObjectName(QStringLiteral("tokenStrip"));
    setAccessibleName(tr("Token strip"));
    setAttribute(Qt::WA_StyledBackground);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAcceptDrops(true);
    m_parts->build();
    m_parts->showScene();
    m_parts->showSwap();
    const TokenChips* chips = m_parts->chips;
    connect(document, &SceneDocument::sceneChanged, this, [this] { m_parts->showScene(); });
    connect(link, &FigureLink::marksChanged, this, [this] { m_parts->showMarks(); });
    connect(chips, &TokenChips::tokenChosen, this,
            [this](int position) { m_parts->lookAt(QStringLiteral("view.token"), position); });
    connect(chips, &TokenChips::keyChosen, this,
            [this](int position) { m_parts->lookAt(QStringLiteral("view.key"), position); });
    connect(chips, &TokenChips::orderChosen, this,
            [this](const std::vector<int>& order) { m_parts->setOrder(order); });
    connect(chips, &TokenChips::orderPreviewed, this, [this](const QList<int>& order) {
        SharedList<int> shown = m_parts->order();
        if (!order.isEmpty()) {
            std::vector<int> places(order.begin(), order.end());
            shown = std::move(places);
        }
        m_parts->permutation->setOrder(shown);
        m_parts->stepper->setOrder(shown);
        Q_EMIT orderPreviewed(order);
    });
    connect(chips, &TokenChips::selectionChanged, this, [this] { m_parts->showSwap(); });
    connect(chips, &TokenChips::removalChosen, this, [this](const std::vector<int>& positions) {
        OrderedTokens changed = m_parts->content();
        changed.remove(positions);
        m_parts->setContent(changed);
    });
    connect(chips, &TokenChips::wordsReplaced, this,
            [this](int position, const QString& text) { m_parts->replaceWords(position, text); });
    connect(chips, &TokenChips::wordsInserted, this,
            [this](int position, const QString& text) { m_parts->insertWords(position, text); });
    connect(chips, &TokenChips::hovered, this, [this](int position) { m_parts->markFigures(position); });
    connect(chips, &TokenChips::textWanted, this, &TokenStrip::editText);
    connect(m_parts->words, &WordsEditor::finished, this, [this](bool isApplied) {
        if (!isApplied || m_parts->replaceText(m_parts->words->toPlainText())) {
            m_parts->stack->setCurrentWidget(m_parts->chips);
        }
    });
    connect(m_parts->viewBy, &SegmentedControl::chosen, this, [this](const QString& by) {
        m_parts->refuse(m_parts->document->setParameter(QStringLiteral("view.by"), by.toStdString()));
    });
    connect(m_parts->stepper, &OrderStepper::gestureStarted, document, &SceneDocument::beginGesture);
    connect(m_parts->stepper, &OrderStepper::gestureEnded, document, &SceneDocument::endGesture);
    connect(m_parts->stepper, &OrderStepper::orderChosen, this,
            [this](const std::vector<int>& order) { m_parts->setOrder(order); });
    connect(m_parts->causal, &ToggleSwitch::clicked, this, [this](bool on) {
        m_parts->refuse(m_parts->document->setParameter(QStringLiteral("causal"), on));
    });
}

TokenStrip::~TokenStrip() {
    // An open field that loses focus applies its text: now, while everything is whole.
    hide();
}

void TokenStrip::reverse() {
    m_parts->setOrder(composedOrder(m_parts->order(), reversedOrder(m_parts->chips->count())));
}

void TokenStrip::rotate() {
    m_parts->setOrder(composedOrder(m_parts->order(), rotatedOrder(m_parts->chips->count())));
}

QString TokenStrip::swapRefusal() const {
    const TokenChips* chips = m_parts->chips;
    const std::vector<int> selected = chips->selectedPositions();
    if (chips->count() < 2) {
        return tr("Swapping takes two tokens.");
    }
    if (selected.size() > 2) {
        return tr("Swapping takes two tokens; %1 are selected.").arg(selected.size());
    }
    if (selected.size() == 1 && selected.front() + 1 == chips->count()) {
        return tr("No token follows the last one: select the two that should change places.");
    }
    return {};
}

void TokenStrip::swapPair() {
    if (!swapRefusal().isEmpty()) {
        return;
    }
    TokenChips* chips = m_parts->chips;
    const std::vector<int> selected = chips->selectedPositions();
    const int first = selected.front();
    const int second = selected.size() == 2 ? selected.back() : first + 1;
    std::vector<int> order = m_parts->order();
    std::swap(order[static_cast<std::size_t>(first)], order[static_cast<std::size_t>(second)]);
    m_parts->setOrder(order);
    chips->setSelectedPositions({first, second});  // so that the same command takes it back
}

void TokenStrip::shuffle() {
    ++m_parts->shuffleSeed;
    m_parts->shuffleTool->setText(tr("Shuffle #%1").arg(m_parts->shuffleSeed));
    m_parts->setOrder(
        shuffledOrder(m_parts->chips->count(), static_cast<std::uint64_t>(m_parts->shuffleSeed)));
}

void TokenStrip::identity() {
    m_parts->setOrder({});
}

void TokenStrip::stepOrder(int places) {
    m_parts->stepper->stepBy(places);
}

void TokenStrip::toggleHeldLast() {
    m_parts->holdsLast = !m_parts->holdsLast;
    m_parts->holdTool->setText(m_parts->holdsLast ? tr("Release last") : tr("Hold last"));
    m_parts->stepper->setHeld(m_parts->holdsLast);
}

void TokenStrip::editText() {
    m_parts->words->setPlainText(QString::fromStdString(writeTokens(m_parts->document->scene().tokens)));
    m_parts->words->selectAll();
    m_parts->stack->setCurrentWidget(m_parts->words);
    m_parts->words->setFocus();
}

QRect TokenStrip::chipRect(int position) const {
    const TokenChips* chips = m_parts->chips;
    const QRect chip = chips->chipRect(position);
    return {chips->viewport()->mapTo(this, chip.topLeft()), chip.size()};
}

void TokenStrip::setVerdict(const QString& text, const QString& explanation, bool orderBlind) {
    QLabel* verdict = m_parts->verdict;
    const QString tone = orderBlind ? QStringLiteral("good") : QStringLiteral("warning");
    verdict->setText(text);
    verdict->setToolTip(explanation);
    verdict->setVisible(!text.isEmpty());
    if (verdict->property("chip").toString() != tone) {
        verdict->setProperty("chip", tone);
        restyle(verdict);
    }
}

void TokenStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_parts->fitTools();
}

void TokenStrip::dragEnterEvent(QDragEnterEvent* event) {
    // Files are the window's: it opens whatever they are.
    if (event->mimeData()->hasText() && !event->mimeData()->hasUrls()) {
        event->acceptProposedAction();
    } else {
        event->ignore();
    }
}

void TokenStrip::dropEvent(QDropEvent* event) {
    if (m_parts->replaceText(event->mimeData()->text())) {
        event->acceptProposedAction();
    }
}

}  // namespace phaseladder::ui
