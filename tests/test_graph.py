# SPDX-License-Identifier: MIT
from stigmergy import Dag, Pdag


def test_names_keep_their_order_and_lists_are_sorted():
    pdag = Pdag(["d", "a", "c", "b"], [("d", "a"), ("b", "a")], [("d", "c")])
    assert pdag.names == ("d", "a", "c", "b")
    assert pdag.directed == (("b", "a"), ("d", "a"))
    assert pdag.undirected == (("c", "d"),)
    assert pdag.edges == (
        ("b", "a", "directed"),
        ("c", "d", "undirected"),
        ("d", "a", "directed"),
    )
    assert pdag.skeleton == (("a", "b"), ("a", "d"), ("c", "d"))
    assert pdag.v_structures == (("b", "a", "d"),)
    assert pdag.parents("a") == ("b", "d")
    assert pdag.children("d") == ("a",)
    assert pdag.neighbours("d") == ("c",)
    assert pdag.adjacent("d") == ("a", "c")
    assert len(pdag) == 4
    assert "a" in pdag
    assert "z" not in pdag


def test_equality_needs_kind_names_and_edges_only():
    assert Dag(list("ab"), [("a", "b")]) == Dag(list("ba"), [("a", "b")])
    assert hash(Dag(list("ab"), [("a", "b")])) == hash(Dag(list("ba"), [("a", "b")]))
    assert Dag(list("ab")) != Dag(list("abc"))
    assert Dag(list("ab"), [("a", "b")]) != Dag(list("ab"), [("b", "a")])
    assert Dag(list("ab")) != Pdag(list("ab"))
    assert Dag(list("ab")) != "ab"
