// SPDX-License-Identifier: MIT
// Counting what occurs, when cells outnumber rows: time follows the rows however many cells there
// could be. While a table of all cells still fits the caches, rows count into it and then read and
// reset what they touched; beyond, each parent configuration met gets the next number from a hash
// table, and memory follows the rows too.
#include <algorithm>
#include <bit>
#include <limits>

#include "counter_impl.hpp"

namespace stigmergy {

namespace {

// Numbers 64-bit keys 0, 1, 2, ... in the order in which they first come.
class KeyNumbers {
  public:
    KeyNumbers() : keys_(64), numbers_(64, none) {}

    void clear() {
        if (size_ * 16 < numbers_.size()) {
            *this = KeyNumbers();
        } else {
            std::fill(numbers_.begin(), numbers_.end(), none);
            size_ = 0;
        }
    }

    std::uint32_t number(std::uint64_t key) {
        std::size_t slot = place(key);
        while (numbers_[slot] != none) {
            if (keys_[slot] == key) return numbers_[slot];
            slot = (slot + 1) & (numbers_.size() - 1);
        }
        keys_[slot] = key;
        numbers_[slot] = size_;
        const std::uint32_t result = size_++;
        if (2 * std::size_t{size_} > numbers_.size()) grow();
        return result;
    }

  private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::size_t place(std::uint64_t key) const {
        // Multiplicative hashing: the high bits of the product depend on all bits of the key.
        return static_cast<std::size_t>((key * 0x9E3779B97F4A7C15u) >>
                                        (64 - std::countr_zero(numbers_.size())));
    }

    void grow() {
        std::vector<std::uint64_t> keys(2 * keys_.size());
        std::vector<std::uint32_t> numbers(2 * numbers_.size(), none);
        keys.swap(keys_);
        numbers.swap(numbers_);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (numbers[i] == none) continue;
            std::size_t slot = place(keys[i]);
            while (numbers_[slot] != none) slot = (slot + 1) & (numbers_.size() - 1);
            keys_[slot] = keys[i];
            numbers_[slot] = numbers[i];
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> numbers_;
    std::uint32_t size_ = 0;
};

// Parents whose configurations number less than 2^31 together: a row's key then fits 64 bits
// beside the 32-bit number that stands for its configuration of the parents before them.
struct Chunk {
    std::size_t begin, end;
    std::uint64_t configurations;
};

std::vector<Chunk> chunks_of(const Columns& columns, NodeListRef parents) {
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < parents.size(); ++i) {
        const std::uint64_t arity = columns.arity(parents[i]);
        if (chunks.empty() || chunks.back().configurations * arity >= (std::uint64_t{1} << 31)) {
            chunks.push_back({i, i, 1});
        }
        chunks.back().end = i + 1;
        chunks.back().configurations *= arity;
    }
    if (chunks.empty()) chunks.push_back({0, 0, 1});
    return chunks;
}

template <typename Code>
void add_digit(const Code* codes, std::uint64_t place, std::size_t n, std::uint64_t* keys) {
    for (std::size_t i = 0; i < n; ++i) keys[i] += codes[i] * place;
}

// Appends the counts of the numbers, which are below `size`. No branch depends on the data: a cell
// that an earlier row has reset is read as 0 and not kept.
void count_touched(const std::vector<std::uint32_t>& numbers,
                   std::size_t n,
                   std::size_t size,
                   std::vector<std::uint32_t>& table,
                   std::vector<std::uint64_t>& out) {
    if (table.size() < size) table.resize(size, 0);
    out.resize(n);
    for (std::size_t i = 0; i < n; ++i) ++table[numbers[i]];
    std::size_t kept = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t& count = table[numbers[i]];
        out[kept] = count;
        kept += count != 0;
        count = 0;
    }
    out.resize(kept);
}

}  // namespace

void Counter::run_touched(CountScratch& scratch,
                          const Sweep& sweep,
                          std::size_t position,
                          CountsVisitor& visitor) const {
    const std::size_t rows = columns_.n_rows();
    const Node candidate = sweep.candidates[position];
    const std::size_t cells =
        static_cast<std::size_t>(sweep.base_cells) * columns_.arity(candidate);
    NodeList& family = scratch.family;
    family.assign(sweep.base.begin(), sweep.base.end());
    family.push_back(candidate);
    std::vector<std::uint32_t>& numbers = scratch.extended32;
    if (numbers.size() < rows) numbers.resize(rows);
    SparseCounts& out = scratch.sparse;
    out.clear();
    number_rows(columns_, nullptr, family, 1, 0, rows, numbers.data());
    count_touched(numbers, rows, cells, scratch.touched, out.cells);
    // The first of the family is the child; the others number its configurations.
    number_rows(columns_, nullptr, NodeListRef(family).subspan(1), 1, 0, rows, numbers.data());
    count_touched(numbers, rows, cells / sweep.arity, scratch.touched, out.configurations);
    visitor.sparse(sweep.families[position], out);
}

void Counter::run_sparse(CountScratch& scratch,
                         const Sweep& sweep,
                         std::size_t position,
                         CountsVisitor& visitor) const {
    thread_local KeyNumbers configurations, cells;
    thread_local std::vector<std::uint32_t> numbers;  // of each row's configuration, many parents
    SparseCounts& out = scratch.sparse;
    out.clear();

    NodeList columns(sweep.base);
    columns.push_back(sweep.candidates[position]);
    const Column& child = columns_.column(columns[0]);
    const NodeListRef parents = NodeListRef(columns).subspan(1);
    const std::vector<Chunk> chunks = chunks_of(columns_, parents);
    const std::size_t rows = columns_.n_rows();
    if (chunks.size() > 1) numbers.resize(rows);

    constexpr std::size_t block = 2048;
    std::uint64_t keys[block];
    cells.clear();
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        const Chunk& chunk = chunks[c];
        const bool last = c + 1 == chunks.size();
        configurations.clear();
        for (std::size_t first = 0; first < rows; first += block) {
            const std::size_t n = std::min(block, rows - first);
            std::fill_n(keys, n, std::uint64_t{0});
            std::uint64_t place = 1;
            for (std::size_t p = chunk.begin; p < chunk.end; ++p) {
                const Column& column = columns_.column(parents[p]);
                if (column.wide) {
                    add_digit(column.wide + first, place, n, keys);
                } else {
                    add_digit(column.narrow + first, place, n, keys);
                }
                place *= column.arity;
            }
            if (c > 0) {
                for (std::size_t i = 0; i < n; ++i) keys[i] += numbers[first + i] * place;
            }
            if (!last) {
                for (std::size_t i = 0; i < n; ++i) {
                    numbers[first + i] = configurations.number(keys[i]);
                }
                continue;
            }
            for (std::size_t i = 0; i < n; ++i) {
                const std::uint64_t weight =
                    columns_.weights().empty() ? 1 : columns_.weights()[first + i];
                if (weight == 0) continue;
                const std::uint32_t j = configurations.number(keys[i]);
                const Node value = child.wide ? child.wide[first + i] : child.narrow[first + i];
                const std::uint32_t cell = cells.number((std::uint64_t{j} << 16) | value);
                if (j == out.configurations.size()) out.configurations.push_back(0);
                if (cell == out.cells.size()) {
                    out.cells.push_back(0);
                    out.cell_configuration.push_back(j);
                    out.cell_value.push_back(value);
                }
                out.configurations[j] += weight;
                out.cells[cell] += weight;
            }
        }
    }
    visitor.sparse(sweep.families[position], out);
}

}  // namespace stigmergy
