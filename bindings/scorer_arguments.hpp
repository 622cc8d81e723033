// SPDX-License-Identifier: MIT
// Arguments that the functions of this folder take apart and check in the same way.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "stigmergy/counting_source.hpp"
#include "stigmergy/kernels.hpp"
#include "stigmergy/scorer.hpp"

namespace nb = nanobind;
namespace sg = stigmergy;

template <typename T>
using Vector = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline const sg::Kernels& kernels_named(const std::string& name) {
    if (name.empty()) return sg::best_kernels();
    if (const sg::Kernels* found = sg::find_kernels(name)) return *found;
    throw std::invalid_argument("this processor has no kernels named '" + name + "'");
}

inline sg::ScoreFormula formula_named(const std::string& kind, double parameter) {
    using Kind = sg::ScoreFormula::Kind;
    if (kind == "bdeu") return {Kind::bdeu, parameter};
    if (kind == "dirichlet") return {Kind::dirichlet, parameter};
    if (kind == "likelihood") return {Kind::likelihood, parameter};
    throw std::invalid_argument("kind must be 'bdeu', 'dirichlet' or 'likelihood'");
}

inline void check_family(std::size_t n_nodes, std::size_t child, sg::NodeListRef parents) {
    if (child >= n_nodes) throw std::out_of_range("child must be below the number of nodes");
    for (std::size_t i = 0; i < parents.size(); ++i) {
        if (parents[i] >= n_nodes)
            throw std::out_of_range("parents must be below the number of nodes");
        if (parents[i] == child) throw std::invalid_argument("a node cannot be its own parent");
        if (i > 0 && parents[i - 1] >= parents[i]) {
            throw std::invalid_argument("parents must be strictly ascending");
        }
    }
}

inline void check_extensions(std::size_t n_nodes,
                             std::size_t child,
                             const sg::NodeList& base,
                             const sg::NodeList& candidates) {
    check_family(n_nodes, child, base);
    for (const sg::Node& candidate : candidates) {
        check_family(n_nodes, child, {&candidate, 1});
        if (std::find(base.begin(), base.end(), candidate) != base.end()) {
            throw std::invalid_argument("candidates must not be in base");
        }
    }
}

inline sg::FamilyBatch make_batch(std::size_t n_nodes,
                                  const Vector<sg::Node>& children,
                                  const Vector<sg::Node>& parents,
                                  const Vector<std::uint64_t>& offsets) {
    const sg::FamilyBatch batch{{children.data(), children.shape(0)},
                                {parents.data(), parents.shape(0)},
                                {offsets.data(), offsets.shape(0)}};
    if (batch.offsets.size() != batch.children.size() + 1 || batch.offsets.front() != 0 ||
        batch.offsets.back() != batch.parents.size() ||
        !std::is_sorted(batch.offsets.begin(), batch.offsets.end())) {
        throw std::invalid_argument("offsets must rise from 0 to the number of parents");
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
        check_family(n_nodes, batch.children[i], batch.parents_of(i));
    }
    return batch;
}
