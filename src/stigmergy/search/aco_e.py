# SPDX-License-Identifier: MIT
"""ACO-E: ant colony optimisation over equivalence classes of Bayesian networks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import InitVar, dataclass
from typing import Any, ClassVar, NamedTuple

from stigmergy import _core
from stigmergy.checks import is_integer
from stigmergy.errors import ParameterError
from stigmergy.search.base import Run, Search, improves
from stigmergy.search.checkpoint import graph_edges, graph_from
from stigmergy.search.dag_space import check_number
from stigmergy.search.literal_colony import LiteralColony, LiteralPheromone
from stigmergy.search.operators import TABLE_2, Operator, move_name, operator_set

HEURISTICS = ("dynamic", "static")
SCHEDULES = ("parallel", "paper")


class AntRule(NamedTuple):
    """The three numbers of the transition rule and the pheromone updates."""

    rho: float
    q0: float
    beta: float


def rule_of_thumb(n_variables: int) -> AntRule:
    """Return rho, q0 and beta for a number of variables.

    Daly & Shen (2009), Section 8.2: more variables want lower rho, higher q0 and higher beta. Up to
    40 variables these are the settings that the paper calls reasonable for most data (Table 7),
    from 76 on those tuned for its largest network (Table 8); in between they change evenly.
    """
    small, large = AntRule(0.4, 0.75, 0.75), AntRule(0.2, 0.95, 2.5)
    share = min(1.0, max(0.0, (n_variables - 40) / (76 - 40)))
    return AntRule(*(a + share * (b - a) for a, b in zip(small, large, strict=True)))


@dataclass(frozen=True)
class AcoE(Search):
    """Ants build classes move by move, led by gain and pheromone; the best path is reinforced.

    Parameters
    ----------
    ants
        Ants per iteration; the paper's *m*, which is accepted as a name too.
    iterations
        Iterations; *t_max*.
    local_search_every
        Every so many iterations GREEDY-E starts from what the ants found; *t_step*.
    rho
        Rate at which pheromone evaporates and is laid, in [0, 1]; None for the rule of thumb.
    q0
        Probability of taking the best move instead of drawing one, in [0, 1]; None for the rule of
        thumb.
    beta
        Weight of the gain against the pheromone, >= 0; None for the rule of thumb.
    operators
        Names of Table 2, or `Operator` objects of one's own.
    heuristic
        How desirable a move is: ``"dynamic"`` or ``"static"``. Dynamic is the gain of the move from
        the present class. Static (Section 9.5) is the gain of the arc on the empty graph, computed
        once; a move drawn by it is taken when it really improves, only insertions have such a gain,
        and the local search finishes off.
    schedule
        When the ants of an iteration see one another's pheromone: ``"parallel"`` (after it) or
        ``"paper"`` (at once). In parallel, they start from the same pheromone and their local
        updates are merged in ant order; the same result at any number of threads. As printed in the
        paper, one ant walks after another and sees the local updates of those before it.
    trace_moves
        Keep every step of every ant with all candidates, their tau and eta, q and the choice (the
        paper's Figure 8 and Table 4) in ``result.details["moves"]``. Costs a full enumeration a
        step.

    Notes
    -----
    rho, q0 and beta that are left at None follow the rule of thumb of Section 8.2, for more
    variables a lower rho and higher q0 and beta: 0.4, 0.75 and 0.75 up to 40 variables (its Table
    7), 0.2, 0.95 and 2.5 from 76 on (its Table 8, for the largest network), changing evenly in
    between. The values used stand in the result's settings. The letters m, t_max and t_step are
    taken for ants, iterations and local_search_every.

    Where the printed algorithms leave a choice: ``tau0 = 1 / (n |score|)`` once, from the first
    GREEDY-E; each unordered move exists once; gains up to 1e-6 do not improve; ties go to the first
    move in the order of Table 2, then of the nodes' names; the first of equally good ants counts; a
    move that is twice in the best path is reinforced twice. Ant k of iteration t draws from a
    random stream of its own, named by (seed, t, k).

    References
    ----------
    R. Daly and Q. Shen (2009), "Learning Bayesian network equivalence classes with ant colony
    optimization", Journal of Artificial Intelligence Research 35, 391-447: Algorithms 1 (`search`),
    2 and 3 (the core's `ants`), Equations 2 and 3, Table 2.
    """

    name: ClassVar[str] = "aco-e"
    needs_score_equivalence: ClassVar[bool] = True
    can_be_resumed: ClassVar[bool] = True

    ants: int = 20
    iterations: int = 200
    local_search_every: int = 10
    rho: float | None = None
    q0: float | None = None
    beta: float | None = None
    operators: Sequence[str | Operator] = TABLE_2
    heuristic: str = "dynamic"
    schedule: str = "parallel"
    trace_moves: bool = False
    m: InitVar[int | None] = None
    t_max: InitVar[int | None] = None
    t_step: InitVar[int | None] = None

    def __post_init__(self, m: int | None, t_max: int | None, t_step: int | None) -> None:
        for letter, value, name in (
            ("m", m, "ants"),
            ("t_max", t_max, "iterations"),
            ("t_step", t_step, "local_search_every"),
        ):
            if value is not None:
                if getattr(self, name) != type(self).__dataclass_fields__[name].default:
                    raise ParameterError(f"{letter} is another name of {name}; give one of them")
                object.__setattr__(self, name, value)
        for name, least in (("ants", 1), ("iterations", 0), ("local_search_every", 1)):
            value = getattr(self, name)
            if not is_integer(value) or value < least:
                raise ParameterError(f"{name} must be an integer >= {least}, got {value!r}")
        for name, greatest in (("rho", 1.0), ("q0", 1.0), ("beta", math.inf)):
            value = getattr(self, name)
            if value is not None:
                check_number(name, value, 0.0, greatest)
        for name, allowed in (("heuristic", HEURISTICS), ("schedule", SCHEDULES)):
            if getattr(self, name) not in allowed:
                raise ParameterError(
                    f"{name} must be one of {', '.join(allowed)}, got {getattr(self, name)!r}"
                )
        if operator_set(self.operators) is None and (
            self.heuristic != "dynamic" or self.trace_moves
        ):
            raise ParameterError(
                "heuristic='static' and trace_moves are for the operators of Table 2 only; "
                "operators has others"
            )

    def rule_for(self, n_variables: int) -> AntRule:
        """Return rho, q0 and beta as given, the rule of thumb where not."""
        given = (self.rho, self.q0, self.beta)
        thumb = rule_of_thumb(n_variables)
        return AntRule(*(t if g is None else float(g) for g, t in zip(given, thumb, strict=True)))

    def search(self, run: Run) -> None:
        """Algorithm 1, ACO-E."""
        n = run.scorer.n_nodes
        rho, q0, beta = self.rule_for(n)
        if run.writer is not None and operator_set(self.operators) is None:
            raise ParameterError(
                "checkpoint is for the operators of Table 2 only; operators has others"
            )
        if self.trace_moves and (run.writer is not None or run.restored is not None):
            raise ParameterError(
                "checkpoint and resume do not go with trace_moves=True: a checkpoint does not keep "
                "the moves made before"
            )
        run.settings.update(rho=rho, q0=q0, beta=beta)
        colony = self._colony(run, beta)

        if run.restored is None:
            best = colony.greedy(run.start, run.stop)  # P+, Path+
            run.propose(best.graph, best.score)
            run.record()
            tau0 = 1 / (n * magnitude(best.score))
            pheromone = self._pheromone(tau0)
        else:
            best, pheromone = restored_state(run.restored, n)

        for t in run.iterations(self.iterations):
            walks = colony.walk(  # ANT-E for k = 1 .. m
                run.start,
                pheromone,
                rho=rho,
                q0=q0,
                parallel=self.schedule == "parallel",
                local_search=t % self.local_search_every == 0,
                seed=run.seed,
                iteration=t,
                ants=self.ants,
                threads=run.scorer.n_threads,
                trace=self.trace_moves,
                stop=run.stop,
            )
            if not walks:
                break
            b = max(walks, key=lambda walk: walk.score)
            if improves(b.score, best.score):
                best = b
                run.propose(best.graph, best.score)
            for move in best.path:
                pheromone.update(move, rho, 1 / magnitude(best.score))
            self._trace(run, t, walks)
            run.state = saved_state(best, pheromone) if run.wants_state else None

        if self.heuristic == "static":
            # With the dynamic heuristic ants end at a local maximum, and this would do nothing.
            best = colony.greedy(best.graph, run.stop)
            if run.propose(best.graph, best.score):
                run.record()

    def _colony(self, run: Run, beta: float) -> Any:
        bits = operator_set(self.operators)
        if bits is None:
            return LiteralColony(run.scorer, self.operators, beta)
        return _core.Colony(
            run.scorer.core, run.scorer.rules, bits, beta, self.heuristic == "static"
        )

    def _pheromone(self, tau0: float) -> Any:
        if operator_set(self.operators) is None:
            return LiteralPheromone(tau0)
        return _core.Pheromone(tau0)

    def _trace(self, run: Run, t: int, walks: Sequence[Any]) -> None:
        if not self.trace_moves:
            return
        names = run.scorer.names
        rows = run.details.setdefault("moves", [])
        for k, walk in enumerate(walks, start=1):
            for step, (q, chosen, candidates) in enumerate(walk.steps, start=1):
                rows.append(
                    {
                        "iteration": t,
                        "ant": k,
                        "step": step,
                        "q": q,
                        "chosen": move_name(chosen, names),
                        "candidates": [
                            {"move": move_name(move, names), "tau": tau, "eta": eta}
                            for move, tau, eta in candidates
                        ],
                        "score": walk.score,
                    }
                )


def saved_state(best: Any, pheromone: Any) -> dict[str, Any]:
    """Return what the next iteration depends on, as plain values."""
    return {
        "graph": graph_edges(best.graph),
        "path": [move.key for move in best.path],
        "score": best.score,
        "initial": pheromone.initial,
        "pheromone": pheromone.items(),
    }


def restored_state(state: dict[str, Any], n_nodes: int) -> tuple[Any, Any]:
    """Read what `saved_state` has written: the best walk and the pheromone."""
    path = [_core.Move.from_key(key) for key in state["path"]]
    best = _core.Walk(graph_from(state["graph"], n_nodes), path, state["score"])
    pheromone = _core.Pheromone(state["initial"])
    for key, value in state["pheromone"]:
        pheromone[key] = value
    return best, pheromone


def magnitude(score: float) -> float:
    """Return |score|; a score of zero, which the method does not foresee, counts as one."""
    return abs(score) or 1.0
