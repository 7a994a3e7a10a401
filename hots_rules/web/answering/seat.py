"""What a seat gets: its view, its board and its log, and why something is not legal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from attrs import evolve

import hots_rules as hr
from hots_rules.web.replies import (
    Moment,
    Picture,
    SectionRules,
    SeenGame,
    Sentence,
    Setting,
    Told,
    Value,
    ViewOfSeat,
)

DrawInParts = Callable[[hr.Game, str | None, hr.View], tuple[Picture, Mapping[str, object]]]
"""From a game, its viewer, or None, and that viewer's view: the picture in parts, and the values that changed."""
MAX_SHOWN_LENGTH = 200  # characters of a question that an error repeats
MAX_LOG_LENGTH = 60  # plays that a state tells when it is not asked for more
_TOLD = frozenset({"action", "chance", "event"})


def state_of(
    game: hr.Game,
    player: str | None,
    since: int | None = None,
    *,
    is_drawn: bool = True,
    pictured: DrawInParts | None = None,
) -> SeenGame:
    """All that a seat, or a spectator, sees of a game.

    Args:
        game: the game in the language of the seat.
        player: the player of the seat; None for a spectator.
        since: the log tells the plays after this number of plays.
        is_drawn: whether the board is drawn.
        pictured: draws the board in parts instead; then the facts are left out as well, and values that are known.

    Raises:
        UnknownName: no such player.
    """
    plays = len(game.moves)
    first = max(plays - MAX_LOG_LENGTH, 0) if since is None else min(max(since, 0), plays)
    seen = game.view(player)
    names = dict(zip(game.ruleset.players, game.ruleset.labels.players, strict=True))
    picture: Picture | None = None
    values: Mapping[str, object] = seen.state
    if pictured is not None:
        picture, values = pictured(game, player, seen)
    # The state of a view is plain data already.
    sent = cast("dict[str, object]", hr.formats.to_data(evolve(seen, state={})))
    del sent["log"]
    message = cast("ViewOfSeat", {**sent, "state": values})
    return {
        "ruleset": game.ruleset.name,
        "title": game.ruleset.title,
        "players": names,
        "seat": player,
        "settings": unusual_settings(game),
        "phase": "" if game.is_over else game.phase_title,
        "outcome": None if game.outcome is None else str(game.outcome),
        "is_over": game.is_over,
        "view": message,
        "types": _parameter_types(game.ruleset, seen),
        "sentences": _sentences(game.ruleset, seen),
        "board": _board(game, player) if is_drawn and pictured is None else "",
        "picture": picture,
        "facts": str(seen) if pictured is None else "",
        "log_since": first,
        "log": list(log_entries(game.observed_trace(player, since=first))),
    }


def _board(game: hr.Game, player: str | None) -> str:
    return game.draw(player, live=True, public=True)


def facts_of(game: hr.Game, player: str | None) -> str:
    """All that a seat, or a spectator, sees of a game, as text."""
    return str(game.view(player))


def unusual_settings(game: hr.Game) -> dict[str, Value]:
    """The options and readings of a game that differ from the usual ones."""
    if game.settings == game.ruleset.compiled.default_settings:
        return {}
    declared = {**game.ruleset.options, **game.ruleset.readings}
    chosen = {**game.options, **game.readings}
    return {name: value for name, value in chosen.items() if value != declared[name].default}


def _parameter_types(rules: hr.Ruleset, view: hr.View) -> dict[str, dict[str, str]]:
    """The types of the parameters of the actions that are legal, by the names of both."""
    names = {action.name for action in view.actions}
    return {name: dict(rules.actions[name].params) for name in sorted(names)}


def _sentences(rules: hr.Ruleset, view: hr.View) -> dict[str, str]:
    """What the actions that are legal do, by their names: the sentences of their rules."""
    names = {action.name for action in view.actions}
    return {name: rules.actions[name].summary for name in sorted(names)}


def log_entries(steps: Sequence[hr.observe.Step]) -> Iterator[Told]:
    """The steps of a log as entries for the page, with their sections."""
    for step in steps:
        if step.kind in _TOLD:
            yield {
                "kind": step.kind,
                "text": step.text,
                "sections": step.sections,
                "edition": step.edition,
            }


def why_not(game: hr.Game, player: str, words: str) -> str:
    """Why an action of a seat is not legal, or nothing can be done with some things, as that player may know.

    A question is answered as everywhere; other words are what is asked about.

    Args:
        game: the game in the language of the seat.
        player: the player of the seat.
        words: the text of an action, the names of things that were chosen, or a question.

    Raises:
        UnknownName: no such player.
        UnreadableQuestion: the words are no action, and no question is near.
    """
    told = told_of(game, words, player) or told_of(game, f"why not {words}", player)
    if not told:
        raise hr.UnreadableQuestion(words[:MAX_SHOWN_LENGTH])
    return told


def told_of(game: hr.Game, line: str, player: str | None = None) -> str:
    """The answer to a line; empty if it is no question, or only rules that come close are known."""
    understood = hr.talk.understand(line, game, player)
    if not isinstance(understood, hr.talk.Question):
        return ""
    answer = hr.talk.answer(understood)
    return "" if answer.kind is hr.talk.AnswerKind.CLOSEST else str(answer)


def moment_of(
    game: hr.Game, player: str | None, plays: int, pictured: DrawInParts | None = None
) -> Moment:
    """What a player, or a spectator, saw of a game after a number of plays.

    Args:
        game: the game in the language of the seat.
        player: the player of the seat; None for a spectator.
        plays: how many plays there were; at most those of the game.
        pictured: draws the board in parts.

    Raises:
        BadArgument: the game has not so many plays.
    """
    if plays > len(game.moves):
        raise hr.BadArgument("plays", plays, f"a number from 0 to {len(game.moves)}")
    then = game.back(len(game.moves) - plays)
    view = then.view(player, since=max(plays - 1, 0))
    return {
        "plays": plays,
        "phase": "" if then.is_over else then.phase_title,
        "board": _board(then, player) if pictured is None else "",
        "picture": None if pictured is None else pictured(then, player, view)[0],
        "facts": str(evolve(view, log=())),
        "log": list(log_entries(view.log)),
    }


def preview_of(game: hr.Game, player: str, text: str) -> list[str]:
    """The changes that an action of a player makes for certain, as sentences: those that the board shows.

    Raises:
        HotsError: the text is no action, or the player may not choose it now.
    """
    return hr.draw.effects_on_board(game, game.preview(text, player))


def about(game: hr.Game, player: str | None, words: str) -> str:
    """What a thing is, and what the player can do with it, or why nothing; all of it, without a player.

    Raises:
        UnreadableQuestion: nothing is known by these words.
    """
    answers = (told_of(game, line, player) for line in (words, f"why not {words}"))
    texts = dict.fromkeys(filter(None, answers))
    if not texts:
        raise hr.UnreadableQuestion(words[:MAX_SHOWN_LENGTH])
    return "\n".join(texts)


def rules_of_section(rules: hr.Ruleset, section: str) -> SectionRules:
    """The heading of a section, and the sentences of the rules that cite it.

    Raises:
        UnknownName: no rule cites such a section.
    """
    headings = hr.explain.section_headings(rules)
    cited = hr.explain.declarations_citing(rules, section)
    if not cited and section not in headings:
        raise hr.UnknownName("section", section, headings)
    sentences: list[Sentence] = [
        {"name": declaration.name, "text": declaration.wording or declaration.summary}
        for declaration in cited
        if section in declaration.sections and (declaration.wording or declaration.summary)
    ]
    return {"section": section, "heading": headings.get(section, ""), "rules": sentences}


def settings_of(rules: hr.Ruleset) -> list[Setting]:
    """The options and readings of a ruleset, with their values and the scenarios for which they are; none for all."""
    return [
        {
            "name": setting.name,
            "kind": setting.kind,
            "text": setting.summary or setting.name,
            "sections": setting.sections,
            "values": setting.values,
            "texts": setting.summaries or [str(value) for value in setting.values],
            "default": setting.default,
            "scenarios": setting.scenarios,
        }
        for setting in (*rules.options.values(), *rules.readings.values())
    ]
