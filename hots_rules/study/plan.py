"""The plan of a study: what is asked for, as a file and with a digest, so that a study can be repeated."""

from __future__ import annotations

import json
from hashlib import blake2b

import cattrs
from attrs import asdict, fields_dict, frozen

from hots_rules._toml import read_toml
from hots_rules.diagnostics import BadArgument, UnknownName

RANDOM_ALONE = ("random",)


@frozen
class StudyPlan:
    """What a study is asked to play.

    >>> import hots_rules as hr
    >>> plan = hr.study.StudyPlan(("hots-3.x", "hots-4.0"), "braveheart", games=100)
    >>> hr.study.StudyPlan.parse(plan.toml()) == plan
    True

    Attributes:
        sides: the names of the sides, with options and readings as in `StudySide.parse`.
        scenario: the name of the scenario.
        games: the most games of each side with each policy.
        seed: the seed; game number i has the seed `seed/i` on every side.
        policies: what guides the moves: "random", a policy of all rulesets, its lines, or one for each player
            as in `PLAYER=POLICY,PLAYER=POLICY`.
        measures: expressions over the state at the end of a game.
        until_width: the width of intervals at which the study stops; 0 for never.
        traced: the games of each side, the first ones, that are looked at closely: which rules come up, and who holds
            what at the end.
    """

    sides: tuple[str, ...]
    scenario: str
    games: int = 1_000
    seed: str = "0"
    policies: tuple[str, ...] = RANDOM_ALONE
    measures: tuple[str, ...] = ()
    until_width: float = 0.0
    traced: int = 0

    @classmethod
    def parse(cls, text: str) -> StudyPlan:
        """The plan of a study file, a TOML document with an entry for each attribute that is not as usual.

        Raises:
            ArgumentError: the file is no TOML, or has another entry, or one of another type.
        """
        try:
            entries = read_toml(text)
        except ValueError as error:
            raise BadArgument("study file", text.strip()[:40], f"TOML: {error}") from None
        for name, value in entries.items():
            if name not in fields_dict(cls):
                raise UnknownName("entry", name, fields_dict(cls))
            if not _fits(name, value):
                raise BadArgument(name, str(value)[:80], _NEEDED[name])
        for name in ("sides", "scenario"):
            if name not in entries:
                raise BadArgument(name, "", _NEEDED[name])
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
_NEEDED = {
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
            return isinstance(value, list) and all(isinstance(each, str) for each in value)
        case "scenario":
            return isinstance(value, str)
        case "seed":
            return isinstance(value, str) or is_number
        case "until_width":
            return (
                isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
            )
    return is_number and isinstance(value, int) and value >= (name == "games")
