"""Positions as pictures."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from tests.needs import needs

SPACE = "{http://www.w3.org/2000/svg}"


def titles(picture: str) -> list[str]:
    """What a picture says of its parts."""
    return [found.text or "" for found in ElementTree.fromstring(picture).iter(f"{SPACE}title")]


def texts(picture: str) -> list[str]:
    """The words that stand in a picture."""
    return [found.text or "" for found in ElementTree.fromstring(picture).iter(f"{SPACE}text")]


@pytest.fixture(scope="module")
def game() -> hr.Game:
    return hr.load("hots-4.0").start("braveheart", seed=1297)


def marked(picture: str, mark: str) -> list[str]:
    """The values of an attribute in a picture, such as those of `data-area`."""
    root = ElementTree.fromstring(picture)
    return [found.get(mark, "") for found in root.iter() if found.get(mark)]


def test_every_area_border_and_block_is_drawn_and_named(game: hr.Game) -> None:
    picture = game.draw()

    assert 23 == len(marked(picture, "data-area"))
    assert 49 == len(marked(picture, "data-border"))
    assert 43 == len(marked(picture, "data-block"))
    assert "Ross – Garmoran: two may cross, and stop" in titles(picture)
    assert "Wallace, Scotland, A3, strength 4 / 4" in titles(picture)
    assert "castle limit 2" in titles(picture)


def test_a_still_picture_is_one_image_that_tells_the_position(game: hr.Game) -> None:
    root = ElementTree.fromstring(game.draw())
    told = root.findtext(f"{SPACE}desc") or ""

    assert "img" == root.get("role")
    assert "1297, Turn 1 / 5. England, Scotland: play cards. England, hand 5, 11 nobles" in told
    assert "Barclay, Scotland, C2, strength 4 / 4" in told
    assert not marked(game.draw(), "tabindex")


def test_a_live_picture_has_buttons_with_full_names(game: hr.Game) -> None:
    picture = game.draw(live=True)

    assert 23 + 43 == len(marked(picture, "tabindex"))
    assert "Wallace, Scotland, A3, strength 4 / 4" in marked(picture, "aria-label")


def test_targets_are_marked_on_request(game: hr.Game) -> None:
    assert ["area target"] == [
        found for found in marked(game.draw(targets=["Fife"]), "class") if "target" in found
    ]
    assert not [found for found in marked(game.draw(), "class") if "target" in found]


def test_a_place_to_mark_must_be_on_the_map(game: hr.Game) -> None:
    with pytest.raises(hr.UnknownName, match="Fife"):
        game.draw(targets=["Fief"])


def test_what_a_player_does_not_know_is_a_back(game: hr.Game) -> None:
    picture = game.draw("England")
    known = [name for name in marked(picture, "data-block") if "#" not in name]
    backs = [found for found in marked(picture, "class") if found == "block player-1 hidden"]

    assert 43 == len(marked(picture, "data-block"))
    assert not {"Wallace", "Douglas", "Barclay"} & set(known)
    assert 15 == len(backs)
    assert "Wallace" not in picture
    assert (
        "Fife (castle limit 2; cathedral): hidden, Scotland; hidden, Scotland; hidden, Scotland"
        in titles(picture)
    )


def test_a_picture_for_a_player_is_made_from_the_view_alone() -> None:
    """Two positions that a player cannot tell apart give him the same picture."""
    rules = hr.load("hots-4.0")
    game = rules.start("braveheart", seed=1297)
    text = game.position
    swapped = text.replace("Wallace: place Fife", "Wallace: place Annan").replace(
        "Bruce: place Annan", "Bruce: place Fife"
    )
    pictures = [rules.position(each).draw("England") for each in (text, swapped)]

    assert text != swapped
    assert pictures[0] == pictures[1]


def test_the_last_move_is_an_arrow(game: hr.Game) -> None:
    for text in ("England: play Move 3", "Scotland: play Move 2", "England: end moves"):
        game = game.play(text)
    moved = game.play("Scotland: move Wallace Fife-Mentieth")

    assert not marked(game.draw(), "data-from")
    for viewer in (None, "England", "Scotland"):
        assert ["Fife"] == marked(moved.draw(viewer), "data-from")
        assert ["Mentieth"] == marked(moved.draw(viewer), "data-to")


def test_a_battle_is_marked_on_the_map_and_told_in_a_panel(game: hr.Game) -> None:
    for text in (
        *("England: play Move 3", "Scotland: play Move 2", "England: end moves"),
        *("Scotland: move Wallace Fife-Mentieth", "Scotland: move Douglas Fife-Mentieth"),
        "Scotland: end moves",
    ):
        game = game.play(text)
    picture = game.draw()

    assert ["area battle"] == [name for name in marked(picture, "class") if "area " in name]
    assert "Battle: Mentieth, round 1" in texts(picture)
    assert {"England: defender", "Scotland: attacker"} <= set(texts(picture))


def test_a_picture_has_the_words_of_its_language() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=1)

    assert "deux passent, puis s'arrêtent" in texts(game.in_language("fr").draw())
    assert "hogar de un noble" in texts(game.in_language("es").draw())


def test_a_ruleset_without_a_map_shows_its_places_as_panels() -> None:
    picture = hr.load("lords-of-scotland").start("3-players", seed=2).draw("P2")

    assert "hand of P1 (5)" in texts(picture)
    assert "recruit 1 (1)" in texts(picture)


def test_equal_positions_are_equal_pictures(game: hr.Game) -> None:
    again = hr.load("hots-4.0").start("braveheart", seed=1297)

    assert game.draw("Scotland") == again.draw("Scotland")


def test_no_label_breaks_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "odd.rules"
    path.write_text(
        """ruleset odd "A <title> & more"
players Side
type Side = White | Black
type Place = Here | There
type Piece = Fox | Owl
state
  place[Piece] : Place
action go(to: Place) §1 "Go."
  permit when place[Fox] != to
  place[Fox] := to
phase game §1 "Play."
  choose White: go
  win White
scenario plain §1 "Plain"
  game()
label en
  Here = "<script>&"
""",
        "utf-8",
    )
    picture = hr.load(path).start("plain").draw()

    assert "A <title> & more" in titles(picture)
    assert "<script>& (2)" in texts(picture)


# ---------------------------------------------------------------- notebooks
def test_a_notebook_shows_games_and_actions(game: hr.Game) -> None:
    display = needs("IPython.core.formatters").DisplayFormatter()
    data, _ = display.format(game)

    assert game.draw() == data["image/svg+xml"]
    assert "hots-4.0 braveheart, 0 moves: England and Scotland in play_cards" == data["text/plain"]
    assert "Wallace, Scotland, A3, strength 4 / 4" in titles(data["image/svg+xml"])
    assert game.actions[0].text == display.format(game.actions[0])[0]["text/plain"]


def test_a_notebook_shows_answers(game: hr.Game) -> None:
    display = needs("IPython.core.formatters").DisplayFormatter()
    refused = game.why_not("Scotland: Coronation of Bruce")
    happened = game.play("England: play Move 3").explain()

    for told in (refused, happened):
        data, _ = display.format(told)
        assert told.text() == data["text/plain"]
        assert data["text/html"].startswith("<pre>")
        assert "§3.1" in data["text/html"]


# ---------------------------------------------------------------- the command
@pytest.fixture
def record(tmp_path: Path, game: hr.Game) -> Path:
    game.save(tmp_path / "game.rec")
    return tmp_path / "game.rec"


def hots(*words: object) -> tuple[int, str]:
    """How a command ends, and what it prints."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.output


def test_a_record_is_drawn(record: Path, game: hr.Game) -> None:
    assert (0, game.draw("Scotland")) == hots("draw", record, "--side", "scotland")


def test_a_position_is_drawn_into_a_file(tmp_path: Path, game: hr.Game) -> None:
    (tmp_path / "position.txt").write_text(game.position, "utf-8")
    out = tmp_path / "map.svg"

    assert (0, "") == hots("draw", tmp_path / "position.txt", "--ruleset", "hots-4.0", "-o", out)
    assert game.draw() == out.read_text("utf-8")


def test_the_start_of_a_ruleset_is_drawn() -> None:
    rules = hr.load("hots-4.0")
    start = rules.start(rules.scenarios[0], seed=0)

    assert (0, start.draw("Scotland")) == hots("draw", "hots-4.0", "--side", "scotland")


def test_png_needs_its_extra(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    out = record.with_suffix(".png")
    code, said = hots("draw", record, "-o", out)

    assert 2 == code
    assert "hots-rules[draw]" in said
    assert not out.exists()


@pytest.mark.thorough
def test_png_is_a_png(record: Path) -> None:
    needs("resvg_py")
    out = record.with_suffix(".png")

    assert (0, "") == hots("draw", record, "-o", out)
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.thorough
def test_png_has_the_words_of_its_labels(record: Path, game: hr.Game) -> None:
    needs("resvg_py")
    image = needs("PIL.Image")
    out = record.with_suffix(".png")
    hots("draw", record, "-o", out)
    pixels = image.open(out).convert("L")
    scale = pixels.width / int(ElementTree.fromstring(game.draw()).get("width", ""))
    names = [
        text
        for text in ElementTree.fromstring(game.draw()).iter(f"{SPACE}text")
        if text.get("class") == "name"
    ]

    assert 23 == len(names)
    for text in names:
        x, y, width, size = (
            float(text.get(at, "")) for at in ("x", "y", "textLength", "font-size")
        )
        box = x - width / 2, y - 0.8 * size, x + width / 2, y + 0.2 * size
        inside = pixels.crop(tuple(round(side * scale) for side in box))
        assert sum(inside.histogram()[:100]) > 5 * len(text.text or ""), text.text


@pytest.mark.thorough
def test_png_without_a_font_is_refused(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = needs("resvg_py")
    without_fonts = partial(resvg.svg_to_bytes, skip_system_fonts=True)
    monkeypatch.setattr(resvg, "svg_to_bytes", without_fonts)
    out = record.with_suffix(".png")
    code, said = hots("draw", record, "-o", out)

    assert 2 == code
    assert "no font is found" in said
    assert not out.exists()


def test_a_game_without_places_draws_its_values(tmp_path: Path) -> None:
    rules = hr.load("goofspiel-1.0")
    game = rules.start("full-hands", seed=3)
    root = ElementTree.fromstring(game.draw("Ann"))

    assert int(root.get("width", "")) > 300
    assert f"prize: {game.state['prize']}" in texts(game.draw("Ann"))
    assert [line for line in texts(game.draw("Ann")) if line.startswith("hand: Ann {1, 2, 3")]


def test_a_game_without_places_is_drawn_as_png(tmp_path: Path) -> None:
    needs("resvg_py")
    game, out = hr.load("goofspiel-1.0").start("full-hands"), tmp_path / "values.png"
    game.save(tmp_path / "game.rec")

    assert (0, "") == hots("draw", tmp_path / "game.rec", "-o", out)
    assert out.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--side", "France"], "unknown player `France`"),
        (["--language", "xx"], "unknown language `xx`"),
        (["-o", "map.jpeg"], "the file must end in .svg, .png or .html"),
        (["--at", "-1"], "--at"),
    ],
)
def test_wrong_use_is_told(record: Path, words: list[str], said: str) -> None:
    code, output = hots("draw", record, *words)

    assert 2 == code
    assert said in output


def test_a_position_needs_its_ruleset(tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text("year 1300\n", "utf-8")
    code, output = hots("draw", tmp_path / "position.txt")

    assert 2 == code
    assert "a position needs a ruleset" in output


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"hots_rules record 2\n\x00", "incomplete last line"),
        (b"a: b\n", "expected"),
    ],
)
def test_a_file_that_is_neither_is_told(tmp_path: Path, data: bytes, error: str) -> None:
    (tmp_path / "odd").write_bytes(data)
    code, output = hots("draw", tmp_path / "odd", "--ruleset", "hots-4.0")

    assert code in {1, 2}
    assert error in output


# ---------------------------------------------------------------- films and pages
def test_a_film_has_a_frame_for_each_play_that_changes_the_picture(
    record: Path, game: hr.Game
) -> None:
    for text in ("England: play Move 3", "Scotland: play Move 2", "England: end moves"):
        game = game.play(text)
    game.play("Scotland: move Wallace Fife-Mentieth").save(record)
    code, film = hots("draw", record, "--film")
    frames = [found for found in marked(film, "class") if found == "frame"]

    assert (0, 5) == (code, len(frames))
    assert ["Fife"] == marked(film, "data-from")
    assert "Wallace" in film
    assert "Wallace" not in hr.draw.film(hr.read(record), "England")


def test_a_film_is_an_svg(record: Path) -> None:
    code, said = hots("draw", record, "--film", "-o", record.with_suffix(".png"))

    assert 2 == code
    assert "a film is an .svg" in said


def test_a_page_has_the_picture_and_the_position_as_a_table(record: Path) -> None:
    out = record.with_suffix(".html")

    assert (0, "") == hots("draw", record, "-o", out, "--side", "scotland", "--target", "Fife")
    page = out.read_text("utf-8")
    assert 'class="area target"' in page
    (fife,) = re.findall(r'<th scope="row">Fife</th><td>(.*?)</td>', page)
    assert {"Wallace", "Douglas", "Barclay"} == {piece.split(",")[0] for piece in fife.split("; ")}
    assert '<th scope="row">Atholl</th><td>hidden, England ×1</td>' in page


@pytest.mark.parametrize(
    "shown",
    [
        lambda game: game,
        lambda game: game.state,
        lambda game: game.view("Scotland"),
        lambda game: game.record,
        lambda game: game.actions,
        lambda game: game.view("Scotland").actions,
        lambda game: game.why_not("Scotland: Coronation of Bruce"),
        lambda game: game.odds(game.actions[0]),
        lambda game: hr.diff("hots-3.x", "hots-4.0"),
        lambda game: hr.ask(game, game.actions[0].text, editions=["hots-4.0", "hots-3.x"]),
        lambda game: hr.simulate(game.ruleset, "braveheart", games=1),
        lambda game: hr.talk.battle(game.ruleset, "Fife: King 1 against Ross 1"),
    ],
)
def test_everything_that_people_look_at_has_a_notebook_display(
    game: hr.Game, shown: Callable[[hr.Game], object]
) -> None:
    display = needs("IPython.core.formatters").DisplayFormatter()
    data, _ = display.format(shown(game))

    assert data["text/html"].startswith("<")


def test_a_piece_of_a_player_named_after_a_colour_has_that_colour() -> None:
    game = hr.load("reversi-1.0").start(hr.load("reversi-1.0").scenarios[0])
    squares = ElementTree.fromstring(game.draw())
    fills = {
        piece.get("class"): piece.findall(f"{SPACE}rect")[-1].get("fill")
        for piece in squares.iter(f"{SPACE}g")
        if (piece.get("class") or "").startswith("block player-")
    }
    black, white = (game.ruleset.players.index(name) for name in ("Black", "White"))

    assert fills[f"block player-{black}"] == "#26221e"
    assert fills[f"block player-{white}"] == "#fffdf5"


def test_many_backs_in_a_tray_are_one_pile_with_their_number() -> None:
    game = hr.load("lords-of-scotland").start("3-players", seed=3)
    piles = re.findall(r'data-count="(\d+)"', game.draw("P1"))

    assert [int(count) for count in piles] == [
        sum(place == "Deck" for place in game.state.as_dict()["place"].values())
    ]


def test_what_is_drawn_by_reference_has_the_fonts_of_what_it_refers_to(game: hr.Game) -> None:
    """No style sheet reaches the text of a `use` element in browsers; it inherits attributes."""
    root = ElementTree.fromstring(game.draw())
    names = [
        group for group in root.iter(f"{SPACE}g") if (group.get("id") or "").startswith("name-")
    ]

    assert "Lato" in (root.get("font-family") or "")
    assert names and all("Serif" in (name[0].get("font-family") or "") for name in names)


def test_odds_are_a_bar_chart_with_percentages(game: hr.Game) -> None:
    data = game.odds(game.actions[0])._repr_html_()

    assert "<rect" in data
    assert "100.0 %" in data
    assert "#fbf5e6" not in data  # the background is that of the page


def test_a_long_fraction_stands_only_in_the_tooltip_of_its_bar(game: hr.Game) -> None:
    found = game.odds(game.actions[0])
    long = Fraction(2802440091997, 29720334827000)
    chart = found.chart("battle", {"won": 1 - long, "lost": long, "drawn": Fraction(1, 6)})
    root = ElementTree.fromstring(chart)
    shown = [text for each in root.iter(f"{SPACE}text") if (text := each.text or "")]

    assert ["battle", "won", "90.6 %", "lost", "9.4 %", "drawn", "16.7 %  1/6"] == shown
    assert f"lost: 9.4 %  {long}" in [each.text for each in root.iter(f"{SPACE}title")]


def test_what_a_notebook_shows_of_a_view_hides_what_it_hides(game: hr.Game) -> None:
    assert "Wallace" not in game.view("England")._repr_html_()
    assert "Wallace" in game.view("Scotland")._repr_html_()


def test_a_notebook_shows_a_view_in_words(game: hr.Game) -> None:
    root = ElementTree.fromstring(f"<div>{game.view('England')._repr_html_()}</div>")
    rows = {row[0].text: [cell.text or "" for cell in row[1:]] for row in root.iter("tr")}
    [place], [strength], [hand] = rows["place"], rows["strength"], rows["hand"]

    assert ["England and Scotland"] == rows["play cards"]
    assert "Galloway: a block of Scotland ×1" in place
    assert "Northumber Infantry" in place
    assert "Angus: 3" in strength
    assert "; ?: King, French Knights, a block of Scotland ×2" in strength
    assert "England (Move 2: 3, Move 3: 1, Pillage: 1)" == hand.split("; ")[0]
    assert ["play card", "3", "play Move 2; play Move 3; play Pillage"] == rows["England"]
    assert "#" not in place and "_" not in "".join(root.itertext())
