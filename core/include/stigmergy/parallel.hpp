// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace stigmergy {

// Starts work(1) .. work(n_threads - 1), each on a thread of its own, or as many of them as the
// system grants. Work that takes its tasks one by one is done by fewer threads too.
template <typename Work>
std::vector<std::thread> start_helpers(std::size_t n_threads, const Work& work) {
    std::vector<std::thread> helpers;
    helpers.reserve(n_threads);
    try {
        for (std::size_t t = 1; t < n_threads; ++t) helpers.emplace_back(work, t);
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch)
        // No more threads are to be had.
    }
    return helpers;
}

// Calls task(0) .. task(n_tasks - 1), each once, on up to n_threads threads; the calling thread is
// one of them, so that it can be interrupted. The tasks must not depend on each other. The first
// exception of the lowest thread is thrown again here.
template <typename Task>
void for_each_task(std::size_t n_tasks, std::size_t n_threads, Task&& task) {
    n_threads = std::min(std::max<std::size_t>(n_threads, 1), n_tasks);
    if (n_threads <= 1) {
        for (std::size_t i = 0; i < n_tasks; ++i) task(i);
        return;
    }
    std::atomic<std::size_t> next{0};
    std::vector<std::exception_ptr> errors(n_threads);
    auto work = [&](std::size_t thread) {
        try {
            for (std::size_t i = next++; i < n_tasks; i = next++) task(i);
        } catch (...) {
            errors[thread] = std::current_exception();
            next = n_tasks;
        }
    };
    std::vector<std::thread> helpers = start_helpers(n_threads, work);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    for (const std::exception_ptr& error : errors) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace stigmergy
