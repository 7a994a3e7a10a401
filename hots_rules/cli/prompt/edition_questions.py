"""Questions at the prompt about the editions of a rulebook: what changed, since when, what another one says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

import typer

import hots_rules as hr
from hots_rules._translate import Translator
from hots_rules.cli.output.atlas import echo_changes, echo_declared, echo_pages_named, echo_since
from hots_rules.cli.output.comparison import echo_answers
from hots_rules.cli.output.console import echo, echo_report, spinner
from hots_rules.cli.prompt.commands import N_, Access, command
from hots_rules.cli.prompt.session import Session

_MARKS = " \t?¿!."
SINCE = frozenset({"since", "depuis", "desde"})
_SINCE_EDITION = re.compile(
    rf"(?:^|\s)(?:{'|'.join(sorted(SINCE))})\s+(?:the |l['’]|la |el )?"
    r"(?:(?:edition|édition|edición|version|versión|rulebook|livret|reglamento)\s+)?(?P<edition>[\w.-]+)"
    r"(?:\s+(?:about|in|on|to|for|with|sur|dans|pour|en|sobre))?(?=\s|$)",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(the|an?|l[ae]s?|el|los) |^l['’]")


@command(
    N_("what changed about X"),
    N_("Show how the editions differ: X is a rule, a section or words."),
    wordings=N_("what changed in | what changed | what has changed about | what has changed in"),
    topic="changes",
    checks=lambda session, text: _is_about_something(session, text.strip(_MARKS)),
)
def what_changed(session: Session, text: str) -> None:
    atlas = _atlas(session)
    subject, first_edition = _since(text.strip(_MARKS), atlas.rulesets)
    about = atlas.about(subject) if subject else atlas.entries
    changed = [
        entry
        for entry in about
        if any(step is not None and step.plays for step in entry.steps[first_edition:])
    ]
    asked = subject or text
    if not changed:
        if subject:
            _check_known(session.game.ruleset, subject)
        echo(session.t.gettext("nothing that is played changed about `{subject}`", subject=asked))
        return
    if table := _declared_changes(session, atlas, changed, first_edition):
        echo_report(table.report())
        echo()
    echo_changes(atlas, changed, asked, session.game.language, first_edition=first_edition)


@command(
    N_("since which edition X"),
    N_("Show which edition introduced the rule in its current form."),
    wordings=N_("since when is | since when"),
    checks=lambda session, text: _is_about_something(session, text.strip(_MARKS)),
)
def since_which(session: Session, text: str) -> None:
    subject, atlas = text.strip(_MARKS), _atlas(session)
    about = atlas.about(subject)
    names = hr.diagnostics.names_alike(subject, (entry.name for entry in about))
    named = [entry for entry in about if entry.name in names]
    entries = named or [entry for entry in about if entry.plays]
    if not entries:
        _check_known(session.game.ruleset, subject)
    own_edition = atlas.rulesets.index(session.game.ruleset.name)
    echo_since(atlas, entries, own_edition, subject, session.t)


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
    if text:
        game, action = session.game, session.find_action(text)
    else:
        game, action = session.last_play()
    question = action.text if isinstance(action, hr.Action) else action
    with spinner("asking the editions"):
        table = hr.ask(game, question)
    echo_answers(table, session.game.language)
    if not table.agree:
        echo_pages_named(_atlas(session), table, session.t)


@command(
    N_("what does EDITION say about X"),
    N_("Show the rules of another edition about a section, a rule or words."),
    checks=lambda session, text: _names_an_edition(session, text),
)
def what_it_says(session: Session, text: str) -> None:
    atlas = _atlas(session)
    edition, subject = _split_edition(text.strip(_MARKS), session.t)
    name = _edition_named(edition, atlas.rulesets)
    own = session.game.ruleset
    ruleset = own if name == own.name else hr.load(name).in_language(session.game.language)
    echo_declared(atlas, ruleset, _declarations(ruleset, subject), session.t)


EDITION_COMMANDS = (what_changed, since_which, legal_everywhere, what_it_says)


# ---------------------------------------------------------------- subjects
def _declared_changes(
    session: Session,
    atlas: hr.atlas.Atlas,
    entries: Sequence[hr.atlas.AtlasEntry],
    first_edition: int,
) -> hr.atlas.ChangeTable:
    """The table of the declared changes that some entries carry, from an edition on."""
    ids, table = {entry.id for entry in entries}, atlas.changes
    names = {
        change.name for change in table.changes if change.is_declared and ids & {*change.members}
    }
    if names and first_edition:
        editions = hr.atlas.editions_of(session.game.ruleset)[first_edition:]
        table = hr.atlas.change_table(*editions, language=session.game.language)
    return table.only(names)


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


def _check_known(ruleset: hr.Ruleset, subject: str) -> None:
    """Refuse words that no declaration is about.

    Raises:
        UnknownRule: there are none.
    """
    _declarations(ruleset, subject)


def _is_about_something(session: Session, subject: str) -> bool:
    """Whether rules or differences are about some words; all differences, without words."""
    with suppress(hr.explain.UnknownRule, typer.BadParameter):
        subject = _SINCE_EDITION.sub(" ", subject).strip()
        if subject and not _atlas(session).about(subject):
            _check_known(session.game.ruleset, subject)
        return True
    return False


def _names_an_edition(session: Session, text: str) -> bool:
    """Whether a text names an edition, and something that it may say something about."""
    edition, subject = _split_edition(text.strip(_MARKS), session.t)
    with suppress(hr.ArgumentError, typer.BadParameter):
        _edition_named(edition, _atlas(session).rulesets)
        return bool(subject)
    return False


def _since(text: str, names: tuple[str, ...]) -> tuple[str, int]:
    """What a text asks about, and the index of the edition since which it asks; 0 if it names none."""
    if (match := _SINCE_EDITION.search(text)) is None:
        return text, 0
    try:
        name = _edition_named(match["edition"], names)
    except hr.ArgumentError:
        return text, 0
    return f"{text[: match.start()]} {text[match.end() :]}".strip(), names.index(name)


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


def _split_edition(text: str, t: Translator) -> tuple[str, str]:
    """The edition, and what is asked about, from `EDITION say about X`; without `say about`, from `EDITION X`."""
    links = "|".join(map(re.escape, ("say about", "says about", "say on", t.gettext("say about"))))
    parts = re.split(rf"\s+(?:{links})\s+", text, maxsplit=1, flags=re.IGNORECASE)
    edition, subject = parts if len(parts) > 1 else (text.partition(" ")[0], text.partition(" ")[2])
    return edition.strip(), subject.strip()
