# SPDX-License-Identifier: MIT
"""The package's own exceptions and warnings.

::

    StigmergyError
    ├── DataError        (ValueError)  a table that cannot be read, or read without guessing
    ├── StructureError   (ValueError)  a graph that is not what it should be
    ├── NetworkError     (ValueError)  a network or its file that makes no sense
    │   └── ImpossibleEvidenceError    evidence that has probability zero
    ├── ScoreError       (ValueError)  a score that a search cannot work with
    ├── KnowledgeError   (ValueError)  required, forbidden or tiered edges that contradict
    ├── ParameterError   (ValueError)  an argument outside its domain, an unknown name
    └── OutputError      (OSError)     a result that cannot be written

    DataWarning          (UserWarning) data that can be learned from, but hardly as meant

Every message names the argument, what is allowed, what came, and the way out if there is one.
"""


class StigmergyError(Exception):
    """Base of every exception that the package raises on purpose."""


class DataError(StigmergyError, ValueError):
    """A table that cannot be read, or that could only be read by guessing.

    When that is for columns of real numbers, `real_columns` names them.
    """

    real_columns: tuple[str, ...] = ()


class StructureError(StigmergyError, ValueError):
    """A graph that is not what it should be, such as a cyclic one given as a DAG."""


class NetworkError(StigmergyError, ValueError):
    """A Bayesian network, or a file of one, that makes no sense."""


class ImpossibleEvidenceError(NetworkError):
    """Evidence that has probability zero in the network, so that nothing follows from it."""


class ScoreError(StigmergyError, ValueError):
    """A score that a search cannot work with."""


class KnowledgeError(StigmergyError, ValueError):
    """Required, forbidden, allowed or tiered edges that contradict one another."""


class ParameterError(StigmergyError, ValueError):
    """An argument outside its domain, or a name that nothing bears."""


class OutputError(StigmergyError, OSError):
    """A result that cannot be written where it was asked for."""


class DataWarning(UserWarning):
    """Data that can be learned from, but hardly as it was meant: constant columns, ids, ..."""
