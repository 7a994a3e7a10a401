"""The symbol table: what each name of a ruleset is, with its type or its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field, frozen

from hots_rules.diagnostics import Edit, Fault, Fix, RelatedPlace, Span
from hots_rules.diagnostics.fixes import between, end_of
from hots_rules.rules.faults import FaultCollector
from hots_rules.rules.reserved import RESERVED
from hots_rules.rules.resolve.named_numbers import named_number
from hots_rules.rules.rulebook import Entry, Key, Repealed, name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Const, Local, SettingDef, TableDef, Variable
from hots_rules.rules.wording import kind_noun, with_article
from hots_rules.syntax import tree


@frozen
class Signature:
    """The parameters of an event, an action, a phase, a definition or a question."""

    kind: str
    name: str
    params: tuple[Local, ...]
    span: Span


@frozen
class Product:
    """`Hand(Side)`: the type that declares it, the types of its parts, and a word for each combination."""

    owner: str
    params: tuple[types.Type, ...]
    values: tuple[types.Value, ...]


@define
class SymbolTable:
    """The names of one ruleset while it is resolved, and its faults so far.

    `owners` are the types in which a word is declared; `columns` the tables that have a column of a
    name, with its type; `settled` the readings that an edition has decided on; `used` the declarations
    that something refers to; `bound` the places where a local name gets its type. `resolved` is how many
    faults had been found when all declarations were resolved, each by itself.
    """

    entries: dict[Key, Entry]
    head: Span = field(factory=Span.nowhere)
    repealed: dict[Key, Repealed] = field(factory=dict)
    faults: FaultCollector = field(factory=FaultCollector)
    named_types: dict[str, types.Type] = field(factory=dict)
    products: dict[str, Product] = field(factory=dict)
    owners: dict[str, list[types.WordType]] = field(factory=dict)
    tables: dict[str, TableDef] = field(factory=dict)
    columns: dict[str, list[tuple[str, types.Type]]] = field(factory=dict)
    variables: dict[str, Variable] = field(factory=dict)
    settings: dict[str, SettingDef] = field(factory=dict)
    settled: dict[str, Const] = field(factory=dict)
    signatures: dict[tuple[str, str], Signature] = field(factory=dict)
    scenario_marks: dict[str, dict[str, int]] | None = None
    players: types.Type = types.ANY
    used: set[Key] = field(factory=set)
    bound: list[tuple[Span, types.Type]] = field(factory=list)
    resolved: int = 0
    kept_positions: int | None = None

    # -------------------------------------------------------------- faults
    def fault(
        self,
        code: str,
        headline: str,
        span: Span,
        related: Iterable[RelatedPlace] = (),
        help_: str = "",
        fixes: Iterable[Fix] = (),
    ) -> None:
        """Records a fault; resolving continues, so that all faults are reported."""
        self.faults.add(Fault(code, headline, span, tuple(related), help_, fixes))

    def unknown(self, what: str, word: tree.Word, candidates: Iterable[str]) -> None:
        """Reports a name that is not what is expected, such as `a type`, with the closest candidate or its repeal."""
        repealed = next(
            (removed for (_, name), removed in self.repealed.items() if name == word.text), None
        )
        if repealed is not None:
            entry = repealed.entry
            self.fault(
                "repealed-but-needed",
                f"`{word}` is still used, but `{entry.edition}` repeals it",
                word.span,
                [RelatedPlace(repealed.span, f"the {kind_noun(entry.kind)} is repealed here")],
                "amend or repeal what needs it, or amend it instead of repealing it",
            )
            return
        near = self.faults.suggest(word.text, candidates)
        self.fault(
            "unknown-name",
            f"`{word}` is not {what}",
            word.span,
            help_=near.help("declare it, or correct the spelling"),
            fixes=near.fixes(word.span),
        )

    def not_an_action(self, word: tree.Word) -> None:
        """Reports a name where an action is needed: another kind of declaration, or none."""
        self.not_of_kind(
            "action", word, "not-an-action", "only an action can be chosen or forbidden"
        )

    def not_of_kind(self, wanted: str, word: tree.Word, code: str, remedy: str) -> None:
        """Reports a name where another kind of declaration is needed, or a name that nothing has."""
        kind = self.kind_of(word.text)
        if kind is None:
            self.unknown(with_article(wanted), word, self.names_of_kind(wanted))
            return
        self.fault(
            code,
            f"`{word}` is {with_article(kind)}, not {with_article(wanted)}",
            word.span,
            [RelatedPlace(self.signatures[kind, word.text].span, "declared here")],
            remedy,
        )

    def check_distinct(
        self, words: Iterable[tree.Word], what: str, remedy: str = "", *, is_set: bool = False
    ) -> None:
        """Reports each word that a list has twice; with `is_set`, a fix removes the second one."""
        first: dict[str, Span] = {}
        before: Span | None = None
        for word in words:
            if word.text in first:
                fixes = []
                if is_set and before is not None:
                    edit = Edit(between(before, end_of(word.span)), "")
                    fixes.append(Fix(f"remove the second `{word}`", [edit], is_safe=True))
                self.fault(
                    "duplicate-name",
                    f"duplicate {what} `{word}`",
                    word.span,
                    [RelatedPlace(first[word.text], "first here")],
                    remedy or "rename one of them",
                    fixes,
                )
            first.setdefault(word.text, word.span)
            before = word.span

    def check_reserved(self, words: Iterable[tree.Word]) -> None:
        """Reports words that are reserved, and so cannot be values."""
        for word in words:
            if word.text in RESERVED["value"]:
                self.fault(
                    "duplicate-name",
                    f"the name `{word}` is reserved",
                    word.span,
                    help_="choose another name",
                )

    # -------------------------------------------------------------- names
    def declared_at(self, name: str) -> list[RelatedPlace]:
        """Where a variable, a definition, an event or a phase is declared."""
        kinds = ("variable", "define", "event", "phase", "stage")
        entries = (self.entries.get((kind, name)) for kind in kinds)
        return [RelatedPlace(name_span(entry.node), "declared here") for entry in entries if entry]

    def names_of_kind(self, *kinds: str) -> Iterator[str]:
        """The names of the declarations of some kinds that have a signature."""
        return (name for kind, name in self.signatures if kind in kinds)

    def kind_of(self, name: str) -> str | None:
        """The kind of the declaration of a name; None if none of that name has a signature."""
        kinds = ("define", "event", "phase", "action")
        return next((kind for kind in kinds if (kind, name) in self.signatures), None)

    def param(self, node: tree.Param) -> Local:
        """A parameter of a declaration."""
        return Local(node.name.text, self.type_of(node.type))

    def use_type(self, name: str) -> None:
        """Marks the type or the table of a name as used."""
        self.used |= {("type", name), ("table", name)}
        if (product := self.products.get(name)) is not None:
            self.used.add(("type", product.owner))

    # -------------------------------------------------------------- types
    def type_of(self, node: tree.Type) -> types.Type:
        """The type that is written down; `ANY` where it has a fault."""
        match node:
            case tree.NamedType():
                return self._named(node.name)
            case tree.ProductType():
                return self._misplaced_product(node)
            case tree.RangeType():
                return self._range(node)
            case tree.SetType():
                member = self.type_of(node.member)
                fits = self.can_be_member(member, node.member.span)
                return types.SetType(member) if fits else types.ANY
            case tree.PairType():
                return types.PairType(self.type_of(node.left), self.type_of(node.right))
            case tree.OptionalType():
                return self._optional(node)
            case tree.UnionType():
                return self._union(node)

    def _named(self, name: tree.Word) -> types.Type:
        if name.text == "bool":
            return types.BOOL
        type_ = self.named_types.get(name.text)
        if type_ is None:
            self.unknown("a type", name, [*self.named_types, "bool"])
            return types.ANY
        self.use_type(name.text)
        return type_

    def _misplaced_product(self, node: tree.ProductType) -> types.Type:
        self.fault(
            "not-allowed-here",
            f"`{node.name}(…)` declares new words outside a `type`",
            node.span,
            help_=f"declare them, as in `type Place = Board | {node.name}(…)`",
        )
        return types.ANY

    def _range(self, node: tree.RangeType) -> types.Type:
        low, high = self._bound(node.low), self._bound(node.high)
        if low is None or high is None:
            return types.ANY
        if low > high:
            self.fault(
                "out-of-range",
                f"expected a range from low to high, got {low}..{high}",
                node.span,
                help_="write the lower number first",
                fixes=[
                    Fix(
                        f"write `{node.high}..{node.low}`",
                        [Edit(node.low.span, node.high.text), Edit(node.high.span, node.low.text)],
                    )
                ],
            )
            return types.ANY
        if high > types.MAX_NUMBER:
            self.fault(
                "out-of-range",
                f"expected numbers up to {types.MAX_NUMBER:,}, got {high:,}",
                node.high.span,
                help_="declare the range that the game needs",
            )
            return types.ANY
        return types.IntType(low, high)

    def _bound(self, word: tree.Word) -> int | None:
        """A bound of a range, written as a number or as the name of one."""
        if word.text.lstrip("-").isdigit():
            return int(word.text)
        value = named_number(word.text, self.entries)
        if value is not None:
            self.used.add(("define", word.text))
        elif ("define", word.text) in self.entries:
            self.fault(
                "wrong-type",
                f"`{word}` is not a number that is the same in every state",
                word.span,
                self.declared_at(word.text),
                "write a number, or a definition whose value is one",
            )
        else:
            names = (name for kind, name in self.entries if kind == "define")
            self.unknown("a number", word, [n for n in names if named_number(n, self.entries)])
        return value

    def _optional(self, node: tree.OptionalType) -> types.Type:
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

    def can_be_member(self, type_: types.Type, span: Span) -> bool:
        """Whether there can be sets of a type, with one bit for each member; a fault where not."""
        if isinstance(type_, types.AnyType):
            return True
        if isinstance(type_, types.BoolType | types.SetType | types.DiceType):
            self.fault(
                "wrong-type",
                f"expected members that can be in a set, got {types.describe(type_)}",
                span,
                help_="a set is made of words, numbers or pairs",
            )
            return False
        if not types.is_countable(type_):
            limits = f"at most {types.MAX_VALUES:,} values, numbers below {types.MAX_BITS:,}"
            self.fault(
                "too-large",
                f"expected a type of {limits}, for a set, got {types.describe(type_)}",
                span,
                help_="make sets of a smaller type",
            )
            return False
        return True

    def _union(self, node: tree.UnionType) -> types.Type:
        values: dict[types.Value, None] = {}
        names: list[str] = []
        for part in node.members:
            member = self.type_of(part)
            if isinstance(member, types.WordType):
                values |= dict.fromkeys(member.values)
                names.append(member.name)
            elif not isinstance(member, types.AnyType):
                headline = f"expected words or a type of words, got {member}"
                self.fault("wrong-type", headline, part.span)
        return self.new_word_type(" | ".join(names), values, node.span)

    def new_word_type(self, name: str, values: Iterable[types.Value], span: Span) -> types.Type:
        """A type of words; a fault where there are too many."""
        all_values = tuple(values)
        if len(all_values) > types.MAX_VALUES:
            self.fault(
                "too-large",
                f"expected a type of at most {types.MAX_VALUES:,} values, got {len(all_values):,}",
                span,
                help_="make several types of it",
            )
            return types.ANY
        return types.WordType(name, all_values)

    def word_type(self, word: tree.Word) -> types.WordType | None:
        """A type of words by its name; a fault where there is none."""
        type_ = self.named_types.get(word.text)
        if isinstance(type_, types.WordType):
            self.use_type(word.text)
            return type_
        if not isinstance(type_, types.AnyType):
            self.unknown("a type of words", word, self.word_types())
        return None

    def word_types(self) -> list[str]:
        """The names of all types of words."""
        named = self.named_types.items()
        return [name for name, type_ in named if isinstance(type_, types.WordType)]

    def declare_words(self, owner: types.WordType) -> None:
        """Makes the words that a type is the first to name usable without its name."""
        for value in owner.values:
            if value[0] == owner.name:
                self.owners.setdefault(value[1], []).append(owner)
