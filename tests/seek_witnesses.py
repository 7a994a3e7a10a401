"""Search a witness for each difference of play between neighbouring editions, and keep the smallest ones.

    python tests/seek_witnesses.py                      all pairs, 30 seconds for each difference
    python tests/seek_witnesses.py --missing            only differences without a witness
    python tests/seek_witnesses.py hots-3.x hots-2.3 --difference "rule landing" --seconds 300

Beginnings are the scenarios and the cases that show the difference. A witness of a difference is one of it alone,
with what it leans on; those that also hold between the editions as they are come first. The files are
rulesets/witnesses/OLD--NEW.md; what they say of differences without a witness is written by hand and stays.
"""

import argparse
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from time import process_time

from attrs import evolve
from casebook import HAMMER, Case
from shown import Pair, shown_by

import hots_rules as hr
from hots_rules.compare.isolation import mentioned
from hots_rules.compare.witnesses import settings_values

HERE = Path(__file__).parent
FOLDER = HERE.parent / "rulesets" / "witnesses"
PAIRS = tuple(pairwise(HAMMER))
# Kinds that take effect only through a declaration that names them.
HELPERS = ("define ", "variable ", "type ", "table ", "event ", "secret ")


def wanted(old: hr.Ruleset, new: hr.Ruleset) -> list[str]:
    """The differences of play, in the order of the book."""
    return [each.id for each in hr.diff(old, new).differences if each.plays]


def better(
    one: hr.compare.Witness | None, other: hr.compare.Witness | None
) -> hr.compare.Witness | None:
    """The smaller of two witnesses; one of the difference alone comes first, then one of the editions as they are."""
    found = [each for each in (one, other) if each is not None]
    return min(
        found, key=lambda each: (not each.isolates, "-with-" in each.new, each.size), default=None
    )


def write(old: str, new: str, kept: hr.compare.KeptWitnesses, order: list[str]) -> None:
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
) -> hr.compare.Witness | None:
    """The smallest witness of a difference that a search finds."""
    kind, _, own = name.partition(" ")
    cases = shown_by((old.name, new.name)).get((kind, own), ())
    search = hr.compare.witness(
        old,
        new,
        difference=name,
        trails=[trail for case in cases for trail in hr.compare.case_trails(case, old, new)],
        seed=arguments.seed,
        walks=arguments.walks,
        seconds=arguments.seconds,
    )
    print(f"{process_time():6.0f} s  {name}: {search.witness or search.tried}", flush=True)
    return search.witness


def of_cases(old: hr.Ruleset, new: hr.Ruleset, name: str) -> hr.compare.Witness | None:
    """The smallest witness in a case that shows a difference; the editions play it as they are.

    It is one at the end of the case, about what the case expects; else one of which the difference is a cause.
    """
    kind, _, own = name.partition(" ")
    found: hr.compare.Witness | None = None
    for case in shown_by((old.name, new.name)).get((kind, own), ()):
        for trail in hr.compare.case_trails(case, old, new):
            settings = at_side(old, trail.settings), at_side(new, trail.settings)
            followed = [evolve(trail, is_to_the_end=True)]
            at_end = hr.compare.witness(old, new, settings=settings, trails=followed, walks=0)
            if at_end.witness is not None and is_of(at_end.witness, case, (old.name, new.name)):
                found = better(found, at_end.witness)
                continue
            anywhere = hr.compare.witness(old, new, settings=settings, trails=[trail], walks=0)
            if anywhere.witness is None:
                continue
            if needs(anywhere.witness, own, old, new) or name in causes(anywhere.witness, old, new):
                found = better(found, anywhere.witness)
        if found is not None:
            break
    print(f"{process_time():6.0f} s  {name}, cases: {found}", flush=True)
    return found


def is_of(witness: hr.compare.Witness, case: Case, pair: Pair) -> bool:
    """Whether a witness at the end of a case is of what the case expects: its action, or who is to choose."""
    sides = [set(case.lines("expect", name)) for name in pair]
    told = [line for lines in case.parts.values() for line in lines]
    asks = any(line.startswith(("to move", "phase", "choices")) for line in sides[0] ^ sides[1])
    return asks or any(witness.action in line for line in told if witness.action)


def needs(witness: hr.compare.Witness, setting: str, old: hr.Ruleset, new: hr.Ruleset) -> bool:
    """Whether a witness is none without its choice of an option or a reading."""
    if not any(setting in chosen for chosen in witness.settings):
        return False
    one, other = ({n: v for n, v in each.items() if n != setting} for each in witness.settings)
    try:
        evolve(witness, settings=(one, other)).replayed(old, new)
    except hr.HotsError:
        return True
    return False


def causes(witness: hr.compare.Witness, old: hr.Ruleset, new: hr.Ruleset) -> set[str]:
    """The differences that are responsible for a witness, and those that these mention."""
    is_turned = len(witness.settings[1]) > len(witness.settings[0])
    game = witness.moments(old, new)[is_turned]
    if witness.kind != "legal":
        for text in (witness.action, *witness.chance) if witness.action else ():
            game = game.play(text)
    other = old if is_turned else new
    found = hr.compare.divergence(game, other)
    named = {f"{cause.kind} {cause.name}" for cause in found.causes}
    return named | leant_on(old, new, named)


def at_side(rules: hr.Ruleset, settings: Mapping[str, str]) -> dict[str, str]:
    """The options and readings that an edition has with these values."""
    return {name: text for name, text in settings.items() if (name, text) in settings_values(rules)}


def leant_on(old: hr.Ruleset, new: hr.Ruleset, names: set[str]) -> set[str]:
    """The differences that some others mention, directly or by helpers."""
    mentions, found = mentioned(old, new), set[str]()
    pending = list(names)
    while pending:
        name = pending.pop()
        more = mentions.get(name, set()) - found
        found |= more
        pending += [each for each in more if each.startswith(HELPERS)]
    return found


def shared(old: hr.Ruleset, new: hr.Ruleset, name: str) -> hr.compare.Witness | None:
    """The witness of a difference that asks for a helper, such as the rule that a definition is for."""
    if not name.startswith((*HELPERS, "action ")):
        return None
    kept = hr.compare.kept_witnesses(old.name, new.name).witnesses
    users = [user for user in kept if name in leant_on(old, new, {user})]
    return min((kept[user] for user in users), key=lambda each: each.size, default=None)


def seek(old: hr.Ruleset, new: hr.Ruleset, arguments: argparse.Namespace) -> None:
    """Search the witnesses of a pair, helpers last, and write each when it is found."""
    order = wanted(old, new)
    for name in sorted(arguments.difference or order, key=lambda name: name.startswith(HELPERS)):
        kept = hr.compare.kept_witnesses(old.name, new.name)
        known = kept.witnesses.get(name) or shared(old, new, name)
        if known is not None and arguments.missing:
            best: hr.compare.Witness | None = known
        elif arguments.cases:
            best = better(known, of_cases(old, new, name))
        else:
            best = better(known, found(old, new, name, arguments))
        if best is not None:
            witnesses = {**kept.witnesses, name: best}
            write(old.name, new.name, hr.compare.KeptWitnesses(witnesses, kept.missing), order)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "editions", nargs="*", help="two neighbouring editions; all pairs if omitted"
    )
    parser.add_argument("--difference", action="append", help="a difference (repeatable)")
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--cases", action="store_true", help="only what the cases show")
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--walks", type=int, default=4000)
    parser.add_argument("--seed", default="0")
    arguments = parser.parse_args()
    pairs = [tuple(arguments.editions)] if arguments.editions else PAIRS
    for names in pairs:
        seek(hr.load(names[0]), hr.load(names[1]), arguments)


if __name__ == "__main__":
    main()
