"""Records of whole random games: each replays to the same text and the same end.

After a change of the rules that affects these games, `python -m tests.records.test_random_games`
plays and writes them anew.
"""

from __future__ import annotations

import re
from random import Random

import pytest

import hots_rules as hr
from tests.folders import TESTS

pytestmark = pytest.mark.thorough

RECORDS = TESTS / "records"
# Ruleset, scenario and seed of each record, and how it ends.
GAMES = {
    "braveheart": ("hots-4.0", "braveheart", 1, "England break_the_tie"),
    "the-bruce": ("hots-4.0", "the-bruce", 1, "Scotland count_nobles"),
    "campaign": ("hots-4.0", "campaign", 17, "Scotland sudden_death"),
    # The first two differ from what the same random choices give under 4.0.
    "braveheart-3.x": ("hots-3.x", "braveheart", 3, "Scotland count_nobles"),
    "the-bruce-3.x": ("hots-3.x", "the-bruce", 13, "Scotland count_nobles"),
    "campaign-3.x": ("hots-3.x", "campaign", 17, "Scotland sudden_death"),
    "braveheart-2.3": ("hots-2.3", "braveheart", 1, "England count_nobles"),
    "the-bruce-2.3": ("hots-2.3", "the-bruce", 1, "Scotland count_nobles"),
    "campaign-2.3": ("hots-2.3", "campaign", 29, "Scotland sudden_death"),
    "braveheart-player-aid": ("hots-player-aid", "braveheart", 1, "Scotland count_nobles"),
    "the-bruce-player-aid": ("hots-player-aid", "the-bruce", 1, "England count_nobles"),
    "campaign-player-aid": ("hots-player-aid", "campaign", 4, "Scotland sudden_death"),
}


def random_game(edition: str, scenario: str, seed: int) -> hr.Game:
    """A game in which every choice is random."""
    pick = Random(seed).choice
    game = hr.load(edition).start(scenario, seed=seed)
    while not game.is_over:
        game = game.play(pick(game.actions))
    return game


def with_current_versions(text: str) -> str:
    """A record with the present content hash and version: only the play is compared."""
    text = re.sub(r"^engine .*$", f"engine {hr.__version__}", text, count=1, flags=re.MULTILINE)
    match = re.search(r"^ruleset (\S+) (\S+)$", text, re.MULTILINE)
    assert match, "a record names its ruleset"
    return text.replace(match[0], f"ruleset {match[1]} {hr.load(match[1]).content_hash}", 1)


@pytest.mark.parametrize("name", GAMES)
def test_a_record_replays_to_the_same_bytes_and_the_same_end(name: str) -> None:
    edition, scenario, seed, end = GAMES[name]
    text = with_current_versions((RECORDS / f"{name}.txt").read_text(encoding="utf-8"))

    game = hr.replay(text)

    assert text == str(game.record)
    assert (edition, scenario, str(seed)) == (game.ruleset.name, game.scenario, game.seed)
    assert game.outcome is not None
    assert end == f"{game.outcome.winner} {game.outcome.reason}"


if __name__ == "__main__":
    for name, (edition, scenario, seed, _) in GAMES.items():
        game = random_game(edition, scenario, seed)
        game.save(RECORDS / f"{name}.txt")
        assert game.outcome is not None
        print(f"{name}: {game.outcome.winner} {game.outcome.reason}, {len(game.moves)} moves")
