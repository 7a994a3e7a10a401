"""The requests of the page by name, each answered as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from attrs import define, field

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.web.answering import seat
from hots_rules.web.page_texts import words_of_the_pages
from hots_rules_playground.answers import beginnings, reader
from hots_rules_playground.answers.author import ROOT, Author
from hots_rules_playground.answers.player import Player


@define
class Session:
    """What is open in the page: a folder and a game.

    >>> import json
    >>> session = Session()
    >>> request = {"method": "open", "files": {"fox.rules": 'ruleset fox-1.0 "Fox"\\n'}}
    >>> answer = json.loads(session.answer(json.dumps(request)))
    >>> answer["result"]["rulesets"]["titles"]
    {'fox-1.0': 'Fox'}
    """

    author: Author = field(factory=Author, init=False)
    player: Player = field(factory=Player, init=False)

    def answer(self, request: str) -> str:
        """The answer to a request: its `result`, or the `error` as a sentence."""
        asked = json.loads(request)
        method = _METHODS[asked.pop("method")]
        try:
            return json.dumps({"result": method(self, **asked)})
        except hr.HotsError as error:
            return json.dumps({"error": str(error).replace(ROOT, "")})
        except RecursionError:
            return json.dumps({"error": "the answer nests too deeply; ask for less"})

    # -------------------------------------------------------------- the folder
    def open(self, files: Mapping[str, str]) -> dict[str, object]:
        """Open a folder; the answer has its faults and its rulesets."""
        self.author.open(files)
        return self.check()

    def check(self, name: str = "", text: str | None = None) -> dict[str, object]:
        """Take the text of a file as it is now; the answer has the faults and the rulesets of the folder."""
        if name:
            self.author.change(name, text)
        return {
            "faults": self.author.faults(),
            "rulesets": {"titles": self.author.titles(), "bases": self.author.bases()},
            "colours": self.author.colours(name) if name else [],
        }

    def complete(self, name: str, text: str, offset: int) -> list[dict[str, str]]:
        """What may stand at a place of a file as it is now."""
        self.author.change(name, text)
        return self.author.completions(name, offset)

    def hover(self, name: str, offset: int) -> dict[str, object] | None:
        """What is shown about a name."""
        return self.author.hover(name, offset)

    def format(self, name: str) -> str:
        """The text of a file in standard form."""
        return hr.format_rules(self.author.files[name], name)

    # -------------------------------------------------------------- rulesets
    def library(self) -> dict[str, object]:
        """What the page has to know of the library once: its version, its rulesets, the words of a game."""
        return {
            "version": hr.__version__,
            "rulesets": hr.rulesets(),
            "examples": beginnings.listed(),
            "words": words_of_the_pages(translator("en")),
        }

    def example(self, kind: str, name: str) -> dict[str, str]:
        """The files of an example, by name."""
        return beginnings.files_of(kind, name)

    def scenarios(self, ruleset: str) -> dict[str, object]:
        """The scenarios and the players of a ruleset."""
        rules = self.author.ruleset(ruleset)
        return {
            "scenarios": {name: rules.scenario_title(name) for name in rules.scenarios},
            "players": dict(zip(rules.players, rules.labels.players, strict=True)),
        }

    def find(self, ruleset: str, words: str) -> list[dict[str, object]]:
        """The declarations of a ruleset with some words."""
        return reader.found(self.author.ruleset(ruleset), words)

    def section(self, ruleset: str, section: str) -> object:
        """The rules of a section."""
        return seat.rules_of_section(self.author.ruleset(ruleset), section)

    def compare(self, old: str, new: str) -> dict[str, object]:
        """How two rulesets differ."""
        return reader.compared(self.author.ruleset(old), self.author.ruleset(new))

    # -------------------------------------------------------------- the game
    def rehearse(self) -> None:
        """Make the first game sooner, by one that nobody sees: of the ruleset of the library that is extended."""
        for base in self.author.bases().values():
            if base in hr.rulesets():
                self.player.rehearse(hr.load(base))
                return

    def start(self, ruleset: str, scenario: str, seed: str | None = None) -> dict[str, object]:
        """Begin a game."""
        return self.player.start(self.author.ruleset(ruleset), scenario, seed)

    def resume(self, ruleset: str, record: str) -> dict[str, object]:
        """Go on with a recorded game."""
        return self.player.resume(self.author.ruleset(ruleset), record)

    def again(self, ruleset: str) -> dict[str, object]:
        """Play the same actions under a ruleset as it is now."""
        return self.player.again(self.author.ruleset(ruleset))

    def look(self, seat: str | None) -> dict[str, object]:
        """Show a seat."""
        return self.player.look(seat)

    def play(self, action: str) -> dict[str, object]:
        """Play an action."""
        return self.player.play(action)

    def bot(self) -> dict[str, object]:
        """Play what a bot chooses."""
        return self.player.play_by_bot()

    def undo(self) -> dict[str, object]:
        """Take the last play back."""
        return self.player.undo()

    def preview(self, action: str) -> list[str]:
        """What an action changes for certain."""
        return self.player.preview(action)

    def why_not(self, words: str) -> str:
        """Why something is not legal."""
        return self.player.why_not(words)

    def about(self, words: str) -> str:
        """What a thing is."""
        return self.player.about(words)

    def ask(self, words: str) -> str:
        """The answer to a question, or the odds of a made-up battle."""
        return reader.asked(self.player.game, self.player.seat, words)

    def odds(self, action: str) -> str:
        """What an action of the seat may change, and how likely."""
        return reader.odds_text(self.player.game, action, self.player.seat)

    def questions(self) -> list[str]:
        """Questions that can be asked of the game."""
        return reader.examples(self.player.game)


_METHODS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        name: getattr(Session, name)
        for name in (
            *("open", "check", "complete", "hover", "format"),
            *("library", "example", "scenarios", "find", "section", "compare"),
            *("rehearse", "start", "resume", "again", "look", "play", "bot", "undo", "preview"),
            *("why_not", "about", "ask", "odds", "questions"),
        )
    }
)
