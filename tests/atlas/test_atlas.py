"""The atlas: all differences between rulesets as pages, and the questions at the prompt that lead to them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from functools import cache
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from attrs import evolve
from typer.testing import CliRunner

import hots_rules as hr
from hots_rules._files import write_folder
from hots_rules.atlas import exhibits
from hots_rules.cli.app import app
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session, new_game
from hots_rules.explain.word_search import IDLE_WORDS, matches, words_of
from hots_rules.report.markup import MAX_LETTERS, tag
from tests.cli.test_repl import output_of
from tests.compare.test_compare import OLDER, TINY, house

SITE = ("diff", OLDER, TINY, "--format", "site")
# A stranger's texts: in a title, a sentence, a reason and a name of a file.
STRANGE = """
amend rule no-peeking §2.1 "</td><script>alert(1)</script><img src=x onerror=alert(2)> & more."
  forbid peek when false
    because "</pre><script>alert(3)</script>"
"""
WITNESS = hr.witness.Witness(
    "legal",
    "tiny-1.0",
    "house",
    "Wallace: place Mar, strength 4\nready {Wallace}\nbegin at choose in blows(index 1) in game\n",
    "Scotland: march Wallace to Fife",
    isolates=("rule castles-hold",),
    verdicts=(("illegal",), ("legal",)),
    games=20,
    divergent_games=3,
)


def hots(*words: object) -> tuple[int, str]:
    """How a command ends, and what it prints."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    return result.exit_code, result.output


@cache
def editions() -> hr.atlas.Atlas:
    return hr.atlas.atlas(*hr.atlas.editions_of(hr.load("hots-4.0")))


@cache
def tiny() -> hr.atlas.Atlas:
    return hr.atlas.atlas(OLDER, TINY)


class Tags(HTMLParser):
    """The tags of a page, the attributes of each, and the texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


# ---------------------------------------------------------------- entries
def test_every_difference_has_an_entry_with_what_each_ruleset_has() -> None:
    entries = {entry.id: entry for entry in tiny().entries}
    added = entries["rule first-blow-in-summer"]

    assert set(entries) == set(hr.diff(OLDER, TINY).ids)
    assert [side is not None for side in added.sides] == [True, False]
    assert added.section == "2.4"
    assert "Winter" in " ".join(added.headings) or added.headings


@pytest.mark.thorough
def test_entries_are_in_the_order_of_the_newest_book() -> None:
    main = [entry for entry in editions().entries if not entry.below and entry.section]
    order = list(editions().sections)

    assert main == sorted(main, key=lambda entry: order.index(entry.section))


@pytest.mark.thorough
def test_a_section_of_an_older_printing_is_found_in_the_newest_book() -> None:
    """The player aid has retreats in its 5.2, which is Celtic Unity in the rulebook."""
    entry = editions().by_id["reading limits_of_the_last_retreat"]

    assert [side and side.sections for side in entry.sides] == [("5.2",), None, None, None]
    assert entry.section == "5.5"


def test_a_definition_is_listed_below_a_rule_that_uses_it() -> None:
    entry = editions().by_id["define inland_for"]

    assert entry.below == "rule norse-retreat-to-a-coast"


def test_what_an_older_edition_remarks_is_not_said_of_the_newest() -> None:
    entry = editions().by_id["define went_by"]

    assert entry.sides[2] and entry.sides[2].source.startswith("# What the enemy did")
    assert entry.sentence.startswith("A side went by a border if")
    _, declared, *_ = hr.atlas.pages_of(editions(), hr.atlas.Collection())
    front = declared.html
    assert re.search(r"<td[^>]*>What the enemy did in another battle closes nothing", front)
    assert re.search(r"<td[^>]*>A side went by a border if", front)


def test_readings_that_touch_a_declaration_are_named() -> None:
    assert editions().by_id["define norse_camps"].choices == (
        "option norse_by_the_irish_sea",
        "reading norse_regroup",
        "reading norse_retreat",
    )


@pytest.mark.parametrize(
    ("question", "id_"),
    [
        ("What is different about retreats?", "rule norse-retreat-to-a-coast"),
        ("winter", "stage wallace_to_selkirk"),
        ("§5.5", "reading stranded_king"),
        ("5", "reading stranded_king"),
        ("retirada", "reading stranded_king"),
        ("Etterick", "table Block"),
        ("must_retreat", "phase must_retreat"),
    ],
)
def test_an_entry_is_found_by_general_words(question: str, id_: str) -> None:
    assert id_ in [entry.id for entry in editions().about(question)]


def test_what_is_named_by_the_words_comes_before_what_a_heading_has() -> None:
    found = [entry.id for entry in editions().about("retreats")]

    assert found.index("phase must_retreat") < found.index("reading border_of_the_pinned")


def test_idle_words_alone_find_nothing() -> None:
    assert editions().about("what changed about the") == ()
    assert not any(matches(word, frozenset({word})) for word in IDLE_WORDS)


def test_the_edition_since_which_a_rule_plays_so() -> None:
    names = ("rule one-of-the-group-crosses-under-way", "reading stranded_king")
    first = [editions().by_id[name].since(3) for name in names]

    assert [editions().rulesets[number] for number in first] == ["hots-4.0", "hots-3.x"]


def test_fewer_than_two_rulesets_are_refused() -> None:
    with pytest.raises(hr.BadArgument):
        hr.atlas.atlas(TINY)


# ---------------------------------------------------------------- pages
def test_every_difference_of_play_has_a_page_and_a_link_to_it() -> None:
    pages = {page.name: page.html for page in hr.atlas.pages_of(editions(), hr.atlas.Collection())}
    names = {entry.page for entry in editions().entries if entry.plays}
    links = {
        attributes.get("href") for tag, attributes in Tags(pages["index.html"]).tags if tag == "a"
    }

    assert names | {"index.html", "declarations.html", "wording.html"} == set(pages)
    assert names <= links


def test_links_lead_to_pages_and_places_that_exist() -> None:
    pages = {
        page.name: Tags(page.html) for page in hr.atlas.pages_of(editions(), hr.atlas.Collection())
    }
    places = {
        f"{name}#{attributes['id']}"
        for name, page in pages.items()
        for _, attributes in page.tags
        if "id" in attributes
    }
    links = {
        f"{name}{href}" if href.startswith("#") else href
        for name, page in pages.items()
        for tag, attributes in page.tags
        if tag == "a" and (href := attributes["href"])
    }

    assert links <= set(pages) | places


def test_a_page_shows_the_witness_both_answers_and_how_often(tmp_path: Path) -> None:
    pair = hr.load(TINY), hr.load(house(tmp_path, "repeal rule castles-hold §2.2\n"))
    atlas = hr.atlas.atlas(*pair)
    counts = {"tiny-1.0": hr.analysis.Frequencies("tiny-1.0", 10, {"rule castles-hold": 4})}
    shown = hr.atlas.collect(
        atlas, pair, found={(0, "rule castles-hold"): WITNESS}, frequencies=counts
    )
    page = Tags(
        dict((each.name, each.html) for each in hr.atlas.pages_of(atlas, shown))[
            "rule-castles-hold.html"
        ]
    )
    text = " ".join(page.texts)

    (picture,) = (of["data-picture"] for _, of in page.tags if "data-picture" in of)
    script = hr.atlas.pictures_script(shown)
    drawn = json.loads(script.removeprefix("window.atlasPictures = ").removesuffix(";\n"))
    svg = "".join(drawn["parts"][number] for number in drawn["pictures"][picture])
    assert svg == shown.exhibits[0, "rule castles-hold"].svg
    assert "tiny-1.0: illegal" in text
    assert "house: legal" in text
    assert "the castle of Fife is 2" in text
    assert "3 of 20 random games" in text
    assert "4 of 10" in text


@pytest.mark.thorough
def test_other_processes_replay_the_same_witnesses() -> None:
    pair = [hr.load(name) for name in ("hots-3.x", "hots-4.0")]
    atlas, told = hr.atlas.atlas(*pair), []
    with ProcessPoolExecutor(2) as executor:
        shown = hr.atlas.collect(
            atlas,
            pair,
            executor=executor,
            on_witness=lambda done, total: told.append((done, total)),
        )
    assert len(shown.exhibits) >= 10
    assert shown == hr.atlas.collect(atlas, pair)
    assert told[-1] == (len(shown.exhibits), len(shown.exhibits))


def test_the_front_page_tells_when_a_difference_matters(tmp_path: Path) -> None:
    pair = hr.load(TINY), hr.load(house(tmp_path, "repeal rule castles-hold §2.2\n"))
    atlas = hr.atlas.atlas(*pair)
    shown = hr.atlas.collect(atlas, pair, found={(0, "rule castles-hold"): WITNESS})
    front = " ".join(Tags(next(hr.atlas.pages_of(atlas, shown)).html).texts)

    assert WITNESS.summary.replace("`", "") in " ".join(front.split())
    assert "diverges in 3 of 20 random games" in front


def test_the_front_page_counts_the_changes_that_it_lists() -> None:
    atlas = hr.atlas.atlas(
        "hots-2.3", "hots-4.0"
    )  # one change of the table is written in both alike
    front = next(hr.atlas.pages_of(atlas, hr.atlas.Collection())).html
    rows = [of for _, of in Tags(front).tags if (of.get("id") or "").startswith("change-")]

    assert len(rows) > len(atlas.changes.changes)
    assert f"{len(rows)} changes of the rulebook" in front


def test_the_front_page_tells_of_a_single_change_as_of_one(tmp_path: Path) -> None:
    pair = hr.load(TINY), hr.load(house(tmp_path, "repeal rule castles-hold §2.2\n"))
    front = next(hr.atlas.pages_of(hr.atlas.atlas(*pair), hr.atlas.Collection())).html

    assert "1 change of the rulebook" in front
    assert "in 1 declaration<" in front


def test_a_witness_that_is_given_is_shown_instead_of_the_kept_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = hr.load(TINY), hr.load(house(tmp_path, "repeal rule castles-hold §2.2\n"))
    kept = hr.witness.KeptWitnesses({"rule castles-hold": evolve(WITNESS, games=5)}, {})
    monkeypatch.setattr(exhibits, "kept_witnesses", lambda *_: kept)
    given = {(0, "rule castles-hold"): WITNESS}
    shown = hr.atlas.collect(hr.atlas.atlas(*pair), pair, found=given)

    assert shown.exhibits[0, "rule castles-hold"].witness.games == WITNESS.games


def test_a_witness_that_is_not_kept_is_searched(tmp_path: Path) -> None:
    pair = hr.load(TINY), hr.load(house(tmp_path, "repeal rule castles-hold §2.2\n"))
    atlas, key = hr.atlas.atlas(*pair), (0, "rule castles-hold")
    shown = hr.atlas.collect(atlas, pair, seconds=60)
    late = hr.atlas.collect(atlas, pair, seconds=1e-9)

    assert shown.exhibits[key].witness.verdicts == (("illegal",), ("legal",))
    assert (late.exhibits, late.missing[key]) == ({}, "the time for searches was over.")


def test_a_witness_reads_the_same_in_the_other_order(tmp_path: Path) -> None:
    pair = hr.load(house(tmp_path, "repeal rule castles-hold §2.2\n")), hr.load(TINY)
    shown = hr.atlas.collect(hr.atlas.atlas(*pair), pair, found={(0, "rule castles-hold"): WITNESS})

    answers = shown.exhibits[0, "rule castles-hold"].answers
    assert [(answer.edition, answer.verdict) for answer in answers] == [
        ("house", "legal"),
        ("tiny-1.0", "illegal"),
    ]


def test_a_witness_that_the_rulesets_do_not_bear_out_is_left_out(tmp_path: Path) -> None:
    pair = (
        hr.load(TINY),
        hr.load(house(tmp_path, 'amend rule no-peeking §2.1 "No."\n  forbid peek\n')),
    )
    atlas = hr.atlas.atlas(*pair)
    shown = hr.atlas.collect(atlas, pair, found={(0, "rule no-peeking"): WITNESS})

    assert not shown.exhibits
    reason = shown.missing[0, "rule no-peeking"]
    assert "does not fit" in reason
    assert reason.endswith(").")  # a page shows it as the end of a sentence


# ---------------------------------------------------------------- the folder
def test_the_command_writes_a_folder_of_pages(tmp_path: Path) -> None:
    status, output = hots(*SITE, "-o", tmp_path / "out", "--games", 2, "--seconds", 0)
    names = {file.name for file in (tmp_path / "out").iterdir()}

    assert status == 0
    assert f"{len(names)} pages written" in output
    assert {"index.html", "wording.html", "rule-castles-hold.html"} <= names
    assert "comes up in" in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    status, output = hots(*SITE, "-o", tmp_path)

    assert status == 2
    assert "--force" in output
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ((*SITE,), "name the folder of the site"),
        ((*SITE, "-o", "site", "--plays-only"), "a site has all differences"),
        (("diff", OLDER, TINY, "-o", "site"), "only with --format site"),
    ],
)
def test_what_does_not_go_with_a_site_is_refused(words: tuple[object, ...], fault: str) -> None:
    status, output = hots(*words)

    assert status == 2
    assert fault in output


def test_force_keeps_other_files(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    status, _ = hots(*SITE, "-o", tmp_path, "--games", 0, "--seconds", 0, "--force")

    assert status == 0
    assert (tmp_path / "mine.txt").read_text(encoding="utf-8") == "mine"
    assert (tmp_path / "index.html").exists()


def test_a_folder_that_is_there_stays_the_same_folder(tmp_path: Path) -> None:
    before = tmp_path.stat().st_ino

    write_folder(tmp_path, [("index.html", "a page")])

    assert [file.name for file in tmp_path.iterdir()] == ["index.html"]
    assert tmp_path.stat().st_ino == before


def test_an_interrupted_atlas_leaves_nothing(tmp_path: Path) -> None:
    def pages() -> Iterator[tuple[str, str]]:
        yield "index.html", "a page"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path / "out", pages())

    assert not list(tmp_path.iterdir())


def test_no_text_of_a_stranger_becomes_markup(tmp_path: Path) -> None:
    strange = house(tmp_path, STRANGE)
    atlas = hr.atlas.atlas(TINY, strange)
    for name, text in hr.atlas.documents(atlas):
        page = Tags(text)
        scripts = [
            attributes for tag, attributes in page.tags if tag in ("script", "img", "iframe")
        ]
        policy = next(
            attributes["content"] for tag, attributes in page.tags if "http-equiv" in attributes
        )
        attributes = {key for _, each in page.tags for key in each}

        assert scripts == [{}], name
        assert not [key for key in attributes if key.startswith("on")], name
        assert policy and "default-src 'none'" in policy
    assert "<script>alert(1)" in " ".join(page.texts)


def test_long_texts_are_cut() -> None:
    assert len(tag("p", "word " * 20_000)) < 2 * MAX_LETTERS


def test_the_page_and_python_have_the_same_rules_for_words() -> None:
    """The box of the page narrows the table with the endings that `matches` ignores."""
    endings = re.compile(r"\((ies[^)]*)\)")
    script = hr.atlas.script()
    source = Path(hr.explain.__file__).with_name("word_search.py").read_text(encoding="utf-8")
    (front, *_) = hr.atlas.pages_of(tiny(), hr.atlas.Collection())
    box = next(attributes for tag, attributes in Tags(front.html).tags if tag == "input")

    assert endings.findall(script) == endings.findall(source)
    assert set((box["data-idle"] or "").split()) == IDLE_WORDS
    assert words_of("Frontière, §5.5") == {"frontiere", "5"}


# ---------------------------------------------------------------- how often
def test_a_rule_comes_up_when_the_trace_has_it() -> None:
    counts = hr.analysis.count_frequencies(hr.load(TINY), games=20)

    assert counts.of("phase", "game") == counts.of("scenario", "duel") == 20
    assert 0 < counts.of("action", "peek") < 20
    assert counts.of("rule", "no-peeking") == counts.of("action", "peek")
    assert counts.of("rule", "no-such-rule") == 0


def test_counts_are_the_same_for_the_same_seed() -> None:
    rules = hr.load(TINY)

    assert hr.analysis.count_frequencies(rules, games=5) == hr.analysis.count_frequencies(
        rules, games=5
    )


def test_the_kept_counts_are_of_declarations_that_exist() -> None:
    for name, counts in hr.analysis.kept_frequencies().items():
        known = {" ".join(key) for key in hr.load(name).rulebook.entries}

        # A house rule may change what the editions have in common.
        assert counts.of("rule", "stop-at-the-enemy") > 0

        assert set(counts.counts) <= known
        assert max(counts.counts.values()) <= counts.games


# ---------------------------------------------------------------- the prompt
def test_the_prompt_tells_what_changed() -> None:
    output = output_of("What changed about retreats?")

    assert "rule norse-retreat-to-a-coast" in output
    assert "hots-2.3 → hots-3.x: repealed" in output
    assert "rule-norse-retreat-to-a-coast.html" in output
    assert 'hots witness hots-2.3 hots-3.x --difference "rule norse-retreat-to-a-coast"' in output


@pytest.mark.thorough
@pytest.mark.parametrize(
    "line",
    [
        "what changed since edition 3.x about nobles",
        "what changed about nobles since 3.x",
        "what has changed since 3.x about nobles",
        "what changed since 3.x",
    ],
)
def test_the_prompt_tells_what_changed_since_an_edition(line: str) -> None:
    output = output_of(line)

    assert "hots-3.x → hots-4.0" in output
    assert "→ hots-3.x" not in output
    assert "→ hots-2.3" not in output


@pytest.mark.thorough
def test_the_prompt_tells_that_nothing_changed() -> None:
    assert "nothing that is played changed about `herald`" in output_of(
        "what changed about herald?"
    )


def test_the_prompt_tells_since_when() -> None:
    output = output_of(
        "since which edition stranded king?\nSINCE WHICH EDITION norse-retreat-to-a-coast"
    )

    assert "reading stranded_king: since hots-3.x" in output
    assert "rule norse-retreat-to-a-coast: last in hots-2.3" in output


def test_a_rule_that_was_only_reworded_is_as_old_as_the_oldest_edition() -> None:
    output = output_of("since which edition border-control?")

    assert "rule border-control: since hots-player-aid or before" in output
    assert "way_of_the_unpinned" not in output
    assert "page" not in output


def test_the_prompt_tells_what_another_edition_says() -> None:
    output = output_of("what does 2.3 say about 5.6?")

    assert "hots-2.3" in output
    assert "Where may the Norse regroup?" in output
    assert "reading-norse_regroup.html" in output


def test_the_prompt_asks_every_edition_about_the_last_action() -> None:
    output = output_of("England: play Move 3\nis this legal in every edition?")

    assert "all editions agree" in output


@pytest.mark.thorough
def test_the_prompt_understands_its_own_language() -> None:
    session = Session(new_game(hr.load("hots-4.0").in_language("fr"), seed="0"))
    repl, output = Repl(session), StringIO()
    with redirect_stdout(output):
        for line in ("qu'est-ce qui a change pour les retraites ?", "que dit 3.x sur 5.6"):
            assert repl.execute(line)

    assert repl.failures == 0, output.getvalue()
    assert "Une retraite mène le Nordique sur une côte." in output.getvalue()
    assert "page : phase-must_retreat.html" in output.getvalue()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("language", "line", "said"),
    [
        ("en", "since when stranded king?", "reading stranded_king: since hots-3.x"),
        ("en", "Since when is stranded king?", "reading stranded_king: since hots-3.x"),
        ("en", "what changed in 5.7?", "reading noble_pillaged"),
        ("en", "what changed", "usage: what changed about X"),
        ("en", "is it legal in all editions?", "all editions agree"),
        ("en", "what does 4.0 say on Truce?", "rule no-raid-under-truce"),
        ("en", "what does the player aid SAY ABOUT truce?", "hots-player-aid"),
        ("fr", "qu'est-ce qui a changé dans 5.7 ?", "reading noble_pillaged"),
        ("fr", "depuis quand stranded king", "reading stranded_king: depuis hots-3.x"),
        ("fr", "légal dans chaque édition ?", "toutes les éditions sont d’accord"),
        ("es", "¿qué ha cambiado en 5.7?", "reading noble_pillaged"),
        ("es", "¿es legal en todas las ediciones?", "todas las ediciones coinciden"),
        ("es", "desde cuando stranded king", "reading stranded_king: desde hots-3.x"),
        ("es", "since when stranded king", "reading stranded_king: desde hots-3.x"),
    ],
)
def test_a_question_about_editions_has_several_wordings(
    language: str, line: str, said: str
) -> None:
    repl = Repl(Session(new_game(hr.load("hots-4.0").in_language(language), seed="0")))
    output = StringIO()
    with redirect_stdout(output):
        repl.execute("England: play Move 3")
        repl.execute(line)

    assert said in output.getvalue()
