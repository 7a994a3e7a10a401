"""Hostile inputs of every kind: how each is made from a random choice, and what is done with it.

`make` gives an input as data, from which `run` can be repeated. `run` raises a `HotsError` where the library refuses
the input, which is right, and anything else where the library is at fault.
"""

from __future__ import annotations

import io
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from unittest import mock

from attrs import evolve, frozen

import hots_rules as hr
from hots_rules.game import load_source
from hots_rules.rules import find_source
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.testing import assert_no_leak, assert_same_answers

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.hostile.blowups import blow_up, long_text
from tests.hostile.damage import WORDS, annotated, damaged, games
from tests.mutation.mutants import mutants
from tests.playing import TINY, last_of, played_out, ruleset_of, texts_of_all

Data = dict[str, object]
"""An input: texts, numbers and lists of them by name."""


class WrongError(Exception):
    """The library did something else than to accept or refuse an input."""


@frozen
class Kind:
    """A kind of hostile input.

    Attributes:
        make: an input from random choices.
        run: do with an input, in an empty folder, what is done with input of strangers; False where it is refused.
        is_alone: whether each input has a process of its own.
        cpu: seconds of processor time that it may take.
    """

    make: Callable[[Random], Data]
    run: Callable[[Data, Path], object]
    is_alone: bool = False
    cpu: float = 5.0


def check(holds: object, what: str) -> None:
    """Raise unless a condition holds."""
    if not holds:
        raise WrongError(what)


def check_error(error: hr.HotsError) -> None:
    """Raise unless an error can be sent and printed."""
    text = str(error)
    text.encode()
    hr.to_json(error).encode()
    controls = {sign for sign in text if unicodedata.category(sign) == "Cc" and sign not in "\n\t"}
    check(not controls, f"an error holds control characters: {sorted(controls)}")
    check(len(text) < 100_000, f"an error has {len(text)} characters")


def attempts(*calls: Callable[[], object]) -> bool:
    """Make some calls, each of which may be refused with an error that can be sent; whether one was accepted."""
    accepted = 0
    for call in calls:
        try:
            call()
            accepted += 1
        except hr.HotsError as error:
            check_error(error)
    return accepted > 0


def game_of(data: Data) -> hr.Game:
    """The game that an input is for."""
    return games()[int(str(data["game"]))]


def some_game(chooser: Random) -> int:
    return chooser.randrange(len(games()))


# ------------------------------------------------------------------ records and journals
def make_record(chooser: Random) -> Data:
    number = some_game(chooser)
    text = annotated(games()[number], chooser)
    for _ in range(chooser.choice((1, 1, 1, 2, 5))):
        text = damaged(text or "x", chooser)
    return {
        "game": number,
        "record": text,
        "torn": chooser.choice(("refuse", "keep")),
        "content": chooser.choice(("refuse", "pinned")),
    }


def run_record(data: Data, folder: Path) -> None:
    rules, path = game_of(data).ruleset, folder / "record.txt"
    path.write_bytes(str(data["record"]).encode(errors="surrogatepass"))
    torn, content = str(data["torn"]), str(data["content"])
    record = hr.Record.read(path, torn=torn)  # type: ignore[arg-type]
    attempts(lambda: hr.records.migrate(record, rules))
    game = hr.replay(record, rules, content=content)
    check(hr.records.verify(game.record, rules).is_sound, "a replayed record is not sound")
    check(hr.replay(str(game.record), game.ruleset) == game, "a record replays otherwise")


def make_journal(chooser: Random) -> Data:
    number = some_game(chooser)
    text = str(evolve(games()[number].record, seal=""))
    if chooser.random() < 0.5:
        return {"game": number, "cut": chooser.randrange(len(text.encode())), "journal": text}
    return {"game": number, "cut": None, "journal": damaged(text, chooser)}


def run_journal(data: Data, folder: Path) -> None:
    game, path = game_of(data), folder / "journal.txt"
    whole = str(data["journal"]).encode(errors="surrogatepass")
    kept = whole if data["cut"] is None else whole[: int(str(data["cut"]))]
    path.write_bytes(kept)
    journal = hr.Journal.resume(path, game.ruleset, sync=False)
    resumed = journal.game
    if data["cut"] is not None:
        actions = kept.decode(errors="ignore").partition("\n\n")[2]
        is_whole = whole[len(kept) : len(kept) + 1] == b"\n"  # only the last line end is gone
        lines = actions.count("\n") + (is_whole and actions != "")
        check(len(resumed.moves) == lines, f"{len(resumed.moves)} actions of {lines} whole lines")
    if not resumed.is_over:
        resumed = resumed.play(resumed.actions[0])
    journal.add(resumed)
    journal.close()
    check(hr.read(path, game.ruleset) == resumed, "a resumed journal replays otherwise")


# ------------------------------------------------------------------ rulesets
@cache
def rulesets() -> tuple[Source, ...]:
    """The texts that are mutated: the small ruleset more often than large ones."""
    tiny = ruleset_of(TINY).source
    small = [find_source(name) for name in hr.rulesets() if not name.startswith("hots")]
    return (*[tiny] * 3 * len(small), *small, find_source("hots-3.x"))


def mutated(text: str, file: str, chooser: Random) -> str:
    """A text with a damaged place, a valid small change, or lines that were moved."""
    match chooser.randrange(4):
        case 0:
            return damaged(text, chooser)
        case 1 if found := mutants(text, file):
            return chooser.choice(found).apply(text)
        case 2:
            lines = text.split("\n")
            at = chooser.randrange(len(lines))
            part = lines[at : at + chooser.randrange(1, 8)]
            there = chooser.randrange(len(lines))
            return "\n".join([*lines[:there], *part, *lines[there:]])
        case _:
            words = text.split(" ")
            for _ in range(chooser.randrange(1, 4)):
                words[chooser.randrange(len(words))] = chooser.choice(
                    [chooser.choice(words), *WORDS[:8]]
                )
            return " ".join(words)


def make_ruleset(chooser: Random) -> Data:
    number = chooser.randrange(len(rulesets()))
    layers = rulesets()[number].layers
    layer = chooser.randrange(len(layers))
    file = chooser.choice(sorted(layers[layer].files))
    text = mutated(layers[layer].files[file], file, chooser).encode(errors="replace").decode()
    return {"ruleset": number, "layer": layer, "file": file, "text": text, "seed": chooser.random()}


def run_ruleset(data: Data, folder: Path) -> None:
    layers = list(rulesets()[int(str(data["ruleset"]))].layers)
    number = int(str(data["layer"]))
    files = {**layers[number].files, str(data["file"]): str(data["text"])}
    layers[number] = evolve(layers[number], files=files)
    rules = load_source(Source(tuple(layers)))
    chooser = Random(str(data["seed"]))
    if not rules.scenarios:
        return
    game = rules.start(chooser.choice(rules.scenarios), seed=1)
    for _ in range(25):
        if game.actions:  # a mutated ruleset may leave a player nothing to do
            game = game.play(chooser.choice(game.actions))
    check(hr.replay(game.record, rules) == game, "a record replays otherwise")
    for player in (*rules.players, None):
        game.view(player)
    attempts(
        lambda: game.trace,
        lambda: rules.position(game.position),
        lambda: game.worlds(rules.players[0], 2),
        lambda: game.why_not(next(texts_of_all(rules, chooser))[1]),
    )


# ------------------------------------------------------------------ positions
def make_position(chooser: Random) -> Data:
    number = some_game(chooser)
    rules, text = games()[number].ruleset, games()[number].position
    match chooser.randrange(3):
        case 0:
            text = damaged(text, chooser)
        case 1:  # values of one line in another
            lines = text.splitlines()
            one, other = (chooser.choice(lines).split(" ") for _ in range(2))
            one[-1] = other[-1]
            text = "\n".join([*lines, " ".join(one)] if chooser.random() < 0.5 else [" ".join(one)])
        case _:
            lines = text.splitlines()
            text = "\n".join(chooser.sample(lines, chooser.randrange(len(lines) + 1)))
    options = {
        n: chooser.choice(s.values) for n, s in rules.options.items() if chooser.random() < 0.1
    }
    return {"game": number, "position": text, "options": options}


def run_position(data: Data, folder: Path) -> None:
    rules, options = game_of(data).ruleset, dict(data["options"])  # type: ignore[call-overload]
    game = rules.position(str(data["position"]), options=options)
    again = rules.position(game.position, options=options)
    check(again.state == game.state, "a position reads back as another state")
    check(again.actions == game.actions, "a position reads back with other actions")
    sent = hr.from_json(hr.to_json(game.state), hr.State, rules)
    check(sent == game.state, "a state reads back from JSON as another one")
    for later in islice(played_out(game, Random(1)), 4) if game.actions else ():
        for player in later.to_move:
            attempts(partial(later.view, player), partial(later.worlds, player, 1))


# ------------------------------------------------------------------ messages
def messages(game: hr.Game) -> list[tuple[type, str]]:
    """What a server sends about a game, with the class of each."""
    player = game.to_move[0] if game.to_move and game.to_move[0] in game.ruleset.players else None
    values = [game.state, game.record, game.view(player), *game.actions[:1], *game.trace[:3]]
    return [(type(value), hr.to_json(value)) for value in values]


def changed(value: object, chooser: Random) -> object:
    """A JSON value with one part replaced, removed or doubled."""
    if isinstance(value, dict) and value and chooser.random() < 0.9:
        key = chooser.choice(sorted(value))
        if chooser.random() < 0.15:
            return {
                chooser.choice([*WORDS, key.upper()]) if k == key else k: v
                for k, v in value.items()
            }
        return {**value, key: changed(value[key], chooser)}
    if isinstance(value, list) and value and chooser.random() < 0.9:
        at = chooser.randrange(len(value))
        return [*value[:at], changed(value[at], chooser), *value[at + chooser.randrange(2) :]]
    deep: object = []
    for _ in range(chooser.randrange(400)):
        deep = [deep]
    numbers = [0, -1, 10**400, 2**53, 1.5, float("nan"), float("inf"), True]
    return chooser.choice([None, "", "7", {}, [], deep, [value] * 3, *numbers, *WORDS])


def make_message(chooser: Random) -> Data:
    number = some_game(chooser)
    which = chooser.randrange(len(messages(games()[number])))
    text = messages(games()[number])[which][1]
    if chooser.random() < 0.6:
        text = json.dumps(changed(json.loads(text), chooser), ensure_ascii=False)
    else:
        text = damaged(text, chooser)
    return {"game": number, "which": which, "message": text}


def run_message(data: Data, folder: Path) -> None:
    game, text = game_of(data), str(data["message"])
    kind = messages(game)[int(str(data["which"]))][0]
    rules = game.ruleset if kind is hr.State else None
    value = hr.from_json(text, kind, rules)
    again = hr.to_json(value)
    again.encode()
    check(hr.from_json(again, kind, rules) == value, "a message reads back as another value")
    if isinstance(value, hr.Action):
        attempts(lambda: game.play(value), lambda: game.why_not(value))


# ------------------------------------------------------------------ texts of actions and questions
SIGNS = [
    "\x1b[2J",
    "\x1b]0;x\x07",
    "\u202e",
    "\ud800",
    "\x00",
    "﷽",
    "é" * 40,
    "\r",
    "\u2028",
    "{",
    "%s",
    "🏰",
]


def make_text(chooser: Random) -> Data:
    number = some_game(chooser)
    game = games()[number]
    words = [next(texts_of_all(game.ruleset, chooser))[1], *game.questions[:40]]
    words += [action.text for action in game.actions[:40]]
    text = chooser.choice([chooser.choice(words), words[0]])
    for _ in range(chooser.randrange(3)):
        at = chooser.randrange(len(text) + 1)
        text = (
            text[:at]
            + chooser.choice([*SIGNS, *WORDS, " ", ":"])
            + text[at + chooser.randrange(3) :]
        )
    return {"game": number, "text": text * chooser.choice((1, 1, 1, 1, 50, 5000))}


def run_text(data: Data, folder: Path) -> bool:
    game, text = game_of(data), str(data["text"])
    player = game.ruleset.players[0]
    return attempts(
        lambda: game.play(text),
        lambda: str(game.why_not(text)),
        lambda: str(game.why(text)),
        lambda: game.preview(text, player),
        lambda: game.ask(text),
        lambda: game.ask(text, player=player),
        lambda: game.explain(text),
        lambda: game.with_position_changes(text),
    )


# ------------------------------------------------------------------ command lines
_COMMANDS = """
    list show check fmt test diff ask play repl simulate odds why draw replay verify export seed
"""
# No path outside the folder of the try, since commands write.
_ARGUMENTS = """
    hots-4.0 lords-of-scotland braveheart 2-players record.txt tiny.rules damaged.txt damaged.rules absent --json
    --help --seed --side --section --options --content --games --quiet --save out.txt --play --prove --language
    --under --event --sentences --coverage --format site schema types corpus
    --position pinned 7 -1 1e9 5.2 Scotland: --ruleset --upgrade --out . - --
"""
COMMANDS, ARGUMENTS = _COMMANDS.split(), _ARGUMENTS.split()


def make_command(chooser: Random) -> Data:
    words: list[str] = [chooser.choice(COMMANDS)]
    for _ in range(chooser.randrange(6)):
        words.append(chooser.choice([chooser.choice(ARGUMENTS), chooser.choice([*SIGNS, *WORDS])]
                     if chooser.random() < 0.2 else ARGUMENTS))  # fmt: skip
    lines = [next(texts_of_all(ruleset_of(TINY), chooser))[1] for _ in range(5)]
    lines += [chooser.choice(["help", "why", "odds", "undo", "save x.txt", "view", "quit", *SIGNS])]
    if words[0] == "simulate":  # without a number it plays a thousand games
        words += ["--games", "3"]
    return {"arguments": [word.replace("\x00", "") for word in words], "input": "\n".join(lines),
            "record": damaged(annotated(games()[0], chooser), chooser),
            "rules": mutated(TINY, "tiny.rules", chooser)}  # fmt: skip


def run_command(data: Data, folder: Path) -> bool:
    from hots_rules.cli import main

    for name, text in (("record.txt", str(games()[0].record)), ("damaged.txt", str(data["record"])),
                       ("tiny.rules", TINY), ("damaged.rules", str(data["rules"]))):  # fmt: skip
        (folder / name).write_bytes(text.encode(errors="surrogatepass"))
    (folder / "sections.csv").write_text(
        "section,heading\n" + "".join(f"{n},Section {n}\n" for n in range(1, 10))
    )
    arguments = [str(word) for word in data["arguments"]]  # type: ignore[attr-defined]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(str(data["input"]).encode(errors="replace")), "utf-8")
    before = os.getcwd()
    os.chdir(folder)
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            mock.patch.multiple(sys, argv=["hots", *arguments], stdin=given),
        ):
            code = main()
    finally:
        os.chdir(before)
    err.flush()
    said = err.buffer.getvalue().decode(errors="replace")  # type: ignore[attr-defined]
    check("Traceback" not in said, f"a traceback: {said[-500:]}")
    check(code in {0, 1, 2, 130, 141}, f"the exit code {code}")
    return code == 0


# ------------------------------------------------------------------ what is made to explode
def make_blow_up(chooser: Random) -> Data:
    text, what = blow_up(chooser)
    return {"text": text, "do": what, "seed": chooser.random()}


def run_blow_up(data: Data, folder: Path) -> None:
    source = Source((Layer("blow-1.0", "Blow", None, {"blow.rules": str(data["text"])}, SECTIONS),))
    if data["do"] == "replay":
        hr.replay(pinned(source), content="pinned")
        return
    rules = load_source(source)
    chance = "ask" if data["do"] == "ask" else "auto"
    game = rules.start("short", seed=1, chance=chance)  # type: ignore[arg-type]
    calls: dict[object, Callable[[], object]] = {
        "view": lambda: game.view("Red").actions,
        "refused": lambda: game.play("Red: rset 3 4"),
        "why not": lambda: str(game.why_not("Blue: rest 3 4", player="Blue")),
        "odds": lambda: game.odds(until="game", policy="random", seconds=2),
        "worlds": lambda: game.worlds("Red", 2),
        "position": lambda: rules.position(game.position),
        "play": lambda: last_of(game, Random(1), 4),  # each is a request of its own
    }
    calls.get(data["do"], lambda: game.actions)()


SECTIONS = "section,heading\n1,Section 1\n"


def pinned(source: Source) -> str:
    """The record of a game at its start that brings the texts of its ruleset."""
    from hots_rules.records.ruleset_texts import pack
    from hots_rules.rules.load import content_hash

    packed = pack(source)
    lines = "".join(f"text {packed[at : at + 96]}\n" for at in range(0, len(packed), 96))
    return (
        f"hots_rules record 2\nruleset blow-1.0 {content_hash(source)}\n"
        f"rng blake2b-keyed-1\nseed 1\nchance auto\nscenario short\n{lines}\n"
    )


def make_long_text(chooser: Random) -> Data:
    return {"text": long_text(chooser)}


def run_long_text(data: Data, folder: Path) -> None:
    text = str(data["text"])
    load_source(Source((Layer("long-1.0", "Long", None, {"long.rules": text}, SECTIONS),)))


# ------------------------------------------------------------------ games that look the same
TWINS = ("hots-4.0", "hots-player-aid", "lords-of-scotland", "goofspiel-1.0", "dominoes-1.0")


def make_twins(chooser: Random) -> Data:
    name = chooser.choice(TWINS)
    scenario = chooser.choice(hr.load(name).scenarios)
    return {
        "ruleset": name,
        "scenario": scenario,
        "seed": chooser.random(),
        "plays": chooser.randrange(60),
    }


def run_twins(data: Data, folder: Path) -> None:
    rules, chooser = _loaded(str(data["ruleset"])), Random(str(data["seed"]))
    game = rules.start(str(data["scenario"]), seed=str(data["seed"]))
    game = last_of(game, chooser, int(str(data["plays"])))
    moments = islice(played_out(game, chooser), 100)
    asked_at_once = next((moment for moment in moments if len(moment.to_move) > 1), game)
    for one, other, player in secret_choices(asked_at_once, chooser):
        assert_same_answers(one, [other], player)
        seals = [hr.records.publish_seal(twin) for twin in (one, one, other)]
        check(len({seal.actions for seal in seals}) == 1, "published seals count hidden actions")
        check(len({seal.commitment for seal in seals}) == 3, "a published seal can be guessed")
    viewer = chooser.choice([*rules.players, None])
    assert_no_leak(game, viewer, worlds=2, seed=str(data["seed"]))


def secret_choices(game: hr.Game, chooser: Random) -> Iterator[tuple[hr.Game, hr.Game, str]]:
    """Games after different choices of one player, where another is still asked and has seen neither."""
    if len(game.to_move) < 2:
        return
    chosen = [action for action in game.actions if action.player == game.to_move[-1]]
    one, other = (game.play(action) for action in chooser.choices(chosen, k=2))
    for player in one.to_move:
        if player in other.to_move:
            yield one, other, player


@cache
def _loaded(name: str) -> hr.Ruleset:
    return hr.load(name)


def prepare() -> None:
    """Load what all inputs share, once, before processes are started."""
    import_module("hots_rules.cli.app")
    for ruleset in [game.ruleset for game in games()] + [_loaded(name) for name in hr.rulesets()]:
        ruleset.rulebook  # noqa: B018
    rulesets()


def forget() -> None:
    """Close what an interrupted try has left open."""
    with suppress(OSError):
        os.chdir("/")
