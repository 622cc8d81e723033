// SPDX-License-Identifier: MIT
#pragma once

#include <nanobind/nanobind.h>

// Each file of this folder adds its part of the module.
void bind_counting(nanobind::module_& m);
void bind_scorer(nanobind::module_& m);
