#include "gpu/helper/order_run.h"

#include <algorithm>
#include <bit>

namespace phaseladder::gpu {

ResultMessage runOrders(DeviceSession& session, const OrdersMessage& orders, const RunWatch& watch) {
    const DeviceArray<float> scores = session.upload(orders.scores), values = session.upload(orders.values),
                             present = session.upload(orders.present);
    const DeviceArray<std::int32_t> largest(session, orders.tokens);
    session.clear(largest);
    const double products = double(orders.tokens) * double(orders.tokens) * double(orders.width);
    const std::int64_t ofLaunch =
        std::max<std::int64_t>(
            static_cast<std::int64_t>(session.productsOfLaunch() / products) / plainThreads, 1) *
        plainThreads;
    ResultMessage result;
    result.id = orders.id;
    for (std::int64_t begin = orders.firstOrder; begin < orders.endOrder && session.isGood();) {
        if (watch.isCancelled()) {
            session.fail({HelperState::cancelled, "the request was cancelled"});
            break;
        }
        const std::int64_t end = std::min(begin + ofLaunch, orders.endOrder);
        session.startClock();
        session.launch(
            OrdersArguments{static_cast<int>(orders.tokens), static_cast<int>(orders.width), orders.isCausal,
                            scores.data(), values.data(), present.data(), begin, end, largest.data()},
            {static_cast<unsigned>((end - begin + plainThreads - 1) / plainThreads), 1});
        session.wait([&] { watch.tell(begin - orders.firstOrder, orders.endOrder - orders.firstOrder); });
        result.deviceMilliseconds += session.milliseconds();
        begin = end;
    }
    std::vector<std::int32_t> bits(orders.tokens);
    session.download(static_cast<const std::int32_t*>(largest.data()), std::span(bits));
    for (const std::int32_t number : bits) {
        result.orderDifferences.push_back(std::bit_cast<float>(number));
    }
    return result;
}

}  // namespace phaseladder::gpu
