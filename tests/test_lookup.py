"""Looking things up: the search, the cards, and the contents of a rulebook."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import attrs
import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.explain.declarations import is_within
from hots_rules.explain.lookup import index as index_module
from hots_rules.explain.lookup.find import query_reader
from hots_rules.explain.lookup.index import index_of
from hots_rules.explain.lookup.stems import stems, stems_in
from hots_rules.explain.lookup.values import table_values

PEOPLE = Path(__file__).parent / "people"


@pytest.fixture(scope="module")
def rules() -> hr.Ruleset:
    return hr.load("hots-4.0")


@pytest.fixture(scope="module")
def game(rules: hr.Ruleset) -> hr.Game:
    return rules.start("braveheart", seed=1297)


@pytest.fixture(scope="module", params=["hots-2.3", "lords-of-scotland", "reversi-1.0"])
def any_ruleset(request: pytest.FixtureRequest) -> hr.Ruleset:
    return hr.load(request.param)


def hots(*args: str) -> str:
    run = CliRunner().invoke(app, [*args])
    assert run.exit_code in {0, 1}, run.output
    return run.stdout


def first(findings: hr.explain.Findings) -> tuple[str, str]:
    return findings.hits[0].sections[0], findings.hits[0].heading


# ---------------------------------------------------------------- words
def test_a_word_is_found_with_other_endings_and_without_accents() -> None:
    for one, other, language in (
        ("retreating", "retreats", "en"),
        ("frontière", "frontieres", "fr"),
        ("français", "francais", "fr"),
        ("nórdicos", "nordico", "es"),
    ):
        assert {*stems(one, language)} & {*stems(other, language)}, (one, other)


def test_a_text_without_a_known_language_has_the_stems_of_all() -> None:
    assert {*stems_in("retraites", ["en", "fr"])} >= {
        *stems("retraites", "en"),
        *stems("retraites", "fr"),
    }


# ---------------------------------------------------------------- search
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("border limit", ("4.3", "Border Limits")),
        ("anglo-scottish", ("4.4", "Anglo-Scottish Border")),
        ("§4.4 BORDER?", ("4.4", "Anglo-Scottish Border")),
        ("celtic unity", ("5.2", "Celtic Unity")),
        ("cohésion celtique", ("5.2", "Celtic Unity")),
        ("frontière anglo-écossaise", ("4.4", "Anglo-Scottish Border")),
    ],
)
def test_a_search_leads_to_the_rule(rules: hr.Ruleset, words: str, found: tuple[str, str]) -> None:
    assert found == first(hr.explain.find(rules, words))


def test_an_error_of_typing_is_read_as_the_nearest_word_and_said(rules: hr.Ruleset) -> None:
    findings = hr.explain.find(rules, "fuedal levy")

    assert ("7.7", "English Feudal Levy") == first(findings)
    assert "read as: fuedal → feudal" == findings.note


# Searches of players whose first hit is another section, with the reason.
MISSED = {
    "A before B": "`a` says nothing of a subject, and the letter B is something of its own",
    "reinforcements": "a reading about them has more of the word than the section under its other heading",
    "regruop after battle": "the end of a battle has all three words",
    "two event cards": "the cards themselves have `event card` in their headings",
    "areas friendly neutral": "no text has `neutral`; a rule about raids has a word of the same meaning",
    "áreas natales": "the rulebook that is searched has only an English heading",
}


def test_the_searches_of_players_lead_to_the_rule_first() -> None:
    wrong, total = {}, 0
    for search in searches_of_players():
        total += 1
        ruleset = hr.load(f"hots-{search.get('edition', '4.0')}")
        ruleset = ruleset.in_language(search.get("language", "en"))
        hits = hr.explain.find(ruleset, search["text"], limit=1).hits
        shown = [section for hit in hits for section in (*hit.sections[:3], hit.name)]
        if not any(is_wanted(each, search["first"][0].split("|")) for each in shown):
            wrong[search["text"]] = shown

    print(f"{total - len(wrong)} of {total} searches lead to the rule first")
    assert {*MISSED} == {*wrong}, wrong
    assert len(wrong) <= total // 10


def test_new_searches_lead_to_the_rule_as_often_as_was_measured() -> None:
    """Sixty-one searches that were written before any was tried: then 27 led to the rule first, 36 among three."""
    firsts = among_three = 0
    for search in tomllib.loads((PEOPLE / "searches.toml").read_text("utf-8"))["search"]:
        ruleset = hr.load(f"hots-{search.get('edition', '4.0')}")
        hits = hr.explain.find(ruleset.in_language(search.get("language", "en")), search["text"])
        wanted = search["first"][0].split("|")
        right = [
            any(is_wanted(each, wanted) for each in (*hit.sections[:3], hit.name))
            for hit in hits.hits[:3]
        ]
        firsts += right[:1] == [True]
        among_three += any(right)

    print(f"{firsts} lead to the rule first, {among_three} among three")
    assert firsts >= 34
    assert among_three >= 45


def test_a_word_of_no_text_is_read_as_what_questions_take_it_for(rules: hr.Ruleset) -> None:
    findings = hr.explain.find(rules, "longshanks")

    assert findings.note.startswith("read as: longshanks → ")
    assert any("Edward" in hit.text for hit in findings.hits)
    assert "church → cathedral" in hr.explain.find(rules, "church").note


def searches_of_players() -> list[dict[str, Any]]:
    texts = (path.read_text("utf-8") for path in (PEOPLE / "en.toml", PEOPLE / "fr-es.toml"))
    return [search for text in texts for search in tomllib.loads(text)["search"]]


def is_wanted(shown: str, wanted: list[str]) -> bool:
    """Whether a section or a name is one of those wanted, or a part of one."""
    return any(shown == each or is_within(shown, each) for each in wanted if each)


@pytest.mark.parametrize(
    "words", ["can't", '"', "a OR", "NOT", "NEAR(", "title:x", "*", "^a", "-", "{", "()", "'", "\0"]
)
def test_no_input_is_an_operator(rules: hr.Ruleset, words: str) -> None:
    hr.explain.find(rules, words)


def test_a_long_search_is_cut(rules: hr.Ruleset) -> None:
    hr.explain.find(rules, "border " * 10_000)


def test_an_empty_search_and_one_without_a_hit_have_a_sentence_and_headings(
    rules: hr.Ruleset,
) -> None:
    empty, nothing = hr.explain.find(rules, " ?"), hr.explain.find(rules, "xyzzy")

    assert "say what to look for: a word or two of a rule" == empty.note
    assert "nothing has `xyzzy`" == nothing.note
    assert () == empty.hits == nothing.hits
    assert "§5.0 Battles" in empty.near and "§5.0 Battles" in nothing.near


def test_the_sentence_of_a_section_is_not_repeated(rules: hr.Ruleset) -> None:
    hits = [(hit.sections[:1], hit.text) for hit in hr.explain.find(rules, "castle limit").hits]

    assert sorted({*hits}) == sorted(hits)


def test_hits_are_in_the_language_of_the_ruleset(rules: hr.Ruleset) -> None:
    hits = hr.explain.find(rules.in_language("fr"), "retreat").hits

    assert any("retraite" in hit.text or "retire" in hit.text for hit in hits)


def test_more_words_find_first_what_has_all_of_them(rules: hr.Ruleset) -> None:
    hit = hr.explain.find(rules, "wallace selkirk").hits[0]

    assert "Wallace" in hit.text and "Selkirk" in hit.text


@pytest.mark.parametrize("lacks", ["full-text search", "sqlite"])
def test_without_full_text_search_the_pages_are_searched_plainly(
    rules: hr.Ruleset, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    with_sqlite = index_of(rules.compiled)
    reader = query_reader(rules, with_sqlite)
    searches = {"border limit": "4.3", "celtic unity": "5.2", "retreat": "5.5"}
    expected = {
        words: {*with_sqlite.search(reader.terms(words), all_of_them=True)} for words in searches
    }
    without = attrs.evolve(with_sqlite)
    if lacks == "sqlite":
        monkeypatch.setitem(sys.modules, "sqlite3", None)
    else:
        monkeypatch.setattr(index_module, "_CREATE", "create virtual table page using no_such")

    for words, section in searches.items():
        found = without.search(reader.terms(words), all_of_them=True)
        assert section in without.pages[found[0]].sections, words
        assert expected[words] == {*found}, words
    assert [] == without.search(reader.terms("xyzzy"), all_of_them=False)


# ---------------------------------------------------------------- cards
def test_the_card_of_a_piece_tells_its_row_its_place_and_its_rules(game: hr.Game) -> None:
    [card] = hr.explain.cards(game, "wallace")

    assert ("Wallace", "block", True) == (card.title, card.kind, card.is_of_value)
    assert {("kind", "leader"), ("letter", "A"), ("rating", "3"), ("steps", "4")} <= {*card.facts}
    assert ("black cross", "yes") in card.facts
    assert ("where is Wallace:", "Fife") in card.now
    assert any("black cross" in sentence for _, sentence in card.rules)
    assert () == hr.explain.cards(game.ruleset, "wallace")[0].now


def test_the_card_of_a_place_tells_its_borders_and_who_is_there(game: hr.Game) -> None:
    [card] = hr.explain.cards(game, "fife")
    facts, now = dict(card.facts), dict(card.now)

    assert ("2", "yes") == (facts["castle limit"], facts["cathedral"])
    assert "Angus (green, border limit 6), Atholl (red, border limit 2)" in facts["border"]
    assert "Wallace, Douglas, Barclay" == now["who stands in Fife:"]
    assert not {"across", "down"} & {*facts}


def test_a_word_of_a_column_lists_what_is_of_that_kind(rules: hr.Ruleset) -> None:
    for name, language in (("noble", "en"), ("Nobles", "en"), ("nobles", "fr"), ("noble", "es")):
        card = hr.explain.cards(rules.in_language(language), name)[0]

        assert ("2.22",) == card.sections
        assert "Comyn, Moray, Angus" in card.facts[0][1]
        assert "(14)" in card.facts[0][0]


def test_a_kind_with_one_thing_of_its_name_has_no_card_beside_it(rules: hr.Ruleset) -> None:
    assert ["block"] == [card.kind for card in hr.explain.cards(rules, "Norse")]


def test_two_things_of_one_name_have_two_cards(rules: hr.Ruleset) -> None:
    assert ["area", "block"] == [card.kind for card in hr.explain.cards(rules, "Moray")]


def test_a_card_tells_a_player_nothing_hidden(game: hr.Game) -> None:
    def now(player: str | None) -> dict[str, str]:
        return dict(hr.explain.cards(game, "Mentieth", player=player)[0].now)

    assert "Northumber Infantry" in now(None)["who stands in Mentieth:"]
    assert "Northumber Infantry" in now("England")["who stands in Mentieth:"]
    assert "Northumber" not in str(now("Scotland"))
    hidden = hr.explain.cards(game, "York Knights", player="Scotland")[0]
    assert all("unknown" in answer for _, answer in hidden.now)


def test_sections_and_declarations_have_cards(rules: hr.Ruleset) -> None:
    [section] = hr.explain.cards(rules, "§5.7")
    [reading] = hr.explain.cards(rules, "border_of_the_pinned")

    assert "Capturing Nobles" == section.title
    assert ("§5.7", "A noble who falls in battle") == (
        section.rules[0][0],
        section.rules[0][1][:27],
    )
    assert ["default entered", "main_attack", "last_used"] == [name for name, _ in reading.facts]
    assert () == hr.explain.cards(rules, "xyzzy") == hr.explain.cards(rules, "5.77")


def test_every_value_of_every_ruleset_has_a_card(any_ruleset: hr.Ruleset) -> None:
    for value in table_values(any_ruleset.compiled.typed):
        found = {card.name.casefold() for card in hr.explain.cards(any_ruleset, value[1])}
        assert value[1].casefold() in found


# ---------------------------------------------------------------- commands
def test_find_prints_each_hit_with_its_section() -> None:
    out = hots("find", "hots-4.0", "anglo", "scottish", "boarder", "--hits", "1")

    assert "read as: boarder → border\n§4.4 Anglo-Scottish Border" in out
    data = json.loads(hots("find", "hots-4.0", "retreat", "--json"))
    assert {"asked", "hits", "note", "near", "ruleset"} == {*data}


def test_show_prints_sentences_first_and_code_on_request() -> None:
    out, code = hots("show", "hots-4.0", "5.7"), hots("show", "hots-4.0", "5.7", "--code")

    assert "A noble who falls in battle" in out
    assert "instead of eliminated" not in out
    assert "instead of eliminated" in code


def test_show_prints_the_card_of_a_piece_and_as_json() -> None:
    assert hots("show", "hots-4.0", "wallace").startswith("Wallace (block) §2.1\n")
    data = json.loads(hots("show", "hots-4.0", "wallace", "--json"))
    assert (["Wallace"], []) == ([card["title"] for card in data["cards"]], data["shown"])


def test_contents_lists_the_sections_with_their_rules() -> None:
    lines = hots("contents", "hots-4.0").splitlines()

    assert "1.2   Castle Limits: castle-limit" in lines
    assert len(hr.explain.section_headings(hr.load("hots-4.0"))) == len(lines)
    sections = json.loads(hots("contents", "hots-4.0", "--json"))["sections"]
    assert {"number": "0.1", "heading": "Introduction", "rules": []} == sections[0]


@pytest.mark.parametrize(
    ("language", "lines", "shown"),
    [
        ("en", ("search celtic unity", "look up fife", "contents"), ("§5.2", "Fife (area)", "9.2")),
        (
            "fr",
            ("cherche unité celte", "montre fife", "sommaire"),
            ("§5.2", "Fife (région)", "9.2"),
        ),
        ("es", ("busca unidad celta", "muestra fife", "indice"), ("§5.2", "Fife (área)", "9.2")),
    ],
)
def test_things_are_looked_up_at_the_prompt(
    rules: hr.Ruleset,
    capsys: pytest.CaptureFixture[str],
    language: str,
    lines: tuple[str, ...],
    shown: tuple[str, ...],
) -> None:
    repl = Repl(Session(rules.in_language(language).start("braveheart", seed=1297)))
    for line, words in zip(lines, shown, strict=True):
        repl.execute(line)
        assert words in capsys.readouterr().out, line
    assert 0 == repl.failures
