"""The native core of stigmergy; use the stigmergy package."""

from collections.abc import Callable, Sequence
from typing import Annotated, Final

import numpy
from numpy.typing import NDArray

class Columns:
    """Codes of a data set, ready to be counted."""

    @staticmethod
    def make(codes: list[object], arities: Sequence[int], weights: object | None) -> Columns: ...
    def count(
        self,
        child: int,
        parents: Sequence[int],
        method: str = "automatic",
        kernels: str = "",
        all: bool = False,
    ) -> NDArray[numpy.int64]:
        """
        Counts N_jk of a family, a row per observed configuration (all=True: per possible one, the first parent changing fastest).
        """

    @property
    def n_rows(self) -> int: ...
    @property
    def total(self) -> int: ...

def log_rising(a: float, n: int) -> float:
    """log Gamma(a + n) - log Gamma(a)."""

def log_rising_sum(
    a: Annotated[NDArray[numpy.float64], dict(order="C", device="cpu", writable=False)],
    n: Annotated[NDArray[numpy.int64], dict(order="C", device="cpu", writable=False)],
) -> float:
    """The sum of log_rising over two arrays."""

def kernels() -> list[str]:
    """The kernels that this processor can run, the best last."""

class StructurePrior:
    """log(kappa) per differing parent."""

    def __init__(self, log_kappa: float, parents: Sequence[Sequence[int]]) -> None: ...

class Scorer:
    """Families of one data set and score, behind one cache."""

    @staticmethod
    def from_function(
        n_nodes: int,
        function: Callable[[int, Sequence[int]], float],
        max_parents: int,
        cache_bytes: int,
        prior: StructurePrior = ...,
    ) -> Scorer: ...
    @staticmethod
    def from_columns(
        columns: Columns,
        kind: str,
        parameter: float,
        max_parents: int,
        cache_bytes: int,
        prior: StructurePrior = ...,
        method: str = "automatic",
        kernels: str = "",
    ) -> Scorer: ...
    def family(self, child: int, parents: Sequence[int]) -> float: ...
    def extensions(
        self, child: int, base: Sequence[int], candidates: Sequence[int]
    ) -> NDArray[numpy.float64]:
        """
        The score of the child with the parents `base` and each of the candidates.
        """

    def families(
        self,
        children: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        parents: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        offsets: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        n_threads: int = 1,
    ) -> NDArray[numpy.float64]:
        """
        Scores of many families; the parents of children[i] are parents[offsets[i]:offsets[i + 1]].
        """

    @property
    def n_nodes(self) -> int: ...
    @property
    def max_parents(self) -> int: ...
    def export_families(
        self,
    ) -> tuple[
        NDArray[numpy.uint16], NDArray[numpy.uint16], NDArray[numpy.uint64], NDArray[numpy.float64]
    ]:
        """
        The families in the cache: children, parents, offsets into parents, scores.
        """

    def import_families(
        self,
        children: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        parents: Annotated[
            NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        offsets: Annotated[
            NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
        scores: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    @property
    def evaluations(self) -> tuple[int, int]: ...

def limits() -> dict[str, float]:
    """
    What this processor can do at best of the operations that counting is made of.
    """

def time_count(
    columns: Columns,
    child: int,
    parents: Sequence[int],
    method: str = "automatic",
    kernels: str = "",
    loops: int = 1000,
) -> float:
    """Nanoseconds to count one family."""

def time_score(
    columns: Columns,
    kind: str,
    parameter: float,
    child: int,
    parents: Sequence[int],
    loops: int = 1000,
) -> float:
    """Nanoseconds to count and score one family, without the cache."""

def time_sweep(
    columns: Columns,
    kind: str,
    parameter: float,
    child: int,
    base: Sequence[int],
    candidates: Sequence[int],
    loops: int = 100,
) -> float:
    """
    Nanoseconds per family of a sweep over all candidates, without the cache.
    """

def time_cached(
    scorer: Scorer,
    children: Annotated[
        NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    parents: Annotated[
        NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    offsets: Annotated[
        NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)
    ],
    loops: int = 10,
) -> float:
    """Nanoseconds to look up one family that the cache has."""

class Pdag:
    """A partially directed graph over node numbers."""

    def __init__(
        self,
        n_nodes: int,
        directed: Sequence[tuple[int, int]] = [],
        undirected: Sequence[tuple[int, int]] = [],
    ) -> None: ...
    def __len__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def copy(self) -> Pdag: ...
    def directed_edges(self) -> list[tuple[int, int]]: ...
    def undirected_edges(self) -> list[tuple[int, int]]: ...
    def consistent_extension(self) -> Pdag | None: ...
    def completed(self) -> Pdag:
        """Same skeleton and v-structures, closed under Meek's rules 1-3."""

class Stop:
    """A deadline and Ctrl-C, asked for between the steps of native loops."""

    def __init__(self, seconds_left: float | None = None) -> None: ...
    def requested(self) -> bool: ...
    @property
    def was_interrupted(self) -> bool: ...

class ArcRules:
    """Arcs (parent, child) that must and must not be there."""

    def __init__(
        self,
        n_nodes: int,
        required: Sequence[tuple[int, int]] = [],
        forbidden: Sequence[tuple[int, int]] = [],
    ) -> None: ...
    @property
    def is_free(self) -> bool: ...
    def allows(self, parent: int, child: int) -> bool: ...
    def requires_arc(self, parent: int, child: int) -> bool: ...
    def required_arcs(self) -> list[tuple[int, int]]: ...
    def obeyed_by(self, dag: Pdag) -> bool: ...

def obeying_member(cpdag: Pdag, rules: ArcRules) -> Pdag | None: ...

class Move:
    """An operator of Table 2 with its nodes."""

    @property
    def operator(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def z(self) -> int: ...
    @property
    def key(self) -> int: ...
    @staticmethod
    def from_key(arg: int, /) -> Move: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def valid_moves(cpdag: Pdag, operators: int, scorer: Scorer) -> list[tuple[Move, float]]: ...
def is_valid_move(cpdag: Pdag, move: Move) -> bool: ...
def apply_move(cpdag: Pdag, move: Move) -> Pdag: ...
def score_of_class(cpdag: Pdag, scorer: Scorer) -> float: ...

class Pheromone:
    """Pheromone by move key; untouched moves have the initial value."""

    def __init__(self, initial: float) -> None: ...
    @property
    def initial(self) -> float: ...
    def __len__(self) -> int: ...
    def __getitem__(self, arg: int, /) -> float: ...
    def __setitem__(self, arg0: int, arg1: float, /) -> None: ...
    def update(self, move: Move, rho: float, target: float) -> None:
        """tau <- (1 - rho) tau + rho target"""

    def items(self) -> list[tuple[int, float]]: ...

class Walk:
    """Where an ant or a greedy search went."""

    def __init__(self, graph: Pdag, path: Sequence[Move], score: float) -> None: ...
    @property
    def graph(self) -> Pdag: ...
    @property
    def path(self) -> list[Move]: ...
    @property
    def score(self) -> float: ...
    @property
    def finished(self) -> bool: ...
    @property
    def steps(self) -> list[tuple[float, Move, list[tuple[Move, float, float]]]]: ...

class Colony:
    """GREEDY-E and ANT-E over one scorer."""

    def __init__(
        self,
        scorer: Scorer,
        arcs: ArcRules,
        operators: int = 63,
        beta: float = 1.0,
        fixed_gains: bool = False,
    ) -> None: ...
    def greedy(self, start: Pdag, stop: Stop) -> Walk: ...
    def walk(
        self,
        start: Pdag,
        pheromone: Pheromone,
        *,
        rho: float,
        q0: float,
        parallel: bool,
        local_search: bool,
        seed: int,
        iteration: int,
        ants: int,
        threads: int,
        trace: bool = False,
        stop: Stop,
    ) -> list[Walk]: ...
    @property
    def work(self) -> tuple[int, int, int]: ...
    @property
    def row_bytes(self) -> int: ...

class ExactSearch:
    """The best network of all by dynamic programming over sets of nodes."""

    def __init__(self, scorer: Scorer, rules: ArcRules) -> None: ...

    most_nodes: Final[int] = ...
    """(arg: object, /) -> int"""

    @staticmethod
    def bytes_needed(n_nodes: int, max_parents: int, n_threads: int) -> int:
        """
        Bytes of the tables over sets of nodes; the lists of parent sets come on top.
        """

    @staticmethod
    def n_families(n_nodes: int, max_parents: int) -> int:
        """Families to score without knowledge."""

    def score_families(self, n_threads: int, stop: Stop) -> bool:
        """
        Scores all families and keeps those that can matter; False when stopped.
        """

    def solve(self, n_threads: int, stop: Stop) -> bool:
        """Finds the best score; False when stopped."""

    @property
    def n_choices(self) -> int: ...
    @property
    def best_score(self) -> float: ...
    def best_network(self) -> Pdag: ...
    def best_networks(
        self, one_per_class: bool, most_networks: int, most_steps: int, stop: Stop
    ) -> tuple[list[Pdag], bool]:
        """The networks with the best score, and whether these are all."""

class GesMove:
    """Insert(x, y, T), Delete(x, y, H) or Turn(x, y, C); kinds 0, 1, 2."""

    def __init__(self, kind: int, x: int, y: int, set: Sequence[int]) -> None: ...
    @property
    def kind(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def set(self) -> list[int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __repr__(self) -> str: ...

GES_INSERT: int = 1

GES_DELETE: int = 2

GES_TURN: int = 4

def valid_ges_moves(cpdag: Pdag, kinds: int, scorer: Scorer) -> list[tuple[GesMove, float]]:
    """Every valid operator with its gain."""

def apply_ges_move(cpdag: Pdag, move: GesMove) -> Pdag: ...

class GesMoves:
    """The improving operators of a class, kept up to date from move to move."""

    def __init__(self, scorer: Scorer, rules: ArcRules, cpdag: Pdag) -> None: ...
    @property
    def graph(self) -> Pdag: ...
    def best(self, kinds: int, stop: Stop) -> tuple[GesMove, float] | None:
        """The operator that gains most, if any gains."""

    def improving(self, kinds: int, stop: Stop) -> list[tuple[GesMove, float]]:
        """All operators that gain, one for each class they lead to."""

    def apply(self, move: GesMove) -> None: ...

def mutate(
    cpdag: Pdag, scorer: Scorer, rules: ArcRules, random: Random
) -> tuple[Pdag, float] | None:
    """
    A random valid move of Table 2 made: the class it leads to and the gain.
    """

class Random:
    """A stream of random numbers, named by a seed and two numbers."""

    @staticmethod
    def stream(seed: int, a: int, b: int = 0) -> Random: ...
    def uniform(self) -> float:
        """In [0, 1)."""

    def below(self, n: int) -> int:
        """Each of 0 .. n - 1 equally likely."""

class OrderBuilder:
    """A growing order; K2's score of every node that could come next."""

    def __init__(self, scorer: Scorer, rules: ArcRules) -> None: ...
    def clear(self) -> None: ...
    def ready(self) -> list[int]: ...
    def scores(self, nodes: Sequence[int]) -> list[float]: ...
    def place(self, node: int) -> None: ...
    @property
    def order(self) -> list[int]: ...
    @property
    def score(self) -> float: ...
    def dag(self) -> Pdag: ...

class OrderSearch:
    """An order, its K2 network and the gain of every exchange of two nodes."""

    def __init__(self, scorer: Scorer, rules: ArcRules) -> None: ...
    def set_order(self, order: Sequence[int], stop: Stop) -> bool:
        """Finds the parents under this order; False when stopped."""

    @property
    def order(self) -> list[int]: ...
    @property
    def score(self) -> float: ...
    def dag(self) -> Pdag: ...
    def best_swap(self, stop: Stop) -> tuple[int, int, float] | None:
        """The exchange (i, j, gain) that gains most, if any gains."""

    def swap(self, i: int, j: int) -> None: ...

def chi_squared_tail(statistic: float, dof: float) -> tuple[float, float]:
    """The upper tail P(X >= statistic) and its natural logarithm."""

class IndependenceTests:
    """Tests of independence behind one cache."""

    @staticmethod
    def from_columns(
        columns: Columns, statistic: str, dof: str, min_rows_per_cell: float, cache_bytes: int
    ) -> IndependenceTests: ...
    @staticmethod
    def from_dag(
        dag: Pdag, observed: Sequence[int], selected: Sequence[int], cache_bytes: int
    ) -> IndependenceTests: ...
    @staticmethod
    def from_function(
        n_nodes: int,
        function: Callable[[int, int, Sequence[int]], tuple[float, float, float]],
        cache_bytes: int,
    ) -> IndependenceTests: ...
    def test(self, x: int, y: int, given: Sequence[int]) -> tuple[float, float, float, float, bool]:
        """
        Statistic, degrees of freedom, p-value, its logarithm, whether the test was made.
        """

    def test_all(
        self, queries: Sequence[tuple[int, int, Sequence[int]]], n_threads: int
    ) -> list[tuple[float, float, float, float, bool]]: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def requests(self) -> int: ...
    @property
    def computed(self) -> int: ...

def find_separating_sets(
    tests: IndependenceTests,
    pairs: Sequence[tuple[int, int, Sequence[int], Sequence[int]]],
    smallest: int,
    largest: int,
    alpha: float,
    n_threads: int,
    stop: Stop,
) -> list[list[int] | None]:
    """For each (x, y, around x, around y) the first separating set, or None."""

def count_separating_sets(
    tests: IndependenceTests,
    pairs: Sequence[tuple[int, int, Sequence[int], Sequence[int]]],
    middles: Sequence[Sequence[int]],
    smallest: int,
    largest: int,
    alpha: float,
    n_threads: int,
    stop: Stop,
) -> list[tuple[int, list[int]]]:
    """
    For each pair how many sets separate it, and how many of them contain each middle node.
    """

class Association:
    """The least association found so far."""

    def __init__(self) -> None: ...
    @property
    def log_p_value(self) -> float: ...
    @property
    def statistic(self) -> float: ...
    @property
    def tested(self) -> bool: ...
    @property
    def independent(self) -> bool: ...

def lower_to_minimum_association(
    tests: IndependenceTests,
    target: int,
    candidates: Sequence[int],
    associations: Sequence[Association],
    base: Sequence[int],
    always: Sequence[int],
    largest: int,
    alpha: float,
    n_threads: int,
    stop: Stop,
) -> list[Association]: ...

class Sampler:
    """Draws rows from a network of probability tables."""

    def __init__(self) -> None: ...
    def add(
        self,
        stream: int,
        arity: int,
        parents: Sequence[int],
        table: Annotated[
            NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)
        ],
    ) -> None: ...
    def sample(
        self,
        seed: int,
        first_row: int,
        columns: Sequence[NDArray[numpy.uint8] | NDArray[numpy.uint16]],
        n_threads: int,
    ) -> None: ...

class ArcMove:
    """Addition (0), removal (1) or reversal (2) of x -> y."""

    def __init__(self, change: int, x: int, y: int) -> None: ...
    @property
    def change(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class TabuList:
    """The last DAGs that a search went through."""

    def __init__(self, length: int) -> None: ...
    def insert(self, moves: ArcMoves) -> None: ...

class ArcMoves:
    """A DAG with the gains of its legal moves."""

    def __init__(
        self,
        scorer: Scorer,
        rules: ArcRules,
        dag: Pdag,
        stop: Stop,
        candidates: Sequence[tuple[int, int]] | None = None,
        n_threads: int = 1,
    ) -> None: ...
    @property
    def score(self) -> float: ...
    @property
    def dag(self) -> Pdag: ...
    def best(self, tabu: TabuList | None = None) -> tuple[ArcMove, float] | None:
        """
        The move with the greatest gain, and the gain; None if no move is legal.
        """

    def legal_moves(self) -> list[tuple[ArcMove, float]]: ...
    def apply(self, move: ArcMove, stop: Stop) -> None: ...

def hill_climb(
    scorer: Scorer,
    rules: ArcRules,
    start: Pdag,
    stop: Stop,
    candidates: Sequence[tuple[int, int]] | None = None,
    tabu_length: int = 0,
    patience: int = 15,
    n_threads: int = 1,
) -> tuple[Pdag, float, int]:
    """
    Hill climbing over DAGs, with a tabu list if it has a length; arcs (parent, child) are
    added only among the candidates if these are given. The DAG, its score, moves made.
    """

class Annealing:
    """A chain of random arc changes."""

    def __init__(self, scorer: Scorer, rules: ArcRules, dag: Pdag, seed: int) -> None: ...
    def stage(self, temperature: float, tries: int, changes: int, stop: Stop) -> int:
        """Try so many changes and make up to so many; how many were made."""

    @property
    def score(self) -> float: ...
    @property
    def dag(self) -> Pdag: ...
    @property
    def best_score(self) -> float: ...
    @property
    def best_dag(self) -> Pdag: ...

def random_walk(
    scorer: Scorer, rules: ArcRules, dag: Pdag, steps: int, seed: int, stream: int
) -> Pdag:
    """The DAG after so many random legal arc changes."""

class ArcColony:
    """Ants that build DAGs arc by arc."""

    def __init__(
        self, scorer: Scorer, rules: ArcRules, beta: float, is_static: bool = False
    ) -> None: ...
    def walk(
        self,
        start: Pdag,
        pheromone: Pheromone,
        *,
        rho: float,
        q0: float,
        parallel: bool,
        local_search: bool,
        seed: int,
        iteration: int,
        ants: int,
        threads: int,
        stop: Stop,
    ) -> list[tuple[Pdag, float]]:
        """One iteration: the DAGs of the ants with their scores."""

    @staticmethod
    def reinforce(pheromone: Pheromone, dag: Pdag, rho: float, target: float) -> None:
        """Update every arc of the DAG: tau <- (1 - rho) tau + rho target."""

class ArcModel:
    """One independent probability per arc."""

    def __init__(self, scorer: Scorer, rules: ArcRules, initial: float, margin: float) -> None: ...
    def probability(self, x: int, y: int) -> float: ...
    def sample(
        self,
        start: Pdag,
        size: int,
        seed: int,
        generation: int,
        scorer: Scorer,
        n_threads: int,
        stop: Stop,
    ) -> list[tuple[Pdag, float]]:
        """Individuals drawn and repaired to DAGs, with their scores, best first."""

    def learn(self, dags: Sequence[Pdag], rate: float) -> None:
        """p <- (1 - rate) p + rate (share of the DAGs with the arc)"""

    def mutate(self, chance: float, shift: float, seed: int, generation: int) -> None:
        """Each p, with this chance, moves by this share towards 0 or 1."""

class Reinsertion:
    """The best parents and children of one node."""

    def __init__(
        self, scorer: Scorer, rules: ArcRules, max_parents: int, max_sets: int
    ) -> None: ...
    def prepare(self, targets: Sequence[int], n_threads: int, stop: Stop) -> None:
        """List the parent sets of these nodes."""

    def parent_sets(self, target: int) -> list[tuple[list[int], float]]: ...
    def reinsert(self, dag: Pdag, target: int) -> tuple[Pdag, float]:
        """
        The DAG with the target reinserted, and what that gained; 0 if nothing is better.
        """

class RpdagMove:
    """An operator on restricted PDAGs with its nodes."""

    @property
    def operator(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...
    @property
    def z(self) -> int: ...

def is_restricted(graph: Pdag) -> bool:
    """Whether it is a restricted PDAG."""

def restricted_of(dag: Pdag) -> Pdag:
    """The restricted PDAG that a DAG extends."""

class RpdagMoves:
    """A restricted PDAG with its moves."""

    def __init__(self, scorer: Scorer, rules: ArcRules, rpdag: Pdag) -> None: ...
    @property
    def rpdag(self) -> Pdag: ...
    @property
    def score(self) -> float: ...
    def moves(self) -> list[tuple[RpdagMove, float]]: ...
    def best(self, tabu: TabuList | None = None) -> tuple[RpdagMove, float] | None: ...
    def apply(self, move: RpdagMove) -> None: ...
    def remember(self, tabu: TabuList) -> None:
        """Put the present graph on a tabu list."""

def sparse_candidates(
    scorer: Scorer, rules: ArcRules, dag: Pdag, k: int, n_threads: int = 1
) -> list[tuple[int, int]]:
    """The arcs (parent, child) from k candidate parents to each child."""
