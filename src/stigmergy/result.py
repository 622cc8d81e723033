# SPDX-License-Identifier: MIT
"""What a search leaves behind: the graph, how good it is, and what is needed to find it again."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stigmergy.checks import counted
from stigmergy.errors import DataError, ParameterError
from stigmergy.graph import Cpdag, Dag, Graph, Pdag
from stigmergy.pag import Pag
from stigmergy.scorer import Family

if TYPE_CHECKING:
    import pandas as pd

    from stigmergy.dataset import Dataset, Level
    from stigmergy.metrics import Comparison
    from stigmergy.network import BayesianNetwork
    from stigmergy.parameters import Method

SCHEMA_NAME = "stigmergy-result"
SCHEMA_VERSION = 1
SCHEMA_FILE = Path(__file__).parent / "schema" / "result.schema.json"

_SHOWN_EDGES = 60


def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    from stigmergy import __version__

    return {
        "stigmergy": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


class Trace(tuple[Any, ...]):
    """The rows that a run has recorded, one per iteration; also a table by columns."""

    __slots__ = ()

    COLUMNS = ("iteration", "seconds", "evaluations", "distinct_evaluations", "best_score", "shd")

    @property
    def iterations(self) -> int:
        """How many iterations were made; what a search records before its first one is none."""
        return int(self[-1].iteration) if self else 0

    def to_dict(self) -> dict[str, list[Any]]:
        """Return a list for each column; `shd` is None where no true network was given."""
        return {name: [getattr(row, name) for row in self] for name in self.COLUMNS}

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas frame with a row per iteration."""
        import pandas as pd

        return pd.DataFrame(self.to_dict())


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """The outcome of one run.

    Attributes
    ----------
    cpdag : Cpdag
        The equivalence class found. Its directed edges are compelled, its undirected ones
        reversible.
    dag : Dag
        A member of the class; one that obeys the knowledge given.
    score : float
        The score of the class in nats, higher is better.
    algorithm : str
        The name of the search.
    settings : dict
        The parameters of the search.
    scorer_settings : dict
        Score, prior, limits and knowledge.
    seed : int
        What fixes every random choice.
    seconds : float
        Time taken.
    evaluations, distinct_evaluations : int
        Family scores asked for, and how many different ones.
    stop : str
        Why the run ended: ``"finished"``, ``"time limit"``, ``"interrupted"``, ...
    trace : Trace
        The course of the run, a row per iteration.
    families : tuple of Family
        What each node with its parents in `dag` contributes to `score`.
    data_fingerprint : str or None
        Identifies the data: names, levels, rows and weights.
    levels : dict or None
        The values of each variable in the data.
    details : dict
        What the algorithm has to say of itself.
    versions : dict
        Of the package, Python and NumPy.

    Notes
    -----
    Two results are equal when they say the same: the same class, member and score found by the same
    algorithm with the same settings and seed in the same data. Time, counts of evaluations, trace
    and versions play no part.
    """

    cpdag: Cpdag
    dag: Dag
    score: float
    algorithm: str
    settings: dict[str, Any]
    scorer_settings: dict[str, Any]
    seed: int
    seconds: float
    evaluations: int
    distinct_evaluations: int
    stop: str
    trace: Trace
    families: tuple[Family, ...]
    data_fingerprint: str | None = None
    levels: dict[str, tuple[Level, ...]] | None = None
    details: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=versions)

    def __post_init__(self) -> None:
        put = object.__setattr__
        for name in ("settings", "scorer_settings", "details"):
            put(self, name, plain(getattr(self, name)))
        put(self, "trace", Trace(self.trace))
        put(self, "families", tuple(Family(c, tuple(p), s) for c, p, s in self.families))

    def _content(self) -> tuple[Any, ...]:
        return (
            self.cpdag,
            self.dag,
            self.score,
            self.algorithm,
            self.settings,
            self.scorer_settings,
            self.seed,
            self.data_fingerprint,
        )

    def __eq__(self, other: object) -> bool:
        return self._content() == other._content() if isinstance(other, Result) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.cpdag, self.dag, self.score, self.algorithm, self.seed))

    # -- the edges ---------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, sorted."""
        return tuple(sorted(self.cpdag.names))

    @property
    def compelled(self) -> tuple[tuple[str, str], ...]:
        """The edges (from, to) on whose direction all members of the class agree."""
        return self.cpdag.directed

    @property
    def reversible(self) -> tuple[tuple[str, str], ...]:
        """The edges (a, b), a < b, that members of the class direct either way."""
        return self.cpdag.undirected

    @property
    def pdag(self) -> Pdag:
        """What is established: for a search by tests the graph that its tests give, else the class.

        The tests may contradict one another; then no DAG fits this graph, `details` lists the
        conflicts, and `dag` is one that is near to it.
        """
        edges = self.details.get("pdag")
        if edges is None:
            return Pdag(self.names, self.cpdag.directed, self.cpdag.undirected)
        return Pdag(self.names, _pairs(edges["directed"]), _pairs(edges["undirected"]))

    @property
    def pag(self) -> Pag | None:
        """The partial ancestral graph, of a search that allows for hidden causes; else None."""
        found = self.details.get("pag")
        return None if found is None else Pag(found["names"], found["edges"])

    def to_edges(self) -> list[dict[str, Any]]:
        """Return one record per edge, ready for ``pandas.DataFrame`` or ``polars.DataFrame``.

        ``from`` and ``to`` are as in the member DAG; ``compelled`` tells whether every member
        directs the edge so, and ``kind`` is ``"directed"`` or ``"undirected"`` accordingly.
        """
        compelled = set(self.compelled)
        return [
            {
                "from": a,
                "to": b,
                "kind": "directed" if (a, b) in compelled else "undirected",
                "compelled": (a, b) in compelled,
            }
            for a, b in self.dag.directed
        ]

    def compare(self, other: Result | Graph) -> Comparison:
        """Compare with a true graph, or with another result taken as the truth."""
        from stigmergy.metrics import compare

        return compare(other.cpdag if isinstance(other, Result) else other, self.cpdag)

    # -- a network ---------------------------------------------------------------------------------

    def fit(self, data: Any, method: Method = "bayes", *, ess: float = 1.0) -> BayesianNetwork:
        """Estimate the tables of the member DAG.

        Parameters
        ----------
        data
            A `Dataset` or anything that `Dataset.from_any` takes; it is read with the levels of
            learning, observed or not. Of a table that was discretized, give the `Dataset`.
        method : {"bayes", "mle"}
            Posterior means, or relative frequencies.
        ess : float
            Equivalent sample size of the prior of ``"bayes"``.

        Returns
        -------
        BayesianNetwork
            Write it with ``network.to_bif(path)``.
        """
        from stigmergy.dataset import Dataset
        from stigmergy.network import BayesianNetwork

        if not isinstance(data, Dataset):
            try:
                data = _read_as_learned(data, self.levels or {})
            except DataError as error:
                raise DataError(
                    f"{error} (fit reads a table with the levels of learning; if that was read "
                    "with other options, give the Dataset)"
                ) from error
        return BayesianNetwork.fit(self.dag, data, method, ess=ess)

    def to_networkx(self) -> Any:
        """Return the class as a networkx DiGraph; a reversible edge is a pair of opposite arcs.

        Edges have the attribute ``compelled``.
        """
        graph = self.cpdag.to_networkx()
        for _, _, attributes in graph.edges(data=True):
            attributes["compelled"] = False
        for a, b in self.compelled:
            graph.edges[a, b]["compelled"] = True
        return graph

    def to_pgmpy(self) -> Any:
        """Return the member DAG as a pgmpy DAG."""
        base = _needed("pgmpy.base", "pgmpy")
        graph = base.DAG()
        graph.add_nodes_from(self.names)
        graph.add_edges_from(self.dag.directed)
        return graph

    def to_pyagrum(self) -> Any:
        """Return the member DAG as a pyAgrum BayesNet, whose tables are not filled yet."""
        pyagrum = _needed("pyagrum", "pyagrum")
        if self.levels is None:
            raise ParameterError(
                "pyAgrum needs the levels of each variable, and this result was made without data; "
                "use to_networkx()"
            )
        network = pyagrum.BayesNet()
        for name in self.names:
            labels = [str(level) for level in self.levels[name]]
            network.add(pyagrum.LabelizedVariable(name, name, labels))
        for a, b in self.dag.directed:
            network.addArc(a, b)
        return network

    def to_dot(self) -> str:
        """Return the class in the DOT language; reversible edges have ``dir=none``."""
        from stigmergy.io.structure import format_structure

        return format_structure(self.cpdag, "dot")

    # -- files -------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, as the JSON schema in `SCHEMA_FILE` describes."""
        return {
            "schema": SCHEMA_NAME,
            "schema_version": SCHEMA_VERSION,
            "variables": list(self.names),
            "levels": plain(self.levels),
            "cpdag": {
                "directed": [list(edge) for edge in self.compelled],
                "undirected": [list(edge) for edge in self.reversible],
            },
            "dag": [list(arc) for arc in self.dag.directed],
            "score": _finite(self.score),
            "families": [
                {"child": row.child, "parents": list(row.parents), "score": _finite(row.score)}
                for row in self.families
            ],
            "algorithm": self.algorithm,
            "settings": self.settings,
            "scorer": self.scorer_settings,
            "seed": self.seed,
            "seconds": self.seconds,
            "evaluations": self.evaluations,
            "distinct_evaluations": self.distinct_evaluations,
            "stop": self.stop,
            "data_fingerprint": self.data_fingerprint,
            "trace": {
                name: [_finite(value) for value in column]
                for name, column in self.trace.to_dict().items()
            },
            "details": self.details,
            "versions": self.versions,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Result:
        """Make a result of what `to_dict` returned."""
        if values.get("schema") != SCHEMA_NAME or values.get("schema_version") != SCHEMA_VERSION:
            raise ParameterError(
                f"expected a result of schema {SCHEMA_NAME!r}, version {SCHEMA_VERSION}, got "
                f"{values.get('schema')!r}, version {values.get('schema_version')!r}"
            )
        try:
            return cls._of_fields(values)
        except (KeyError, TypeError, AttributeError) as error:
            raise ParameterError(
                f"this result lacks or has wrong in it: {error}; {SCHEMA_FILE.name} says how it "
                "should be"
            ) from error

    @classmethod
    def _of_fields(cls, values: Mapping[str, Any]) -> Result:
        from stigmergy.search.budget import TraceRow

        names = values["variables"]
        levels = values["levels"]
        trace = values["trace"]
        rows = zip(*(trace[name] for name in Trace.COLUMNS), strict=True)
        return cls(
            cpdag=Cpdag(
                names, _pairs(values["cpdag"]["directed"]), _pairs(values["cpdag"]["undirected"])
            ),
            dag=Dag(names, _pairs(values["dag"])),
            score=_number(values["score"]),
            algorithm=values["algorithm"],
            settings=values["settings"],
            scorer_settings=values["scorer"],
            seed=values["seed"],
            seconds=values["seconds"],
            evaluations=values["evaluations"],
            distinct_evaluations=values["distinct_evaluations"],
            stop=values["stop"],
            trace=Trace(TraceRow(i, s, e, d, _number(b), h) for i, s, e, d, b, h in rows),
            families=tuple(
                Family(row["child"], tuple(row["parents"]), _number(row["score"]))
                for row in values["families"]
            ),
            data_fingerprint=values["data_fingerprint"],
            levels=None if levels is None else {name: tuple(levels[name]) for name in levels},
            details=values["details"],
            versions=values["versions"],
        )

    def to_json(self) -> str:
        """Return `to_dict` as JSON text."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON; the file appears whole or not at all."""
        from stigmergy.io.whole import write_whole

        write_whole(path, self.to_json().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read what `save` has written. Nothing in the file is executed."""
        try:
            values = json.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise ParameterError(f"cannot read {path}: {error.strerror or error}") from error
        except ValueError as error:
            raise ParameterError(f"{path} is not the JSON of a result: {error}") from error
        if not isinstance(values, dict):
            raise ParameterError(f"{path} is not the JSON of a result, but of a {type(values)}")
        return cls.from_dict(values)

    # -- for people --------------------------------------------------------------------------------

    def summary(self) -> str:
        """Return the result in words: what was found, how good, how long it took, the edges."""
        return "\n".join([*(f"{key:<12} {value}" for key, value in self._facts()), *self._lines()])

    def _facts(self) -> Iterable[tuple[str, str]]:
        edges, free = len(self.cpdag.edges), len(self.reversible)
        yield "algorithm", _called(self.algorithm, _chosen(self.algorithm, self.settings))
        yield "score", f"{self.score:,.4f} nats{_scored(self.scorer_settings)}"
        yield (
            "class",
            f"{counted(len(self.cpdag), 'variable')}, {counted(edges, 'edge')}: "
            f"{edges - free} compelled, {free} reversible",
        )
        steps = self.trace.iterations
        taken = f" and {counted(steps, 'iteration')}" if steps else ""
        yield "stop", f"{self.stop} after {self.seconds:,.2f} s{taken}"
        if self.details.get("nothing_found"):
            yield (
                "found",
                "nothing better than the graph it began from; give it more time, or take a quick "
                "search such as greedy-e or hc",
            )
        yield (
            "evaluations",
            f"{self.evaluations:,} family scores, {self.distinct_evaluations:,} distinct",
        )
        made = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        yield "seed", f"{self.seed} ({made})"
        if self.data_fingerprint is not None:
            yield "data", f"fingerprint {self.data_fingerprint}"
        yield from self._findings()

    def _findings(self) -> Iterable[tuple[str, str]]:
        """Say what only some algorithms have to say."""
        if self.details.get("proved"):
            yield "proof", "no network within the limits and the knowledge has a better score"
        conflicts = len(self.details.get("conflicts", ()))
        if conflicts:
            yield "conflicts", f"{conflicts}, which details['conflicts'] explains; see pdag"
        if self.pag is not None:
            yield "hidden", "causes may be; the edges below are those of the ancestral graph, pag"

    def _lines(self) -> list[str]:
        """List the edges of what the algorithm looks for."""
        if self.pag is not None:
            edges = [f"  {a} {ends} {b}" for a, ends, b in self.pag.edges]
        else:
            edges = [
                f"  {a} {'->' if kind == 'directed' else '--'} {b}"
                for a, b, kind in self.cpdag.edges
            ]
        more = len(edges) - _SHOWN_EDGES
        return edges[:_SHOWN_EDGES] + ([f"  ... and {more} more"] if more > 0 else [])

    def __str__(self) -> str:
        return self.summary()

    def __repr__(self) -> str:
        return (
            f"<Result of {self.algorithm}: {counted(len(self.cpdag.edges), 'edge')} over "
            f"{counted(len(self.cpdag), 'variable')}, score {self.score:.4f}, {self.stop}>"
        )

    def to_svg(self) -> str:
        """Return a picture of the class as SVG; nothing has to be installed."""
        from stigmergy.picture import svg_of

        return svg_of(self.cpdag, self.dag)

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><th style="text-align:left">{escape(key)}</th>'
            f'<td style="text-align:left">{escape(value)}</td></tr>'
            for key, value in self._facts()
        )
        return f'<div><table>{rows}</table><div style="overflow:auto">{self.to_svg()}</div></div>'

    def plot(self, ax: Any = None) -> Any:
        """Draw the class with matplotlib and return the axes."""
        from stigmergy.picture.plot import plot

        return plot(self.cpdag, self.dag, ax)


def plain(value: Any) -> Any:
    """Turn settings into what JSON can hold; an object becomes its name and its fields."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else str(key): plain(v) for key, v in value.items()}
    if isinstance(value, Graph):
        return {
            "directed": [list(edge) for edge in value.directed],
            "undirected": [list(edge) for edge in value.undirected],
        }
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return {"name": getattr(value, "name", type(value).__name__), **fields}
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, Iterable):
        return [plain(item) for item in value]
    return getattr(value, "__qualname__", None) or repr(value)


def _read_as_learned(table: Any, levels: Mapping[str, tuple[Level, ...]]) -> Dataset:
    """Read a table with the levels of learning, that of missing cells included."""
    from stigmergy.data_report import MISSING_LEVEL
    from stigmergy.dataset import Dataset

    # The level of missing cells is the last one; elsewhere it is a text that the table has.
    observed = {
        name: values[:-1] if values[-1] == MISSING_LEVEL else values
        for name, values in levels.items()
    }
    had_missing = any(len(observed[name]) < len(levels[name]) for name in levels)
    data = Dataset.from_any(
        table,
        # A column that had missing cells only has no levels to be given.
        levels={name: values for name, values in observed.items() if values},
        missing="level" if had_missing else "error",
    )
    for name, learned in levels.items():
        new = [level for level in data.levels_of(name) if level not in learned]
        if new:
            raise DataError(f"column {name!r} holds {new[0]!r}, which it did not in learning")
    # A level of missing cells that none has now comes after all others: the codes stay right.
    return Dataset.from_codes(
        [data.codes(name) for name in data.names],
        data.names,
        [levels.get(name, data.levels_of(name)) for name in data.names],
        source=data.source,
    )


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: float | None) -> float:
    # A score that is not finite is minus infinity: the probability zero.
    return -math.inf if value is None else float(value)


def _pairs(edges: Iterable[Iterable[str]]) -> list[tuple[str, str]]:
    return [(a, b) for a, b in edges]


def _chosen(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out settings that have their default value; all of an algorithm that is not ours."""
    from stigmergy.search.registry import algorithms

    parameters = {a.name: a.parameters for a in algorithms()}.get(name, ())
    defaults = {parameter.name: plain(parameter.default) for parameter in parameters}
    return {k: v for k, v in settings.items() if k not in defaults or v != defaults[k]}


def _called(name: str, settings: Mapping[str, Any]) -> str:
    given = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    return f"{name}({given})" if given else name


def _scored(settings: Mapping[str, Any]) -> str:
    score = settings.get("score")
    if not isinstance(score, Mapping):
        return ""
    rest = {key: value for key, value in score.items() if key != "name"}
    return f", {_called(score['name'], rest)}"


def _needed(module: str, package: str) -> Any:
    from importlib import import_module

    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"this needs {package}: pip install {package}") from error
