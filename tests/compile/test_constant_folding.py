"""Checks of narrowings that the tables and the settings alone decide: dropped only where every member holds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hots_rules.compile import constant_folding
from hots_rules.compile.constant_folding import FALSE, TRUE, ConstantFolder, eliminate_checks
from hots_rules.diagnostics import Span
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const
from hots_rules.rules.typed.visitor import walk
from tests.compile.conditions import HEAD, actions

OPTION = 'option guarded : bool = false §1 "Whether every area has somebody who keeps it."\n'
NARROWED = """define keeper_of(a: Area): Piece? = if guarded then Fox else keeper[a]
define restless = {a in Area where mood[keeper_of(a) as Piece] > 0}
define calm = all a in {Hill, Moor}: mood[keeper[a] as Piece] > 0
define idle = all a in {Hill, Lake}: mood[keeper[a] as Piece] > 0
define outer = all p in Piece: some a in next[Fen]: mood[(if wild[p] then keeper[a] else p) as Piece] > 0
define outside = all p in Piece: some a in next[Lake]: mood[(if wild[p] then keeper[Lake] else p) as Piece] > 0
define in_play = all p in Piece: cost[home[p] as Area] > 2
define around(start: Area) = all a in (if start = Hill then {Hill, Moor} else {Moor}): mood[keeper[a] as Piece] > 0
define kept = all a in {Hill, Moor}: mood[keeper[Hill] as Piece] > 0
define spotted = all a in seen[Red]: mood[keeper[Hill] as Piece] > 0
"""
USES = "some restless and calm and idle and outer and outside and in_play and spotted and around(Hill) and kept"


@pytest.fixture(scope="module")
def typed() -> tast.TypedRuleset:
    text = HEAD + NARROWED + OPTION + actions([USES])
    layer = Layer("shapes-1.0", "Types of all kinds", None, {"shapes.rules": text}, "")
    return load_rulebook(Source((layer,))).typed


def keeps_check(typed: tast.TypedRuleset, name: str, settings: Mapping[str, int]) -> bool:
    body = eliminate_checks(typed.definitions[name].body, ConstantFolder(typed, settings))
    (narrowing,) = (node for node in walk(body) if isinstance(node, tast.Narrow))
    return narrowing.checked


@pytest.mark.parametrize(
    ("name", "is_kept"),
    [
        ("calm", False),  # both have a keeper
        ("idle", True),  # the lake has none
        ("around", False),  # wherever one starts, both have a keeper
        ("outer", False),  # the fen is next to the hill and to itself, and both have a keeper
        ("outside", True),  # it depends on another member than that of its loop
        ("in_play", True),  # some have no home
        ("spotted", True),  # which areas were seen is known in play alone
    ],
)
def test_a_check_is_dropped_where_every_member_holds(
    typed: tast.TypedRuleset, name: str, is_kept: bool
) -> None:
    assert keeps_check(typed, name, {"guarded": 0}) is is_kept


@pytest.mark.parametrize(("name", "least"), [("calm", 4), ("kept", 1)])
def test_a_check_is_dropped_where_all_values_can_be_tried(
    typed: tast.TypedRuleset, name: str, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The areas are tried if the check depends on the area; one evaluation tells if it does not."""
    monkeypatch.setattr(constant_folding, "MAX_EVALUATIONS", least - 1)
    assert keeps_check(typed, name, {"guarded": 0})
    monkeypatch.setattr(constant_folding, "MAX_EVALUATIONS", least)
    assert not keeps_check(typed, name, {"guarded": 0})


def test_truth_is_one() -> None:
    assert (Const(0, types.BOOL), Const(1, types.BOOL)) == (FALSE, TRUE)


def test_a_setting_decides_whether_a_check_is_dropped(typed: tast.TypedRuleset) -> None:
    assert keeps_check(typed, "restless", {"guarded": 1}) is False
    assert keeps_check(typed, "restless", {"guarded": 0}) is True


def test_a_check_is_kept_where_it_cannot_be_decided(typed: tast.TypedRuleset) -> None:
    assert keeps_check(typed, "restless", {}) is True


# ------------------------------------------------------------------ conditions and branches
X, Y, Z = (tast.Local(name, types.BOOL) for name in "xyz")
TO_X, TO_Y, TO_Z = (tast.Bind(local, TRUE) for local in (X, Y, Z))


def joined(op: str, *parts: tast.Expr) -> tast.Operation:
    return tast.Operation(op, parts, types.BOOL)


@pytest.mark.parametrize(
    ("condition", "folded"),
    [
        (joined("and", X, joined("and", Y, Z)), joined("and", X, Y, Z)),
        (joined("or", joined("or", X, Y), Z), joined("or", X, Y, Z)),
        (joined("or", joined("and", X, Y), Z), joined("or", joined("and", X, Y), Z)),
        (joined("and", X, joined("or", Y, Z)), joined("and", X, joined("or", Y, Z))),
        (joined("and", X, TRUE), X),
        (joined("and", X, FALSE), FALSE),
        (joined("or", X, TRUE), TRUE),
        (joined("or", FALSE, X), X),
        (joined("and", TRUE, TRUE), TRUE),
        (joined("or", FALSE, FALSE), FALSE),
        (joined("not", X), joined("not", X)),
        (joined("not", FALSE), TRUE),
        (tast.Setting("guarded", types.BOOL), TRUE),
        (tast.Conditional(TRUE, X, Y, types.BOOL), X),
        (tast.Conditional(FALSE, X, Y, types.BOOL), Y),
        (tast.Conditional(X, Y, Z, types.BOOL), tast.Conditional(X, Y, Z, types.BOOL)),
    ],
)
def test_what_is_constant_in_a_condition_is_folded(
    typed: tast.TypedRuleset, condition: tast.Expr, folded: tast.Expr
) -> None:
    assert ConstantFolder(typed, {"guarded": 1}).expr(condition) == folded


def branch(*cases: tuple[tast.Expr, tast.Statement]) -> tast.Branch:
    return tast.Branch(tuple(tast.Case(test, (body,)) for test, body in cases), (TO_Z,))


@pytest.mark.parametrize(
    ("node", "folded"),
    [
        (branch((X, TO_X), (Y, TO_Y)), (branch((X, TO_X), (Y, TO_Y)),)),
        (branch((FALSE, TO_X), (Y, TO_Y)), (branch((Y, TO_Y)),)),
        (branch((TRUE, TO_X), (Y, TO_Y)), (TO_X,)),
        (branch((FALSE, TO_X)), (TO_Z,)),
        (branch((X, TO_X), (TRUE, TO_Y)), (tast.Branch((tast.Case(X, (TO_X,)),), (TO_Y,)),)),
    ],
)
def test_a_branch_keeps_the_cases_that_can_run(
    typed: tast.TypedRuleset, node: tast.Branch, folded: tast.Body
) -> None:
    assert ConstantFolder(typed, {}).body((node,)) == folded


def test_only_a_loop_whose_condition_never_holds_is_dropped(typed: tast.TypedRuleset) -> None:
    folder, span = ConstantFolder(typed, {}), Span.nowhere()
    loops = [tast.Loop(test, TRUE, (TO_X,), span) for test in (X, FALSE, TRUE)]

    assert folder.body(tuple(loops)) == (loops[0], loops[2])


def test_a_definition_that_reads_the_state_has_no_static_value(typed: tast.TypedRuleset) -> None:
    folder = ConstantFolder(typed, {"guarded": 0})
    prices = [folder.static_value("price", (area, 2)) for area in range(4)]

    assert prices == [6, 3, 6, 5]
    assert folder.static_value("calm", ()) is None
    assert [folder.definition_reads(name, tast.Setting) for name in ("keeper_of", "price")] == [
        True,
        False,
    ]
