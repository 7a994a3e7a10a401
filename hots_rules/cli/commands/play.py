"""`hots play`, `hots repl`: a game played at random or at the prompt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import typer
from attrs import asdict, frozen

import hots_rules as hr
from hots_rules._options import NEEDED, argument, option
from hots_rules._translate import translator
from hots_rules.cli import arguments as args
from hots_rules.cli.exits import fail_if
from hots_rules.cli.output.console import echo, echo_error, echo_json, progress_bar
from hots_rules.cli.output.game import echo_status, echo_steps, game_as_json
from hots_rules.cli.prompt.line_reader import is_interactive, line_reader, transcript_reader
from hots_rules.cli.prompt.match import Match, Opponent, random_action
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game


@frozen(kw_only=True)
class PlayPlan(args.SettingArguments):
    """What is played, by whom, and what is kept of it."""

    ruleset: str = argument(NEEDED, args.RULESET, "RULESET")
    scenario: str | None = argument(None, args.OWN_SCENARIO, "SCENARIO")
    seed: str | None = option(None, "Random seed. [default: a new one]", metavar="SEED")
    side: str | None = option(None, "Play this side yourself, on a whole screen.", metavar="PLAYER")
    against: str | None = option(
        None,
        "Opponent of --side: a policy of the ruleset such as `english-attack`, a bot (`monte-carlo`, `ismcts`, or one "
        "of a package), or `random`. [default: the policy tuned for the other side, else `random`]",
        metavar="POLICY|BOT",
    )
    auto: str | None = option(
        None, "With --side: a policy that settles details for you; see `auto`.", metavar="POLICY"
    )
    prompt: bool = option(False, "With --side: line by line, not on a whole screen.")
    save: Path | None = option(None, "Write a record of the game.", metavar="FILE")
    texts: bool = option(False, "With --save: store the rules in the record, too.")
    quiet: bool = option(False, "Print only the result.")

    def check(self, *, as_json: bool) -> None:
        """Refuse options that do not go together.

        Raises:
            typer.BadParameter: some do not.
        """
        plays = self.side is not None
        if as_json and plays:
            raise typer.BadParameter("--json cannot be used with --side", param_hint="--json")
        if self.against is not None and not plays:
            raise typer.BadParameter("--against needs --side", param_hint="--against")
        if self.auto is not None and (not plays or self.prompt):
            raise typer.BadParameter("--auto needs --side and no --prompt", param_hint="--auto")
        if self.texts and self.save is None:
            raise typer.BadParameter("--texts needs --save", param_hint="--texts")
        if self.save is not None and not self.save.parent.is_dir():
            fault = f"there is no folder `{self.save.parent}`"
            raise typer.BadParameter(fault, param_hint="--save")


def play(plan: PlayPlan, output: args.Output, reader: args.Reader) -> None:
    """Play a game with random moves, or one side of it yourself."""
    plan.check(as_json=output.as_json)
    rules = reader.load_ruleset(plan.ruleset, output.language)
    opponent = Opponent("") if plan.against is None else Opponent.named(plan.against, rules)
    player = args.parse_side(rules, plan.side)
    options, readings = plan.of(rules)
    game = rules.start(
        plan.scenario or rules.scenarios[0], seed=plan.seed, options=options, readings=readings
    )
    recorded_play = _RecordedPlay(game, plan, sync=player is not None)
    try:
        if output.as_json:
            echo_json(recorded_play.play_as_json(plan.quiet))
        elif player is None:
            recorded_play.play(plan.quiet)
            if not plan.quiet:
                echo_error(_how_to_play_a_side(rules))
        elif is_interactive() and not (plan.prompt or plan.quiet):
            recorded_play.play_on_screen(player, opponent, plan.auto)
        else:
            recorded_play.play_match(player, plan.quiet, opponent)
    finally:
        recorded_play.close()


def _how_to_play_a_side(rules: hr.Ruleset) -> str:
    sides = " or ".join(f"`--side {player}`" for player in rules.players)
    return f"all moves were random; to play yourself, add {sides}"


class _RecordedPlay:
    """A game as it is played, with each action written to a record at once."""

    def __init__(self, game: hr.Game, plan: PlayPlan, *, sync: bool) -> None:
        self.game = game
        self._plan = plan
        self._journal = (
            None if plan.save is None else hr.Journal(plan.save, game, sync=sync, texts=plan.texts)
        )

    def advance(self, game: hr.Game) -> None:
        """Switch to the next state, and record it."""
        self.game = game
        if self._journal is not None:
            self._journal.add(game)

    def close(self) -> None:
        """Seal the record, if there is one."""
        if self._journal is not None:
            self._journal.close()
            file, ruleset = self._plan.save, self._plan.ruleset
            given = "" if ruleset in hr.rulesets() else f" --ruleset {ruleset}"
            given = " --content pinned" if self._plan.texts else given
            echo_error(f"record written to `{file}`; read it with `hots replay {file}{given}`")

    # -------------------------------------------------------------- ways to play
    def play(self, quiet: bool) -> None:
        """Play random moves for all sides, and print the log and the result."""
        self._echo_title()
        for step in self._play_unseen(quiet) if quiet else self._play_out(quiet):
            echo_steps([step])
        echo_status(self.game)

    def play_as_json(self, quiet: bool) -> dict[str, object]:
        """Play random moves for all sides; return the game as JSON data."""
        story = [asdict(step) for step in self._play_unseen(quiet)]
        return {**game_as_json(self.game), **({} if quiet else {"story": story})}

    def _play_unseen(self, quiet: bool) -> list[hr.observe.Step]:
        """The steps of a random game of which nothing is printed before its end."""
        with progress_bar("decisions") as update:
            return [*self._play_out(quiet, update)]

    def _play_out(
        self, quiet: bool, on_play: Callable[[int], None] = lambda _: None
    ) -> Iterator[hr.observe.Step]:
        """Play random actions to the end of the game; yield the steps of its log, unless quiet."""
        log = hr.explain.GameLog()
        while not self.game.is_over:
            before = self.game
            self.advance(before.play(random_action(before)))
            on_play(len(self.game.moves))
            if not quiet:
                yield from log.describe(before, self.game)

    def play_match(self, player: str, quiet: bool, against: Opponent) -> None:
        """Let a person play one side at the prompt."""
        self._echo_title()
        match = Match(self.game, player, against, quiet=quiet, on_change=self.advance)
        match.begin()
        if match.game.is_over:
            self._echo_had_no_choice(player)
        else:
            Repl(match).run(line_reader())
        echo_status(self.game)

    def play_on_screen(self, player: str, against: Opponent, auto: str | None) -> None:
        """Let a person play one side on a screen of the terminal."""
        from hots_rules.cli.screen.seat import Seat
        from hots_rules.cli.screen.terminal import Terminal

        seat = Seat(self.game, player, against, auto=auto, on_change=self.advance)
        seat.begin()
        had_choice = not seat.game.is_over
        Terminal(seat).run()
        self._echo_title()
        if not had_choice:
            self._echo_had_no_choice(player)
        echo_status(self.game)

    def _echo_had_no_choice(self, player: str) -> None:
        """Say that a game ended before a player had any choice, such as a player who is not in its scenario."""
        t = translator(self.game.language)
        [name] = self.game.ruleset.labels.players_named((player,))
        echo(t.gettext("{player} had nothing to choose in this game", player=name))

    def _echo_title(self) -> None:
        title = translator(self.game.language).gettext(
            "{ruleset}: {scenario}, seed {seed}",
            ruleset=self.game.ruleset.title,
            scenario=self.game.ruleset.scenario_title(self.game.scenario),
            seed=self.game.seed,
        )
        echo(title, "bold")


@frozen(kw_only=True)
class PromptPlan(args.SettingArguments):
    """Where the prompt begins, and what is typed."""

    ruleset: str = argument(
        "", "Ruleset to start with. [default: the last of `hots list`]", "RULESET"
    )
    file: Path | None = option(None, args.LINES, metavar="FILE", is_file=True)
    scenario: str = option(
        "", "Scenario to start with. [default: the ruleset's first]", metavar="SCENARIO"
    )


def repl(plan: PromptPlan, language: args.Language = "en", *, reader: args.Reader) -> None:
    """Open a prompt to set up positions, play, and query the rules.

    Without a terminal or with --file, the exit status is 1 if a line could not be executed.
    """
    rules = reader.load_ruleset(plan.ruleset or [*hr.rulesets()][-1], language)
    options, readings = plan.of(rules)
    game = new_game(rules, plan.scenario, None, options, readings)
    prompt = Repl(Session(game), plan.ruleset)
    if plan.file is None and is_interactive():
        echo(f"{game.ruleset.name}: type `help` for the commands")
        prompt.run(line_reader(history="repl"))
        return
    lines = reader.read_text(plan.file).splitlines() if plan.file else None
    prompt.run(line_reader() if lines is None else transcript_reader(lines))
    fail_if(prompt.failures)
