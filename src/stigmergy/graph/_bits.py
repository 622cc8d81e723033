# SPDX-License-Identifier: MIT
"""Sets of node numbers held as the bits of one Python integer.

Intersection, union and difference of two such sets are single operations on machine words, which
keeps the graph algorithms short and fast up to thousands of nodes without any native code.
"""

from collections.abc import Iterable, Iterator, Sequence


def bits(mask: int) -> Iterator[int]:
    """Yield the members of `mask` in increasing order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def mask_of(members: Iterable[int]) -> int:
    """Return the set of the given numbers."""
    mask = 0
    for member in members:
        mask |= 1 << member
    return mask


def union(rows: Sequence[int], members: int) -> int:
    """Return the union of the rows numbered by `members`."""
    result = 0
    for member in bits(members):
        result |= rows[member]
    return result


def closure(rows: Sequence[int], start: int) -> int:
    """Return all that is reached from `start` by following `rows`, without `start` itself."""
    reached, frontier = 0, start
    while frontier:
        step = union(rows, frontier)
        frontier = step & ~reached
        reached |= step
    return reached & ~start
