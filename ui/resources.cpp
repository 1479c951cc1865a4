#include "ui/resources.h"

#include <QtGlobal>

// Q_INIT_RESOURCE must stand outside of every namespace.
static void initializePhaseladderResources() {
    Q_INIT_RESOURCE(phaseladder);
}

namespace phaseladder::ui {

void loadResources() {
    initializePhaseladderResources();
}

}  // namespace phaseladder::ui
