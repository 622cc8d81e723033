# SPDX-License-Identifier: MIT
"""Gold-standard networks of the field, as package data.

The tables are those of the bnlearn Bayesian network repository (M. Scutari), in the example models
of pgmpy 0.1.26; the distributions were published by the authors that :func:`info` cites.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources

from stigmergy.errors import ParameterError
from stigmergy.io.bif import parse_bif, unpacked
from stigmergy.network import BayesianNetwork

__all__ = ["NetworkInfo", "info", "load", "names"]

_SOURCE = "bnlearn Bayesian network repository (Scutari), as packaged in pgmpy 0.1.26"


@dataclass(frozen=True)
class NetworkInfo:
    """What is known of a packaged network without loading it.

    Attributes
    ----------
    name : str
    citation : str
        Where the network was first published.
    source : str
        Where these tables come from.
    note : str
        What to know before use; empty for most.
    n_nodes, n_arcs : int
    n_v_structures : int
        Unordered pairs X, Y of parents of one node Z with X and Y not adjacent, over all Z.
    n_parent_pairs : int
        Unordered pairs of parents of one node, adjacent or not. Table 5 of Daly & Shen (2009)
        prints this number as "V-Structures".
    max_in_degree : int
    n_parameters : int
        Free parameters.
    min_arity, max_arity : int
    """

    name: str
    citation: str
    source: str
    note: str
    n_nodes: int
    n_arcs: int
    n_v_structures: int
    n_parent_pairs: int
    max_in_degree: int
    n_parameters: int
    min_arity: int
    max_arity: int


def names() -> tuple[str, ...]:
    """Return the names of the packaged networks, sorted.

    Examples
    --------
    >>> "alarm" in names()
    True
    """
    return tuple(_index())


def info(name: str) -> NetworkInfo:
    """Return size, citation and source of a packaged network.

    Examples
    --------
    >>> info("alarm").n_arcs
    46
    """
    return _index()[_known(name)]


def load(name: str) -> BayesianNetwork:
    """Load a packaged network.

    Parameters
    ----------
    name : str
        One of :func:`names`.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    ParameterError
        When there is no network of this name.

    Examples
    --------
    >>> load("asia")
    <BayesianNetwork of 8 nodes, 8 arcs and 18 parameters>
    """
    return _loaded(_known(name))


@functools.lru_cache(maxsize=4)  # networks are immutable; the large ones take a while to parse
def _loaded(name: str) -> BayesianNetwork:
    packed = resources.files(__package__).joinpath("data", f"{name}.bif.gz").read_bytes()
    return parse_bif(unpacked(packed, name).decode(), source=name)


@functools.cache
def _index() -> dict[str, NetworkInfo]:
    text = resources.files(__package__).joinpath("data", "index.json").read_text("utf-8")
    return {
        name: NetworkInfo(name=name, source=_SOURCE, **entry)
        for name, entry in json.loads(text).items()
    }


def _known(name: str) -> str:
    if not isinstance(name, str) or name not in _index():
        raise ParameterError(f"name must be one of {', '.join(names())}; got {name!r}")
    return name
