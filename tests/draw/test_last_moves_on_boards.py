"""On a board of squares an arrow shows the last move, and what has no room on a piece is cut to its first letters."""

from __future__ import annotations

import hots_rules as hr
from hots_rules.draw.scene.positions import position_of
from tests.playing import ruleset_of
from tests.talk.test_board_pieces import HUNT

HUNTERS = HUNT.replace("  hound  Hounds", "  huntsman  Hounds").replace("hound", "huntsman")


def moved(game: hr.Game, *texts: str) -> list[str]:
    for text in texts:
        game = game.play(text)
    return [move.facts for move in position_of(game, None).moves]


def test_the_man_that_moved_is_shown_by_an_arrow() -> None:
    game = ruleset_of(HUNT).start("start", seed=1)

    assert moved(game) == []
    assert moved(game, "Hounds: b1-b2") == ["Hounds: b1 → b2"]
    assert moved(game, "Hounds: b1-b2", "Hares: a2-a3") == ["Hares: a2 → a3"]
    assert 'class="moves"' in game.play("Hounds: b1-b2").draw()


def test_a_man_that_is_captured_leaves_the_arrow_of_the_other() -> None:
    game = hr.load("chess-1.0").start("beginning", seed=1)
    moves = "White: e2-e4", "Black: d7-d5", "White: e4-d5"

    assert moved(game, *moves) == ["White: e4 → d5"]


def test_a_word_without_room_on_a_piece_is_cut_to_its_first_letters() -> None:
    game = ruleset_of(HUNTERS).start("start", seed=1)
    drawn = {p.name: p.initials for place in position_of(game, None).places for p in place.pieces}
    short = ruleset_of(HUNT).start("start", seed=1)

    assert drawn == {"huntsman": "Hu", "hare": "Ha"}
    assert ">Hu</text>" in game.draw()
    assert {p.initials for place in position_of(short, None).places for p in place.pieces} == {""}


def test_the_board_in_letters_has_the_names_of_its_rows_and_columns() -> None:
    game = ruleset_of(HUNT).start("start", seed=1)

    for language, hound, hare in (("en", "ho", "ha"), ("fr", "c", "l")):
        section = hr.explain.render_board(game.in_language(language))[-1]
        rows = [(name, *text.split()) for name, text in section.rows]
        assert rows == [
            ("3", ".", ".", "."),
            ("2", hare, ".", "."),
            ("1", hound, hound, "."),
            ("", "a", "b", "c"),
        ]


def test_a_board_whose_places_have_names_of_their_own_has_the_first_of_each_row() -> None:
    game = ruleset_of(HUNT.replace('Square = "{file}{rank}"', 'Square = "{rank} of {file}"')).start(
        "start", seed=1
    )
    rows = hr.explain.render_board(game)[-1].rows

    assert [name for name, _ in rows] == ["3 of a", "2 of a", "1 of a"]
