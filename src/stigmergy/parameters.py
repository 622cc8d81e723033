# SPDX-License-Identifier: MIT
"""Tables of probabilities and likelihoods from the counts of a data set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from stigmergy.dataset import Dataset
from stigmergy.errors import DataError, ParameterError

Level = str | int | bool | float
Method = Literal["bayes", "mle"]

# A row of counts may be far from the rows of the data in size: cells, not rows, are the limit.
_MAX_CELLS = 2**27


def family_counts(
    data: Dataset,
    family: Sequence[str],
    arities: Sequence[int],
    recodes: Mapping[str, npt.NDArray[np.intp]] | None = None,
) -> npt.NDArray[np.float64]:
    """Count the joint states of some variables, weights included; one axis for each.

    `recodes` has, for variables whose levels are not those of the data, the code for each level.
    """
    cells = math.prod(arities)
    if cells > _MAX_CELLS:
        raise ParameterError(
            f"the table of '{family[-1]}' has {cells:,} cells, more than {_MAX_CELLS:,}; "
            "give it fewer parents"
        )
    index = np.zeros(data.n_rows, np.intp)
    for name, arity in zip(family, arities, strict=True):
        index *= arity
        codes = data.codes(name)
        index += codes if recodes is None or name not in recodes else recodes[name][codes]
    counts = np.bincount(index, weights=data.weights, minlength=cells)
    return counts.astype(np.float64, copy=False).reshape(tuple(arities))


def fitted_table(
    counts: npt.NDArray[np.float64], method: Method, ess: float
) -> npt.NDArray[np.float64]:
    """Return the probabilities that counts (last axis: the child) give by a method."""
    arity = counts.shape[-1]
    if method == "bayes":
        counts = counts + ess / counts.size
    totals = counts.sum(axis=-1, keepdims=True)
    return np.where(totals > 0, counts / np.where(totals > 0, totals, 1.0), 1.0 / arity)


def recode(name: str, levels: Sequence[Level], data: Dataset) -> npt.NDArray[np.intp] | None:
    """Return the code in `levels` of each level of the data; None when they are the same.

    Levels are matched by value, or, when that leaves some over, by their text (a BIF file has only
    text). A level that no row has may be unknown.
    """
    given = data.levels_of(name)
    if given == tuple(levels):
        return None
    known: dict[Level, int] = {level: k for k, level in enumerate(levels)}
    if any(level not in known for level in given):
        texts = {str(level): k for k, level in enumerate(levels)}
        if len(texts) == len(levels) and len({str(level) for level in given}) == len(given):
            known = {level: texts[str(level)] for level in given if str(level) in texts}
    unknown = [code for code, level in enumerate(given) if level not in known]
    if unknown and np.isin(data.codes(name), unknown).any():
        raise DataError(
            f"levels of '{name}' in the data must be among those of the network "
            f"({', '.join(map(repr, levels))}); got {', '.join(repr(given[c]) for c in unknown)}"
        )
    return np.array([known.get(level, 0) for level in given], np.intp)
