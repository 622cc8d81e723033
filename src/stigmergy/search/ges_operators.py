# SPDX-License-Identifier: MIT
"""The operators of GES as a second set of operators for ACO-E and GREEDY-E."""

from __future__ import annotations

from collections.abc import Iterable

from stigmergy import _core
from stigmergy.errors import ParameterError
from stigmergy.scorer import Scorer
from stigmergy.search.operators import OperatorMove

_KINDS = {"Insert": _core.GES_INSERT, "Delete": _core.GES_DELETE, "Turn": _core.GES_TURN}


class GesOperator:
    """Insert(X, Y, T), Delete(X, Y, H) or Turn(X, Y, C), for ``AcoE(operators=...)``.

    From any class Insert and Delete reach more classes than the six operators of Table 2 do: all
    of the inclusion boundary. The conditions and gains are those of `GES`.

    Parameters
    ----------
    name
        ``"Insert"``, ``"Delete"`` or ``"Turn"``.

    References
    ----------
    D. M. Chickering (2002), "Optimal structure identification with greedy search", Journal of
    Machine Learning Research 3, 507-554. A. Hauser and P. Buehlmann (2012), "Characterization and
    greedy learning of interventional Markov equivalence classes of directed acyclic graphs",
    Journal of Machine Learning Research 13, 2409-2464.

    Examples
    --------
    >>> from stigmergy.search import AcoE
    >>> search = AcoE(operators=[GesOperator("Insert"), GesOperator("Delete"), "ReverseD"])
    """

    def __init__(self, name: str) -> None:
        if name not in _KINDS:
            raise ParameterError(f"name must be one of {', '.join(_KINDS)}, got {name!r}")
        self.name = name

    def __repr__(self) -> str:
        return f"GesOperator({self.name!r})"

    def moves(self, cpdag: _core.Pdag, scorer: Scorer) -> Iterable[OperatorMove]:
        """List the valid moves in the order of X, Y and the set."""
        for move, gain in _core.valid_ges_moves(cpdag, _KINDS[self.name], scorer.core):
            key = self.name, move.x, move.y, tuple(move.set)
            yield OperatorMove(key, gain, _core.apply_ges_move(cpdag, move))
