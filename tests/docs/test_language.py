"""The language page is true: its samples load and play, and it names the whole grammar."""

import os
import random
import re
from pathlib import Path

import attrs
import pytest

import hots_rules
from hots_rules._home import grammar_text
from hots_rules.rules import find_source, known_rulesets
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer
from hots_rules.syntax import parse, tree
from hots_rules.syntax.grammar import keywords, reserved_words
from tests.folders import HOME, TESTS
from tests.playing import ruleset_of

MISTAKES = TESTS / "mistakes"
PAGE = (HOME / "docs" / "language.md").read_text(encoding="utf-8")
GOOD = sorted((MISTAKES / "good").glob("*.rules"))


def samples(language: str) -> list[str]:
    """The fenced blocks of the page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def play_out(path: Path, seed: int) -> list[hots_rules.Game]:
    """A game of each scenario, played by chance to its end."""
    rules, chance = hots_rules.load(path), random.Random(seed)
    ended = []
    for scenario in rules.scenarios:
        game = rules.start(scenario, seed=seed)
        for _ in range(500):
            if not game.to_move:
                break
            game = game.play(chance.choice(game.actions))
        ended.append(game)
    return ended


# ---------------------------------------------------------------- the tiny game
@pytest.mark.parametrize("sample", samples("rules") + samples("rules-edition"))
def test_every_sample_is_read_by_itself(sample: str) -> None:
    file, faults = parse(sample, "sample.rules")

    assert () == faults
    assert file.items


def test_the_samples_together_are_the_tiny_game() -> None:
    assert "\n".join(samples("rules")) == (MISTAKES / "tiny-1.0.rules").read_text("utf-8")
    assert samples("rules-edition") == [(MISTAKES / "tiny-0.9.rules").read_text("utf-8")]


@pytest.mark.parametrize("name", ["tiny-1.0", "tiny-0.9"])
def test_the_tiny_game_plays_to_its_end(name: str) -> None:
    for seed in range(3):
        for game in play_out(MISTAKES / f"{name}.rules", seed):
            assert () == game.to_move
            assert game.outcome is not None
            assert "3" in game.outcome.sections


def test_the_sample_of_a_board_plays_to_its_end() -> None:
    (sample,) = samples("rules-board")
    game = ruleset_of(sample).start("corners", seed=1)
    assert {action.text for action in game.actions} >= {
        "White: slide Cell 1 8",
        "White: slide Cell 8 1",
    }
    assert "A rook goes in a straight line" in str(game.why_not("slide Cell 2 2"))
    while not game.is_over:
        game = game.play(game.actions[-1])


def test_the_sample_of_cells_plays_to_its_end() -> None:
    (sample,) = samples("rules-cells")
    ends = set()
    for seed in range(8):
        game = ruleset_of(sample).start("field", seed=seed)
        while not game.is_over:
            game = game.play(game.actions[seed % 3])
        assert game.outcome is not None
        ends.add(game.outcome.winner)
    assert {"Red", "Blue", None} >= ends and len(ends) > 1


def test_the_edition_differs_as_the_page_says() -> None:
    book = load_rulebook(find_source(MISTAKES / "tiny-0.9.rules"))
    changed = {(e.kind, e.name) for e in book.entries.values() if e.edition == "tiny-0.9"}
    expected = {
        ("rule", "no-peeking"),
        ("table", "Block"),
        ("variable", "year"),
        ("rule", "first-blow-in-summer"),
        ("rule", "a-long-winter"),
        ("reading", "first_blood"),
        ("phase", "auction"),
        ("rule", "castles-hold"),
        ("table", "Area"),
    }

    assert expected == changed
    assert ["never-too-strong"] == [entry.name for entry in book.repealed]
    assert ("2", "1") == (
        str(book.typed.tables["Block"].columns["rating"].values[0]),
        *book.entries["table", "Block"].sections,
    )


# ---------------------------------------------------------------- the whole grammar is there
def test_the_page_names_every_nonterminal() -> None:
    rules = re.findall(r"^[?]?([a-z]\w*):", grammar_text(), re.M)
    named = set(re.findall(r"`([a-z_]+)`", PAGE))
    unsaid = {"item", "declaration", "statement", "timing", "who"}  # only choose among others

    assert set() == set(rules) - named - unsaid


def test_the_page_shows_every_word_of_the_language() -> None:
    shown = " ".join(re.findall(r"`([^`\n]+)`", PAGE)) + "\n".join(
        samples("rules") + samples("rules-edition")
    )
    words = {word for word in keywords().values() if word.isalpha()}

    assert set() == {word for word in words if not re.search(rf"\b{word}\b", shown)}


def test_the_reserved_words_of_the_page_are_those_of_the_grammar() -> None:
    said = re.search(r"reserved and cannot be names:\s+`([a-z \n]+)`", PAGE)
    assert said is not None

    assert reserved_words() == set(said[1].split())
    for word in reserved_words():
        assert parse(f"define {word} = 1", "a")[1]


def test_the_page_gives_the_limits_that_hold() -> None:
    from hots_rules.rules.checks import cost
    from hots_rules.rules.resolve import chance, declare, statements
    from hots_rules.rules.sources import files
    from hots_rules.rules.typed import value_types as types
    from hots_rules.syntax import limits

    numbers = {int(n.replace(",", "")) for n in re.findall(r"\b\d[\d,]*\d\b", PAGE)}
    expected = {
        limits.MAX_LINES,
        limits.MAX_WORDS,
        limits.MAX_COLUMNS,
        limits.MAX_CHARACTERS,
        limits.MAX_WORD,
        limits.MAX_DEPTH,
        files.MAX_FILES,
        files.MAX_BYTES,
        statements.MAX_ITERATIONS,
        chance.MAX_DICE,
        declare.MAX_ACTIONS,
        declare.MAX_SLOTS,
        declare.MAX_PLAYERS,
        cost.MAX_STEPS,
        cost.MAX_DEPTH,
        types.MAX_VALUES,
        types.MAX_NUMBER,
    }

    assert set() == expected - numbers


def classes_in(node: object) -> set[str]:
    """The tree classes of a node and all within it."""
    found, pending = set[str](), [node]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple):
            pending += one
        elif attrs.has(type(one)):
            found.add(type(one).__name__)
            pending += [getattr(one, f.name) for f in attrs.fields(type(one))]
    return found


def test_the_good_samples_use_every_class_of_the_tree() -> None:
    known = {name for name, cls in vars(tree).items() if isinstance(cls, type) and attrs.has(cls)}
    texts = [path.read_text("utf-8") for path in [*GOOD, MISTAKES / "tiny-0.9.rules"]]
    found = set[str]().union(*(classes_in(parse(text, "good.rules")[0]) for text in texts))

    assert set() == known - found - {"Node", "Quantifier", "AmendPart"}


def test_tree_classes_stand_in_the_order_of_the_grammar() -> None:
    rules = re.findall(r"^[?]?([a-z]\w*):", grammar_text(), re.M)
    named = ["".join(part.capitalize() for part in rule.split("_")) for rule in rules]
    classes = [name for name, cls in vars(tree).items() if name in named and attrs.has(cls)]

    assert [name for name in named if name in classes] == classes


# ---------------------------------------------------------------- good texts
BLANKS = {"\n": "   \n\n"}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_good_text_loads_and_plays(path: Path) -> None:
    for game in play_out(path, seed=1):
        assert () == game.to_move


@pytest.mark.thorough
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
@pytest.mark.parametrize("form", ["windows", "marked", "open"])
def test_good_text_is_the_same_in_other_clothes(path: Path, form: str) -> None:
    text = path.read_text("utf-8")
    clothed = {
        "windows": text.replace("\n", "\r\n"),  # the line ends of Windows
        # Blanks and empty lines everywhere, but no empty line in a text.
        "marked": re.sub(r'"[^"]*"|\n', lambda m: BLANKS.get(m[0], m[0]), text),
        "open": text.rstrip("\n"),  # no end of the last line
    }[form]

    read = Layer("a", "A", None, {"a": clothed}, "").files["a"]
    assert (parse(text, "a")[0], ()) == parse(read, "a")


# ---------------------------------------------------------------- where a ruleset is looked for
HOUSE = 'ruleset house "House rules"\n  extends tiny-1.0\nrule x §2.1 "No."\n  forbid peek\n'


def put(path: Path, text: str) -> Path:
    """A file with a text, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


TINY = (MISTAKES / "tiny-1.0.rules").read_text("utf-8")


@pytest.mark.parametrize(
    ("house", "tiny"),
    [
        ("house.rules", "tiny.rules"),  # beside it
        ("mine/house.rules", "tiny.rules"),  # in the folder above
        ("house.rules", "tiny/tiny.rules"),  # in a folder of its own, beside it
        ("mine/house.rules", "tiny/any-name.rules"),  # in such a folder, beside its folder
    ],
)
def test_an_extended_ruleset_is_found_near_by(tmp_path: Path, house: str, tiny: str) -> None:
    put(tmp_path / tiny, TINY)
    source = find_source(put(tmp_path / house, HOUSE))

    assert ["tiny-1.0", "house"] == [layer.name for layer in source.layers]


def test_a_folder_finds_what_it_extends_beside_itself(tmp_path: Path) -> None:
    put(tmp_path / "tiny" / "all.rules", TINY)
    put(tmp_path / "house" / "all.rules", HOUSE)

    assert ["tiny-1.0", "house"] == [x.name for x in find_source(tmp_path / "house").layers]


def test_a_house_rule_in_the_folder_of_its_ruleset(tmp_path: Path) -> None:
    head, _, rest = TINY.partition("\n")
    put(tmp_path / "head.rules", head + "\n")
    put(tmp_path / "rest.rules", rest)
    source = find_source(put(tmp_path / "mine" / "house.rules", HOUSE))

    assert {f"{tmp_path.name}/head.rules", f"{tmp_path.name}/rest.rules"} == set(
        source.layers[0].files
    )


def test_the_folders_of_the_path_variable_are_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "one" / "tiny.rules", TINY)
    put(tmp_path / "two" / "house" / "all.rules", HOUSE)
    folders = [tmp_path / "one", tmp_path / "two", tmp_path / "none"]
    monkeypatch.setenv("HOTS_RULES_PATH", os.pathsep.join(map(str, folders)))

    assert ["tiny-1.0", "house"] == [layer.name for layer in find_source("house").layers]
    assert {"tiny-1.0", "house", "hots-4.0"} <= set(known_rulesets())


def test_what_a_shipped_ruleset_is_called_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Deep enough that no file of another test has it in the folder above.
    put(tmp_path / "shelf" / "other.rules", 'ruleset hots-4.0 "Another"\n')
    monkeypatch.setenv("HOTS_RULES_PATH", str(tmp_path / "shelf"))

    assert "Another" != find_source("hots-4.0").layers[-1].title
