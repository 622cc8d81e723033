// SPDX-License-Identifier: MIT
// Every way of counting on every instruction set, against a loop over the rows; with sanitizers
// this shows that no kernel reads or writes beyond its memory.
#include "stigmergy/counter.hpp"

#include <map>

#include "check.hpp"
#include "stigmergy/random.hpp"

using namespace stigmergy;

namespace {

using Codes = std::vector<std::vector<std::uint8_t>>;

// How often each number of rows occurs among the cells that occur at all, and the same of parent
// configurations: what every visitor can tell.
struct Profile {
    std::map<std::uint64_t, int> cells, configurations;
    bool operator==(const Profile&) const = default;
};

class ProfileVisitor final : public CountsVisitor {
  public:
    explicit ProfileVisitor(std::size_t families) : profiles(families) {}
    void dense(std::size_t family,
               std::span<const std::uint32_t> cells,
               std::size_t arity) override {
        add(profiles[family], cells, arity);
    }
    void dense(std::size_t family,
               std::span<const std::uint64_t> cells,
               std::size_t arity) override {
        add(profiles[family], cells, arity);
    }
    void sparse(std::size_t family, const SparseCounts& counts) override {
        for (std::uint64_t count : counts.cells) ++profiles[family].cells[count];
        for (std::uint64_t count : counts.configurations) {
            ++profiles[family].configurations[count];
        }
    }
    std::vector<Profile> profiles;

  private:
    template <typename Count>
    static void add(Profile& profile, std::span<const Count> cells, std::size_t arity) {
        for (std::size_t row = 0; row < cells.size(); row += arity) {
            std::uint64_t total = 0;
            for (Count count : cells.subspan(row, arity)) {
                if (count != 0) ++profile.cells[count];
                total += count;
            }
            if (total != 0) ++profile.configurations[total];
        }
    }
};

Profile naive(const Codes& codes, std::size_t n_rows, Node child, const NodeList& parents) {
    std::map<std::vector<std::uint8_t>, std::map<std::uint8_t, std::uint64_t>> table;
    for (std::size_t i = 0; i < n_rows; ++i) {
        std::vector<std::uint8_t> configuration;
        for (Node parent : parents) configuration.push_back(codes[parent][i]);
        ++table[configuration][codes[child][i]];
    }
    Profile profile;
    for (const auto& [configuration, values] : table) {
        std::uint64_t total = 0;
        for (const auto& [value, count] : values) {
            ++profile.cells[count];
            total += count;
        }
        ++profile.configurations[total];
    }
    return profile;
}

void check_sweeps(const std::vector<std::size_t>& arities, std::size_t n_rows) {
    Random random = Random::stream(1, n_rows, arities.size());
    Codes codes;
    std::vector<Column> columns;
    for (std::size_t arity : arities) {
        // Memory of exactly this size: a read beyond it is noticed.
        codes.emplace_back(n_rows);
        for (auto& code : codes.back()) code = static_cast<std::uint8_t>(random.below(arity));
    }
    for (std::size_t c = 0; c < arities.size(); ++c) {
        columns.push_back({arities[c], codes[c].data(), nullptr});
    }
    const Columns data(n_rows, columns, {}, nullptr);
    for (std::size_t n_base = 0; n_base + 1 < arities.size(); ++n_base) {
        NodeList base, candidates;
        for (std::size_t i = 1; i < arities.size(); ++i) {
            (i <= n_base ? base : candidates).push_back(static_cast<Node>(i));
        }
        std::vector<Profile> expected;
        for (Node candidate : candidates) {
            NodeList parents(base);
            parents.push_back(candidate);
            expected.push_back(naive(codes, n_rows, 0, parents));
        }
        for (const char* kernels : {"portable", "avx2", "avx512"}) {
            if (find_kernels(kernels) == nullptr) continue;  // not of this processor
            for (CountMethod method : {CountMethod::automatic,
                                       CountMethod::slices,
                                       CountMethod::histogram,
                                       CountMethod::touched,
                                       CountMethod::sparse}) {
                const Counter counter(data, method, *find_kernels(kernels));
                ProfileVisitor together(candidates.size());
                counter.count_extensions(0, base, candidates, together);
                CHECK(together.profiles == expected);
                NodeList parents(base);
                parents.push_back(candidates[0]);
                ProfileVisitor alone(1);
                counter.count(0, parents, alone);
                CHECK(alone.profiles[0] == expected[0]);
            }
        }
    }
}

}  // namespace

int main() {
    for (std::size_t n_rows : {0, 1, 63, 64, 65, 511, 513, 5000, 20000}) {
        check_sweeps({2, 3, 4, 1, 2, 5}, n_rows);
        check_sweeps({2, 2, 2, 2, 2, 2, 2, 2, 2}, n_rows);
    }
    check_sweeps({64, 65, 3, 256, 2}, 3000);
    return 0;
}
