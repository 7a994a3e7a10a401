"""What an atlas shows besides the texts: the witnesses of its differences, with pictures and answers."""

from __future__ import annotations

from base64 import b85decode, b85encode
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from hashlib import blake2b
from itertools import pairwise
from time import monotonic
from typing import TypeVar
from zlib import compress, decompress

import attrs
from attrs import frozen

from hots_rules.analysis.simulating.frequency import Frequencies, kept_frequencies
from hots_rules.atlas.collection import Collection, Exhibit, StepKey
from hots_rules.atlas.entries import Atlas
from hots_rules.compare.ask import EditionAnswer
from hots_rules.compile.cache import read_kept, write_kept
from hots_rules.diagnostics import HotsError
from hots_rules.draw.picture.page import draw
from hots_rules.play.game import AnyRuleset
from hots_rules.rules.editions.sections import Citation
from hots_rules.study.attribution.effect_sizes import EffectSize, effects_of, faults_of_unmeasured
from hots_rules.witness.bundled import in_order
from hots_rules.witness.minimal_difference import sides_of
from hots_rules.witness.search import SearchPlan
from hots_rules.witness.search import witness as search_witness
from hots_rules.witness.witnesses import Witness, kept_witnesses

MAX_PICTURE = 400_000  # letters of an SVG file
PER_TASK = 12  # witnesses that one process replays before it is given others

T = TypeVar("T")
Witnesses = Mapping[StepKey, Witness]


def collect(
    atlas: Atlas,
    rulesets: Sequence[AnyRuleset],
    *,
    found: Witnesses | None = None,
    frequencies: Mapping[str, Frequencies] | None = None,
    seconds: float = 0.0,
    effects_text: str | None = None,
    executor: Executor | None = None,
    on_witness: Callable[[int, int], None] = lambda done, total: None,
    on_search: Callable[[int, int], None] = lambda done, total: None,
) -> Collection:
    """The witnesses, frequencies and effect sizes that the library keeps of the differences of an atlas, to be shown.

    With `seconds`, witnesses that it does not keep are searched.

    >>> import hots_rules as hr
    >>> pair = hr.load("hots-3.x"), hr.load("hots-4.0")
    >>> hr.atlas.collect(hr.atlas.atlas(*pair), pair).frequencies["hots-4.0"].games
    1000

    Args:
        atlas: the atlas.
        rulesets: its rulesets, in the same order.
        found: more witnesses, by the number of the step and the id of the difference; they go before those that the
            library keeps.
        frequencies: more counts, by the name of the ruleset, likewise.
        seconds: the longest time for the search of witnesses that are not kept; without it none is searched.
        effects_text: a CSV file of effect sizes, instead of the one that the library keeps; see `update_effects`.
        executor: replays the witnesses, such as a `ProcessPoolExecutor`; without it they are replayed here.
        on_witness: called with the number of witnesses replayed, and of all.
        on_search: called before each search with the number of those before it, and of all.
    """
    witnesses, missing = _kept(atlas)
    witnesses |= found or {}
    if seconds:
        for key, result in _searched(atlas, rulesets, {*witnesses, *missing}, seconds, on_search):
            if isinstance(result, Witness):
                witnesses[key] = result
            else:
                missing[key] = result
    playing = {entry.id for entry in atlas.entries if entry.plays}
    to_show = {key: witness for key, witness in witnesses.items() if key[1] in playing}
    exhibits = dict[StepKey, Exhibit]()
    for key, exhibit in _exhibits(to_show, rulesets, executor, on_witness):
        if isinstance(exhibit, Exhibit):
            exhibits[key] = exhibit
        else:
            missing[key] = f"the kept one does not fit these rulesets ({exhibit})."
    counts = {**kept_frequencies(), **(frequencies or {})}
    counts = {name: counts[name] for name in atlas.rulesets if name in counts}
    return Collection(exhibits, missing, counts, *_effects(rulesets, effects_text))


def _kept(atlas: Atlas) -> tuple[dict[StepKey, Witness], dict[StepKey, str]]:
    """The witnesses that the library keeps of each step, and the reasons why it keeps none of a difference."""
    witnesses, missing = dict[StepKey, Witness](), dict[StepKey, str]()
    for number, pair in enumerate(pairwise(atlas.rulesets)):
        for old, new in (pair, pair[::-1]):  # the library keeps them in one order
            kept = kept_witnesses(old, new)
            witnesses |= _in_step(number, kept.witnesses)
            missing |= _in_step(number, kept.missing)
    return witnesses, missing


def _effects(
    rulesets: Sequence[AnyRuleset], effects_text: str | None
) -> tuple[dict[StepKey, EffectSize], dict[StepKey, str]]:
    """The effect sizes of the differences of each step, and the reasons why some could not be measured."""
    effects, unmeasured = dict[StepKey, EffectSize](), dict[StepKey, str]()
    for number, (old, new) in enumerate(pairwise(rulesets)):
        effects |= _in_step(number, effects_of(old, new, effects_text))
        unmeasured |= _in_step(number, faults_of_unmeasured(old, new, effects_text))
    return effects, unmeasured


def _in_step(number: int, by_id: Mapping[str, T]) -> dict[StepKey, T]:
    """What belongs to the differences of a step, by the number of the step as well."""
    return {(number, name): belonging for name, belonging in by_id.items()}


def _exhibits(
    to_show: Witnesses,
    rulesets: Sequence[AnyRuleset],
    executor: Executor | None,
    on_witness: Callable[[int, int], None],
) -> Iterator[tuple[StepKey, Exhibit | str]]:
    """What is shown of each witness, or why it cannot be shown; each is replayed once.

    Differences that act together share one object, see `KeptWitnesses`.
    """
    holders: dict[tuple[int, int], list[StepKey]] = {}
    for (number, name), witness in to_show.items():
        holders.setdefault((number, id(witness)), []).append((number, name))
    to_replay: list[list[StepKey]] = [[] for _ in pairwise(rulesets)]
    for (number, _), sharing in holders.items():
        if number in range(len(to_replay)):
            to_replay[number].append(sharing[0])
    tasks = [
        (number, keys[first : first + PER_TASK])
        for number, keys in enumerate(to_replay)
        for first in range(0, len(keys), PER_TASK)
    ]
    arguments = (
        [[to_show[key] for key in keys] for _, keys in tasks],
        [rulesets[number] for number, _ in tasks],
        [rulesets[number + 1] for number, _ in tasks],
    )
    done = 0
    replay = executor.map if executor else map
    for (_, keys), made in zip(tasks, replay(_replay, *arguments), strict=True):
        for key, exhibit_or_fault in zip(keys, made, strict=True):
            sharing = holders[key[0], id(to_show[key])]
            yield from ((holder, exhibit_or_fault) for holder in sharing)
            done += len(sharing)
            on_witness(done, len(to_show))


def _replay(witnesses: Sequence[Witness], old: AnyRuleset, new: AnyRuleset) -> list[Exhibit | str]:
    """What is shown of each witness of two rulesets, or why it no longer reproduces."""
    made: list[Exhibit | str] = []
    for witness in witnesses:
        try:
            made.append(_kept_exhibit(witness, old, new))
        except HotsError as error:
            made.append(str(error))
    return made


@frozen
class _KeptExhibit:
    """An exhibit as it is kept in the cache folder, its picture compressed."""

    witness: Witness
    answers: tuple[EditionAnswer, EditionAnswer]
    picture: str


def _kept_exhibit(witness: Witness, old: AnyRuleset, new: AnyRuleset) -> Exhibit:
    """What is shown of a witness, from the cache if it was shown before."""
    hashes = (ruleset.compiled.text_hash for ruleset in (old, new))
    text = "\n".join((*hashes, old.compiled.source.board, repr(attrs.astuple(witness))))
    digest = blake2b(text.encode(), digest_size=16).hexdigest()
    classes = (Witness, EditionAnswer, Citation)
    kept = read_kept(digest, _KeptExhibit, classes)
    if kept is not None:
        svg = decompress(b85decode(kept.picture)).decode()
        return Exhibit(kept.witness, kept.answers, svg)
    made = exhibit(witness, old, new)
    picture = b85encode(compress(made.svg.encode())).decode()
    write_kept(digest, _KeptExhibit(made.witness, made.answers, picture), classes)
    return made


def _searched(
    atlas: Atlas,
    rulesets: Sequence[AnyRuleset],
    settled: Set[StepKey],
    seconds: float,
    on_search: Callable[[int, int], None],
) -> Iterator[tuple[StepKey, Witness | str]]:
    """A witness of each difference of play that lacks one, or why there is none; all share the time."""
    wanted = [
        (number, entry.id)
        for entry in sorted(atlas.entries, key=lambda entry: bool(entry.below))
        for number, step in enumerate(entry.steps)
        if step is not None and step.plays and (number, entry.id) not in settled
    ]
    end = monotonic() + seconds
    for done, (number, name) in enumerate(wanted):
        on_search(done, len(wanted))
        share = (end - monotonic()) / (len(wanted) - done)
        if share <= 0:
            yield (number, name), "the time for searches was over."
            continue
        old, new = rulesets[number : number + 2]
        try:
            search = search_witness(old, new, SearchPlan(difference=name, seconds=share))
            yield (number, name), search.witness or f"{search.tried}."
        except HotsError as error:
            yield (number, name), f"{error}."


def exhibit(witness: Witness, old: AnyRuleset, new: AnyRuleset) -> Exhibit:
    """A witness of two rulesets, in either order, with its picture and their answers.

    Raises:
        HotsError: it no longer reproduces.
    """
    witness = in_order(witness, old.name, new.name)
    pair = sides_of(witness, old, new)
    witness = witness.replayed(*pair)
    svg = draw(witness.games_at_action(*pair)[0])
    return Exhibit(witness, witness.answers(*pair), svg if len(svg) <= MAX_PICTURE else "")
