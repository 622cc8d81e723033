# SPDX-License-Identifier: MIT
"""Knowledge against a literal reading of its definition, over all small graphs."""

import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stigmergy import _core
from stigmergy.errors import KnowledgeError
from stigmergy.knowledge import Knowledge

NAMES = ("d", "a", "c", "b")  # not sorted on purpose


def all_dags(names):
    """Yield the arcs of every DAG over `names`, by brute force."""
    pairs = list(itertools.combinations(names, 2))
    for choice in itertools.product((None, 0, 1), repeat=len(pairs)):
        arcs = [
            pair[:: 1 - 2 * way] for pair, way in zip(pairs, choice, strict=True) if way is not None
        ]
        if any(
            all(order.index(p) < order.index(c) for p, c in arcs)
            for order in itertools.permutations(names)
        ):
            yield frozenset(arcs)


DAGS = list(all_dags(NAMES))
ARCS = list(itertools.permutations(NAMES, 2))


def class_of(arcs):
    """Return what all members of an equivalence class share (Verma and Pearl 1990)."""
    joined = frozenset(frozenset(arc) for arc in arcs)
    colliders = frozenset(
        (frozenset((p, q)), c)
        for (p, c), (q, d) in itertools.permutations(arcs, 2)
        if c == d and frozenset((p, q)) not in joined
    )
    return joined, colliders


def literally_obeys(arcs, knowledge):
    """Read the definition of each part word by word."""
    for arc in knowledge.required_edges:
        if arc not in arcs:
            return False
    for parent, child in arcs:
        if (parent, child) in knowledge.forbidden_edges:
            return False
        if knowledge.allowed_edges is not None and (parent, child) not in knowledge.allowed_edges:
            return False
        for early, late in itertools.combinations(knowledge.tiers, 2):
            if parent in late and child in early:
                return False
        if child in knowledge.roots or parent in knowledge.leaves:
            return False
    return True


def arcs_of(max_size):
    return st.lists(st.sampled_from(ARCS), max_size=max_size, unique=True)


@st.composite
def knowledge(draw):
    groups = draw(st.lists(st.integers(0, 3), min_size=4, max_size=4))
    tiers = [[n for n, g in zip(NAMES, groups, strict=True) if g == i] for i in range(3)]
    return Knowledge(
        required_edges=draw(arcs_of(2)),
        forbidden_edges=draw(arcs_of(4)),
        allowed_edges=draw(st.none() | arcs_of(10)),
        tiers=draw(st.sampled_from([[], tiers])),
        roots=draw(st.lists(st.sampled_from(NAMES), max_size=1)),
        leaves=draw(st.lists(st.sampled_from(NAMES), max_size=1)),
    )


def core_dag(arcs):
    number = {name: i for i, name in enumerate(sorted(NAMES))}
    return _core.Pdag(len(NAMES), [(number[p], number[c]) for p, c in arcs], [])


@given(knowledge(), st.none() | st.integers(0, 2))
def test_rules_and_problems_agree_with_the_literal_reading(known, max_parents):
    def fits(arcs):
        return max_parents is None or all(
            sum(child == name for _, child in arcs) <= max_parents for name in NAMES
        )

    obeying = [arcs for arcs in DAGS if literally_obeys(arcs, known)]
    assert bool(known.problems(NAMES, max_parents)) == (not any(map(fits, obeying)))
    if known.problems(NAMES):
        with pytest.raises(KnowledgeError, match="cannot be met"):
            known.rules(NAMES)
        return
    rules = known.rules(NAMES)
    for arcs in DAGS:
        obeys = arcs in set(obeying)
        assert rules.obeyed_by(core_dag(arcs)) == obeys
        assert (known.violations_of_arcs(sorted(arcs)) == []) == obeys


@given(knowledge())
def test_a_class_obeys_iff_one_of_its_members_does(known):
    if known.problems(NAMES):
        return
    rules = known.rules(NAMES)
    obeying = {class_of(arcs) for arcs in DAGS if literally_obeys(arcs, known)}
    for arcs in DAGS:
        member = _core.obeying_member(core_dag(arcs).completed(), rules)
        assert (member is not None) == (class_of(arcs) in obeying)
        if member is not None:
            order = sorted(NAMES)
            shown = frozenset((order[p], order[c]) for p, c in member.directed_edges())
            assert literally_obeys(shown, known)
            assert class_of(shown) == class_of(arcs)


def test_all_contradictions_come_in_one_message():
    known = Knowledge(
        required_edges=[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("b", "a")],
        forbidden_edges=[("a", "b")],
        allowed_edges=[("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")],
        tiers=[["c"], ["b"], ["b", "a"]],
        roots=["a"],
        leaves=["dd"],
    )
    with pytest.raises(KnowledgeError) as caught:
        known.rules(NAMES, max_parents=2)
    assert str(caught.value) == (
        "the knowledge cannot be met: "
        "leaves names 'dd', which is no variable (did you mean 'd'?); "
        "'b' is in 2 tiers; "
        "a -> b is required, but it is forbidden; "
        "b -> a is required, but it ends in the root 'a'; "
        "b -> c is required, but it leads into an earlier tier; "
        "c -> a is required, but it ends in the root 'a'; "
        "d -> a is required, but it is not among the allowed edges; "
        "d -> a is required, but it ends in the root 'a'; "
        "the required edges close the cycle a -> b -> a; "
        "'a' has 3 required parents, but max_parents is 2. Drop or correct one side"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"required_edges": ["ab"]}, r"required_edges must be pairs \(parent, child\).*'ab'"),
        ({"required_edges": "ab"}, r"required_edges must be a list of pairs .*, got the text 'ab'"),
        ({"required_edges": ["a->c"]}, r"got 'a->c'; write \[\(\"a\", \"c\"\)\]"),
        ({"forbidden_edges": "a b, c"}, r"got the text 'a b, c'; write \[\(\"a b\", \"c\"\)\]"),
        ({"forbidden_edges": [("a", "a")]}, "forbidden_edges must join two different variables"),
        ({"allowed_edges": [("a", "b", "c")]}, "allowed_edges must be pairs"),
        ({"roots": [1]}, "roots must be names of variables, got 1"),
        ({"roots": None}, "roots must be a list, got None"),
        ({"tiers": 3}, "tiers must be a list, got 3"),
        ({"tiers": [3]}, "tier 1 must be a list, got 3"),
        ({"required_edges": 5}, "required_edges must be a list, got 5"),
        ({"required_edges": [5]}, r"required_edges must be pairs .* of names, got 5"),
        ({"tiers": ["ab"]}, "tier 1 must be a list, got the text 'ab'"),
        ({"tiers": [["a"], [2]]}, "tier 2 must be names of variables, got 2"),
    ],
)
def test_malformed_knowledge_is_refused(arguments, message):
    with pytest.raises(KnowledgeError, match=message):
        Knowledge(**arguments)


def test_a_misspelt_name_contradicts_nothing():
    with pytest.raises(KnowledgeError) as caught:
        Knowledge(roots=["dd"]).rules(NAMES)
    assert str(caught.value) == (
        "the knowledge cannot be met: roots names 'dd', which is no variable (did you mean 'd'?)"
    )


def test_knowledge_is_a_value():
    known = Knowledge(required_edges=iter([["b", "a"], ("a", "c")]), allowed_edges=None)
    same = Knowledge(required_edges=[("a", "c"), ("b", "a"), ("a", "c")])
    assert known == same
    assert hash(known) == hash(same)
    assert pickle.loads(pickle.dumps(known)) == same
    assert known != Knowledge(required_edges=known.required_edges, allowed_edges=[])
    assert Knowledge().is_empty
    assert not Knowledge(allowed_edges=[]).is_empty
    assert Knowledge(**known.to_dict()) == known
    assert Knowledge(allowed_edges=[]).to_dict() == {"allowed_edges": []}


def test_roots_and_leaves_of_everything_leave_the_empty_graph():
    rules = Knowledge(roots=NAMES, leaves=NAMES).rules(NAMES)
    assert [arcs for arcs in DAGS if rules.obeyed_by(core_dag(arcs))] == [frozenset()]
