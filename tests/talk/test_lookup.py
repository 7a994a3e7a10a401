"""Looking things up: the search, the cards, and the contents of a rulebook."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import attrs
import pytest
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules.cli.app import app
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.explain.declared.declarations import headings_in_language, is_within
from hots_rules.rules.editions.headings import headings_in
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.talk.lookup.find import find_by_words
from hots_rules.talk.lookup.stems import stems
from hots_rules.talk.lookup.values import table_values
from hots_rules.talk.reading.words import MAX_SENTENCE
from hots_rules.talk.retrieval import index as index_module
from hots_rules.talk.retrieval.passages import MAX_WORDS, retrieval_of
from tests.talk.sentences import Search, searches


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


def first(findings: hr.talk.Findings) -> tuple[str, str]:
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
    assert found == first(hr.talk.find(rules, words))


def test_an_error_of_typing_is_read_as_the_nearest_word_and_said(rules: hr.Ruleset) -> None:
    findings = hr.talk.find(rules, "fuedal levy")

    assert ("7.7", "English Feudal Levy") == first(findings)
    assert "read as: fuedal → feudal" == findings.note


# One or two of these searches miss, such as `areas friendly neutral`: no text has `neutral`, and regrouping goes there.
MAX_MISSED = 3
# New statements move a search or two, so the least that is required is a few below what was measured.
SLACK = 4


@pytest.mark.thorough
def test_the_searches_of_players_lead_to_the_rule_first() -> None:
    wrong, total = {}, 0
    for search in searches("en", "fr-es"):
        total += 1
        shown = next(iter(shown_for(search)), ())
        if not is_any_wanted(shown, search):
            wrong[search.line] = shown

    print(f"{total - len(wrong)} of {total} searches lead to the rule first")
    assert len(wrong) <= MAX_MISSED, wrong


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "of", "first", "among_three"),
    [("searches", 61, 40, 50), ("searches-2", 40, 32, 35)],
)
def test_new_searches_lead_to_the_rule_as_often_as_was_measured(
    name: str, of: int, first: int, among_three: int
) -> None:
    """Searches that were written before any was tried: then 27 of 61 led to the rule first, and 23 of 40."""
    listed = searches(name)
    right = [[is_any_wanted(hit, search) for hit in shown_for(search)] for search in listed]
    firsts, threes = sum(each[:1] == [True] for each in right), sum(map(any, right))

    print(f"{name}: {firsts} of {of} lead to the rule first, {threes} among three")
    assert of == len(listed)
    assert firsts >= first - SLACK
    assert threes >= among_three - SLACK


def shown_for(search: Search) -> list[tuple[str, ...]]:
    """The sections and the name of each of the first three hits."""
    ruleset = loaded(search.edition).in_language(search.language)
    hits = hr.talk.find(ruleset, search.line, limit=3).hits
    return [(*hit.sections[:3], hit.name) for hit in hits]


@cache
def loaded(edition: str) -> hr.Ruleset:
    return hr.load(f"hots-{edition}")


def is_any_wanted(shown: tuple[str, ...], search: Search) -> bool:
    return any(is_wanted(each, search.first) for each in shown)


def test_a_word_of_no_text_is_read_as_what_questions_take_it_for(rules: hr.Ruleset) -> None:
    findings = hr.talk.find(rules, "longshanks")

    assert findings.note.startswith("read as: longshanks → ")
    assert any("Edward" in hit.text for hit in findings.hits)
    assert "church → cathedral" in hr.talk.find(rules, "church").note


def is_wanted(shown: str, wanted: Iterable[str]) -> bool:
    """Whether a section or a name is one of those wanted, or a part of one."""
    return any(shown == each or is_within(shown, each) for each in wanted if each)


@pytest.mark.parametrize(
    "words", ["can't", '"', "a OR", "NOT", "NEAR(", "title:x", "*", "^a", "-", "{", "()", "'", "\0"]
)
def test_no_input_is_an_operator(rules: hr.Ruleset, words: str) -> None:
    hr.talk.find(rules, words)


def test_a_long_search_is_cut(rules: hr.Ruleset) -> None:
    retrieval = retrieval_of(rules)
    many = " ".join(sorted(word for word in retrieval.rows.words.split() if len(word) == 4))

    def hits(words: str) -> tuple[hr.talk.Hit, ...]:
        return find_by_words(rules, words, 10)

    assert hr.talk.find(rules, "border " * 10_000).hits
    assert hits("border " * 10_000 + "wallace") == hits("border " * MAX_WORDS)
    assert hits("border " * (MAX_WORDS - 1) + "wallace") != hits("border " * MAX_WORDS)
    assert len(retrieval.tokens(many)) > MAX_WORDS
    assert hits(many) == hits(many[:MAX_SENTENCE])
    assert len(retrieval.tokens("b" * 10_000)[0].text) == MAX_SENTENCE


def test_an_empty_search_and_one_without_a_hit_have_a_sentence_and_headings(
    rules: hr.Ruleset,
) -> None:
    empty, nothing = hr.talk.find(rules, " ?"), hr.talk.find(rules, "xyzzy")

    assert "say what to look for: a word or two of a rule" == empty.note
    assert "nothing has `xyzzy`" == nothing.note
    assert () == empty.hits == nothing.hits
    assert "§5.0 Battles" in empty.near and "§5.0 Battles" in nothing.near


def test_the_sentence_of_a_section_is_not_repeated(rules: hr.Ruleset) -> None:
    hits = [(hit.sections[:1], hit.text) for hit in hr.talk.find(rules, "castle limit").hits]

    assert sorted({*hits}) == sorted(hits)


def test_hits_are_in_the_language_of_the_ruleset(rules: hr.Ruleset) -> None:
    hits = hr.talk.find(rules.in_language("fr"), "retreat").hits

    assert any("retraite" in hit.text or "retire" in hit.text for hit in hits)


def test_more_words_find_first_what_has_all_of_them(rules: hr.Ruleset) -> None:
    hit = hr.talk.find(rules, "wallace selkirk").hits[0]

    assert "Wallace" in hit.text and "Selkirk" in hit.text


@pytest.mark.parametrize("lacks", ["full-text search", "sqlite"])
def test_without_full_text_search_the_pages_are_searched_plainly(
    rules: hr.Ruleset, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    retrieval = retrieval_of(rules)
    without = attrs.evolve(retrieval, index=attrs.evolve(retrieval.index))
    if lacks == "sqlite":
        monkeypatch.setitem(sys.modules, "sqlite3", None)
    else:
        monkeypatch.setattr(index_module, "_CREATE", "create virtual table page using no_such")

    for words, section in {"border limit": "4.3", "celtic unity": "5.2", "retreat": "5.5"}.items():
        tokens = retrieval.tokens(words)
        terms = [term for query in retrieval.query_terms(tokens) for term in query.terms]
        assert section in without.find(tokens)[0].passage.sections, words
        best, plainly = retrieval.index.search(terms), without.index.search(terms)
        assert dict(best) == pytest.approx(dict(plainly)), words
    assert [] == without.find(retrieval.tokens("xyzzy"))


def test_the_pages_are_searched_by_sqlite(rules: hr.Ruleset) -> None:
    assert retrieval_of(rules).index.uses_sqlite  # every supported Python brings one with FTS5


# ---------------------------------------------------------------- cards
def test_the_card_of_a_piece_tells_its_row_its_place_and_its_rules(game: hr.Game) -> None:
    [card] = hr.talk.cards(game, "wallace")

    assert ("Wallace", "block", True) == (card.title, card.kind, card.is_of_value)
    assert {("kind", "leader"), ("letter", "A"), ("rating", "3"), ("steps", "4")} <= {*card.facts}
    assert ("black cross", "yes") in card.facts
    assert ("where is Wallace:", "Fife") in card.now
    assert any("black cross" in sentence for _, sentence in card.rules)
    assert () == hr.talk.cards(game.ruleset, "wallace")[0].now


def test_the_card_of_a_place_tells_its_borders_and_who_is_there(game: hr.Game) -> None:
    [card] = hr.talk.cards(game, "fife")
    facts, now = dict(card.facts), dict(card.now)

    assert ("2", "yes") == (facts["castle limit"], facts["cathedral"])
    assert "Angus (green, border limit 6), Atholl (red, border limit 2)" in facts["border"]
    assert "Wallace, Douglas, Barclay" == now["who stands in Fife:"]
    assert not {"across", "down"} & {*facts}


def test_a_word_of_a_column_lists_what_is_of_that_kind(rules: hr.Ruleset) -> None:
    for name, language in (("noble", "en"), ("Nobles", "en"), ("nobles", "fr"), ("noble", "es")):
        card = hr.talk.cards(rules.in_language(language), name)[0]

        assert ("2.22",) == card.sections
        assert "Comyn, Moray, Angus" in card.facts[0][1]
        assert "(14)" in card.facts[0][0]


def test_a_kind_with_one_thing_of_its_name_has_no_card_beside_it(rules: hr.Ruleset) -> None:
    assert ["block"] == [card.kind for card in hr.talk.cards(rules, "Norse")]


def test_two_things_of_one_name_have_two_cards(rules: hr.Ruleset) -> None:
    assert ["area", "block"] == [card.kind for card in hr.talk.cards(rules, "Moray")]


def test_a_card_tells_a_player_nothing_hidden(game: hr.Game) -> None:
    def now(player: str | None) -> dict[str, str]:
        return dict(hr.talk.cards(game, "Mentieth", player=player)[0].now)

    assert "Northumber Infantry" in now(None)["who stands in Mentieth:"]
    assert "Northumber Infantry" in now("England")["who stands in Mentieth:"]
    assert "Northumber" not in str(now("Scotland"))
    hidden = hr.talk.cards(game, "York Knights", player="Scotland")[0]
    assert all("unknown" in answer for _, answer in hidden.now)


def test_sections_and_declarations_have_cards(rules: hr.Ruleset) -> None:
    [section] = hr.talk.cards(rules, "§5.7")
    [reading] = hr.talk.cards(rules, "border_of_the_pinned")

    assert "Capturing Nobles" == section.title
    assert ("§5.7", "A noble who falls in battle") == (
        section.rules[0][0],
        section.rules[0][1][:27],
    )
    assert ["default entered", "main_attack", "last_used"] == [name for name, _ in reading.facts]
    assert () == hr.talk.cards(rules, "xyzzy") == hr.talk.cards(rules, "5.77")


@pytest.mark.thorough
def test_every_value_of_every_ruleset_has_a_card(any_ruleset: hr.Ruleset) -> None:
    for value in table_values(any_ruleset.compiled.typed):
        found = {card.name.casefold() for card in hr.talk.cards(any_ruleset, value[1])}
        assert value[1].casefold() in found


# ---------------------------------------------------------------- commands
def test_find_prints_each_hit_with_its_section() -> None:
    out = hots("find", "hots-4.0", "anglo", "scottish", "boarder", "--hits", "1")

    assert "read as: boarder → border\n§4.4 Anglo-Scottish Border" in out
    data = json.loads(hots("find", "hots-4.0", "retreat", "--json"))
    assert {"answer", "asked", "hits", "note", "near", "ruleset"} == {*data}


def test_show_prints_sentences_first_and_code_on_request() -> None:
    out, code = hots("show", "hots-4.0", "5.7"), hots("show", "hots-4.0", "5.7", "--code")

    assert "A noble who falls in battle" in out
    assert "instead of eliminated" not in out
    assert "instead of eliminated" in code


def test_show_prints_the_card_of_a_piece_and_as_json() -> None:
    assert hots("show", "hots-4.0", "wallace").startswith("Wallace (block) §2.1\n")
    data = json.loads(hots("show", "hots-4.0", "wallace", "--json"))
    assert (["Wallace"], []) == ([card["title"] for card in data["cards"]], data["shown"])


def test_contents_lists_the_sections_with_the_sentences_of_their_rules() -> None:
    lines = hots("show", "hots-4.0", "--sentences").splitlines()

    at = lines.index("1.2   Castle Limits")
    assert (
        "Nobody ends disbanding while blocks that could go exceed a Castle Limit."
        == lines[at + 1].strip()
    )
    heads = [line for line in lines if line[:1].isdigit()]
    assert len(hr.explain.section_headings(hr.load("hots-4.0"))) == len(heads)
    assert not any("_" in line for line in lines), "a sentence, not the name of a rule"
    sections = json.loads(hots("show", "hots-4.0", "--sentences", "--json"))["sections"]
    first = {"number": "0.1", "heading": "Introduction", "rules": [], "sentences": []}
    assert first == sections[0]


def test_contents_of_a_chapter_has_its_sections_alone(rules: hr.Ruleset) -> None:
    assert {"9.0", "9.1", "9.2"} == {*hr.talk.section_sentences(rules, "9")}
    assert {"5.3", "5.31", "5.32", "5.33"} == {*hr.talk.section_sentences(rules, "§5.3")}
    assert "the rulebook has no section 77\n" == hots("show", "hots-4.0", "77", "--sentences")


# ---------------------------------------------------------------- headings in other languages
@pytest.mark.parametrize("edition", ["4.0", "3.x", "2.3", "player-aid"])
@pytest.mark.parametrize("language", ["en", "fr", "es"])
def test_every_heading_is_known_in_every_language(edition: str, language: str) -> None:
    rules = loaded(edition).in_language(language)

    known = headings_in_language(rules.compiled, language)
    assert {*hr.explain.section_headings(rules)} == {*known}
    assert all(known.values())


@pytest.mark.parametrize(
    ("edition", "language", "number", "heading"),
    [
        ("4.0", "fr", "7.12", "Bruce et Comyn"),
        ("2.3", "en", "7.11", "Bruce & Comyn"),
        ("2.3", "es", "7.62", "Caballeros Franceses"),
        ("2.3", "fr", "7.62", "Chevaliers français"),
        ("3.x", "fr", "2.23.2", "Chevaliers"),
        ("player-aid", "en", "6.0", "Border raid"),
    ],
)
def test_a_heading_is_that_of_the_section_that_corresponds(
    edition: str, language: str, number: str, heading: str
) -> None:
    assert heading == hr.explain.section_headings(loaded(edition).in_language(language))[number]


def test_no_english_heading_is_among_french_or_spanish_hits() -> None:
    english = {*hr.explain.section_headings(loaded("4.0")).values()}
    for language, words in (
        ("fr", "frontière"),
        ("es", "frontera"),
        ("fr", "hiver"),
        ("es", "rey"),
    ):
        rules = loaded("4.0").in_language(language)
        own = {*hr.explain.section_headings(rules).values()}
        for hit in hr.talk.find(rules, words).hits:
            assert hit.heading in own
            assert hit.heading not in english - own


@pytest.mark.parametrize(
    "text",
    ["[en", "languages = 3", '[fr."odd-1.0"]\n"1.0" = 3', "[fr]\n1 = 2", "x" + ".x" * 99 + "=1"],
)
def test_a_file_of_headings_that_cannot_be_read_is_a_fault(text: str) -> None:
    sections = "section,heading\n1.0,One\n"
    source = Source((Layer("odd-1.0", "Odd", None, {}, sections, headings=text),))

    with pytest.raises(hr.RulesetError, match=r"headings of `odd-1\.0` cannot be read"):
        headings_in(source, "en")


def test_a_search_in_words_shows_the_statement_that_answers_it(rules: hr.Ruleset) -> None:
    hits = hr.talk.find(rules, "can i save moves for later").hits

    assert "statement" in {hit.kind for hit in hits[:3]}
    assert "4.0" == hits[0].sections[0]


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


# ---------------------------------------------------------------- what a card tells first
@pytest.mark.parametrize(
    ("block", "section", "words"),
    [
        ("Buchan", "§5.7", "joins the enemy"),
        ("Moray", "§5.8 §5.02", "never comes back"),
        ("Wales Archers", "§5.8", "draw pool"),
        ("King", "§6.2 §9.1", "the English win at once"),
        ("Edward", "§6.1", "stands for Edward II"),
    ],
)
def test_the_card_of_a_block_tells_what_becomes_of_it(
    rules: hr.Ruleset, block: str, section: str, words: str
) -> None:
    card = next(each for each in hr.talk.cards(rules, block) if each.kind == "block")

    assert section == card.rules[0][0]
    assert words in card.rules[0][1]


def test_a_card_has_no_sentence_that_only_its_code_ties_to_the_block(rules: hr.Ruleset) -> None:
    card = next(each for each in hr.talk.cards(rules, "Buchan") if each.kind == "block")

    tied = [sentence for _, sentence in card.rules if "noble" not in sentence.lower()]
    assert not any("infantry" in sentence or "Fife" in sentence for sentence in tied)


def test_a_phase_is_shown_with_its_parts_in_order(rules: hr.Ruleset) -> None:
    lines = [line.strip() for line in hots("show", "hots-4.0", "winter").splitlines()]

    assert "1. The English nobles go home, then the Scottish ones. §7.1" in lines
    assert "16. All cards are shuffled and dealt anew; none is kept. §7.8 §7.0" in lines


def test_what_nothing_is_called_is_searched() -> None:
    shown = hots("show", "hots-4.0", "draw pool")

    assert shown.startswith("nothing is called `draw pool`; a search finds\n")
    assert "draw pool" in shown.partition("\n")[2]


def test_a_section_is_shown_in_one_language_and_without_braces() -> None:
    shown = "".join(
        hots("show", "hots-4.0", name, "--language", "fr") for name in ("5.5", "retreats")
    )

    assert "… bat en retraite vers …" in shown
    assert "quels blocs peuvent battre en retraite de …" in shown
    assert "a block retreats" not in shown
    assert "{" not in shown
    assert "limite du château : 2" in hots("show", "hots-4.0", "fife", "--language", "fr")


def test_the_words_of_a_type_are_on_no_card_as_a_table() -> None:
    [area] = [
        c for c in hr.talk.cards(loaded("2.3").in_language("fr"), "lennox") if c.kind == "région"
    ]

    assert not any("‹" in f"{name} {text}" for name, text in area.facts)


ROADS = """ruleset roads-1.0 "Roads"
players Player
type Player = Ada | Bram
map at at across, down
  links Place by roads
table Place §1 (roads: set of Place, across: 0..9, down: 0..9)
  Mill   Ford+Abbey  1  1
  Ford   Mill        2  1
  Abbey  -           3  1
state
  at[Player] : Place
action go(to: Place) §1 "Go."
  permit when to in roads[at[actor]]
  at[actor] := to
phase game §1 "Play."
  choose Ada: go
  win Ada
scenario plain §1 "Plain"
  game()
"""


def test_the_card_of_a_place_tells_its_roads_once(tmp_path: Path) -> None:
    (tmp_path / "roads.rules").write_text(ROADS, encoding="utf-8")
    rules = hr.load(tmp_path / "roads.rules")

    facts = {word: str(hr.talk.cards(rules, word)[0]) for word in ("Mill", "Ford", "Abbey")}

    assert "roads: Ford, Abbey" in facts["Mill"]
    assert "roads: Mill" in facts["Ford"]
    assert "place, roads (1): Mill" in facts["Abbey"]
    assert not any("place:" in text or "place, roads" in text for text in [*facts.values()][:2])


@pytest.mark.parametrize(
    ("edition", "line", "told"),
    [
        (
            "hots-player-aid",
            "la règle optionnelle sur le bloc nordique",
            "norse_by_the_irish_sea §9.1",
        ),
        ("hots-4.0", "what is the optional rule about archers", "schiltroms §5.01"),
        ("hots-4.0", "what optional rules are there", "english_bid §9.2"),
    ],
)
def test_a_question_for_an_optional_rule_is_answered_by_the_options(
    edition: str, line: str, told: str
) -> None:
    answer = hr.load(edition).start("braveheart", seed=1).ask(line)

    assert answer.kind == "quoted" and told in str(answer)


def test_what_a_piece_is_does_not_answer_which_rule_about_it_is_optional() -> None:
    game = hr.load("hots-2.3").start("braveheart", seed=1)

    assert game.ask("la règle optionnelle sur le bloc nordique").kind == "closest"
