"""The changes of the rulebook: each difference of play in one of them, as the editions declare it."""

import tomllib
from collections import Counter
from itertools import combinations, pairwise, permutations

import pytest
from attrs import astuple, evolve

import hots_rules as hr
from hots_rules.rules.editions.declared_changes import DeclaredChange, declared_changes
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.find import shipped_source
from hots_rules.rules.sources.source import Source
from tests.casebook import HAMMER
from tests.listing import assert_none

ORDER = ("hots-player-aid", "hots-2.3", "hots-3.x", "hots-4.0")


def declared(edition: str) -> tuple[DeclaredChange, ...]:
    source = shipped_source(edition)
    assert source is not None
    return declared_changes(source)[edition]


def source_of(name: str, changes: str) -> Source:
    """A shipped ruleset with another file of changes."""
    source = shipped_source(name)
    assert source is not None
    top = evolve(source.layers[-1], changes=changes)
    return Source((*source.layers[:-1], top))


# ---------------------------------------------------------------- what the editions declare
def test_the_editions_are_these() -> None:
    assert set(ORDER) == set(HAMMER)


@pytest.mark.parametrize(("own", "below"), list(pairwise(ORDER)))
def test_every_difference_of_play_between_neighbours_is_in_exactly_one_change(
    own: str, below: str
) -> None:
    differences = hr.diff(own, below).differences
    members = Counter(member for change in declared(own) for member in change.members)

    assert_none(f"{e.id}" for e in differences if e.effect == "behavioural" and members[e.id] != 1)
    assert set(members) <= {difference.id for difference in differences}


@pytest.mark.parametrize(("own", "below"), list(pairwise(ORDER)))
def test_no_change_mixes_unrelated_sections_without_a_reason(own: str, below: str) -> None:
    """Members belong together if they share a section or a chapter, or one of them names the other."""
    diff = hr.diff(own, below)
    for change in declared(own):
        differences = [diff.find(member) for member in change.members]
        linked, rest = differences[:1], differences[1:]
        while near := [e for e in rest if any(is_linked(e, other) for other in linked)]:
            linked += near
            rest = [e for e in rest if e not in near]
        assert change.reason or not rest, (own, change.name, [e.id for e in rest])


def is_linked(one: hr.compare.Difference, other: hr.compare.Difference) -> bool:
    sections = [{cited.section for cited in difference.cited} for difference in (one, other)]
    sources = [
        " ".join(side.source for side in (difference.old, difference.new) if side)
        for difference in (one, other)
    ]
    named = one.name in sources[1] or other.name in sources[0]
    return bool(sections[0] & sections[1]) or named


def test_both_sides_of_a_change_are_told_apart() -> None:
    changes = [change for edition in ORDER for change in declared(edition)]

    assert_none(f"{e.edition} {e.name}" for e in changes if e.own == e.below)
    assert_none(f"{e.edition} {e.name}" for e in changes if not e.play)


@pytest.mark.parametrize("edition", ORDER[:-1])
def test_every_change_is_told_in_three_languages(edition: str) -> None:
    for change in declared(edition):
        english = change.words("en")
        assert set(change.translated) == {"fr", "es"}, change.name
        for language in change.translated:
            words = astuple(change.words(language))
            assert all(words), (change.name, language)
            assert not set(words) & set(astuple(english)), (change.name, language)


@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_of_a_change_of_several_editions_each_says_of_the_one_below_what_that_says(
    language: str,
) -> None:
    for own, below in pairwise(ORDER[:-1]):
        sentences = {change.name: change.words(language) for change in declared(below)}
        for change in declared(own):
            if change.name in sentences:
                assert change.words(language).below == sentences[change.name].own, change.name


# ---------------------------------------------------------------- the table
@pytest.mark.parametrize("language", ["fr", "es"])
@pytest.mark.parametrize("old", ORDER[:-1])
def test_a_table_in_another_language_has_no_word_of_english(old: str, language: str) -> None:
    english = hr.atlas.change_table(old, "hots-4.0")
    table = hr.atlas.change_table(old, "hots-4.0", language=language)
    sections = {change.section for change in table.changes} - {"8.1", "8.2"}  # names of scenarios
    headings, others = table.differences.headings, english.differences.headings

    assert [change.name for change in table.changes] == [change.name for change in english.changes]
    assert not {e.title for e in table.changes} & {e.title for e in english.changes}
    assert_none(number for number in sections if headings[number] == others[number])
    assert "‹" not in table.report().markdown()


def test_figures_say_who_gains_by_which_printing() -> None:
    table = hr.atlas.change_table("hots-2.3", "hots-4.0")
    notes = {change.name: [*table.notes(change)] for change in table.changes}

    assert "random players, guided players: none of 4000 games differs" in notes["fraser"]
    assert (
        "random players: 3998 of 4000 games differ; Scotland wins 17.8 of 100 games fewer by 2.3 than by 3.x "
        "(13.5 to 22.1)"
    ) in notes["inland-draws"]
    assert (
        "no clear gain for a side (Scotland by 2.3: -0.7 to +1.0 wins in 100 games)"
        in notes["etterick"][1]
    )


def test_of_several_steps_a_figure_says_of_which_it_is() -> None:
    table = hr.atlas.change_table("hots-player-aid", "hots-4.0")
    notes = [note for change in table.changes[5:] for note in table.notes(change)]

    assert any(
        note.startswith("random players (2.3 → 3.x): 2 of 4000 games differ") for note in notes
    )
    assert any(note.startswith("random players: 57 of 4000 games differ") for note in notes)


@pytest.mark.parametrize(("old", "new"), list(permutations(ORDER, 2)))
def test_every_difference_of_play_is_in_one_change_of_the_table(old: str, new: str) -> None:
    table = hr.compare.table(old, new)
    members = Counter(member for change in table.changes for member in change.members)

    assert_none(r.id for r in table.rows if r.effect == "behavioural" and members[r.id] != 1)
    assert all(change.is_declared for change in table.changes)


def test_a_player_reads_some_thirty_changes_between_the_oldest_rulebook_and_the_newest() -> None:
    changes = hr.atlas.change_table("hots-2.3", "hots-4.0").changes

    assert 25 <= len(changes) <= 40
    places = [[int(part) for part in change.section.split(".")] for change in changes]
    assert [place[0] for place in places] == sorted(place[0] for place in places)


def test_the_sides_of_a_change_follow_the_columns() -> None:
    there = hr.compare.table("hots-2.3", "hots-4.0").change("truce-raids")
    back = hr.compare.table("hots-4.0", "hots-2.3").change("truce-raids")

    assert there.cells == back.cells[::-1]
    assert (there.teller, back.teller) == ("hots-2.3", "hots-2.3")


def test_changes_of_one_name_are_one_row_in_a_table_of_several_rulesets() -> None:
    change = hr.compare.table(*ORDER).change("stranded-blocks")

    sentences = [cell.lines for cell in change.cells]
    assert len(set(sentences)) == 3
    assert sentences[2] == sentences[3]


def test_what_an_older_printing_takes_back_is_no_change_for_a_player() -> None:
    """2.3 leaves a Scottish noble whose home is lost open; the aid says the same as 3.x."""
    table = hr.atlas.change_table("hots-player-aid", "hots-3.x")

    assert table.differences.change("lost-home").is_alike
    assert "lost-home" not in [change.name for change in table.changes]


@pytest.mark.parametrize(("old", "new"), list(combinations(ORDER, 2)))
def test_no_row_has_two_cells_that_read_alike(old: str, new: str) -> None:
    table = hr.compare.table(old, new)

    alike = [
        row.title
        for section in table.shown()
        for row in section.rows
        if row.cells and len(set(row.cells)) == 1
    ]
    assert_none(alike)
    changes = hr.atlas.change_table(old, new).changes
    assert_none(e.name for e in changes if len({cell.lines for cell in e.cells}) == 1)


@pytest.mark.parametrize(("old", "new"), list(combinations(ORDER, 2)))
def test_a_row_tells_what_differs_and_not_only_how_the_declarations_begin(
    old: str, new: str
) -> None:
    """The first line of a declaration is shown only where it has no sentence and no part of its own."""
    rows = hr.compare.table(old, new).rows

    heads = [
        row.id
        for row in rows
        if row.plays
        for cell in row.cells
        if any(line.startswith(("amend ", f"{row.kind} {row.name} ")) for line in cell.lines)
    ]
    assert_none(heads)


# ---------------------------------------------------------------- what nobody declared
HOUSE = """ruleset quick-1.0 "House rule"
  extends hots-4.0
repeal rule stop-at-the-enemy hots-4.0§4.0
repeal rule draws-obey-the-castle-limit hots-4.0§7.62
amend define room_for_one(a: Area) = count(army(Scotland, a)) < 5  hots-4.0§7.62
"""


def test_differences_that_nobody_declared_are_grouped_by_section_with_what_they_use(
    tmp_path: object,
) -> None:
    path = f"{tmp_path}/quick.rules"
    with open(path, "w", encoding="utf-8") as file:
        file.write(HOUSE)
    table = hr.compare.table("hots-4.0", path)

    members = {change.name: change.members for change in table.changes}
    assert members == {
        "stop-at-the-enemy": ("rule stop-at-the-enemy",),
        "draws-obey-the-castle-limit": (
            "rule draws-obey-the-castle-limit",
            "define room_for_one",
        ),
    }
    assert not any(change.is_declared for change in table.changes)
    assert table.change("stop-at-the-enemy").cells[1].lines == ("–",)


# ---------------------------------------------------------------- the file
CHANGE = """[winter]
title = "Winter"
section = "7.0"
own = "Snow."
below = "Sun."
members = ["phase winter"]
"""


def faults_of(changes: str) -> list[str]:
    source = source_of("hots-2.3", changes)
    with pytest.raises(hr.RulesetError) as raised:
        load_rulebook(source)
    return [fault.code for fault in raised.value.faults]


def test_changes_decide_nothing() -> None:
    source, changed = shipped_source("hots-2.3"), source_of("hots-2.3", CHANGE)
    assert source is not None

    assert changed.text_hash() == source.text_hash()
    assert load_rulebook(changed).content == load_rulebook(source).content


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[winter", "malformed-text"),
        (CHANGE.replace("own", "self"), "malformed-text"),
        (CHANGE.replace('"7.0"', '"77"'), "unknown-section"),
        (CHANGE.replace("phase winter", "phase summer"), "unknown-name"),
        (CHANGE + CHANGE.replace("[winter]", "[snow]"), "duplicate-name"),
    ],
)
def test_a_file_of_changes_that_is_wrong_is_a_fault(text: str, code: str) -> None:
    assert faults_of(text) == [code]


def test_the_faults_of_a_file_of_changes_have_their_place_and_a_near_name() -> None:
    with pytest.raises(hr.RulesetError) as raised:
        load_rulebook(source_of("hots-2.3", CHANGE.replace("phase winter", "phase winters")))

    (fault,) = raised.value.faults
    assert (fault.place.file, fault.place.line) == ("2.3/changes.toml", 6)
    assert fault.help == "did you mean `phase winter`?"


def test_the_shipped_files_are_whole_tables() -> None:
    for edition in ORDER[:-1]:
        source = shipped_source(edition)
        assert source is not None
        assert tomllib.loads(source.layers[-1].changes).keys() == {
            e.name for e in declared(edition)
        }


# ---------------------------------------------------------------- themes
@pytest.mark.parametrize(
    ("theme", "name"),
    [
        ("castles", "scots-disbanding"),
        ("kings", "edward-i-slain"),
        ("winter", "secret-builds"),
        ("sea", "sea-move"),
        ("rois", "edward-i-slain"),
        ("§7.5", "wallace-steps"),
    ],
)
def test_changes_are_found_by_a_theme_in_the_words_of_the_prompt(theme: str, name: str) -> None:
    table = hr.atlas.change_table("hots-2.3", "hots-4.0")

    assert name in hr.talk.changes_about(table, theme).names


def test_a_theme_without_changes_offers_the_nearest_ones() -> None:
    table = hr.atlas.change_table("hots-2.3", "hots-4.0")
    about = hr.talk.changes_about(table, "Berwick")

    assert about.names == ()
    assert "Anglo-Scottish Border" in about.nearest
