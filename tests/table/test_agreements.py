"""Going back by agreement, over HTTP: who is asked, what follows, the next seed, and the record of such a game."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from tests.needs import needs

needs("httpx")
needs("litestar")

from typer.testing import CliRunner

from hots_rules.cli.app import app
from tests.table.tables import SeatClient, client_on, new_game, url_in

SCENARIOS = {
    "hots-4.0": "braveheart",
    "backgammon-1.0": "opening",
    "lords-of-scotland": "2-players",
}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[object]:
    with client_on(url_in(tmp_path)) as made:
        yield made


class Match:
    """A game played at random by its seats, which know its number of changes."""

    def __init__(self, seats: dict, seed: int = 3) -> None:
        self.seats, self.random = seats, Random(seed)

    def state(self, player: str | None = None) -> dict:
        return self.seats[player].get(board="false").json()

    @property
    def number(self) -> int:
        return self.state()["number"]

    def act(self) -> None:
        """Play a random action of whoever is to choose."""
        state = self.state()
        player = self.random.choice(state["view"]["to_move"])
        texts = [action["text"] for action in self.state(player)["view"]["actions"]]
        answer = self.seats[player].play(state["number"], self.random.choice(texts))
        assert answer.status_code == 200, answer.text

    def ask(self, player: str, plays: int):
        return self.seats[player].post("/ask-back", {"number": self.number, "plays": plays})

    def answer(self, player: str, agrees: bool = True):
        return self.seats[player].post("/answer", {"number": self.number, "agrees": agrees})

    def go_back(self, player: str, other: str, plays: int) -> None:
        for answer in (self.ask(player, plays), self.answer(other)):
            assert answer.status_code == 200, answer.text

    def play_to_the_end(self, most: int = 3000) -> None:
        for _ in range(most):
            if self.state()["is_over"]:
                return
            self.act()
        raise AssertionError("the game does not end")


def begun(client: object, plays: int = 20, ruleset: str = "hots-4.0") -> Match:
    """A game with dice, after some plays."""
    _, seats = new_game(client, ruleset, SCENARIOS[ruleset])
    match = Match(seats)
    for _ in range(plays):
        match.act()
    return match


@pytest.mark.thorough
def test_the_game_goes_back_when_the_other_agrees(client) -> None:
    match = begun(client, 12)
    then = match.seats["England"].get("/moments/7").json()
    asked = match.ask("England", 7).json()
    assert asked["question"] == {
        "player": "England",
        "kind": "back",
        "plays": 7,
        "waiting": ["Scotland"],
    }
    assert asked["view"]["plays"] == 12
    state = match.answer("Scotland").json()

    assert (state["question"], state["is_mixing"]) == (None, False)
    assert [doing["kind"] for doing in state["doings"]] == [
        "asked",
        "agreed",
        "went_back",
        "new_seed",
    ]
    now = match.seats["England"].state()
    # Its outcomes of chance are plays from now on, so that there are more of them.
    assert now["facts"].partition("\n")[2] == then["facts"].partition("\n")[2]
    assert now["board"] == then["board"]
    match.act()


@pytest.mark.thorough
def test_a_question_is_refused_withdrawn_or_lapses_when_somebody_plays_on(client) -> None:
    match = begun(client, 20, "backgammon-1.0")
    for player in ("Black", "White"):
        match.ask("White", 12)
        state = match.answer(player, agrees=False).json()
        assert (state["question"], state["view"]["plays"]) == (None, 20)
        assert state["doings"][-1]["kind"] == "refused"
        assert match.answer("Black").status_code == 403
    match.ask("White", 12)
    match.act()

    assert match.state()["question"] is None
    assert match.answer("Black").status_code == 403


@pytest.mark.thorough
def test_who_may_ask_and_answer(client) -> None:
    match = begun(client, 20, "backgammon-1.0")
    number = match.number
    body = {"number": number, "plays": 3}
    assert match.seats[None].post("/ask-back", body).status_code == 401
    for plays in (20, 21, -1):
        assert match.ask("White", plays).status_code == 403
    stale = {"number": number - 1, "plays": 3}
    assert match.seats["White"].post("/ask-back", stale).status_code == 409
    assert match.ask("White", 3).status_code == 200
    assert match.ask("Black", 3).status_code == 403
    assert match.answer("White").status_code == 403
    assert (
        match.seats[None].post("/answer", {"number": number + 1, "agrees": True}).status_code == 401
    )
    assert match.number == number + 1


@pytest.mark.thorough
def test_dice_after_going_back_come_from_another_seed(client) -> None:
    """The roll before the first choice stays, and the others are those of the second seed."""
    rules = hr.load("backgammon-1.0")
    match = begun(client, 30, "backgammon-1.0")
    match.go_back("White", "Black", 0)
    match.play_to_the_end()
    shares = match.seats[None].get("/shares").json()
    record = hr.Record.parse(match.seats[None].get("/record").text)
    (later,) = shares["later"]

    assert record.chance == "ask"
    assert (later["plays"], later["is_begun"], shares["commitments"]) == (1, True, {})
    assert later["seed"] != shares["seed"] == "1297"
    assert hr.records.verify(record, rules).is_sound
    given = outcomes(record, rules, [(0, "1297"), (1, later["seed"])])
    dictated = [entry.text for entry in record.entries if entry.text.startswith("chance:")]
    assert given == dictated and len(dictated) > 20
    assert outcomes(record, rules, [(0, "1297")]) != dictated


def outcomes(record: hr.Record, rules: hr.Ruleset, seeds: list[tuple[int, str]]) -> list[str]:
    """The outcomes that seeds give at the chance points of a record, each from a number of plays on."""
    given, game = [], hr.replay(record.up_to(0))
    for entry in record.entries:
        if game.to_move == ("chance",):
            seed = [seed for plays, seed in seeds if plays <= len(game.moves)][-1]
            given.append(game.sample_chance(seed).text)
        game = game.play(entry.text)
    return given


@pytest.mark.thorough
def test_a_game_that_went_back_is_opened_anew_from_the_log(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        match = begun(first, 30, "backgammon-1.0")
        match.go_back("White", "Black", 15)
        for _ in range(10):
            match.act()
        match.go_back("Black", "White", match.state()["view"]["plays"] - 7)
        for _ in range(10):
            match.act()
        game = match.seats[None].path.rpartition("/")[2]
        keys = {p: s.headers.get("Authorization", "")[7:] or None for p, s in match.seats.items()}
        told = {player: seat.get().content for player, seat in match.seats.items()}
    with client_on(url_in(tmp_path)) as second:
        again = {p: SeatClient(second, game, key).get().content for p, key in keys.items()}

    assert told == again


def test_what_revealed_nothing_is_still_taken_back_after_going_back(client) -> None:
    match = begun(client, 6)
    match.go_back("England", "Scotland", 0)
    england, number = match.seats["England"], match.number
    before = england.state()
    texts = [action["text"] for action in before["view"]["actions"]]
    assert england.play(number, texts[0]).status_code == 200
    assert england.post("/undo", {"number": number + 1}).status_code == 200
    after = england.state()

    assert {**before, "number": number + 2} == after
    assert england.post("/undo", {"number": number + 2}).status_code == 403


def test_what_a_killed_table_had_not_added_yet_is_added_when_it_is_opened(tmp_path: Path) -> None:
    """All have agreed, but the lines that follow from it are missing."""
    with client_on(url_in(tmp_path)) as first:
        match = begun(first, 8, "backgammon-1.0")
        match.go_back("White", "Black", 4)
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        connection.execute("delete from action where number >= 10")
    with client_on(url_in(tmp_path)) as second:
        for seat in match.seats.values():
            seat.client = second
        state = match.state()
        kinds = [doing["kind"] for doing in state["doings"]]
        assert kinds == ["asked", "agreed", "went_back", "new_seed"]
        match.act()


@pytest.mark.thorough
def test_only_who_takes_part_is_asked(client) -> None:
    """The ruleset has five players, and the scenario two of them."""
    match = begun(client, 12, "lords-of-scotland")
    asked = match.ask("P1", 4).json()
    assert asked["question"]["waiting"] == ["P2"]
    assert match.answer("P2").json()["doings"][-1]["kind"] == "new_seed"


def test_who_has_not_been_to_choose_yet_is_asked_at_the_start(client) -> None:
    match = begun(client, 1, "backgammon-1.0")
    (player,) = match.state()["view"]["to_move"]
    other = "Black" if player == "White" else "White"
    assert match.ask(player, 0).json()["question"]["waiting"] == [other]


@pytest.mark.thorough
def test_a_bot_agrees(client) -> None:
    _, seats = new_game(client, seed=None, bots={"Yellow": "random"})
    red = seats["Red"]
    red.play(0, "Red: a1")
    while red.state()["view"]["to_move"] != ["Red"]:
        pass
    state = red.post("/ask-back", {"number": 2, "plays": 0}).json()

    assert [doing["kind"] for doing in state["doings"]] == [
        "asked",
        "agreed",
        "went_back",
        "new_seed",
    ]
    assert (state["view"]["plays"], state["view"]["to_move"]) == (0, ["Red"])


# ------------------------------------------------------------------ shares of the next seed
class Shares:
    """The shares of a game in which each seat gives one for each seed."""

    def __init__(self, seats: dict) -> None:
        self.seats, self.players = seats, [player for player in seats if player]
        self.secrets: list[dict[str, str]] = []

    def commit(self) -> None:
        self.secrets.append({player: hr.records.new_secret() for player in self.players})
        for player, secret in self.secrets[-1].items():
            body = {"commitment": hr.records.commitment(player, secret)}
            assert self.seats[player].post("/commitment", body).status_code == 204

    def reveal(self, player: str):
        return self.seats[player].post("/secret", {"secret": self.secrets[-1][player]})

    def mix(self) -> None:
        self.commit()
        for player in self.players:
            assert self.reveal(player).status_code == 204


def shared_game(client: object) -> tuple[Match, Shares]:
    _, seats = new_game(client, "backgammon-1.0", "opening", None, shares=True)
    shares = Shares(seats)
    shares.mix()
    return Match(seats), shares


@pytest.mark.thorough
def test_the_next_seed_is_mixed_from_new_shares_of_all(client) -> None:
    match, shares = shared_game(client)
    for _ in range(20):
        match.act()
    match.go_back("Black", "White", 9)
    state = match.state("White")
    assert (state["is_mixing"], state["view"]["actions"]) == (True, [])
    assert match.seats["White"].play(match.number, "White: roll").status_code == 403
    assert match.ask("White", 3).status_code == 403
    assert match.seats["White"].post("/undo", {"number": match.number}).status_code == 403
    seats, own = match.seats, hr.records.new_secret()
    assert seats["White"].post("/secret", {"secret": own}).status_code == 403
    shares.commit()
    assert seats["White"].post("/secret", {"secret": own}).status_code == 422
    assert shares.reveal("White").status_code == 204
    told = seats["Black"].get("/shares").json()["later"][0]
    assert sorted(told["revealed"]) == ["White", "the table"]
    assert (told["secrets"], told["seed"]) == ({}, "")
    assert match.state()["is_mixing"] is True
    assert shares.reveal("Black").status_code == 204
    assert match.state()["is_mixing"] is False
    assert seats["White"].post("/secret", {"secret": own}).status_code == 403

    match.play_to_the_end()
    told = seats[None].get("/shares").json()
    rounds = [told, *told["later"]]
    assert [mix["line"] for mix in told["later"]] == [22]
    for secrets, mix in zip(shares.secrets, rounds, strict=True):
        assert {**mix["secrets"], **secrets} == mix["secrets"]
        assert mix["seed"] == hr.records.combine_seeds(mix["secrets"], mix["commitments"])
    record = hr.Record.parse(seats[None].get("/record").text)
    rules = hr.load("backgammon-1.0")
    seeds = [(0, told["seed"]), *((mix["plays"], mix["seed"]) for mix in told["later"])]
    dictated = [entry.text for entry in record.entries if entry.text.startswith("chance:")]
    assert outcomes(record, rules, seeds) == dictated
    assert "The players went back to here" in str(record)


def sharing_went_back(client: object, times: int) -> Match:
    """A finished game whose seeds were mixed, and that went back some times."""
    match, shares = shared_game(client)
    for _ in range(times):
        for _ in range(14):
            match.act()
        match.go_back("Black", "White", match.state()["view"]["plays"] - 9)
        shares.mix()
    match.play_to_the_end()
    return match


@pytest.mark.thorough
@pytest.mark.parametrize("times", [pytest.param(1, marks=pytest.mark.nightly), 2])
def test_the_dice_of_every_seed_are_verified_on_the_command_line(
    client, tmp_path: Path, times: int
) -> None:
    seats = sharing_went_back(client, times).seats
    record, seeds = seats[None].get("/record").text, seats[None].get("/shares").json()
    held = [seeds, *seeds["later"]]
    result = verified(tmp_path, record, seeds)
    told = [line for line in result.stdout.splitlines() if line.startswith("seed ")]
    counts = [int(line.rpartition("; ")[2].partition(" ")[0]) for line in told]
    assert (result.exit_code, len(counts), min(counts) > 0) == (0, times + 1, True)
    rolled = sum(entry.text.startswith("chance:") for entry in hr.Record.parse(record).entries)
    assert sum(counts) == rolled

    # What a dishonest table may tell: another seed or share, no shares, or another moment.
    last, other = held[-1], hr.records.new_secret()
    tampered = [
        ({**last, "seed": other}, "is not the mix of its shares"),
        ({**last, "secrets": {**last["secrets"], "White": other}}, "does not match its commitment"),
        ({**last, "seed": ""}, "the seed is not told"),
        ({**last, "commitments": {}, "secrets": {}}, "not mixed from shares of the same people"),
        # So many plays have several rolls, which do not all come out alike by luck.
        ({**last, "plays": last["plays"] + 20}, f"seed {times} gives `chance: "),
        ({**last, "plays": 0}, f"seed {times + 1} gives `chance: "),
    ]
    for changed, fault in tampered:
        refused = verified(tmp_path, record, {**seeds, "later": [*held[1:-1], changed]})
        assert (refused.exit_code, fault in one_line(refused.output)) == (1, True), refused.output
    assert verified(tmp_path, record, {**seeds, "later": held[1:-1]}).exit_code == 1

    record, fault = with_a_chosen_roll(hr.Record.parse(record), times + 1)
    refused = verified(tmp_path, record, seeds)
    assert (refused.exit_code, fault in one_line(refused.output)) == (1, True), refused.output


def with_a_chosen_roll(record: hr.Record, seeds: int) -> tuple[str, str]:
    """A record whose last roll somebody chose, sealed anew, and what is said of it."""
    rules, texts = hr.load("backgammon-1.0"), [entry.text for entry in record.entries]
    last = max(number for number, text in enumerate(texts) if text.startswith("chance:"))
    game = hr.replay(record.up_to(last), rules)
    other = next(action for action in game.actions if action.text != texts[last])
    changed = str(game.play(other).record)
    assert hr.records.verify(changed, rules).is_sound
    return changed, f"action {last + 1}: seed {seeds} gives `{texts[last]}`, got `{other.text}`"


def verified(folder: Path, record: str, seeds: dict):
    """What `hots verify` says to the two files that a finished game offers."""
    (folder / "game.txt").write_text(record, encoding="utf-8")
    (folder / "seeds.json").write_text(json.dumps(seeds), encoding="utf-8")
    files = [str(folder / name) for name in ("game.txt", "seeds.json")]
    return CliRunner().invoke(app, ["verify", files[0], "--seeds", files[1]])


def one_line(output: str) -> str:
    return " ".join(output.split())


def test_the_dice_of_a_game_with_one_seed_are_verified() -> None:
    rules, held = hr.load("backgammon-1.0"), hr.records.HeldSeed
    record = rules.start("opening", seed="1297").record
    assert hr.records.verify_seeds(record, rules, [held(0, "1297")]) == (1,)
    for seeds in ([], [held(1, "1297")], [held(0, "1298")], [held(0, "1"), held(0, "1297")]):
        with pytest.raises(hr.BadRecord):
            hr.records.verify_seeds(record, rules, seeds)


def test_a_file_that_holds_no_seeds_is_refused() -> None:
    for text in ("", "[]", "{}", '{"later": 1}', '{"later": [1], "seed": "1"}', '{"later": []}'):
        with pytest.raises(hr.BadMessage):
            hr.formats.parse_seeds(text)
    for wrong in ({"plays": "1"}, {"seed": 7}, {"commitments": {"White": 1}}, {"secrets": []}):
        told = {"plays": 1, "seed": "1", "commitments": {}, "secrets": {}, **wrong}
        first = {"seed": "1", "commitments": {}, "secrets": {}}
        with pytest.raises(hr.BadMessage):
            hr.formats.parse_seeds(json.dumps({**first, "later": [told]}))


def test_a_seed_is_mixed_again_after_a_restart_in_the_middle(tmp_path: Path) -> None:
    with client_on(url_in(tmp_path)) as first:
        match, shares = shared_game(first)
        for _ in range(12):
            match.act()
        match.go_back("Black", "White", 2)
        shares.commit()
        assert shares.reveal("White").status_code == 204
    with client_on(url_in(tmp_path)) as second:
        for seat in match.seats.values():
            seat.client = second
        assert match.state()["is_mixing"] is True
        assert shares.reveal("Black").status_code == 204
        assert match.state()["is_mixing"] is False
        match.act()
