# SPDX-License-Identifier: MIT
"""Structure learning of Bayesian networks in the space of equivalence classes."""

__version__ = "0.1.0"

__all__ = ["__version__"]
