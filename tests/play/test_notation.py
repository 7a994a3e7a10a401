"""Every action has a text that parses back, whatever the labels say."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hots_rules as hr
from tests.playing import TINY, last_of, played_out, ruleset_of


@cache
def shared_rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


CLASHES = """ruleset clash-1.0 "Labels that clash"
players Side
type Side = Red | Blue
table Spot §1 (worth: 0..3)
  Ross  1
  Mar   2
  Fife  3
table Piece §1 (size: 1..3)
  Ross  1
  Mar   2
  Owl   3
type Thing = Spot | Piece
type Count = 0..12
state
  at[Piece] : Spot
  chosen    : Thing
  number    : 0..20000
  turn      : 1..30 = 1
action walk(p: Piece, s: Spot) §1 "Walks."
  permit when actor = Red
  at[p] := s
action run(p: Piece, s: Spot) §1 "Runs."
  permit when actor = Red
  at[p] := s
action pick(t: Thing) §1 "Picks a thing of two kinds."
  permit when actor = Red
  chosen := t
action count_to(n: Count, yes_or_no: bool) §1 "Counts."
  permit when actor = Red and n > 9
  number := n
action hidden(p: Piece) §1 "The label leaves the piece out."
  permit when actor = Red
  at[p] := Fife
action stay §1 "Stays."
  permit
phase game §1 "One after the other."
  while turn < 30 up to 30
    choose Red: walk, run, pick, count_to, hidden, stay
    turn += 1
  win none
scenario only §1 "Only"
  game()
positions begin at game
invariant used §1 "All of it is used."
  all p in Piece: size[p] > 0 and (at[p] != Fife or worth[at[p]] > 0) and (number >= 0 or chosen = Fife)
label en
  Spot.Ross = "the shire"
  Spot.Mar = "Owl"
  Piece.Mar = "Ross"
  Piece.Ross = "R + (x) [y] 100%"
  Red = "The Reds: first"
  action walk = "{p} goes to {s}"
  action run = "{p} goes to {s}"
  action count_to = "count {n} {n}, {yes_or_no}"
  action hidden = "hide"
label fr
  Spot.Fife = "Fifre"
  Piece.Owl = "the shire"
  action walk = "{s} reçoit {p}"
  action stay = "hide"
"""


@cache
def clash() -> hr.Ruleset:
    return ruleset_of(CLASHES)


@cache
def hots() -> hr.Ruleset:
    return hr.load("hots-4.0")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_texts_parse_back_where_labels_clash(language: str) -> None:
    game = clash().start("only")
    actions = game.in_language(language).actions

    assert len({action.text.lower() for action in actions}) == len(actions)
    if language == "en":
        for action in actions:
            assert action.code == game.play(action).moves[-1] == game.play(action.text).moves[-1]
    assert "The Reds: first: walk(Owl, Fife)" in {a.text for a in game.actions}
    assert "The Reds: first: R + (x) [y] 100% goes to Fife" not in {a.text for a in game.actions}
    assert "The Reds: first: pick R + (x) [y] 100%" in {a.text for a in game.actions}
    assert "The Reds: first: count 12 12, yes" in {a.text for a in game.actions}


def test_a_text_with_two_meanings_is_refused_with_both() -> None:
    with pytest.raises(hr.AmbiguousAction) as error:
        clash().start("only").play("Owl goes to Fife")

    meanings = error.value.meanings
    assert ("The Reds: first: walk(Owl, Fife)", "The Reds: first: run(Owl, Fife)") == meanings
    for text in meanings:
        assert "Fife" == clash().start("only").play(text).state["at", "Owl"]


def test_the_meanings_of_an_ambiguous_text_are_written_in_words() -> None:
    """Both sides can lay this card; the exact notation is only for actions that share all their words."""
    with pytest.raises(hr.AmbiguousAction) as error:
        hots().start("braveheart", seed=0).play("play Move 2")

    assert ("England: play Move 2", "Scotland: play Move 2") == error.value.meanings


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("crown Bruce", "Coronation of Bruce"),
        ("Scotland: Crown  Comyn", "Scotland: Coronation of Comyn"),
        ("play card Move 2", "play Move 2"),
    ],
)
def test_an_action_is_named_by_its_label_or_its_name(name: str, label: str) -> None:
    notation = hots().notation

    assert [] != notation.parse(label)
    assert notation.parse(label) == notation.parse(name)


def test_every_action_is_understood_by_its_name() -> None:
    game = hots().start("the-bruce", seed=3)
    for _ in range(40):
        for action in game.actions:
            named = " ".join([action.name.replace("_", " "), *action.args.values()])
            assert action.code in game.notation.parse(f"{action.player}: {named}"), named
        game = game.play(game.actions[-1])


def test_a_label_goes_before_a_name() -> None:
    # `Ross` is the label of the piece Mar and the name of the piece Ross; the text that is listed is meant.
    game = clash().start("only").play("walk(Ross, Mar)")

    assert "Mar" == game.state["at", "Ross"]
    assert [game.ruleset.name] == ["clash-1.0"]


def test_a_label_that_leaves_a_parameter_out_says_too_little() -> None:
    game = clash().start("only")

    assert {"The Reds: first: hidden(Ross)", "The Reds: first: hidden(Owl)"} <= {
        action.text for action in game.actions
    }
    with pytest.raises(hr.AmbiguousAction):
        game.play("hide")


def test_a_value_of_two_kinds_is_named_by_its_kind() -> None:
    game = clash().start("only")

    assert "Piece.Mar" == game.play("pick(Piece.Mar)").state["chosen"]
    assert "Spot.Ross" == game.play("pick(Spot.Ross)").state["chosen"]
    assert "Fife" == game.play("pick(Fife)").state["chosen"]
    with pytest.raises(hr.UnreadableAction):
        game.play("pick(Mar)")


def test_a_record_keeps_what_was_meant() -> None:
    chooser = Random(1)
    game = last_of(clash().start("only"), chooser, 25)
    again = hr.replay(game.record, clash())

    assert again == game
    assert "walk(" in str(game.record) or "run(" in str(game.record)


def test_a_language_without_words_is_unknown() -> None:
    with pytest.raises(hr.UnknownName) as error:
        assert clash().start("only").in_language("de").actions

    assert ("en", "fr", "es") == error.value.known


def test_every_listed_text_of_a_game_parses_back() -> None:
    for game in played_out(shared_rules().start("braveheart", seed=11), Random(11), 60):
        for action in game.actions:
            assert game.play(action.text).moves[-1] == action.code


@given(st.text(max_size=60))
@settings(max_examples=60)
def test_any_text_is_an_action_or_an_error_of_ours(text: str) -> None:
    for game in (small().start("short"), clash().start("only")):
        try:
            game.play(text)
        except hr.HotsError as error:
            assert str(error)


@given(st.data())
@settings(max_examples=60)
def test_a_damaged_text_is_an_action_or_an_error_of_ours(data: st.DataObject) -> None:
    game = shared_rules().start("braveheart", seed=4)
    text = data.draw(st.sampled_from([action.text for action in game.actions]))
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.text(max_size=3)) + text[at + data.draw(st.integers(0, 3)) :]
    try:
        game.play(text)
    except hr.HotsError as error:
        assert str(error)


def test_an_action_knows_what_else_its_text_can_mean() -> None:
    notation = clash().notation
    walk, run = (form for form in notation.forms if form.name in {"walk", "run"})

    assert {run.encode(0, (2, 2))} == notation.homonyms(walk.encode(0, (2, 2)))


JUDGED = CLASHES.replace(
    """  permit when actor = Red
  at[p] := s
action run""",
    """  permit when actor = Red and p != Owl
  at[p] := s
action run""",
).replace(
    "phase game",
    """rule home §2 "Nobody runs home."
  forbid run(p, s) when s = Fife
rule late §3 "Nor to Mar, after the first turn."
  forbid run(p, s) when s = Mar and turn > 1
phase game""",
)


def test_a_meaning_that_is_permitted_and_forbidden_is_judged_before_one_that_is_not_permitted() -> (
    None
):
    reasons = ruleset_of(JUDGED).start("only").why_not("Owl goes to Fife")

    assert [("forbid", "home")] == [(reason.kind, reason.rule) for reason in reasons]


def test_every_meaning_is_judged_where_none_is_permitted() -> None:
    rules = ruleset_of(
        JUDGED.replace(
            "permit when actor = Red\n  at[p] := s\naction pick",
            "permit when turn = 9\n  at[p] := s\naction pick",
        )
    )
    reasons = rules.start("only").why_not("Owl goes to Mar")

    assert {("permit", "walk"), ("permit", "run")} == {(r.kind, r.rule) for r in reasons}
