"""The playground: what its page is answered, and the command that serves it; in a browser: test_playground_browser."""

from __future__ import annotations

import doctest
import json
import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from urllib.request import urlopen

import pytest
from hots_rules_playground.answers import beginnings
from hots_rules_playground.answers.places import Places
from hots_rules_playground.answers.session import Session

import hots_rules as hr
from hots_rules import editing
from hots_rules.diagnostics import Span
from tests.folders import HOME, TESTS
from tests.programs import NEEDS_NODE

RULE = """ruleset tired-wallace-1.0 "House rule: the forest heals slowly"
  extends hots-4.0
amend rule wallace-in-selkirk hots-4.0§7.5 "In Selkirk Wallace gains one step."
  after winters_at(b, a) when b = Wallace and a = Area.Selkirk
    strength[b] := min(strength[b] + 1, steps[b])
"""
FILE = "tired.rules"
PACKAGE = HOME / "editors" / "playground" / "hots_rules_playground"


def answer(session: Session, method: str, **parameters: object) -> object:
    """The result of a request, as the page reads it."""
    said = json.loads(session.answer(json.dumps({"method": method, **parameters})))
    assert "result" in said, said
    return said["result"]


def refusal(session: Session, method: str, **parameters: object) -> str:
    said = json.loads(session.answer(json.dumps({"method": method, **parameters})))
    assert "error" in said, said
    return said["error"]


@pytest.fixture(scope="module")
def opened() -> Session:
    session = Session()
    found = answer(session, "open", files={FILE: RULE})
    assert found["faults"] == {FILE: []}
    assert found["rulesets"] == {
        "titles": {"tired-wallace-1.0": "House rule: the forest heals slowly"},
        "bases": {"tired-wallace-1.0": "hots-4.0"},
    }
    return session


# ---------------------------------------------------------------- the author
@pytest.mark.thorough
def test_a_fault_has_its_place_in_units_of_the_page_and_what_corrects_it() -> None:
    session = Session()
    text = RULE.replace("rule wallace-in-selkirk", "rule wallace-in-selkrik").replace(
        "slowly", "\U0001f332"
    )
    answer(session, "open", files={FILE: text})

    (fault,) = answer(session, "check", name=FILE, text=text)["faults"][FILE]

    units = text.encode("utf-16-le")
    assert units[2 * fault["from"] : 2 * fault["to"]].decode("utf-16-le") == "wallace-in-selkrik"
    assert [fix["changes"][0]["insert"] for fix in fault["fixes"]] == ["wallace-in-selkirk"]


@pytest.mark.parametrize("text", ["", "a", "ab\ncd\n", "\U0001f332b\n\U0001f332"])
def test_places_are_read_back(text: str) -> None:
    places = Places.of(text)
    for line, row in enumerate(text.split("\n"), 1):
        for column in range(1, len(row) + 2):
            assert places.line_and_column(places.offset(line, column)) == (line, column)
    end = len(text.encode("utf-16-le")) // 2
    assert places.range(Span("", 99, 1, 99, 5)) == (end, end)


@pytest.mark.parametrize("name", ["author", "beginnings", "places", "player", "session"])
def test_examples_in_docstrings_run(name: str) -> None:
    done = doctest.testmod(import_module(f"hots_rules_playground.answers.{name}"))

    assert (done.failed, done.attempted > 0) == (0, True)


@pytest.mark.thorough
def test_names_are_completed_and_explained(opened: Session) -> None:
    offset = RULE.index("strength[b]")

    found = answer(opened, "complete", name=FILE, text=RULE, offset=offset + 3)
    hover = answer(opened, "hover", name=FILE, offset=offset + 3)

    assert {"label": "strength", "type": "variable", "detail": "hots-4.0"} in found
    assert (hover["from"], hover["to"]) == (offset, offset + len("strength"))
    assert "strength" in hover["text"]


@pytest.mark.thorough
def test_names_have_colours(opened: Session) -> None:
    colours = answer(opened, "check", name=FILE, text=RULE)["colours"]

    named = {(RULE[start:end], kind) for start, end, kind in colours}
    assert {("Wallace", "value"), ("winters_at", "event"), ("b", "local")} <= named


@pytest.mark.thorough
@pytest.mark.parametrize(
    "ruleset",
    [
        "lords-of-scotland",
        *(pytest.param(name, marks=pytest.mark.nightly) for name in ("hots-4.0", "hots-3.x")),
    ],
)
def test_every_amendment_that_is_offered_is_without_faults(ruleset: str) -> None:
    rules = hr.load(ruleset)
    every = dict.fromkeys(
        each
        for section in hr.explain.section_headings(rules)
        for each in hr.explain.declarations_citing(rules, section)
    )
    offered = [text for each in every if (text := editing.amendment(each))]
    head = f'ruleset house-1.0 "House"\n  extends {ruleset}'

    for half in (offered[::2], offered[1::2]):  # all at once would be too large
        faults = answer(Session(), "open", files={"house.rules": "\n".join([head, *half])})[
            "faults"
        ]
        assert faults == {"house.rules": []}

    assert len(offered) > 0.8 * len([each for each in every if each.kind in editing.AMENDED])


@pytest.mark.thorough
def test_the_example_of_each_kind_has_no_faults() -> None:
    listed = beginnings.listed()
    assert listed[0] == {
        "kind": "house",
        "name": "hots-4.0",
        "title": "A house rule for Hammer of the Scots, rulebook 4.0",
    }
    for kind, name in (("house", "hots-3.x"), ("game", "cards"), ("whole", "lords-of-scotland")):
        files = beginnings.files_of(kind, name)
        assert not any(answer(Session(), "open", files=files)["faults"].values())
        assert ("press “Change this”" in "".join(files.values())) == (kind == "house")


def test_a_whole_example_plays_and_is_drawn_as_the_ruleset_itself() -> None:
    session = Session()
    answer(session, "open", files=beginnings.files_of("whole", "lords-of-scotland"))

    own, shipped = session.author.ruleset("lords-of-scotland"), hr.load("lords-of-scotland")

    own_game, game = (rules.start(rules.scenarios[0], seed=3) for rules in (own, shipped))
    assert own_game.position == game.position
    assert own_game.draw() == game.draw()
    assert own.source.layers[0].talk == shipped.source.layers[0].talk


# ---------------------------------------------------------------- the game
@pytest.mark.thorough
def test_a_changed_rule_is_played_under_at_once() -> None:
    session = Session()
    answer(session, "open", files={FILE: RULE})
    begun = answer(
        session, "start", ruleset="tired-wallace-1.0", scenario="braveheart", seed="1297"
    )
    action = begun["view"]["actions"][0]["text"]

    assert answer(session, "preview", action=action)
    played = answer(session, "play", action=action)
    answer(session, "check", name=FILE, text=RULE.replace("+ 1", "+ 2"))
    again = answer(session, "again", ruleset="tired-wallace-1.0")

    assert begun["seat"] == "England" and played["seat"] == "Scotland"
    assert again["view"] == played["view"]
    assert again["record"] != played["record"]  # it names other texts
    assert answer(session, "undo")["view"]["plays"] == 0


@pytest.mark.thorough
def test_a_rehearsal_is_no_game() -> None:
    session = Session()
    answer(session, "rehearse")  # nothing is open
    answer(session, "open", files={FILE: RULE})

    answer(session, "rehearse")

    assert "no game has begun" in refusal(session, "undo")


def test_a_bot_plays_a_legal_action_of_the_seat() -> None:
    session = Session()
    begun = answer(session, "start", ruleset="connect-four-1.0", scenario="empty-board", seed="1")

    played = answer(session, "bot")

    assert played["view"]["plays"] == 1
    assert played["seat"] != begun["seat"]


@pytest.mark.thorough
def test_a_game_that_cannot_go_the_same_way_is_kept() -> None:
    session = Session()
    files = beginnings.files_of("whole", "connect-four-1.0")
    answer(session, "open", files=files)
    start = answer(session, "start", ruleset="connect-four-1.0", scenario="empty-board", seed="1")
    played = answer(session, "play", action=start["view"]["actions"][0]["text"])
    (name,) = (name for name in files if name.endswith(".rules"))
    forbidden = 'rule not-there §2 "The first file is closed."\n  forbid drop(c) when file[c] = a\n'
    answer(session, "check", name=name, text=files[name] + forbidden)

    assert "cannot go the same way" in refusal(session, "again", ruleset="connect-four-1.0")
    assert answer(session, "look", seat=None)["record"] == played["record"]


@pytest.mark.thorough
def test_a_record_goes_on_in_another_page(opened: Session) -> None:
    begun = answer(opened, "start", ruleset="tired-wallace-1.0", scenario="braveheart", seed="7")
    played = answer(opened, "play", action=begun["view"]["actions"][0]["text"])

    other = Session()
    answer(other, "open", files={FILE: RULE})
    resumed = answer(other, "resume", ruleset="tired-wallace-1.0", record=played["record"])

    assert resumed == played


def test_a_seat_sees_what_its_player_may_know(opened: Session) -> None:
    answer(opened, "start", ruleset="hots-4.0", scenario="braveheart", seed="1297")

    seen = answer(opened, "look", seat="Scotland")
    refused = refusal(opened, "look", seat="Nobody")
    answer(opened, "look", seat=None)

    game = hr.load("hots-4.0").start("braveheart", seed=1297)
    assert seen["board"] == game.draw("Scotland", live=True, public=True)
    assert "Nobody" in refused


def test_the_seat_of_another_game_is_not_asked_for() -> None:
    session = Session()
    answer(session, "start", ruleset="lords-of-scotland", scenario="2-players", seed="1")
    answer(session, "look", seat="P2")

    same = answer(session, "start", ruleset="lords-of-scotland", scenario="2-players", seed="2")
    other = answer(session, "start", ruleset="connect-four-1.0", scenario="empty-board", seed="1")

    assert (same["seat"], same["is_hot_seat"]) == ("P2", False)
    assert (other["seat"], other["is_hot_seat"]) == ("Red", True)


# ---------------------------------------------------------------- questions
@pytest.mark.thorough
def test_questions_and_battles_are_answered(opened: Session) -> None:
    answer(opened, "start", ruleset="hots-4.0", scenario="braveheart", seed="1297")

    where = answer(opened, "ask", words="how many blocks are in Ross?")
    battle = answer(opened, "ask", words="Ross: Wallace 3 against Comyn 2")
    unknown = answer(opened, "ask", words="xyzzy")

    assert where and "Ross" in battle and "exact" in battle
    assert "You can ask, for example" in unknown


def test_rules_are_found_with_the_amendment_that_begins_a_change(opened: Session) -> None:
    found = answer(opened, "find", ruleset="hots-4.0", words="wallace-in-selkirk")
    by_words = answer(opened, "find", ruleset="hots-4.0", words="forest selkirk wallace")

    assert found[0]["amendment"].startswith("amend rule wallace-in-selkirk hots-4.0§7.5")
    assert "wallace-in-selkirk" in [each["name"] for each in by_words]


def test_the_changed_rule_is_the_difference(opened: Session) -> None:
    answer(opened, "check", name=FILE, text=RULE)

    found = answer(opened, "compare", old="hots-4.0", new="tired-wallace-1.0")

    titles = [row["title"] for section in found["sections"] for row in section["rows"]]
    assert titles[0] == "rule wallace-in-selkirk"


# ---------------------------------------------------------------- limits
def test_a_ruleset_of_a_stranger_has_the_limits_of_strangers() -> None:
    session = Session()
    files = {"x.rules": 'ruleset big-1.0 "Big"\n' + "#" * 600_000}

    faults = answer(session, "open", files=files)["faults"]["x.rules"]

    assert [fault["code"] for fault in faults] == ["too-large"]
    assert session.author.ruleset  # the session goes on
    assert "expected" in refusal(session, "start", ruleset="big-1.0", scenario="x")


def test_play_of_a_stranger_counts_its_steps(opened: Session) -> None:
    rules = opened.author.ruleset("tired-wallace-1.0")

    assert rules.compiled.counts_steps


# ---------------------------------------------------------------- what a browser has
ALONE = """
import json, re, sys
from pathlib import Path

requirements = Path(sys.argv[1]).read_text(encoding="utf-8")
installed = {re.sub("[-.]", "_", name) for name in re.findall(r"^([\\w-]+)==", requirements, re.M)}
installed |= {"attr", "hots_rules", "hots_rules_playground"}

class Given:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        is_given = top in installed or top in sys.stdlib_module_names
        return self.finder.find_spec(name, path, target) if is_given else None

sys.meta_path[:] = map(Given, sys.meta_path)
from hots_rules_playground.answers.session import Session

session = Session()
for request in json.loads(sys.argv[2]):
    said = json.loads(session.answer(json.dumps(request)))
    assert "result" in said, said
"""


@pytest.mark.thorough
def test_the_answers_need_what_the_browser_is_given_alone() -> None:
    sides = {"ruleset": "tired-wallace-1.0"}
    requests = [
        {"method": "open", "files": {FILE: RULE}},
        {"method": "start", **sides, "scenario": "braveheart", "seed": "1297"},
        {"method": "look", "seat": "Scotland"},
        {"method": "ask", "words": "Ross: Wallace 3 against Comyn 2"},
        {"method": "find", **sides, "words": "forest"},
        {"method": "compare", "old": "hots-4.0", "new": "tired-wallace-1.0"},
        {"method": "start", "ruleset": "connect-four-1.0", "scenario": "empty-board", "seed": "1"},
        {"method": "bot"},
    ]
    requirements = PACKAGE.parent / "requirements.txt"

    ended = subprocess.run(
        [sys.executable, "-c", ALONE, str(requirements), json.dumps(requests)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
    )

    assert ended.returncode == 0, ended.stderr


# ---------------------------------------------------------------- the command
def hots(*arguments: str, path: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-m", "hots_rules.cli", *arguments],
        capture_output=True,
        text=True,
        env=environment,
    )


def test_without_the_package_one_sentence_names_it() -> None:
    refused = hots("playground")

    assert refused.returncode == 2
    assert "pip install hots-rules-playground" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with the package, in which no site is built."""
    package = tmp_path / PACKAGE.name
    package.mkdir()
    for file in PACKAGE.glob("*.py"):
        (package / file.name).write_bytes(file.read_bytes())
    return tmp_path


@pytest.fixture
def built(bare: Path) -> Path:
    """The same with a site of one page."""
    site = bare / PACKAGE.name / "site"
    site.mkdir()
    (site / "index.html").write_text("<p>the site", encoding="utf-8")
    return bare


def test_without_a_site_one_sentence_says_how_to_build_it(bare: Path) -> None:
    refused = hots("playground", path=str(bare))

    assert refused.returncode == 2
    assert "build.py" in refused.stderr


def test_the_site_takes_all_modules_that_those_of_the_table_import(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(str(PACKAGE.parent))
    build = import_module("build")
    taken = build.modules_of_the_table()
    texts = {name: (build.TABLE / name).read_text("utf-8") for name in taken}
    pages = [page.read_text("utf-8") for page in (PACKAGE / "page").glob("*.js")]

    named = [name for page in pages for name in re.findall(r"table/([\w/]+\.js)", page)]
    imported = [
        (build.TABLE / name).parent.joinpath(path).resolve().relative_to(build.TABLE).as_posix()
        for name, text in texts.items()
        for path in re.findall(r"from \"([\w./]+\.js)\"", text)
    ]

    assert {"board/board.js", "parts/dom.js"} <= set(named) and imported
    assert {*named, *imported} == set(taken)


def test_the_site_has_the_style_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of the table, as a later sheet has the last word."""
    monkeypatch.syspath_prepend(str(PACKAGE.parent))
    build = import_module("build")
    page = (build.TABLE / "index.html").read_text("utf-8")

    assert build.styles_of_the_table() == re.findall(r'href="(style/\w+\.css)"', page)
    assert {path.name for path in (build.TABLE / "style").iterdir()} == {
        name.removeprefix("style/") for name in build.styles_of_the_table()
    }


@NEEDS_NODE
def test_the_library_is_ready_when_it_can_answer() -> None:
    """A new worker opens the folder and goes on with the game first; the page waits for its first game as well."""
    run = subprocess.run(
        ["node", "--test", str(TESTS / "authors" / "library_ready.test.mjs")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    begin = (PACKAGE / "page" / "main.js").read_text("utf-8").partition("async begin() {")[2]

    assert run.returncode == 0, run.stdout + run.stderr
    assert "pass 1" in run.stdout
    assert begin.index('await this.library.ask("rehearse")') < begin.index("this.isBegun = true")


def test_the_page_gives_the_choice_all_that_it_asks_of_its_page() -> None:
    table = Path(hr.__file__).parent / "web" / "static"
    asked = set(re.findall(r"deeds\.(\w+)", (table / "board" / "choosing.js").read_text("utf-8")))

    assert {"play", "undo", "isSending"} <= asked
    pages = {
        table / "game" / "page.js": r"\n {6}choosing: \{.*?\n {6}\},",
        PACKAGE / "page" / "play.js": r"new Choosing\(.*?\n {4}\}\)",
    }
    for page, deeds in pages.items():
        given = re.search(deeds, page.read_text("utf-8"), re.DOTALL)
        assert given and asked <= set(re.findall(r"(\w+): ", given[0])), page


@pytest.mark.thorough
def test_the_site_is_written_to_a_folder_that_is_empty(built: Path) -> None:
    out = built / "out"

    written = hots("playground", "-o", str(out), path=str(built))
    again = hots("playground", "-o", str(out), path=str(built))
    forced = hots("playground", "-o", str(out), "--force", path=str(built))

    assert written.returncode == 0, written.stderr
    assert (out / "index.html").read_text(encoding="utf-8") == "<p>the site"
    assert again.returncode == 2 and "not empty" in again.stderr
    assert forced.returncode == 0


@pytest.mark.thorough
def test_the_site_is_served_until_it_is_stopped(built: Path) -> None:
    command = [sys.executable, "-m", "hots_rules.cli", "playground", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(built)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        with urlopen(address) as answer:
            text, policy = answer.read(), answer.headers["Content-Security-Policy"]
        port = address.rstrip("/").rpartition(":")[2]
        refused = hots("playground", "--port", port, path=str(built))
        server.send_signal(signal.SIGINT)

    assert text == b"<p>the site"
    assert "default-src 'none'" in policy
    assert refused.returncode == 2 and "--port" in refused.stderr
    assert server.returncode == 0
