// SPDX-License-Identifier: MIT
#include "stigmergy/timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace stigmergy {

namespace {

constexpr int repeats = 50;

// Keeps a value alive in the eyes of the compiler.
volatile std::uint64_t sink;

template <typename Work>
double least_nanoseconds(std::size_t loops, Work work) {
    double least = std::numeric_limits<double>::infinity();
    work();
    for (int repeat = 0; repeat < repeats; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        for (std::size_t i = 0; i < loops; ++i) work();
        const std::chrono::duration<double, std::nano> elapsed =
            std::chrono::steady_clock::now() - begin;
        least = std::min(least, elapsed.count() / static_cast<double>(loops));
    }
    return least;
}

class FirstCount final : public CountsVisitor {
  public:
    void dense(std::size_t, std::span<const std::uint32_t> cells, std::size_t) override {
        sink = cells[0];
    }
    void dense(std::size_t, std::span<const std::uint64_t> cells, std::size_t) override {
        sink = cells[0];
    }
    void sparse(std::size_t, const SparseCounts& counts) override { sink = counts.cells.size(); }
};

// Numbers without a pattern that a branch or address predictor could learn (xorshift).
class Noise {
  public:
    std::uint64_t next() {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        return state_ ^= state_ << 17;
    }

  private:
    std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

double scatter_limit() {
    constexpr std::size_t rows = 8192;
    constexpr std::size_t cells = 256;
    Noise noise;
    std::vector<std::uint16_t> index(rows);
    for (auto& cell : index) cell = static_cast<std::uint16_t>(noise.next() % cells);
    std::vector<std::uint32_t> counts(4 * cells);
    const double ns = least_nanoseconds(50, [&] {
        std::uint32_t* a = counts.data();
        for (std::size_t i = 0; i < rows; i += 4) {
            ++a[index[i]];
            ++a[index[i + 1] + cells];
            ++a[index[i + 2] + 2 * cells];
            ++a[index[i + 3] + 3 * cells];
        }
    });
    sink = counts[0];
    return rows / ns;
}

double slice_limit() {
    constexpr std::size_t words = 160;
    constexpr std::size_t vectors = 16;
    Noise noise;
    AlignedWords bits(vectors * words);
    for (std::size_t i = 0; i < vectors * words; ++i) bits.data()[i] = noise.next();
    const std::uint64_t* pointers[vectors];
    for (std::size_t v = 0; v < vectors; ++v) pointers[v] = bits.data() + v * words;
    std::uint32_t counts[vectors] = {};
    const double ns = least_nanoseconds(
        2000, [&] { best_kernels().and_popcount(pointers, vectors, bits.data(), words, counts); });
    sink = counts[0];
    return vectors * words * 64 / ns;
}

double read_limit() {
    constexpr std::size_t words = std::size_t{1} << 23;  // 64 MiB
    AlignedWords memory(words);
    std::fill_n(memory.data(), words, std::uint64_t{1});
    std::uint32_t count = 0;
    const double ns = least_nanoseconds(1, [&] {
        // Two streams, one of them short enough to stay in cache.
        constexpr std::size_t step = 512;
        for (std::size_t i = 0; i < words; i += step) {
            const std::uint64_t* part = memory.data() + i;
            best_kernels().and_popcount(&part, 1, memory.data(), step, &count);
        }
    });
    sink = count;
    return words * 8 / ns;
}

}  // namespace

Limits measure_limits() { return {scatter_limit(), slice_limit(), read_limit()}; }

double time_count(const Counter& counter, Node child, NodeListRef parents, std::size_t loops) {
    FirstCount visitor;
    return least_nanoseconds(loops, [&] { counter.count(child, parents, visitor); });
}

double time_score(const FamilySource& source, Node child, NodeListRef parents, std::size_t loops) {
    double sum = 0;
    const double ns = least_nanoseconds(loops, [&] { sum += source.score(child, parents); });
    sink = sum < 0;
    return ns;
}

double time_sweep(const FamilySource& source,
                  Node child,
                  NodeListRef base,
                  NodeListRef candidates,
                  std::size_t loops) {
    std::vector<double> scores(candidates.size());
    const double ns =
        least_nanoseconds(loops, [&] { source.score_extensions(child, base, candidates, scores); });
    return ns / static_cast<double>(candidates.size());
}

double time_cached(Scorer& scorer, const FamilyBatch& batch, std::size_t loops) {
    double sum = 0;
    const double ns = least_nanoseconds(loops, [&] {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            sum += scorer.family(batch.children[i], batch.parents_of(i));
        }
    });
    sink = sum < 0;
    return ns / static_cast<double>(batch.size());
}

}  // namespace stigmergy
