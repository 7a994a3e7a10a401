"""Cases in Markdown: a section of a rulebook, a position, actions with dictated dice, what must come.

A case is a heading, some words with its citations, and a fenced block `case`:

    like: quiet                     a position of tests/positions, or `scenario braveheart`
    editions: hots-4.0              which rulesets it holds for (if it does not say: all editions of Hammer)
    shows: rule border-control      the declarations whose change from edition to edition it demonstrates
    options: schiltroms=yes         readings: no_way_out=pool
    set:                            lines of a position that go over those of `like`
      Wallace: place Fife, strength 3
    play:                           actions; `roll …`/`draw …` for chance; `auto` lets chance fall
      England: play Move 3
    expect:
      to move: England
      legal: England: fire York Knights
      illegal: England: retreat York Knights to Mar because border-control
      choices: England: a; England: b          all legal actions, in any order
      state: Wallace: place Dead
      outcome: Scotland sudden-death           winner (or nobody) and the rule
      phase: battle
    expect hots-2.3, hots-3.x:      what these demand instead
      legal: England: fire York Knights

`play` and `set` are said anew for some editions in the same way. A bare §5.5 among the words is a section of the
newest rulebook; 3.x§5.5 is one of hots-3.x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

import hots_rules as hr

HERE = Path(__file__).parent
_KEYS = ("like", "editions", "shows", "options", "readings", "set", "play", "expect")
_BY_EDITION = ("set", "play", "expect")
HAMMER = ("hots-4.0", "hots-3.x", "hots-2.3", "hots-player-aid")


@define
class Case:
    """One case of a case file."""

    file: str
    title: str
    sections: tuple[str, ...]
    parts: dict[str, list[str]] = field(repr=False)

    @property
    def editions(self) -> list[str]:
        return self.listed("editions") or list(HAMMER)

    def listed(self, key: str) -> list[str]:
        """The items of a part that is a list, e.g. the declarations of `shows`."""
        return _split(", ".join(self.parts.get(key, [])))

    def said(self, key: str, edition: str) -> list[str]:
        """The lines of a part, for an edition that may have its own."""
        for name, lines in self.parts.items():
            if name.startswith(f"{key} ") and edition in _split(name.removeprefix(key)):
                return lines
        return self.parts.get(key, [])

    def own_parts(self) -> dict[str, list[str]]:
        """The parts that are said for some editions alone, with those editions."""
        return {name: _split(name.partition(" ")[2]) for name in self.parts if " " in name}

    def cited(self) -> list[tuple[str, str]]:
        """Edition and number of each section that it names."""
        own = next((name for name in self.editions if name not in HAMMER), "hots-4.0")
        found = [section.rpartition("§") for section in self.sections]
        return [(f"hots-{edition}" if edition else own, number) for edition, _, number in found]


def cases() -> list[Case]:
    """All cases of tests/cases."""
    return [case for path in sorted((HERE / "cases").glob("*.md")) for case in _read(path)]


def _read(path: Path) -> Iterator[Case]:
    text = path.read_text(encoding="utf-8")
    for title, body in re.findall(
        r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    ):
        words, _, rest = body.partition("```case\n")
        assert rest, f"{path.name}: the case `{title}` has no block `case`"
        sections = tuple(re.findall(r"(?:\d\.[\dx]|player-aid)?§\d+(?:\.\d+)*", words))
        yield Case(path.name, title, sections, _parts(rest.partition("```")[0]))


def _parts(text: str) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        bare = line.split(" #")[0].rstrip()
        head = re.match(r"(\w+)( [\w., -]+)?:(.*)", bare)
        if head and head[1] in _KEYS and not line.startswith(" "):
            assert not head[2] or head[1] in _BY_EDITION, f"expected no editions in {line!r}"
            current = head[1] + (head[2] or "")
            assert current not in parts, f"expected one part `{current}`, got two"
            parts[current] = [head[3].strip()] if head[3].strip() else []
        elif bare.strip():
            assert current, f"expected a line such as `play:`, got {line!r}"
            parts[current].append(bare.strip())
    return parts


def _split(text: str) -> list[str]:
    return [part.strip() for part in re.split(r",(?![^{(]*[})])", text) if part.strip()]


def _entries(lines: list[str]) -> dict[tuple[str, str], str]:
    """Position lines as (keys, variable) → value, so that later lines go over earlier ones."""
    found: dict[tuple[str, str], str] = {}
    for line in lines:
        bare = line.split("#")[0].strip()
        keys, colon, rest = bare.partition(":")
        for part in _split(rest if colon else bare):
            name, _, value = part.partition(" ")
            found[", ".join(_split(keys)) if colon else "", name] = value.strip()
    return found


def position_of(case: Case, edition: str) -> str:
    """The position that a case begins at."""
    name = " ".join(case.parts.get("like", []))
    base = (
        (HERE / "positions" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        if name
        else []
    )
    entries = _entries(base) | _entries(case.said("set", edition))
    said = (f"{keys}: {name}" if keys else name for keys, name in entries)
    return "\n".join(f"{who} {value}" for who, value in zip(said, entries.values(), strict=True))


def _settings(lines: list[str]) -> dict[str, object]:
    found: dict[str, object] = {}
    for item in (item for line in lines for item in _split(line)):
        name, _, value = item.partition("=")
        value = value.strip()
        truths = {"yes": True, "no": False}
        found[name.strip()] = truths.get(value, int(value) if value.isdigit() else value)
    return found


def begin(case: Case, ruleset: hr.Ruleset) -> hr.Game:
    """The game at the beginning of a case, chance asked."""
    options, readings = (
        _settings(case.parts.get("options", [])),
        _settings(case.parts.get("readings", [])),
    )
    like = " ".join(case.parts.get("like", []))
    if like.startswith("scenario "):
        return ruleset.start(
            like.split()[1], seed=1, options=options, readings=readings, chance="ask"
        )
    return ruleset.position(
        position_of(case, ruleset.name), seed=1, options=options, readings=readings, chance="ask"
    )


def played(case: Case, game: hr.Game) -> hr.Game:
    """The game after the actions of a case."""
    for line in case.said("play", game.ruleset.name):
        try:
            game = fallen(game) if line == "auto" else game.play(line)
        except hr.HotsError as error:
            legal = "\n  ".join(action.text for action in game.actions[:40])
            raise AssertionError(
                f"`{line}`: {error}\nlegal now, in {game.phase}:\n  {legal}"
            ) from None
    return game


def fallen(game: hr.Game) -> hr.Game:
    """Lets chance fall until a player is asked: the middle outcome each time, so that cases are stable."""
    while game.to_move == ("chance",):
        outcomes = game.actions
        game = game.play(outcomes[len(outcomes) // 2])
    return game


def check(case: Case, game: hr.Game) -> None:
    """Holds a game against the expectations of a case."""
    expectations = case.said("expect", game.ruleset.name)
    assert expectations, f"the case `{case.title}` expects nothing"
    for line in expectations:
        kind, _, rest = line.partition(":")
        _CHECKS[kind.strip()](game, rest.strip())


def _to_move(game: hr.Game, rest: str) -> None:
    assert ", ".join(game.to_move) == rest


def _legal(game: hr.Game, rest: str) -> None:
    assert rest in _texts(game), f"expected `{rest}` among {sorted(_texts(game))}"


def _texts(game: hr.Game) -> set[str]:
    return {action.text for action in game.actions}


def _illegal(game: hr.Game, rest: str) -> None:
    text, _, rule = rest.partition(" because ")
    assert text not in _texts(game), f"expected `{text}` not to be legal"
    reasons = game.why_not(text)
    assert reasons, f"expected a reason against `{text}`"
    if rule:
        rules = {reason.rule for reason in reasons}
        assert rule in rules, f"expected `{rule}` among the reasons against `{text}`: {rules}"


def _choices(game: hr.Game, rest: str) -> None:
    assert _texts(game) == {text.strip() for text in rest.split(";")}


def _state(game: hr.Game, rest: str) -> None:
    for (keys, name), value in _entries([rest]).items():
        variable = game.ruleset.shape.variables[name]
        found = game.state[(name, *_split(keys))] if variable.keys else game.state[name]
        assert _plain(found) == value, (
            f"expected {name} of {keys or 'the game'} to be {value}, got {_plain(found)}"
        )


def _plain(found: object) -> str:
    if isinstance(found, bool):
        return "yes" if found else "no"
    if isinstance(found, list):
        return "{" + ", ".join(map(str, found)) + "}"
    return "none" if found is None else str(found)


def _outcome(game: hr.Game, rest: str) -> None:
    assert game.outcome is not None, (
        f"expected the end of the game, but {game.to_move} are asked in {game.phase}"
    )
    assert f"{game.outcome.winner or 'nobody'} {game.outcome.reason}" == rest


def _phase(game: hr.Game, rest: str) -> None:
    assert game.phase == rest


def _goes_on(game: hr.Game, rest: str) -> None:
    assert not rest
    assert game.to_move, f"expected the game to go on, got {game.outcome}"


_CHECKS = {
    "to move": _to_move,
    "legal": _legal,
    "illegal": _illegal,
    "choices": _choices,
    "state": _state,
    "outcome": _outcome,
    "phase": _phase,
    "goes on": _goes_on,
}
