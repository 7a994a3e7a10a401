"""The golden corpus: files of games with questions and answers, played again by a client that reads only JSON.

After a change of a format or of the rules, `python -m tests.formats.test_corpus` writes it anew.
"""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import hots_rules as hr
from hots_rules.diagnostics.characters import printable
from tests.folders import TESTS
from tests.playing import TINY, ruleset_of

CORPUS = TESTS / "corpus"
TINY_FILES = sorted(path.name for path in (CORPUS / "tiny").iterdir())
# Ruleset, scenario, seed, actions and whether chance is asked, of each game.
GAMES: dict[str, tuple[str, str, int, int, bool]] = {
    "hots-4.0": ("hots-4.0", "braveheart", 1, 6, False),
    "lords": ("lords-of-scotland", "2-players", 1, 10, True),
}


def tiny_files() -> dict[str, str]:
    """The whole corpus of a small ruleset."""
    return hr.formats.corpus_files(ruleset_of(TINY).start("short", seed=1, chance="ask"), 12)


def initial_game(name: str) -> hr.Game:
    """The game of a corpus before its first action."""
    ruleset, scenario, seed, _, ask = GAMES[name]
    return hr.load(ruleset).start(scenario, seed=seed, chance="ask" if ask else "auto")


def game_file(name: str) -> str:
    """The corpus of a game of the library."""
    return hr.to_json(hr.formats.build_corpus(initial_game(name), GAMES[name][3])) + "\n"


def with_current_versions(text: str, game: hr.Game) -> str:
    """A corpus with the present content hash and version: only the play is compared."""
    (content,) = set(re.findall(r'"content":"([0-9a-f]{32})"', text))
    text = text.replace(content, game.ruleset.content_hash)
    return re.sub(r'("engine":"|\\nengine )[^"\\]*', rf"\g<1>{hr.__version__}", text)


def without_sentences(text: str) -> str:
    """A corpus without the sentences of reasons and traces."""
    messages = json.loads(text)
    for moment in messages["moments"]:
        moment["refused"] = [
            [refused["text"], refused["refusal"]["kind"]] for refused in moment["refused"]
        ]
        del moment["trace"]
    return json.dumps(messages, indent=1, ensure_ascii=False)


def as_lines(text: str) -> str:
    """JSON on lines, so that a difference is easy to see."""
    return json.dumps(json.loads(text), indent=1, ensure_ascii=False)


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_corpus_plays_as_before(name: str) -> None:
    kept = with_current_versions(
        (CORPUS / f"{name}.json").read_text(encoding="utf-8"), initial_game(name)
    )

    assert without_sentences(kept) == without_sentences(game_file(name))


def test_the_corpus_has_every_file() -> None:
    assert set(TINY_FILES) == set(tiny_files())


@pytest.mark.parametrize("name", TINY_FILES)
def test_a_file_of_the_corpus_is_unchanged(name: str) -> None:
    kept = (CORPUS / "tiny" / name).read_text(encoding="utf-8")
    kept = re.sub(r'("engine":"|\\nengine )[^"\\]*', rf"\g<1>{hr.__version__}", kept)

    assert as_lines(kept) == as_lines(tiny_files()[name])


@pytest.mark.parametrize("name", GAMES)
def test_a_client_that_reads_plain_json_gets_every_answer(name: str) -> None:
    """It uses only JSON of the corpus and only texts of the library, like a client in another language."""
    messages: Any = json.loads((CORPUS / f"{name}.json").read_text(encoding="utf-8"))
    game = initial_game(name)
    for moment in messages["moments"]:
        assert moment["position"] == game.position
        assert moment["to_move"] == list(game.to_move)
        assert moment["actions"] == [action.text for action in game.actions]
        for refused in moment["refused"]:
            with pytest.raises(hr.HotsError) as error:
                game.play(refused["text"])
            assert refused["refusal"]["kind"] == type(error.value).__name__
            assert refused["refusal"]["text"] == printable(refused["text"])
        if moment["play"]:
            game = game.play(moment["play"])
    assert len(game.moves) == len(messages["moments"]) - 1
    digests = [entry["digest"] for entry in messages["record"]["entries"]]
    assert digests == [moment["digest"] for moment in messages["moments"][:-1]]
    assert messages["record_text"].endswith(f"state {messages['record']['seal']}\n")


def test_the_corpus_has_refusals_of_both_kinds() -> None:
    kinds = {
        refused["refusal"]["kind"]
        for name in (*GAMES, "tiny/corpus.v2")
        for moment in json.loads((CORPUS / f"{name}.json").read_text(encoding="utf-8"))["moments"]
        for refused in moment["refused"]
    }

    assert {"UnreadableAction", "IllegalAction"} == kinds


def test_each_broken_message_of_the_corpus_is_refused_as_listed() -> None:
    messages = json.loads((CORPUS / "tiny" / "refused.json").read_text(encoding="utf-8"))
    for broken in messages:
        with pytest.raises(hr.BadMessage) as error:
            hr.from_json(broken["text"], hr.Action)
        assert broken["refusal"]["path"] == error.value.path
        assert broken["refusal"]["message"] == str(error.value)
    assert 20 < len(messages) == len({broken["text"] for broken in messages})


def test_a_corpus_starts_before_the_first_action() -> None:
    game = ruleset_of(TINY).start("short", seed=1)
    with pytest.raises(hr.BadArgument, match="a corpus starts at the beginning"):
        hr.formats.build_corpus(game.play("rest"), 3)


def test_a_corpus_ends_with_the_game() -> None:
    made = hr.formats.build_corpus(ruleset_of(TINY).start("short", seed=1), 1000)

    assert made.outcome is not None
    assert ((), "") == (made.moments[-1].actions, made.moments[-1].play)


if __name__ == "__main__":
    (CORPUS / "tiny").mkdir(parents=True, exist_ok=True)
    for file, text in tiny_files().items():
        (CORPUS / "tiny" / file).write_text(text, encoding="utf-8")
    for name in GAMES:
        (CORPUS / f"{name}.json").write_text(game_file(name), encoding="utf-8")
