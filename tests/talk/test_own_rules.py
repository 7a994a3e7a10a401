"""Games whose talk declares nothing: they answer by their rules, definitions and labels."""

from __future__ import annotations

from pathlib import Path

import pytest

import hots_rules as hr
from hots_rules.rules import known_rulesets
from tests.listing import assert_none
from tests.playing import SAMPLES

WIN = {"en": "how do I win?", "fr": "comment gagner ?", "es": "¿cómo se gana?"}
LEGAL = {"en": "what can I do?", "fr": "que puis-je faire ?", "es": "¿qué puedo hacer?"}


def begun(name: str, language: str = "en") -> hr.Game:
    rules = hr.load(name)
    return rules.start(next(iter(rules.scenarios)), seed=1).in_language(language)


@pytest.mark.parametrize("language", WIN)
@pytest.mark.parametrize("name", SAMPLES)
def test_who_wins_and_what_can_be_done_is_told_without_a_talk_file(
    name: str, language: str
) -> None:
    game = begun(name, language)

    won, legal = game.ask(WIN[language]), game.ask(LEGAL[language])

    assert ("quoted", "computed") == (won.kind, legal.kind)
    assert "§" in str(won)
    assert [action.text for action in game.actions] == legal.value


def test_the_samples_are_all_small_games() -> None:
    assert {*SAMPLES} <= {*known_rulesets()}


@pytest.mark.parametrize(
    ("name", "line", "kind", "told"),
    [
        ("reversi-1.0", "how many discs has Black", "computed", "2"),
        ("goofspiel-1.0", "how many points has Ben", "computed", "0"),
        ("goofspiel-1.0", "how many prizes are left", "computed", "12"),
        ("connect-four-1.0", "how many cells are empty", "computed", "42"),
        ("breakthrough-1.0", "how many men has White", "computed", "16"),
        ("dominoes-1.0", "how many tiles are in the bag", "computed", "14"),
        ("dominoes-1.0", "how many tiles do I draw", "quoted", "seven tiles"),
        ("reversi-1.0", "what is White", "quoted", "White (colour)"),
        ("goofspiel-1.0", "what is bid", "quoted", "Lay a card from your hand"),
        ("goofspiel-1.0", "what happens to equal cards", "quoted", "discard it"),
        ("connect-four-1.0", "when does a disc fall", "quoted", "rests on the floor"),
        ("breakthrough-1.0", "can men capture straight ahead", "quoted", "diagonally only"),
        ("backgammon-1.0", "when is a man hit", "quoted", "goes to the bar"),
        ("chess-1.0", "is White in check", "computed", "no"),
        ("chess-1.0", "can a king castle out of check", "quoted", "neither out of check"),
        ("causeway-1.0", "which units of Crown are cut off", "computed", "none"),
        ("beacons-1.0", "how many cards are in the stock", "computed", "3"),
        ("beacons-1.0", "must I follow suit", "quoted", "suit that was led plays one"),
    ],
)
def test_a_sample_answers_what_its_rules_say(name: str, line: str, kind: str, told: str) -> None:
    answer = begun(name).ask(line)

    assert kind == answer.kind
    assert told in str(answer)


def test_what_a_ruleset_does_not_count_is_not_counted() -> None:
    game = begun("lords-of-scotland")

    assert "five turns" in str(game.ask("how many turns does a skirmish have"))


LORDS = (
    ("en", "how many cards do we start with", "five cards"),
    ("en", "how many points do I need to win", "40 points"),
    ("en", "what happens when two armies have the same strength", "highest rank"),
    ("en", "what is the hand limit", "ten cards"),
    ("en", "what does the power of Wemyss do", "a follower of any army is discarded"),
    ("en", "what does Cockburn do", "one of them comes to the army in exchange"),
    ("en", "who starts the next skirmish", "winner of a skirmish"),
    ("en", "when can I activate a clan power", "no weaker follower"),
    ("fr", "comment gagne-t-on la partie ?", "40 points"),
    ("fr", "combien de cartes peut-on avoir en main au maximum ?", "dix cartes"),
    ("fr", "quand double-t-on la force d'une armée ?", "même clan"),
    ("fr", "que fait le pouvoir de Cochrane", "deux partisans"),
    ("fr", "deux armées de même force, qui l'emporte ?", "plus haut rang"),
    ("fr", "faut-il un allié pour prendre un partisan", "au moins un allié"),
    ("es", "¿cómo se gana la partida?", "40 puntos"),
    ("es", "¿con cuántas cartas empieza cada jugador?", "cinco cartas"),
    ("es", "si dos ejércitos empatan, ¿quién gana?", "rango más alto"),
    ("es", "¿una carta boca abajo activa su poder?", "ningún poder"),
    ("es", "¿qué hace el poder de Scott?", "otro aliado"),
    ("es", "¿cuántos puntos tiene J1?", "0"),
    ("en", "when is an army doubled?", "same clan"),
    ("fr", "quand puis-je activer le pouvoir d'un clan ?", "aucun allié plus faible"),
    ("fr", "qui commence la manche suivante ?", "Qui remporte une escarmouche"),
    ("fr", "que se passe-t-il quand la pioche est vide ?", "la défausse est mélangée"),
    ("fr", "combien de tours dure une escarmouche ?", "cinq tours"),
    ("es", "¿qué hace el poder de MacDonnell?", "una escaramuza más"),
    ("es", "¿cuándo termina la partida?", "40 puntos"),
    ("es", "¿qué pasa si se acaba el mazo?", "se baraja el descarte"),
)


@pytest.mark.parametrize(("language", "line", "told"), LORDS)
def test_lords_answers_by_its_rules(language: str, line: str, told: str) -> None:
    game = hr.load("lords-of-scotland").start("3-players", seed=1297).in_language(language)
    answer = game.ask(line)

    assert answer.kind in {"quoted", "computed"}
    assert told in str(answer)


@pytest.mark.parametrize(
    ("language", "line", "told"),
    [
        ("en", "who goes first?", "the eldest"),
        ("en", "can I use a power if the card is face down?", "activates no power"),
        (
            "fr",
            "que se passe-t-il en cas d'égalité à la fin de la partie ?",
            "dernière escarmouche",
        ),
        ("en", "what happens if two players are tied at the end of the game?", "placed better"),
        ("es", "¿quién gana si hay empate en una escaramuza?", "rango más alto"),
    ],
)
def test_lords_offers_the_rule_of_a_line_that_two_rules_are_near(
    language: str, line: str, told: str
) -> None:
    game = hr.load("lords-of-scotland").start("3-players", seed=1297).in_language(language)

    assert told in str(game.ask(line))


def test_lords_has_labels_in_three_languages() -> None:
    labels = hr.load("lords-of-scotland").schema.facts.labels

    assert_none(sorted({*labels["fr"]} ^ {*labels["es"]}))


WATCH = """ruleset watch-1.0 "The watch"
players Player
type Player = Ada | Bram
type Lamp = Red | Green
state
  lit : set of Lamp
question lit = lit §1 "which lamps are lit"
action light(lamp: Lamp) §1 "Fill a lamp with oil and light it."
  permit
  add lamp to lit
  if all each in Lamp: each in lit
    finished()
  else
    burns_low()
event finished() §2 "all lamps are lit"
event burns_low() §3 "the oil is used up"
rule all-lit §2 "When all lamps are lit, everybody wins."
  on finished()
    win {Ada, Bram}
rule in-the-dark §3 "When the oil is used up, everybody loses."
  on burns_low()
    win none
phase night §1 "The night."
  while some {lamp in Lamp where lamp not in lit} up to 2
    choose Ada: light
scenario night §1 "A night"
  night()
"""
"""A cooperative game: its rules say when all win and when all lose."""
TALK = """[words]
lamps = "lamp*, lampe*"

[question.lamps]
patterns = ["how-many lamps"]
query = "count(lit)"
text.en = "{value} lamps are lit"
"""


@pytest.mark.parametrize("talk", ["", TALK], ids=["without", "with"])
@pytest.mark.parametrize(
    ("line", "told", "untold"),
    [
        ("how do we lose?", "everybody loses", "everybody wins"),
        ("how do I win", "everybody wins", "everybody loses"),
        ("when does the game end?", "everybody loses", "The night"),
        ("comment perdre", "everybody loses", "everybody wins"),
        ("¿cómo se pierde?", "everybody loses", "everybody wins"),
        ("how do I light a lamp", "Fill a lamp with oil", "none"),
    ],
)
def test_winning_losing_and_doing_are_asked_apart(
    talk: str, line: str, told: str, untold: str, tmp_path: Path
) -> None:
    (tmp_path / "watch.rules").write_text(WATCH, encoding="utf-8")
    if talk:
        (tmp_path / "talk.toml").write_text(talk, encoding="utf-8")

    answer = hr.load(tmp_path / "watch.rules" if not talk else tmp_path).start("night").ask(line)

    assert "quoted" == answer.kind
    assert told in str(answer)
    assert untold not in str(answer)
