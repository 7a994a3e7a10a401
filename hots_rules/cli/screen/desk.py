"""What a screen shows and what a typed line does, without the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO

import typer

import hots_rules as hr
from hots_rules._text import with_signs
from hots_rules._translate import Translator
from hots_rules.cli.output.rulebook import without_parameters
from hots_rules.cli.prompt.next_word import NextWord, names_at_end
from hots_rules.cli.prompt.repl import QUIT, Repl
from hots_rules.cli.screen.choices import Grouping, ListedChoice
from hots_rules.cli.screen.layout import (
    Fragments,
    Frame,
    ScreenContent,
    counted,
    page_of,
    screen,
    takes,
)
from hots_rules.cli.screen.seat import Seat, Stuck

SHORT = 2  # lines of an answer that need no page
EFFECTS = 3  # that a preview tells


@contextmanager
def _printed() -> Iterator[StringIO]:
    """What a block prints, messages and signs of work included: nothing else may write on the screen."""
    with redirect_stdout(StringIO()) as printed, redirect_stderr(printed):
        yield printed


class Desk:
    """The screen of one player's match.

    Attributes:
        seat: the match.
        typed: the line as it is typed.
        message: a refusal or a short answer.
        frame: the room for the screen.
    """

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.typed = ""
        hint = seat.t.gettext(
            "type a number, or words of a choice; `?` helps, Esc goes back, `undo` takes back"
        )
        self.message = "; ".join([*seat.opponents, hint])
        self._repl = Repl(seat)
        self._chosen: list[ListedChoice] = []
        self._page: list[str] = []
        self._page_at = 0
        self._choices_page = 0
        self._is_map_wanted = False
        self.frame = Frame()
        self._previews: dict[tuple[int, int], str] = {}
        self._commands = dict(self._named_commands(seat.t))

    def _named_commands(self, t: Translator) -> Iterator[tuple[str, Callable[[str], None]]]:
        """The commands of the screen by name, in the language of the game and in English."""
        for names, run in (
            (("auto", t.gettext("auto")), self._auto),
            (("log", t.gettext("log")), self._show_log),
            (("map", t.gettext("map")), self._toggle_map),
            (("undo", t.gettext("undo")), self._undo),
            (("help", hr.talk.name_in(t.gettext("help [COMMAND]"))), self._show_help),
        ):
            yield from ((name, run) for name in names)

    # -------------------------------------------------------------- what is shown
    @property
    def t(self) -> Translator:
        """The translator into the language of the game."""
        return self.seat.t

    @property
    def rows(self) -> list[Fragments]:
        """The rows of the screen."""
        return screen(self.shown)

    @property
    def shown(self) -> ScreenContent:
        """What the screen shows now."""
        seat = self.seat
        return ScreenContent(
            seat.game,
            seat.player,
            self.choices,
            seat.news,
            self.message or self._previews.get(self._preview_key, ""),
            self._page,
            self._page_at,
            self._targets,
            seat.auto,
            seat.against,
            self._is_map_wanted,
            self.frame,
        )

    @property
    def actions(self) -> tuple[hr.Action, ...]:
        """The actions of the group that was chosen, or all."""
        return self._chosen[-1].actions if self._chosen else tuple(self.seat.actions)

    @property
    def choices(self) -> tuple[ListedChoice, ...]:
        """The numbered choices: those that the typed words leave, if they leave any."""
        if self.seat.game.is_over:
            return ()
        grouping = Grouping(self.seat.game.ruleset, self.frame.width, self._counters)
        return grouping.choices(self._matching_typed or self.actions, self._choices_page)

    @property
    def _counters(self) -> dict[tuple[str, str], int]:
        """The counters of the status, such as the points left of a place, by the type and the name of a value."""
        game = self.seat.game
        remaining: dict[tuple[str, str], int] = {}
        for name in hr.draw.board_of(game.ruleset).status.counters:
            variable = game.ruleset.schema.variables.get(name)
            if variable is not None and len(variable.keys) == 1:
                shown = game.view(self.seat.player).state[name]
                type_ = str(variable.keys[0])
                remaining |= {
                    (type_, key): n for key, n in shown.items() if isinstance(n, int) and n
                }
        return remaining

    @property
    def _matching_typed(self) -> tuple[hr.Action, ...]:
        """The actions that match the last part of the typed line; none if it is a number, which names a choice."""
        part = self.typed.rpartition(";")[2].rpartition(",")[2]
        return () if part.strip().isdecimal() else hr.talk.narrowed(self.actions, part)

    @property
    def at_hand(self) -> tuple[hr.Action, ...]:
        """The actions that the typed line means: those of the number in it, or of its words."""
        number = self.typed.strip()
        if number.isascii() and number.isdecimal():
            choice = self._numbered(number)
            return () if choice is None else choice.actions
        return self._matching_typed if self.typed.strip() else self.actions

    @property
    def _targets(self) -> frozenset[str]:
        """The areas to which the actions at hand lead, unless these are all."""
        if self.seat.game.is_over or len(self.at_hand) == len(self.seat.actions):
            return frozenset()
        areas = hr.draw.board_of(self.seat.game.ruleset).areas
        named = (
            [value for value in action.args.values() if value in areas] for action in self.at_hand
        )
        return frozenset(values[-1] for values in named if values)

    def next_words(self, line: str) -> list[NextWord]:
        """The words that may come next in a line."""
        words = self._repl.completer()(line)
        own = [name for name in self._commands if " " not in line and name.startswith(line.lower())]
        if line.lower().startswith("auto "):
            policies = (*hr.analysis.named_policies(self.seat.game.ruleset), self._off)
            return [*names_at_end(policies, line[5:], is_whole=True)]
        return [*words, *(NextWord(name, len(line)) for name in own if line)]

    # -------------------------------------------------------------- previews
    @property
    def _preview_key(self) -> tuple[int, int]:
        actions = self.at_hand if self.typed.strip() else ()
        return (len(self.seat.game.moves), actions[0].code if len(actions) == 1 else -1)

    def preview(self) -> bool:
        """Compute what the action does that the typed line means; return whether there is something new to show."""
        key, actions = self._preview_key, self.at_hand
        if key[1] < 0 or key in self._previews or self.seat.game.is_over:
            return False
        self._previews = {key: self._preview_text(actions[0])}
        return True

    def _preview_text(self, action: hr.Action) -> str:
        game = self.seat.game
        summary = game.ruleset.actions[action.name].summary
        effects: list[str] = []
        with suppress(hr.HotsError):
            effects = hr.draw.effects_on_board(game, game.preview(action, self.seat.player))
        # What the action does comes before what all actions of its name do.
        shortened = ["; ".join(effects[:number]) for number in range(EFFECTS, 0, -1) if effects]
        texts = [" ".join([summary, *shortened[:1]]).strip(), *shortened, summary]
        whole = [f"{hr.talk.label_of(action)}: {text}" for text in texts]
        return next(
            (text for text in whole if takes(text, self.frame.width) <= self.frame.news), whole[-1]
        )

    # -------------------------------------------------------------- keys
    def type(self, text: str) -> None:
        """Take the line as it is typed; it narrows the choices."""
        self.typed = text
        if text:
            self.message = ""
            self._choices_page = 0

    def back(self) -> None:
        """Go a step back: empty the line, else leave the text, else the group."""
        if self.typed:
            self.typed = ""
        elif self._page:
            self._page = []
        elif self._chosen:
            self._chosen.pop()
        self.message = ""
        self._choices_page = 0

    def scroll(self, pages: int) -> None:
        """Turn the pages of a text, or of the choices."""
        if not self._page:
            self._choices_page = max(0, self._choices_page + pages)
            return
        step = self.frame.page
        last = max(0, (len(self._page) - 1) // step * step)
        self._page_at = min(max(0, self._page_at + pages * step), last)

    def enter(self, line: str) -> bool:
        """Do what a line says; return False if the match is left."""
        line = " ".join(line.split())
        self.typed, self.message = "", ""
        if self.seat.game.is_over and not line:
            return False
        self._page, self._page_at = [], 0
        game, is_left = self.seat.game, False
        try:
            is_left = not self._do(line)
        except (typer.BadParameter, hr.HotsError, OSError) as error:
            if isinstance(error, hr.EngineError):
                raise
            self.message = error.message if isinstance(error, typer.BadParameter) else str(error)
        if is_left:
            return False
        if self.seat.game is not game:
            self._chosen = []
            self._choices_page = 0
        if self.seat.game.is_over:
            self.message = self._ending()
        return True

    def _ending(self) -> str:
        outcome = self.seat.game.outcome
        t = self.t
        ending = str(outcome) if outcome else t.gettext("the game is over; no winner is declared")
        return " ".join([ending, t.gettext("Enter leaves.")])

    def _do(self, line: str) -> bool:
        """Do what a line says; return False if the match is left."""
        choices = self.choices
        if not line:
            if len(choices) == 1:
                self._take(choices[0])
        elif line.isascii() and line.isdecimal() and len(line) < 3:
            self._take_number(line)
        elif line == "?":
            self.help()
        else:
            return self._obey(line)
        return True

    def _obey(self, line: str) -> bool:
        """Do what a line with words means; return False if it leaves the match."""
        understood = self._repl.understood(line, self._forms, self.actions)
        match understood:
            case hr.talk.Command(form, rest) if form in self._forms:
                self._commands[form.name](rest)
            case hr.talk.Command(form) if form.name == QUIT:
                return False
            case hr.talk.Action(text):
                self._play(text)
            case hr.talk.Which(actions=actions) if actions:
                self._chosen.append(ListedChoice(line, actions))
            case _:
                self._ask(line)
        return True

    @property
    def _forms(self) -> tuple[hr.talk.CommandForm, ...]:
        """The commands of the screen; they are stronger than those of the prompt."""
        usages = {self._auto: "auto [POLICY]", self._show_help: "help [COMMAND]"}
        return tuple(
            hr.talk.CommandForm(
                name,
                usages.get(run, name),
                (hr.talk.folded(name),),
                acts=run not in (self._show_help, self._show_log),
                checks=self._names_a_policy if run == self._auto else None,
            )
            for name, run in self._commands.items()
        )

    def _names_a_policy(self, text: str) -> bool:
        policies = hr.analysis.named_policies(self.seat.game.ruleset)
        return text in policies or text.lower() in ("off", self._off)

    @property
    def _off(self) -> str:
        """The word that ends a policy."""
        return self.t.gettext("off")

    def _numbered(self, number: str) -> ListedChoice | None:
        choices, index = self.choices, int(number[:3]) - 1
        return choices[index] if 0 <= index < len(choices) else None

    def _take_number(self, number: str) -> None:
        choice = self._numbered(number)
        if choice is None:
            raise typer.BadParameter(
                self.t.gettext(
                    "expected a number from 1 to {last}, got {number}",
                    last=len(self.choices),
                    number=number,
                )
            )
        self._take(choice)

    def _take(self, choice: ListedChoice) -> None:
        if choice.action is not None:
            self.seat.play(choice.action)
        elif choice.actions:
            self._chosen.append(choice)
        else:  # the choice that leads to those that are left
            self._choices_page += 1

    # -------------------------------------------------------------- lines
    def _play(self, line: str) -> None:
        """Play the choices of a line."""
        try:
            self.seat.play_line(line, self.actions)
        except Stuck as stuck:
            self.message = stuck.message

    def _ask(self, line: str) -> None:
        """Answer a command of the prompt, or a question; a long answer is a page."""
        with _printed() as printed:
            is_left = not self._repl.execute(line)
        text = printed.getvalue().strip("\n")
        lines = page_of(text)
        if len(lines) <= SHORT or is_left:
            self.message = " ".join(lines)
        else:
            self._page = lines

    # -------------------------------------------------------------- commands
    def help(self) -> None:
        """Explain what is at hand: the value that a group is about, else the actions and the keys."""
        about = self._chosen[-1].about if self._chosen else ""
        text = ""
        if about:
            with _printed() as printed:
                self._repl.execute(f"show {about.replace('_', ' ')}")
            text = printed.getvalue()
        self._page = page_of(text or self._help_text())
        self._page_at = 0

    def _help_text(self) -> str:
        game, t = self.seat.game, self.t
        lines = [f"{game.phase_title}: {game.phase_summary}", ""]
        for name in dict.fromkeys(action.name for action in self.at_hand or self.actions):
            declared = game.ruleset.actions[name]
            cited = with_signs(declared.sections)
            form = without_parameters(declared.label)
            lines.append(f"{form}: {declared.summary} ({cited})")
        signs = [hr.draw.text_board(game, self.seat.player).legend]
        return "\n".join([*lines, "", *self._keys(t), *signs, *self.seat.described_opponents])

    def _keys(self, t: Translator) -> Sequence[str]:
        return (
            t.gettext("number or words + Enter: take a choice, or open a group"),
            t.gettext("several in one line: `A, B rest; end`; Tab completes; Esc goes back"),
            t.gettext("`undo`, `auto POLICY`, `log`, `map`, `board`, `help`, `quit`"),
            t.gettext("`why not …`, `show …`, `find …`, and any question in words"),
        )

    def _show_help(self, rest: str) -> None:
        with _printed() as printed:
            self._repl.execute(f"help {rest}".strip())
        keys = "" if rest else "\n".join([*self._keys(self.t), "", ""])
        self._page = page_of(keys + printed.getvalue())

    def _show_log(self, _: str) -> None:
        self._page = page_of("\n".join(counted(self.seat.news)) or "–")
        self._page_at = max(0, len(self._page) - self.frame.page)  # the last lines, as many as fit

    def _toggle_map(self, _: str) -> None:
        self._is_map_wanted = not self._is_map_wanted

    def _undo(self, _: str) -> None:
        with _printed() as printed:
            self.seat.undo()
        self.message = printed.getvalue().strip()

    def _auto(self, name: str) -> None:
        """List the policies, or let one of them settle what it knows from now on."""
        policies = hr.analysis.named_policies(self.seat.game.ruleset)
        if name.lower() in ("off", self._off):
            self.seat.settle_by(None)
        elif name:
            self.seat.settle_by(name)
            self.seat.settle_now()
        elif policies:
            width = max(map(len, policies))
            listed = [f"{policy.name:{width}}  {policy.text}" for policy in policies.values()]
            heading = self.t.gettext(
                "`auto NAME` lets a policy make the choices that it knows; `auto {off}` ends it.",
                off=self._off,
            )
            self._page = page_of("\n".join([heading, "", *listed]))
        else:
            self.message = self.t.gettext("the ruleset has no policies")
