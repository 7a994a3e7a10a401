"""The digest of a ruleset changes where play may change, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.rules import Source
from hots_rules.rules import load as loading
from hots_rules.rules.play_digest import PlayDigest
from hots_rules.rules.rulebook import Entry, Key
from hots_rules.rules.sources.find import shipped_sources
from hots_rules.rules.sources.source import Layer
from hots_rules.syntax import tree
from hots_rules.syntax.walk import named_parts, walk
from tests.playing import TINY
from tests.rules.fields_of_the_tree import decides_play, fields_of_the_tree, listed_fields

LONG = ("hots-2.3", "hots-3.x", "hots-4.0", "hots-player-aid")
SHIPPED = [
    pytest.param(name, marks=pytest.mark.thorough if name in LONG else ())
    for name in sorted(hr.rulesets())
]
# What no shipped ruleset has.
MORE = """ruleset more-1.0 "More"
players Side
type Side = Red | Blue
type Cell = Hand(Side) | Nowhere
table Spot §1 (worth: 0..3, next: set of Spot, twin: Spot?)
  : worth next twin
  North  1  South  -
  South  2  North+South  North
type Where = Spot?
state §1
  turn : 1..9 = 1
  left : -3..9 = 2
  at[Side] : Spot = North
  pair : (Spot, Spot)
  seen : set of Spot
  order[1..2] : Spot internal
  hidden[Side] : Spot = North
  where : Spot? = none
secret hidden[s] known to s when turn = 1, to each p in Side when turn > 2, to all when turn > 4 §1
clock turn
board Grid as squares with diagonals §1
type Grid = Point(x: 1..2, y: 1..2)
event moved(s: Side) §1 "A side moves."
define half(n: 0..9): 0..9 = n div 2 + n mod 2 §1
define best = first of
  3 when turn = 1
  2
define held(s: Side) = at[s] §1
action go(to: Spot) §1 "Go."
  permit when to != at[actor] because "{n} is enough" with n = turn
  at[actor] := to
  moved(actor)
action stay §1 "Stay."
  permit let now = turn when now < 9
  turn += 0
  left -= 0
  return
rule a §1 "A."
  only if long
  after moved(s) when s is Side and (s, Spot.North) = (s, at[s])
    if turn > 1
      add North to seen
    elif turn = 1 and not long
      remove North from seen
    else
      clear seen, where
rule b §1 "B."
  exception to c
  before moved(s)
    let x = turn * 1
    left := max t in Side: half(turn)
    left := min t in Side: best
    left := -1 + x - x
  instead of moved(s)
    left := sum t in Side: 1
rule c §1 "C."
  instead of moved(s)
    where := at[s] as Where
rule d §1 "D."
  permit stay let now = turn when some t in Side: now = 1 because "it is early"
  forbid go(to) let far = worth[to] when (let near = far: near > 2) and some (reach x from {to}: next[x])
    and (distance x from {to} to {North}: next[x]) > 1 and all t in Side: no u in Side: at[t] = at[u]
  forbid go(to) when after go(to) by Blue: at[Red] = to
  exempt go(to) from d when no seen & {North} | {South} - {x in Spot where worth[x] > 1}
  after moved(s)
    seen := if some seen then {North} else {South}
phase game §1 "All."
  step rounds
    while turn < 9 up to 9
      for n in 1..2
        day(Red)
      for s in Red, Blue
        choose s: go, stay
      choose each p in Side: go, stay
      turn += 1
      leave
  roll 2 d6 as dice for turn
  roll d6 as die for turn
  draw x from Spot weighted worth[x] for turn
  shuffle Spot into order for turn
  if how_long = short or scenario = first
    win none
  elif left = 2
    win Red, Blue
  win Red
phase day(s: Side) §1 "A day."
  left := held(s)
stage night(s: Side) §1 "A night."
  left := 1
scenario second §1 "Second"
  game()
scenario first §1 "First"
  game()
positions begin at game
option long : bool = false for first §1 "Long."
option wide : 1..2 = 1 except second §1 "Wide."
reading how_long §1 "How long."
  short "short" default
  longer "longer"
    held(s) = North
invariant left-is-low §1 "Low."
  left < no limit
label en
  action go = "go to {to}"
"""


# ------------------------------------------------------------------ the merged declarations
@cache
def merged(name: str) -> tuple[Mapping[Key, Entry], Mapping[str, str]]:
    """The declarations in force and the English labels of a shipped ruleset, or of `MORE`."""
    source = of_text(MORE) if name == "more-1.0" else shipped_sources()[name]
    files, faults = loading._parse_all(source)
    assert not faults
    merger, _, _ = loading._merged(source, files)
    return merger.entries, merger.labels_in_force().get("en", {})


def of_text(text: str, **changes: str) -> Source:
    """The source of a ruleset of one text."""
    head = re.match(r"ruleset (\S+)", text)
    assert head is not None
    layer = Layer(head[1], "A game", None, {"a.rules": text}, "section,heading\n1,One\n")
    return Source((evolve(layer, **changes),))


def digest(entries: Mapping[Key, Entry], labels: Mapping[str, str]) -> str:
    return PlayDigest().of("a-1.0", entries, labels)


# ------------------------------------------------------------------ each field of the tree
def test_each_field_of_the_tree_decides_play_or_does_not() -> None:
    """A new field has to be added to `fields_of_the_tree.py`."""
    assert fields_of_the_tree() == listed_fields()


@cache
def places() -> dict[tuple[str, str], list[tuple[str, Key, tree.Node]]]:
    """Some nodes by their class and a field that is not empty, with their rulesets and declarations."""
    found: dict[tuple[str, str], list[tuple[str, Key, tree.Node]]] = {}
    for name in ("more-1.0", "connect-four-1.0", "lords-of-scotland"):
        for key, entry in merged(name)[0].items():
            # A definition that only questions use decides nothing.
            is_read = key[0] == "define" and name == "lords-of-scotland"
            if key[0] not in {"map", "policy", "promise", "question"} and not is_read:
                for node in walk(entry.node):
                    for field, value in named_parts(node) if isinstance(node, tree.Node) else ():
                        at = found.setdefault((type(node).__name__, field), [])
                        if value not in (None, ()) and len(at) < 3:
                            at.append((name, key, node))
    return found


def changed(value: object) -> object:
    """Another value of a field."""
    match value:
        case tree.Word():
            return evolve(value, text=f"{value.text}7")
        case (*rest, tree.Word() as last):
            return (*rest, changed(last))
        case tuple():
            return value[:-1]
        case tree.On():
            return tree.After(span=value.span)
        case tree.Before() | tree.Instead() | tree.After():
            return tree.On(span=value.span)
        case tree.Block():
            return tree.Block((), span=value.span)
        case tree.Node():
            return tree.Unlimited(span=value.span) if value else value
    raise AssertionError(value)


def with_part(node: object, old: tree.Node, new: tree.Node) -> object:
    """A part of the tree with a node in the place of another."""
    if node is old:
        return new
    if isinstance(node, tuple):
        return tuple(with_part(part, old, new) for part in node)
    if not isinstance(node, tree.Node):
        return node
    return evolve(node, **{name: with_part(part, old, new) for name, part in named_parts(node)})


@pytest.mark.parametrize(
    ("kind", "field"), [each for each in decides_play() if each[0] != "Quantifier"]
)
def test_a_change_of_a_field_changes_the_digest_if_it_decides_play(kind: str, field: str) -> None:
    at = places().get((kind, field), [])
    assert at, "no declaration has such a field: add one to `MORE`"
    for name, key, node in at:
        entries, labels = merged(name)
        new = evolve(node, **{field: changed(getattr(node, field))})
        entry = evolve(entries[key], node=with_part(entries[key].node, node, new))
        is_changed = digest({**entries, key: entry}, labels) != digest(entries, labels)
        assert is_changed == decides_play()[kind, field], (name, key, node)


# ------------------------------------------------------------------ what a change of a text does
SECOND = """ruleset other-1.0 "Other"
  extends more-1.0
"""
# Older and newer text; each of these may change play, or how a record is read.
PLAY = {
    "a number": ("worth: 0..3", "worth: 0..4"),
    "a cell": ("North  1", "North  2"),
    "a value at the start": ("turn : 1..9 = 1", "turn : 1..9 = 2"),
    "a condition": ("permit when to != at[actor]", "permit when to = at[actor]"),
    "a name": ("scenario first", "scenario primary"),
    "the name of the ruleset": ("ruleset more-1.0", "ruleset more-1.1"),
    "a label of an action": ('"go to {to}"', '"to {to}"'),
    "a label of a value": ("label en\n", 'label en\n  North = "The North"\n'),
    "the default of an option": ("bool = false", "bool = true"),
    "the scenarios of an option": (" for first §1", " §1"),
    "the default of a reading": (' "short" default\n  longer "longer"', ' "short"\n  longer "longer" default'),
    "what a reading defines": ("held(s) = North", "held(s) = South"),
    "who knows a secret": ("known to s when turn = 1", "known to s when turn = 2"),
    "a rule that is gone": ('rule c §1 "C."\n  instead of moved(s)\n    where := at[s] as Where\n', ""),
    "a rule more": ("phase game", 'rule e §1 "E."\n  forbid stay when turn = 3\nphase game'),
    "the order of rows": ("  North  1  South  -\n  South  2  North+South  North\n",
                          "  South  2  North+South  North\n  North  1  South  -\n"),
    "the order of variables": ("  left : -3..9 = 2\n  at[Side] : Spot = North\n",
                               "  at[Side] : Spot = North\n  left : -3..9 = 2\n"),
    "the order of players": ("type Side = Red | Blue", "type Side = Blue | Red"),
    "where a position begins": ("begin at game", "begin at night"),
    "the clock": ("clock turn", "clock left"),
    "the key of a roll": ("as die for turn", "as die for left"),
    "a bound": ("up to 9", "up to 8"),
    "an invariant": ("left < no limit", "left < 9"),
}  # fmt: skip
WORDS = {
    "the sentence of a rule": ('"A."', '"All."'),
    "the sentence of an action": ('"Stay."', '"Stay where you are."'),
    "the sentence of an alternative": ('"longer"', '"for longer"'),
    "the title of a scenario": ('"First"', '"The first"'),
    "the title of the ruleset": ('"More"', '"More of it"'),
    "a reason": ('"{n} is enough" with n = turn', '"enough"'),
    "a section": ("rule a §1", "rule a §1 §2"),
    "a comment": ("phase game", "# A comment.\nphase game"),
    "layout": ("turn += 1", "turn   +=   1"),
    "the names of columns over a table": ("  : worth next twin\n", ""),
    "a label in Spanish": ("label en\n", 'label es\n  North = "Norte"\nlabel en\n'),
    "a label of a rule": ("label en\n", 'label en\n  rule a = "A"\n'),
    "a label of an alternative": ("label en\n", 'label en\n  how_long.short = "brief"\n'),
    "a label of a sentence": ("label en\n", 'label en\n  action stay summary = "No step."\n'),
    "a question": ("label en\n", 'question who(s: Side) = asked(s) §1 "who {s}"\n'
                   "define asked(s: Side) = at[s]\nlabel en\n"),
    "a promise": (
        "label en\n",
        'promise stays for stay §1 "All is well."\n  actor = actor\nlabel en\n',
    ),
    "a policy": ("label en\n", 'policy lazy "Stays."\n  prefer stay\nlabel en\n'),
    "the name of a step": ("step rounds", "step turns"),
    "the order of declarations": ('scenario first §1 "First"\n  game()\npositions begin at game\n',
                                  'positions begin at game\nscenario first §1 "First"\n  game()\n'),
    "the order of words in a cell": ("North+South", "South+North"),
}  # fmt: skip


def content_of(text: str) -> str:
    return loading.content_hash(of_text(text))


@pytest.mark.parametrize("what", PLAY)
def test_what_decides_play_changes_the_digest(what: str) -> None:
    old, new = PLAY[what]
    assert MORE.count(old) == 1
    assert content_of(MORE.replace(old, new)) != content_of(MORE)


@pytest.mark.parametrize("what", WORDS)
def test_what_is_for_readers_leaves_the_digest(what: str) -> None:
    old, new = WORDS[what]
    assert MORE.count(old) == 1
    assert content_of(MORE.replace(old, new)) == content_of(MORE)


def test_the_order_of_actions_changes_the_digest() -> None:
    begin, end = MORE.index("action stay"), MORE.index("rule a ")
    moved = MORE[: MORE.index("action go")] + MORE[begin:end]
    moved += MORE[MORE.index("action go") : begin] + MORE[end:]
    assert sorted(moved) == sorted(MORE)
    assert content_of(moved) != content_of(MORE)


@pytest.mark.parametrize(
    ("rule", "before", "is_changed"),
    [("d", "a", True), ("c", "a", False)],
    ids=["both after an event", "one instead of it"],
)
def test_the_order_of_rules_counts_where_they_follow_one_event(
    rule: str, before: str, is_changed: bool
) -> None:
    found = re.search(rf"^rule {rule} .*\n(?:  .*\n)+", MORE, re.MULTILINE)
    assert found is not None
    moved = MORE.replace(found[0], "").replace(f"rule {before} ", f"{found[0]}rule {before} ")
    assert sorted(moved) == sorted(MORE)
    assert (content_of(moved) != content_of(MORE)) == is_changed


@pytest.mark.parametrize(
    ("change", "is_changed"),
    [
        ("", False),
        ("repeal rule d §1\n", True),
        ('amend rule c §1 "C."\n  instead of moved(s)\n    where := none\n', True),
        ("amend table Spot: North worth = 3 §1\n", True),
        ("settle how_long = longer §1\n", True),
        ('reword rule c §1 "the same" as "See."\n', False),
        ('amend rule c §1 "See."\n  instead of moved(s)\n    where := at[s] as Where\n', False),
        ('label en\n  action go = "to {to}"\n', True),
        ('label fr\n  action go = "vers {to}"\n', False),
    ],
)
def test_the_changes_of_an_edition_count_as_far_as_they_change_play(
    change: str, is_changed: bool
) -> None:
    layers = [of_text(text).layers[0] for text in (MORE, SECOND, SECOND + change)]
    base, other, changed_one = layers
    hashes = {
        loading.content_hash(
            Source((base, evolve(each, extends="more-1.0", files={"b.rules": text})))
        )
        for each, text in ((other, SECOND), (changed_one, SECOND + change))
    }
    assert len(hashes) == 1 + is_changed


def test_texts_that_are_malformed_have_a_digest_of_their_own() -> None:
    assert content_of(f"{MORE}\nrule") != content_of(f"{MORE}\nrule x")


def test_the_digest_is_the_same_everywhere() -> None:
    """Where this fails, records of every ruleset ask to be migrated."""
    assert content_of(MORE) == "e96deb08ef84b316b96d197f1b000003"
    assert content_of(TINY) == "b549d7c59170a106a7adecf388000003"


# ------------------------------------------------------------------ the shipped rulesets
def for_readers(layer: Layer) -> Layer:
    """A layer with other headings, talk, shapes of the board, comments, layout, file names and Spanish labels."""
    files = {}
    for name, text in layer.files.items():
        if "label es" in text:
            at = text.index("label es")
            text = text[:at] + re.sub(r'= "', '= "¡', text[at:].partition("\nlabel")[0])
        text = text.replace("\n\n", "\n# why\n\n\n").replace(" := ", "  :=   ")
        files[f"other/{name}"] = text
    return evolve(
        layer,
        title="Another title",
        files=files,
        sections=re.sub(r"(?m)$", " too", layer.sections),
        board="{}",
        talk="# nothing",
        headings="",
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_what_readers_see_of_a_shipped_ruleset_leaves_its_digest(name: str) -> None:
    source = shipped_sources()[name]
    other = evolve(source, layers=tuple(map(for_readers, source.layers)))

    assert other.text_hash() != source.text_hash()
    assert loading.content_hash(source) == hr.load(name).content_hash
    assert loading.content_hash(other) == hr.load(name).content_hash


@pytest.mark.parametrize("name", SHIPPED)
def test_the_sentences_of_a_shipped_ruleset_leave_its_digest(name: str) -> None:
    entries, labels = merged(name)
    others = {
        key: evolve(entry, node=without_words(entry.node), edition="another", lines=())
        for key, entry in entries.items()
        if key[0] not in {"map", "policy", "promise", "question"}
    }
    assert digest(others, labels) == digest(entries, labels)


def without_words(node: tree.Node) -> tree.Node:
    """A declaration with another sentence and no citations."""
    new = {"cites": (), "summary": tree.Word("Other words.", node.span)}
    names = [name for name, value in named_parts(node) if name in new and value is not None]
    return evolve(node, **{name: new[name] for name in names})


@pytest.mark.thorough
@pytest.mark.parametrize("name", SHIPPED)
def test_the_form_of_a_shipped_ruleset_leaves_its_digest(name: str) -> None:
    source = shipped_sources()[name]
    if name in LONG:
        source = evolve(source, layers=source.layers[-1:])
    packed = [
        evolve(each, files={file: packed_lines(text) for file, text in each.files.items()})
        for each in source.layers
    ]
    formatted = [
        evolve(each, files={file: hr.format_rules(text) for file, text in each.files.items()})
        for each in packed
    ]
    hashes = {
        loading.content_hash(evolve(source, layers=tuple(layers)))
        for layers in (source.layers, packed, formatted)
    }
    assert len(hashes) == 1


def packed_lines(text: str) -> str:
    """A text without comments and blank lines."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return "\n".join(line.rstrip() for line in lines if line.strip()) + "\n"
