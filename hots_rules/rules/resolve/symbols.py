"""What every name of a ruleset means, as far as its type goes; and the faults found on the way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from hots_rules.diagnostics import Fault, Place, Span
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.rulebook import Entry, Key, Repealed, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Local, SettingDef, TableDef, Variable
from hots_rules.syntax import tree


@frozen
class Signature:
    """The parameters of an event, an action, a phase or a definition."""

    kind: str
    name: str
    params: tuple[Local, ...]
    span: Span


@define
class SymbolTable:
    """The names of one ruleset while it is resolved."""

    entries: dict[Key, Entry]
    head: Span = field(factory=Span.nowhere)
    repealed: dict[Key, Repealed] = field(factory=dict)
    faults: FaultCollector = field(factory=FaultCollector)
    named_types: dict[str, types.Type] = field(factory=dict)
    owners: dict[str, list[types.WordType]] = field(factory=dict)
    tables: dict[str, TableDef] = field(factory=dict)
    columns: dict[str, list[tuple[str, types.Type]]] = field(factory=dict)
    variables: dict[str, Variable] = field(factory=dict)
    settings: dict[str, SettingDef] = field(factory=dict)
    signatures: dict[tuple[str, str], Signature] = field(factory=dict)
    players: types.Type = types.ANY
    used: set[Key] = field(factory=set)

    def fault(
        self, code: str, headline: str, span: Span, related: Iterable[Place] = (), help_: str = ""
    ) -> None:
        """Notes a fault; the work goes on, so that all are found."""
        self.faults.add(Fault(code, headline, span, tuple(related), help=help_))

    def unknown(self, what: str, word: tree.Word, candidates: Iterable[str]) -> None:
        """A name that nothing bears, with the nearest that something does, or the place where it was repealed."""
        gone = next(
            (found for (_, name), found in self.repealed.items() if name == word.text), None
        )
        if gone is not None:
            entry = gone.entry
            self.fault(
                "repealed-but-needed",
                f"expected {what}, got `{word}`, a repealed {entry.kind}",
                word.span,
                [Place(gone.span, f"{entry.edition} repeals it")],
                "amend or repeal what needs it, or amend it instead of repealing it",
            )
            return
        close = self.faults.closest_match(word.text, candidates)
        self.fault(
            "unknown-name",
            f"expected {what}, got `{word}`",
            word.span,
            help_=f"did you mean `{close}`?" if close else "declare it, or mend the spelling",
        )

    def places(self, name: str) -> list[Place]:
        """Where something that is looked up or called is declared."""
        kinds = ("variable", "define", "event", "phase", "stage")
        found = (self.entries.get((kind, name)) for kind in kinds)
        return [Place(name_span(entry.node), "declared here") for entry in found if entry]

    def of_kind(self, *kinds: str) -> Iterator[str]:
        """The names of events, actions, phases or definitions."""
        return (name for kind, name in self.signatures if kind in kinds)

    def kind_of(self, name: str) -> str | None:
        """What a name is that has parameters, if there is such a thing."""
        kinds = ("define", "event", "phase", "action")
        return next((kind for kind in kinds if (kind, name) in self.signatures), None)

    def no_action(self, word: tree.Word) -> None:
        """A name where an action must stand: something else, or nothing."""
        other = self.kind_of(word.text)
        if other is not None:
            self.fault(
                "not-an-action",
                f"expected an action, got the {other} `{word}`",
                word.span,
                [Place(self.signatures[other, word.text].span, "declared here")],
                "only an action can be chosen or forbidden",
            )
        else:
            self.unknown("an action", word, self.of_kind("action"))

    def type_of(self, node: tree.Type) -> types.Type:
        """The type that is written down; `ANY` where it has a fault."""
        match node:
            case tree.NamedType():
                return self._named(node.name)
            case tree.RangeType():
                return self._range(node)
            case tree.SetType():
                return self._set(node)
            case tree.PairType():
                return types.PairType(self.type_of(node.left), self.type_of(node.right))
            case tree.OptionalType():
                member = self.type_of(node.member)
                if isinstance(member, types.WordType):
                    return types.optional(member)
                if not isinstance(member, types.AnyType):
                    self.fault(
                        "wrong-type",
                        f"expected a type of words before `?`, got {member}",
                        node.span,
                        help_="only a type of words can be without a value",
                    )
                return types.ANY
            case tree.UnionType():
                return self._union(node)

    def _named(self, name: tree.Word) -> types.Type:
        if name.text == "bool":
            return types.BOOL
        found = self.named_types.get(name.text)
        if found is None:
            self.unknown("a type", name, [*self.named_types, "bool"])
            return types.ANY
        self.used.add(("type", name.text))
        self.used.add(("table", name.text))
        return found

    def _range(self, node: tree.RangeType) -> types.Type:
        low, high = int(node.low.text), int(node.high.text)
        if low > high:
            self.fault(
                "out-of-range",
                f"expected a range from low to high, got {low}..{high}",
                node.span,
                help_="write the lower number first",
            )
            return types.ANY
        if high > types.MAX_NUMBER:
            self.fault(
                "out-of-range",
                f"expected numbers up to {types.MAX_NUMBER}, got {high}",
                node.high.span,
                help_="say the range that the game really has",
            )
            return types.ANY
        return types.IntType(low, high)

    def _set(self, node: tree.SetType) -> types.Type:
        member = self.type_of(node.member)
        if isinstance(member, types.AnyType):
            return types.SetType(member)
        if isinstance(member, types.BoolType | types.SetType | types.DiceType):
            self.fault(
                "wrong-type",
                f"expected a type whose values can be in a set, got {member}",
                node.member.span,
                help_="a set is made of words, numbers or pairs",
            )
            return types.ANY
        if not types.is_countable(member):
            self.fault(
                "too-large",
                f"expected at most {types.MAX_VALUES} values for a set, numbers below {types.MAX_BITS}, got {member}",
                node.member.span,
                help_="make sets of a smaller type",
            )
            return types.ANY
        return types.SetType(member)

    def _union(self, node: tree.UnionType) -> types.Type:
        values: dict[types.Value, None] = {}
        names: list[str] = []
        for part in node.members:
            member = self.type_of(part)
            if isinstance(member, types.WordType):
                values |= dict.fromkeys(member.values)
                names.append(member.name)
            elif not isinstance(member, types.AnyType):
                self.fault(
                    "wrong-type", f"expected words or a type of words, got {member}", part.span
                )
        return self.words(" | ".join(names), values, node.span)

    def words(self, name: str, values: Iterable[types.Value], span: Span) -> types.Type:
        """A type of words; a fault where there are too many."""
        found = tuple(values)
        if len(found) > types.MAX_VALUES:
            self.fault(
                "too-large",
                f"expected a type of at most {types.MAX_VALUES} values, got {len(found)}",
                span,
                help_="make several types of it",
            )
            return types.ANY
        return types.WordType(name, found)

    def once(self, words: Iterable[tree.Word], what: str) -> None:
        """Words that must differ."""
        first: dict[str, Span] = {}
        for word in words:
            if word.text in first:
                self.fault(
                    "duplicate-name",
                    f"expected each {what} once, got `{word}` again",
                    word.span,
                    [Place(first[word.text], "first here")],
                    "rename one of them",
                )
            first.setdefault(word.text, word.span)

    def word_type(self, word: tree.Word) -> types.WordType | None:
        """A type of words by its name; a fault where there is none."""
        found = self.named_types.get(word.text)
        if isinstance(found, types.WordType):
            self.used |= {("type", word.text), ("table", word.text)}
            return found
        if not isinstance(found, types.AnyType):
            known = [
                name
                for name, type_ in self.named_types.items()
                if isinstance(type_, types.WordType)
            ]
            self.unknown("a type of words", word, known)
        return None

    def param(self, node: tree.Param) -> Local:
        """A parameter of a declaration."""
        return Local(node.name.text, self.type_of(node.type))

    def declare_words(self, owner: types.WordType) -> None:
        """Makes the words that a type names first findable without a type."""
        for value in owner.values:
            if value[0] == owner.name:
                self.owners.setdefault(value[1], []).append(owner)


def many(number: int, what: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def with_article(kind: str) -> str:
    """`an action`, `a rule`."""
    kind = {"define": "definition"}.get(kind, kind)
    return f"{'an' if kind[0] in 'aeio' else 'a'} {kind}"
