"""The words of a game in English, French and Spanish: whole, in step with their source, read back."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from random import Random

import pytest

import hots_rules as hr
from hots_rules._translate import LANGUAGES, catalog, translator, untranslated
from hots_rules.play.parse_action import parse_action
from tests.folders import HOME
from tests.needs import needs
from tests.playing import SAMPLES
from tests.sizes import sample_size

LOCALE = HOME / "hots_rules" / "locale"
MARK = re.compile("[‹›]")
TRANSLATED = [language for language in LANGUAGES if language != "en"]
CLAIMED = [
    *(
        (name, language)
        for name in hr.rulesets()
        if name.startswith("hots-")
        for language in TRANSLATED
    ),
    ("lords-of-scotland", "fr"),
]


@cache
def rules(name: str = "hots-4.0") -> hr.Ruleset:
    return hr.load(name)


@pytest.mark.parametrize(("name", "language"), CLAIMED)
def test_everything_that_a_player_reads_has_a_label(name: str, language: str) -> None:
    assert not hr.explain.label_coverage(rules(name), language).missing


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_played_without_a_word_that_is_missing(name: str, language: str) -> None:
    """Its front page, and what the players see and read of a game."""
    spoken = rules(name).in_language(language)
    texts = [*spoken.labels.players, *map(spoken.scenario_title, spoken.scenarios)]
    texts += [f"{option.summary}" for option in spoken.options.values()]
    game = rules(name).start(next(iter(spoken.scenarios)), seed=5).in_language(language)
    for number in range(40):
        if game.is_over:
            break
        action = game.actions[number * 7 % len(game.actions)]
        texts += [game.position, str(game.view(action.player)), action.text]
        game = game.play(action)
        texts += [*map(str, game.trace), str(game.outcome)]

    assert [] == [text for text in texts if MARK.search(text)]


# ------------------------------------------------------------------ the sentences of the library
@pytest.mark.thorough
@pytest.mark.parametrize("language", TRANSLATED)
def test_the_catalog_has_every_sentence_and_no_other(language: str, tmp_path: Path) -> None:
    pofile = needs("babel.messages.pofile")
    template = tmp_path / "sentences.pot"
    extract = ("extract", "-k", "phrase", "-k", "numbered:1,2", "-o", str(template), "hots_rules")
    subprocess.run(
        [sys.executable, "-c", "from babel.messages.frontend import main; main()", "-q", *extract],
        cwd=HOME,
        check=True,
    )
    with template.open("rb") as file:
        wanted = {message.id for message in pofile.read_po(file) if message.id}
    with (LOCALE / language / "LC_MESSAGES" / "hots_rules.po").open("rb") as file:
        found = pofile.read_po(file, locale=language)

    assert wanted == {message.id for message in found if message.id}
    for message in found:
        if message.id:
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            said = message.string if isinstance(message.string, tuple) else (message.string,)
            assert all(said), message.id
            assert not message.fuzzy, message.id
            names = set(re.findall(r"\{\w+\}", ids[-1]))
            assert all(names == set(re.findall(r"\{\w+\}", one)) for one in said), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalog_is_of_today(language: str) -> None:
    pofile = needs("babel.messages.pofile")
    with (LOCALE / language / "LC_MESSAGES" / "hots_rules.po").open("rb") as file:
        written = [message for message in pofile.read_po(file, locale=language) if message.id]
    compiled = catalog(language)

    for message in written:
        if isinstance(message.id, tuple):
            said = tuple(compiled.ngettext(*message.id, number) for number in (1, 2))
        else:
            said = compiled.gettext(message.id)
        assert message.string == said
    assert len(written) > 30


def test_plurals_follow_the_language() -> None:
    one = "{ruleset}, as {player} sees it after {number} play"
    many = f"{one}s"

    def said(language: str, number: int) -> str:
        return translator(language).ngettext(one, many, number, ruleset="R", player="P")

    assert "R, vu par P après 0 coup" == said("fr", 0)
    assert "R, vu par P après 2 coups" == said("fr", 2)
    assert "R, como lo ve P tras 0 jugadas" == said("es", 0)
    assert "R, como lo ve P tras 1 jugada" == said("es", 1)


def test_what_has_no_translation_is_marked() -> None:
    assert "‹nobody wins›" == translator("de").gettext("nobody wins") == untranslated("nobody wins")
    no_label = rules("connect-four-1.0").in_language("es").labels.word(("Direction", "rising"))
    assert "‹rising›" == no_label


# ------------------------------------------------------------------ literal texts
def begun() -> hr.Game:
    game = rules().start("braveheart", seed=1297)
    for text in ("England: play Move 3", "Scotland: play Move 2", "England: end moves"):
        game = game.play(text)
    return game.play("Scotland: move Wallace Fife-Mentieth")


def test_a_game_in_french() -> None:
    game = begun()
    first = rules().start("braveheart", seed=1297).in_language("fr").actions

    assert "Angleterre: jouer Ravitaillements" not in [action.text for action in first]
    assert "Écosse: jouer Mouvement maritime" in [action.text for action in first]
    assert "Écosse: finir les mouvements" in [
        action.text for action in game.in_language("fr").actions
    ]
    assert "Wallace entre en Mentieth contre l’ennemi" in [
        s.text for s in game.in_language("fr").trace
    ]
    reason = game.in_language("fr").why_not("Écosse: déplacer Wallace Mentieth-Lanark")[0]
    assert "Là où se tient l’ennemi, un bloc en mouvement s’arrête." == reason.summary
    assert "Wallace est en Mentieth, où se tient Angleterre" == reason.found
    with pytest.raises(hr.UnreadableAction, match="`danser` n’est pas une action"):
        game.in_language("fr").play("danser")


def test_a_game_in_spanish() -> None:
    game = begun()
    first = rules().start("braveheart", seed=1297).in_language("es").actions

    assert "Escocia: jugar Movimiento por Mar" in [action.text for action in first]
    assert "Wallace entra en Mentieth contra el enemigo" in [
        s.text for s in game.in_language("es").trace
    ]
    reason = game.in_language("es").why_not("Escocia: mover Wallace Mentieth-Lanark")[0]
    assert "Donde hay enemigos, un bloque en movimiento se detiene." == reason.summary
    with pytest.raises(hr.UnreadableAction, match="no es una acción"):
        game.in_language("es").play("bailar")


def test_a_ruling_in_french_and_in_spanish() -> None:
    illegal = "Scotland: move Wallace Mentieth-Lanark"
    french = begun().in_language("fr").why_not(illegal).text()
    spanish = begun().in_language("es").why_not(illegal).text()

    assert french.startswith("« Écosse: déplacer Wallace Mentieth-Lanark » n’est pas permis.")
    assert "Ce serait permis dans ce cas : ennemi ne compte pas parmi : raisons" in french
    assert spanish.startswith("«Escocia: mover Wallace Mentieth-Lanark» no es legal.")
    assert "Sería legal en este caso: enemigo no está entre: motivos de parada." in spanish


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", ["hots-4.0", "hots-player-aid", "lords-of-scotland"])
def test_the_title_of_a_phase_has_no_blank_for_its_arguments(name: str, language: str) -> None:
    ruleset = rules(name).in_language(language)
    titles = [ruleset.labels.phase(entry.name) for entry in ruleset.rulebook.of_kind("phase")]

    assert all(titles)
    for title in titles:
        assert not re.search(r"[…{}]|[,:]$|\b(de|en|par|pour|para|por|à|a)$", title), title


def test_who_is_to_choose_needs_no_article() -> None:
    game = rules().in_language("fr").start("braveheart", seed=1)

    assert str(game.moment_reason()).endswith("au choix maintenant de : Angleterre et Écosse")
    lords = rules("lords-of-scotland")
    titles = [
        hr.talk.whose_turn(lords.in_language(language).start("2-players", seed=1))
        for language in ("es", "fr")
    ]
    assert [title.rpartition(":")[2].strip() for title in titles] == ["turno", "tour"]


def test_why_something_happened_in_french_and_in_spanish() -> None:
    french = begun().in_language("fr").explain("Wallace entre en Mentieth")
    spanish = begun().in_language("es").explain("Wallace enters Mentieth")
    english = begun().explain("Wallace entre en Mentieth")

    assert "§4.0 §5.0) ; donc Wallace entre en Mentieth contre l’ennemi" in french.text()
    assert "Wallace entra en Mentieth contra el enemigo" == spanish.happening.step.text
    assert "porque: Entrar en un área ocupada" in spanish.text("sentence")
    assert "Wallace enters Mentieth against the enemy" == english.happening.step.text
    with pytest.raises(hr.UnknownName):
        begun().in_language("de").explain()


def test_an_account_for_a_player_is_found_in_its_own_words() -> None:
    game = begun()
    told = game.in_language("fr").explain("entre en Mentieth", player="England")

    assert "bloc (Écosse) entre en Mentieth contre l’ennemi" == told.happening.step.text
    with pytest.raises(hr.UnknownName):
        game.in_language("fr").explain("enters Mentieth", player="England")


def test_questions_are_asked_and_answered_in_any_language() -> None:
    game = begun()

    assert "Écosse" == game.in_language("fr").ask("qui tient Fife ?").text
    assert "Escocia" == game.in_language("es").ask("¿Quién ocupa Fife?").text
    assert "Escocia" == game.in_language("es").ask("who holds Fife").text
    assert ["Scotland"] == game.ask("qui tient Fife").value
    assert "aucun" == game.in_language("fr").ask("qui se tient en Selkirk").text
    assert "ninguno" == game.in_language("es").ask("¿quién está en Selkirk?").text
    assert "¿dónde está {b}?" in game.in_language("es").questions
    offered = game.in_language("fr").ask("qui tiendra Fife")
    assert "closest" == offered.kind and "Fife" in offered.text
    with pytest.raises(hr.UnreadableQuestion, match=r"qui tient \{a\}"):
        game.in_language("fr").ask("qui tiendra donc")


def test_settings_and_scenarios_in_french() -> None:
    found = rules().in_language("fr").settings["stranded_king"]

    assert "Campagne, de 1297 jusqu’à la victoire" == rules().in_language("fr").scenario_title(
        "campaign"
    )
    assert "Il va au dépôt d’unités, et la partie continue." == found.summaries[1]
    with pytest.raises(hr.UnknownName):
        assert rules().in_language("de").settings


def test_chance_in_three_languages() -> None:
    game = rules().start("braveheart", seed=1, chance="ask")
    assert game.to_move == ("chance",)

    for language, head in (("en", "chance: "), ("fr", "hasard: "), ("es", "azar: ")):
        for action in game.in_language(language).actions[:5]:
            assert action.text.startswith(head)
            assert game.play(action) == game.play(action.text)


# ------------------------------------------------------------------ whole games
def words_of_a_game(name: str, scenario: str, language: str, seed: int) -> list[str]:
    game, chooser = rules(name).start(scenario, seed=seed), Random(seed)
    story, said = hr.explain.GameLog(), []
    while not game.is_over:
        before, actions = game, game.in_language(language).actions
        said += [action.text for action in actions]
        game = before.in_language(language).play(chooser.choice(actions).text)
        said += [str(step) for step in story.describe(before, game.in_language(language))]
        if len(game.moves) % 60 == 0:
            said += [str(step) for step in game.in_language(language).trace]
            said += [str(panel) for panel in hr.explain.render_board(game.in_language(language))]
            last = chooser.choice(before.in_language(language).actions).text
            said += [str(one) for one in game.in_language(language).why_not(last)]
    return [*said, str(game.in_language(language).outcome)]


@pytest.mark.thorough
@pytest.mark.parametrize("language", TRANSLATED)
def test_no_english_word_is_left_in_a_game(language: str) -> None:
    told = words_of_a_game("hots-4.0", "braveheart", language, 7)

    assert [] == [text for text in told if MARK.search(text)]
    assert len(told) > 1000


def test_no_english_word_is_left_in_a_game_of_lords() -> None:
    told = words_of_a_game("lords-of-scotland", "3-players", "fr", 7)

    assert [] == [text for text in told if MARK.search(text)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_read_back_in_every_language(language: str) -> None:
    game, chooser = rules().start("the-bruce", seed=3), Random(3)
    for _ in range(60):
        for action in game.in_language(language).actions:
            assert parse_action(game, action.text) == action.code
        game = game.play(chooser.choice(game.actions))


def test_threads_speak_different_languages_at_once() -> None:
    def told(language: str) -> list[str]:
        game = begun()
        return [str(s) for s in game.in_language(language).trace] + [
            a.text for a in game.in_language(language).actions
        ]

    with ThreadPoolExecutor(6) as pool:
        found = list(pool.map(told, [*LANGUAGES] * 4))

    assert found == [told(language) for language in LANGUAGES] * 4
    assert 3 == len({tuple(one) for one in found})


# ------------------------------------------------------------------ nothing but words of catalogs and labels
# What these signs do not enclose came from neither a catalog nor a label.
SAID, END = "\ue000", "\ue001"
# Names that are looked up, not read: sections, editions, rules.
# What a citation is made of: the name of a rule before its edition or section, the edition, the section.
NAMES = re.compile(r"[\w-]+(?= hots-| house| §)|§[\d.]+|\b(?:hots-[\w.]+|house)\b")


def enclosed(template: str) -> str:
    """A template in which every piece between its values is enclosed."""
    pieces = re.split(r"(\{\w+\})", template)
    return "".join(
        piece if place % 2 or not piece else f"{SAID}{piece}{END}"
        for place, piece in enumerate(pieces)
    )


class Enclosing(NullTranslations):
    """A catalog that encloses what it says."""

    def gettext(self, message: str) -> str:
        return enclosed(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return enclosed(msgid1 if n == 1 else msgid2)


def left_open(text: str) -> list[str]:
    """The words of a text that nothing encloses."""
    found = re.sub(f"{SAID}[^{END}]*{END}", " ", text)
    return re.findall(r"[^\W\d_]{2,}", NAMES.sub(" ", found))


@pytest.fixture
def enclosing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> hr.Ruleset:
    """`hots-4.0` with a language of its own, in which all that comes from a label is enclosed."""
    labels = rules().in_language("fr").labels.declared.items()
    keys = {key: f'text "{key[5:]}"' if key.startswith("text ") else key for key, _ in labels}
    entries = [f'  {keys[key]} = "{enclosed(text)}"' for key, text in labels]
    head = 'ruleset house "A house"\n  extends hots-4.0\nlabel enclosed\n'
    # What a file extends is looked for in the folder above, too, where other tests may have put theirs.
    home = tmp_path / "own"
    home.mkdir()
    (home / "house.rules").write_text("\n".join([head, *entries, ""]), "utf-8")
    monkeypatch.setattr("hots_rules._translate._Missing", Enclosing)
    return hr.load(home / "house.rules")


def answers(game: hr.Game, before: hr.Game, last: str, language: str) -> list[str]:
    """Rulings at all depths, an account and the questions of a moment."""
    ruled = [game.in_language(language).why_not(last), before.in_language(language).why(last)]
    told = [*ruled, game.in_language(language).explain()]
    found = [one.text(depth) for one in told for depth in ("sentence", "paragraph", "tree")]
    names = {"a": "Fife", "to": "Angus", "b": "Wallace", "x": "Bruce", "s": "England"}
    for asked in rules().rulebook.typed.questions.values():
        found.append(game.in_language(language).ask(asked.origin.summary.format_map(names)).text)
    return found


@pytest.mark.thorough
def test_every_word_comes_from_a_catalog_or_a_label(enclosing: hr.Ruleset) -> None:
    game, chooser, language = enclosing.start("braveheart", seed=5), Random(5), "enclosed"
    story, told = hr.explain.GameLog(), list[str]()
    for number in range(200):
        before, action = game, chooser.choice(game.actions)
        game = before.play(action)
        told += [step.text for step in story.describe(before, game.in_language(language))]
        if number % 25 == 0:
            told += [each.text for each in game.in_language(language).actions]
            told += [
                " ".join([one.title, *(" ".join(row) for row in one.rows)])
                for one in hr.explain.render_board(game.in_language(language))
            ]
            told += answers(game, before, action.text, language)

    assert [] == sorted({word for text in told for word in left_open(text)})
    assert len(told) > 500


def test_a_word_from_no_catalog_is_seen() -> None:
    assert ["Wallace"] == left_open(f"{SAID}moves{END} Wallace border-control hots-4.0 §5.7")


# ------------------------------------------------------------------ every edition
EDITIONS = [name for name in hr.rulesets() if name.startswith("hots-")]


@pytest.mark.thorough
@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("name", EDITIONS)
def test_no_english_is_left_in_any_edition(name: str, language: str) -> None:
    game, chooser = rules(name).start("campaign", seed=11), Random(f"{name} {language}")
    story, told = hr.explain.GameLog(), list[str]()
    for number in range(sample_size(150, 300)):
        if game.is_over:
            told.append(str(game.in_language(language).outcome))
            game = rules(name).start("the-bruce", seed=number)
        before, action = game, chooser.choice(game.actions)
        game = before.play(action)
        told += [str(step) for step in story.describe(before, game.in_language(language))]
        if number % 50 == 0:
            actions = game.in_language(language).actions
            assert [parse_action(game.in_language(language), each.text) for each in actions] == [
                each.code for each in actions
            ]
            told += [each.text for each in actions]
            told += answers(game, before, action.text, language)

    assert [] == [text for text in told if MARK.search(text)]
    assert len(told) > 500
