"""Questions about a game and its rulebook: what the prompt answers, rules that are found, rulesets compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import hots_rules as hr
from hots_rules import editing

SECONDS = 5.0  # for exact odds; then outcomes are sampled
MOST_HITS = 20


def asked(game: hr.Game, player: str, words: str) -> str:
    """The answer to a question in words: about the game as a player may know it, or the odds of a made-up battle."""
    if hr.analysis.is_battle(game.ruleset, words):
        return battle_text(hr.analysis.battle(game.ruleset, words, seconds=SECONDS))
    said = []
    for question in hr.explain.questions_in(game, words):
        reply = hr.explain.reply(game, question, player)
        if reply is None:
            continue
        if reply.choices:
            said.append("Which do you mean? " + " · ".join(reply.choices))
        elif reply.text:
            said.append(reply.text)
    return "\n\n".join(said) or _instead(game, words)


def _instead(game: hr.Game, words: str) -> str:
    """What comes closest to words that are no question."""
    lines = [str(hit) for hit in hr.explain.find(game.ruleset, words, limit=3).hits]
    if examples := hr.explain.closest_questions(game, words):
        lines.append("You can ask, for example: " + "; ".join(examples))
    return "\n".join(lines) or "No answer is known."


def battle_text(battle: hr.analysis.Battle) -> str:
    """The odds of a battle: a line for each outcome, then what was assumed."""
    odds = battle.odds
    how = "exact" if odds.exact else f"estimated from {odds.samples} samples"
    lines = [f"{battle.game.ruleset.name}: {how}"]
    lines += [f"{float(share):7.2%}  {text}" for text, share in battle.outcomes]
    lines += [f"{float(share):7.2%}  {piece}: {text}" for piece, text, share in battle.fates]
    return "\n".join([*lines, *(f"assumed: {each}" for each in battle.assumptions)])


def examples(game: hr.Game) -> list[str]:
    """Questions that can be asked of a game."""
    return list(hr.explain.closest_questions(game, ""))


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
    for hit in hr.explain.find(rules, words, limit=MOST_HITS).hits:
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
