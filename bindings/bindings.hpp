// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

// Parts of the module that have a file of their own.
void bind_counting(nanobind::module_& m);
void bind_scorer(nanobind::module_& m);
void bind_timing(nanobind::module_& m);
void bind_exact(nanobind::module_& m);
void bind_ges(nanobind::module_& m);
void bind_mutation(nanobind::module_& m);
void bind_orders(nanobind::module_& m);
void bind_arc_moves(nanobind::module_& m);
void bind_independence(nanobind::module_& m);
void bind_dag_searches(nanobind::module_& m);
