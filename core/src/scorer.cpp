// SPDX-License-Identifier: MIT
#include "stigmergy/scorer.hpp"

#include <algorithm>
#include <exception>
#include <thread>

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
      cache_bytes_(cache_bytes),
      prior_(std::move(prior)) {}

double Scorer::family(Node child, NodeListRef parents) {
    ++total_;
    std::pair<Node, NodeList> key{child, NodeList(parents.begin(), parents.end())};
    {
        std::lock_guard lock(mutex_);
        if (auto found = cache_.find(key); found != cache_.end()) return found->second;
    }
    double value = source_->score(child, parents) + prior_.term(child, parents);
    std::lock_guard lock(mutex_);
    return cache_.emplace(std::move(key), value).first->second;
}

void Scorer::extensions(Node child,
                        NodeListRef base,
                        NodeListRef candidates,
                        std::span<double> out) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        out[i] = family(child, with_node(base, candidates[i]));
    }
}

void Scorer::families(const FamilyBatch& batch, std::span<double> out, unsigned n_threads) {
    // Pieces are taken in turn; small enough to even out, large enough to share work within one.
    constexpr std::size_t piece = 512;
    std::atomic<std::size_t> next{0};
    std::mutex failure_mutex;
    std::exception_ptr failure;
    auto work = [&] {
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
    std::vector<std::thread> helpers;
    const std::size_t pieces = (batch.size() + piece - 1) / piece;
    for (std::size_t i = 1; i < std::min<std::size_t>(n_threads, pieces); ++i) {
        helpers.emplace_back(work);
    }
    work();
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

Evaluations Scorer::evaluations() const {
    std::lock_guard lock(mutex_);
    return {total_.load(), cache_.size()};
}

}  // namespace stigmergy
