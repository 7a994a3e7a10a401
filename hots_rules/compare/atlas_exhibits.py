"""What an atlas shows besides the texts: the witnesses of its differences, with pictures and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from attrs import evolve

from hots_rules.analysis.frequency import Frequencies, kept_frequencies
from hots_rules.compare.atlas_pages import Collection, Exhibit
from hots_rules.compare.atlases import Atlas
from hots_rules.compare.isolation import sides_of
from hots_rules.compare.witnesses import Witness, kept_witnesses
from hots_rules.diagnostics import HotsError
from hots_rules.explain.svg import draw
from hots_rules.play.game import AnyRuleset

MAX_PICTURE = 400_000  # letters of an SVG file

Found = Mapping[tuple[int, str], Witness]


def collect(
    atlas: Atlas,
    rulesets: Sequence[AnyRuleset],
    *,
    found: Found | None = None,
    frequencies: Mapping[str, Frequencies] | None = None,
    on_witness: Callable[[int, int], None] = lambda done, total: None,
) -> Collection:
    """The witnesses and the frequencies that the library keeps of the differences of an atlas, to be shown.

    >>> import hots_rules as hr
    >>> pair = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> hr.compare.collect(hr.compare.atlas(*pair), pair).frequencies["hots-4.0"].games
    300

    Args:
        atlas: the atlas.
        rulesets: its rulesets, in the same order.
        found: more witnesses, by the number of the step and the id of the difference.
        frequencies: more counts, by the name of the ruleset.
        on_witness: called with the number of witnesses replayed, and of all.
    """
    witnesses, missing = dict(found or {}), dict[tuple[int, str], str]()
    for number, pair in enumerate(pairwise(atlas.rulesets)):
        for old, new in (pair, pair[::-1]):
            kept = kept_witnesses(old, new)
            witnesses |= {(number, name): each for name, each in kept.witnesses.items()}
            missing |= {(number, name): why for name, why in kept.missing.items()}
    playing = {entry.id for entry in atlas.entries if entry.plays}
    shown = {key: each for key, each in witnesses.items() if key[1] in playing}
    exhibits = dict[tuple[int, str], Exhibit]()
    made = dict[int, Exhibit]()  # differences that act together share a witness
    for done, (key, witness) in enumerate(shown.items(), 1):
        first, second = rulesets[key[0] : key[0] + 2]
        try:
            exhibits[key] = made.get(id(witness)) or exhibit(witness, first, second)
            made[id(witness)] = exhibits[key]
        except HotsError as error:
            missing[key] = f"the kept one does not fit these rulesets ({error})"
        on_witness(done, len(shown))
    counts = {**kept_frequencies(), **(frequencies or {})}
    named = {name: counts[name] for name in atlas.rulesets if name in counts}
    return Collection(exhibits, missing, named)


def exhibit(witness: Witness, old: AnyRuleset, new: AnyRuleset) -> Exhibit:
    """A witness of two rulesets, in whichever order it names them, with its picture and their answers.

    Raises:
        HotsError: the rulesets do not bear it out.
    """
    is_turned = witness.old != old.name
    pair = sides_of(witness, *((new, old) if is_turned else (old, new)))
    witness = witness.replayed(*pair)
    svg = draw(witness.moments(*pair)[0])
    answers = witness.answers(*pair)
    if is_turned:
        answers = answers[::-1]
        witness = evolve(witness, settings=witness.settings[::-1])
    return Exhibit(witness, answers, svg if len(svg) <= MAX_PICTURE else "")
