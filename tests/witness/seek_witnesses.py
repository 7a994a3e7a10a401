"""Search a witness for each difference of play between neighbouring editions, and keep the smallest ones.

    python -m tests.witness.seek_witnesses                      all pairs, 30 seconds for each difference
    python -m tests.witness.seek_witnesses --missing            only differences without a witness
    python -m tests.witness.seek_witnesses --starts             these, from beginnings made by hand alone
    python -m tests.witness.seek_witnesses hots-3.x hots-2.3 --difference "rule landing" --seconds 300

Beginnings are the scenarios, the cases that show the difference, and those of `witness_starts`, which were made for
it by hand. A witness of a difference is one of it alone, with what it leans on, that also holds between the editions
as they are; it stands in a possible position (`possible.py`), and if it is one of a reading, another alternative of
it gives another answer. A witness that does not pass these tests is not written, and none is replaced by a larger one.
The files are rulesets/witnesses/OLD--NEW.md; what they say of differences without a witness is written by hand.
"""

import argparse
from collections.abc import Mapping
from itertools import pairwise
from time import process_time

from attrs import evolve

import hots_rules as hr
from hots_rules.rules.kinds import HELPERS
from hots_rules.testing.casebook import parse_settings, read_cases, start_case
from hots_rules.witness.witnesses import KINDS, non_default_values
from tests.casebook import HAMMER, Case
from tests.folders import HOME, TESTS
from tests.witness.possible import is_possible
from tests.witness.shown import shown_by

FOLDER = HOME / "rulesets" / "witnesses"
STARTS = TESTS / "witness_starts"
PAIRS = tuple(pairwise(HAMMER))


def wanted(old: hr.Ruleset, new: hr.Ruleset) -> list[str]:
    """The differences of play, in the order of the book."""
    return [each.id for each in hr.diff(old, new).differences if each.plays]


def better(
    one: hr.witness.Witness | None, other: hr.witness.Witness | None
) -> hr.witness.Witness | None:
    """The smaller of two witnesses; one between both editions comes first, then one of the difference alone."""
    found = [each for each in (one, other) if each is not None]
    return min(
        found, key=lambda each: (bool(each.without), not each.isolates, each.size), default=None
    )


def write(old: str, new: str, kept: hr.witness.KeptWitnesses, order: list[str]) -> None:
    """Write the file of a pair: equal witnesses of several differences once."""
    titles: dict[str, list[str]] = {}
    for name in order:
        if name in kept.witnesses:
            titles.setdefault(kept.witnesses[name].text(""), []).append(name)
    parts = [f"# Witnesses of the differences between {old} and {new}\n"]
    parts += [
        f"No witness of `{name}`: {kept.missing[name]}\n"
        for name in order
        if name in kept.missing and name not in kept.witnesses
    ]
    parts += [kept.witnesses[names[0]].text(", ".join(names)) for names in titles.values()]
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{old}--{new}.md").write_text("\n".join(parts), encoding="utf-8")


def found(
    old: hr.Ruleset, new: hr.Ruleset, name: str, arguments: argparse.Namespace
) -> hr.witness.Witness | None:
    """The smallest witness of a difference that a search finds."""
    kind, _, own = name.partition(" ")
    cases = shown_by((old.name, new.name)).get((kind, own), ())
    search = hr.witness.witness(
        old,
        new,
        hr.witness.SearchPlan(
            difference=name,
            trails=[trail for case in cases for trail in hr.witness.case_trails(case, old, new)],
            starts=starts(old, new, name),
            allows=is_possible,
            is_whole=True,
            seed=arguments.seed,
            walks=arguments.walks,
            seconds=arguments.seconds,
        ),
    )
    print(f"{process_time():6.0f} s  {name}: {search.witness or search.tried}", flush=True)
    return search.witness


# ---------------------------------------------------------------- beginnings made by hand
def starts(old: hr.Ruleset, new: hr.Ruleset, name: str) -> list[hr.witness.Witness]:
    """The beginnings in `witness_starts` that were made for a difference."""
    return [start(case, old, new) for case in made_for(old, new, name) if len(case.editions) > 1]


def made_for(old: hr.Ruleset, new: hr.Ruleset, name: str) -> list[Case]:
    """The cases of `witness_starts` for a difference: of both editions, or of one that lacks it."""
    file = f"{old.name}--{new.name}.md"
    return [
        case for case in read_cases(STARTS) if case.file == file and name in case.items("shows")
    ]


def from_starts(
    old: hr.Ruleset, new: hr.Ruleset, name: str, seconds: float
) -> hr.witness.Witness | None:
    """The smallest witness from the beginnings that were made for a difference.

    It may be one of several that take effect only together, if each of them is needed; or one between an edition and
    the same with the difference taken back, where the beginning is one of that edition alone.
    """
    for case in made_for(old, new, name):
        if len(case.editions) == 1:
            if (made := taken_back(case, old, new, name, seconds)) is not None:
                return made
            continue
        # What it is taken over with stands behind the kind.
        others = [other for other in case.items("expect")[1:] if other != name]
        for together in ([], others) if others else ([],):
            search = hr.witness.witness(
                old,
                new,
                hr.witness.SearchPlan(
                    difference=name,
                    together=together,
                    starts=[start(case, old, new)],
                    allows=is_possible,
                    is_whole=True,
                    walks=0,
                    seconds=seconds,
                ),
            )
            if search.witness is not None:
                return search.witness
    return None


def taken_back(
    case: Case, old: hr.Ruleset, new: hr.Ruleset, name: str, seconds: float
) -> hr.witness.Witness | None:
    """A witness between the edition of a case without a difference, and that edition."""
    whole, other = (old, new) if case.editions == [old.name] else (new, old)
    without = hr.compare.hybrid(whole, other, [name])
    made = start(case, without, whole)
    search = hr.witness.witness(
        without,
        whole,
        hr.witness.SearchPlan(
            settings=made.settings, starts=[made], allows=is_possible, walks=0, seconds=seconds
        ),
    )
    return search.witness and evolve(search.witness, old=whole.name, without=(name,))


def start(case: Case, old: hr.Ruleset, new: hr.Ruleset) -> hr.witness.Witness:
    """A beginning: a case whose last action is the one that the editions decide differently.

    What it expects is the kind of the witness, and perhaps differences that take effect only together. Options and
    readings hold for the editions that have them.
    """
    chosen = parse_settings([*case.parts.get("options", []), *case.parts.get("readings", [])])
    texts = {name: setting_text(value) for name, value in chosen.items()}
    settings = at_side(old, texts), at_side(new, texts)
    games = [started(case, rules, own) for rules, own in ((old, settings[0]), (new, settings[1]))]
    position, lines = games[0].initial_position or "", case.lines("play", old.name)
    told = [canonical(games, line) for line in lines]
    last = max(number for number, line in enumerate(told) if not line.startswith("chance: "))
    kind = next(each for each in KINDS if case.items("expect")[0] == each)
    found = hr.witness.Witness(kind, old.name, new.name, position, told[last], tuple(told[:last]))
    return evolve(found, chance=tuple(told[last + 1 :]), settings=settings)


def started(case: Case, rules: hr.Ruleset, settings: Mapping[str, str]) -> hr.Game:
    """The game at the beginning of a case under the options and readings that the edition has."""
    known = {
        key: [f"{name}={text}" for name, text in settings.items() if name in those]
        for key, those in (("options", rules.options), ("readings", rules.readings))
    }
    return start_case(evolve(case, parts={**case.parts, **known}), rules)


def canonical(games: list[hr.Game], line: str) -> str:
    """An action as the editions write it; it is played in each game that allows it."""
    text = ""
    for number, game in enumerate(games):
        try:
            games[number] = after = game.play(line)
        except hr.HotsError:
            continue
        text = game.actions[game.legal_codes.index(after.moves[-1])].text
    return text


def setting_text(value: bool | int | str) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def at_side(rules: hr.Ruleset, settings: Mapping[str, str]) -> dict[str, str]:
    """The options and readings that an edition has with these values."""
    return {
        name: text for name, text in settings.items() if (name, text) in non_default_values(rules)
    }


def is_helper(name: str) -> bool:
    """Whether a difference is of a kind that takes effect only through others."""
    return name.partition(" ")[0] in HELPERS | {"table"}


def seek(old: hr.Ruleset, new: hr.Ruleset, arguments: argparse.Namespace) -> None:
    """Search the witnesses of a pair, helpers last, and write each when it is found."""
    order = wanted(old, new)
    for name in sorted(arguments.difference or order, key=is_helper):
        kept = hr.witness.kept_witnesses(old.name, new.name)
        best: hr.witness.Witness | None
        known = kept.witnesses.get(name)
        if arguments.starts:
            best = known or from_starts(old, new, name, arguments.seconds)
            print(f"{process_time():6.0f} s  {name}: {best}", flush=True)
        elif known is not None and arguments.missing:
            best = known
        else:
            best = better(known, found(old, new, name, arguments))
        if best is not None:
            witnesses = {**kept.witnesses, name: best}
            write(old.name, new.name, hr.witness.KeptWitnesses(witnesses, kept.missing), order)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "editions", nargs="*", help="two neighbouring editions; all pairs if omitted"
    )
    parser.add_argument("--difference", action="append", help="a difference (repeatable)")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument(
        "--starts", action="store_true", help="what is missing, from beginnings made by hand"
    )
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--walks", type=int, default=4000)
    parser.add_argument("--seed", default="0")
    arguments = parser.parse_args()
    pairs = [tuple(arguments.editions)] if arguments.editions else PAIRS
    for names in pairs:
        seek(hr.load(names[0]), hr.load(names[1]), arguments)


if __name__ == "__main__":
    main()
