"""The errors of the library: the literal text of each, its fields, and its copy from another process."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import attrs
import pytest

import hots_rules as hr
from hots_rules.diagnostics import MissingLibrary

MANY = [f"name{number}" for number in range(40)]
RAISE = "if you trust its author, pass `limits=Limits({0}=…)` (`hots`: `--limit {0}=…`)"

TEXTS: list[tuple[hr.HotsError, str]] = [
    (
        hr.UnknownName("scenario", "nowhere", ["braveheart", "campaign"]),
        "unknown scenario `nowhere`\nhelp: choose one of `braveheart`, `campaign`",
    ),
    (
        hr.UnknownName("scenario", "bravehart", ["braveheart", "campaign"]),
        "unknown scenario `bravehart`\nhelp: did you mean `braveheart`?",
    ),
    (hr.UnknownName("ruleset", "hots-9"), "unknown ruleset `hots-9`"),
    (
        hr.UnknownName("word", "?", MANY),
        "unknown word `?`\nhelp: choose one of "
        + ", ".join(f"`{name}`" for name in MANY[:30])
        + " and 10 more",
    ),
    (
        hr.BadArgument("workers", 0, "a whole number above 0"),
        "`workers` cannot be `0`\nhelp: give a whole number above 0",
    ),
    (
        hr.BadArgument("chance", "never", allowed=("auto", "ask")),
        "`chance` cannot be `never`\nhelp: choose one of `auto`, `ask`",
    ),
    (
        hr.BadArgument("chance", "aks", allowed=("auto", "ask")),
        "`chance` cannot be `aks`\nhelp: did you mean `ask`?",
    ),
    (
        hr.BadArgument("question", "", "a number or a condition"),
        "`question` cannot be empty\nhelp: give a number or a condition",
    ),
    (
        hr.BadArgument("plays", 10**5000, "a number from 0 to 9"),
        "`plays` cannot be `a number of many digits`\nhelp: give a number from 0 to 9",
    ),
    (
        hr.SettledReading("truce", "hots-3.x", "ends"),
        "`truce` is a reading that `hots-3.x` settles as `ends`\n"
        "help: leave it out, or play an edition that leaves it open",
    ),
    (
        hr.IgnoredOption("fog", "short", ["long", "longer"]),
        "the scenario `short` ignores the option `fog`\n"
        "help: leave it out, or start one of `long`, `longer`",
    ),
    (
        hr.LimitExceeded("world_steps", 9, "world of the player"),
        "no world of the player within 9 steps\nhelp: " + RAISE.format("world_steps"),
    ),
    (
        MissingLibrary("pyspiel", "openspiel"),
        "the library `pyspiel` is not installed\nhelp: pip install 'hots-rules[openspiel]'",
    ),
    (
        hr.UnreadableQuestion("who win", ["who wins"]),
        "`who win` is not a question of the ruleset\nhelp: did you mean `who wins`?",
    ),
    (
        hr.UnreadableQuestion("who knows", ["the score", "turn"]),
        "`who knows` is not a question of the ruleset\n"
        "help: ask one of these\n  - `the score`\n  - `turn`",
    ),
    (hr.UnreadableQuestion("who holds Fief", cause="no `Fief`"), "no `Fief` in `who holds Fief`"),
    (hr.BadMessage("$.a", "expected text, got `1`", "send text"), "$.a: expected text, got `1`\nhelp: send text"),
    (hr.records.BadSecret("expected a secret"), "expected a secret"),
    (hr.NoConsistentWorld("no state fits"), "no state fits"),
    (
        hr.explain.UnknownRule("pilage", "hots-4.0", "pillage"),
        "`hots-4.0` has no section or name `pilage`\nhelp: did you mean `pillage`?",
    ),
    (
        hr.analysis.PolicyUndefined("fight-on", ("fire", "retreat")),
        "no line of `fight-on` chooses among `fire`, `retreat`\n"
        "help: add a line such as `prefer fire`",
    ),
    (
        hr.compare.UnplayableAction(3, "Red: wait", "`Red: wait` is not a legal action"),
        "action 3 of the game, `Red: wait`: `Red: wait` is not a legal action",
    ),
    (hr.analysis.TooManyStates("more than 10 states"), "more than 10 states"),
    (hr.testing.BadCase("no file or folder `x`", 3), "no file or folder `x`"),
    (hr.witness.BadWitness("Nothing: no line `old: …`"), "Nothing: no line `old: …`"),
    (
        hr.analysis.PolicyUndefined("", ("fire",)),
        "no policy chooses among `fire`\nhelp: add a line such as `prefer fire`",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("error", "text"), TEXTS, ids=lambda value: type(value).__name__)
def test_an_error_states_the_fault_and_then_the_remedy(error: hr.HotsError, text: str) -> None:
    assert text == str(error)


@pytest.mark.parametrize("error", [error for error, _ in TEXTS], ids=lambda e: type(e).__name__)
def test_an_error_from_another_process_is_the_same(error: hr.HotsError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert (type(error), vars(error), str(error)) == (type(copy), vars(copy), str(copy))


def classes(above: type[hr.HotsError] = hr.HotsError) -> Iterator[type[hr.HotsError]]:
    """The classes of errors of the library, below one; attrs leaves behind what it made a class from."""
    for kind in above.__subclasses__():
        if getattr(sys.modules[kind.__module__], kind.__name__, None) is kind:
            yield kind
        yield from classes(kind)


def public() -> set[type[hr.HotsError]]:
    """The classes that the library or one of its packages offers."""
    packages = [hr, *(getattr(hr, name) for name in dir(hr) if name.islower())]
    found = {
        value
        for package in packages
        for name in dir(package)
        if isinstance(value := getattr(package, name), type) and issubclass(value, hr.HotsError)
    }
    return found - {hr.HotsError, hr.ArgumentError}


def test_an_error_is_also_the_one_that_python_has_for_its_case() -> None:
    built_in = {
        kind.__name__: {one.__name__ for one in (KeyError, ValueError, ImportError) if issubclass(kind, one)}
        for kind in public()
    }  # fmt: skip

    missing = {"UnknownName", "UnknownRule"}
    no_input = {
        "EngineError",
        "LimitExceeded",
        "NoConsistentWorld",
        "PolicyUndefined",
        "TooManyStates",
        "UnplayableAction",
    }
    assert missing == {name for name, found in built_in.items() if "KeyError" in found}
    assert {"MissingLibrary"} == {name for name, found in built_in.items() if "ImportError" in found}  # fmt: skip
    assert no_input == {name for name, found in built_in.items() if not found}


def test_a_name_that_is_unknown_is_a_key_error_that_is_printed_without_quotes() -> None:
    rules = hr.load("connect-four-1.0")
    with pytest.raises(KeyError) as error:
        rules.start("nowhere")

    assert isinstance(error.value, hr.UnknownName | ValueError)
    assert str(error.value).startswith("unknown scenario `nowhere`\n")


def test_every_public_error_documents_its_fields_and_has_an_example() -> None:
    for kind in public():
        text = kind.__doc__ or ""
        assert ">>>" in text, kind
        for each in attrs.fields(kind) if attrs.has(kind) else ():
            # The fields of `MissingLibrary` are described below each.
            assert f" {each.name}: " in text or kind is MissingLibrary, (kind, each.name)


def test_errors_of_many_threads_keep_their_own_facts() -> None:
    def refused(number: int) -> str:
        try:
            raise hr.UnknownName("player", f"P{number}", ("Red", "Blue"))
        except hr.UnknownName as error:
            return str(error)

    with ThreadPoolExecutor(8) as threads:
        texts = list(threads.map(refused, range(200)))

    assert [f"unknown player `P{number}`" for number in range(200)] == [
        text.partition("\n")[0] for text in texts
    ]
