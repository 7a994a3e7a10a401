"""Why and why not, held against the plain meaning of the clauses, over games by chance."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.link import LinkedClause
from hots_rules.diagnostics import EngineError
from hots_rules.explain.legality import checker_for
from hots_rules.explain.trial import ChangeTrial
from tests.playing import TINY, last_of, played_out, ruleset_of, texts_of_all
from tests.sizes import sample_size

NAMES = ("hots-4.0", "lords-of-scotland")


@cache
def rules(name: str) -> hr.Ruleset:
    return hr.load(name)


def moments(name: str, seed: int, many: int) -> Iterator[hr.Game]:
    """Moments of games by chance at which a player chooses."""
    chooser = Random(f"{name} {seed}")
    found = rules(name)
    for scenario in found.scenarios:
        game = found.start(scenario, seed=seed)
        for after in islice(played_out(game, chooser), 400):
            if not after.is_over and chooser.random() < many / 400:
                yield after


def asked_about(game: hr.Game, chooser: Random, many: int) -> list[str]:
    """Actions that are not legal: any of the vocabulary, and some of the kinds that are asked for."""
    legal = {action.code for action in game.actions}
    asked = {action.name for action in game.actions}
    forms = [form for form in game.notation.forms if form.name in asked]
    near = (
        (code, game.notation.exact(code))
        for form in iter(lambda: chooser.choice(forms), None)
        for code in [form.base + chooser.randrange(form.size)]
    )
    texts = [*islice(texts_of_all(game.ruleset, chooser), many), *islice(near, 2 * many)]
    return [text for code, text in texts if code not in legal]


POINTS = """ruleset points-1.0 "Points"
players Side
type Side = White | Black
type Point = b6 | b7 | b8
state
  man[Point]: Side?
define near(p: Point) = {q in Point where ordinal(q) = ordinal(p) + 1}
action put(to: Point) §1 "Put."
  permit when man[to] = none
  man[to] := actor
action move(from: Point, to: Point) §1 "Move."
  permit when to in near(from)
rule free §2 "A man goes to a free point."
  forbid put(to) when man[to] != none
    because "{to} is not free"
phase game §1 "Turns."
  choose White: put
  for n in 1..2
    choose Black: put, move
  win none
scenario first §1 "One"
  game()
label fr
  b6 = "b6"
  text "{to} is not free" = "{to} n’est pas libre"
"""


@pytest.mark.parametrize(
    ("action", "language", "sentence"),
    [
        ("put b6", "en", "b6 is not free."),
        ("put b6", "fr", "b6 n’est pas libre."),
        ("move b7 b6", "en", "b6 is not among near of b7 (b8)."),
    ],
)
def test_a_name_with_a_digit_at_the_beginning_of_a_sentence_keeps_its_letters(
    action: str, language: str, sentence: str
) -> None:
    game = ruleset_of(POINTS).start("first", seed=1).play("White: put b6")

    assert sentence in game.in_language(language).why_not(f"Black: {action}").text()


class Plain:
    """The clauses of one action at one moment, by an evaluator of its own that keeps nothing."""

    def __init__(self, game: hr.Game, text: str) -> None:
        (code,) = game.notation.parse(text)
        form = game.notation.form_of(code)
        number, args = form.decode(code, len(game.ruleset.players))
        linked = game.ruleset.linked_rules(game.settings)
        action = linked.actions[form.name]
        params = zip((action.actor, *action.params), (number, *args), strict=True)
        schema = game.ruleset.schema

        def load(name: str, keys: tuple[int, ...]) -> int:
            variable = schema.variables[name]
            return game.state.slots[variable.base + variable.offsets[keys]]

        self._evaluator = Evaluator(linked.typed, dict(game.settings), load)
        self._local = {param.name: value for param, value in params}
        self.clauses = action.clauses
        player = game.ruleset.players[number]
        self.is_asked = player in game.to_move and any(a.name == form.name for a in game.actions)

    def holds(self, clause: LinkedClause) -> bool:
        try:
            return bool(self._evaluator.value(clause.when, self._local))
        except (EngineError, LookupError, ArithmeticError):
            return False

    def is_legal_without(self, reasons: tuple[hr.explain.Reason, ...]) -> bool:
        """Whether it would be legal if these reasons were not there."""
        gone = {(reason.kind, reason.rule) for reason in reasons}
        permits = [c for c in self.clauses if c.kind == "permit"]
        forbids = [c for c in self.clauses if c.kind == "forbid"]
        permitted = any(self.holds(c) or ("permit", c.origin.rule) in gone for c in permits)
        if not permits:
            permitted = any(kind == "permit" for kind, _ in gone)
        free = all(not self.holds(c) or ("forbid", c.origin.rule) in gone for c in forbids)
        asked = self.is_asked or any(kind == "moment" for kind, _ in gone)
        return asked and permitted and free


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("name", NAMES)
def test_without_the_reasons_of_a_set_the_action_is_legal_and_without_fewer_it_is_not(
    name: str, seed: int
) -> None:
    chooser, told = Random(seed), 0
    for game in moments(name, seed, 4):
        for text in asked_about(game, chooser, 3):
            ruling, plain = game.why_not(text), Plain(game, text)
            if all(plain.is_asked or reason.kind == "moment" for reason in ruling):
                assert ruling, text
            assert not ruling.is_legal, text
            assert {at for places in ruling.sets for at in places} == set(range(len(ruling)))
            for places in ruling.sets:
                reasons = tuple(ruling[at] for at in places)
                assert plain.is_legal_without(reasons), (text, ruling.text("tree"))
                for one in reasons:
                    rest = tuple(other for other in reasons if other is not one)
                    assert not plain.is_legal_without(rest), (text, one)
            told += 1
    assert told > 20


@pytest.mark.parametrize("name", NAMES)
def test_every_reason_is_found_to_stand(name: str) -> None:
    chooser = Random(name)
    for game in moments(name, 3, sample_size(2, 4)):
        for text in asked_about(game, chooser, 3):
            plain = Plain(game, text)
            standing = {
                (clause.kind, clause.origin.rule)
                for clause in plain.clauses
                if plain.holds(clause) == (clause.kind == "forbid")
            }
            for reason in game.why_not(text):
                assert reason.stands
                assert reason.summary
                assert reason.sections
                if reason.kind != "moment":
                    assert (reason.kind, reason.rule) in standing
                    assert reason.found or reason.ground is None or not reason.ground.parts, text


@pytest.mark.parametrize("name", NAMES)
def test_a_legal_action_has_nothing_against_it_and_a_permit_that_holds(name: str) -> None:
    chooser = Random(name)
    for game in moments(name, 4, sample_size(3, 6)):
        for action in chooser.sample(game.actions, min(3, len(game.actions))):
            ruling = game.why(action)
            plain = Plain(game, game.notation.exact(action.code))
            holding = {
                c.origin.rule for c in plain.clauses if c.kind == "permit" and plain.holds(c)
            }

            assert not ruling
            assert ruling.is_legal
            assert not game.why_not(action)
            permits = {reason.rule for reason in ruling.support if reason.kind == "permit"}
            assert holding == permits
            assert permits
            assert not any(reason.stands for reason in ruling.support)


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_the_same_whoever_asks_again(name: str) -> None:
    for game in moments(name, 5, sample_size(1, 2)):
        again = hr.replay(game.record)
        for text in asked_about(game, Random(5), 3):
            assert game.why_not(text) == again.why_not(text)
            assert game.why_not(text).text("tree") == again.why_not(text).text("tree")


def test_alternatives_are_legal_and_the_nearest_of_their_kind_come_first() -> None:
    game = rules("hots-4.0").start("braveheart", seed=1297)
    game = game.play("England: play Move 3").play("Scotland: play Move 2")

    ruling = game.why_not("England: move Comyn Badenoch-Fife")
    assert ruling.alternatives
    assert all(text.startswith("England: move Comyn Badenoch-") for text in ruling.alternatives)
    assert set(ruling.alternatives) <= {action.text for action in game.actions}


def test_many_meanings_are_judged_in_bounded_time() -> None:
    small = ruleset_of(
        TINY.replace("forbid go(p, s) when at[p] = s", "forbid go when turn < 9")
    ).start("short", seed=1)
    game = rules("hots-4.0").start("braveheart", seed=1297)
    game = game.play("England: play Move 3").play("Scotland: play Move 2")
    asked = [
        (small, "Fox to North"),
        *((game, text) for text in ("move Bruce Annan-Fife", "fire Bruce", "end builds")),
    ]
    for moment, text in asked:
        assert moment.why_not(text)
        begun = time.process_time()
        for _ in range(5):
            assert moment.why_not(text)
        # Five answers: the bound is ten times what they take, so that a busy machine does not matter.
        assert time.process_time() - begun < 2.5


# ------------------------------------------------------------------ whose action
BATTLE = (
    "England: play Move 3", "Scotland: play Move 2", "England: end moves", "Scotland: move Wallace Fife-Mentieth",
    "Scotland: move Douglas Fife-Mentieth", "Scotland: end moves",
)  # fmt: skip


@cache
def battle() -> hr.Game:
    """Scotland is to choose for Wallace; Mentieth and the infantry are English."""
    game = rules("hots-4.0").start("braveheart", seed=1297)
    for text in BATTLE:
        game = game.play(text)
    return game


@pytest.mark.parametrize("player", [None, "Scotland"])
@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("retreat Mentieth to Fife", "England"),  # by the piece
        ("fire Mentieth", "England"),
        ("retreat Douglas to Fife", "Scotland"),
        ("Herald to Comyn", "Scotland"),  # by the action: a noble of the enemy
        ("Coronation of Bruce", "Scotland"),
        ("move Comyn Badenoch-Mar", "England"),
    ],
)
def test_a_text_without_a_player_is_about_whom_it_can_mean(
    text: str, of: str, player: str | None
) -> None:
    ruling = battle().why_not(text, player=player)

    assert ruling.action == f"{of}: {text}"
    assert () == ruling.others
    assert ruling == battle().why_not(f"{of}: {text}", player=player)


def test_where_several_players_can_be_meant_each_is_answered() -> None:
    game = battle()
    ends = game.why_not("end builds")
    cards = rules("hots-4.0").start("braveheart", seed=1297).why_not("play Move 2")

    assert {"England", "Scotland"} == {
        each.action.partition(":")[0] for each in (ends, *ends.others)
    }
    assert ends.text() == "\n".join(
        game.why_not(f"{p}: end builds").text() for p in game.ruleset.players
    )
    assert cards.is_legal
    assert all(other.is_legal for other in cards.others)


def test_what_a_block_does_is_done_by_its_side() -> None:
    chooser = Random(8)
    for game in moments("hots-4.0", 8, sample_size(3, 12)):
        for block in chooser.sample(["Wallace", "Hobelars", "Bruce", "Comyn", "Moray", "King"], 2):
            for act in ("fire", "take_hit", "hold"):
                ruling = game.why_not(f"{act}({block})")
                assert ruling.action.startswith(f"{game.state['side', block]}: ")


# ------------------------------------------------------------------ what would make it legal
@pytest.mark.thorough
@pytest.mark.parametrize("name", [*NAMES, "hots-player-aid"])
def test_what_is_said_to_make_an_action_legal_does(name: str) -> None:
    chooser, told = Random(name), 0
    for game in moments(name, 7, sample_size(12, 60)):
        checker = checker_for(game)
        for text in asked_about(game, chooser, 3):
            ruling = game.why_not(text)
            (code,) = game.notation.parse(text)
            for way in ruling.changes:
                conditions = [one for change in way for one in checker.explainer.conditions[change]]
                state = ChangeTrial(game, checker.status(code)).state_without(conditions)
                assert state is not None
                there = evolve(game, state=state)
                changed = sum(a != b for a, b in zip(_cells(game), _cells(there), strict=True))
                assert 0 < changed <= len(conditions)
                assert not there.why_not(text), (text, way)
                there.play(text)
                told += 1
    assert told > 5


def _cells(game: hr.Game) -> list[int]:
    return [game.state.slots[slot] for _, _, slot in game.ruleset.schema.cells()]


def test_a_change_after_which_another_rule_forbids_it_is_not_suggested() -> None:
    game = rules("hots-4.0").start("braveheart", seed=1297)
    for text in BATTLE[:4]:
        game = game.play(text)
    refused = game.why_not("Scotland: move Wallace Mentieth-Lanark")

    # Wallace has moved: that he is on the move is what lets him go on.
    assert (("enemy is not among the reasons to stop",),) == refused.changes
    # The map does not change.
    far = game.why_not("Scotland: move Douglas Fife-Ross")
    assert () == far.changes
    assert "would be legal" not in far.text()


# ------------------------------------------------------------------ for a player
def swapped(position: str, one: str, other: str) -> str:
    """A position in which two blocks have changed places."""
    names = {one: other, other: one}
    lines = []
    for line in position.splitlines():
        who, colon, rest = line.partition(":")
        lines.append(f"{names.get(who.strip(), who)}{colon}{rest}")
    return "\n".join(lines)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Northumber_Infantry", "Lancaster_Infantry"),
        ("Wales_Archers", "Hobelars"),
        ("Stewart", "Dunbar"),
    ],
)
def test_an_answer_for_a_player_hangs_on_nothing_hidden(one: str, other: str) -> None:
    begun = rules("hots-4.0").start("braveheart", seed=1297).position
    games = []
    for position in (begun, swapped(begun, one, other)):
        game = rules("hots-4.0").position(position, seed=1297)
        for card in ("England", "Scotland"):
            game = game.play(next(a for a in game.actions if a.player == card and "Move" in a.text))
        games.append(game)
    mine, his = games
    assert mine.state != his.state
    if mine.to_move == ("England",):
        mine, his = mine.play("England: end moves"), his.play("England: end moves")
    chooser = Random(one)
    texts = [
        *asked_about(mine, chooser, sample_size(4, 8)),
        f"England: move {one.replace('_', ' ')} Lothian-Fife",
        f"England: move {other.replace('_', ' ')} Lothian-Dunbar",
        f"Scotland: Herald to {one.replace('_', ' ')}",
    ]
    told = 0
    for text in texts:
        try:
            seen = mine.why(text, player="Scotland")
        except hr.UnreadableAction:
            continue
        assert seen == his.why(text, player="Scotland"), text
        told += 1
    assert told > 10


def test_a_player_reads_no_value_that_is_hidden() -> None:
    game = rules("hots-4.0").start("braveheart", seed=1297)

    asked = game.why_not("England: play Truce", player="Scotland")
    assert ["secret"] == [reason.kind for reason in asked]
    assert asked.text("sentence").startswith("England: play Truce: only England can know")
    legal = next(a for a in game.actions if a.player == "England")
    assert "secret" == game.why(legal, player="Scotland")[0].kind
    assert game.why(legal, player="England").is_legal


# ------------------------------------------------------------------ what happened
def test_what_happened_stands_under_what_brought_it() -> None:
    for game in moments("hots-4.0", 6, 6):
        if not game.trace:
            continue
        told = game.explain()
        steps = [*_steps(told.happening)]
        assert [*game.trace] == steps
        last = game.explain(game.trace[-1])
        assert last.happening.step == game.trace[-1]
        assert not last.causes or last.causes[0] == game.trace[0]


def _steps(happening: hr.explain.TraceNode) -> Iterator[hr.observe.Step]:
    yield happening.step
    for part in happening.parts:
        yield from _steps(part)


def test_nothing_that_did_not_happen_is_explained() -> None:
    game = last_of(rules("hots-4.0").start("braveheart", seed=1), Random(1), 3)
    for what in ("Wallace is crowned", ""):
        if what:
            with pytest.raises(hr.UnknownName):
                game.explain(what)
    with pytest.raises(hr.BadArgument):
        rules("hots-4.0").start("braveheart", seed=1).explain()
    with pytest.raises(hr.UnknownName):
        game.why_not("end moves").text("novel")


def test_at_the_end_the_result_is_told_once_with_its_sections() -> None:
    game = rules("hots-4.0").start("braveheart", seed=5)
    chance = Random(5)
    while not game.is_over:
        game = game.play(chance.choice(game.actions))
    assert game.outcome is not None

    told = game.why_not("Scotland: play Move 1").text("sentence")
    assert game.outcome.summary.rstrip(".") in told
    assert told.count("(") == 1
    assert all(told.count(f"§{section}") == 1 for section in game.outcome.sections)
