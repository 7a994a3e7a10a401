"""Choices that may tell a secret are found, in every form; what shipped rulesets promise holds."""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.play.compiled_ruleset import uncompiled_ruleset
from hots_rules.rules import find_source
from hots_rules.rules.graph import reachable
from hots_rules.rules.rulebook import Rulebook, name_span
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import call_graph, call_of, procedures, procedures_with
from hots_rules.rules.typed.visitor import map_statement, walk_statements
from hots_rules.testing.secrets.choices import choosers_of
from hots_rules.testing.secrets.unproven import unproven_in
from tests.listing import assert_none
from tests.playing import ruleset_of
from tests.sizes import sample_size

ROOMY = hr.Limits(ruleset_steps=10_000_000)
"""Room for thousands of rules that are made here."""
HAMMER = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")
SHIPPED = (*HAMMER, "lords-of-scotland", "dominoes-1.0", "goofspiel-1.0")
# The secrets of these two are those of hots-4.0 and of hots-player-aid: what is slow is tried with them at night.
SHIPPED_AND_NIGHTLY = [
    pytest.param(name, marks=pytest.mark.nightly) if name in {"hots-3.x", "hots-2.3"} else name
    for name in SHIPPED
]
_BLOCKS = {
    "Block": (
        "place[Bruce] = place[Comyn]",
        "count({x in Block where place[x] = place[Bruce]}) > 1",
        "some x in Block: rating[x] < 3 and kind[x] = noble and place[x] = Area.Fife",
    ),
    "strength": (
        "strength[Bruce] = strength[Comyn]",
        "(sum x in Block: strength[x]) > 40",
        "some x in Block: strength[x] = 4 and side[x] != actor",
    ),
    "played": (
        "some s in Side: played[s] = Card.Pillage",
        "count({s in Side where played[s] = Card.Pillage}) > 0",
    ),
}
_OF_QUARTERS = {
    "points_left": ("points_left[At(Fife)] = points_left[At(Ross)]",),
    "coming": ("some coming[At(Fife)]",),
    "drawn_for": ("count(drawn_for[At(Fife)]) > 1",),
}
READS: dict[str, dict[str, tuple[str, ...]]] = {
    "hots-4.0": _BLOCKS,
    "hots-3.x": _BLOCKS,
    "hots-2.3": {**_BLOCKS, **_OF_QUARTERS},
    "hots-player-aid": {**_BLOCKS, **_OF_QUARTERS},
    "lords-of-scotland": {
        "Card": (
            "place[Scott_1] = place[Makgill_1]",
            "count({x in Card where place[x] = Deck and clan[x] = Scott}) > 1",
            "(sum x in deck: strength[x]) > 100",
        )
    },
    "dominoes-1.0": {
        "Tile": (
            "place[Tile(1, 2)] = place[Tile(3, 4)]",
            "count({t in Tile where place[t] = Bag and low[t] = 1}) > 1",
            "(sum t in bag: low[t]) > 3",
        )
    },
    "goofspiel-1.0": {
        "hand": (
            "hand[Ann] = hand[Ben]",
            "count(hand[other(actor)]) > 3",
            "some c in hand[other(actor)]: c > 9",
        )
    },
}
"""What nobody may know, by the ruleset and the secret."""
SCOTTISH = {"coming", "drawn_for"}
"""What the Scots may know."""
OF_THE_SCOTS = {"crown", "return_of_the_king", "draw_block", "land"}
"""What is permitted to the Scots alone, so that a further condition tells the English nothing."""
# Who has turned up an event card sees the card of the other.
EVENTS = {
    *("pass_event", "herald", "pillage", "sea_move", "declare_truce", "victuals", "crown"),
    *("return_of_the_king", "end_sea_move", "add_step", "end_steps"),
}
LOOPED = {"fire", "hold", "retreat", "regroup"}
FORMS = (
    'rule {name} {cite} "Told."\n  forbid {action} when {read}\n',
    'define {word} = {read}\nrule {name} {cite} "Told."\n  forbid {action} when {word}\n',
    'rule {name} {cite} "Told."\n  permit {action} when {read}\n',
    'rule {name} {cite} "Told."\n  forbid {action} when actor = actor\n'
    '    because "told {{n}}" with n = if {read} then 1 else 0\n',
    'rule base-{name} {cite} "All."\n  forbid {action} when actor = actor\n'
    'rule {name} {cite} "Told."\n  exempt {action} from base-{name} when {read}\n',
)


def mutated(name: str, forms: tuple[str, ...], which: slice) -> tuple[str, dict[int, str]]:
    """A ruleset with hidden reads in conditions of all actions, and the lines with what each of them reads."""
    ruleset = hr.load(name)
    typed = ruleset.rulebook.typed
    rule = next(entry for entry in ruleset.rulebook.of_kind("rule", "action") if entry.sections)
    cite = f"{rule.cited_in}§{rule.sections[0]}"
    choosers = choosers_of(typed)
    text, lines = f'ruleset told-1.0 "Told"\n  extends {name}\n', dict[int, str]()
    number = 0
    for action in typed.actions:
        for secret, reads in READS[name].items():
            if secret in SCOTTISH and choosers[action] == {typed.players.codes["Side", "Scotland"]}:
                continue
            if secret == "played" and action in EVENTS:
                continue
            for read in reads[which]:
                for form in forms:
                    number += 1
                    # A definition has no actor; a loop over blocks that are ready ends by what is permitted.
                    is_permit = "  permit" in form
                    if (is_permit and action in LOOPED) or ("{word}" in form and "actor" in read):
                        continue
                    if secret in SCOTTISH and action in OF_THE_SCOTS and not is_permit:
                        continue
                    names = {"name": f"told-{number}", "word": f"told_{number}", "cite": cite}
                    text += form.format(**names, action=action, read=read)
                    for line, written in enumerate(text.splitlines(), 1):
                        if f" told-{number} " in written:
                            lines[line] = f"{action}: {read}: {form.split('{cite}')[-1].strip()}"
    return text, lines


def not_found(name: str, folder: Path, forms: tuple[str, ...], which: slice) -> list[str]:
    """The hidden reads in a mutated ruleset that are not reported."""
    text, lines = mutated(name, forms, which)
    path = folder / "told.rules"
    path.write_text(text, encoding="utf-8")
    # Nobody plays by these thousands of rules: they are not compiled.
    faults = unproven_in(uncompiled_ruleset(find_source(str(path)), ROOMY).rulebook)
    told = {fault.place.line for fault in faults if fault.place.file == path.name}
    return [what for line, what in lines.items() if told.isdisjoint({line, line + 1})]


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_rulesets_tell_no_secret(name: str) -> None:
    assert hr.testing.unproven_secrets(hr.load(name)) == ()


@pytest.mark.parametrize("name", ["hots-4.0", "lords-of-scotland", "dominoes-1.0", "goofspiel-1.0"])
def test_a_hidden_read_in_a_forbid_is_found(name: str, tmp_path: Path) -> None:
    assert_none(not_found(name, tmp_path, FORMS[:1], slice(1)))


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED_AND_NIGHTLY)
def test_every_hidden_read_is_found(name: str, tmp_path: Path) -> None:
    """Each form with one of three ways to read each secret; at night with all of them."""
    missed = (
        what
        for turn, form in enumerate(FORMS)
        for number in range(turn, turn + sample_size(1, 3))
        for what in not_found(name, tmp_path, (form,), slice(number % 3, number % 3 + 1))
    )
    assert_none(missed)


# ------------------------------------------------------------------ who chooses, and what is promised
GAME = """ruleset cards-1.0 "Cards"
players Player
type Player = Ann | Ben
type Card = low | middle | high | top | queen | king
type Place = Stock | Table | Hand(Player)
state
  place[Card] : Place
  turn        : 0..9
secret Card[c]
  known to all when place[c] = Table
  known to each p in Player when place[c] = Hand(p)
define hand(p: Player) = {c in Card where place[c] = Hand(p)}
define other(p: Player): Player = if p = Ann then Ben else Ann
define high_in(p: Player) = high in hand(p)
action lay(card: Card) §1 "Lay a card."
  permit when card in hand(actor)
action wait §1 "Wait."
  permit
phase deal §1 "Two cards for each."
  for p in Player
    for n in 1..2
      draw c from {x in Card where place[x] = Stock}
      place[c] := Hand(p)
phase asked(p: Player) §1 "A player is asked."
  choose p: lay, wait
question has_high(p: Player) = high_in(p) or high_in(other(p)) §1 "has {p} the high card"
scenario first §1 "A game"
  deal()
  asked(Ann)
  while turn < 9
    turn += 1
"""
ASKS = {
    "a player": "asked(Ann)",
    "each player": "for p in Player\n      asked(p)",
    "players one after the other": "for p in Ann, other(Ann)\n      asked(p)",
    "whoever has a card": "choose each p in {q in Player where some hand(q)}: lay, wait",
    "as long as there are turns": "while turn < 5\n      turn += 1\n      choose Ann: wait",
    "as long as somebody has a card": "while some hand(Ann) and turn < 5\n      turn += 1\n      choose Ben: wait",
    "who is asked in what is called": "if turn < 3\n      ben_asked()",
    "a phase that ends with a word": "told_that_ann_is_high()",
    "a loop that is left": "for n in 1..2\n      if no hand(Ann)\n        leave\n      ben_asked()",
    "after a loop that is left": "for n in 1..2\n      if high_in(Ann)\n        leave\n    ben_asked()",
    "who can": "for p in Player\n      if some hand(p)\n        asked(p)",
    "how many cards somebody has": "for n in 1..count(hand(Ann))\n      choose Ben: wait",
    "how many high cards the player has": "for n in 1..count(hand(Ben) & {high, top})\n      choose Ben: wait",
    "what is given to a phase about who is asked": "for p in Player\n      asked_if(p, high_in(p))",
    "how many cards are given": "asked_for(count(hand(Ann)))",
}
TELLS = {
    "who has the card": "choose (if high in hand(Ann) then Ben else Ann): wait, lay",
    "who has it, by a definition": "choose (if high_in(Ann) then Ben else Ann): wait, lay",
    "who has it, by a name": "let p = if high_in(Ann) then Ben else Ann\n    choose p: wait, lay",
    "who has it, as an argument": "asked(if high_in(Ann) then Ben else Ann)",
    "those who have it": "choose each p in {q in Player where high_in(other(q))}: wait, lay",
    "the order": "for p in (if high_in(Ann) then Ben else Ann), Ann\n      choose p: wait, lay",
    "what may be done": "if high_in(Ann)\n      choose Ben: wait\n    else\n      choose Ben: lay",
    "how often": "while high_in(Ann) and turn < 5\n      turn += 1\n      choose Ben: wait",
    "whether it goes on": "while turn < 5 and not high_in(Ben) up to 3\n      turn += 1\n      choose Ann: wait",
    "how often at most": "while turn < 9 up to count(hand(Ann) & {low, high})\n      turn += 1\n      choose Ben: wait",
    "how often in what is called": "while high_in(Ann) and turn < 5\n      turn += 1\n      asked(Ben)",
    "what is called": "if high_in(Ann)\n      ben_asked()",
    "where a phase ends": "unless_ann_is_high()",
    "where a loop is left": "for n in 1..2\n      if high_in(Ann)\n        leave\n      ben_asked()",
    "where a loop is left from within": (
        "while turn < 5\n      turn += 1\n      if turn > 2\n        if high_in(Ann)\n          leave\n"
        "      choose Ben: wait"
    ),
    "how often in a loop": "for n in 1..count(hand(Ann) & {low, high})\n      choose Ben: wait",
    "from which number on": "for n in count(hand(Ann) & {low, high})..2\n      choose Ben: wait",
    "how often what is called": "for n in 1..count(hand(Ann) & {low, high})\n      ben_asked()",
    "how often, by a name": "let m = count(hand(Ann) & {low})\n    for n in 1..m\n      choose Ben: wait",
    "what is given to a phase": "asked_if(Ben, high_in(Ann))",
    "how often is given to a phase": "asked_for(count(hand(Ann) & {low, high}))",
    "what a phase gives to another": "asked_later(high_in(Ann))",
    "where a loop that may not run returns": "unless_ann_has_low()",
    "whose turn it is not": "for p in Player\n      if not high_in(other(p))\n        choose p: lay, wait",
}


ASKED_IF = (
    'phase asked_if(p: Player, is_so: bool) §1 "A player is asked."\n'
    "  if is_so\n    choose p: lay, wait\n"
)
CALLED = {
    "asked_if(": ASKED_IF,
    "asked_later(": (
        'phase asked_later(is_so: bool) §1 "Ben is asked."\n  asked_if(Ben, is_so)\n' + ASKED_IF
    ),
    "asked_for(": (
        'phase asked_for(many: 0..6) §1 "Ben is asked."\n  for n in 1..many\n    choose Ben: lay, wait\n'
    ),
    "unless_ann_has_low()": (
        'phase unless_ann_has_low §1 "Ben is asked."\n'
        "  for n in 1..count(hand(Ann) & {low})\n    return\n  choose Ben: lay, wait\n"
    ),
    "kept_first": "state\n  kept_first : 0..9 internal\n",
    "kept_by_event(": (
        'event kept_by_event(n: 0..9) §1 "{n} are kept"\nrule keeps §1 "Kept."\n  on kept_by_event(n)\n    kept := n\n'
    ),
    "kept_if_high()": (
        'event kept_if_high() §1 "it is kept"\nrule keeps §1 "Kept."\n'
        "  on kept_if_high when high_in(Ann)\n    kept := 5\n"
    ),
    "kept_in_phase(": 'phase kept_in_phase(n: 0..9) §1 "Kept."\n  kept := n\n',
    "ben_asked()": 'phase ben_asked §1 "Ben is asked."\n  choose Ben: lay, wait\n',
    "unless_ann_is_high()": (
        'phase unless_ann_is_high §1 "Ben is asked, unless Ann has the high card."\n'
        "  if high_in(Ann)\n    return\n  choose Ben: lay, wait\n"
    ),
    "told_that_ann_is_high()": (
        'phase told_that_ann_is_high §1 "Ben is asked, unless Ann says that she has the card."\n'
        "  if high_in(Ann)\n    named()\n    return\n  choose Ben: lay, wait\n"
        'event named() §1 "the card is named"\nrule named §1 "Named."\n  on named\n    place[high] := Table\n'
    ),
}


def asking(statements: str, more: str = "") -> hr.Ruleset:
    """The game with statements in each turn, and more declarations."""
    called = "".join(phase for call, phase in CALLED.items() if call in statements)
    return ruleset_of(f"{GAME}    {statements}\n{called}{more}")


@pytest.mark.parametrize("name", ASKS)
def test_who_is_asked_tells_nothing(name: str) -> None:
    assert hr.testing.unproven_secrets(asking(ASKS[name])) == ()


def test_a_proof_does_not_depend_on_where_its_terms_lie_in_memory() -> None:
    ruleset = asking(ASKS["what is given to a phase about who is asked"])

    assert {hr.testing.unproven_secrets(ruleset) for _ in range(20)} == {()}


@pytest.mark.parametrize("name", TELLS)
def test_who_is_asked_tells_a_secret(name: str) -> None:
    faults = hr.testing.unproven_secrets(asking(TELLS[name]))

    assert {fault.code for fault in faults} == {"unproven-secret"}
    assert "the choice of" in faults[0].headline


KEPT = """
rule kept_rule §1 "Nobody lays a card after that."
  forbid lay when kept > 3
state
  kept : 0..9 internal
"""
KEEPS_NOTHING = {
    "a number that all know": "kept := turn",
    "how many cards somebody has": "kept := count(hand(Ann))",
    "another variable, of what is known": "kept_first := turn\n    kept := kept_first",
    "what an event tells": "kept_by_event(count(hand(Ann) & {low}))",
}
KEEPS = {
    "a number": "kept := count(hand(Ann) & {low, high})",
    "under a condition": "if high_in(Ann)\n      kept := 5",
    "in a loop": "for n in 1..count(hand(Ann) & {low, high})\n      kept := n",
    "by another variable": "kept_first := count(hand(Ann) & {low})\n    kept := kept_first",
    "by a rule": "kept_if_high()",
    "in what is called": "if high_in(Ann)\n      kept_in_phase(5)",
    "of what a phase is given": "kept_in_phase(count(hand(Ann) & {low}))",
}


@pytest.mark.parametrize("name", KEEPS_NOTHING)
def test_what_an_internal_variable_keeps_tells_nothing(name: str) -> None:
    assert hr.testing.unproven_secrets(asking(KEEPS_NOTHING[name], KEPT)) == ()


@pytest.mark.parametrize("name", KEEPS)
def test_what_an_internal_variable_keeps_tells_a_secret(name: str) -> None:
    faults = hr.testing.unproven_secrets(asking(KEEPS[name], KEPT))

    assert {fault.code for fault in faults} == {"unproven-secret"}
    assert "what the internal `kept" in faults[0].headline


def test_an_internal_variable_that_decides_nothing_may_keep_a_secret() -> None:
    counted = KEEPS["a number"] + "\n    place[high] := if kept > 3 then Table else place[high]"

    assert hr.testing.unproven_secrets(asking(counted, "state\n  kept : 0..9 internal\n")) == ()


def with_hidden_reads(body: tast.Body, asking: Set[str], calls: list[tast.Statement]) -> tast.Body:
    """A block in which loops around a choice depend on `told`; adds the calls in them to a list."""
    read = tast.DefinitionCall("told", (), types.BOOL)
    changed = list[tast.Statement]()

    def inside(inner: tast.Body) -> tast.Body:
        return with_hidden_reads(inner, asking, calls)

    for statement in body:
        node = map_statement(statement, lambda part: part, inside)
        if isinstance(node, tast.Loop):
            inner = list(walk_statements(node.body))
            own = [part for part in inner if call_of(part) in asking]
            if own or any(isinstance(part, tast.Choose) for part in inner):
                both = tast.Operation("and", (node.condition, read), types.BOOL)
                node = evolve(node, condition=both)
                calls += [node, *own]
        changed.append(node)
    return tuple(changed)


def phases_that_tell(rulebook: Rulebook) -> Iterator[tuple[str, Rulebook, set[str]]]:
    """Each phase with loops around a choice that depend on `told`, and where this may be reported.

    Phases that are not played within it are empty.
    """
    typed = rulebook.typed
    bodies = procedures(typed)
    asking = procedures_with(bodies, lambda node: isinstance(node, tast.Choose))
    for name, phase in typed.phases.items():
        calls = list[tast.Statement]()
        body = with_hidden_reads(phase.body, asking, calls)
        if calls:
            played = reachable(call_graph(bodies), [f"phase {name}"])
            phases = {
                other: own if f"phase {other}" in played else evolve(own, body=())
                for other, own in typed.phases.items()
            }
            phases[name] = evolve(phase, body=body)
            declared = rulebook.entries.get(("phase", name)) or rulebook.entries["stage", name]
            places = {str(call.span) for call in calls}  # type: ignore[union-attr]
            mutant = evolve(rulebook, typed=evolve(typed, phases=phases, scenarios={}))
            yield name, mutant, places | {str(name_span(declared.node))}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [
        "hots-4.0",
        pytest.param("hots-2.3", marks=pytest.mark.nightly),
        "lords-of-scotland",
        "dominoes-1.0",
    ],
)
def test_a_hidden_read_in_a_loop_around_a_choice_is_found(name: str, tmp_path: Path) -> None:
    form, read = FORMS[1].replace("{word}", "told"), next(iter(READS[name].values()))[0]
    ruleset = hr.load(name)
    rule = next(entry for entry in ruleset.rulebook.of_kind("rule", "action") if entry.sections)
    action, cite = next(iter(ruleset.rulebook.typed.actions)), f"{rule.cited_in}§{rule.sections[0]}"
    path = tmp_path / "told.rules"
    rules = form.format(name="told-1", cite=cite, action=action, read=read)
    path.write_text(f'ruleset told-1.0 "Told"\n  extends {name}\n{rules}', encoding="utf-8")

    missed = list[str]()
    for phase, rulebook, places in phases_that_tell(hr.load(path).rulebook):
        told = {str(fault.place) for fault in unproven_in(rulebook)}
        if told.isdisjoint(places):
            missed.append(f"{phase}: {told}")

    assert_none(missed)


SPY = 'rule spy §1 "Told."\n  forbid wait when high in hand(other(actor))\n'
ROUND = "for p in Player\n      choose p: lay, wait"


def test_a_list_that_tells_a_secret_is_found_in_play() -> None:
    told = hr.testing.try_secrets(asking(ROUND, SPY), games=4)

    assert told
    assert told[0].promise == ""
    assert "wait` is" in told[0].text


def test_a_promise_takes_the_place_of_a_proof_until_play_refutes_it() -> None:
    promise = 'promise far for wait §1 "Nobody has it."\n  high not in hand(other(actor))\n'
    ruleset = asking(ROUND, SPY + promise)

    assert hr.testing.unproven_secrets(ruleset) == ()
    told = hr.testing.try_secrets(ruleset, games=4)
    assert {moment.promise for moment in told} == {"far"}
    assert "the promise `far` does not hold" in str(told[0])


def test_a_promise_that_says_true_covers_the_action_and_no_rule_about_it() -> None:
    promise = 'promise open for wait §1 "By the text of the rules."\n  true\n'

    faults = hr.testing.unproven_secrets(asking(ROUND, SPY + promise))

    assert [fault.code for fault in faults] == ["unproven-secret"]
    assert "a condition of `wait`" in faults[0].headline


def test_a_game_that_cannot_begin_is_left_to_the_check_of_play() -> None:
    begins = GAME.replace("  deal()\n", "  place[the(hand(Ann))] := Stock\n  deal()\n")
    ruleset = ruleset_of(begins)

    assert len(hr.analysis.check_play(ruleset, games=2)) == 2
    assert hr.testing.try_secrets(ruleset, games=2) == ()


def test_a_promise_that_holds_is_not_refuted() -> None:
    promise = 'promise few for wait §1 "Two cards each."\n  count(hand(actor)) <= 2\n'

    assert hr.testing.try_secrets(asking(ROUND, promise), games=4) == ()


@pytest.mark.parametrize("name", ["hots-2.3", "lords-of-scotland", "dominoes-1.0", "goofspiel-1.0"])
def test_what_shipped_rulesets_promise_holds_in_play(name: str) -> None:
    assert hr.testing.try_secrets(hr.load(name), games=1) == ()


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED_AND_NIGHTLY)
def test_what_shipped_rulesets_promise_holds_in_more_games(name: str) -> None:
    assert hr.testing.try_secrets(hr.load(name), games=6, seed="more") == ()


def test_promises_are_listed_with_their_reasons() -> None:
    listed = [str(promise) for promise in hr.testing.promises(hr.load("lords-of-scotland"))]

    assert listed == [
        "armies-turned-up (claim, leave_the_rest): Supporters are taken when all followers have been turned face up. "
        "§6.2",
        "thrown-away-unseen (claim, exchange_supporter, exchange, discard, engage_with_power, copy): What was "
        "discarded unseen lies in the discard pile. §8.16",
    ]


def test_a_promise_for_no_action_is_refused() -> None:
    with pytest.raises(hr.RulesetError, match="is not an action"):
        asking(ROUND, 'promise odd for nothing §1 "Odd."\n  turn < 10\n')


def test_a_promise_is_no_part_of_the_digest() -> None:
    promise = 'promise few for wait §1 "Two cards each."\n  count(hand(actor)) <= 2\n'

    assert asking(ROUND, promise).content_hash == asking(ROUND).content_hash


# ---------------------------------------------------------------- what an action would make
SLY = """ruleset sly-1.0 "Sly"
players Side
type Side = White | Black
type Place = Home | Field | Away
table Piece §1 (strong: 0..3, owner: Side)
  Fox 1 White
  Hen 2 White
  Dog 1 Black
  Owl 2 Black
state
  hand[Side] : 0..9 = 5
  place[Piece] : Place
  pot : 0..40
  key : 0..5
secret hand[s] known to s
secret Piece[p] known to owner[p]
event paid(s: Side) "paid"
define foe(s: Side): Side = if s = White then Black else White
rule pay §1 "Pay."
  on paid(s)
    pot := min(pot + 1, 40)
action bid(n: 0..5) §1 "Bid."
  permit when n <= hand[actor] and n > 0
  hand[actor] -= n
  paid(actor)
action go(p: Piece, to: Place) §1 "Go."
  permit when owner[p] = actor and place[p] != to
  place[p] := to
action pass §1 "Pass."
  permit
rule own §1 "Own."
  forbid bid(n) when after bid(n): hand[actor] < 2 and pot > 3
rule fine §1 "Fine."
  forbid go(p, to) when after go(p, to): count({{x in Piece where place[x] = to}}) > 2
{more}question used = key + hand[foe(White)] §1 "used"
phase game §1 "P."
  for i in 1..5
    for s in White, Black
      choose s: bid, go, pass
  win none
scenario x §1 "X"
  game()
"""


def faults_after(more: str) -> list[str]:
    """What is told of a rule about the state after an action, by its code."""
    try:
        ruleset = ruleset_of(SLY.format(more=more))
    except hr.RulesetError as error:
        return [fault.code for fault in error.faults]
    return [fault.code for fault in hr.testing.unproven_secrets(ruleset)]


@pytest.mark.parametrize(
    ("more", "codes"),
    [
        ("", []),
        (
            'rule r §1 "R."\n  forbid bid(n) when after bid(n): hand[foe(actor)] > 3\n',
            ["secret-unknown"],
        ),
        (
            'rule r §1 "R."\n  forbid bid(n) when after bid(n) by foe(actor): pot > 3\n',
            ["secret-unknown"],
        ),
        (
            'rule r §1 "R."\n  before paid(s)\n    key := min(hand[s], 5)\n'
            'rule q §1 "Q."\n  forbid go(p, to) when after bid(1): key > 3\n',
            ["secret-unknown", "secret-unknown"],
        ),
        (
            'rule r §1 "R."\n  forbid go(p, to) when after go(p, to): place[Dog] = to\n',
            ["unproven-secret"],
        ),
        (
            'rule r §1 "R."\n  forbid go(p, to) '
            "when after go(p, to): some x in Piece: owner[x] != actor and place[x] = to\n",
            ["unproven-secret"],
        ),
        (
            'rule r §1 "R."\n  forbid go(p, to) let own = owner[p] '
            "when after go(p, to): place[p] != to or own != actor\n",
            [],
        ),
    ],
)
def test_what_follows_an_action_tells_no_secret(more: str, codes: list[str]) -> None:
    assert faults_after(more) == codes


@pytest.mark.parametrize("kept", ["d", "same"])
def test_what_is_rolled_is_no_secret_under_another_name(kept: str) -> None:
    statements = "  roll d6 as d for actor\n  let same = d\n"
    thrown = f'action throw §1 "Throw."\n  permit\n{statements}  hand[actor] := {kept}\n'

    with pytest.raises(hr.RulesetError) as error:
        ruleset_of(SLY.format(more=thrown).replace("bid, go, pass", "bid, go, pass, throw"))
    assert "secret-rolled" in {fault.code for fault in error.value.faults}


def test_what_follows_an_action_is_told_to_those_who_may_know_it() -> None:
    game = ruleset_of(SLY.format(more="")).start("x", seed=1)
    for text in ("White: bid 5", "Black: bid 4", "White: pass"):
        game = game.play(text)
    hidden = 'rule r §1 "R."\n  forbid go(p, to) when after go(p, to): place[p] = Field\n'
    other = ruleset_of(SLY.format(more=hidden)).start("x", seed=1)
    ruling = other.why_not("White: go Fox Field", player="White")
    assert "after go Fox Field" in str(ruling.against[0])
