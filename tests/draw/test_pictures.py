"""Many positions as pictures: nothing overlaps, leaves its place, is too small or too pale."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin
from pathlib import Path
from random import Random

import pytest
from attrs import evolve

import hots_rules as hr
from hots_rules.draw.board.boards import board_of
from hots_rules.draw.board.geometry import AreaLabel
from hots_rules.draw.board.placement import PlacedBlocks, placed
from hots_rules.draw.picture.blocks import DEFAULT_STYLES, WHITE
from hots_rules.draw.picture.elements import INK, PAPER
from hots_rules.draw.picture.map import GOLD
from hots_rules.draw.picture.page import picture
from hots_rules.draw.scene.position import DrawnMove, DrawnPlace, Piece, Position
from hots_rules.draw.scene.positions import position_of
from tests.draw.pictures import arrows, faults, faults_of_arrows
from tests.listing import assert_none
from tests.needs import needs

GAMES = ("hots-4.0", "hots-3.x", "hots-2.3", "lords-of-scotland", "connect-four-1.0")
GAMES += ("breakthrough-1.0", "reversi-1.0", "dominoes-1.0", "goofspiel-1.0", "backgammon-1.0")
GAMES += ("beacons-1.0", "causeway-1.0", "chess-1.0")
LANGUAGES = ("en", "fr", "es")


def random_games(name: str, seed: int, apart: int, count: int) -> Iterator[hr.Game]:
    """Games at moments of one random game after another, some plays apart."""
    rules, luck = hr.load(name), Random(seed)
    game = rules.start(luck.choice(rules.scenarios), seed=seed)
    for number in range(count):
        for _ in range(luck.randrange(2 * apart)):
            if game.is_over:
                game = rules.start(luck.choice(rules.scenarios), seed=seed + number + 1)
            game = game.play(luck.choice(game.actions))
        yield game


def faults_of(position: Position) -> list[str]:
    is_map = bool(position.board.badges)
    return list(faults(picture(position), position.board, on_map=is_map))


def check_random(name: str, count: int, apart: int) -> None:
    luck = Random(7)
    found = []
    for game in random_games(name, 11, apart, count):
        game = game.in_language(luck.choice(LANGUAGES))
        viewer = luck.choice((None, *game.ruleset.players))
        found += [
            f"{game.moves[-1:]} {viewer} {fault}" for fault in faults_of(position_of(game, viewer))
        ]
    assert_none(dict.fromkeys(found))


@pytest.mark.thorough
@pytest.mark.parametrize("name", GAMES)
def test_random_states_are_drawn_well(name: str) -> None:
    check_random(name, 4, 12)


@pytest.mark.nightly
@pytest.mark.parametrize("name", GAMES)
def test_two_thousand_random_states_are_drawn_well(name: str) -> None:
    check_random(name, 200, 6)


# ------------------------------------------------------------------ crowds
@cache
def scattered(language: str, viewer: str | None) -> Position:
    rules = hr.load("hots-4.0")
    return position_of(rules.start("braveheart", seed=1).in_language(language), viewer)


def crowded(position: Position, numbers: dict[str, int], luck: Random) -> Position:
    """A position with so many pieces in some areas, taken from everywhere."""
    pieces = [piece for place in (*position.places, *position.trays) for piece in place.pieces]
    luck.shuffle(pieces)
    taken: dict[str, tuple[Piece, ...]] = {}
    for area, number in numbers.items():
        here, pieces = pieces[:number], pieces[number:]
        here.sort(key=lambda piece: (piece.owner or 0, not piece.name))
        taken[area] = tuple(here)
    places = tuple(evolve(place, pieces=taken.get(place.key, ())) for place in position.places)
    trays = (DrawnPlace("Pool", "Pool", tuple(pieces)),) if pieces else ()
    return evolve(position, places=places, trays=trays)


def check_crowds(count: int) -> None:
    luck, found = Random(3), []
    keys = [place.key for place in scattered("en", None).places]
    for number in range(count):
        position = scattered(LANGUAGES[number % 3], (None, "England", "Scotland")[number // 3 % 3])
        area = keys[number % len(keys)]
        crowds = ([area, 10], [area, 20], [area, 43], [area, 1])[number % 4]
        numbers = {str(crowds[0]): int(crowds[1])}
        if number % 4 == 3:  # five battles at once
            numbers = {key: luck.randrange(4, 9) for key in luck.sample(keys, 5)}
        crowd = crowded(position, numbers, luck)
        found += [f"{numbers} {position.language}: {fault}" for fault in faults_of(crowd)]
    assert_none(dict.fromkeys(found))


@pytest.mark.thorough
def test_crowded_areas_are_drawn_well() -> None:
    check_crowds(12)


@pytest.mark.nightly
def test_three_hundred_crowds_are_drawn_well() -> None:
    check_crowds(23 * 4 * 4)


LINES = [(cos(turn * pi / 18), sin(turn * pi / 18)) for turn in range(-9, 9)]


def apart(here: PlacedBlocks) -> tuple[float, float]:
    """How far a straight line parts two sides at best: the middles of their blocks, and the blocks."""
    found = []
    for across, down in LINES:
        sides: tuple[list[float], list[float]] = ([], [])
        for piece, (x, y) in here.blocks:
            sides[piece.owner or 0].append(x * across + y * down)
        middles = max(min(sides[1]) - max(sides[0]), min(sides[0]) - max(sides[1]))
        found.append((middles, middles - here.size * (abs(across) + abs(down))))
    return max(middles for middles, _ in found), max(blocks for _, blocks in found)


def test_the_sides_of_a_battle_are_two_groups() -> None:
    position, luck, gaps = scattered("en", None), Random(6), []
    for key in [place.key for place in position.places] * 4:
        crowd = crowded(position, {key: luck.randrange(2, 10)}, luck)
        place = next(place for place in crowd.places if place.key == key)
        here = placed(place, crowd.board)
        if len(place.owners) == 2 and here.blocks:
            gaps.append(apart(here))

    assert len(gaps) >= 60
    assert min(middles for middles, _ in gaps) >= 10
    # Where an area has too few slots, the groups meet as steps of a stair.
    assert sum(blocks > 0 for _, blocks in gaps) >= 0.85 * len(gaps)


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_arrow_covers_a_name(language: str) -> None:
    """From some areas to each other one, with some blocks everywhere."""
    position, luck, found = scattered(language, None), Random(language), []
    keys = [place.key for place in position.places]
    for start in luck.sample(keys, 9):
        crowd = crowded(position, {key: luck.randrange(1, 4) for key in keys}, luck)
        moves = tuple(DrawnMove(start, end, 0, "") for end in keys if end != start)
        drawn = picture(evolve(crowd, moves=moves))
        assert len(list(arrows(drawn))) == len(moves)
        found += [f"from {start}: {fault}" for fault in faults_of_arrows(drawn)]
    assert_none(dict.fromkeys(found))


@pytest.mark.thorough
def test_no_arrow_of_random_games_covers_a_name() -> None:
    drawn = [picture(position_of(game, None)) for game in random_games("hots-4.0", 8, 5, 60)]

    assert sum(len(list(arrows(each))) for each in drawn) >= 10
    assert_none(dict.fromkeys(fault for each in drawn for fault in faults_of_arrows(each)))


def test_blocks_that_do_not_fit_are_a_stack_with_a_panel_that_lists_them() -> None:
    crowd = crowded(scattered("en", None), {"Fife": 43}, Random(1))
    drawn = picture(crowd)

    assert 43 == sum(map(int, re.findall(r'data-count="(\d+)"', drawn)))
    assert 2 == drawn.count('class="stack')
    assert ">Fife (43)</text>" in drawn
    assert 43 == drawn.count("data-block=")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"slots": ((743, 791), (750, 791), (790, 791))}, "overlap"),
        ({"slots": ((660, 791), (700, 791), (600, 820))}, "leaves its area"),
        ({"slots": ((719, 740), (770, 740), (820, 740))}, "overlap"),
        ({"label": AreaLabel((719, 735), 240, (600, 725, 240, 41))}, "leaves its area"),
    ],
)
def test_a_damaged_board_is_noticed(change: dict[str, object], told: str) -> None:
    position = scattered("en", None)
    fife = evolve(position.board.areas["Fife"], **change)
    label = change.get("label")
    places = tuple(
        evolve(place, name="Principality of Fife and Kinross")
        if label and place.key == "Fife"
        else place
        for place in position.places
    )
    areas = {**position.board.areas, "Fife": fife}
    damaged = evolve(position, board=evolve(position.board, areas=areas), places=places)

    assert [fault for fault in faults_of(damaged) if told in fault]


# ------------------------------------------------------------------ colours
def contrast(one: str, other: str) -> float:
    """The contrast of two colours by the rule of the WCAG."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrasts_are_high_enough() -> None:
    board = board_of(hr.load("hots-4.0"))
    grounds = (*board.tints, PAPER, "#fff3b8")

    assert all(contrast(INK, ground) >= 4.5 for ground in grounds)
    assert all(contrast(WHITE, style.colour) >= 4.5 for style in board.players.values())
    assert contrast("#1d4a5e", board.background) >= 4.5
    for style in board.links.values():
        assert contrast(style.colour, "#fffaf0") >= 4.5  # the number on its badge
        assert all(contrast(style.colour, tint) >= 3 for tint in board.tints)
    for symbol in ("castle", "ruin", "church", "pennant"):
        strokes = {c for part in board.symbols[symbol].parts for c in (part.fill, part.stroke)}
        darkest = min(strokes - {"none"}, key=_luminance)
        assert all(contrast(darkest, tint) >= 3 for tint in board.tints), symbol


def test_sides_differ_without_colour() -> None:
    england, scotland = board_of(hr.load("hots-4.0")).players.values()

    assert england.corner != scotland.corner
    assert england.back != scotland.back
    assert contrast(england.colour, scotland.colour) >= 2


# Machado, Oliveira and Fernandes (2009), at severity 1, for linear light; and what is left without any hue.
SIGHTS = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "grey": ((0.2126, 0.7152, 0.0722),) * 3,
}  # fmt: skip


def seen_by(colour: str, sight: str) -> str:
    """A colour as it is seen with a certain sight."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    mixed = (sum(a * b for a, b in zip(row, linear, strict=True)) for row in SIGHTS[sight])
    held = [min(max(value, 0.0), 1.0) for value in mixed]
    shown = [v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in held]
    return "#" + "".join(f"{round(255 * v):02x}" for v in shown)


@pytest.mark.parametrize("sight", SIGHTS)
def test_sides_and_borders_differ_for_every_sight(sight: str) -> None:
    """The sides from each other, and sides and borders from each land: by lightness, whatever the hues."""
    board = board_of(hr.load("hots-4.0"))
    lands = [seen_by(tint, sight) for tint in board.tints]
    sides = [seen_by(style.colour, sight) for style in board.players.values()]
    first, second, *_ = (seen_by(style.colour, sight) for style in DEFAULT_STYLES)

    assert contrast(*sides) >= 2
    assert contrast(first, second) >= 2
    assert all(contrast(side, seen_by(WHITE, sight)) >= 4.5 for side in sides)
    assert all(contrast(side, land) >= 3 for side in sides for land in lands)
    for style in board.links.values():
        assert all(contrast(seen_by(style.colour, sight), land) >= 3 for land in lands)
    # The bright line of a target and of the last move stands on ink.
    assert contrast(seen_by(GOLD, sight), seen_by(INK, sight)) >= 4.5
    assert all(contrast(seen_by(INK, sight), land) >= 4.5 for land in lands)


def test_borders_differ_without_colour() -> None:
    styles = board_of(hr.load("hots-4.0")).links.values()

    for part in ("dash", "badge", "number"):
        assert len({getattr(style, part) for style in styles}) == len(styles), part


# ------------------------------------------------------------------ two renderers
@pytest.mark.nightly
def test_a_browser_and_the_renderer_of_png_agree(tmp_path: Path) -> None:
    """Where a browser is installed, it draws what resvg draws; texts keep their places with any font."""
    resvg, image = needs("resvg_py"), needs("PIL.Image")
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium")
    game = hr.load("hots-4.0").start("braveheart", seed=1)
    for viewer in (None, "England"):
        drawn = picture(position_of(game, viewer))
        width, height = re.findall(r'width="([0-9]+)" height="([0-9]+)"', drawn)[0]
        (tmp_path / "board.svg").write_text(drawn, "utf-8")
        (tmp_path / "resvg.png").write_bytes(bytes(resvg.svg_to_bytes(svg_string=drawn)))
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"),
                *(f"--window-size={width},{height}", f"--screenshot={tmp_path / 'browser.png'}"),
                str(tmp_path / "board.svg"),
            ],
            check=True,
            capture_output=True,
            timeout=120,
        )
        pictures = [image.open(tmp_path / f"{name}.png") for name in ("resvg", "browser")]
        small = [each.convert("L").resize((100, 140)) for each in pictures]
        pairs = zip(*(each.tobytes() for each in small), strict=True)
        apart = [abs(one - other) for one, other in pairs]
        assert sum(apart) / len(apart) < 3
        assert max(apart) < 90
