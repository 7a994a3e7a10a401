"""Games on the command line: random, played by a person, simulated, replayed."""

import json
import random
import re
from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.cli.prompt.match import random_action
from tests.cli.test_cli import hots
from tests.playing import ruleset_of

STORY = """\
A tiny game: Two pieces against one, seed 1
  Blue: lay High (§2)
  Red: lay High (§2)
    Red lays High, Blue High (§2)
marching: Red (§3)
  Red: march Pawn (§3)
    roll 4 (§3)
    Pawn is struck with 4 (§3)
marching: Blue (§3)
  Blue: wait (§3)
year is now 2 (§1)
  Blue: lay High (§2)
  Red: lay Low (§2)
    Red lays Low, Blue High (§2)
marching: Red (§3)
  Red: march King (§3)
    roll 5 (§3)
    King is struck with 5 (§3)
marching: Blue (§3)
  Blue: wait (§3)
year is now 3 (§1)
Red wins: Who has more pieces on the field wins. (§4)
"""


# ---------------------------------------------------------------- checked play
def test_check_plays_games_and_says_where_an_invariant_breaks(tiny: Path) -> None:
    with tiny.open("a", encoding="utf-8") as file:
        file.write(
            'invariant no-two-wounds §3 "No piece has two wounds."\n'
            "  all s in Side: no {p in Piece where owner[p] = s and wounds[p] = 2}\n"
        )
    sound = hots("check", tiny, "--play", 20)
    broken = hots("check", tiny, "--play", 20, "--option", "fierce=yes")
    data = json.loads(hots("check", tiny, "--play", 20, "--option", "fierce=yes", "--json").stdout)
    first = data["breaches"][0]

    assert (0, "no faults\n20 games played, all invariants hold\n") == (
        sound.exit_code,
        sound.stdout,
    )
    assert 1 == broken.exit_code
    assert f"{len(data['breaches'])} of 20 games broke an invariant" in broken.stdout
    assert 0 < len(data["breaches"]) < 20
    assert (
        f"skirmish, seed {first['seed']}, after {first['decisions']} decisions, the last "
        f"`{first['action']}`: `no-two-wounds` does not hold\n  No piece has two wounds. §3; "
        "it fails for (Blue, Rook)"
    ) in broken.stdout

    game = hr.load(tiny).start("skirmish", seed=first["seed"], options={"fierce": True})
    while len(game.moves) < first["decisions"]:
        game = game.play(random_action(game))  # as `hots play` does with this seed
    assert first["position"] == game.position


def test_check_says_where_play_cannot_go_on(tiny: Path) -> None:
    text = tiny.read_text(encoding="utf-8").replace(
        '§3 "Do nothing."\n  permit', '§3 "Rest."\n  permit when year = 1'
    )
    tiny.write_text(text, encoding="utf-8")
    checked = hots("check", tiny, "--play", 10)

    assert 1 == checked.exit_code
    assert "play cannot go on\n  no action is legal in phase `marching`" in checked.stdout


# ---------------------------------------------------------------- random moves
def test_a_game_is_logged_line_by_line_with_sections(tiny: Path) -> None:
    played = hots("play", tiny, "skirmish", "--seed", 1)

    told = "hots: all moves were random; to play yourself, add `--side Red` or `--side Blue`\n"
    assert (0, STORY, told) == (played.exit_code, played.stdout, played.stderr)


def test_the_rulebook_is_played_to_its_end() -> None:
    played = hots("play", "hots-4.0", "braveheart", "--seed", 1297)
    told = played.stdout.splitlines()

    assert 0 == played.exit_code
    assert "Hammer of the Scots, rulebook 4.0: Braveheart, 1297 to 1305, seed 1297" == told[0]
    assert " wins: " in told[-1]
    assert [] == [line for line in told[1:] if not line.endswith(")") or "§" not in line]


def test_a_game_without_a_seed_prints_its_seed(tiny: Path) -> None:
    first = hots("play", tiny, "skirmish")
    seed = first.stdout.splitlines()[0].rpartition(" ")[2]

    assert 32 == len(seed)
    assert first.stdout == hots("play", tiny, "skirmish", "--seed", seed).stdout


def test_a_quiet_game_prints_only_the_result(tiny: Path) -> None:
    played = hots("play", tiny, "skirmish", "--seed", 1, "--quiet")

    assert [STORY.splitlines()[0], STORY.splitlines()[-1]] == played.stdout.splitlines()


def test_a_game_as_json(tiny: Path) -> None:
    played = json.loads(hots("play", tiny, "skirmish", "--seed", 1, "--json").stdout)

    assert ("tiny-1.0", "skirmish", 1, 8) == tuple(
        played[key] for key in ("ruleset", "scenario", "seed", "decisions")
    )
    assert ("Red", "ending", ["4"]) == tuple(
        played["outcome"][key] for key in ("winner", "reason", "sections")
    )
    assert ["roll 4", "roll 5"] == [s["text"] for s in played["story"] if s["kind"] == "chance"]


def test_options_and_readings_are_chosen_by_name(tiny: Path) -> None:
    chosen = ["--option", "fierce=yes", "--reading", "who_wins_a_tie=blues"]
    played = json.loads(hots("play", tiny, "skirmish", "--json", "--quiet", *chosen).stdout)

    assert {"fierce": True} == played["options"]
    assert {"who_wins_a_tie": "blues"} == played["readings"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (["--option", "fierce"], "expected NAME=VALUE, got `fierce`"),
        (["--option", "feirce=yes"], "did you mean `fierce`?"),
        (["--option", "fierce=7"], "`fierce` cannot be `7`"),
        (["--reading", "who_wins_a_tie=nobody"], "choose one of `reds`, `blues`"),
        (["--side", "Bleu"], "did you mean `Blue`?"),
        (["--side", "Red", "--json"], "--json cannot be used with --side"),
        (["--save", "no/such/folder/x"], "there is no folder `no/such/folder`"),
    ],
)
def test_wrong_choices_are_usage_errors(tiny: Path, wrong: list[str], said: str) -> None:
    played = hots("play", tiny, "skirmish", *wrong)

    assert (2, "") == (played.exit_code, played.stdout)
    assert said in " ".join(played.stderr.split())


def test_an_unknown_scenario_suggests_a_similar_one() -> None:
    wrong = hots("play", "hots-4.0", "bravehart")

    assert (2, "") == (wrong.exit_code, wrong.stdout)
    assert "did you mean `braveheart`?" in wrong.stderr


# ---------------------------------------------------------------- a match
def test_a_person_chooses_by_number_or_by_text(tiny: Path) -> None:
    played = hots("play", tiny, "skirmish", "--seed", 1, "--side", "red",
                  typed="1\nMARCH  pawn\nRed: lay High\n1\n")  # fmt: skip

    assert 0 == played.exit_code
    assert (
        (
            "A tiny game: Two pieces against one, seed 1\n"
            "you play Red; type `help` for the commands\n"
            "Blue plays at random\n"
            "years: choose an action (1-2)\n"
            "  1  lay Low\n"
            "  2  lay High\n"
            "Red> 1\n"
            "  Red: lay Low (§2)\n"
            "  Blue has chosen (§2)\n"
            "    Red lays Low, Blue High (§2)\n"
            "marching: Red (§3)\n"  # the heading of the phase comes before its first question
            "marching: choose an action (1-2)\n"
            "  1  march Pawn\n"
            "  2  wait\n"
            "Red> MARCH  pawn\n"
        )
        == played.stdout[: played.stdout.index("  Red: march Pawn")]
    )
    assert "Red wins: Who has more pieces on the field wins. (§4)\n" in played.stdout


def test_the_end_of_the_input_ends_the_match(tiny: Path) -> None:
    left = hots("play", tiny, "skirmish", "--side", "blue", typed="")

    assert 0 == left.exit_code
    assert left.stdout.endswith("to choose: Red and Blue, in years\n")


def test_undo_takes_back_a_choice() -> None:
    typed = "undo\nplay Move 2\nmove Wallace Fife-Mentieth\nundo\nquit\n"
    at_the_table = ("play", "hots-4.0", "braveheart", "--seed", 1297, "--side", "Scotland")
    played = hots(*at_the_table, typed=typed).stdout

    assert played.index("there is nothing to undo") < played.index("Scotland: play Move 2")
    assert played.index("Scotland: move Wallace Fife-Mentieth") < played.index("undone")


def test_undo_is_refused_after_hidden_information_was_revealed(tiny: Path) -> None:
    """Blue has laid a card since, and both are open."""
    typed = "lay Low\nundo\nquit\n"
    played = hots("play", tiny, "skirmish", "--seed", 1, "--side", "Red", typed=typed).stdout

    assert "cannot undo: that move revealed hidden information" in played
    assert "undone" not in played


def test_why_names_the_rule_that_forbids(tiny: Path) -> None:
    typed = "lay Low\nwhy march King\nwhy march Pawn\nwhy\nmarch King\nquit\n"
    played = hots("play", tiny, "skirmish", "--side", "Red", typed=typed).stdout

    reason = "A king does not march in the first year."
    assert 2 == played.count(reason)
    assert "Red: march King is not legal. " + reason in played
    assert "Red> why march Pawn\nRed: march Pawn is legal. " in played
    assert "Red> why\nmissing argument; usage: why ACTION\n" in played
    assert "`march King` is not a legal action\n  - kings-stay §3.1: " + reason in played


def test_unreadable_lines_change_nothing(tiny: Path) -> None:
    typed = "lay Hihg\n0\n3\n99999999999999999999\n\n\x1b[31m\nlegal\nquit\n"
    played = hots("play", tiny, "skirmish", "--side", "Red", typed=typed).stdout

    assert "not a command, an action or a question: `lay Hihg`" in played
    assert "did you mean `lay High`?" in played
    assert 3 == played.count("expected a number from 1 to 2, got ")
    assert "2 legal actions\n  1  lay Low\n  2  lay High\n" in played
    assert "\x1b" not in played
    assert "lay High (§2)" not in played


def test_a_match_is_saved(tiny: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.txt", tmp_path / "other.txt"
    typed = f"lay Low\nsave {one}\nsave {tmp_path / 'no' / 'x'}\nquit\n"
    played = hots("play", tiny, "skirmish", "--side", "Red", "--save", other, typed=typed)

    assert 0 == played.exit_code
    assert f"record written to `{one}`" in played.stdout
    assert (
        f"cannot use the file `{tmp_path / 'no' / 'x'}`: no such file or directory" in played.stdout
    )
    assert one.read_bytes() == other.read_bytes()
    assert f"read it with `hots replay {other} --ruleset {tiny}`" in played.stderr.replace(
        "\n", " "
    )


# ---------------------------------------------------------------- hidden information
def test_a_match_does_not_show_the_secrets_of_the_other_side(tiny: Path) -> None:
    typed = "board\nlay Low\nwait\nlay Low\nwait\n"
    played = hots("play", tiny, "skirmish", "--seed", 1, "--side", "Blue", typed=typed).stdout

    assert (
        "piece by place\n"
        "  Camp  Blue: [bold]Rook[/bold]; Red: a piece of Red ×2\n"
        "\n"
        "other\n"
        "  laid  Red hidden\n"
    ) in played
    assert "  Red has chosen (§2)\n" in played
    assert "  Red: march a piece of Red (§3)\n" in played
    assert "    a piece of Red is struck with " in played
    assert "Pawn" not in played
    assert "King" not in played


def test_a_player_learns_nothing_about_the_choices_of_another(tiny: Path) -> None:
    typed = "why Red: lay Low\nRed: lay Low\nwhy march Pawn\nquit\n"
    played = hots("play", tiny, "skirmish", "--side", "Blue", typed=typed).stdout

    assert "Red: lay Low. Only Red can know whether it would be legal." in played
    assert "not a command, an action or a question: `Red: lay Low`" in played
    assert "owner of Pawn" not in played


def known_to_england(game: hr.Game, names: set[str]) -> set[str]:
    board = "\n".join(
        row for panel in hr.explain.render_board(game, "England") for _, row in panel.rows
    )
    return {name for name in names if name in board}


@pytest.mark.thorough
def test_no_line_names_a_hidden_block() -> None:
    game = hr.load("hots-4.0").start("braveheart", seed=3)
    chooser, story = random.Random(3), hr.explain.GameLog("England")
    # These share no name with an area.
    names = {"Wallace", "Douglas", "Campbell", "Graham", "MacDonald", "Lindsay", "Fraser"}
    hidden_lines = 0
    for _ in range(160):
        before, game = game, game.play(chooser.choice(game.actions))
        said = [str(step) for step in story.describe(before, game)]
        if any(step.name == "fighting" for step in game.trace):
            continue  # a battle lays its blocks open
        hidden_lines += sum("a block of Scotland" in line for line in said)
        named = {name for name in names if any(name in line for line in said)}

        assert set() == named - known_to_england(before, names) - known_to_england(game, names)
    assert hidden_lines > 20


# ---------------------------------------------------------------- simulating
def test_simulate_has_the_published_keys() -> None:
    given = hots("simulate", "hots-4.0", "braveheart", "--games", 3, "--seed", 1, "--json")
    found = json.loads(given.stdout)

    assert (0, "") == (given.exit_code, given.stderr)
    assert [
        "ruleset",
        "scenario",
        "seed",
        "games",
        "finished",
        "wins",
        "reasons",
        "decisions",
        "seconds",
        "backend",
        "why",
        "workers",
        "policy",
        "shared",
        "absent",
        "decisions_per_second",
    ] == list(found)
    assert ("hots-4.0", "braveheart", 1, 3, 3) == tuple(found.values())[:5]


def test_simulate_counts_the_same_games_as_the_library() -> None:
    found = json.loads(
        hots("simulate", "hots-4.0", "the-bruce", "--games", 5, "--seed", "x", "--json").stdout
    )
    known = hr.simulate(hr.load("hots-4.0"), "the-bruce", games=5, seed="x").as_json()

    kept = ("seed", "finished", "wins", "reasons", "decisions")
    assert {key: known[key] for key in kept} == {key: found[key] for key in kept}


def test_simulate_as_text(tiny: Path) -> None:
    told = hots("simulate", tiny, "skirmish", "--games", 4, "--seed", 2).stdout.splitlines()

    assert "tiny-1.0 skirmish, 4 games, seed 2" == told[0]
    assert ["wins", "reasons"] == [line for line in told if line in {"wins", "reasons"}]
    assert "  ending       4  100.0 %" in told


def test_simulate_takes_a_policy() -> None:
    known = hr.simulate(hr.load("hots-4.0"), "braveheart", games=3, policy="fight-on")
    asked = ["simulate", "hots-4.0", "braveheart", "--games", 3]
    led, wrong = hots(*asked, "--policy", "fight-on", "--json"), hots(*asked, "--policy", "none")

    assert (known.wins, known.decisions, "fight-on") == tuple(
        json.loads(led.stdout)[key] for key in ("wins", "decisions", "policy")
    )
    assert 2 == wrong.exit_code
    assert "choose one of `fight-on`" in wrong.stderr


def test_simulate_takes_options(tiny: Path) -> None:
    wrong = hots("simulate", tiny, "skirmish", "--option", "fierce=maybe")

    assert 2 == wrong.exit_code
    assert 2 == hots("simulate", tiny, "skirmish", "--games", 0).exit_code


# ---------------------------------------------------------------- replaying
@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.txt"
    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    for _ in range(12):
        game = game.play(game.actions[0])
    game.save(path)
    return path


def test_replay_shows_the_state_of_the_game(record: Path) -> None:
    replayed = hots("replay", record)

    assert 0 == replayed.exit_code
    assert replayed.stdout.startswith("hots-4.0 braveheart, seed 1297, 12 decisions\n")
    assert re.search(r"^year +1297$", replayed.stdout, re.M)
    assert replayed.stdout.splitlines()[-1].startswith("to choose: ")


def test_replay_as_json(record: Path) -> None:
    replayed = json.loads(hots("replay", record, "--json").stdout)
    game = hr.read(record)

    assert (1297, 12, None) == tuple(replayed[k] for k in ("seed", "decisions", "outcome"))
    assert list(game.to_move) == replayed["to_move"]
    assert game.position == replayed["position"]


def test_a_damaged_record_is_an_error(record: Path) -> None:
    record.write_text(record.read_text(encoding="utf-8") + "England: fly\n", encoding="utf-8")
    replayed = hots("replay", record)

    assert (1, "") == (replayed.exit_code, replayed.stdout)
    assert replayed.stderr.startswith("hots: ")
    assert "Traceback" not in replayed.output


def test_a_missing_record_is_a_usage_error(tmp_path: Path) -> None:
    assert 2 == hots("replay", tmp_path / "none").exit_code


# ---------------------------------------------------------------- against a bot
@pytest.mark.parametrize("bot", ["monte-carlo", "ismcts"])
def test_a_bot_plays_the_other_side_and_reveals_nothing(tiny: Path, bot: str) -> None:
    asked = ("play", tiny, "skirmish", "--seed", 1, "--side", "Red", "--against", bot)
    first, again = (hots(*asked, typed="1\n" * 20) for _ in range(2))

    assert 0 == first.exit_code
    assert first.stdout == again.stdout
    assert "Blue: lay" not in first.stdout.partition("Red lays")[0]
    assert " wins: " in first.stdout.splitlines()[-1]


def test_the_tuned_policy_of_a_side_is_its_usual_opponent() -> None:
    asked = ("play", "hots-4.0", "braveheart", "--seed", 1, "--prompt", "--side")
    for side, told in (
        ("Scotland", "England plays by the policy english-attack: Attacks with 1.8 times"),
        ("England", "Scotland plays by the policy scottish-attack: Attacks with 2.2 times"),
    ):
        assert told in hots(*asked, side, typed="quit\n").stdout


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random", "England plays at random"),
        ("scottish-attack", "England plays by the policy scottish-attack"),
        ("monte-carlo:1", "England is played by the bot monte-carlo:1"),
    ],
)
def test_who_plays_the_other_side_is_named(name: str, told: str) -> None:
    asked = ("play", "hots-4.0", "braveheart", "--seed", 1, "--side", "Scotland", "--prompt")

    assert told in hots(*asked, "--against", name, typed="quit\n").stdout


def test_an_unknown_opponent_is_refused_with_those_that_there_are() -> None:
    refused = hots("play", "hots-4.0", "--side", "Scotland", "--against", "english-atack")

    assert 2 == refused.exit_code
    assert "english-attack" in refused.stderr


def test_a_bot_without_a_person_is_refused(tiny: Path) -> None:
    refused = hots("play", tiny, "skirmish", "--against", "monte-carlo")

    assert 2 == refused.exit_code
    assert "--against needs --side" in refused.stderr


def test_where_nobody_has_a_legal_action_it_is_said_why() -> None:
    stuck = (
        'ruleset stuck-1.0 "Stuck"\nplayers Side\ntype Side = White | Black\nstate\n  turns : 0..3\n'
        'action go §1 "Go."\n  permit when turns < 1\n  turns += 1\n'
        'phase game §1 "Turns."\n  for i in 1..2\n    choose White: go\n  win none\n'
        'scenario start §1 "Start"\n  game()\n'
    )
    game = ruleset_of(stuck).start("start", seed=1).play("White: go")

    assert () == game.actions
    assert "below 1" in str(game.why_not("White: go"))
    with pytest.raises(hr.EngineError, match="phase `game`: no action is legal"):
        random_action(game)
