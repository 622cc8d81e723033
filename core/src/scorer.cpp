// SPDX-License-Identifier: MIT
#include "stigmergy/scorer.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "stigmergy/parallel.hpp"

namespace stigmergy {

namespace {

NodeList with_node(NodeListRef base, Node extra) {
    NodeList result(base.begin(), base.end());
    result.insert(std::lower_bound(result.begin(), result.end(), extra), extra);
    return result;
}

}  // namespace

void FamilySource::score_extensions(Node child,
                                    NodeListRef base,
                                    NodeListRef candidates,
                                    std::span<double> out) const {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        out[i] = score(child, with_node(base, candidates[i]));
    }
}

Scorer::Scorer(std::shared_ptr<const FamilySource> source,
               std::size_t max_parents,
               std::size_t cache_bytes,
               StructurePrior prior)
    : source_(std::move(source)),
      max_parents_(max_parents),
      prior_(std::move(prior)),
      cache_(source_->n_nodes(), cache_bytes) {}

double Scorer::look_up(Node child, NodeListRef parents) {
    double score = 0;
    if (cache_.find(child, parents, no_node, score)) return score;
    score = source_->score(child, parents) + prior_.term(child, parents);
    cache_.enter(child, parents, no_node, score);
    return score;
}

void Scorer::look_up_extensions(Node child,
                                NodeListRef base,
                                NodeListRef candidates,
                                std::span<double> out) {
    NodeList missing;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (cache_.find(child, base, candidates[i], out[i])) continue;
        missing.push_back(candidates[i]);
        places.push_back(i);
    }
    if (missing.empty()) return;
    std::vector<double> scores(missing.size());
    source_->score_extensions(child, base, missing, scores);
    for (std::size_t i = 0; i < missing.size(); ++i) {
        const double score = scores[i] + prior_.term(child, with_node(base, missing[i]));
        cache_.enter(child, base, missing[i], score);
        out[places[i]] = score;
    }
}

void Scorer::families(const FamilyBatch& batch, std::span<double> out, unsigned n_threads) {
    // Pieces are taken in turn; small enough to even out, large enough to share work within one.
    constexpr std::size_t piece = 512;
    std::atomic<std::size_t> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    auto work = [&](std::size_t) {
        try {
            for (;;) {
                const std::size_t begin = next.fetch_add(piece, std::memory_order_relaxed);
                if (begin >= batch.size()) return;
                score_piece(batch, begin, std::min(begin + piece, batch.size()), out);
            }
        } catch (...) {
            next = batch.size();
            std::lock_guard lock(failure_mutex);
            failure = std::current_exception();
        }
    };
    const std::size_t pieces = (batch.size() + piece - 1) / piece;
    std::vector<std::thread> helpers =
        start_helpers(std::min<std::size_t>(n_threads, pieces), work);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    if (failure) std::rethrow_exception(failure);
}

void Scorer::score_piece(const FamilyBatch& batch,
                         std::size_t begin,
                         std::size_t end,
                         std::span<double> out) {
    NodeList candidates;
    for (std::size_t i = begin; i < end;) {
        const NodeListRef parents = batch.parents_of(i);
        if (parents.empty()) {
            out[i] = family(batch.children[i], parents);
            ++i;
            continue;
        }
        const NodeListRef base = parents.first(parents.size() - 1);
        candidates.clear();
        std::size_t last = i;
        for (; last < end && batch.children[last] == batch.children[i]; ++last) {
            const NodeListRef other = batch.parents_of(last);
            if (other.size() != parents.size() ||
                !std::equal(base.begin(), base.end(), other.begin())) {
                break;
            }
            candidates.push_back(other.back());
        }
        extensions(batch.children[i], base, candidates, out.subspan(i, last - i));
        i = last;
    }
}

Evaluations Scorer::evaluations() const { return {total_.value(), cache_.distinct()}; }

}  // namespace stigmergy
