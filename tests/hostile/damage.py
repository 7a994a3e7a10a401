"""Games, and random damage to their texts, for tests and benchmarks of hostile input."""

from __future__ import annotations

from functools import cache
from random import Random

import hots_rules as hr
from tests.playing import TINY, last_of, ruleset_of

WORDS = ["9" * 400, "-1", "\ud800", "\x00", "(", ")", "# ", "\n", "\r", "\u2028", "none", "{" * 50,
         "state ", "position ", "text ", "NaN", "é" * 50, " #00000000", "{Fox, Fox}", ": ", ", ",
         "chance: roll 6 6 6"]  # fmt: skip


def damaged(text: str, chooser: Random) -> str:
    """A text with random damage: to bits, lines, words or its end."""
    data = bytearray(text.encode(errors="surrogatepass"))
    match chooser.randrange(6):
        case 0:
            for _ in range(chooser.randrange(1, 4)):
                at = chooser.randrange(len(data))
                data[at] ^= 1 << chooser.randrange(8)
        case 1:
            del data[chooser.randrange(len(data)) :]
        case 2:
            lines = data.split(b"\n")
            first, second = chooser.randrange(len(lines)), chooser.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            data = bytearray(b"\n".join(lines))
        case 3:
            at = chooser.randrange(len(data))
            data[at:at] = data[chooser.randrange(len(data)) :][: chooser.randrange(1, 200)]
        case 4:
            words = text.split(" ")
            words[chooser.randrange(len(words))] = chooser.choice(WORDS)
            return " ".join(words)
        case _:
            at = chooser.randrange(len(text) + 1)
            return text[:at] + chooser.choice(WORDS) + text[at + chooser.randrange(3) :]
    return data.decode("utf-8", chooser.choice(["replace", "surrogateescape", "ignore"]))


@cache
def games() -> tuple[hr.Game, ...]:
    """A few games of two rulesets, with chance of both kinds."""
    small = ruleset_of(TINY)
    games = [last_of(small.start("short", seed=n, chance="ask"), Random(n), 9) for n in range(4)]
    rules = hr.load("hots-4.0")
    games += [last_of(rules.start("braveheart", seed=n), Random(n), 25) for n in range(2)]
    position = rules.position(games[-1].position, chance="ask")
    return (*games, last_of(position, Random(3), 5))


def annotated(game: hr.Game, chooser: Random) -> str:
    """The record of a game with comments and variations."""
    lines = str(game.record).partition("\n\n")
    body = []
    for line in lines[2].splitlines():
        body.append(line)
        if " #" in line and chooser.random() < 0.3:
            body += ["# a comment", "(", f"  {line.rpartition(' #')[0]}", ")"]
    return "\n".join([lines[0], "", *body]) + "\n"
