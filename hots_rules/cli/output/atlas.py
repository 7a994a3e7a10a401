"""Output of entries of the atlas: how a rulebook changed from edition to edition, with the pages to read on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import hots_rules as hr
from hots_rules._text import with_signs
from hots_rules._translate import Translator, translator
from hots_rules.cli.output.console import echo

MAX_ENTRIES = 8
MAX_CHANGES = 3
MAX_LETTERS = 160


def echo_changes(
    atlas: hr.atlas.Atlas,
    entries: Sequence[hr.atlas.AtlasEntry],
    subject: str,
    language: str,
    *,
    first_edition: int = 0,
) -> None:
    """Print how entries changed from edition to edition, each change with an example and its page.

    Changes to editions before the one with the index `first_edition` are left out.
    """
    t = translator(language)
    ids = {entry.id for entry in entries}
    top_entries = [entry for entry in entries if entry.below not in ids]
    top_entries.sort(key=lambda entry: not any(side and side.summary for side in entry.sides))
    echo(t.ngettext("{number} difference", "{number} differences", len(top_entries)), "bold")
    for entry in top_entries[:MAX_ENTRIES]:
        echo()
        _echo_entry(atlas, entry)
        for number, step in enumerate(entry.steps):
            if number >= first_edition and step is not None and step.plays:
                _echo_step(atlas, entry, number, step, t)
    _echo_rest(atlas, len(top_entries), subject, t)


def _echo_entry(atlas: hr.atlas.Atlas, entry: hr.atlas.AtlasEntry) -> None:
    heading = atlas.sections.get(entry.section, "")
    place = f"§{entry.section} {heading}".rstrip() if entry.section else ""
    echo(f"{entry.id}  {place}".rstrip(), "bold")


def _echo_step(
    atlas: hr.atlas.Atlas,
    entry: hr.atlas.AtlasEntry,
    number: int,
    step: hr.compare.Difference,
    t: Translator,
) -> None:
    old, new = atlas.rulesets[number : number + 2]
    echo(f"{old} → {new}: {_change(step, t)}", indent=2)
    sides = [(name, side) for name, side in ((old, step.old), (new, step.new)) if side is not None]
    if len({side.summary for _, side in sides}) > 1 or not step.changes:
        for name, side in sides:
            echo(f"{name}: {_sentence(name, side, t)}", indent=4)
    else:
        for change in step.changes[:MAX_CHANGES]:
            texts = " → ".join(_short(text or "–") for text in (change.old, change.new))
            echo(f"{change.where}: {texts}", indent=4)
    for witness in _kept_witnesses(old, new, entry.id):
        echo(t.gettext("example: {witness}", witness=witness.summary), "cyan", indent=4)
    page = t.gettext("page: {page}", page=entry.page)
    echo(f'{page}; hots witness {old} {new} --difference "{entry.id}"', "dim", indent=4)


def _change(step: hr.compare.Difference, t: Translator) -> str:
    changes = {
        "added": t.gettext("added"),
        "repealed": t.gettext("repealed"),
        "amended": t.gettext("amended"),
    }
    return changes[step.change]


def _sentence(edition: str, side: hr.explain.Declaration, t: Translator) -> str:
    """The sentence of a declaration in the language of the prompt, else its source in a line."""
    if side.summary and t.language != "en" and edition in hr.rulesets():
        ruleset = hr.load(edition).in_language(t.language)
        declarations = hr.explain.find_declarations(ruleset, side.name)
        side = next(declaration for declaration in declarations if declaration.kind == side.kind)
    return side.summary or _short(side.source)


def _short(text: str) -> str:
    return hr.diagnostics.shortened(" ".join(text.split()), MAX_LETTERS)


def _kept_witnesses(old: str, new: str, id_: str) -> Iterator[hr.witness.Witness]:
    """The kept witnesses of a difference: one for each order of the editions, if there is one."""
    for pair in ((old, new), (new, old)):
        if witness := hr.witness.kept_witnesses(*pair).witnesses.get(id_):
            yield witness


def _echo_rest(atlas: hr.atlas.Atlas, count: int, subject: str, t: Translator) -> None:
    echo()
    _echo_more(count - MAX_ENTRIES, t)
    command = f"hots diff {' '.join(atlas.rulesets)} --format site -o DIR"
    echo(
        t.gettext(
            "all pages: `{command}`; search for `{subject}`", command=command, subject=subject
        )
    )


def _echo_more(number: int, t: Translator) -> None:
    if number > 0:
        echo(t.gettext("and {number} more", number=number))


# ---------------------------------------------------------------- since when
def echo_since(
    atlas: hr.atlas.Atlas,
    entries: Sequence[hr.atlas.AtlasEntry],
    own_edition: int,
    subject: str,
    t: Translator,
) -> None:
    """Print since which edition each entry has been as it is in the edition with the index `own_edition`."""
    if not entries:
        echo(t.gettext("`{subject}` is played alike in all editions", subject=subject))
    for entry in entries[:MAX_ENTRIES]:
        first = entry.since(own_edition)
        if entry.sides[own_edition] is None:
            last = max(n for n, side in enumerate(entry.sides) if side is not None)
            since = t.gettext("last in {edition}", edition=atlas.rulesets[last])
        elif first:
            since = t.gettext("since {edition}", edition=atlas.rulesets[first])
        else:
            since = t.gettext("since {edition} or before", edition=atlas.rulesets[0])
        echo(f"{entry.id}: {since}")
        if entry.plays:
            echo(t.gettext("page: {page}", page=entry.page), "dim", indent=2)
    _echo_more(len(entries) - MAX_ENTRIES, t)


# ---------------------------------------------------------------- the rules of one edition
def echo_declared(
    atlas: hr.atlas.Atlas,
    ruleset: hr.Ruleset,
    declarations: Sequence[hr.explain.Declaration],
    t: Translator,
) -> None:
    """Print the sentences of some declarations, and the pages of those that differ between editions."""
    echo(ruleset.name, "bold")
    listed = [declaration for declaration in declarations if declaration.summary] or list(
        declarations
    )
    for declaration in listed[: 2 * MAX_ENTRIES]:
        cited = with_signs(declaration.sections)
        echo(f"{declaration.kind} {declaration.name}  {cited}".rstrip(), indent=2)
        echo(declaration.summary or _short(declaration.source), indent=4)
        entry = atlas.by_id.get(f"{declaration.kind} {declaration.name}")
        if entry is not None and entry.plays:
            echo(
                t.gettext("not so in every edition; page: {page}", page=entry.page), "dim", indent=4
            )
    _echo_more(len(listed) - 2 * MAX_ENTRIES, t)


def echo_pages_named(atlas: hr.atlas.Atlas, table: hr.compare.AnswerTable, t: Translator) -> None:
    """Print the pages of the differences whose names stand in the answers of the editions."""
    names = {
        word
        for answer in table.answers
        for line in answer.lines
        for word in re.findall(r"[\w-]+", line)
    }
    for entry in atlas.entries:
        if entry.plays and entry.name in names:
            echo(f"{entry.id}  {t.gettext('page: {page}', page=entry.page)}", "dim")
