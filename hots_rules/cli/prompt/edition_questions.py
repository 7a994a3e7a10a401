"""Questions at the prompt about the editions of a rulebook: what changed, since when, what another one says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress

import typer

import hots_rules as hr
from hots_rules._translate import Translator
from hots_rules.cli.output.atlas import echo_changes, echo_sayings, echo_since, echo_table_of
from hots_rules.cli.output.comparison import echo_answers
from hots_rules.cli.output.console import echo, echo_report, spinner
from hots_rules.cli.prompt.commands import N_, Access, Command, command
from hots_rules.cli.prompt.session import Session

_MARKS = " \t?¿!."
SINCE = frozenset({"since", "depuis", "desde"})
_SINCE = re.compile(
    rf"(?:^|\s)(?:{'|'.join(sorted(SINCE))})\s+(?:the |l['’]|la |el )?"
    r"(?:(?:edition|édition|edición|version|versión|rulebook|livret|reglamento)\s+)?(?P<edition>[\w.-]+)"
    r"(?:\s+(?:about|in|on|to|for|with|sur|dans|pour|en|sobre))?(?=\s|$)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(the|an?|l[ae]s?|el|los) |^l['’]")


@command(
    N_("what changed about X"),
    N_("Show what the editions have differently: X is a rule, a section or words."),
    wordings=N_("what changed in | what changed | what has changed about | what has changed in"),
    topic="changes",
    checks=lambda session, text: _is_about_something(session, text.strip(_MARKS)),
)
def what_changed(session: Session, text: str) -> None:
    atlas = _atlas(session)
    subject, first = _since(text.strip(_MARKS), atlas.rulesets)
    about = atlas.about(subject) if subject else atlas.entries
    changed = [e for e in about if any(step is not None and step.plays for step in e.steps[first:])]
    if changed:
        if names := [*_changes_of(atlas, changed)]:
            table = atlas.changes
            if first:
                editions = hr.atlas.editions_of(session.game.ruleset)
                table = hr.atlas.change_table(*editions[first:], language=session.game.language)
                names = [change.name for change in table.changes if change.name in names]
            if names:
                echo_report(table.only(names).report())
                echo()
        echo_changes(atlas, changed, subject or text, session.game.language, first=first)
    else:
        if subject:
            _declarations(session.game.ruleset, subject)
        asked = subject or text
        echo(session.t.gettext("nothing that is played changed about `{subject}`", subject=asked))


@command(
    N_("since which edition X"),
    N_("Show which edition introduced the rule in its current form."),
    wordings=N_("since when is | since when"),
    checks=lambda session, text: _is_about_something(session, text.strip(_MARKS)),
)
def since_which(session: Session, text: str) -> None:
    subject, atlas = text.strip(_MARKS), _atlas(session)
    about = atlas.about(subject)
    named = [entry for entry in about if _same(entry.name, subject)]
    entries = named or [entry for entry in about if entry.plays]
    if not entries:
        _declarations(session.game.ruleset, subject)
    own = atlas.rulesets.index(session.game.ruleset.name)
    echo_since(atlas, entries, own, subject, session.t)


@command(
    N_("is this legal in every edition [ACTION]"),
    N_("Ask every edition about an action; without ACTION, the last one."),
    Access.ALL_VISIBLE,
    wordings=N_(
        "is this legal in all editions | is it legal in every edition | is it legal in all editions"
        " | legal in every edition | legal in all editions | is it legal in every edition to"
        " | is … legal in every edition | is … legal in all editions | in every edition, is … legal"
    ),
)
def legal_everywhere(session: Session, text: str) -> None:
    text = text.strip(_MARKS)
    game, action = (session.game, text) if text else session.last_play()
    chosen = session.find_action(action) if text else action
    question = chosen.text if isinstance(chosen, hr.Action) else chosen
    with spinner("asking the editions"):
        table = hr.ask(game, question)
    echo_answers(table, session.game.language)
    if not table.agree:
        echo_table_of(_atlas(session), table, session.t)


@command(
    N_("what does EDITION say about X"),
    N_("Show the rules of another edition about a section, a rule or words."),
    checks=lambda session, text: _names_an_edition(session, text),
)
def what_it_says(session: Session, text: str) -> None:
    atlas = _atlas(session)
    edition, subject = _parted(text.strip(_MARKS), session.t)
    name = _edition_named(edition, atlas.rulesets)
    own = session.game.ruleset
    ruleset = own if name == own.name else hr.load(name).in_language(session.game.language)
    echo_sayings(atlas, ruleset, _declarations(ruleset, subject), session.t)


EDITION_COMMANDS = tuple(value for value in list(globals().values()) if isinstance(value, Command))


# ---------------------------------------------------------------- subjects
def _changes_of(atlas: hr.atlas.Atlas, entries: Sequence[hr.atlas.AtlasEntry]) -> Iterator[str]:
    """The names of the declared changes that some entries carry."""
    ids = {entry.id for entry in entries}
    for change in atlas.changes.changes:
        if change.is_declared and ids & {*change.members}:
            yield change.name


def _atlas(session: Session) -> hr.atlas.Atlas:
    """The atlas of all editions of the game.

    Raises:
        typer.BadParameter: there is only one.
    """
    editions = hr.atlas.editions_of(session.game.ruleset)
    if len(editions) < 2:
        name = session.game.ruleset.name
        raise typer.BadParameter(
            session.t.gettext("`{name}` is the only edition of its game", name=name)
        )
    with spinner("comparing the editions"):
        return hr.atlas.atlas(*editions)


def _declarations(ruleset: hr.Ruleset, subject: str) -> tuple[hr.explain.Declaration, ...]:
    """The declarations of a section, with a name, or about some words.

    Raises:
        UnknownRule: there are none.
    """
    about = hr.explain.declarations_about(ruleset, subject)
    try:
        named = hr.explain.find_declarations(ruleset, subject)
    except hr.explain.UnknownRule:
        if not about:
            raise
        return about
    return tuple(dict.fromkeys((*named, *about)))


def _is_about_something(session: Session, subject: str) -> bool:
    """Whether rules or differences are about some words; all differences, without words."""
    with suppress(hr.explain.UnknownRule, typer.BadParameter):
        subject = _SINCE.sub(" ", subject).strip()
        is_known = not subject or bool(_atlas(session).about(subject))
        return is_known or bool(_declarations(session.game.ruleset, subject))
    return False


def _names_an_edition(session: Session, text: str) -> bool:
    """Whether a text names an edition, and something that it may say something about."""
    edition, subject = _parted(text.strip(_MARKS), session.t)
    with suppress(hr.ArgumentError, typer.BadParameter):
        _edition_named(edition, _atlas(session).rulesets)
        return bool(subject)
    return False


def _since(text: str, names: tuple[str, ...]) -> tuple[str, int]:
    """What a text asks about, and the place among the editions of the one since which it asks; 0 without one."""
    if (match := _SINCE.search(text)) is None:
        return text, 0
    try:
        name = _edition_named(match["edition"], names)
    except hr.ArgumentError:
        return text, 0
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), names.index(name)


def _same(name: str, subject: str) -> bool:
    return re.sub(r"[\s_-]+", " ", name).casefold() == re.sub(r"[\s_-]+", " ", subject).casefold()


def _edition_named(text: str, names: tuple[str, ...]) -> str:
    """The edition with a name, or with a name that has it as its last part; `the player aid` is one as well.

    Raises:
        UnknownName: no edition, or more than one.
    """
    folded = "-".join(_ARTICLE.sub("", text.casefold()).split())
    candidates = [name for name in names if name.casefold() == folded] or [
        name for name in names if name.casefold().endswith(f"-{folded}")
    ]
    if len(candidates) != 1:
        raise hr.UnknownName("edition", text, names)
    return candidates[0]


def _parted(text: str, t: Translator) -> tuple[str, str]:
    """The edition, and what is asked about, from `EDITION say about X`; without `say about`, from `EDITION X`."""
    links = "|".join(map(re.escape, ("say about", "says about", "say on", t.gettext("say about"))))
    parts = re.split(rf"\s+(?:{links})\s+", text, maxsplit=1, flags=re.IGNORECASE)
    edition, subject = parts if len(parts) > 1 else (text.partition(" ")[0], text.partition(" ")[2])
    return edition.strip(), subject.strip()
