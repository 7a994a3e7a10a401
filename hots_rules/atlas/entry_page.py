"""The page of a difference: what each ruleset says, how they differ, and where it matters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.analysis.simulating.frequency import Frequencies
from hots_rules.atlas.collection import Collection, Exhibit
from hots_rules.atlas.entries import Atlas, AtlasEntry
from hots_rules.atlas.pictures import PICTURES
from hots_rules.atlas.words import FRONT, NONE, NOT_MEASURED, in_short, pair_of, reason_of, title_of
from hots_rules.compare.ask import EditionAnswer
from hots_rules.compare.difference import Difference
from hots_rules.explain.declared.declaration import Declaration
from hots_rules.report.blocks import Code, Details, Lines, Paragraph, Row, Span, Table, Text
from hots_rules.report.html_printer import html
from hots_rules.report.markup import Content, Markup, sentence, tag
from hots_rules.witness.facts import position_facts

MAX_CHANGES = 40  # of one difference
MAX_NAMED = 6  # of the differences that were measured together
_VERDICTS = {"happens": "what happens"}


def entry_page(
    atlas: Atlas, atlas_entry: AtlasEntry, collection: Collection, pictures: Mapping[str, str]
) -> Iterator[Markup]:
    """The parts of the page; `pictures` has the key of each picture by its text."""
    yield tag("p", tag("a", "All differences", href=FRONT), _place(atlas, atlas_entry))
    if atlas_entry.sentence:
        yield tag("p", atlas_entry.sentence, class_="atlas-sentence")
    yield tag("p", tag("code", atlas_entry.id))
    yield _sides(atlas, atlas_entry, collection)
    for number, difference in enumerate(atlas_entry.steps):
        if difference is not None:
            yield from _step(atlas, atlas_entry, number, difference, collection, pictures)
    yield from _related(atlas, atlas_entry)
    if any(
        (number, atlas_entry.id) in collection.exhibits for number in range(len(atlas_entry.steps))
    ):
        yield tag("script", src=PICTURES)


def _place(atlas: Atlas, atlas_entry: AtlasEntry) -> str:
    if not atlas_entry.section:
        return ""
    chapter = atlas.sections.get(f"{atlas_entry.section.partition('.')[0]}.0", "")
    return f" › {chapter} › §{atlas_entry.section} {atlas.sections.get(atlas_entry.section, '')}"


def _sides(atlas: Atlas, atlas_entry: AtlasEntry, collection: Collection) -> Markup:
    """The sentence and the sections of each ruleset, and how often the declaration comes up there."""
    often = ["Comes up in random games"] if collection.frequencies else []
    rows = []
    for name, side in zip(atlas.rulesets, atlas_entry.sides, strict=True):
        counted = [_count(atlas_entry, side, collection.frequencies.get(name))] if often else []
        rows.append(Row((_says(side), _cited(side), *counted), head=name))
    return _wide(Table.of(("Ruleset", "Says", "Sections", *often), rows))


def _wide(table: Table) -> Markup:
    """A table that scrolls where the page is narrow."""
    return tag("div", html([table]), class_="table-wrapper")


def _says(side: Declaration | None) -> Text:
    if side is None:
        return (Span("has no such declaration", "emphasis"),)
    return side.summary or side.comment or (Span(in_short(side.source), "code"),)


def _cited(side: Declaration | None) -> Lines:
    return Lines(tuple(map(str, side.cited)) if side is not None else ())


def _count(atlas_entry: AtlasEntry, side: Declaration | None, counts: Frequencies | None) -> str:
    if side is None or counts is None:
        return NONE
    return f"{counts.of(atlas_entry.kind, atlas_entry.name)} of {counts.games}"


def _step(
    atlas: Atlas,
    atlas_entry: AtlasEntry,
    number: int,
    difference: Difference,
    collection: Collection,
    pictures: Mapping[str, str],
) -> Iterator[Markup]:
    yield tag("h2", f"{pair_of(atlas, number)}: {difference.change}")
    if not difference.plays:
        yield tag("p", f"Play is the same: {reason_of(difference)}.")
        return
    if difference.changes:
        yield _changes(difference)
    if exhibit := collection.exhibits.get((number, atlas_entry.id)):
        yield from _exhibit(exhibit, pictures)
    elif reason := collection.missing.get((number, atlas_entry.id)):
        yield tag("p", f"No position is known that shows it: {reason}")
    yield tag("p", *_effect(old_and_new(atlas, number), atlas_entry, number, collection))
    if difference.evidence is not None:
        yield tag("p", difference.evidence.summary)
    old, new = old_and_new(atlas, number)
    sources = (
        Paragraph(old),
        Code(_source(difference.old)),
        Paragraph(new),
        Code(_source(difference.new)),
    )
    command = Span(f'hots witness {old} {new} --difference "{atlas_entry.id}"', "code")
    told = Paragraph(("At the command line: ", command))
    yield html([Details("Both declarations", sources), told])


def old_and_new(atlas: Atlas, number: int) -> tuple[str, str]:
    """The rulesets of a step."""
    return atlas.rulesets[number], atlas.rulesets[number + 1]


def _effect(
    pair: tuple[str, str], atlas_entry: AtlasEntry, number: int, collection: Collection
) -> Iterator[Content]:
    """What a difference is worth, with how that was measured, or why it is not."""
    effect = collection.effects.get((number, atlas_entry.id))
    yield tag("b", "Worth: ")
    if effect is None:
        yield NOT_MEASURED
        if fault := collection.unmeasured.get((number, atlas_entry.id)):
            yield ", since it cannot be taken over alone: the rules then lead to a position that they cannot play, "
            yield tag("code", fault)
        yield "."
        return
    others = [name for name in effect.differences if name != atlas_entry.id]
    yield f"{effect.figure} {effect.points} in {pair[1]} because of it"
    if others:
        yield f", together with {', '.join(others[:MAX_NAMED])}"
        yield f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
    games = f"{effect.games:,} games of {effect.scenario}"
    yield f". Measured in {games} with and as many without, seed {effect.seed}, policy "
    yield tag("code", effect.policy)
    yield f"; the intervals of all differences between {pair[0]} and {pair[1]} hold together with 95 %."


def _changes(difference: Difference) -> Markup:
    rows = [
        Row((change.where, _code(change.old), _code(change.new)))
        for change in difference.changes[:MAX_CHANGES]
    ]
    if len(difference.changes) > MAX_CHANGES:
        rows.append(Row((f"and {len(difference.changes) - MAX_CHANGES} more",)))
    return _wide(Table.of((), rows))


def _code(text: str | None) -> Text:
    return (Span(NONE if text is None else text, "code"),)


def _source(side: Declaration | None) -> str:
    return "none" if side is None else f"{side.file}:{side.line}\n{side.source}"


def _exhibit(exhibit: Exhibit, pictures: Mapping[str, str]) -> Iterator[Markup]:
    """A witness: its position, the way from there, the action, and both answers."""
    witness = exhibit.witness
    yield tag("h3", "Where it matters")
    yield tag("p", *sentence(witness.summary))
    if witness.games:
        yield tag(
            "p",
            f"The two diverge because of it in {witness.divergent_games} of {witness.games} random games.",
        )
    if exhibit.svg:
        place = tag("div", data_picture=pictures[exhibit.svg])
        yield tag("figure", place, tag("figcaption", "The moment of the action"))
    facts = position_facts(witness, [line for each in exhibit.answers for line in each.lines])
    begin = [witness.position.rstrip()] if witness.position else [f"scenario {witness.scenario}"]
    play = [f"play {text}" for text in witness.play]
    if facts.others:
        yield html([Code("\n".join((*facts.essential, *play)))])
    yield html([Details("The position as text", (Code("\n".join((*begin, *play))),))])
    if witness.action:
        yield tag("p", "Action: ", tag("b", witness.action))
    if witness.chance:
        yield tag("p", "Then: ", ", ".join(witness.chance))
    chosen = (
        ", ".join(f"{name}={value}" for name, value in settings.items())
        for settings in witness.settings
    )
    answers = zip(exhibit.answers, chosen, strict=True)
    yield tag("div", *(_answer(answer, text) for answer, text in answers), class_="atlas-answers")


def _answer(answer: EditionAnswer, chosen: str) -> Markup:
    verdict = _VERDICTS.get(answer.verdict, answer.verdict)
    return tag(
        "section",
        tag("h4", f"{answer.edition}: {verdict}"),
        tag("p", f"with {chosen}") if chosen else None,
        tag("ul", *(tag("li", *sentence(line)) for line in answer.lines[:MAX_CHANGES]))
        if answer.lines
        else None,
        tag("p", "So ", "; ".join(answer.changes[:MAX_CHANGES]), ".") if answer.changes else None,
        tag("p", tag("small", "; ".join(map(str, answer.cited)))) if answer.cited else None,
    )


def _related(atlas: Atlas, atlas_entry: AtlasEntry) -> Iterator[Markup]:
    main = atlas_entry.below or atlas_entry.id
    group = [
        candidate
        for candidate in atlas.entries
        if main in (candidate.id, candidate.below) and candidate.id != atlas_entry.id
    ]
    for title, ids in (
        ("Belongs together with", [related.id for related in group if related.plays]),
        ("Options and readings that touch it", atlas_entry.choices),
    ):
        if ids:
            yield tag("h2", title)
            yield tag("ul", *(tag("li", *_reference(atlas, id_)) for id_ in ids))


def _reference(atlas: Atlas, id_: str) -> Iterator[Content]:
    atlas_entry = atlas.by_id.get(id_)
    if atlas_entry is None or not atlas_entry.plays:
        yield tag("code", id_)
        text = atlas.choices.get(id_, "")
    else:
        yield tag("a", title_of(atlas_entry), href=atlas_entry.page)
        text = atlas_entry.sentence
    yield f": {text}" if text else ""


def neighbours(before: AtlasEntry | None, after: AtlasEntry | None) -> Markup:
    named = (("Before: ", before), ("Next: ", after))
    links = [
        tag("span", text, tag("a", title_of(neighbour), href=neighbour.page))
        for text, neighbour in named
        if neighbour
    ]
    return tag("p", *links, class_="atlas-neighbours")
