"""Tab at the prompt: the next word of a line, wherever it stands."""

from __future__ import annotations

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

import hots_rules as hr
from hots_rules.cli.prompt.match import Match
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game
from hots_rules.cli.prompt.terminal_completer import TerminalCompleter
from hots_rules.cli.screen.desk import Desk
from hots_rules.cli.screen.seat import Seat


@pytest.fixture(scope="module")
def prompt() -> Repl:
    rules = hr.load("hots-4.0")
    game = rules.start("braveheart", seed=1297)
    for text in ("England: play Move 3", "Scotland: play Move 2", "England: end moves"):
        game = game.play(text)
    return Repl(Session(game))


def completed(prompt: Repl, line: str) -> set[str]:
    """The lines that Tab makes of a line."""
    return {f"{line[: len(line) - word.replaced]}{word.text}" for word in prompt.completer()(line)}


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        # names of blocks, areas, cards and sections after commands
        ("show Wal", "show Wallace"),
        ("show york", "show York Knights"),
        ("show York Kn", "show York Knights"),
        ("show Sea", "show Sea Move"),
        ("show 5.3", "show 5.31"),
        ("show wallace-in", "show wallace-in-selkirk"),
        ("find castle Bu", "find castle Buchan"),
        # inside questions
        ("where is Wal", "where is Wallace"),
        ("who holds Strath", "who holds Strathspey"),
        ("can Wallace retreat to Men", "can Wallace retreat to Mentieth"),
        ("what happens when York Kn", "what happens when York Knights"),
        ("who ho", "who holds"),
        ("¿dónde está Walla", "¿dónde está Wallace"),
        # positions
        ("place Wal", "place Wallace"),
        ("place Wallace 3 Fi", "place Wallace 3 Fife"),
        ("Wallace: pl", "Wallace: place"),
        ("Wallace: place Ath", "Wallace: place Atholl"),
        ("year 1300; Wallace: stre", "year 1300; Wallace: strength"),
        # actions and what is asked about them
        ("move Wal", "move Wallace"),
        ("move Wallace Fi", "move Wallace Fife-Angus"),
        ("Scotland: mo", "Scotland: move"),
        ("why not move Wal", "why not move Wallace"),
        ("why not move Wallace Fife-Lan", "why not move Wallace Fife-Lanark"),
        ("why not Scotland: move Wallace Fife-Lan", "why not Scotland: move Wallace Fife-Lanark"),
        # other arguments
        ("under hots-2", "under hots-2.3"),
        ("under hots-2.3 who stands in Men", "under hots-2.3 who stands in Mentieth"),
        ("under hots-2.3 show Wal", "under hots-2.3 show Wallace"),
        ("diff hots-3", "diff hots-3.x"),
        ("diff hots-3.x 5.3", "diff hots-3.x 5.31"),
        ("as Eng", "as England"),
        ("depth tr", "depth tree"),
        ("like the-b", "like the-bruce"),
        ("what changed about castle-l", "what changed about castle-limit"),
        ("what does hots-2", "what does hots-2.3"),
        ("help un", "help undo"),
        ("wh", "why"),
    ],
)
def test_tab_completes_the_next_word(prompt: Repl, line: str, whole: str) -> None:
    assert whole in completed(prompt, line)


def test_a_word_is_completed_at_a_time(prompt: Repl) -> None:
    assert "move" in completed(prompt, "mo")
    assert "move Wallace Fife-Angus" not in completed(prompt, "mo")
    assert "move Wallace" in completed(prompt, "move ")
    assert {
        "move Wallace Fife-Angus",
        "move Wallace Fife-Atholl",
        "move Wallace Fife-Mentieth",
    } <= (completed(prompt, "move Wallace "))


def test_accents_and_case_do_not_matter() -> None:
    french = Repl(Session(new_game(hr.load("hots-4.0").in_language("fr"))))

    assert "show Trêve" in completed(french, "show treve"[:9])
    assert "montre Wallace" in completed(french, "montre WAL")


def test_a_match_offers_only_what_its_player_may_do() -> None:
    rules = hr.load("hots-4.0")
    match = Match(rules.start("braveheart", seed=3), "Scotland")
    offered = completed(Repl(match), "play ")

    assert {"play Move 1"[:9], "play Truce"} <= offered
    assert "play Herald" not in offered  # it is in no hand of Scotland
    assert not {"position", "what if"} & completed(Repl(match), "")


@pytest.mark.parametrize(
    ("name", "line", "whole"),
    [
        ("lords-of-scotland", "show Fer", "show Fergusson"),
        ("lords-of-scotland", "take re", "take recruit"),
        ("breakthrough-1.0", "a2", "a2-a3"),
        ("breakthrough-1.0", "who is on b", "who is on b2"),
    ],
)
def test_other_games_have_their_own_words(name: str, line: str, whole: str) -> None:
    assert whole in completed(Repl(Session(new_game(hr.load(name), seed="2"))), line)


def test_the_screen_completes_too() -> None:
    rules = hr.load("hots-4.0")
    seat = Seat(rules.start("braveheart", seed=3), "Scotland")
    seat.begin()
    desk = Desk(seat)

    assert "steady" in {word.text for word in desk.next_words("auto st")}
    assert "auto" in {word.text for word in desk.next_words("au")}
    desk.enter("move 2")
    assert "Fife-Mentieth" in {word.text for word in desk.next_words("end moves; move Wallace Fi")}


def test_a_terminal_offers_words_on_tab(prompt: Repl) -> None:
    completer = TerminalCompleter(prompt.completer())
    typed = completer.get_completions(Document("show Walla"), CompleteEvent())
    empty = completer.get_completions(Document(""), CompleteEvent())
    asked = completer.get_completions(Document(""), CompleteEvent(completion_requested=True))

    assert [("Wallace", -5)] == [(each.text, each.start_position) for each in typed][:1]
    assert [] == list(empty)
    assert "legal" in {each.text for each in asked}
