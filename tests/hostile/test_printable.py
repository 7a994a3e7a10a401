"""Errors and labels are safe to print and to encode, whatever strangers send."""

from __future__ import annotations

import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import attrs
import pytest

import hots_rules as hr
from hots_rules.analysis.errors import PolicyUndefined, TooManyStates
from hots_rules.diagnostics import Fault, RelatedPlace, Span, as_json, printable
from hots_rules.records.ruleset_texts import pack
from hots_rules.rules.sources.heads import find_head, title_of
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.testing.errors import BadCase
from tests.needs import needs
from tests.playing import TINY, ruleset_of


@cache
def small() -> hr.Ruleset:
    return ruleset_of(TINY)


IMPORTED = (hr.explain.UnknownRule, TooManyStates, PolicyUndefined, BadCase)
# Half a character, an escape sequence, a title of a window, a carriage return, and a text from right to left.
EVIL = "Fox\ud800 \x1b[2J\x1b]0;owned\x07 \r\x9b \u202eevil\u2028\U000e0041\x00\x7f\ufeff"
UNSAFE = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def assert_safe(text: str) -> None:
    """A text can be printed and encoded."""
    text.encode()
    assert not UNSAFE.search(text), ascii(text)


def kinds(kind: type[hr.HotsError] = hr.HotsError) -> Iterator[type[hr.HotsError]]:
    """All classes of errors."""
    if getattr(sys.modules[kind.__module__], kind.__name__) is kind:  # not what attrs made it from
        yield kind
    for below in kind.__subclasses__():
        yield from kinds(below)


# ------------------------------------------------------------------ errors
def test_printable_keeps_what_can_be_printed() -> None:
    text = "Écosse\u202f: «\xa0à Mar\xa0»\n\t– 王 😀 \u0645\u06cc\u200c\u062e\u0648"

    assert text == printable(text)
    assert_safe(printable(EVIL))
    assert len(EVIL) == len(printable(EVIL))


def evil_fault() -> Fault:
    """A fault that has a text of a stranger wherever it can have one."""
    place = Span(EVIL, 1, 1, 1, 2)
    return Fault("too-large", EVIL, place, (RelatedPlace(place, EVIL),), EVIL)


@pytest.mark.parametrize("kind", sorted(set(kinds()), key=lambda kind: kind.__name__))
def test_an_error_of_each_kind_is_safe(kind: type[hr.HotsError]) -> None:
    fault = evil_fault()
    values = {
        "faults": (fault,) if kind is hr.RulesetError else (EVIL,),
        "reasons": (),
        "language": "en",
    }
    values |= {"known": (EVIL,), "meanings": (EVIL, EVIL), "sources": {EVIL: EVIL}, "settled": None}
    if attrs.has(kind):
        names = [field.name for field in attrs.fields(kind)]
        error = kind(**{name: values.get(name, EVIL) for name in names})  # type: ignore[arg-type]
    else:
        error = kind(EVIL)

    again = pickle.loads(pickle.dumps(error))
    for text in (str(error), str(again), hr.to_json(error), repr(error)):
        assert_safe(text)
    assert str(error) == str(again)
    for value in vars(error).values():
        for text in value if isinstance(value, tuple) else (value,):
            if isinstance(text, str):
                assert_safe(text)


def test_an_error_comes_whole_from_a_process_that_sends_its_traceback() -> None:
    pickling = needs("tblib.pickling_support")
    error = PolicyUndefined("fight-on", ("fire", "retreat"))

    restore, values, *_ = pickling.pickle_exception(error)

    assert str(restore(*values)) == str(error)


def test_a_refused_message_has_no_error_of_another_library_behind_it() -> None:
    with pytest.raises(hr.BadMessage) as refused:
        hr.from_json('{"schema":"hots_rules/action.v2","player":7}', hr.Action, small())

    assert (refused.value.__cause__, refused.value.__context__) == (None, None)


def test_a_fault_is_safe_as_text_and_as_data() -> None:
    fault = evil_fault()

    assert_safe(str(fault))
    assert_safe(json.dumps(as_json([fault]), ensure_ascii=False))


def _calls(game: hr.Game) -> dict[str, Callable[[str], object]]:
    """The ways in which a text of a stranger reaches the library."""
    rules, record = game.ruleset, str(game.record)
    secrets = {"A": "0" * 64, "B": "1" * 64}
    return {
        "play": game.play,
        "play as a player": lambda text: game.play(f"Red: {text}", player="Red"),
        "play for nobody": lambda text: game.play("rest", player=text),
        "play an outcome": small().start("short", seed=1, chance="ask").play("Fox to Far East").play("like").play,
        "why_not": game.why_not,
        "ask": game.ask,
        "preview": lambda text: game.preview(text, "Red"),
        "ask of editions": lambda text: hr.ask(game, "rest", editions=[text]),
        "view": game.view,
        "worlds": game.worlds,
        "odds until": lambda text: game.odds(until=text),
        "odds policy": lambda text: game.odds(policy=text),
        "language": game.in_language,
        "start": rules.start,
        "seed": lambda text: rules.start("short", seed=text),
        "option": lambda text: rules.start("short", options={text: True}),
        "value": lambda text: rules.start("short", options={"fast": text}),
        "position": rules.position,
        "key of a position": lambda text: rules.position(f"{text}: at North"),
        "value of a position": lambda text: rules.position(f"Fox: at {text}"),
        "load": hr.load,
        "format": hr.format_rules,
        "record": hr.replay,
        "head of a record": lambda text: hr.replay(record.replace("scenario ", text), rules),
        "key of a record": lambda text: hr.replay(record.replace("seed 1", f"{text} 1"), rules),
        "ruleset of a record": lambda text: hr.replay(record.replace("tiny-1.0", text)),
        "seed of a record": lambda text: hr.replay(record.replace("seed 1", f"seed {text}"), rules),
        "dice of a record": lambda text: hr.replay(record.replace("blake2b", text), rules),
        "option of a record": lambda text: hr.replay(record.replace("fast no", f"fast {text}"), rules),
        "action of a record": lambda text: hr.replay(record.replace("Red: rest", text), rules),
        "content": lambda text: hr.replay(record, content=text),
        "file": hr.read,
        "json": lambda text: hr.from_json(json.dumps(text), hr.Action),
        "key in json": lambda text: hr.from_json(json.dumps({text: 1, "schema": text}), hr.Action),
        "broken json": lambda text: hr.from_json(text, hr.Action),
        "player with a secret": lambda text: hr.records.commitment(text, "0" * 64),
        "secret": lambda text: hr.records.commitment("A", text),
        "secrets": lambda text: hr.records.combine_seeds({**secrets, text: "2" * 64}, secrets),
        "cases": lambda text: hr.testing.check_cases(rules, text),
        "rule": lambda text: hr.explain.find_declarations(rules, text),
    }  # fmt: skip


@pytest.mark.parametrize("text", [EVIL, "\ud800", "Red: rest \x1b[31m", "Fox to \x9b"], ids=ascii)
def test_what_strangers_send_is_safe_in_errors(text: str) -> None:
    game = small().start("short", seed=1).play("Red: rest")
    refused = []
    for name, call in _calls(game).items():
        try:
            call(text)
        except hr.HotsError as error:
            refused.append(name)
            assert_safe(str(error))
            assert_safe(hr.to_json(error))

    assert len(refused) > 30, sorted({*_calls(game)} - {*refused})


def test_a_migration_is_safe_to_print() -> None:
    text = str(small().start("short", seed=1).play("Red: rest").record)
    for old, new in (("Red: rest", "Red: \x1b[2J"), ("option fast no", "option fa\x1b[2Jst no")):
        with pytest.raises(hr.BadRecord, match="characters that show nothing") as error:
            hr.records.migrate(text.replace(old, new), small())
        assert_safe(str(error.value))


# ------------------------------------------------------------------ labels
@pytest.mark.parametrize(
    "character", ["\x1b", "\x85", "\x9b", "\u202e", "\u2028", "\x00"], ids=ascii
)
@pytest.mark.parametrize("place", ['"A tiny game"', '"Nothing."', '"throw for {p}"', "# a comment"])
def test_no_text_of_a_ruleset_has_characters_that_cannot_be_printed(
    place: str, character: str
) -> None:
    broken = f"{TINY}# a comment\n".replace(place, f"{place[:-2]}{character}{place[-2:]}")
    assert character in broken
    with pytest.raises(hr.RulesetError) as error:
        ruleset_of(broken)

    assert f"U+{ord(character):04X}" in str(error.value)
    assert_safe(str(error.value))
    head = find_head(broken)
    assert head is not None
    assert_safe(title_of(head))


def test_a_heading_of_a_section_has_no_characters_that_cannot_be_printed(tmp_path: Path) -> None:
    (tmp_path / "tiny.rules").write_text(TINY, "utf-8")
    (tmp_path / "sections.csv").write_text("section,heading\n1,Move\x1b[2J\n", "utf-8")
    with pytest.raises(hr.RulesetError) as error:
        hr.load(tmp_path / "tiny.rules")

    assert "sections.csv:2" in str(error.value)
    assert "U+001B" in str(error.value)
    assert_safe(str(error.value))


@pytest.mark.parametrize("field", ["name", "title", "files"])
def test_the_texts_in_a_record_have_names_that_can_be_printed(field: str) -> None:
    layer = small().source.layers[0]
    evil = {"x\x1b[2J.rules": TINY} if field == "files" else "x\x1b[2J"
    damaged = attrs.evolve(layer, **{field: evil})
    record = attrs.evolve(small().start("short", seed=1).record, texts=pack(Source((damaged,))))
    assert isinstance(damaged, Layer)
    with pytest.raises(hr.BadRecord, match="cannot be printed") as error:
        hr.replay(record, content="pinned")

    assert_safe(str(error.value))
