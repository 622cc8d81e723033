# SPDX-License-Identifier: MIT
"""Which nodes of a DAG are d-connected with given ones."""

from stigmergy.graph._bits import closure, union
from stigmergy.graph._completion import Rows


def reachable(parents: Rows, children: Rows, start: int, given: int) -> int:
    """Return the nodes joined by an open path with a node of `start`, given `given`.

    A search over pairs (node, way of arrival), each visited once: `up` are nodes entered from a
    child (or started from), `down` those entered from a parent. It follows walks, which may come
    back on themselves, so a collider opens only where it is given itself: if a node below it is
    given, the walk goes down to that and turns there.

    References
    ----------
    R. D. Shachter (1998), Bayes-ball: the rational pastime, UAI-98, 480-487.
    """
    up = down = 0
    new_up, new_down = start & ~given, 0
    while new_up or new_down:
        up |= new_up
        down |= new_down
        next_up = union(parents, new_up | (new_down & given)) & ~given
        next_down = union(children, new_up | (new_down & ~given))
        new_up, new_down = next_up & ~up, next_down & ~down
    return (up | down) & ~given


def misjudged_effects(parents: Rows, children: Rows, cause: int, adjustment: int) -> int:
    """Return the nodes on which the effect of `cause` is wrong when adjusted for `adjustment`.

    The set is right for a node if it blocks all paths from `cause` but the directed ones and holds
    no descendant of a node on these, `cause` apart. Both faults show as a walk that does not come
    back to `cause`: one that is open and turns somewhere, or a directed one through the set. Walks
    are followed by the way they arrive, each (node, way) once. A node of the set itself counts as
    not affected, which is wrong for the descendants of `cause`.

    References
    ----------
    J. Peters and P. Bühlmann (2015), Structural intervention distance for evaluating causal graphs,
    Neural Computation 27, 771-799: the graphical criterion.
    L. Henckel, T. Würtzen and S. Weichwald (2024), Adjustment identification distance: a gadjid for
    causal structure learning, UAI-24: the search along walks.
    """
    elsewhere = ~(1 << cause)
    # Arrived forward only; likewise, but through the set; and by other open walks down or up.
    ahead = spoilt = down = up = 0
    new_ahead, new_spoilt = children[cause], 0
    new_down, new_up = 0, parents[cause]
    while new_ahead or new_spoilt or new_down or new_up:
        ahead |= new_ahead
        spoilt |= new_spoilt
        down |= new_down
        up |= new_up
        passing_up = new_up & ~adjustment
        next_spoilt = union(children, new_spoilt | (new_ahead & adjustment))
        next_down = union(children, passing_up | (new_down & ~adjustment))
        next_up = union(parents, passing_up | ((new_ahead | new_down) & adjustment))
        new_ahead = union(children, new_ahead & ~adjustment) & elsewhere & ~ahead
        new_spoilt = next_spoilt & elsewhere & ~spoilt
        new_down = next_down & elsewhere & ~down
        new_up = next_up & elsewhere & ~up
    affected = closure(children, 1 << cause)
    return ((spoilt | down | up) & ~adjustment) | (affected & adjustment)
