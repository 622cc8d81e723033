// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <thread>

namespace stigmergy {

// Tells long native loops when to end: a deadline, or an interruption that `poll` reports. Loops
// ask `requested()` once a step; it costs a clock reading. `poll` runs only on the thread that made
// the object, and not more often than every 20 ms.
class Stop {
  public:
    using Clock = std::chrono::steady_clock;

    Stop() = default;
    Stop(std::optional<double> seconds_left, std::function<bool()> poll)
        : poll_(std::move(poll)), owner_(std::this_thread::get_id()), next_poll_(Clock::now()) {
        if (seconds_left) {
            // Far deadlines would overflow the clock's count.
            const double seconds = std::min(*seconds_left, 1e9);
            deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(seconds));
        }
    }

    [[nodiscard]] bool requested() {
        if (stopped_.load(std::memory_order_relaxed)) return true;
        const auto now = Clock::now();
        if (deadline_ && now >= *deadline_) {
            stopped_ = true;
        } else if (poll_ && std::this_thread::get_id() == owner_ && now >= next_poll_) {
            next_poll_ = now + std::chrono::milliseconds(20);
            if (poll_()) {
                interrupted_ = true;
                stopped_ = true;
            }
        }
        return stopped_;
    }
    [[nodiscard]] bool was_interrupted() const { return interrupted_; }
    [[nodiscard]] bool was_requested() const { return stopped_; }

  private:
    std::optional<Clock::time_point> deadline_;
    std::function<bool()> poll_;
    std::thread::id owner_;
    Clock::time_point next_poll_;
    std::atomic<bool> stopped_{false};
    std::atomic<bool> interrupted_{false};
};

}  // namespace stigmergy
