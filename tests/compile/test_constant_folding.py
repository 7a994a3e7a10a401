"""Checks of narrowings that the tables and the settings alone decide: dropped only where every member holds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hots_rules.compile.constant_folding import ConstantFolder, eliminate_checks
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.rules.typed import tast
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
define spotted = all a in seen[Red]: mood[keeper[Hill] as Piece] > 0
"""
USES = "some restless and calm and idle and outer and outside and in_play and spotted"


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


def test_a_setting_decides_whether_a_check_is_dropped(typed: tast.TypedRuleset) -> None:
    assert keeps_check(typed, "restless", {"guarded": 1}) is False
    assert keeps_check(typed, "restless", {"guarded": 0}) is True


def test_a_check_is_kept_where_it_cannot_be_decided(typed: tast.TypedRuleset) -> None:
    assert keeps_check(typed, "restless", {}) is True
