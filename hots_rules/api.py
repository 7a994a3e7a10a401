"""Functions that find rulesets by name: to load them, to replay records, to ask several editions."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING

from hots_rules._text import plain_text
from hots_rules._translate import LANGUAGES, untranslated
from hots_rules.diagnostics import (
    DEFAULT_LIMITS,
    BadArgument,
    BadRecord,
    HotsError,
    Limits,
    RulesetError,
    UnknownName,
    check_kind,
)
from hots_rules.rules import find_source, known_rulesets, known_sources, scenario_titles

# Imported on the first call, so that a game starts without these packages.
if TYPE_CHECKING:
    from hots_rules.compare.ask import AnswerTable
    from hots_rules.game import Game, Ruleset
    from hots_rules.play.settings import Choices
    from hots_rules.records.record import Record
    from hots_rules.rules.fixing import FixedRules


def load(name_or_path: str | PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> Ruleset:
    """The ruleset with a name, or from a file or folder.

    Its compiled form is kept in the user's cache folder, so that loading it again is fast.

    Args:
        name_or_path: a name of `rulesets()`, or the path of a file or folder.
        limits: the limits of its texts, and of the positions and records that are given to it.

    Raises:
        RulesetError: there is no such ruleset, or it has faults; all of them are listed.

    >>> import hots_rules as hr
    >>> hr.load("hots-4.0").name
    'hots-4.0'
    """
    check_kind("limits", limits, Limits, "`Limits(…)`")
    from hots_rules.game import load_source

    return load_source(find_source(name_or_path), limits)


def rulesets() -> dict[str, str]:
    """The titles of all rulesets that `load` finds by name: of the library, of `HOTS_RULES_PATH`, of plugins.

    >>> import hots_rules as hr
    >>> hr.rulesets()["hots-4.0"]
    'Hammer of the Scots, rulebook 4.0'
    """
    return known_rulesets()


def scenarios(language: str = "en") -> dict[str, dict[str, str]]:
    """The titles of the scenarios of each ruleset of `rulesets`; nothing is compiled for it.

    A ruleset is left out if its texts cannot be read, or what it extends is missing. `load` reports
    its faults.

    Raises:
        ArgumentError: neither a ruleset nor the library has texts in the language.

    >>> import hots_rules as hr
    >>> hr.scenarios()["hots-4.0"]["braveheart"]
    'Braveheart, 1297 to 1305'
    """
    titles = {name: scenario_titles(source) for name, source in known_sources().items()}
    texts = [title for of_ruleset in titles.values() for title in of_ruleset.values()]
    available_languages = dict.fromkeys(
        (*LANGUAGES, *(code for title in texts for code in title if code))
    )
    if isinstance(language, str) and language in titles:
        needed = f'a language, such as "fr"; the scenarios of the ruleset are `scenarios()["{language}"]`'
        raise BadArgument("language", language, needed)
    if not isinstance(language, str) or language not in available_languages:
        raise UnknownName("language", str(language)[:80], available_languages)
    return {
        name: {scenario: _title(texts, language) for scenario, texts in of_ruleset.items()}
        for name, of_ruleset in titles.items()
    }


def _title(texts: dict[str, str], language: str) -> str:
    """A title in a language; without a label the English one, between ‹ and › in another language."""
    english = texts.get("en") or texts[""]
    return english if language == "en" else texts.get(language) or untranslated(english)


def format_rules(text: str, file: str = "text", *, upgrade: bool = False) -> str:
    """The text of a `.rules` file in standard form: the same declarations and comments, in lines of their usual form.

    Args:
        text: the text.
        file: its name, for faults.
        upgrade: replace spellings of earlier versions of the language first.

    Raises:
        RulesetError: the text cannot be parsed.

    >>> import hots_rules as hr
    >>> hr.format_rules("define  big=3")
    'define big = 3\\n'
    """
    check_kind("text", text, str, "a text")
    from hots_rules.syntax.formatting.formatter import format_text
    from hots_rules.syntax.old_spellings import upgrade as with_new_spellings

    text = plain_text(text)
    text = with_new_spellings(text) if upgrade else text
    formatted, faults = format_text(text, file)
    if faults:
        raise RulesetError(faults, {file: text})
    return formatted


def fix_rules(name_or_path: str | PathLike[str], *, limits: Limits = DEFAULT_LIMITS) -> FixedRules:
    """The texts of a ruleset with the fixes of its faults that are safe; no file is written.

    Only the files of the ruleset itself are changed, not those of what it extends.

    Raises:
        RulesetError: there is no such ruleset, or it cannot be read.

    >>> import hots_rules as hr
    >>> hr.fix_rules("hots-4.0").applied
    ()
    """
    check_kind("limits", limits, Limits, "`Limits(…)`")
    from hots_rules.rules.fixing import fix_source

    return fix_source(find_source(name_or_path), limits)


def ruleset_for(
    record: Record,
    ruleset: Ruleset | None = None,
    *,
    content: str = "refuse",
    limits: Limits | None = None,
) -> Ruleset:
    """The ruleset to play a record by.

    Args:
        record: a parsed record; the name of a ruleset in it is never taken for a path.
        ruleset: the ruleset to take; the installed one with the record's name if omitted.
        content: "refuse", or "pinned" for the texts that the record was played by: its own copy, or
            the one kept when it was saved.
        limits: the limits of the ruleset; those of `ruleset`, or the usual ones, if omitted.

    Raises:
        BadRecord: no such ruleset is installed, no such texts were kept, or they have faults.

    >>> import hots_rules as hr
    >>> record = hr.load("hots-4.0").start("braveheart").record
    >>> hr.ruleset_for(record) == hr.load("hots-4.0")
    True
    """
    from hots_rules.game import load_source
    from hots_rules.records.record import Record
    from hots_rules.records.ruleset_texts import source_for

    check_kind("record", record, Record, "a record")

    # The digest of a loaded ruleset is known; that of texts needs the parser.
    is_pinned = content == "pinned" and not record.texts
    if is_pinned and ruleset is not None and record.content == ruleset.content_hash:
        return ruleset
    limits = limits or _limits_of(ruleset)
    source = source_for(record, content, None if ruleset is None else ruleset.source, limits)
    if ruleset is not None and source == ruleset.source:
        return ruleset
    try:
        is_untrusted = content == "pinned" and bool(record.texts)
        return load_source(source, limits, counts_steps=is_untrusted)
    except HotsError as error:
        raise BadRecord(f"the ruleset of the record has faults: {error}") from None


def _limits_of(ruleset: Ruleset | None) -> Limits:
    if ruleset is None:
        return DEFAULT_LIMITS
    # A late import: a name is found without it.
    from hots_rules.play.ruleset import BaseRuleset

    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset, or None")
    return ruleset.limits


def read(
    path: str | PathLike[str],
    ruleset: Ruleset | None = None,
    *,
    content: str = "refuse",
    limits: Limits | None = None,
    sealed: bool = False,
) -> Game:
    """The game of a record in a file, replayed; see `replay`.

    Raises:
        BadRecord: the file cannot be read or is no record, or does not replay.

    >>> import hots_rules as hr
    >>> import tempfile
    >>> from pathlib import Path
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     game.save(Path(folder, "game.txt"))
    ...     hr.read(Path(folder, "game.txt")) == game
    True
    """
    from hots_rules.records.record import Record

    limits = limits or _limits_of(ruleset)
    record = Record.read(path, limits=limits)
    return replay(record, ruleset, content=content, limits=limits, sealed=sealed)


def replay(
    record: Record | str,
    ruleset: Ruleset | None = None,
    *,
    content: str = "refuse",
    limits: Limits | None = None,
    sealed: bool = False,
) -> Game:
    """The game of a record, at its last action.

    Args:
        record: a `Record`, or its text.
        ruleset: the ruleset to play it by; needed if it does not come with the library.
        content: what to do if the texts of the ruleset changed: "refuse" the record, or replay it
            "pinned" to the texts it was played by.
        limits: the limits of the record and of the texts in it; those of `ruleset`, or the usual ones,
            if omitted.
        sealed: refuse a record without a seal, as a receiver should: a record cut at
            a line end would replay as a shorter game.

    Raises:
        BadRecord: the text is no record, is of another ruleset or content, or does not replay; the
            message has the line.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> hr.replay(game.record) == game
    True
    """
    from hots_rules.records.record import Record
    from hots_rules.records.replaying import replay

    limits = limits or _limits_of(ruleset)
    parsed = record if isinstance(record, Record) else Record.parse(record, limits=limits)
    if ruleset is None or content != "refuse":
        ruleset = ruleset_for(parsed, ruleset, content=content, limits=limits)
    return replay(parsed, ruleset, sealed=sealed)


def ask(
    at: Game | str,
    question: str,
    *,
    editions: Iterable[Ruleset | str | PathLike[str]] | None = None,
    options: Choices | None = None,
    readings: Choices | None = None,
    language: str | None = None,
) -> AnswerTable:
    """The answers of several editions to one question about a game or a position.

    Args:
        at: a game, or a position as text.
        question: the text of an action (is it legal, and why not?); a question that the rulesets
            declare, such as `who holds Shore`, or another one in words; `actions`, or `actions: Fox, move` for
            those that contain these words; or `after: TEXT; roll 2 4` for what an action does with some
            outcomes of chance. It may be in any language.
        editions: rulesets, their names or their paths; all known editions of the same game if omitted.
        options: the options for a position, where an edition has them.
        readings: the readings for a position, where an edition has them.
        language: the language of the answers; that of the game if omitted.

    Raises:
        RulesetError: a ruleset is missing, or has faults.
        ArgumentError: the question is empty, there are no editions, or no texts in the language.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> table = hr.ask(game, "actions", editions=["hots-3.x", "hots-4.0"])
    >>> table.agree, [answer.edition for answer in table.answers]
    (True, ['hots-3.x', 'hots-4.0'])
    """
    from hots_rules.compare.ask import ask, newest, of_same_game
    from hots_rules.game import Game, Ruleset
    from hots_rules.talk.asking import sentence_answered

    if editions is not None:
        loaded = [
            edition if isinstance(edition, Ruleset) else load(edition) for edition in editions
        ]
        if not loaded:
            raise BadArgument("editions", "", "at least one ruleset")
    else:
        loaded = [load(name) for name in known_rulesets()]
        if isinstance(at, Game):
            own = [] if at.ruleset in loaded else [at.ruleset]
            loaded = [*own, *(rules for rules in loaded if newest(rules) == newest(at.ruleset))]
    if language is None:
        language = at.language if isinstance(at, Game) else "en"
    asked = [rules.in_language(language) for rules in loaded]
    table = ask(
        at, question, asked, options=options, readings=readings, answer_sentence=sentence_answered
    )
    return of_same_game(table, asked) if editions is None and isinstance(at, str) else table
