"""Pickles: an installed ruleset travels by its name and digest, any other with its texts."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.play import compiled_ruleset as received

pytestmark = pytest.mark.loads_anew  # it matters where texts were found

TINY = """\
ruleset tiny-1.0 "Tiny"
type Side = Red | Blue
players Side
state §1
  rested[Side] : bool
action rest() §1 "Rest."
  permit when not rested[actor]
  rested[actor] := true
phase night §1 "Both rest."
  choose each s in Side: rest
  win none
scenario short §1 "A short one"
  night()
"""
SECTIONS = "section,heading\n1,All\n"


def again(value: object) -> object:
    return pickle.loads(pickle.dumps(value))


@pytest.fixture
def elsewhere() -> None:
    """What has received no ruleset yet, as another process has not."""
    received.forget_received()


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of rulesets of an installed package."""
    folder = tmp_path / "site" / "tiny_rules"
    info = tmp_path / "site" / "tiny-1.0.dist-info"
    for each in (folder, info):
        each.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "tiny.rules").write_text(TINY, encoding="utf-8")
    (folder / "sections.csv").write_text(SECTIONS)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[hots_rules.rulesets]\ntiny = tiny_rules\n")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return folder


# ---------------------------------------------------------------- what is installed
SIZES: dict[str, tuple[Callable[[hr.Game], object], int]] = {
    "ruleset": (lambda game: game.ruleset, 600),
    "ruleset in French": (lambda game: game.ruleset.in_language("fr"), 600),
    "game": (lambda game: game, 6_000),
    "state": (lambda game: game.state, 4_000),
    "record": (lambda game: game.record, 2_000),
    "view": (lambda game: game.view("Scotland", since=0), 14_000),
    "action": (lambda game: game.actions[0], 400),
    "trace": (lambda game: game.trace, 5_000),
    "odds": (lambda game: game.odds(game.actions[0]), 8_000),
    "random bot": (lambda _: hr.RandomBot(1), 200),
    "Monte Carlo bot": (lambda _: hr.MonteCarloBot(1), 300),
    "searching bot": (lambda _: hr.analysis.ISMCTSBot(1), 300),
}


@pytest.mark.parametrize("name", SIZES)
def test_a_pickle_is_small_and_gives_the_same(name: str, elsewhere: None) -> None:
    make, most = SIZES[name]
    game = hr.load("hots-4.0").start("braveheart", seed=3)
    value = make(game.play(game.actions[0]))
    data = pickle.dumps(value)

    assert len(data) <= most
    assert value == pickle.loads(data)


def test_a_pickled_game_goes_on_with_its_settings_and_language(elsewhere: None) -> None:
    rules = hr.load("hots-4.0").in_language("fr")
    game = rules.start("braveheart", seed=3, options={"schiltroms": True})
    game = game.play(game.actions[0])
    there = again(game)

    assert isinstance(there, hr.Game)
    assert ("fr", True) == (there.ruleset.language, there.options["schiltroms"])
    assert [each.text for each in there.actions] == [each.text for each in game.actions]
    assert there.play(there.actions[-1]) == game.play(game.actions[-1])
    assert there.state["year"] == again(game.state)["year"]  # type: ignore[index]


def test_limits_travel_with_a_name(elsewhere: None) -> None:
    rules = hr.load("breakthrough-1.0", limits=hr.Limits(position_bytes=10))

    assert 10 == again(rules).limits.position_bytes  # type: ignore[attr-defined]


def test_a_moment_of_play_is_pickled_as_its_game(elsewhere: None) -> None:
    game = hr.load("goofspiel-1.0").start("full-hands", seed=3)
    for kind in (hr.formats.PackedMoment, hr.formats.ObservedMoment):
        later = kind.of(game).after(game.actions[0].code)
        there = again(later)
        moment: Any = getattr(there, "moment", there)
        assert moment.game == game.play(game.actions[0])


def test_a_journal_is_not_pickled(tmp_path: Path) -> None:
    game = hr.load("breakthrough-1.0").start("two-ranks", seed=3)
    with hr.Journal(tmp_path / "game.txt", game) as journal:
        for copied in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(hr.BadRecord, match="cannot be pickled or copied"):
                copied(journal)


# ---------------------------------------------------------------- what has changed since
def test_an_installed_ruleset_is_named_and_its_digest_checked(
    package: Path, elsewhere: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hr.load("tiny-1.0").start("short", seed=1)
    data = pickle.dumps(game)

    assert len(data) < 1_000
    assert game == pickle.loads(data)
    received.forget_received()
    file = package / "tiny.rules"
    file.write_text(f"# A comment is no part of the digest.\n{TINY}", encoding="utf-8")
    assert game == pickle.loads(data)
    received.forget_received()
    file.write_text(TINY.replace(" when not rested[actor]", ""), encoding="utf-8")
    with pytest.raises(
        hr.RulesetError, match=r"a pickle is of the ruleset `tiny-1\.0` with the dig"
    ):
        pickle.loads(data)
    file.unlink()
    with pytest.raises(
        hr.RulesetError, match=r"`tiny-1\.0`, which is not installed here\n.*self_c"
    ):
        pickle.loads(data)


def test_a_self_contained_ruleset_needs_nothing_installed(package: Path, elsewhere: None) -> None:
    rules = hr.load("tiny-1.0")
    whole = rules.self_contained()
    game = whole.start("short", seed=1)
    data = pickle.dumps((game, game.state))
    (package / "tiny.rules").unlink()
    there, state = pickle.loads(data)

    assert rules == whole == there.ruleset
    assert (game, game.state) == (there, state)
    assert len(pickle.dumps(there)) > len(TINY)
    assert whole.self_contained() is whole


def test_a_ruleset_that_differs_from_the_installed_one_travels_whole(
    package: Path, tmp_path: Path, elsewhere: None
) -> None:
    """The same name stands for other texts in a file, and for a draft that was made of what is installed."""
    file = tmp_path / "own.rules"
    file.write_text(TINY.replace('"Rest."', '"Sleep."'), encoding="utf-8")
    (tmp_path / "sections.csv").write_text(SECTIONS)
    for rules in (hr.load(file), hr.load(package / "tiny.rules")):
        game = rules.start("short", seed=1)
        assert len(pickle.dumps(game)) > len(TINY)
        assert game == again(game)


# ---------------------------------------------------------------- files
PLAYS = """
import pickle, sys
game = pickle.load(sys.stdin.buffer)
while not game.is_over:
    game = game.play(game.actions[0])
print(len(game.moves), game.ruleset.name)
"""


@pytest.mark.thorough
def test_a_worker_plays_a_ruleset_whose_file_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "tiny.rules"
    file.write_text(TINY, encoding="utf-8")
    (tmp_path / "sections.csv").write_text(SECTIONS)
    data = pickle.dumps(hr.load(file).start("short", seed=1))
    file.unlink()
    run = subprocess.run(
        [sys.executable, "-c", PLAYS], input=data, capture_output=True, check=False
    )

    assert b"2 tiny-1.0" == run.stdout.strip(), run.stderr
