"""The prompt of `hots debug`: commands that go through a game, each with a reply as text or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs
import typer

import hots_rules as hr
from hots_rules.cli.output.console import echo
from hots_rules.cli.places import path_from_here
from hots_rules.cli.prompt.line_reader import LineReader
from hots_rules.cli.prompt.next_word import NextWord

Reply = dict[str, object]
MAX_LINE = 4_000  # characters of a command
MAX_TIMES = 1_000_000  # steps of one command
COMMANDS = {
    "step [N]": "Do the next step, or the next N.",
    "next": "Go on past all that the current step leads to.",
    "continue": "Go on to the next breakpoint, or to the end.",
    "break [PLACE]": "Stop at a rule, action, phase, event or variable, at `§4.3`, or `if CONDITION`; "
    "without a place, list the breakpoints.",
    "delete N": "Remove a breakpoint.",
    "back [N]": "Go back by a step, or by N.",
    "goto N": "Go to the first step of play N.",
    "where": "Show what led to the current step, and the names that `print` knows here.",
    "print EXPRESSION": "Show the value of an expression now, and before the current step if it was another.",
    "state [WORDS]": "Show the position, or its lines that have the words.",
    "list": "Show the text of the current rule.",
    "help": "Show this help.",
    "quit": "Leave the debugger.",
}
NAMES = tuple(usage.split()[0] for usage in COMMANDS)


class Debugger:
    """A prompt over a stepper; `failures` counts the lines that could not be executed."""

    def __init__(self, stepper: hr.explain.Stepper, near: Path | None, *, as_json: bool) -> None:
        self.stepper = stepper
        self._near = near  # the ruleset, or a file beside it
        self.failures = 0
        self._as_json = as_json

    # -------------------------------------------------------------- lines
    def run(self, read_line: LineReader) -> None:
        """Execute lines until the input ends or one ends it; Ctrl-C ends a command, or discards what is typed."""
        while True:
            try:
                line = read_line("" if self._as_json else "debug> ", NAMES, _next_words)
            except EOFError:
                return
            except KeyboardInterrupt:
                continue
            if not self.execute(line):
                return

    def execute(self, line: str) -> bool:
        """Execute a line and print its reply; False if it ends the session."""
        name, _, text = line[:MAX_LINE].split("#")[0].strip().partition(" ")
        if not name:
            return True
        command = next((candidate for candidate in NAMES if candidate.startswith(name.lower())), "")
        if command == "quit":
            return False
        try:
            self._reply(command, self._run(command or name, text.strip()))
        except KeyboardInterrupt:
            self._say("interrupted")
        except typer.BadParameter as error:
            self._fail(error.message)
        except hr.HotsError as error:
            self._fail(str(error))
        return True

    def _run(self, command: str, text: str) -> Reply:
        match command:
            case "step":
                return self._repeated(self.stepper.step, text)
            case "back":
                return self._repeated(self.stepper.back, text)
            case "next":
                return self._moment(self.stepper.next())
            case "continue":
                return self._moment(self.stepper.run())
            case "goto":
                return self._moment(self.stepper.go_to(_number(text)))
            case "where":
                causes = [self._as_data(cause) for cause in self.stepper.causes()]
                return {"where": causes, "names": self.stepper.names()}
            case "print":
                return self._value(text)
            case "state":
                lines = self.stepper.position().splitlines()
                return {"state": [line for line in lines if text.casefold() in line.casefold()]}
            case "list":
                return {"text": self._source()}
            case "break":
                if text:
                    self.stepper.add_break(text)
                return {
                    "breakpoints": {
                        n: str(breakpoint_) for n, breakpoint_ in self.stepper.breakpoints.items()
                    }
                }
            case "delete":
                return self._deleted(_number(text))
            case "help":
                return {"help": dict(COMMANDS)}
        raise hr.UnknownName("command", command[:60], NAMES)

    # -------------------------------------------------------------- commands
    def _repeated(self, move: Callable[[], hr.explain.Moment | None], text: str) -> Reply:
        moment = None
        for _ in range(_number(text) if text else 1):
            moment = move()
            if moment is None:
                break
        return self._moment(moment)

    def _moment(self, moment: hr.explain.Moment | None) -> Reply:
        if moment is not None:
            return {"moment": self._as_data(moment)}
        game = self.stepper.game
        at_end = self.stepper.is_at_end
        return {"moment": None, "at": "end" if at_end else "beginning", "plays": len(game.moves)}

    def _as_data(self, moment: hr.explain.Moment) -> Reply:
        file, colon, line = moment.place.rpartition(":")
        place = (
            moment.place if self._near is None else path_from_here(file, self._near) + colon + line
        )
        return {"text": str(moment), **attrs.asdict(moment), "place": place}

    def _value(self, text: str) -> Reply:
        if not text:
            raise typer.BadParameter("expected an expression, such as `print year`")
        value = self.stepper.value(text)
        try:
            before = self.stepper.value(text, before=True)
        except hr.EngineError:
            before = ""
        return {"value": value, "before": before}

    def _source(self) -> str:
        moment = self.stepper.moment
        if moment is None or not moment.step.rule:
            return ""
        book = self.stepper.game.ruleset.rulebook
        of_rule = [
            entry
            for entry in book.entries.values()
            if entry.name == moment.step.rule and entry.edition == moment.step.edition
        ]
        return "\n\n".join(hr.explain.source_of(book, entry) for entry in of_rule)

    def _deleted(self, number: int) -> Reply:
        if self.stepper.breakpoints.pop(number, None) is None:
            numbers = tuple(map(str, self.stepper.breakpoints))
            raise hr.UnknownName("breakpoint", number, numbers)
        return self._run("break", "")

    # -------------------------------------------------------------- replies
    def _reply(self, command: str, reply: Reply) -> None:
        if self._as_json:
            sys.stdout.write(json.dumps({"command": command, **reply}, ensure_ascii=False) + "\n")
            sys.stdout.flush()
            return
        for line in _lines(reply):
            echo(line)

    def _fail(self, message: str) -> None:
        self.failures += 1
        self._say(message)

    def _say(self, message: str) -> None:
        if self._as_json:
            self._reply("", {"error": message})
        else:
            echo(message, "yellow")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:9]) <= MAX_TIMES):
        raise typer.BadParameter(f"expected a number above 0, got `{text[:60]}`")
    return int(text[:9])


def _next_words(line: str) -> Sequence[NextWord]:
    return (
        []
        if " " in line
        else [NextWord(name, len(line)) for name in NAMES if name.startswith(line)]
    )


def _lines(reply: Reply) -> list[str]:
    """A reply as lines of text."""
    match reply:
        case {"moment": None, "at": at, "plays": plays}:
            return [f"at the {at} of {plays} plays"]
        case {"moment": dict(moment)}:
            return [_moment_line(moment)]
        case {"where": list(causes), "names": dict(names)}:
            names_line = [
                f"names: {', '.join(f'{name} = {value}' for name, value in names.items())}"
            ]
            return [*map(_moment_line, causes), *(names_line if names else [])]
        case {"value": value, "before": before}:
            return [f"{value} (before: {before})" if before not in ("", value) else str(value)]
        case {"breakpoints": dict(breakpoints)}:
            return [f"{number}  {text}" for number, text in breakpoints.items()] or [
                "no breakpoints"
            ]
        case {"help": dict(rows)}:
            return [f"{usage:{max(map(len, rows))}}  {summary}" for usage, summary in rows.items()]
        case {"state": []}:
            return [
                "no line of the position has these words; an entry with its first value has no line"
            ]
        case {"state": list(lines)}:
            return [str(line) for line in lines]
    return [str(reply["text"])]


def _moment_line(moment: Reply) -> str:
    depth = moment["depth"]
    assert isinstance(depth, int)
    return f"{moment['play']:>4}  {'  ' * depth}{moment['text']}  {moment['place']}".rstrip()
