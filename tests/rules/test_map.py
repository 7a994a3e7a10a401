"""The line `map`: where a drawing puts what a variable places."""

from __future__ import annotations

from pathlib import Path

import pytest

import hots_rules as hr

GAME = """ruleset mapped "A game with a map"
players Side
{line}
type Side = White | Black
table Site §1 (across: 0..9, down: 0..9, wet: bool, near: set of Site, seasons: set of 1..4)
  North  2  1  -  South  -
  South  2  8  -  North  -
table Road §1 (joins: set of Site, paint: Paint, width: 0..9)
  Highway  North+South  red  3
type Paint = red | green
table Piece §1 (size: 0..3)
  Fox  1
type Place = Site | Away
state
  place[Piece] : Place
  beaten       : bool
action go(to: Site) §1 "Go."
  permit when place[Fox] != to and not beaten
  place[Fox] := to
phase game §1 "Play."
  choose White: go
  win White
scenario plain §1 "Plain"
  game()
"""


def ruleset(tmp_path: Path, line: str) -> hr.Ruleset:
    path = tmp_path / "mapped.rules"
    path.write_text(GAME.format(line=line), "utf-8")
    return hr.load(path)


def test_places_and_lines_of_a_map(tmp_path: Path) -> None:
    line = "map place at across, down\n  links Road by joins in paint\n  links Site by near"
    found = ruleset(tmp_path, line).schema.facts.map

    assert found is not None
    assert "place" == found.variable
    assert {0: (2, 1), 1: (2, 8)} == found.spots
    assert [((0, 1), "red"), ((0, 1), ""), ((1, 0), "")] == [
        (link.ends, link.colour) for link in found.links
    ]


def test_the_terrain_of_places_is_a_column_or_a_definition(tmp_path: Path) -> None:
    line = "map place at across, down in {name}\n  links Road by joins in paint"
    text = GAME.format(line=line).replace(
        "near: set of Site,", "near: set of Site, ground: Ground,"
    )
    text = text.replace("  1  -  South", "  1  -  South  field").replace(
        "  8  -  North", "  8  -  North  marsh"
    )
    text += "type Ground = field | marsh\n"
    wettest = "define wettest(s: Site) = if across[s] = 2 and down[s] > 4 then marsh else field\n"
    for name, more in (("ground", ""), ("wettest", wettest)):
        path = tmp_path / "mapped.rules"
        path.write_text(text.format(name=name) + more, "utf-8")
        drawn = hr.load(path).schema.facts.map

        assert drawn is not None and drawn.terrain_type is not None
        assert {0: "field", 1: "marsh"} == {
            place: drawn.terrain_type.values[word][1] for place, word in drawn.terrain.items()
        }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("wett", "`wett` is not a column or a definition of the places"),
        ("wet", "got `wet`, a column that holds bool"),
        ("size_of", "got `size_of`, a definition of something else"),
        ("width_at", "got `width_at`, a definition that gives 0..9"),
        ("now", "got `now`, a definition that reads the state"),
    ],
)
def test_what_is_no_terrain(tmp_path: Path, name: str, message: str) -> None:
    definitions = """define size_of(p: Piece) = if size[p] > 1 then red else green
define width_at(s: Site) = across[s]
define now(s: Site) = if place[Fox] = s then red else green
"""
    path = tmp_path / "mapped.rules"
    path.write_text(GAME.format(line=f"map place at across, down in {name}") + definitions, "utf-8")

    with pytest.raises(hr.RulesetError) as raised:
        hr.load(path)

    assert message in str(raised.value)


def test_a_ruleset_without_a_map() -> None:
    assert hr.load("lords-of-scotland").schema.facts.map is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("map plaice at across, down", "unknown-name: `plaice` is not a state variable"),
        ("map beaten at across, down", "wrong-type: expected a map from things to places"),
        ("map place at acros, down", "unknown-name: `acros` is not a column of a table"),
        ("map place at across, width", "unknown-name: `width` is not a column of the table `Site`"),
        ("map place at across, wet", "wrong-type: expected a column of numbers, got `wet`"),
        ("map place at size, size", "wrong-type: expected a column of places, got `size`"),
        ("map place at across, down\n  links Rod by joins", "unknown-name: `Rod` is not a table"),
        (
            "map place at across, down\n  links Road by near",
            "unknown-name: `near` is not a column of",
        ),
        ("map place at across, down\n  links Road by width", "wrong-type: expected a column `set"),
        ("map place at across, down\n  links Site by seasons", "wrong-type: expected a column"),
        (
            "map place at across, down\n  links Road by joins in width",
            "wrong-type: expected a column of words, got `width`",
        ),
        (
            "map place at across, down\nmap place at down, across",
            "duplicate-name: a second line `map …`",
        ),
    ],
)
def test_a_map_that_does_not_fit(tmp_path: Path, line: str, expected: str) -> None:
    with pytest.raises(hr.RulesetError) as error:
        ruleset(tmp_path, line)

    assert expected in str(error.value)


def test_every_area_of_the_board_has_a_place_of_its_own() -> None:
    found = hr.load("hots-4.0").schema.facts.map
    assert found is not None
    spots = set(found.spots.values())

    assert 23 == len(found.spots) == len(spots)
    assert 49 == len(found.links)
    assert all(len(link.ends) == 2 for link in found.links)
