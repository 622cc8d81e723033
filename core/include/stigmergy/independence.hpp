// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stigmergy/columns.hpp"
#include "stigmergy/nodes.hpp"
#include "stigmergy/pdag.hpp"

namespace stigmergy {

// What a test of "x and y are independent given a set" says. The statistic is 0 for perfect
// independence and grows with dependence. A test that was not made, because the rows are too few
// for its table, is not `testable` and its numbers are not-a-number: it shows nothing.
struct TestOutcome {
    double statistic = 0;
    double dof = 0;
    double p_value = 1;
    double log_p_value = 0;
    bool testable = true;
    // p > alpha; false when the test was not made.
    [[nodiscard]] bool independent(double alpha) const { return p_value > alpha; }
};

// Where outcomes come from when the cache has none. Must be safe to call from several threads.
class TestSource {
  public:
    virtual ~TestSource() = default;
    [[nodiscard]] virtual std::size_t n_nodes() const = 0;
    // x < y; given sorted, without x and y.
    [[nodiscard]] virtual TestOutcome test(Node x, Node y, NodeListRef given) const = 0;
    // False only when neither this test nor any with a larger set can be made.
    [[nodiscard]] virtual bool testable(Node, Node, NodeListRef) const { return true; }
};

// A source that asks a function; for tests written in Python.
class FunctionTests final : public TestSource {
  public:
    using Function = std::function<TestOutcome(Node, Node, NodeListRef)>;
    FunctionTests(std::size_t n_nodes, Function function)
        : n_nodes_(n_nodes), function_(std::move(function)) {}
    [[nodiscard]] std::size_t n_nodes() const override { return n_nodes_; }
    [[nodiscard]] TestOutcome test(Node x, Node y, NodeListRef given) const override {
        return function_(x, y, given);
    }

  private:
    std::size_t n_nodes_;
    Function function_;
};

// Perfect knowledge: two nodes are independent iff the DAG d-separates them, given also the
// `selected` nodes; only the `observed` nodes can be asked for, numbered by their place there.
class SeparationTests final : public TestSource {
  public:
    SeparationTests(Pdag dag, NodeList observed, NodeList selected);
    [[nodiscard]] std::size_t n_nodes() const override { return observed_.size(); }
    // Statistic 1 and p-value 0 when d-connected, statistic 0 and p-value 1 when d-separated.
    [[nodiscard]] TestOutcome test(Node x, Node y, NodeListRef given) const override;

  private:
    Pdag dag_;
    NodeList observed_, selected_;
};

// "Seen before or not", and how often, of (x, y, given): one cache for all threads, in shards.
// When it holds `max_bytes` it takes no more.
class IndependenceTests {
  public:
    IndependenceTests(std::shared_ptr<const TestSource> source, std::size_t max_bytes);

    [[nodiscard]] std::size_t n_nodes() const { return source_->n_nodes(); }
    // x and y in any order, given sorted. Throws std::invalid_argument unless all are different
    // nodes below n_nodes().
    [[nodiscard]] TestOutcome test(Node x, Node y, NodeListRef given);
    [[nodiscard]] bool testable(Node x, Node y, NodeListRef given) const {
        return source_->testable(std::min(x, y), std::max(x, y), given);
    }
    [[nodiscard]] std::uint64_t requests() const { return requests_; }
    [[nodiscard]] std::uint64_t computed() const { return computed_; }

  private:
    struct Hash {
        std::size_t operator()(const NodeList& key) const;
    };
    struct Shard {
        std::mutex mutex;
        std::unordered_map<NodeList, TestOutcome, Hash> outcomes;
    };
    static constexpr std::size_t n_shards = 64;

    std::shared_ptr<const TestSource> source_;
    std::size_t max_bytes_;
    std::atomic<std::uint64_t> requests_{0}, computed_{0};
    std::atomic<std::size_t> bytes_{0};
    std::array<Shard, n_shards> shards_;
};

}  // namespace stigmergy
