# SPDX-License-Identifier: MIT
"""Structure learning of Bayesian networks in the space of equivalence classes."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stigmergy import networks
    from stigmergy.dataset import Dataset
    from stigmergy.errors import (
        DataError,
        DataWarning,
        ImpossibleEvidenceError,
        KnowledgeError,
        NetworkError,
        OutputError,
        ParameterError,
        ScoreError,
        StigmergyError,
        StructureError,
    )
    from stigmergy.graph import Cpdag, Dag, Graph, Pdag
    from stigmergy.independence import DSeparationOracle, Independence, IndependenceFunction
    from stigmergy.io.bif import read_bif, write_bif
    from stigmergy.io.structure import read_structure, write_structure
    from stigmergy.knowledge import Knowledge
    from stigmergy.learn import learn_structure
    from stigmergy.metrics import Comparison, compare, shd, sid, sid_bounds, skeleton_shd
    from stigmergy.network import BayesianNetwork
    from stigmergy.pag import Pag, dag_to_mag, mag_to_pag
    from stigmergy.prior import KappaPrior, UniformPrior
    from stigmergy.result import Result
    from stigmergy.scorer import Scorer
    from stigmergy.scores import AIC, BD, BIC, K2, BDeu, LogLikelihood
    from stigmergy.search.registry import algorithms

__version__ = "0.1.0"

__all__ = [
    "AIC",
    "BD",
    "BIC",
    "K2",
    "BDeu",
    "BayesianNetwork",
    "Comparison",
    "Cpdag",
    "DSeparationOracle",
    "Dag",
    "DataError",
    "DataWarning",
    "Dataset",
    "Graph",
    "ImpossibleEvidenceError",
    "Independence",
    "IndependenceFunction",
    "KappaPrior",
    "Knowledge",
    "KnowledgeError",
    "LogLikelihood",
    "NetworkError",
    "OutputError",
    "Pag",
    "ParameterError",
    "Pdag",
    "Result",
    "ScoreError",
    "Scorer",
    "StigmergyError",
    "StructureError",
    "UniformPrior",
    "__version__",
    "algorithms",
    "compare",
    "dag_to_mag",
    "learn_structure",
    "mag_to_pag",
    "networks",
    "read_bif",
    "read_structure",
    "shd",
    "sid",
    "sid_bounds",
    "skeleton_shd",
    "write_bif",
    "write_structure",
]

# Where each public name lives. They are imported when first used, so that `stigmergy --help` does
# not wait for NumPy; the imports above tell the same to type checkers and editors.
_MODULES = {
    "dataset": ["Dataset"],
    "errors": [
        "DataError",
        "DataWarning",
        "ImpossibleEvidenceError",
        "KnowledgeError",
        "NetworkError",
        "OutputError",
        "ParameterError",
        "ScoreError",
        "StigmergyError",
        "StructureError",
    ],
    "graph": ["Cpdag", "Dag", "Graph", "Pdag"],
    "io.bif": ["read_bif", "write_bif"],
    "independence": ["DSeparationOracle", "Independence", "IndependenceFunction"],
    "knowledge": ["Knowledge"],
    "learn": ["learn_structure"],
    "network": ["BayesianNetwork"],
    "networks": [],
    "pag": ["Pag", "dag_to_mag", "mag_to_pag"],
    "prior": ["KappaPrior", "UniformPrior"],
    "scorer": ["Scorer"],
    "result": ["Result"],
    "search.registry": ["algorithms"],
    "scores": ["AIC", "BD", "BIC", "K2", "BDeu", "LogLikelihood"],
    "metrics": ["Comparison", "compare", "shd", "sid", "sid_bounds", "skeleton_shd"],
    "io.structure": ["read_structure", "write_structure"],
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names or [module]}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_HOMES[name]}")
    value: object = module if _HOMES[name] == name else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
