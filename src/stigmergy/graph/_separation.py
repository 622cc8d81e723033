# SPDX-License-Identifier: MIT
"""Which nodes of a DAG are d-connected with given ones."""

from stigmergy.graph._bits import closure, union
from stigmergy.graph._completion import Rows


def reachable(parents: Rows, children: Rows, start: int, given: int) -> int:
    """Return the nodes joined by an open path with a node of `start`, given `given`.

    A search over pairs (node, direction of arrival), each visited once: `up` are nodes entered
    from a child (or started from), `down` those entered from a parent.
    """
    opens_colliders = given | closure(parents, given)
    up = down = 0
    new_up, new_down = start & ~given, 0
    while new_up or new_down:
        up |= new_up
        down |= new_down
        next_up = union(parents, new_up | (new_down & opens_colliders)) & ~given
        next_down = union(children, new_up | (new_down & ~given))
        new_up, new_down = next_up & ~up, next_down & ~down
    return (up | down) & ~given
