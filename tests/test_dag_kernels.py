# SPDX-License-Identifier: MIT
"""The native parts of the searches over DAGs against their naive twins."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import dag_search as naive
from search_cases import arcs_of, cases, random_case
from stigmergy import _core


@given(cases(), st.integers(0, 2**64 - 1), st.integers(1, 8))
def test_annealing_goes_the_way_of_its_naive_twin(case, seed, changes):
    if not naive.neighbours(case.n, case.start, case.rules):
        return
    temperatures, tries = [5.0, 1.0, 0.2], 12
    chain = _core.Annealing(case.scorer(), case.arc_rules(), case.graph(), seed)
    ends, best = naive.anneal(
        case.n,
        case.start,
        case.family,
        case.rules,
        _core.Random.stream(seed, 0),
        temperatures,
        tries,
        changes,
    )
    for temperature, (made, dag) in zip(temperatures, ends, strict=True):
        assert chain.stage(temperature, tries, changes, _core.Stop()) == made
        assert arcs_of(chain.dag) == dag
        assert chain.score == pytest.approx(naive.score(case.n, dag, case.family))
    assert arcs_of(chain.best_dag) == best
    assert chain.best_score == pytest.approx(naive.score(case.n, best, case.family))


def test_annealing_ends_where_no_move_is_legal():
    scorer = _core.Scorer.from_function(2, lambda child, parents: 0.0, 0, 1 << 20)
    chain = _core.Annealing(scorer, _core.ArcRules(2), _core.Pdag(2), 1)
    assert chain.stage(1.0, 10**9, 10**9, _core.Stop()) == 0


@given(cases(), st.integers(0, 2**64 - 1), st.integers(0, 6))
def test_random_walks_go_the_way_of_their_naive_twin(case, seed, steps):
    dag, random = case.start, _core.Random.stream(seed, 4)
    for _ in range(steps):
        if not naive.neighbours(case.n, dag, case.rules):
            break
        _, dag = naive.draw_move(case.n, dag, case.rules, random)
    walked = _core.random_walk(case.scorer(), case.arc_rules(), case.graph(), steps, seed, 4)
    assert arcs_of(walked) == dag


@given(
    cases(),
    st.integers(0, 2**64 - 1),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.sampled_from([0.0, 1.0, 2.5]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_ants_walk_as_their_naive_twins(case, seed, q0, beta, static, parallel, local_search):
    n, ants, rho, tau0 = case.n, 3, 0.3, 0.01
    pheromone = _core.Pheromone(tau0)
    expected = {(x, y): tau0 for x in range(n) for y in range(n)}
    colony = _core.ArcColony(case.scorer(), case.arc_rules(), beta, is_static=static)
    for t in (1, 2):
        walks = colony.walk(
            case.graph(),
            pheromone,
            rho=rho,
            q0=q0,
            parallel=parallel,
            local_search=local_search,
            seed=seed,
            iteration=t,
            ants=ants,
            threads=2,
            stop=_core.Stop(),
        )
        frozen = dict(expected)
        used = []
        for k in range(ants):
            own = dict(frozen) if parallel else expected
            dag = naive.ant(
                n,
                case.start,
                case.family,
                case.rules,
                own,
                _core.Random.stream(seed, t, k),
                rho=rho,
                q0=q0,
                beta=beta,
                tau0=tau0,
                static=static,
            )
            used += sorted(dag - case.start)
            if local_search:
                dag = naive.hill_climb(n, dag, case.family, case.rules)[-1]
            assert arcs_of(walks[k][0]) == dag
            assert walks[k][1] == pytest.approx(naive.score(n, dag, case.family))
        if parallel:
            for arc in used:
                expected[arc] = (1 - rho) * expected[arc] + rho * tau0
        colony.reinforce(pheromone, walks[0][0], rho, 0.5)
        for arc in arcs_of(walks[0][0]):
            expected[arc] = (1 - rho) * expected[arc] + rho * 0.5
        for (x, y), value in expected.items():
            assert pheromone[x << 16 | y] == pytest.approx(value)


@given(cases(), st.integers(0, 2**64 - 1), st.floats(0.05, 0.9))
def test_drawn_dags_are_those_of_the_naive_twin(case, seed, initial):
    n, scorer = case.n, case.scorer()
    model = _core.ArcModel(scorer, case.arc_rules(), initial, 0.05)
    start = _core.Pdag(n, sorted(case.rules.required))
    probability = {(x, y): initial for x in range(n) for y in range(n)}
    for generation in (1, 2):
        population = model.sample(start, 4, seed, generation, scorer, 2, _core.Stop())
        twins = [
            naive.draw_dag(
                n,
                case.rules.required,
                case.rules,
                probability,
                _core.Random.stream(seed, generation, k),
            )
            for k in range(4)
        ]
        by_score = sorted(twins, key=lambda dag: -naive.score(n, dag, case.family))
        assert [score for _, score in population] == pytest.approx(
            [naive.score(n, dag, case.family) for dag in by_score]
        )
        assert sorted(map(sorted, map(arcs_of, (dag for dag, _ in population)))) == sorted(
            map(sorted, twins)
        )
        model.learn([dag for dag, _ in population[:2]], 0.5)
        best = [arcs_of(dag) for dag, _ in population[:2]]
        for arc, p in probability.items():
            share = sum(arc in dag for dag in best) / 2
            probability[arc] = min(0.95, max(0.05, 0.5 * p + 0.5 * share))
            assert model.probability(*arc) == pytest.approx(probability[arc])


def test_mutation_moves_towards_the_ends():
    scorer = _core.Scorer.from_function(4, lambda child, parents: 0.0, 3, 1 << 20)
    model = _core.ArcModel(scorer, _core.ArcRules(4), 0.4, 0.01)
    model.mutate(1.0, 0.25, 7, 1)
    values = {round(model.probability(x, y), 12) for x in range(4) for y in range(4)}
    assert values == {0.3, 0.55}
    model.mutate(0.0, 0.25, 7, 2)
    assert values == {round(model.probability(x, y), 12) for x in range(4) for y in range(4)}


@given(cases(), st.data())
def test_a_node_is_reinserted_with_the_best_parents_and_children(case, data):
    target = data.draw(st.integers(0, case.n - 1))
    operator = _core.Reinsertion(case.scorer(), case.arc_rules(), 99, 10**6)
    dag, gain = operator.reinsert(case.graph(), target)
    before = naive.score(case.n, case.start, case.family)
    best = naive.best_reinsertion(case.n, case.start, case.family, case.rules, target)
    assert case.rules.obeyed_by(case.n, arcs_of(dag))
    assert naive.score(case.n, arcs_of(dag), case.family) == pytest.approx(best)
    assert gain == pytest.approx(best - before, abs=2e-6)


@given(cases(max_nodes=6), st.integers(0, 5))
def test_the_parent_sets_are_those_better_than_all_their_subsets(case, target):
    target %= case.n
    operator = _core.Reinsertion(case.scorer(), case.arc_rules(), 99, 10**6)
    operator.prepare([target], 2, _core.Stop())
    sets = operator.parent_sets(target)
    expected = naive.needed_parent_sets(case.n, case.family, case.rules, target)
    assert {frozenset(parents) for parents, _ in sets} == expected
    assert len(sets) == len(expected)
    scores = [score for _, score in sets]
    assert scores == sorted(scores, reverse=True)
    assert scores == [case.family(target, parents) for parents, _ in sets]


@given(cases(), st.integers(1, 4))
def test_reinsertion_with_short_lists_ends_at_local_maxima_of_arc_changes(case, max_sets):
    operator = _core.Reinsertion(case.scorer(), case.arc_rules(), 99, max_sets)
    dag, changed = case.graph(), True
    while changed:
        changed = False
        for target in range(case.n):
            dag, gain = operator.reinsert(dag, target)
            changed = changed or gain > naive.TOLERANCE
            assert case.rules.obeyed_by(case.n, arcs_of(dag))
    found = naive.best_move(case.n, arcs_of(dag), case.family, case.rules)
    # A reinsertion that gains no more than the tolerance is not made.
    assert found is None or found[0] <= 2 * naive.TOLERANCE


@given(cases(), st.integers(1, 5))
def test_sparse_candidates_are_the_parents_and_the_best_to_join_them(case, k):
    found = _core.sparse_candidates(case.scorer(), case.arc_rules(), case.graph(), k, n_threads=2)
    assert len(found) == len(set(found))
    expected = naive.candidate_parents(case.n, case.start, case.family, case.rules, k)
    assert set(found) == expected


@cache
def restricted_graphs(n):
    return naive.restricted_of_every_dag(n)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_restricted_pdags_are_recognised_and_made(n):
    made = restricted_graphs(n)
    dags = set(naive.all_dags(n))
    assert set(made) == dags
    for dag, (directed, links) in made.items():
        graph = _core.restricted_of(_core.Pdag(n, sorted(dag)))
        assert set(graph.directed_edges()) == directed
        assert set(graph.undirected_edges()) == links
    restricted = set(made.values())
    for directed, links in naive.all_pdags(n):
        graph = _core.Pdag(n, sorted(directed), sorted(links))
        assert _core.is_restricted(graph) == ((directed, links) in restricted)


def apply_rpdag_move(case, graph, move):
    moves = _core.RpdagMoves(case.scorer(), case.arc_rules(), graph)
    moves.apply(move)
    return moves.rpdag


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_operators_reach_every_neighbour_once_with_its_gain(n):
    """The neighbours are the graphs of all DAGs one arc away from an extension."""
    case = random_case(n, n, limited=False, equivalent=True)
    made = restricted_graphs(n)
    extensions = {}
    for dag, graph in made.items():
        extensions.setdefault(graph, []).append(dag)
    for graph, dags in extensions.items():
        expected = set()
        for dag in dags:
            for (change, _, _), after in naive.neighbours(n, dag, naive.Rules()):
                if change != naive.REVERSE:
                    expected.add(made[after])
        core_graph = _core.Pdag(n, sorted(graph[0]), sorted(graph[1]))
        moves = _core.RpdagMoves(case.scorer(), case.arc_rules(), core_graph)
        now = naive.score(n, dags[0], case.family)
        assert moves.score == pytest.approx(now)
        reached = []
        for move, gain in moves.moves():
            after = apply_rpdag_move(case, core_graph, move)
            key = frozenset(after.directed_edges()), frozenset(after.undirected_edges())
            reached.append(key)
            assert _core.is_restricted(after)
            score = naive.score(n, extensions[key][0], case.family)
            assert gain == pytest.approx(score - now)
        assert set(reached) == expected
        assert len(reached) == len(expected)


@settings(max_examples=50)
@given(st.integers(0, 10**6), st.integers(2, 5), st.booleans())
def test_restricted_walks_obey_the_limit_and_the_knowledge(seed, n, with_tabu):
    case = random_case(seed, n, limited=True, equivalent=True)
    start = _core.restricted_of(case.graph())
    moves = _core.RpdagMoves(case.scorer(), case.arc_rules(), start)
    tabu = _core.TabuList(100) if with_tabu else None
    seen = set()
    for _ in range(12):
        graph = moves.rpdag
        key = frozenset(graph.directed_edges()), frozenset(graph.undirected_edges())
        assert naive.is_restricted(n, key)
        obeying = [
            dag
            for dag in naive.restricted_extensions(n, key)
            if all(len(naive.parents_of(dag, v)) <= case.rules.max_parents for v in range(n))
        ]
        assert obeying
        cpdag = _core.Pdag(n, sorted(obeying[0])).completed()
        assert _core.obeying_member(cpdag, case.arc_rules()) is not None
        assert moves.score == pytest.approx(naive.score(n, obeying[0], case.family))
        if tabu is not None:
            assert key not in seen
            seen.add(key)
            moves.remember(tabu)
        found = moves.best(tabu)
        if found is None:
            break
        moves.apply(found[0])


def test_malformed_input_is_refused():
    scorer = _core.Scorer.from_function(3, lambda child, parents: 0.0, 2, 1 << 20)
    rules, stop = _core.ArcRules(3), _core.Stop()
    with pytest.raises(ValueError, match="restricted PDAG"):
        _core.RpdagMoves(scorer, rules, _core.Pdag(3, [(0, 1)]))
    with pytest.raises(ValueError, match="same number of nodes"):
        _core.RpdagMoves(scorer, rules, _core.Pdag(4))
    with pytest.raises(ValueError, match="same number of nodes"):
        _core.Annealing(scorer, _core.ArcRules(2), _core.Pdag(3), 1)
    with pytest.raises(ValueError, match="must not be empty"):
        _core.ArcModel(scorer, rules, 0.1, 0.0).learn([], 0.5)
    with pytest.raises(IndexError, match="below n_nodes"):
        _core.ArcModel(scorer, rules, 0.1, 0.0).probability(0, 3)
    operator = _core.Reinsertion(scorer, rules, 2, 10)
    with pytest.raises(IndexError, match="below n_nodes"):
        operator.reinsert(_core.Pdag(3), 3)
    with pytest.raises(IndexError, match="below n_nodes"):
        operator.parent_sets(3)
    for targets in ([3], [1, 1]):
        with pytest.raises(ValueError, match="different nodes below n_nodes"):
            operator.prepare(targets, 1, stop)
