# SPDX-License-Identifier: MIT
"""Operators that move from one equivalence class to another, and how to write a new one."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from stigmergy import _core
from stigmergy.errors import ParameterError
from stigmergy.scorer import Scorer

#: The six operators of Chickering (2002a), in the order of Table 2 of Daly & Shen (2009).
TABLE_2 = ("InsertU", "DeleteU", "InsertD", "DeleteD", "ReverseD", "MakeV")


class OperatorMove(NamedTuple):
    """A valid move of an operator: where it leads and what it gains."""

    key: Hashable
    gain: float
    result: _core.Pdag


@runtime_checkable
class Operator(Protocol):
    """An operator of one's own.

    `moves` lists the valid moves from a class. Each has a key, by which pheromone is kept and which
    must name the move in whatever class it is possible; the gain in score; and the CPDAG of the
    class that it leads to. Moves must come in an order that depends on the class only. The search
    drops those that knowledge or the parent limit forbid. The user guide has an example.
    """

    name: str

    def moves(self, cpdag: _core.Pdag, scorer: Scorer) -> Iterable[OperatorMove]:
        """List the valid moves from the class of `cpdag`."""


def move_name(move: _core.Move, names: Sequence[str]) -> str:
    """Write a move of Table 2 as the paper does, such as ``MakeV(x, y, z)``."""
    nodes = (
        [move.x, move.y] if move.operator != TABLE_2.index("MakeV") else [move.x, move.y, move.z]
    )
    return f"{TABLE_2[move.operator]}({', '.join(names[node] for node in nodes)})"


class Table2Operator:
    """One operator of Table 2 as an `Operator`, for colonies that mix it with others."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._set = 1 << TABLE_2.index(name)

    def moves(self, cpdag: _core.Pdag, scorer: Scorer) -> Iterable[OperatorMove]:
        """List the valid moves in the order of their nodes."""
        for move, gain in _core.valid_moves(cpdag, self._set, scorer.core):
            yield OperatorMove(move, gain, _core.apply_move(cpdag, move))


def operator_set(operators: Sequence[str | Operator]) -> int | None:
    """Return the operators of Table 2 as the core's bit set; None when there are others among them.

    Raises
    ------
    ParameterError
        For an unknown name, a value that is no operator, or no operator at all.
    """
    if isinstance(operators, str) or not isinstance(operators, Collection) or not operators:
        raise ParameterError(
            f"operators must be a non-empty list of names from {', '.join(TABLE_2)} or of Operator "
            f"objects, got {operators!r}"
        )
    bits = 0
    native = True
    for operator in operators:
        if isinstance(operator, str):
            if operator not in TABLE_2:
                raise ParameterError(
                    f"operators must be names from {', '.join(TABLE_2)} or Operator objects, "
                    f"got {operator!r}"
                )
            bits |= 1 << TABLE_2.index(operator)
        elif isinstance(operator, Operator):
            native = False
        else:
            raise ParameterError(
                "an operator must be a name of Table 2 or an object with a name and a method "
                f"moves(cpdag, scorer), got {operator!r}"
            )
    return bits if native else None
