# SPDX-License-Identifier: MIT
"""A layered layout of directed acyclic graphs.

The four steps of Sugiyama's method: layers, an order in each layer with few crossings, places
along the layers, routes of the edges. Edges over several layers pass through bends, nodes of
their own that are not drawn.

References
----------
K. Sugiyama, S. Tagawa and M. Toda (1981), Methods for visual understanding of hierarchical system
structures, IEEE Transactions on Systems, Man, and Cybernetics 11, 109-125; E. R. Gansner,
E. Koutsofios, S. C. North and K.-P. Vo (1993), A technique for drawing directed graphs, IEEE
Transactions on Software Engineering 19, 214-230 (the weights of bends, the median heuristic).
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Arc = tuple[str, str]
Point = tuple[float, float]
Size = tuple[float, float]
Item = str | tuple[str, str, int]  # a node, or the bend of an edge in a layer

NODE_GAP = 18.0
BEND_GAP = 12.0
LAYER_GAP = 38.0
COMPONENT_GAP = 40.0
PORT_STEP = 14.0
# How strongly an edge pulls its ends together, by the number of bends among the two.
PULL = (1.0, 2.0, 8.0)


@dataclass
class Layout:
    """Where nodes (their centres) and edges (the points they pass) are."""

    centres: dict[str, Point] = field(default_factory=dict)
    routes: dict[Arc, list[Point]] = field(default_factory=dict)
    width: float = 0.0
    height: float = 0.0


def layered_layout(names: Sequence[str], arcs: Sequence[Arc], sizes: Mapping[str, Size]) -> Layout:
    """Lay out a DAG from top to bottom, each connected part by itself.

    Parameters
    ----------
    names
        The nodes; isolated ones come last.
    arcs
        The edges (from, to), without a cycle.
    sizes
        Width and height of each node's box.
    """
    parts = [_lay_out_component(part, arcs, sizes) for part in _components(names, arcs)]
    return _packed(parts)


def _components(names: Sequence[str], arcs: Sequence[Arc]) -> list[list[str]]:
    neighbours: dict[str, list[str]] = {name: [] for name in names}
    for a, b in arcs:
        neighbours[a].append(b)
        neighbours[b].append(a)
    seen: set[str] = set()
    found = []
    for name in sorted(names):
        if name in seen:
            continue
        seen.add(name)
        part, open_nodes = [], [name]
        while open_nodes:
            node = open_nodes.pop()
            part.append(node)
            fresh = sorted(set(neighbours[node]) - seen)
            seen.update(fresh)
            open_nodes += fresh
        found.append(sorted(part))
    return sorted(found, key=lambda part: (-len(part), part))


def _lay_out_component(
    names: Sequence[str], arcs: Sequence[Arc], sizes: Mapping[str, Size]
) -> Layout:
    inside = set(names)
    arcs = sorted(arc for arc in arcs if arc[0] in inside)
    layer_of = _layers(names, arcs)
    rows, down = _with_bends(names, arcs, layer_of)
    up = _reversed(down)
    rows = _order(rows, down, up)
    widths = {
        item: sizes[item][0] if isinstance(item, str) else 0.0 for row in rows for item in row
    }
    x = _places(rows, widths, down, up)
    return _routed(rows, arcs, layer_of, x, sizes, down)


# -- layers ----------------------------------------------------------------------------------------


def _layers(names: Sequence[str], arcs: Sequence[Arc]) -> dict[str, int]:
    """Put parents above children by longest paths, then shorten what can be shortened."""
    parents: dict[str, list[str]] = {name: [] for name in names}
    children: dict[str, list[str]] = {name: [] for name in names}
    for a, b in arcs:
        parents[b].append(a)
        children[a].append(b)
    layer: dict[str, int] = {}
    waiting = {name: len(parents[name]) for name in names}
    ready = sorted(name for name in names if not waiting[name])
    while ready:
        node = ready.pop()
        layer[node] = 1 + max((layer[parent] for parent in parents[node]), default=-1)
        for child in children[node]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    _shorten(names, parents, children, layer)
    top = min(layer.values())
    return {name: level - top for name, level in layer.items()}


def _shorten(
    names: Sequence[str],
    parents: Mapping[str, list[str]],
    children: Mapping[str, list[str]],
    layer: dict[str, int],
) -> None:
    """Lower groups of nodes as long as that makes the edges shorter in total.

    A group is what must come along when a node is lowered, or all that hangs together by edges of
    length one. Each move shortens the total, so this ends.
    """
    moved = True
    while moved:
        moved = False
        for node in sorted(names, key=lambda name: (-layer[name], name)):
            for also_parents in (False, True):
                group = _tight_group(node, parents if also_parents else {}, children, layer)
                leaving = [
                    layer[child] - layer[member]
                    for member in group
                    for child in children[member]
                    if child not in group
                ]
                entering = sum(p not in group for member in group for p in parents[member])
                if len(leaving) > entering:
                    for member in group:
                        layer[member] += min(leaving) - 1
                    moved = True
                    break


def _tight_group(
    node: str,
    parents: Mapping[str, list[str]],
    children: Mapping[str, list[str]],
    layer: Mapping[str, int],
) -> set[str]:
    """Return what is reached over edges of length one, from parents to children or both ways."""
    group, open_nodes = {node}, [node]
    while open_nodes:
        member = open_nodes.pop()
        linked = [child for child in children[member] if layer[child] == layer[member] + 1]
        linked += [p for p in parents.get(member, ()) if layer[p] == layer[member] - 1]
        fresh = set(linked) - group
        group |= fresh
        open_nodes += fresh
    return group


def _with_bends(
    names: Sequence[str], arcs: Sequence[Arc], layer_of: Mapping[str, int]
) -> tuple[list[list[Item]], dict[Item, list[Item]]]:
    """Return the rows of items from top to bottom and the links of each item to the row below."""
    rows: list[list[Item]] = [[] for _ in range(1 + max(layer_of.values()))]
    down: dict[Item, list[Item]] = {}
    for name in names:
        rows[layer_of[name]].append(name)
        down[name] = []
    for a, b in arcs:
        above: Item = a
        for level in range(layer_of[a] + 1, layer_of[b]):
            bend = (a, b, level)
            rows[level].append(bend)
            down[bend] = []
            down[above].append(bend)
            above = bend
        down[above].append(b)
    return rows, down


def _reversed(down: Mapping[Item, Sequence[Item]]) -> dict[Item, list[Item]]:
    up: dict[Item, list[Item]] = {item: [] for item in down}
    for item, below in down.items():
        for other in below:
            up[other].append(item)
    return up


# -- order -----------------------------------------------------------------------------------------


def _order(
    rows: list[list[Item]], down: Mapping[Item, list[Item]], up: Mapping[Item, list[Item]]
) -> list[list[Item]]:
    """Order each row so that few edges cross: medians up and down, then swaps of neighbours."""
    links = sum(map(len, down.values()))
    sweeps = max(4, min(24, 60_000 // (links + 1)))
    best = rows
    fewest = None
    for start in (_depth_first(rows, down), _depth_first(rows[::-1], up)[::-1]):
        present = [list(row) for row in start]
        for sweep in range(sweeps):
            if sweep % 2 == 0:
                for above, row in itertools.pairwise(present):
                    _sort_by_median(row, above, up)
            else:
                for below, row in zip(present[:0:-1], present[-2::-1], strict=True):
                    _sort_by_median(row, below, down)
            if links < 3_000:
                _swap_neighbours(present, down, up)
            crossings = _crossings(present, down)
            if fewest is None or crossings < fewest:
                best, fewest = [list(row) for row in present], crossings
            if fewest == 0:
                return best
    return best


def _depth_first(
    rows: Sequence[Sequence[Item]], links: Mapping[Item, list[Item]]
) -> list[list[Item]]:
    """Order rows as a depth-first walk meets their items."""
    met: dict[Item, None] = {}
    for row in rows:
        for first in row:
            stack: list[Item] = [first]
            while stack:
                item = stack.pop()
                if item not in met:
                    met[item] = None
                    stack += reversed(links[item])
    place = {item: i for i, item in enumerate(met)}
    return [sorted(row, key=place.__getitem__) for row in rows]


def _sort_by_median(
    row: list[Item], fixed: Sequence[Item], links: Mapping[Item, list[Item]]
) -> None:
    """Sort a row by the medians of linked places in a fixed row; others keep their place."""
    place = {item: i for i, item in enumerate(fixed)}
    median = {item: _median(sorted(place[other] for other in links[item])) for item in row}
    free = [i for i, item in enumerate(row) if median[item] is not None]
    chosen = sorted((row[i] for i in free), key=lambda item: median[item] or 0.0)
    for i, item in zip(free, chosen, strict=True):
        row[i] = item


def _median(places: Sequence[int]) -> float | None:
    """Return the median, for an even number the one weighted towards the denser side."""
    if not places:
        return None
    middle = len(places) // 2
    if len(places) % 2:
        return places[middle]
    if len(places) == 2:
        return sum(places) / 2
    left, right = places[middle - 1] - places[0], places[-1] - places[middle]
    if left + right == 0:
        return (places[middle - 1] + places[middle]) / 2
    return (places[middle - 1] * right + places[middle] * left) / (left + right)


def _swap_neighbours(
    rows: list[list[Item]], down: Mapping[Item, list[Item]], up: Mapping[Item, list[Item]]
) -> None:
    """Swap neighbours in a row as long as that removes crossings."""
    place = {item: i for row in rows for i, item in enumerate(row)}

    def crossings(a: Item, b: Item) -> int:
        return sum(place[p] > place[q] for links in (up, down) for p in links[a] for q in links[b])

    improved = True
    while improved:
        improved = False
        for row in rows:
            for i in range(len(row) - 1):
                a, b = row[i], row[i + 1]
                if crossings(b, a) < crossings(a, b):
                    row[i], row[i + 1] = b, a
                    place[a], place[b] = i + 1, i
                    improved = True


def _crossings(rows: Sequence[Sequence[Item]], down: Mapping[Item, list[Item]]) -> int:
    """Count crossing pairs of links between neighbouring rows."""
    total = 0
    for above, below in itertools.pairwise(rows):
        place = {item: i for i, item in enumerate(below)}
        seen: list[int] = []
        for item in above:
            ends = sorted(place[other] for other in down[item])
            for end in ends:
                total += len(seen) - bisect_right(seen, end)
            for end in ends:
                insort(seen, end)
    return total


# -- places ----------------------------------------------------------------------------------------


def _places(
    rows: Sequence[Sequence[Item]],
    widths: Mapping[Item, float],
    down: Mapping[Item, list[Item]],
    up: Mapping[Item, list[Item]],
) -> dict[Item, float]:
    """Choose places along the rows that keep order and gaps and make edges short and straight.

    Row by row, in turn from above and from below, the places become the nearest feasible ones (in
    weighted squares) to the means of the linked places: an isotonic regression.
    """
    x: dict[Item, float] = {}
    offsets: dict[Item, float] = {}
    for row in rows:
        right = 0.0
        for i, item in enumerate(row):
            if i:
                bends = not isinstance(item, str) and not isinstance(row[i - 1], str)
                gap = BEND_GAP if bends else NODE_GAP
                right += widths[row[i - 1]] / 2 + gap + widths[item] / 2
            offsets[item] = right
        for item in row:
            x[item] = offsets[item] - right / 2
    for sweep in range(16):
        for row in rows if sweep % 2 == 0 else rows[::-1]:
            # The first sweeps look one way, so that a row finds its place under the rows before.
            both = sweep >= 4
            wanted, weights = [], []
            for item in row:
                links = [
                    (x[other], PULL[(not isinstance(item, str)) + (not isinstance(other, str))])
                    for way in ((up, down) if both else (up,) if sweep % 2 == 0 else (down,))
                    for other in way[item]
                ]
                weight = sum(pull for _, pull in links)
                mean = sum(place * pull for place, pull in links) / weight if weight else x[item]
                wanted.append(mean - offsets[item])
                weights.append(weight or 0.01)
            for item, place in zip(row, _isotonic(wanted, weights), strict=True):
                x[item] = place + offsets[item]
    _straighten(rows, x, offsets, down)
    return x


def _straighten(
    rows: Sequence[Sequence[Item]],
    x: dict[Item, float],
    offsets: Mapping[Item, float],
    down: Mapping[Item, list[Item]],
) -> None:
    """Put the bends of an edge on few vertical lines, within the room between their neighbours."""
    room: dict[Item, tuple[Item | None, Item | None]] = {}
    for row in rows:
        for i, item in enumerate(row):
            room[item] = (row[i - 1] if i else None, row[i + 1] if i + 1 < len(row) else None)

    def bounds(bend: Item) -> tuple[float, float]:
        left, right = room[bend]
        lowest = -math.inf if left is None else x[left] + offsets[bend] - offsets[left]
        highest = math.inf if right is None else x[right] - offsets[right] + offsets[bend]
        return lowest, max(lowest, highest)

    def put(line: Sequence[Item], lowest: float, highest: float) -> None:
        middle = sum(x[bend] for bend in line) / len(line)
        for bend in line:
            x[bend] = min(max(middle, lowest), highest)

    heads = [item for item in down if isinstance(item, str)]
    for bend in [below for head in heads for below in down[head] if not isinstance(below, str)]:
        line: list[Item] = []
        span = (-math.inf, math.inf)
        chain: Item = bend
        while not isinstance(chain, str):
            lowest, highest = bounds(chain)
            common = max(span[0], lowest), min(span[1], highest)
            if line and common[0] > common[1]:
                put(line, *span)
                line, common = [], (lowest, highest)
            line.append(chain)
            span = common
            chain = down[chain][0]
        put(line, *span)


def _isotonic(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the non-decreasing sequence nearest to `values` in weighted squares.

    Pools adjacent violators: M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid and E. Silverman (1955).
    """
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        block = (value, weight, 1)
        while blocks and blocks[-1][0] > block[0]:
            mean, mass, size = blocks.pop()
            total = mass + block[1]
            block = ((mean * mass + block[0] * block[1]) / total, total, size + block[2])
        blocks.append(block)
    return [mean for mean, _, size in blocks for _ in range(size)]


# -- routes ----------------------------------------------------------------------------------------


def _routed(
    rows: Sequence[Sequence[Item]],
    arcs: Sequence[Arc],
    layer_of: Mapping[str, int],
    x: Mapping[Item, float],
    sizes: Mapping[str, Size],
    down: Mapping[Item, list[Item]],
) -> Layout:
    heights = [
        max((sizes[item][1] for item in row if isinstance(item, str)), default=0.0) for row in rows
    ]
    tops = [0.0]
    for row, height in zip(rows, heights, strict=True):
        # More room where edges run far across makes them less flat.
        across = max((abs(x[a] - x[b]) for a in row for b in down[a]), default=0.0)
        tops.append(tops[-1] + height + min(max(LAYER_GAP, 0.12 * across), 3 * LAYER_GAP))
    left = min(x[name] - sizes[name][0] / 2 for name in layer_of)
    left = min(left, min(place - BEND_GAP for place in x.values()))
    layout = Layout(height=tops[len(rows) - 1] + heights[-1])
    for name, level in layer_of.items():
        layout.centres[name] = (x[name] - left, tops[level] + heights[level] / 2)
    inner = {
        (a, b): [
            (x[a, b, level] - left, y)
            for level in range(layer_of[a] + 1, layer_of[b])
            for y in (tops[level], tops[level] + heights[level])
        ]
        for a, b in arcs
    }
    starts = _ports(arcs, inner, layout.centres, sizes, end=0)
    ends = _ports(arcs, inner, layout.centres, sizes, end=1)
    for arc in arcs:
        layout.routes[arc] = [starts[arc], *inner[arc], ends[arc]]
    right = [layout.centres[name][0] + sizes[name][0] / 2 for name in layer_of]
    right += [point[0] + BEND_GAP for route in layout.routes.values() for point in route[1:-1]]
    layout.width = max(right)
    return layout


def _ports(
    arcs: Sequence[Arc],
    inner: Mapping[Arc, Sequence[Point]],
    centres: Mapping[str, Point],
    sizes: Mapping[str, Size],
    end: int,
) -> dict[Arc, Point]:
    """Spread the edges that leave (end 0) or reach (end 1) a node over its side."""
    at: dict[str, list[Arc]] = {}
    for arc in arcs:
        at.setdefault(arc[end], []).append(arc)
    ports = {}
    for name, edges in at.items():
        centre, (width, height) = centres[name], sizes[name]
        step = min(PORT_STEP, 0.7 * width / len(edges))

        def next_place(arc: Arc) -> float:
            return (inner[arc][-end] if inner[arc] else centres[arc[1 - end]])[0]

        for i, arc in enumerate(sorted(edges, key=lambda arc: (next_place(arc), arc))):
            across = (i - (len(edges) - 1) / 2) * step
            ports[arc] = (centre[0] + across, centre[1] + (height / 2 if end == 0 else -height / 2))
    return ports


# -- parts beside one another ----------------------------------------------------------------------


def _packed(parts: Sequence[Layout]) -> Layout:
    """Put the parts on shelves, about twice as wide as high, the largest first."""
    whole = Layout()
    area = sum((part.width + COMPONENT_GAP) * (part.height + COMPONENT_GAP) for part in parts)
    limit = max([(1.8 * area) ** 0.5, *(part.width for part in parts)])
    left = top = shelf = 0.0
    for part in parts:
        if left and left + part.width > limit:
            left, top, shelf = 0.0, top + shelf + COMPONENT_GAP, 0.0
        for name, (x, y) in part.centres.items():
            whole.centres[name] = (x + left, y + top)
        for arc, route in part.routes.items():
            whole.routes[arc] = [(x + left, y + top) for x, y in route]
        whole.width = max(whole.width, left + part.width)
        whole.height = max(whole.height, top + part.height)
        left, shelf = left + part.width + COMPONENT_GAP, max(shelf, part.height)
    return whole
