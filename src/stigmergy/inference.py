# SPDX-License-Identifier: MIT
"""Exact inference by a junction tree: beliefs of all variables given evidence, P(evidence).

References
----------
F. V. Jensen, S. L. Lauritzen and K. G. Olesen (1990), Bayesian updating in causal probabilistic
networks by local computations, Computational Statistics Quarterly 4, 269-282 (propagation with
division). U. Kjaerulff (1990), Triangulation of graphs - algorithms giving small total state space,
technical report R90-09, Aalborg University (min-fill).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from stigmergy.errors import ImpossibleEvidenceError, NetworkError

Array = npt.NDArray[np.float64]
Scope = tuple[int, ...]  # variables by number, increasing: the axes of an array

_RESCALE_BELOW = 1e-100


class Factor(NamedTuple):
    """A function of some variables; one axis for each, in the order of their numbers."""

    scope: Scope
    values: Array


@dataclass
class _Clique:
    scope: Scope
    parent: int | None = None
    separator: Scope = ()


@dataclass
class JunctionTree:
    """The cliques of a triangulated graph as a forest, every clique before its parent in `order`.

    `home` has for each variable a clique that contains its family in the elimination.
    """

    cliques: list[_Clique] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    home: dict[int, int] = field(default_factory=dict)
    position: dict[int, int] = field(default_factory=dict)

    def clique_of(self, scope: Scope) -> int:
        """Return a clique that contains all of a scope, which is complete in the graph."""
        return self.home[min(scope, key=self.position.__getitem__)]


def factor_of(scope: Sequence[int], values: Array, evidence: Mapping[int, int]) -> Factor:
    """Return a table as a factor of its unobserved variables."""
    values = values[tuple(evidence.get(v, slice(None)) for v in scope)]
    free = [v for v in scope if v not in evidence]
    order = sorted(range(len(free)), key=free.__getitem__)
    return Factor(tuple(free[i] for i in order), values.transpose(order))


def min_fill_order(scopes: Sequence[Scope], arities: Sequence[int]) -> list[tuple[int, Scope]]:
    """Eliminate all variables, each time one that joins the fewest pairs of neighbours.

    Ties go to the smaller table, then to the smaller number.

    Returns
    -------
    list of (variable, its neighbours when it is eliminated)
    """
    near: dict[int, int] = {}
    for scope in scopes:
        whole = sum(1 << v for v in scope)
        for v in scope:
            near[v] = near.get(v, 0) | (whole & ~(1 << v))

    def cost(v: int) -> tuple[int, float, int]:
        neighbours = near[v]
        degree = neighbours.bit_count()
        joined = sum((near[u] & neighbours).bit_count() for u in _bits(neighbours))
        weight = math.log(arities[v]) + sum(math.log(arities[u]) for u in _bits(neighbours))
        return (degree * (degree - 1) - joined) // 2, round(weight, 9), v

    current = {v: cost(v) for v in near}
    heap = sorted(current.values())
    eliminated = []
    while heap:
        entry = heapq.heappop(heap)
        v = entry[2]
        if current.get(v) != entry:
            continue  # its surroundings have changed since
        del current[v]
        neighbours = near.pop(v)
        around = neighbours
        for u in _bits(neighbours):
            near[u] = (near[u] | neighbours) & ~(1 << u) & ~(1 << v)
            around |= near[u]
        for u in _bits(around):
            if current[u] != (changed := cost(u)):
                current[u] = changed
                heapq.heappush(heap, changed)
        eliminated.append((v, tuple(_bits(neighbours))))
    return eliminated


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def junction_tree(eliminated: Sequence[tuple[int, Scope]]) -> JunctionTree:
    """Return the maximal cliques of an elimination as a forest."""
    tree = JunctionTree(position={v: i for i, (v, _) in enumerate(eliminated)})
    children: dict[int, list[tuple[int, Scope]]] = {}
    top: dict[int, int] = {}  # the last variable that each clique is home of
    for v, neighbours in eliminated:
        below = children.get(v, [])
        # The clique of v is v with its neighbours; when a child's separator is as large, it is
        # that child's clique without one variable, and not maximal.
        host = next((u for u, scope in below if len(scope) == len(neighbours) + 1), None)
        if host is None:
            tree.cliques.append(_Clique(tuple(sorted((v, *neighbours)))))
            tree.home[v] = len(tree.cliques) - 1
        else:
            tree.home[v] = tree.home[host]
        for u, separator in below:
            if tree.home[u] != tree.home[v]:
                clique = tree.cliques[tree.home[u]]
                clique.parent, clique.separator = tree.home[v], separator
        top[tree.home[v]] = tree.position[v]
        if neighbours:
            parent = min(neighbours, key=tree.position.__getitem__)
            children.setdefault(parent, []).append((v, neighbours))
    tree.order = sorted(top, key=top.__getitem__)
    return tree


def ancestors(names: Iterable[str], parents: Mapping[str, Sequence[str]]) -> set[str]:
    """Return some variables with all their ancestors: the others sum to one and can be left out."""
    found: set[str] = set()
    stack = list(names)
    while stack:
        name = stack.pop()
        if name not in found:
            found.add(name)
            stack.extend(parents[name])
    return found


class Propagation:
    """Tables over a junction tree, given evidence.

    Parameters
    ----------
    tables : mapping of name to (family, array)
        The axes of the array are the family. The product of all is the joint distribution.
    arities : mapping of name to its number of levels
    evidence : mapping of name to code
    max_bytes : int
        What the beliefs may take; more is refused before anything is allocated.
    """

    def __init__(
        self,
        tables: Mapping[str, tuple[Sequence[str], Array]],
        arities: Mapping[str, int],
        evidence: Mapping[str, int],
        max_bytes: int,
    ) -> None:
        self._names = sorted(tables)
        number = {name: v for v, name in enumerate(self._names)}
        self._arities = [arities[name] for name in self._names]
        # A variable of one level is as good as observed; that keeps the number of axes small.
        self._fixed = {v: 0 for v, arity in enumerate(self._arities) if arity == 1}
        self._fixed |= {number[name]: code for name, code in evidence.items()}
        factors = [
            factor_of([number[member] for member in tables[name][0]], tables[name][1], self._fixed)
            for name in self._names
        ]
        scopes = [factor.scope for factor in factors if factor.scope]
        self._tree = junction_tree(min_fill_order(scopes, self._arities))
        self._refuse_too_wide(max_bytes)
        self._beliefs = [np.ones(self._shape(clique.scope)) for clique in self._tree.cliques]
        self._messages: dict[int, Array] = {}
        self.log_weight = 0.0
        """Natural logarithm of the probability of the evidence."""
        for factor in factors:
            if factor.scope:
                self._absorb(self._tree.clique_of(factor.scope), factor.scope, factor.values)
            else:
                self._scale(float(factor.values))
        self._collect()

    def _shape(self, scope: Scope) -> tuple[int, ...]:
        return tuple(self._arities[v] for v in scope)

    def _refuse_too_wide(self, max_bytes: int) -> None:
        sizes = [math.prod(self._shape(clique.scope)) for clique in self._tree.cliques]
        if 8 * sum(sizes) <= max_bytes:
            return
        cells, widest = max(
            (size, clique.scope) for size, clique in zip(sizes, self._tree.cliques, strict=True)
        )
        members = ", ".join(f"{self._names[v]} ({self._arities[v]})" for v in widest)
        raise NetworkError(
            f"exact inference needs {8 * sum(sizes):,} bytes, more than max_bytes={max_bytes:,}; "
            f"the widest clique has {cells:,} cells over {len(widest)} variables: {members}. "
            "Allow more with max_bytes, ask for fewer variables or with more evidence, "
            "or estimate from sample()"
        )

    def _scale(self, weight: float) -> None:
        if weight <= 0.0:
            raise ImpossibleEvidenceError("the evidence has probability 0 in this network")
        self.log_weight += math.log(weight)

    def _multiply(self, clique: int, scope: Scope, values: Array) -> None:
        inside = set(scope)
        axes = self._tree.cliques[clique].scope
        shape = [self._arities[v] if v in inside else 1 for v in axes]
        self._beliefs[clique] *= values.reshape(shape)

    def _absorb(self, clique: int, scope: Scope, values: Array) -> None:
        """Multiply a clique's belief by a factor, keeping clear of underflow."""
        self._multiply(clique, scope, values)
        peak = float(self._beliefs[clique].max())
        if peak < _RESCALE_BELOW:
            self._scale(peak)
            self._beliefs[clique] /= peak

    def _sum_onto(self, clique: int, scope: Scope) -> Array:
        kept = set(scope)
        axes = tuple(i for i, v in enumerate(self._tree.cliques[clique].scope) if v not in kept)
        result: Array = self._beliefs[clique].sum(axis=axes)
        return result

    def _collect(self) -> None:
        for index in self._tree.order:
            clique = self._tree.cliques[index]
            message = self._sum_onto(index, clique.separator)
            total = float(message.sum())
            self._scale(total)
            if clique.parent is None:
                self._beliefs[index] /= total
            else:
                message /= total
                self._messages[index] = message
                self._absorb(clique.parent, clique.separator, message)

    def _distribute(self) -> None:
        for index in reversed(self._tree.order):
            clique = self._tree.cliques[index]
            if clique.parent is not None:
                fresh = self._sum_onto(clique.parent, clique.separator)
                sent = self._messages[index]
                ratio = np.divide(fresh, sent, out=np.zeros_like(fresh), where=sent > 0)
                self._multiply(index, clique.separator, ratio)
                self._beliefs[index] /= self._beliefs[index].sum()

    def marginals(self) -> dict[str, Array]:
        """Return the posterior of every variable, each from the smallest clique that has it.

        To be called once: the beliefs become posteriors of their cliques.
        """
        self._distribute()
        smallest: dict[int, int] = {}
        for index in sorted(range(len(self._beliefs)), key=lambda i: -self._beliefs[i].size):
            smallest.update(dict.fromkeys(self._tree.cliques[index].scope, index))
        found = {}
        for v, name in enumerate(self._names):
            if v in self._fixed:
                found[name] = np.eye(self._arities[v])[self._fixed[v]]
            else:
                marginal = self._sum_onto(smallest[v], (v,))
                found[name] = marginal / marginal.sum()
        return found
