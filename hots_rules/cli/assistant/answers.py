"""The answers of the tools as text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO

import hots_rules as hr
from hots_rules._text import with_signs
from hots_rules.cli.assistant.games import Games, ViewedGame
from hots_rules.cli.output.battle import echo_battles

MAX_ACTIONS = 100  # in a list
MAX_HITS = 8
MAX_TRIES = 1_000  # games that a bot plays to choose
MAX_ROWS = 40  # of a table of differences
SECONDS = 20.0  # for odds, after which outcomes are sampled
STATES, SAMPLES = 200_000, 5_000  # of odds: as many states are exact, for more there are samples


def require_full_view(viewed: ViewedGame, tool: str) -> None:
    """Refuse a tool that reads the whole state, of a game that one player sees.

    Raises:
        BadArgument: the game is seen by one player only.
    """
    if viewed.player is not None:
        needed = f"a game that is not seen by one player only: `{tool}` reads what is hidden"
        raise hr.BadArgument("game", f"a game seen by {viewed.player}", needed)


# ---------------------------------------------------------------- rules
def rulesets(games: Games, name: str = "") -> str:
    """The installed rulesets with their scenarios, without compiling any; for one ruleset also players and options.

    Raises:
        UnknownName: there is no ruleset of that name.
        RulesetError: it has faults.
    """
    lines, titles = [], hr.scenarios()
    rules = games.ruleset(name) if name else None
    for listed, title in hr.rulesets().items():
        if rules is not None and listed != name:
            continue
        lines.append(f"{listed}: {title}")
        if rules is not None:
            lines.append(f"  players: {', '.join(rules.players)}")
            for option, setting in rules.options.items():
                lines.append(f"  option {option}: {', '.join(map(str, setting.values))}")
        for scenario, words in titles.get(listed, {}).items():
            lines.append(f"  scenario {scenario}: {words}")
    return "\n".join(lines)


def search(rules: hr.Ruleset, words: str) -> str:
    """The hits of a search."""
    findings = hr.talk.find(rules, words, limit=MAX_HITS)
    parts = [findings.note, *map(str, findings.hits), *findings.near]
    return "\n".join(part for part in parts if part)


def cards_or_rules(of: hr.Ruleset | hr.Game, name: str, player: str | None) -> str:
    """The cards of a name, or the rules of a section.

    Raises:
        UnknownRule: nothing has the name.
    """
    rules = of.ruleset if isinstance(of, hr.Game) else of
    cards = [str(card) for card in hr.talk.cards(of, name, player=player)]
    if cards:
        return "\n\n".join(cards)
    declared = hr.explain.find_declarations(rules, name)
    return "\n".join(
        f"{declaration.name}: {declaration.summary}"
        for declaration in declared
        if declaration.summary
    )


def differences(older: hr.Ruleset, newer: hr.Ruleset, section: str) -> str:
    """How two rulesets differ: a summary, or the rows of a section."""
    table = hr.compare.table(older, newer)
    if not section:
        return "\n".join(table.summaries())
    rows = [row for part in table.within(section.strip().lstrip("§")).shown() for row in part.rows]
    lines = []
    for row in rows[:MAX_ROWS]:
        lines.append(f"{row.title} ({row.changes})")
        lines += [f"  {note}" for note in row.notes]
        cells = zip((older.name, newer.name), row.cells, strict=False)
        lines += [f"  {name}: {' '.join(cell)}" for name, cell in cells]
    if len(rows) > MAX_ROWS:
        lines.append(f"… and {len(rows) - MAX_ROWS} more; ask for a smaller section")
    return "\n".join(lines) or f"no difference in §{section}"


def battle_odds(battle: hr.talk.Battle) -> str:
    """The odds of a hypothetical battle, as the command line prints them."""
    with redirect_stdout(StringIO()) as printed:
        echo_battles([battle])
    return printed.getvalue()


# ---------------------------------------------------------------- a game
def game_text(viewed: ViewedGame) -> str:
    """A game as its player may know it; without a player, the whole position."""
    game = viewed.game
    if game.is_over:
        status = str(game.outcome or "the game is over")
    else:
        players = ", ".join(game.ruleset.labels.players_named(game.to_move))
        status = f"to choose: {players}, in {game.phase_title}"
    whose = "the whole table" if viewed.player is None else f"seen by {viewed.player}"
    head = f"{game.ruleset.name}, {game.scenario or 'a position'}, {whose}\n{status}"
    state = game.position if viewed.player is None else "\n".join(_board(game, viewed.player))
    return f"{head}\n{state}".rstrip()


def _board(game: hr.Game, player: str) -> Iterator[str]:
    """What a player sees, by section."""
    for section in hr.explain.render_board(game, player):
        yield from ([f"[{section.title}]"] if section.title else [])
        yield from (f"{name}: {text}" for name, text in section.rows)


def legal_actions(viewed: ViewedGame, words: str) -> str:
    """The legal actions with some words, one a line."""
    wanted = [word.strip() for word in words.split(",") if word.strip()]
    actions = hr.explain.find_actions(viewed.game, wanted, player=viewed.player)
    lines = [f"{len(actions)} legal actions", *(action.text for action in actions[:MAX_ACTIONS])]
    if len(actions) > MAX_ACTIONS:
        lines.append(f"… and {len(actions) - MAX_ACTIONS} more; name words that they contain")
    return "\n".join(lines)


def answer(viewed: ViewedGame, question: str) -> str:
    """The answer to a question that the ruleset declares, or to a sentence.

    Raises:
        UnreadableQuestion: it is not understood.
    """
    understood = hr.talk.understand(question, viewed.game, viewed.player)
    if isinstance(understood, hr.talk.Which):
        return "ask one of these: " + "; ".join(understood.lines)
    if isinstance(understood, hr.talk.Question):
        return str(hr.talk.answer(understood))
    return str(viewed.game.ask(question, player=viewed.player))


def edition_answers(game: hr.Game, question: str) -> str:
    """What each edition answers."""
    table = hr.ask(game, question)
    lines = ["all editions agree" if table.agree else "the editions differ"]
    for edition_answer in table.answers:
        cited = with_signs(citation.section for citation in edition_answer.cited)
        lines.append(
            f"{edition_answer.edition}: {edition_answer.verdict} {' '.join(edition_answer.lines)} {cited}".rstrip()
        )
    return "\n".join(lines)


def bot_choice(viewed: ViewedGame, bot: str, player: str) -> str:
    """The text of the action that a bot chooses for a player.

    Raises:
        ArgumentError: there is no such bot, its budget is too large, or the player is not to choose, or not the one
            who sees the game.
        HotsError: the bot fails.
    """
    game = viewed.game
    chooser = player or viewed.player or next(iter(game.to_move), "")
    if viewed.player not in (None, chooser):
        raise hr.BadArgument("player", player, allowed=(viewed.player,))
    if chooser not in game.to_move or chooser not in game.ruleset.players:
        raise hr.BadArgument("player", chooser, allowed=game.to_move)
    _, _, budget = bot.partition(":")
    if budget.isdigit() and int(budget) > MAX_TRIES:
        needed = f"a number from 1 to {MAX_TRIES}"
        raise hr.BadArgument("budget", budget[:20], needed)
    # A bot of a package gets a world that is possible for the player, so that it cannot read the real game.
    [world] = [game] if viewed.player is None else game.worlds(chooser, 1)
    return hr.analysis.make_bot(bot, ruleset=world.ruleset).choose(world, chooser).text


def odds(game: hr.Game, action: str, until: str, policy: str, question: str) -> str:
    """The odds as JSON."""
    computed = game.odds(
        action or None,
        until=until,
        policy=policy or None,
        states=STATES,
        seconds=SECONDS,
        samples=SAMPLES,
    )
    return json.dumps(computed.as_json(*([question] if question else [])), indent=1)
