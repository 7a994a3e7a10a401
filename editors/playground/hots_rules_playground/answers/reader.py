"""Questions about a game and its rulebook: what the prompt answers, rules that are found, rulesets compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import hots_rules as hr
from hots_rules import editing

SECONDS = 5.0  # for exact odds; then outcomes are sampled
MAX_HITS = 20
MAX_ACTIONS = 100


def asked(game: hr.Game, player: str, words: str) -> str:
    """The answer to a question in words: about the game as a player may know it, or the odds of a made-up battle."""
    understood = hr.talk.understand(words, game, player)
    match understood:
        case hr.talk.Question():
            return str(hr.talk.answer(understood))
        case hr.talk.Which(lines):
            return "Which do you mean? " + " · ".join(lines)
        case hr.talk.Action():
            return str(game.ask(words, player=player))
        case _:
            return _instead(game, words)


def odds_text(game: hr.Game, action: str, player: str) -> str:
    """What an action may change, with the probability of each value; all that is hidden is known to it."""
    (chosen,) = (each for each in game.actions if each.text == action and each.player == player)
    odds = game.odds(chosen, seconds=SECONDS)
    tables = {**odds.changes(), "outcome of the game": odds.outcomes}
    how = "exact" if odds.exact else f"estimated from {odds.samples} samples"
    lines = [
        f"{name}: " + ", ".join(f"{value} {float(share):.1%}" for value, share in shares.items())
        for name, shares in tables.items()
        if set(map(str, shares)) != {"unfinished"}
    ]
    return "\n".join([f"{chosen.text} ({how})", *(lines or ["nothing changes"])])


def _instead(game: hr.Game, words: str) -> str:
    """What comes closest to words that are no question."""
    lines = [str(hit) for hit in hr.talk.find(game.ruleset, words, limit=3).hits]
    if examples := hr.talk.closest_questions(game, words):
        lines.append("You can ask, for example: " + "; ".join(examples))
    return "\n".join(lines) or "No answer is known."


def examples(game: hr.Game) -> list[str]:
    """Questions that can be asked of a game."""
    return list(hr.talk.closest_questions(game, ""))


def found(rules: hr.Ruleset, words: str) -> list[dict[str, object]]:
    """The declarations of a ruleset with some words, the best first, each with its text and the amendment of it."""
    return [
        {
            "kind": each.kind,
            "name": each.name,
            "sections": list(each.sections),
            "summary": each.wording or each.summary,
            "source": each.source,
            "amendment": editing.amendment(each),
        }
        for each in dict.fromkeys(_declarations(rules, words))
    ]


def _declarations(rules: hr.Ruleset, words: str) -> Iterator[hr.explain.Declaration]:
    """What a section or a name stands for, or else what a search finds; a value stands for no declaration."""
    with suppress(hr.explain.UnknownRule):
        yield from hr.explain.find_declarations(rules, words)
        return
    for hit in hr.talk.find(rules, words, limit=MAX_HITS).hits:
        with suppress(hr.explain.UnknownRule):
            yield from hr.explain.find_declarations(rules, hit.name)


def compared(old: hr.Ruleset, new: hr.Ruleset) -> dict[str, object]:
    """How two rulesets differ: a summary, and the rows of each section."""
    table = hr.compare.table(old, new)
    sections = [
        {
            "title": part.title,
            "rows": [
                {
                    "title": row.title,
                    "changes": row.changes,
                    "notes": list(row.notes),
                    "cells": [list(cell) for cell in row.cells],
                }
                for row in part.rows
            ],
        }
        for part in table.shown()
    ]
    return {"names": list(table.editions), "summary": list(table.summaries()), "sections": sections}
