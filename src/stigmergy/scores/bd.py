# SPDX-License-Identifier: MIT
"""The general Bayesian Dirichlet score."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from stigmergy.errors import ParameterError

__all__ = ["BD"]

# Pseudo counts of a family are a table of all its cells; more than this is surely a mistake.
_LARGEST_TABLE = 10_000_000


@dataclass(frozen=True)
class BD:
    r"""Bayesian Dirichlet score with given pseudo counts N'_jk.

    Parameters
    ----------
    pseudo_counts
        One positive number for every cell of every family; or a function
        ``(child, parents, arities) -> array`` of names, names in sorted order and the arities
        ``(of the child, of the first parent, ...)``; or a mapping ``(child, parents) -> array``
        with ``parents`` a tuple of names in sorted order. An array has a row for each
        configuration of the parents, the first parent changing fastest, and a column for each
        value of the child; anything that broadcasts to that shape will do. All must be
        positive. A family that a mapping lacks is an error.
    score_equivalent
        Say so when your pseudo counts make it true, as those of one joint distribution do.

    Notes
    -----
    With N_jk the rows in which the child has its k-th value and its parents their j-th
    configuration, and sums over k written N_j and N'_j, the score of a family is

    .. math:: \sum_j \left[ \log\frac{\Gamma(N'_j)}{\Gamma(N'_j + N_j)} +
       \sum_k \log\frac{\Gamma(N'_{jk} + N_{jk})}{\Gamma(N'_{jk})} \right]

    Natural logarithms; higher is better; no term is left out. Decomposable; score-equivalent
    only for some pseudo counts. `K2` is ``BD(1)``; `BDeu` has N'_jk = N' / (q r).
    One number is computed in the core; arrays cost a call of Python per family.

    References
    ----------
    D. Heckerman, D. Geiger and D. M. Chickering (1995), "Learning Bayesian networks: the
    combination of knowledge and statistical data", Machine Learning 20, Equation 28.

    Examples
    --------
    >>> BD(0.5)
    BD(pseudo_counts=0.5, score_equivalent=False)
    """

    pseudo_counts: (
        float
        | Callable[[str, tuple[str, ...], tuple[int, ...]], ArrayLike]
        | Mapping[tuple[str, tuple[str, ...]], ArrayLike]
    )
    score_equivalent: bool = False

    name: ClassVar[str] = "BD"
    decomposable: ClassVar[bool] = True

    def __post_init__(self) -> None:
        given = self.pseudo_counts
        if isinstance(given, (int, float)) and not isinstance(given, bool):
            if not (given > 0 and math.isfinite(given)):
                raise ParameterError(f"pseudo_counts must be positive and finite, got {given!r}")
        elif not (callable(given) or isinstance(given, Mapping)):
            raise ParameterError(
                "pseudo_counts must be a positive number, a function "
                "(child, parents, arities) -> array or a mapping {(child, parents): array}, "
                f"got {type(given).__name__}"
            )

    @property
    def is_constant(self) -> bool:
        """Whether one number serves for all families."""
        return isinstance(self.pseudo_counts, (int, float))

    def native(self, n_samples: int) -> tuple[str, float]:
        """Return the core's formula and its parameter; only for one number."""
        assert isinstance(self.pseudo_counts, (int, float))
        return "dirichlet", float(self.pseudo_counts)

    def table(
        self, child: str, parents: tuple[str, ...], arities: tuple[int, ...]
    ) -> NDArray[np.float64]:
        """Return the pseudo counts of a family, a row per configuration of the parents."""
        shape = (math.prod(arities[1:]), arities[0])
        family = f"family ({child!r}, {parents!r})"
        if shape[0] * shape[1] > _LARGEST_TABLE:
            raise ParameterError(
                f"{family} has {shape[0] * shape[1]} cells, more than the {_LARGEST_TABLE} that "
                "pseudo counts given as arrays may have; set max_parents, or give one number"
            )
        given = self.pseudo_counts
        if isinstance(given, Mapping):
            if (child, parents) not in given:
                raise ParameterError(f"pseudo_counts has no entry for {family}")
            values = given[child, parents]
        elif callable(given):
            values = given(child, parents, arities)
        else:
            values = given
        try:
            table = np.broadcast_to(np.asarray(values, dtype=np.float64), shape)
        except ValueError as error:
            raise ParameterError(
                f"pseudo_counts of {family} must broadcast to shape {shape}, got {np.shape(values)}"
            ) from error
        if not (np.isfinite(table).all() and (table > 0).all()):
            raise ParameterError(f"pseudo_counts of {family} must all be positive and finite")
        return table
