"""One difference alone: which declarations are taken over for it, which settings and words it is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from hots_rules.compare.difference import Difference
from hots_rules.compare.differences import diff
from hots_rules.compare.hybrids import hybrid
from hots_rules.diagnostics import HotsError, UnknownName, check_kind
from hots_rules.explain.declared.declarations import contents_of, is_within
from hots_rules.play.game import AnyRuleset, G
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.rules.kinds import HELPERS
from hots_rules.rules.rulebook import words_in
from hots_rules.syntax import tree
from hots_rules.syntax.walk import walk
from hots_rules.witness.errors import BadWitness
from hots_rules.witness.witnesses import Witness, non_default_values, value_texts

_SETTINGS = ("option", "reading")
# Kinds that take effect only through a declaration that names them.
_USED_BY_OTHERS = HELPERS | {"table", *_SETTINGS}
_BINDERS = (
    tree.Param,
    tree.Let,
    tree.Binding,
    tree.For,
    tree.Roll,
    tree.Draw,
    tree.Each,
    tree.ChooseEach,
    tree.Quantifier,
    tree.DistanceIn,
    tree.Comprehension,
)
Chosen = Mapping[str, str]
"""The options and readings of one side that are not at their defaults."""
Variant = tuple[Chosen, Chosen]
"""The options and readings of both sides."""
Values = Sequence[tuple[str, str]]
"""Each name and value of the options and readings of one side; their defaults are left out."""


def isolated_ids(
    old: AnyRuleset,
    new: AnyRuleset,
    difference: str | None,
    section: str | None = None,
    together: Iterable[str] = (),
) -> tuple[str, ...] | None:
    """The differences to take over for one of them and those that act with it, or for a section; None for all.

    Raises:
        UnknownName: no difference has a name, or one ruleset lacks the section.
    """
    if difference is None and section is None:
        return None
    differences = diff(old, new)
    if difference is not None:
        named = [differences.find(name) for name in (difference, *together)]
        if not named[0].plays:
            return ()
        ids = (
            name
            for named_difference in named
            for name in (named_difference.id, *_users(old, new, named_difference))
        )
        return tuple(dict.fromkeys(ids))
    number = (section or "").strip().lstrip("§").strip()
    for rules in (old, new):
        headings = contents_of(rules.compiled).headings
        if not any(is_within(heading, number) for heading in headings):
            raise UnknownName("section", number, headings)
    return tuple(
        candidate.id for candidate in differences.within(number).differences if candidate.plays
    )


def _users(old: AnyRuleset, new: AnyRuleset, difference: Difference) -> tuple[str, ...]:
    """The differences through which one takes effect: the rules that ask for a definition, and so on."""
    mentions = mentioned(old, new)
    users: dict[str, None] = {}
    pending = [difference.id]
    while pending:
        asked = pending.pop()
        if asked.partition(" ")[0] in _USED_BY_OTHERS:
            more = [name for name, ids in mentions.items() if asked in ids and name not in users]
            users |= dict.fromkeys(more)
            pending += more
    return tuple(name for name in users if name != difference.id)


def mentioned(old: AnyRuleset, new: AnyRuleset) -> dict[str, set[str]]:
    """Each difference of play with the others that its declarations mention."""
    ids = [difference.id for difference in diff(old, new).differences if difference.plays]
    named: dict[str, set[str]] = {}
    for name in ids:
        named.setdefault(name.partition(" ")[2], set()).add(name)
    return {
        name: {user for word in _words((old, new), name) for user in named.get(word, ())} - {name}
        for name in ids
    }


def sides_of(
    witness: Witness, old: BaseRuleset[G], new: BaseRuleset[G]
) -> tuple[BaseRuleset[G], BaseRuleset[G]]:
    """The rulesets of a witness between two others: these, or a mixture in the place of one of them.

    It is the first one with the differences of the witness alone, or the one that it names without them.

    >>> import hots_rules as hr
    >>> pair = hr.load("hots-4.0"), hr.load("hots-3.x")
    >>> witness = hr.witness.Witness("legal", "hots-4.0", "hots-3.x", "year 1301", "wait")
    >>> hr.witness.sides_of(witness, *pair) == pair
    True
    """
    check_kind("old", old, BaseRuleset, "a ruleset")
    check_kind("new", new, BaseRuleset, "a ruleset")
    if witness.without:
        whole, base = (old, new) if witness.new == old.name else (new, old)
        return hybrid(whole, base, witness.without), whole
    if not witness.isolates or (witness.old, witness.new) == (old.name, new.name):
        return old, new
    if witness.new == new.name:
        return hybrid(new, old, witness.isolates), new
    return old, hybrid(old, new, witness.isolates)


@frozen
class Focus:
    """What differences are about: words that changes of positions prefer, and settings to try."""

    words: frozenset[str]
    values: tuple[Values, Values]
    """The values of options and readings that each side has besides its defaults."""
    is_of_choices: bool
    """Whether the difference that was asked for is an option or a reading."""

    @classmethod
    def of(
        cls,
        rulesets: tuple[AnyRuleset, AnyRuleset],
        mixed: AnyRuleset,
        ids: tuple[str, ...],
        asked_id: str,
    ) -> Focus:
        """The focus of some differences, of which one may be asked for; `mixed` has them alone."""
        words = frozenset(word for name in ids for word in _words(rulesets, name))
        values = non_default_values(rulesets[0]), non_default_values(mixed)
        return cls(words, values, asked_id.partition(" ")[0] in _SETTINGS)

    def variants(self, also: Iterable[Chosen]) -> list[Variant]:
        """The settings to try: the defaults, each value that the differences are about, and those of `also`."""
        single = (
            {name: value} for side in self.values for name, value in side if name in self.words
        )
        tried = [self.of_both(chosen) for chosen in (*single, *also)] if self.words else []
        # A difference of an option or a reading may show under no default: these come last then.
        return list(_distinct([*tried, ({}, {})] if self.is_of_choices else [({}, {}), *tried]))

    def of_both(self, chosen: Chosen) -> Variant:
        """The chosen values, on the sides that have them."""
        first, second = (
            {name: value for name, value in chosen.items() if (name, value) in side}
            for side in self.values
        )
        return first, second


def _distinct(variants: Iterable[Variant]) -> Iterator[Variant]:
    seen: list[Variant] = []
    for variant in variants:
        if variant not in seen:
            seen.append(variant)
            yield variant


def _words(rulesets: Iterable[AnyRuleset], name: str) -> Iterator[str]:
    """The name of a declaration, and the names that it uses in each ruleset but does not bind itself."""
    kind, _, own = name.partition(" ")
    yield own
    for rules in rulesets:
        entry = rules.rulebook.entries.get((kind, own))
        if entry is not None:
            bound = {part.name.text for part in walk(entry.node) if isinstance(part, _BINDERS)}
            yield from (word for word in words_in(entry.node) if word not in bound)


@frozen
class Judge:
    """Decides which witnesses may be kept: those of the differences asked for that, if wanted, hold for whole rulesets.

    Attributes:
        old: the first ruleset.
        new: the second one, as a whole.
        ids: the differences that are taken over alone; None if the whole of the second ruleset is compared.
        difference: the id of the one that was asked for; empty if none was.
        is_shared: whether it takes effect only together with others, so that it also has to be needed: without it, the
            second ruleset says something else.
        is_whole: whether a witness has to hold for the second ruleset as a whole.
        allows: whether a witness may be kept, as far as its position and its play go.
    """

    old: AnyRuleset
    new: AnyRuleset
    ids: tuple[str, ...] | None = None
    difference: str = ""
    is_shared: bool = False
    is_whole: bool = False
    allows: Callable[[Witness], bool] = lambda _: True

    def confirmed(self, witness: Witness | None) -> Witness | None:
        """The witness with the second ruleset as a whole; None if it says something else there."""
        if witness is None or self.ids is None:
            return witness
        try:
            ours, theirs = witness.settings
            # The second ruleset may have settled a reading that its differences alone leave open.
            settings = {
                name: text for name, text in theirs.items() if text in value_texts(self.new, name)
            }
            whole = evolve(witness, new=self.new.name, isolates=self.ids, settings=(ours, settings))
            replayed = whole.replayed(self.old, self.new)
        except HotsError:
            return None
        return replayed if replayed.verdicts == witness.verdicts else None

    def isolated(self, witness: Witness) -> Witness:
        """The witness with the differences that it shows: for the second ruleset as a whole, if it holds there."""
        return self.confirmed(witness) or evolve(witness, isolates=self.ids or ())

    def accepts(self, witness: Witness | None) -> bool:
        """Whether a witness may be kept: what a game may reach, and what its difference alone decides."""
        return (
            witness is not None
            and self.allows(witness)
            and not (self.is_whole and self.confirmed(witness) is None)
            and self.depends_on_its_choice(witness)
            and (not self.is_shared or self.is_needed(witness))
        )

    def is_needed(self, witness: Witness) -> bool:
        """Whether the second ruleset says something else if the difference is taken back from it.

        Another alternative of an option or a reading says enough, and so do other differences that cannot be taken
        over without this one.
        """
        if self.difference.startswith(_SETTINGS) and self.depends_on_its_choice(witness):
            return True
        if self._is_taken_along():
            return True
        without = hybrid(self.new, self.old, [self.difference])
        chosen = witness.settings[1]
        shared = {name: text for name, text in chosen.items() if text in value_texts(without, name)}
        try:
            evolve(witness, settings=(shared, chosen)).replayed(without, self.new)
        except HotsError:
            return False
        return True

    def _is_taken_along(self) -> bool:
        """Whether the others of the differences cannot be taken over without the one that was asked for."""
        ids = self.ids or ()
        others = [name for name in ids if name != self.difference]
        mixed = (hybrid(self.old, self.new, names).compiled.text_hash for names in (ids, others))
        return bool(others) and len(set(mixed)) == 1

    def depends_on_its_choice(self, witness: Witness) -> bool:
        """Whether another alternative of the option or reading that was asked for gives another answer."""
        kind, _, name = self.difference.partition(" ")
        if kind not in _SETTINGS or self.ids is None:
            return True
        sides = self.old, self.new if self.is_whole else hybrid(self.old, self.new, self.ids)
        values = dict.fromkeys(text for rules in sides for text in value_texts(rules, name))
        return not values or any(self._differs(witness, sides, name, text) for text in values)

    def _differs(
        self, witness: Witness, sides: tuple[AnyRuleset, AnyRuleset], name: str, text: str
    ) -> bool:
        """Whether a witness says something else under a value of an option or a reading."""
        first, second = (
            {**chosen, name: text} if text in value_texts(rules, name) else dict(chosen)
            for rules, chosen in zip(sides, witness.settings, strict=True)
        )
        try:
            replayed = evolve(witness, settings=(first, second)).replayed(*sides)
        except BadWitness:
            return True
        except HotsError:
            return False
        return replayed.verdicts != witness.verdicts
