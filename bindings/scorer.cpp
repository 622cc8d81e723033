// SPDX-License-Identifier: MIT
// Counting and scoring, for Python.
#include "stigmergy/scorer.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "scorer_arguments.hpp"
#include "stigmergy/columns.hpp"
#include "stigmergy/counter.hpp"
#include "stigmergy/counting_source.hpp"
#include "stigmergy/log_gamma.hpp"

using namespace nb::literals;

namespace {

// Hands a vector over to numpy without copying it.
template <typename T>
nb::ndarray<nb::numpy, T> as_array(std::vector<T>&& values, std::vector<std::size_t> shape) {
    auto* kept = new std::vector<T>(std::move(values));
    nb::capsule owner(kept,
                      [](void* memory) noexcept { delete static_cast<std::vector<T>*>(memory); });
    return nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner);
}

template <typename T>
nb::ndarray<nb::numpy, T> as_vector(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return as_array(std::move(values), {size});
}

// Keeps Python objects alive for the core, which may let go of them on a thread without the GIL.
std::shared_ptr<const void> keep(nb::object object) {
    return {new nb::object(std::move(object)), [](const void* kept) {
                nb::gil_scoped_acquire gil;
                delete static_cast<const nb::object*>(kept);
            }};
}

std::shared_ptr<sg::Columns> make_columns(nb::typed<nb::list, nb::object> codes,
                                          const std::vector<std::size_t>& arities,
                                          nb::object weights) {
    if (codes.size() != arities.size()) {
        throw std::invalid_argument("codes and arities must have the same length");
    }
    std::vector<sg::Column> columns;
    std::size_t n_rows = 0;
    for (std::size_t i = 0; i < arities.size(); ++i) {
        sg::Column column;
        column.arity = arities[i];
        std::size_t rows = 0;
        Vector<std::uint8_t> narrow;
        Vector<std::uint16_t> wide;
        if (nb::try_cast(codes[i], narrow, false)) {
            column.narrow = narrow.data();
            rows = narrow.shape(0);
        } else if (nb::try_cast(codes[i], wide, false)) {
            column.wide = wide.data();
            rows = wide.shape(0);
        } else {
            throw std::invalid_argument("codes of column " + std::to_string(i) +
                                        " must be a contiguous array of uint8 or uint16");
        }
        if (i > 0 && rows != n_rows) throw std::invalid_argument("columns must be of equal length");
        n_rows = rows;
        columns.push_back(column);
    }
    std::span<const std::uint64_t> row_weights;
    if (!weights.is_none()) {
        auto values = nb::cast<Vector<std::uint64_t>>(weights);
        row_weights = {values.data(), values.shape(0)};
        if (row_weights.size() != n_rows) {
            throw std::invalid_argument("weights must have one value per row");
        }
    }
    auto owner = keep(nb::make_tuple(codes, weights));
    nb::gil_scoped_release release;
    return std::make_shared<sg::Columns>(n_rows, std::move(columns), row_weights, std::move(owner));
}

// The counts of one family as a table of the observed configurations.
class TableVisitor final : public sg::CountsVisitor {
  public:
    TableVisitor(std::size_t arity, bool all) : arity_(arity), all_(all) {}

    void dense(std::size_t, std::span<const std::uint32_t> cells, std::size_t) override {
        rows(cells);
    }
    void dense(std::size_t, std::span<const std::uint64_t> cells, std::size_t) override {
        rows(cells);
    }
    void sparse(std::size_t, const sg::SparseCounts& counts) override {
        cells.assign(counts.configurations.size() * arity_, 0);
        for (std::size_t i = 0; i < counts.cells.size(); ++i) {
            cells[counts.cell_configuration[i] * arity_ + counts.cell_value[i]] =
                static_cast<std::int64_t>(counts.cells[i]);
        }
    }

    bool needs_cells() const override { return true; }

    std::vector<std::int64_t> cells;

  private:
    template <typename Count>
    void rows(std::span<const Count> counts) {
        for (std::size_t row = 0; row < counts.size(); row += arity_) {
            auto values = counts.subspan(row, arity_);
            if (!all_ &&
                std::all_of(values.begin(), values.end(), [](Count c) { return c == 0; })) {
                continue;
            }
            cells.insert(cells.end(), values.begin(), values.end());
        }
    }

    std::size_t arity_;
    bool all_;
};

nb::ndarray<nb::numpy, std::int64_t> count_table(const sg::Columns& columns,
                                                 sg::Node child,
                                                 const sg::NodeList& parents,
                                                 const std::string& method,
                                                 const std::string& kernels,
                                                 bool all) {
    check_family(columns.size(), child, parents);
    const std::size_t arity = columns.arity(child);
    TableVisitor table(arity, all);
    {
        nb::gil_scoped_release release;
        sg::Counter(columns, sg::count_method(method), kernels_named(kernels))
            .count(child, parents, table);
    }
    const std::size_t rows = table.cells.size() / arity;
    return as_array(std::move(table.cells), {rows, arity});
}

}  // namespace

void bind_counting(nb::module_& m) {
    nb::class_<sg::Columns>(m, "Columns", "Codes of a data set, ready to be counted.")
        .def_static("make", &make_columns, "codes"_a, "arities"_a, "weights"_a.none())
        .def("count",
             &count_table,
             "Counts N_jk of a family, a row per observed configuration (all=True: per possible "
             "one, the first parent changing fastest).",
             "child"_a,
             "parents"_a,
             "method"_a = "automatic",
             "kernels"_a = "",
             "all"_a = false)
        .def_prop_ro("n_rows", &sg::Columns::n_rows)
        .def_prop_ro("total", &sg::Columns::total);
    m.def(
        "log_rising",
        [](double a, std::uint64_t n) { return sg::log_rising(a, n); },
        "log Gamma(a + n) - log Gamma(a).",
        "a"_a,
        "n"_a);
    m.def(
        "log_rising_sum",
        [](const nb::ndarray<const double, nb::c_contig, nb::device::cpu>& a,
           const nb::ndarray<const std::int64_t, nb::c_contig, nb::device::cpu>& n) {
            if (a.size() != n.size()) throw std::invalid_argument("a and n must be of equal size");
            double sum = 0;
            for (std::size_t i = 0; i < a.size(); ++i) {
                sum += sg::log_rising(a.data()[i], static_cast<std::uint64_t>(n.data()[i]));
            }
            return sum;
        },
        "The sum of log_rising over two arrays.",
        "a"_a,
        "n"_a);
    m.def(
        "kernels",
        [] {
            std::vector<std::string> names;
            for (const char* name : {"portable", "avx2", "avx512"}) {
                if (sg::find_kernels(name)) names.emplace_back(name);
            }
            return names;
        },
        "The kernels that this processor can run, the best last.");
}

void bind_scorer(nb::module_& m) {
    nb::class_<sg::StructurePrior>(m, "StructurePrior", "log(kappa) per differing parent.")
        .def(nb::init<double, std::vector<sg::NodeList>>(), "log_kappa"_a, "parents"_a);
    nb::class_<sg::Scorer>(m, "Scorer", "Families of one data set and score, behind one cache.")
        .def_static(
            "from_function",
            [](std::size_t n_nodes,
               std::function<double(sg::Node, sg::NodeList)> function,
               std::size_t max_parents,
               std::size_t cache_bytes,
               const sg::StructurePrior& prior) {
                auto ask = [function = std::move(function)](sg::Node child,
                                                            sg::NodeListRef parents) {
                    nb::gil_scoped_acquire gil;
                    return function(child, sg::NodeList(parents.begin(), parents.end()));
                };
                return std::make_unique<sg::Scorer>(
                    std::make_shared<sg::FunctionSource>(n_nodes, ask),
                    max_parents,
                    cache_bytes,
                    prior);
            },
            "n_nodes"_a,
            "function"_a,
            "max_parents"_a,
            "cache_bytes"_a,
            "prior"_a = sg::StructurePrior())
        .def_static(
            "from_columns",
            [](std::shared_ptr<sg::Columns> columns,
               const std::string& kind,
               double parameter,
               std::size_t max_parents,
               std::size_t cache_bytes,
               const sg::StructurePrior& prior,
               const std::string& method,
               const std::string& kernels) {
                return std::make_unique<sg::Scorer>(
                    std::make_shared<sg::CountingSource>(std::move(columns),
                                                         formula_named(kind, parameter),
                                                         sg::count_method(method),
                                                         kernels_named(kernels)),
                    max_parents,
                    cache_bytes,
                    prior);
            },
            "columns"_a,
            "kind"_a,
            "parameter"_a,
            "max_parents"_a,
            "cache_bytes"_a,
            "prior"_a = sg::StructurePrior(),
            "method"_a = "automatic",
            "kernels"_a = "")
        .def(
            "family",
            [](sg::Scorer& self, sg::Node child, const sg::NodeList& parents) {
                check_family(self.n_nodes(), child, parents);
                nb::gil_scoped_release release;
                return self.family(child, parents);
            },
            "child"_a,
            "parents"_a)
        .def(
            "extensions",
            [](sg::Scorer& self,
               sg::Node child,
               const sg::NodeList& base,
               const sg::NodeList& candidates) {
                check_extensions(self.n_nodes(), child, base, candidates);
                std::vector<double> out(candidates.size());
                {
                    nb::gil_scoped_release release;
                    self.extensions(child, base, candidates, out);
                }
                const std::size_t size = out.size();
                return as_array(std::move(out), {size});
            },
            "The score of the child with the parents `base` and each of the candidates.",
            "child"_a,
            "base"_a,
            "candidates"_a)
        .def(
            "families",
            [](sg::Scorer& self,
               const Vector<sg::Node>& children,
               const Vector<sg::Node>& parents,
               const Vector<std::uint64_t>& offsets,
               unsigned n_threads) {
                const sg::FamilyBatch batch =
                    make_batch(self.n_nodes(), children, parents, offsets);
                std::vector<double> out(batch.size());
                {
                    nb::gil_scoped_release release;
                    self.families(batch, out, n_threads);
                }
                const std::size_t size = out.size();
                return as_array(std::move(out), {size});
            },
            "Scores of many families; the parents of children[i] are "
            "parents[offsets[i]:offsets[i + 1]].",
            "children"_a,
            "parents"_a,
            "offsets"_a,
            "n_threads"_a = 1)
        .def_prop_ro("n_nodes", &sg::Scorer::n_nodes)
        .def_prop_ro("max_parents", &sg::Scorer::max_parents)
        .def(
            "export_families",
            [](const sg::Scorer& self) {
                std::vector<sg::Node> children, parents;
                std::vector<std::uint64_t> offsets{0};
                std::vector<double> scores;
                self.cache().for_each([&](sg::Node child, sg::NodeListRef list, double score) {
                    children.push_back(child);
                    parents.insert(parents.end(), list.begin(), list.end());
                    offsets.push_back(parents.size());
                    scores.push_back(score);
                });
                return std::make_tuple(as_vector(std::move(children)),
                                       as_vector(std::move(parents)),
                                       as_vector(std::move(offsets)),
                                       as_vector(std::move(scores)));
            },
            "The families in the cache: children, parents, offsets into parents, scores.")
        .def(
            "import_families",
            [](sg::Scorer& self,
               const Vector<std::uint16_t>& children,
               const Vector<std::uint16_t>& parents,
               const Vector<std::uint64_t>& offsets,
               const Vector<double>& scores) {
                const std::size_t n = children.size();
                if (offsets.size() != n + 1 || scores.size() != n ||
                    offsets.data()[n] != parents.size()) {
                    throw std::invalid_argument("the arrays of families do not fit together");
                }
                for (std::size_t i = 0; i < n; ++i) {
                    const std::uint64_t begin = offsets.data()[i], end = offsets.data()[i + 1];
                    if (end < begin || end > parents.size() ||
                        children.data()[i] >= self.n_nodes()) {
                        throw std::invalid_argument("the arrays of families do not fit together");
                    }
                    self.remember(children.data()[i],
                                  {parents.data() + begin, parents.data() + end},
                                  scores.data()[i]);
                }
            },
            "children"_a,
            "parents"_a,
            "offsets"_a,
            "scores"_a)
        .def_prop_ro("evaluations", [](const sg::Scorer& self) {
            auto evaluations = self.evaluations();
            return std::pair(evaluations.total, evaluations.distinct);
        });
}
