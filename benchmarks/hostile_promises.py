"""Hostile inputs for what is promised: secrets are proved, texts read in every form, adapters refuse in our words."""

from __future__ import annotations

import asyncio
import copy
import pickle
import sys
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

from hostile_inputs import SIGNS, Data, check, check_error

import hots_rules as hr
from hots_rules.game import load_source
from hots_rules.rules.sources.source import Layer, Source

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.hostile.damage import WORDS, damaged
from tests.mutation.mutants import mutants
from tests.playing import TINY, ruleset_of
from tests.testing.test_secrets import ASKS, GAME, TELLS

# ------------------------------------------------------------------ rules with hidden reads
READS = (
    "high in hand(actor)",
    "high in hand(other(actor))",
    "high_in(actor)",
    "high_in(other(actor))",
    "place[low] = place[high]",
    "place[top] = Table",
    "some c in Card: place[c] = Stock",
    "count({c in Card where place[c] = Stock}) > 2",
    "count(hand(other(actor))) > 1",
    "turn > 3",
    "some c in hand(actor): c = low",
    "not high_in(Ann) and actor = Ann",
    "actor = Ben or high_in(Ann)",
)
CLAUSES = (
    'rule told-{n} §1 "Told."\n  {kind} {action} when {read}\n',
    'rule told-{n} §1 "Told."\n  {kind} {action} when ({read}) or ({other})\n',
    'rule told-{n} §1 "Told."\n  {kind} {action} when ({read}) and ({other})\n',
    'rule all-{n} §1 "All."\n  forbid {action} when turn = 2\n'
    'rule told-{n} §1 "Told."\n  exempt {action} from all-{n} when {read}\n',
)
STATEMENTS = (
    "place[low] := Table",
    "if high_in(Ann)\n      turn := turn + 1",
    "while turn < 5 and high_in(Ben)\n      turn += 1",
    "draw c from {x in Card where place[x] = Stock}\n    place[c] := Hand(Ann)",
)


def make_secrets(chooser: Random) -> Data:
    statements = [*ASKS.values(), *TELLS.values(), *STATEMENTS]
    text = GAME + "".join(
        f"    {chooser.choice(statements)}\n" for _ in range(chooser.randrange(1, 4))
    )
    for number in range(chooser.randrange(3)):
        text += chooser.choice(CLAUSES).format(
            n=number,
            kind=chooser.choice(("forbid", "permit")),
            action=chooser.choice(("lay", "wait")),
            read=chooser.choice(READS),
            other=chooser.choice(READS),
        )
    if chooser.random() < 0.5 and (changes := mutants(text, "cards.rules")):
        text = chooser.choice(changes).apply(text)
    return {"rules": text, "seed": chooser.random()}


def run_secrets(data: Data, folder: Path) -> bool:
    """A ruleset that is proved to tell no secret tells none in play."""
    rules = ruleset_of(str(data["rules"]))
    if hr.testing.unproven_secrets(rules):
        return False
    breaches = hr.testing.try_secrets(rules, games=8, seed=str(data["seed"]))
    check(not breaches, f"proved, and told: {' '.join(map(str, breaches))[:300]}")
    return True


# ------------------------------------------------------------------ forms of text
LINE_ENDS = ("\n", "\r\n", " \n", "\t\r\n")
ODD = ("\u2028", "\x85", "\x0b", "\x0c", "\u200b", "\u00a0", "\ufeff", "\u0301", "ﬁ", "Ⅳ")
LABELLED = TINY + 'label fr\n  action go = "{p} vers {s}"\n  Piece.Hen = "Été"\n'
SECTIONS = "section,heading\n" + "".join(f"{n},Séction {n}\n" for n in range(1, 10))


@cache
def labelled() -> hr.Ruleset:
    layer = Layer("tiny-1.0", "Tiny", None, {"tiny.rules": LABELLED}, SECTIONS)
    return load_source(Source((layer,)))


@cache
def plain_texts() -> Mapping[str, str]:
    """A text of each kind that people write, which the library reads."""
    game = labelled().start("short", seed=1).play("Fox to North")  # a seed is what it is
    return {
        "rules": LABELLED,
        "sections": SECTIONS,
        "record": str(game.record).replace("\n\n", "\n\n# Été\n", 1),
        "position": game.position,
        "action": "Blue: Été vers South",
    }


def make_form(chooser: Random) -> Data:
    kind = chooser.choice(sorted(plain_texts()))
    form = chooser.choice(("NFC", "NFD"))
    lines = unicodedata.normalize(form, plain_texts()[kind]).split("\n")
    one = chooser.choice((*LINE_ENDS, "\r"))
    # That of old Macs before one of Unix would be one of Windows.
    ends = ("\r",) if one == "\r" else LINE_ENDS
    text = "".join(
        line + (chooser.choice(ends) if chooser.random() < 0.3 else one) for line in lines[:-1]
    )
    text += lines[-1]
    if chooser.random() < 0.3:
        text = f"\ufeff{text}"
    odd = ""
    if chooser.random() < 0.4:
        at, odd = chooser.randrange(len(text) + 1), chooser.choice(ODD)
        text = text[:at] + odd + text[at:]
    return {"kind": kind, "text": text, "odd": odd}


def _read_form(kind: str, text: str, folder: Path) -> object:
    """What is read, to be compared."""
    match kind:
        case "rules" | "sections":
            texts = {"rules": LABELLED, "sections": SECTIONS, kind: text}
            (folder / "tiny.rules").write_bytes(texts["rules"].encode())
            (folder / "sections.csv").write_bytes(texts["sections"].encode())
            rules = hr.load(folder / "tiny.rules")
            return rules.content_hash, str(rules.rulebook.sections)
        case "record":
            (folder / "record.txt").write_bytes(text.encode())
            return hr.read(folder / "record.txt", labelled())
        case "position":
            return labelled().position(text).state
    game = labelled().start("short", seed=1).play("Fox to North")
    return game.in_language("fr").play(text).state


def run_form(data: Data, folder: Path) -> bool:
    """A text in another form is read as it was; one with an odd character may be refused."""
    kind, text = str(data["kind"]), str(data["text"])
    try:
        read = _read_form(kind, text, folder)
    except hr.HotsError as error:
        check_error(error)
        check(data["odd"], f"a form of {kind} is refused: {error}")
        return False
    if not data["odd"]:
        check(read == _read_form(kind, plain_texts()[kind], folder), f"{kind} reads otherwise")
    return True


# ------------------------------------------------------------------ adapters
SMALL = (
    ("connect-four-1.0", "empty-board"),
    ("goofspiel-1.0", "full-hands"),
    ("dominoes-1.0", "full-bag"),
)
VALUES = (None, -1, 0, 1, 5, 10**6, 2**70, 1.5, "", "Ann", "x", True, [], {})


def make_adapter(chooser: Random) -> Data:
    ruleset, scenario = chooser.choice(SMALL)
    kind = chooser.choice(("pettingzoo", "open_spiel", "mcp"))
    calls = PETTING_ZOO if kind == "pettingzoo" else SPIEL if kind == "open_spiel" else MCP
    number = 4 if kind == "mcp" else 15
    return {
        "adapter": kind,
        "ruleset": ruleset,
        "scenario": scenario,
        "calls": [
            [chooser.choice(calls), some_value(chooser), some_value(chooser)] for _ in range(number)
        ],
        "seed": chooser.random(),
    }


def some_value(chooser: Random) -> object:
    if chooser.random() < 0.3:
        return damaged(chooser.choice((*WORDS, "Ann: bid 3")) or "x", chooser).replace("\ud800", "")
    return chooser.choice((*VALUES, *(sign for sign in SIGNS if sign != "\ud800")))


PETTING_ZOO = (
    *(
        "reset",
        "step",
        "step",
        "legal",
        "legal",
        "legal",
        "last",
        "observe",
        "action_mask",
        "render",
    ),
    *("copy", "pickle", "close", "attribute", "space"),
)
SPIEL = (
    "apply",
    "legal",
    "legal",
    "legal",
    "child",
    "text",
    "tensor",
    "clone",
    "returns",
    "chance",
)
MCP = (
    *("list_rulesets", "search", "look_up", "set_up", "set_up", "show", "legal_actions", "why"),
    *("why_not", "ask", "ask_editions", "odds", "bot_choice", "compare_editions"),
)


def run_adapter(data: Data, folder: Path) -> bool:
    run = {"pettingzoo": _run_petting_zoo, "open_spiel": _run_open_spiel, "mcp": _run_mcp}
    return run[str(data["adapter"])](data)


def _some_are_made(
    data: Data, calls: Mapping[str, Callable[[object], object]], *expected: type[Exception]
) -> bool:
    """Make all calls; whether one was not refused in the words of the library, or as the other library does."""
    made = 0
    for name, value, _ in data["calls"]:  # type: ignore[attr-defined]
        try:
            calls[name](value)
            made += 1
        except hr.HotsError as error:
            check_error(error)
        except expected:
            continue
    return made > 0


def _run_petting_zoo(data: Data) -> bool:
    from hots_rules.adapters import pettingzoo

    env, chance = (
        pettingzoo.env(str(data["ruleset"]), str(data["scenario"])),
        Random(str(data["seed"])),
    )

    def legal(_: object) -> None:
        if not env.terminations or env.terminations[env.agent_selection]:
            env.reset(seed=3)
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(chance.choice([int(code) for code in mask.nonzero()[0]]))

    calls: dict[str, Callable[[object], object]] = {
        "reset": lambda value: env.reset(seed=value),
        "step": env.step,
        "legal": legal,
        "last": lambda _: env.last(),
        "observe": env.observe,
        "action_mask": env.action_mask,
        "render": lambda _: env.render(),
        "copy": lambda _: (
            copy.deepcopy(env).agents == env.agents or check(False, "copied otherwise")
        ),
        "pickle": lambda _: pickle.loads(pickle.dumps(env)).agents,
        "close": lambda _: env.close(),
        "attribute": lambda value: getattr(env, str(value) or "x"),
        "space": env.action_space,
    }
    return _some_are_made(data, calls, AttributeError)


def _run_open_spiel(data: Data) -> bool:
    import pyspiel

    from hots_rules.adapters import open_spiel

    game = open_spiel.game(str(data["ruleset"]), str(data["scenario"]))
    state, chance = game.new_initial_state(), Random(str(data["seed"]))

    def legal(_: object) -> None:
        if not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(state.chance_outcomes()[0][0])
            else:
                state.apply_action(chance.choice(state.legal_actions()))

    calls: dict[str, Callable[[object], object]] = {
        "apply": state.apply_action,
        "legal": legal,
        "child": state.child,
        "text": lambda value: state.action_to_string(value),
        "tensor": state.information_state_tensor,
        "clone": lambda _: str(state.clone()) == str(state) or check(False, "cloned otherwise"),
        "returns": lambda _: state.returns(),
        "chance": lambda _: state.chance_outcomes(),
    }
    return _some_are_made(data, calls, pyspiel.SpielError, TypeError, ValueError)


def _run_mcp(data: Data) -> bool:
    from mcp import Client

    from hots_rules.cli.assistant.server import make_server

    chance = Random(str(data["seed"]))

    async def ask() -> list[bool]:
        said: list[bool] = []
        async with Client(make_server()) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            for name, value, other in data["calls"]:  # type: ignore[attr-defined]
                names = sorted(tools[name].input_schema.get("properties", {}))
                given = {
                    key: chance.choice((value, other)) for key in names if chance.random() < 0.6
                }
                if "ruleset" in names and chance.random() < 0.8:
                    given["ruleset"] = data["ruleset"]
                if "scenario" in names and chance.random() < 0.8:
                    given["scenario"] = data["scenario"]
                answer = await client.call_tool(name, given)
                text = " ".join(part.text for part in answer.content)
                check("Traceback" not in text, f"a traceback: {text[-300:]}")
                check(len(text) < 200_000, f"an answer has {len(text)} characters")
                said.append(not answer.is_error)
        return said

    return any(asyncio.run(ask()))
