"""The plan of a study: what is asked for, as a file and with a digest, so that a study can be repeated."""

from __future__ import annotations

import json
from hashlib import blake2b

import cattrs
from attrs import asdict, fields_dict, frozen

from hots_rules._options import argument, option
from hots_rules._toml import read_toml
from hots_rules.diagnostics import BadArgument, UnknownName, check_kind

RANDOM_ALONE = ("random",)


def _parse_width(given: float | str) -> float:
    """A width of an interval: a number as it is, or a text such as `0.02` or `2%`.

    Raises:
        BadArgument: the text is no number, or it is not above 0 and at most 1.
    """
    if not isinstance(given, str):
        return given
    number, percent, rest = given.strip().partition("%")
    try:
        width = float(number) / (100 if percent else 1)
    except ValueError:
        width = 0.0
    if rest.strip() or not 0 < width <= 1:
        raise BadArgument("until_width", given[:80], "a width such as 1%")
    return width


@frozen
class StudyPlan:
    """What a study is asked to play.

    >>> import hots_rules as hr
    >>> plan = hr.study.StudyPlan(("hots-3.x", "hots-4.0"), "braveheart", games=100)
    >>> hr.study.StudyPlan.parse(plan.toml()) == plan
    True

    Attributes:
        sides: the names of the sides, with options and readings as in `StudySide.parse`; `study` fills them in.
        scenario: the name of the scenario.
        games: the most games of each side with each policy.
        seed: the seed; game number i has the seed `seed/i` on every side.
        policies: what guides the moves: "random", a policy of all rulesets, its lines, or one for each player
            as in `PLAYER=POLICY,PLAYER=POLICY`.
        measures: expressions over the state at the end of a game.
        until_width: the width of intervals at which the study stops; 0 for never.
        traced: how many of the first games of each side are played once more, to count which rules come up and who
            holds what at the end.
    """

    sides: tuple[str, ...] = argument(
        (),
        "A study file that ends in .toml, or rulesets: a name, file or folder each, with options and readings as in "
        "NAME,OPTION=VALUE.",
        "A B…",
    )
    scenario: str = option("", "Scenario to play; a study file has it.", metavar="SCENARIO")
    games: int = option(
        1_000, "Games of each side with each policy.", metavar="N", min=1, max=100_000_000
    )
    seed: str = option("0", "Random seed.", metavar="SEED", converter=str)
    policies: tuple[str, ...] = option(
        RANDOM_ALONE,
        "What guides the moves: `random`, the name of a policy, its text, or one for each player as in "
        "PLAYER=POLICY,PLAYER=POLICY (repeatable).",
        "--policy",
        metavar="POLICY",
        converter=tuple,
    )
    measures: tuple[str, ...] = option(
        (),
        "A number at the end of a game, such as `year` (repeatable).",
        "--measure",
        metavar="EXPRESSION",
        converter=tuple,
    )
    until_width: float = option(
        0.0,
        "Stop when every interval is narrower than WIDTH, such as 2%.",
        metavar="WIDTH",
        given_as=str,
        converter=_parse_width,
    )
    traced: int = option(
        0,
        "Replay the first N games to count rules and control of the board.",
        "--rules",
        metavar="N",
        min=0,
        max=100_000,
    )

    @classmethod
    def parse(cls, text: str) -> StudyPlan:
        """The plan of a study file, a TOML document with an entry for each attribute that is not as usual.

        Raises:
            ArgumentError: the file is no TOML, or has another entry, or one of another type.
        """
        check_kind("text", text, str, "a text")
        try:
            entries = read_toml(text)
        except ValueError as error:
            raise BadArgument("study file", text.strip()[:40], f"TOML: {error}") from None
        for name, value in entries.items():
            if name not in fields_dict(cls):
                raise UnknownName("entry", name, fields_dict(cls))
            if not _fits(name, value):
                raise BadArgument(name, str(value)[:80], _EXPECTED[name])
        for name in ("sides", "scenario"):
            if name not in entries:
                raise BadArgument(name, "", _EXPECTED[name])
        return cattrs.structure({**entries, "seed": str(entries.get("seed", "0"))}, cls)

    def toml(self) -> str:
        """The plan as a study file."""
        # The values are texts, numbers and lists of texts, which JSON and TOML write alike.
        return "".join(f"{name} = {json.dumps(value)}\n" for name, value in asdict(self).items())

    @property
    def digest(self) -> str:
        """The digest of the plan."""
        return blake2b(self.toml().encode(), digest_size=8).hexdigest()


_TEXTS, _COUNT = "a list of texts", "a whole number above 0"
_EXPECTED = {
    "sides": _TEXTS,
    "scenario": "a text",
    "games": _COUNT,
    "seed": "a text or a whole number",
    "policies": _TEXTS,
    "measures": _TEXTS,
    "until_width": "a number from 0 to 1",
    "traced": "a whole number",
}


def _fits(name: str, value: object) -> bool:
    """Whether the value of an entry has its type."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    match name:
        case "sides" | "policies" | "measures":
            return isinstance(value, list) and all(isinstance(word, str) for word in value)
        case "scenario":
            return isinstance(value, str)
        case "seed":
            return isinstance(value, str) or is_number
        case "until_width":
            return (
                isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
            )
    least = 1 if name == "games" else 0
    return is_number and isinstance(value, int) and value >= least
