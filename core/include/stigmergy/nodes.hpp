// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace stigmergy {

// A node (variable) by its place in the order of names. 65,535 variables at most: 0xFFFF means
// "no node".
using Node = std::uint16_t;
inline constexpr Node no_node = 0xFFFF;
inline constexpr std::size_t max_nodes = 0xFFFF;

// A set of nodes as a strictly increasing list: the form in which parents are handed to a scorer.
using NodeList = std::vector<Node>;
using NodeListRef = std::span<const Node>;

}  // namespace stigmergy
