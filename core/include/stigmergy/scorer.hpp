// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "stigmergy/nodes.hpp"
#include "stigmergy/request_count.hpp"
#include "stigmergy/score_cache.hpp"
#include "stigmergy/structure_prior.hpp"

namespace stigmergy {

// Where the score of a family comes from when the cache does not have it: counts of the data and a
// formula, or any function. Must be safe to call from several threads.
class FamilySource {
  public:
    virtual ~FamilySource() = default;
    [[nodiscard]] virtual std::size_t n_nodes() const = 0;
    [[nodiscard]] virtual double score(Node child, NodeListRef parents) const = 0;
    // out[i] = score(child, base + candidates[i]): the sweep that a source can share work in.
    virtual void score_extensions(Node child,
                                  NodeListRef base,
                                  NodeListRef candidates,
                                  std::span<double> out) const;
};

// A source that asks a function; for scores written in Python, tables and tests.
class FunctionSource final : public FamilySource {
  public:
    using Function = std::function<double(Node, NodeListRef)>;
    FunctionSource(std::size_t n_nodes, Function function)
        : n_nodes_(n_nodes), function_(std::move(function)) {}
    [[nodiscard]] std::size_t n_nodes() const override { return n_nodes_; }
    [[nodiscard]] double score(Node child, NodeListRef parents) const override {
        return function_(child, parents);
    }

  private:
    std::size_t n_nodes_;
    Function function_;
};

// Many families in three arrays: the parents of children[i], ascending, are parents[offsets[i]] up
// to but not including parents[offsets[i + 1]].
struct FamilyBatch {
    std::span<const Node> children;
    std::span<const Node> parents;
    std::span<const std::uint64_t> offsets;

    [[nodiscard]] std::size_t size() const { return children.size(); }
    [[nodiscard]] NodeListRef parents_of(std::size_t i) const {
        return parents.subspan(offsets[i], offsets[i + 1] - offsets[i]);
    }
};

// How often families were asked for, as Section 6.2.2 of Daly & Shen (2009) counts: every request,
// and requests with arguments not seen before.
struct Evaluations {
    std::uint64_t total = 0;
    std::uint64_t distinct = 0;
};

// The one scorer that all searches share: a source behind a cache of (child, parents) -> score.
// Thread-safe. Higher scores are better; natural logarithms throughout.
class Scorer {
  public:
    Scorer(std::shared_ptr<const FamilySource> source,
           std::size_t max_parents,
           std::size_t cache_bytes,
           StructurePrior prior = {});

    [[nodiscard]] std::size_t n_nodes() const { return source_->n_nodes(); }
    [[nodiscard]] std::size_t max_parents() const { return max_parents_; }
    [[nodiscard]] double family(Node child, NodeListRef parents) {
        total_.add(1);
        return look_up(child, parents);
    }
    // out[i] = family(child, base + candidates[i]); base sorted, candidates not in base.
    void extensions(Node child, NodeListRef base, NodeListRef candidates, std::span<double> out) {
        total_.add(candidates.size());
        look_up_extensions(child, base, candidates, out);
    }
    // The same without counting requests, for searches that keep gains in tables of their own and
    // count what they consult there.
    [[nodiscard]] double look_up(Node child, NodeListRef parents);
    void look_up_extensions(Node child,
                            NodeListRef base,
                            NodeListRef candidates,
                            std::span<double> out);
    // out[i] = family(batch[i]), shared out over threads. Families that follow one another and
    // differ only in their last parent share work.
    void families(const FamilyBatch& batch, std::span<double> out, unsigned n_threads);
    // Requests answered from a search's own tables count too.
    void count_requests(std::uint64_t requests) { total_.add(requests); }
    [[nodiscard]] Evaluations evaluations() const;
    [[nodiscard]] const ScoreCache& cache() const { return cache_; }
    // A score known from before, as from a checkpoint.
    void remember(Node child, NodeListRef parents, double score) {
        cache_.enter(child, parents, no_node, score);
    }

  private:
    void score_piece(const FamilyBatch& batch,
                     std::size_t begin,
                     std::size_t end,
                     std::span<double> out);

    std::shared_ptr<const FamilySource> source_;
    std::size_t max_parents_;
    StructurePrior prior_;
    RequestCount total_;
    ScoreCache cache_;
};

}  // namespace stigmergy
