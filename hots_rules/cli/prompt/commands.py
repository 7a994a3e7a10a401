"""The commands of the prompt."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import partial
from pathlib import Path

import typer
from attrs import frozen

import hots_rules as hr
from hots_rules._files import atomic_write
from hots_rules._translate import Translator, translator
from hots_rules.cli.arguments import (
    GameSource,
    Reader,
    is_record,
    parse_all_settings,
    parse_player,
    resolve_ruleset,
)
from hots_rules.cli.output.comparison import echo_answers
from hots_rules.cli.output.console import echo, echo_report, spinner
from hots_rules.cli.output.game import echo_board
from hots_rules.cli.output.odds import echo_odds
from hots_rules.cli.output.rulebook import echo_found, echo_sections, echo_shown
from hots_rules.cli.prompt.disputes import write_dispute
from hots_rules.cli.prompt.errors import NothingRandom
from hots_rules.cli.prompt.session import Session, new_game

DEPTHS = ("sentence", "paragraph", "tree")
EVERYBODY = "everybody"
HITS = 5  # as many as a screen shows beside the question
_CLAUSE_KEYWORD = re.compile(r"(?:^|\s+)(until|policy|of)\s+", re.IGNORECASE)

Handler = Callable[[Session, str], None]


class Access(Enum):
    """When a command can be used."""

    ALWAYS = auto()
    ALL_VISIBLE = auto()  # not while the view of a player is set: it shows hidden information
    NO_MATCH = auto()  # not in a match: it changes the game or the view without an action


ARGUMENTS = "…"
"""The place of the arguments amid the words of a name."""


@frozen
class Command:
    """A command: its usage and summary in `help`, and the function that gets the text after its name.

    `wordings` are other names for it, with ` | ` between them; `…` stands for the arguments amid the words. `acts`,
    `topic` and `checks` are those of `CommandForm`.
    """

    usage: str
    summary: str
    run: Handler
    access: Access
    wordings: str = ""
    acts: bool = False
    topic: str = ""
    checks: Callable[[Session, str], bool] | None = None

    @property
    def name(self) -> str:
        """The words before the arguments."""
        return hr.talk.name_in(self.usage)

    def form(self, session: Session) -> hr.talk.CommandForm:
        """How it is typed in a session: in English and in the language of the session."""
        translators = translator("en"), session.t
        return hr.talk.CommandForm(
            self.name,
            self.usage,
            tuple(hr.talk.folded(name) for t in translators for name in self.names_in(t)),
            self.acts,
            tuple(
                (hr.talk.folded(before), hr.talk.folded(after))
                for t in translators
                for before, after in self.frames_in(t)
            ),
            self.topic,
            None if self.checks is None else partial(self.checks, session),
        )

    def names_in(self, t: Translator) -> Iterator[str]:
        """Its names that stand before the arguments, in the language of a prompt."""
        yield hr.talk.name_in(t.gettext(self.usage))
        yield from (wording for wording in self._wordings_in(t) if ARGUMENTS not in wording)

    def frames_in(self, t: Translator) -> Iterator[tuple[str, str]]:
        """Its names that stand around the arguments: the words before them and those after them."""
        for wording in self._wordings_in(t):
            before, amid, after = wording.partition(ARGUMENTS)
            if amid:
                yield before.lstrip(), after

    def _wordings_in(self, t: Translator) -> list[str]:
        return t.gettext(self.wordings).split(" | ") if self.wordings else []

    @property
    def least_words(self) -> int:
        """How many words its arguments have at least: one for each required argument."""
        return sum(word.isupper() for word in self.usage.partition("[")[0].split())

    def is_available(self, session: Session) -> bool:
        """Whether the command exists in the session: a match lacks some."""
        return not session.is_match or self.access is Access.ALWAYS

    def execute(self, session: Session, text: str) -> None:
        """Run the command with the text after its name.

        Raises:
            typer.BadParameter: the command cannot be used now, or an argument is missing.
        """
        t = session.t
        if not self.is_available(session):
            raise typer.BadParameter(
                t.gettext("`{command}` is not available while you play", command=self.name)
            )
        if self.access is Access.ALL_VISIBLE and session.viewer is not None:
            raise typer.BadParameter(
                t.gettext(
                    "`{command}` shows hidden information; type `as everybody` first",
                    command=self.name,
                )
            )
        if len(text.split()) < self.least_words:
            raise typer.BadParameter(
                t.gettext("missing argument; usage: {usage}", usage=t.gettext(self.usage))
            )
        self.run(session, text)


def N_(sentence: str) -> str:  # noqa: N802  (the usual name in gettext)
    """Mark a sentence for the catalogs without translating it yet."""
    return sentence


def command(
    usage: str,
    summary: str,
    access: Access = Access.ALWAYS,
    *,
    wordings: str = "",
    acts: bool = False,
    topic: str = "",
    checks: Callable[[Session, str], bool] | None = None,
) -> Callable[[Handler], Command]:
    """A decorator that makes a function a command; its name is the lower-case words that begin `usage`."""
    return lambda run: Command(usage, summary, run, access, wordings, acts, topic, checks)


# ---------------------------------------------------------------- playing
def _are_words_of_actions(session: Session, text: str) -> bool:
    return hr.talk.are_words_of_actions(session.game, text)


@command(
    N_("legal [WORDS]"),
    N_("List the legal actions, or those that contain all words: `legal Fox, Shore`."),
    topic="legal",
    checks=_are_words_of_actions,
)
def legal(session: Session, text: str) -> None:
    words = [word.strip() for word in text.split(",") if word.strip()]
    actions = hr.explain.find_actions(session.game, words, player=session.viewer)
    title = session.t.ngettext("{number} legal action", "{number} legal actions", len(actions))
    echo(title, "bold")
    session.show_actions(actions)


@command(
    N_("play ACTION [rolls 2 4]"),
    N_("Play an action; outcomes that are not given are random."),
    acts=True,
)
def play(session: Session, text: str) -> None:
    action, outcomes = hr.talk.split_outcomes(text)
    if not action:
        session.play("", outcomes)
        return
    try:
        session.play(session.find_action(action), outcomes)
    except hr.UnreadableAction as error:
        # `play` may also be the first word of the action itself.
        try:
            session.play(session.find_action(f"play {action}"), outcomes)
        except hr.UnreadableAction:
            raise error from None


@command(N_("undo"), N_("Take back the last change."), acts=True)
def undo(session: Session, _: str) -> None:
    session.undo()


@command(
    N_("save FILE"), N_("Write a record of the game; it contains hidden information."), acts=True
)
def save(session: Session, text: str) -> None:
    file = _without_quotes(text)
    session.game.save(file)
    echo(session.t.gettext("record written to `{file}`", file=file))


def _without_quotes(name: str) -> str:
    """The name of a file, which may stand in quotes."""
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == '"' else name


@command(N_("load FILE"), N_("Load a record or a position."), Access.NO_MATCH, acts=True)
def load(session: Session, text: str) -> None:
    game = _read_game(session, _without_quotes(text))
    session.change_to(hr.records.with_explicit_chance(game))


def _read_game(session: Session, file: str) -> hr.Game:
    own = session.game.ruleset
    reader, source = Reader(own.limits), GameSource(file=Path(file))
    content = reader.read_text(source.file)
    names_another = is_record(content) and reader.parse_record(content).ruleset != own.name
    return source.parse(reader, content, None if names_another else own)


@command(
    N_("like SCENARIO|FILE [; CHANGES]"),
    N_("Set up a position: that of a scenario or a file, with changes."),
    Access.NO_MATCH,
    acts=True,
)
def like(session: Session, text: str) -> None:
    base, _, changes = text.partition(";")
    name = _without_quotes(base.strip())
    if name.lower() not in session.game.ruleset.scenarios and Path(name).exists():
        game = _read_game(session, name).with_position_changes(changes)
    else:
        game = session.game.with_position_changes(f"like {text}")
    session.change_to(hr.records.with_explicit_chance(game))


@command(
    N_("start [SCENARIO] [SEED] [SETTINGS]"),
    N_("Start a new game; settings are options and readings as `NAME=VALUE`."),
    Access.NO_MATCH,
    acts=True,
)
def start(session: Session, text: str) -> None:
    settings = [word for word in text.split() if "=" in word]
    scenario, seed, *_ = (*(word for word in text.split() if "=" not in word), "", "")
    ruleset = session.game.ruleset
    options, readings = parse_all_settings(ruleset, settings)
    session.change_to(new_game(ruleset, scenario, seed or None, options, readings))


@command(N_("bookmark NAME"), N_("Give the current state a name."), Access.NO_MATCH, acts=True)
def bookmark(session: Session, text: str) -> None:
    session.bookmarks[text] = session.game
    echo(session.t.gettext("`goto {name}` returns to this state", name=text))


@command(N_("goto NAME"), N_("Return to a bookmark."), Access.NO_MATCH, acts=True)
def goto(session: Session, text: str) -> None:
    if text not in session.bookmarks:
        raise hr.UnknownName("bookmark", text, session.bookmarks)
    session.change_to(session.bookmarks[text])


@command(N_("bookmarks"), N_("List the bookmarks."), Access.NO_MATCH)
def bookmarks(session: Session, _: str) -> None:
    echo("\n".join(session.bookmarks) or session.t.gettext("no bookmarks"))


# ---------------------------------------------------------------- the state
@command(N_("board"), N_("Show the board."))
def board(session: Session, _: str) -> None:
    echo_board(hr.explain.render_board(session.game, session.viewer))


@command(N_("draw FILE"), N_("Draw the board as a map (SVG)."), acts=True)
def draw(session: Session, text: str) -> None:
    atomic_write(text, session.game.draw(session.viewer))
    echo(session.t.gettext("map written to `{file}`", file=text))


@command(N_("position [ALL]"), N_("Print the state as text that `load` reads."), Access.ALL_VISIBLE)
def position(session: Session, text: str) -> None:
    whole = session.game.position
    if text.casefold() in ("all", session.t.gettext("all")):
        echo(whole.rstrip())
        return
    present, count = hr.explain.without_history(whole)
    echo(present.rstrip())
    if count:
        note = session.t.ngettext(
            "{number} earlier position, which counts as a repetition, is left out: `position all` has it",
            "{number} earlier positions, which count as repetitions, are left out: `position all` has them",
            count,
        )
        echo(f"# {note}", "dim")


@command(
    N_("as PLAYER"),
    N_("Show only what a player may know; `as everybody` ends it."),
    Access.NO_MATCH,
    acts=True,
)
def view_as(session: Session, text: str) -> None:
    t = session.t
    if text.casefold() in (EVERYBODY, t.gettext("everybody")):
        session.view_as(None)
        echo(t.gettext("all information is shown"))
        return
    player = parse_player(session.game.ruleset, text)
    session.view_as(player)
    echo(t.gettext("only what {player} may know is shown; `as everybody` ends it", player=player))


# ---------------------------------------------------------------- explanations
@command(N_("why ACTION"), N_("Explain why an action is legal."))
def why(session: Session, text: str) -> None:
    ruling = session.game.why(session.find_action(text), player=session.viewer)
    echo(ruling.text(session.depth))


@command(N_("why not ACTION"), N_("Explain why an action is illegal."))
def why_not(session: Session, text: str) -> None:
    ruling = session.game.why_not(session.find_action(text), player=session.viewer)
    echo(ruling.text(session.depth))


def _has_happened(session: Session, text: str) -> bool:
    """Whether a step of the last action has some words."""
    try:
        session.game.explain(text, player=session.viewer)
    except hr.ArgumentError:
        return False
    return True


@command(
    N_("explain [EVENT]"), N_("Explain what happened in the last action."), checks=_has_happened
)
def explain(session: Session, text: str) -> None:
    trace = session.game.explain(text or None, player=session.viewer)
    echo(trace.text(session.depth))


@command(
    N_("depth LEVEL"), N_("Set the detail of explanations: sentence, paragraph or tree."), acts=True
)
def depth(session: Session, text: str) -> None:
    if text not in DEPTHS:
        raise hr.UnknownName("depth", text, DEPTHS)
    session.depth = text


@command(
    N_("what if [ACTION] [rolls 2 4]"),
    N_("Show what an action would do; without ACTION, the last one."),
    Access.NO_MATCH,
)
def what_if(session: Session, text: str) -> None:
    action, outcomes = hr.talk.split_outcomes(text)
    if action:
        session.play_out(session.game, session.find_action(action), outcomes)
    else:
        session.play_out(*session.last_play(), outcomes)


@command(
    N_("preview ACTION"), N_("Show what an action changes for certain, as its player can know.")
)
def preview(session: Session, text: str) -> None:
    echo("\n".join(session.effects_of(text)))


@command(
    N_("odds [ACTION] [until END] [policy POLICY] [of QUESTION]"),
    N_("Compute the probabilities of possible outcomes."),
    Access.ALL_VISIBLE,
    topic="odds",
)
def odds(session: Session, text: str) -> None:
    text = text.strip(" ?")
    action, *parts = _CLAUSE_KEYWORD.split(f" {text}")
    keywords, values = map(str.lower, parts[::2]), map(str.strip, parts[1::2])
    clauses = dict(zip(keywords, values, strict=True))
    default_end, default_policy = ("decision", None) if text else hr.talk.odds_asked(session.game)
    until, policy = clauses.get("until", default_end), clauses.get("policy", default_policy)
    try:
        result = session.game.odds(action.strip() or None, until=until, policy=policy)
    except hr.analysis.PolicyUndefined:
        if clauses:
            raise
        nothing_random = hr.talk.answer(hr.talk.Question("odds", session.game, None, "odds"))
        until_end = session.t.gettext(
            "`odds until END` has those up to an end, such as `{line}`",
            line="odds until game policy random",
        )
        text = "\n".join((nothing_random.text, until_end))
        raise NothingRandom(text) from None
    echo_odds({session.game.ruleset.name: result}, [clauses["of"]] if "of" in clauses else [])


# ---------------------------------------------------------------- the rulebook
@command(N_("questions"), N_("List the questions that can be asked."))
def questions(session: Session, _: str) -> None:
    declared = session.game.questions
    echo("\n".join(declared) or session.t.gettext("the ruleset declares no questions"))


def _is_known(session: Session, text: str) -> bool:
    """Whether a text is a section or a name."""
    name = text.partition("--code")[0].strip()
    try:
        return bool(
            hr.talk.cards(session.game, name)
            or hr.explain.find_declarations(session.game.ruleset, name)
        )
    except hr.explain.UnknownRule:
        return False


@command(
    N_("show SECTION|NAME [--code]"),
    N_(
        "Show the rules of a section, or the card of anything with a name; `--code` shows how they are written."
    ),
    wordings=N_("show me | look up"),
    checks=_is_known,
)
def show(session: Session, text: str) -> None:
    name, code, _ = f"{text} ".partition("--code ")
    echo_shown(session.game, name.strip(), code=bool(code), player=session.viewer)


@command(
    N_("find WORDS"),
    N_("Search the rules for some words, in any language."),
    wordings=N_("search for | search"),
)
def find(session: Session, text: str) -> None:
    echo_found(hr.talk.find(session.game.ruleset, text, limit=HITS))


@command(N_("contents [SECTION]"), N_("List the sections of the rulebook with their rules."))
def contents(session: Session, text: str) -> None:
    echo_sections(session.game.ruleset, text)


@command(N_("diff RULESET [SECTION]"), N_("Show how another ruleset differs."))
def diff(session: Session, text: str) -> None:
    name, _, section = text.partition(" ")
    with spinner(f"comparing with {name}"):
        changes = hr.atlas.change_table(
            session.game.ruleset,
            resolve_ruleset(name),
            language=session.game.language,
            limits=session.game.ruleset.limits,
        )
    echo_report((changes.within(section.strip().lstrip("§")) if section else changes).report())


@command(N_("ask QUESTION"), N_("Ask all editions the same question."), Access.ALL_VISIBLE)
def ask(session: Session, text: str) -> None:
    with spinner("asking the editions"):
        table = hr.ask(session.game, text)
    echo_answers(table, session.game.language)


@command(
    N_("dispute FILE QUESTION"),
    N_("Write the state, a question and all answers to a file for `hots ask`."),
    Access.ALL_VISIBLE,
    acts=True,
)
def dispute(session: Session, text: str) -> None:
    path, _, question = text.partition(" ")
    write_dispute(Path(path), session.game, question.strip())
    echo(session.t.gettext("dispute written to `{file}`", file=path))


# The commands that the decorator `command` made above, in the order of their definitions, which is that of `help`.
COMMANDS = tuple(value for value in list(globals().values()) if isinstance(value, Command))
