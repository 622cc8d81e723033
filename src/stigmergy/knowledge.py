# SPDX-License-Identifier: MIT
"""What is known about edges before any data is seen."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stigmergy import _core
from stigmergy.errors import KnowledgeError

if TYPE_CHECKING:
    from stigmergy.graph import Dag

Arc = tuple[str, str]

# How many variables a message lists.
_SHOWN = 10


@dataclass(frozen=True)
class Knowledge:
    """Edges that must, must not or may only be there; tiers, roots and leaves.

    Every search obeys it, and every result is checked against it. Whether the parts can be met
    together is decided before a search begins, by :meth:`problems`.

    Parameters
    ----------
    required_edges : iterable of (parent, child)
        These arcs are in the graph, in this direction.
    forbidden_edges : iterable of (parent, child)
        These arcs are not in the graph. The opposite direction stays possible; give both to keep
        two variables apart.
    allowed_edges : iterable of (parent, child), optional
        All arcs that are not listed are forbidden. Give both directions of a pair to leave its
        direction open. None, which is the default, allows every arc; an empty list allows none.
    tiers : iterable of iterables of str
        Groups of variables from early to late: no arc leads from a later into an earlier tier.
        Arcs within a tier, and those of variables in no tier, are free.
    roots : iterable of str
        Variables without parents.
    leaves : iterable of str
        Variables without children.

    Notes
    -----
    Knowledge speaks of arcs, and an equivalence class has undirected edges. A class *obeys* when
    at least one of its DAGs does, and a search over classes visits only such classes; the DAG that
    the result shows is then a member that obeys. An undirected edge of the class found may be one
    whose direction is known: the class says what the data can tell, the DAG adds what was known.

    The graph whose arcs are exactly the required ones obeys unless :meth:`problems` finds
    something, so knowledge without problems can always be met.

    Examples
    --------
    >>> knowledge = Knowledge(required_edges=[("rain", "wet")], tiers=[["season"], ["rain"]])
    >>> knowledge.violations_of_arcs([("rain", "season")])
    ['rain -> wet is required but absent', 'rain -> season leads into an earlier tier']
    """

    required_edges: tuple[Arc, ...] = ()
    forbidden_edges: tuple[Arc, ...] = ()
    allowed_edges: tuple[Arc, ...] | None = None
    tiers: tuple[tuple[str, ...], ...] = ()
    roots: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()

    def __init__(
        self,
        required_edges: Iterable[Sequence[str]] = (),
        forbidden_edges: Iterable[Sequence[str]] = (),
        allowed_edges: Iterable[Sequence[str]] | None = None,
        tiers: Iterable[Iterable[str]] = (),
        roots: Iterable[str] = (),
        leaves: Iterable[str] = (),
    ) -> None:
        take = object.__setattr__
        take(self, "required_edges", _arcs("required_edges", required_edges))
        take(self, "forbidden_edges", _arcs("forbidden_edges", forbidden_edges))
        allowed = None if allowed_edges is None else _arcs("allowed_edges", allowed_edges)
        take(self, "allowed_edges", allowed)
        take(
            self,
            "tiers",
            tuple(_names(f"tier {i}", t) for i, t in enumerate(_list("tiers", tiers), 1)),
        )
        take(self, "roots", _names("roots", roots))
        take(self, "leaves", _names("leaves", leaves))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known."""
        return not self.to_dict()

    def to_dict(self) -> dict[str, Any]:
        """Return the parts that say something, as lists."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: [item if isinstance(item, str) else list(item) for item in part]
            for name, part in parts.items()
            if part or (name == "allowed_edges" and part is not None)
        }

    # -- before a search ---------------------------------------------------------------------------

    def problems(self, names: Iterable[str], max_parents: int | None = None) -> list[str]:
        """Say why this knowledge cannot be met by a graph over `names`.

        Parameters
        ----------
        names : iterable of str
            The variables.
        max_parents : int, optional
            The parent limit of the search.

        Returns
        -------
        list of str
            One sentence for each contradiction and each unknown name; empty when there is none.
        """
        found = self._unknown(names)
        found += [
            f"{name!r} is in {count} tiers"
            for name, count in Counter(name for tier in self.tiers for name in tier).items()
            if count > 1
        ]
        for parent, child in self.required_edges:
            found += [
                f"{parent} -> {child} is required, but {r}" for r in self._against(parent, child)
            ]
        cycle = _cycle(self.required_edges)
        if cycle:
            found.append(f"the required edges close the cycle {' -> '.join(cycle)}")
        if max_parents is not None:
            for child, count in Counter(child for _, child in self.required_edges).items():
                if count > max_parents:
                    found.append(
                        f"{child!r} has {count} required parents, but max_parents is {max_parents}"
                    )
        return found

    def require_consistent(self, names: Iterable[str], max_parents: int | None = None) -> None:
        """Raise `KnowledgeError` with all problems in one message, if there are any."""
        names = list(names)
        found = self.problems(names, max_parents)
        if found:
            # A name that is misspelt contradicts nothing.
            way_out = ". Drop or correct one side" if len(found) > len(self._unknown(names)) else ""
            raise KnowledgeError(f"the knowledge cannot be met: {'; '.join(found)}{way_out}")

    def rules(self, names: Iterable[str], max_parents: int | None = None) -> _core.ArcRules:
        """Return the rules over node numbers, in the order of the sorted names, for the core.

        Raises
        ------
        KnowledgeError
            When the knowledge cannot be met; the message lists every problem.
        """
        ordered = sorted(names)
        self.require_consistent(ordered, max_parents)
        number = {name: i for i, name in enumerate(ordered)}
        forbidden = {(number[parent], number[child]) for parent, child in self.forbidden_edges}
        if self.allowed_edges is not None:
            allowed = {(number[parent], number[child]) for parent, child in self.allowed_edges}
            everyone = range(len(ordered))
            forbidden |= {(p, c) for p in everyone for c in everyone if p != c} - allowed
        earlier: list[str] = []
        for tier in self.tiers:
            forbidden |= {(number[late], number[early]) for late in tier for early in earlier}
            earlier += tier
        for name in ordered:
            forbidden |= {(number[name], number[root]) for root in self.roots if root != name}
            forbidden |= {(number[leaf], number[name]) for leaf in self.leaves if leaf != name}
        required = sorted((number[parent], number[child]) for parent, child in self.required_edges)
        return _core.ArcRules(len(ordered), required, sorted(forbidden))

    def _unknown(self, names: Iterable[str]) -> list[str]:
        """Say which names are no variables."""
        known = set(names)
        return [
            f"{where} names {name!r}, which is no variable{_meant(name, known)}"
            for where, name in self._mentions()
            if name not in known
        ]

    def _mentions(self) -> Iterator[tuple[str, str]]:
        """Yield every name that is used with the place where it is, each pair once."""
        seen = set()
        for where in ("required_edges", "forbidden_edges", "allowed_edges", "tiers"):
            for group in getattr(self, where) or ():
                for name in group:
                    if (where, name) not in seen:
                        seen.add((where, name))
                        yield where, name
        for where in ("roots", "leaves"):
            for name in getattr(self, where):
                yield where, name

    # -- after a search ----------------------------------------------------------------------------

    def check(self, dag: Dag) -> None:
        """Raise `KnowledgeError` if a DAG does not obey; the message lists every arc at fault."""
        found = self.violations_of_arcs(dag.directed)
        if found:
            raise KnowledgeError("the graph does not obey the knowledge: " + "; ".join(found))

    def violations_of_arcs(self, arcs: Iterable[Arc]) -> list[str]:
        """Say what in the arcs of a DAG is against this knowledge; empty when nothing is."""
        arcs = list(arcs)
        present = set(arcs)
        absent = [arc for arc in self.required_edges if arc not in present]
        return [f"{parent} -> {child} is required but absent" for parent, child in absent] + [
            f"{parent} -> {child} {reason.removeprefix('it ')}"
            for parent, child in arcs
            for reason in self._against(parent, child)
        ]

    def _against(self, parent: str, child: str) -> Iterator[str]:
        """Yield every reason why an arc must not be there."""
        forbidden, allowed, tier = self._lookup
        if (parent, child) in forbidden:
            yield "it is forbidden"
        if allowed is not None and (parent, child) not in allowed:
            yield "it is not among the allowed edges"
        if parent in tier and child in tier and tier[parent] > tier[child]:
            yield "it leads into an earlier tier"
        if child in self.roots:
            yield f"it ends in the root {child!r}"
        if parent in self.leaves:
            yield f"it begins in the leaf {parent!r}"

    @cached_property
    def _lookup(self) -> tuple[set[Arc], set[Arc] | None, dict[str, int]]:
        allowed = None if self.allowed_edges is None else set(self.allowed_edges)
        tier = {name: i for i, names in enumerate(self.tiers) for name in names}
        return set(self.forbidden_edges), allowed, tier


def _list(where: str, value: Iterable[Any]) -> list[Any]:
    if isinstance(value, str):
        raise KnowledgeError(f"{where} must be a list, got the text {value!r}; write [{value!r}]")
    if not isinstance(value, Iterable):
        raise KnowledgeError(f"{where} must be a list, got {value!r}")
    return list(value)


def _names(where: str, value: Iterable[str]) -> tuple[str, ...]:
    names = _list(where, value)
    for name in names:
        if not isinstance(name, str):
            raise KnowledgeError(f"{where} must be names of variables, got {name!r}")
    return tuple(sorted(set(names)))


def _arcs(where: str, value: Iterable[Sequence[str]]) -> tuple[Arc, ...]:
    arcs = []
    if isinstance(value, str):
        raise KnowledgeError(
            f"{where} must be a list of pairs (parent, child), got the text {value!r}"
            f"{_as_pair(value)}"
        )
    for arc in _list(where, value):
        ends = tuple(arc) if isinstance(arc, Iterable) and not isinstance(arc, str) else ()
        if len(ends) != 2 or not all(isinstance(end, str) for end in ends):
            raise KnowledgeError(
                f"{where} must be pairs (parent, child) of names, got {arc!r}{_as_pair(arc)}"
            )
        if ends[0] == ends[1]:
            raise KnowledgeError(f"{where} must join two different variables, got {ends!r}")
        arcs.append((ends[0], ends[1]))
    return tuple(sorted(set(arcs)))


def _as_pair(arc: Any) -> str:
    """Say how an arc written as text, such as ``a -> b``, is given."""
    ends = re.split(r"\s*(?:->|,)\s*", arc.strip()) if isinstance(arc, str) else []
    return f'; write [("{ends[0]}", "{ends[1]}")]' if len(ends) == 2 and all(ends) else ""


def _meant(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3)
    if close:
        return f" (did you mean {' or '.join(map(repr, close))}?)"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f" (there are {', '.join(map(repr, names[:_SHOWN]))}{more})"


def _cycle(arcs: Iterable[Arc]) -> list[str]:
    """Return the nodes of a directed cycle, its first one again at the end; empty without one."""
    parents: dict[str, list[str]] = {}
    for parent, child in arcs:
        parents.setdefault(child, []).append(parent)
    # Nodes whose ancestors all lead to roots go first; what remains has a parent that remains.
    remaining = set(parents)
    while True:
        done = {child for child in remaining if not remaining.intersection(parents[child])}
        if not done:
            break
        remaining -= done
    if not remaining:
        return []
    path = [min(remaining)]
    while True:
        parent = min(remaining.intersection(parents[path[-1]]))
        if parent in path:
            cycle = [parent, *reversed(path[path.index(parent) :])]
            first = cycle.index(min(cycle))
            turned = cycle[first:-1] + cycle[:first]
            return [*turned, turned[0]]
        path.append(parent)
