# SPDX-License-Identifier: MIT
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import dag_search as naive
from search_cases import arcs_of, cases, random_case
from stigmergy import _core


def named(move):
    return (move.change, move.x, move.y)


@given(cases(restricted=st.booleans()), st.integers(1, 2))
def test_moves_along_a_walk_are_the_legal_ones_with_gains_of_full_scores(case, n_threads):
    moves, dag = case.moves(n_threads), case.start
    for step in range(6):
        expected = naive.neighbours(case.n, dag, case.rules)
        listed = moves.legal_moves()
        assert [named(move) for move, _ in listed] == [move for move, _ in expected]
        now = naive.score(case.n, dag, case.family)
        assert moves.score == pytest.approx(now)
        for (_, gain), (_, after) in zip(listed, expected, strict=True):
            assert gain == pytest.approx(naive.score(case.n, after, case.family) - now)
        if not listed:
            break
        chosen = (7 * step + 3) % len(listed)
        moves.apply(listed[chosen][0], _core.Stop())
        dag = expected[chosen][1]
        assert arcs_of(moves.dag) == dag


@given(cases(restricted=st.booleans()), st.integers(1, 2))
def test_hill_climbing_goes_the_way_of_its_naive_twin(case, n_threads):
    path = naive.hill_climb(case.n, case.start, case.family, case.rules)
    moves = case.moves(n_threads)
    for dag in path[1:]:
        move, gain = moves.best()
        assert gain > naive.TOLERANCE
        moves.apply(move, _core.Stop())
        assert arcs_of(moves.dag) == dag
    found = moves.best()
    assert found is None or found[1] <= naive.TOLERANCE
    dag, score, n_moves = _core.hill_climb(
        case.scorer(), case.arc_rules(), case.graph(), _core.Stop(), candidates=case.candidates()
    )
    assert arcs_of(dag) == path[-1]
    assert score == pytest.approx(naive.score(case.n, path[-1], case.family))
    assert n_moves == len(path) - 1


@given(cases(restricted=st.booleans()), st.integers(1, 6), st.integers(1, 8))
def test_tabu_search_goes_the_way_of_its_naive_twin(case, length, patience):
    path, best = naive.tabu_search(case.n, case.start, case.family, case.rules, length, patience)
    dag, score, n_moves = _core.hill_climb(
        case.scorer(),
        case.arc_rules(),
        case.graph(),
        _core.Stop(),
        candidates=case.candidates(),
        tabu_length=length,
        patience=patience,
    )
    assert n_moves == len(path) - 1
    assert arcs_of(dag) == best
    assert score == pytest.approx(naive.score(case.n, best, case.family))


def test_a_climb_over_more_than_one_word_of_nodes_keeps_its_gains():
    n = 70
    table = {}

    def family(child, parents):
        key = child, tuple(parents)
        number = zlib.crc32(repr(key).encode()) % 1000
        return table.setdefault(key, number / 100 - 6 * len(parents))

    scorer = _core.Scorer.from_function(n, family, 3, 1 << 24)
    rules = _core.ArcRules(n, [(69, 0)], [(1, 68)])
    moves = _core.ArcMoves(scorer, rules, _core.Pdag(n, [(69, 0)]), _core.Stop())
    while (found := moves.best()) and found[1] > naive.TOLERANCE:
        before = moves.score
        moves.apply(found[0], _core.Stop())
        assert moves.score == pytest.approx(before + found[1])
    dag = arcs_of(moves.dag)
    assert naive.Rules(3, frozenset({(69, 0)}), frozenset({(1, 68)})).obeyed_by(n, dag)
    assert moves.score == pytest.approx(naive.score(n, dag, family))
    gains = [gain for _, gain in moves.legal_moves()]
    assert gains
    assert max(gains) <= naive.TOLERANCE
    again = _core.hill_climb(scorer, rules, _core.Pdag(n, [(69, 0)]), _core.Stop(), n_threads=2)
    assert arcs_of(again[0]) == dag


def test_a_stopped_climb_returns_the_start():
    case = random_case(1, 5, limited=False)
    stop = _core.Stop(0.0)
    dag, score, n_moves = _core.hill_climb(case.scorer(), case.arc_rules(), case.graph(), stop)
    assert (arcs_of(dag), n_moves) == (case.start, 0)
    assert score == pytest.approx(naive.score(case.n, case.start, case.family))


def test_evaluations_count_what_the_moves_ask_for():
    n = 3
    scorer = _core.Scorer.from_function(n, lambda child, parents: -len(parents), 2, 1 << 20)
    moves = _core.ArcMoves(scorer, _core.ArcRules(n), _core.Pdag(n), _core.Stop())
    before = scorer.evaluations
    moves.best()
    moves.best()
    total, distinct = scorer.evaluations
    # Three empty families and six additions, asked for once by the table, once more by a query.
    assert before == (9, 9)
    assert (total, distinct) == (9 + 6, 9)


@pytest.mark.parametrize(
    ("arcs", "links", "message"),
    [([(0, 1), (1, 2), (2, 0)], [], "cycle"), ([], [(0, 1)], "without links")],
)
def test_only_dags_are_accepted(arcs, links, message):
    scorer = _core.Scorer.from_function(3, lambda child, parents: 0.0, 2, 1 << 20)
    with pytest.raises(ValueError, match=message):
        _core.ArcMoves(scorer, _core.ArcRules(3), _core.Pdag(3, arcs, links), _core.Stop())


def test_illegal_moves_and_other_sizes_are_refused():
    scorer = _core.Scorer.from_function(3, lambda child, parents: 0.0, 2, 1 << 20)
    moves = _core.ArcMoves(scorer, _core.ArcRules(3), _core.Pdag(3), _core.Stop())
    for move in [(1, 0, 1), (2, 0, 1), (0, 1, 1), (0, 0, 9)]:
        with pytest.raises(ValueError, match="not legal"):
            moves.apply(_core.ArcMove(*move), _core.Stop())
    with pytest.raises(ValueError, match="same number of nodes"):
        _core.ArcMoves(scorer, _core.ArcRules(4), _core.Pdag(3), _core.Stop())
    with pytest.raises(IndexError, match="change must be"):
        _core.ArcMove(3, 0, 1)
    with pytest.raises(IndexError, match="below n_nodes"):
        _core.ArcMoves(scorer, _core.ArcRules(3), _core.Pdag(3), _core.Stop(), candidates=[(0, 3)])
