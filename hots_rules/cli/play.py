"""`hots play`: one game, told as it goes."""

from __future__ import annotations

from pathlib import Path
from secrets import randbelow
from typing import Annotated, Any

import typer

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.arguments import (
    AsJson,
    Language,
    OptionChoices,
    ReadingChoices,
    RulesetName,
    ScenarioName,
    chosen,
    player_of,
    seed_as_given,
)
from hots_rules.cli.console import complain, say, say_json
from hots_rules.cli.opening import opened
from hots_rules.cli.opponent import Opponent
from hots_rules.cli.seat import Seat
from hots_rules.cli.table import by_chance, say_standing, say_steps, standing_json, step_json


def play(
    ruleset: RulesetName,
    scenario: ScenarioName,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="The seed of all luck; a new one if left out.")
    ] = None,
    side: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="Play this side yourself.")
    ] = None,
    against: Annotated[
        Opponent, typer.Option(help="Who plays the other sides; a bot sees what its side may.")
    ] = Opponent.RANDOM,
    option: OptionChoices = None,
    reading: ReadingChoices = None,
    save: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep a record of the game.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Tell the end alone.")] = False,
    language: Language = "en",
    as_json: AsJson = False,
) -> None:
    """Play a game: both sides by chance, or one of them yourself."""
    if as_json and side is not None:
        raise typer.BadParameter("expected --json without --side", param_hint="--json")
    if against is not Opponent.RANDOM and side is None:
        raise typer.BadParameter("expected --side with --against", param_hint="--against")
    if save is not None and not save.parent.is_dir():
        raise typer.BadParameter(f"expected a folder at `{save.parent}`", param_hint="--save")
    book = opened(ruleset)
    player = None if side is None else player_of(book, side)
    begun = book.start(
        scenario,
        seed=str(randbelow(1_000_000)) if seed is None else seed,
        options=chosen(book, "option", option),
        readings=chosen(book, "reading", reading),
    )
    match = _Match(begun, save, language, sync=player is not None)
    try:
        if as_json:
            say_json(match.as_json(quiet))
        elif player is None:
            match.watch(quiet)
        else:
            match.sit_down(player, quiet, against)
    finally:
        match.keep()


class _Match:
    """A game from its first decision to its last, kept in a file action by action, whatever happens."""

    def __init__(self, game: hr.Game, save: Path | None, language: str, *, sync: bool) -> None:
        game.notation(language)
        self.game = game
        self._language = language
        self._save = save
        self._journal = None if save is None else hr.Journal(save, game, sync=sync)

    def _stand(self, game: hr.Game) -> None:
        self.game = game
        if self._journal is not None:
            self._journal.add(game)

    def watch(self, quiet: bool) -> None:
        """Both sides by chance, told line by line."""
        story = hr.GameLog(language=self._language)
        _introduce(self.game, self._language)
        while not self.game.is_over:
            before = self._go_on()
            if not quiet:
                say_steps(story.tell(before, self.game))
        say_standing(self.game, self._language)

    def as_json(self, quiet: bool) -> dict[str, Any]:
        """Both sides by chance, as one document."""
        story, told = hr.GameLog(language=self._language), []
        while not self.game.is_over:
            before = self._go_on()
            if not quiet:
                told += [step_json(step) for step in story.tell(before, self.game)]
        return {
            "ruleset": self.game.ruleset.name,
            "scenario": self.game.scenario,
            "seed": seed_as_given(self.game.seed),
            "options": self.game.options,
            "readings": self.game.readings,
            "decisions": len(self.game.moves),
            **standing_json(self.game, self._language),
            "position": self.game.position,
            **({} if quiet else {"story": told}),
        }

    def sit_down(self, player: str, quiet: bool, against: Opponent) -> None:
        """One side by a person, the others by chance or by a bot."""
        _introduce(self.game, self._language)
        Seat(self.game, player, quiet, self._stand, self._language, against).play()
        say_standing(self.game, self._language)

    def _go_on(self) -> hr.Game:
        before = self.game
        self._stand(before.play(by_chance(before)))
        return before

    def keep(self) -> None:
        """Seals the record, if somebody wants it."""
        if self._journal is not None:
            self._journal.close()
            complain(f"the record is in `{self._save}`; `hots replay` reads it")


def _introduce(game: hr.Game, language: str) -> None:
    title = game.ruleset.scenario_title(game.scenario, language)
    said = translator(language).gettext(
        "{ruleset}: {scenario}, seed {seed}",
        ruleset=game.ruleset.title,
        scenario=title,
        seed=game.seed,
    )
    say(said, "bold")
