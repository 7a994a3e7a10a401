"""What every name of a ruleset means, as far as its type goes; and the faults found on the way."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field, frozen

from hots_rules.diagnostics import Fault, Place, Span, near
from hots_rules.rules import finite as t
from hots_rules.rules.book import Entry, Key
from hots_rules.rules.typed import Local, SettingDef, TableDef, Variable
from hots_rules.syntax import tree


@frozen
class Signature:
    """The parameters of an event, an action, a phase or a definition."""

    kind: str
    name: str
    params: tuple[Local, ...]
    span: Span


@define
class Names:
    """The names of one ruleset while it is resolved."""

    entries: dict[Key, Entry]
    faults: list[Fault] = field(factory=list)
    types: dict[str, t.Type] = field(factory=dict)
    owners: dict[str, list[t.WordType]] = field(factory=dict)
    tables: dict[str, TableDef] = field(factory=dict)
    columns: dict[str, list[tuple[str, t.Type]]] = field(factory=dict)
    variables: dict[str, Variable] = field(factory=dict)
    settings: dict[str, SettingDef] = field(factory=dict)
    signatures: dict[tuple[str, str], Signature] = field(factory=dict)
    players: t.Type = t.ANY
    used: set[Key] = field(factory=set)

    def fault(
        self, code: str, headline: str, span: Span, related: Iterable[Place] = (), help_: str = ""
    ) -> None:
        """Notes a fault; the work goes on, so that all are found."""
        found = Fault(code, headline, span, tuple(related), help=help_)
        if found not in self.faults:
            self.faults.append(found)

    def unknown(self, what: str, word: tree.Word, candidates: Iterable[str]) -> None:
        """A name that nothing bears, with the nearest that something does."""
        close = near(word.text, list(candidates))
        self.fault("unknown-name", f"expected {what}, got `{word}`", word.span,
                   help_=f"`{word}`: did you mean `{close}`?" if close else "declare it, or mend the spelling")  # fmt: skip

    def type_of(self, node: tree.Type) -> t.Type:
        """The type that is written down."""
        match node:
            case tree.NamedType():
                return self._named(node.name)
            case tree.RangeType():
                return self._range(node)
            case tree.SetType():
                return self._set(node)
            case tree.PairType():
                return t.PairType(self.type_of(node.left), self.type_of(node.right))
            case tree.OptionalType():
                member = self.type_of(node.member)
                if isinstance(member, t.WordType):
                    return t.optional(member)
                if not isinstance(member, t.AnyType):
                    self.fault("wrong-type", f"expected a type of words before `?`, got {member}", node.span,
                               help_="only a type of words can be without a value")  # fmt: skip
                return t.ANY
            case tree.UnionType():
                return self._union(node)

    def _named(self, name: tree.Word) -> t.Type:
        if name.text == "bool":
            return t.BOOL
        found = self.types.get(name.text)
        if found is None:
            self.unknown("a type", name, [*self.types, "bool"])
            return t.ANY
        self.used.add(("type", name.text))
        self.used.add(("table", name.text))
        return found

    def _range(self, node: tree.RangeType) -> t.Type:
        low, high = int(node.low.text), int(node.high.text)
        if low > high or high > t.MAX_NUMBER:
            self.fault("out-of-range", f"expected a range from low to high, at most {t.MAX_NUMBER}, got {low}..{high}",
                       node.span, help_="write the lower number first")  # fmt: skip
            return t.ANY
        return t.IntType(low, high)

    def _set(self, node: tree.SetType) -> t.Type:
        member = self.type_of(node.member)
        if isinstance(member, t.AnyType):
            return t.SetType(member)
        if isinstance(member, t.BoolType | t.SetType | t.DiceType):
            self.fault(
                "wrong-type",
                f"expected a type whose values can be in a set, got {member}",
                node.span,
            )
            return t.ANY
        if t.size(member) > 1024:
            self.fault(
                "too-large",
                f"expected at most 1024 values to choose a set from, got {t.size(member)}",
                node.span,
            )
            return t.ANY
        return t.SetType(member)

    def _union(self, node: tree.UnionType) -> t.Type:
        values: list[t.Value] = []
        for part in node.members:
            member = self.type_of(part)
            if isinstance(member, t.WordType):
                values += [value for value in member.values if value not in values]
        return t.WordType(" | ".join(str(self.type_of(m)) for m in node.members), tuple(values))

    def param(self, node: tree.Param) -> Local:
        """A parameter of a declaration."""
        return Local(node.name.text, self.type_of(node.type))

    def declare_words(self, owner: t.WordType) -> None:
        """Makes the words that a type names first findable without a type."""
        for value in owner.values:
            if value[0] == owner.name:
                self.owners.setdefault(value[1], []).append(owner)
