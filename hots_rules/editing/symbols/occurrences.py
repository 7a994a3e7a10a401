"""The names in a declaration: which words are names, what each may name, and which are local."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from attrs import fields, frozen

from hots_rules.diagnostics import Span
from hots_rules.syntax import tree
from hots_rules.syntax.pieces import ParsedPiece

LOCAL, VALUE, COLUMN, PRODUCT, STEP, SECTION, RULESET = (
    "local",
    "value",
    "column",
    "product",
    "step",
    "section",
    "ruleset",
)
TYPES = ("type", "table", PRODUCT, "reading")
ANY_VALUE = (LOCAL, "variable", "option", "reading", "define", VALUE, *TYPES)
CALLED = ("event", "phase", "stage")

# What the word in a field of a node names: the kinds that it may be, the likeliest first.
_USES: Mapping[tuple[str, str], tuple[str, ...]] = MappingProxyType(
    {
        ("NamedType", "name"): TYPES,
        ("Qualified", "type"): TYPES,
        ("IsA", "type"): TYPES,
        ("Cast", "type"): TYPES,
        ("Qualified", "name"): (VALUE,),
        ("Reference", "name"): ANY_VALUE,
        ("Apply", "name"): ("define", PRODUCT),
        ("Index", "name"): ("variable", COLUMN, "table"),
        ("Place", "name"): ("variable",),
        ("Shuffle", "into"): ("variable",),
        ("Secret", "name"): ("variable", *TYPES),
        ("Call", "name"): CALLED,
        ("Target", "name"): ("action", "event"),
        ("Choose", "actions"): ("action",),
        ("ChooseEach", "actions"): ("action",),
        ("AfterIn", "action"): ("action",),
        ("ExceptionTo", "rules"): ("rule",),
        ("Exempt", "rule"): ("rule",),
        ("Players", "name"): TYPES,
        ("Clock", "names"): ("variable",),
        ("Board", "type"): TYPES,
        ("Map", "variable"): ("variable",),
        ("Map", "across"): (COLUMN,),
        ("Map", "down"): (COLUMN,),
        ("Links", "table"): ("table",),
        ("Links", "ends"): (COLUMN,),
        ("Links", "colour"): (COLUMN,),
        ("PositionEntry", "phase"): ("phase",),
        ("Option", "scenarios"): ("scenario",),
        ("AllBut", "scenarios"): ("scenario",),
        ("ScenarioIs", "name"): ("scenario",),
        ("Head", "columns"): (COLUMN,),
        ("Cell", "words"): (VALUE, *TYPES),
        ("RangeType", "low"): ("define",),
        ("RangeType", "high"): ("define",),
        ("Redefinition", "name"): ("define", "event"),
        ("Settle", "reading"): ("reading",),
        ("Settle", "alternative"): (VALUE,),
        ("AmendCell", "owner"): ("table",),
        ("AmendCell", "name"): (VALUE,),
        ("AmendCell", "column"): (COLUMN,),
        ("AmendStep", "owner"): ("phase", "stage", "action", "rule", "scenario"),
        ("AmendStep", "name"): (STEP,),
        ("AmendClause", "owner"): ("rule", "action"),
        ("AmendClause", "name"): ("action", "event"),
        ("AmendRow", "owner"): ("table",),
        ("AmendRow", "name"): (VALUE,),
        ("AmendColumn", "owner"): ("table",),
        ("AmendColumn", "name"): (COLUMN,),
        ("AmendAlternative", "owner"): ("reading",),
        ("AmendAlternative", "name"): (VALUE,),
        ("RepealPart", "owner"): (
            "table",
            "reading",
            "rule",
            "phase",
            "stage",
            "action",
            "scenario",
        ),
        ("RepealPart", "name"): (STEP, VALUE, COLUMN, "action", "event"),
        ("ValueKey", "type"): TYPES,
        ("ValueKey", "name"): (VALUE, PRODUCT),
        ("Ruleset", "extends"): (RULESET,),
    }
)
_LOCALS = frozenset(
    {
        ("Each", "name"),
        ("Given", "name"),
        ("Binding", "name"),
        ("Let", "name"),
        ("For", "name"),
        ("ChooseEach", "name"),
        ("Roll", "name"),
        ("Draw", "name"),
        ("SomeIn", "name"),
        ("AllIn", "name"),
        ("NoneIn", "name"),
        ("SumIn", "name"),
        ("MaxIn", "name"),
        ("MinIn", "name"),
        ("ReachIn", "name"),
        ("DistanceIn", "name"),
        ("Comprehension", "name"),
        ("Target", "names"),
        ("Secret", "keys"),
        ("Redefinition", "params"),
    }
)
_DECLARES: Mapping[str, str] = MappingProxyType(
    {
        "Define": "define",
        "Event": "event",
        "Action": "action",
        "Rule": "rule",
        "Phase": "phase",
        "Stage": "stage",
        "Scenario": "scenario",
        "Option": "option",
        "Reading": "reading",
        "Invariant": "invariant",
        "Promise": "promise",
        "Policy": "policy",
        "Question": "question",
        "TypeAlias": "type",
        "Table": "table",
        "Variable": "variable",
        "Column": COLUMN,
        "Row": VALUE,
        "Alternative": VALUE,
        "ProductType": PRODUCT,
        "Step": STEP,
        "Ruleset": RULESET,
    }
)


@frozen
class Occurrence:
    """A name at a place.

    Attributes:
        text: the name as written.
        span: where it is.
        kinds: what it may name, the likeliest first; a local name of its declaration, if `local` is the only one.
        is_declaration: whether it is declared here.
    """

    text: str
    span: Span
    kinds: tuple[str, ...]
    is_declaration: bool = False


def occurrences(piece: ParsedPiece) -> list[Occurrence]:
    """The names in a declaration, in the order of the text."""
    unbound = [occurrence for item in piece.items for occurrence in _of_node(item, in_type=False)]
    locals_ = {occurrence.text for occurrence in unbound if occurrence.kinds == (LOCAL,)}
    bound = [
        Occurrence(occurrence.text, occurrence.span, (LOCAL,))
        if occurrence.kinds[0] == LOCAL and occurrence.text in locals_
        else occurrence
        for occurrence in unbound
    ]
    return sorted(
        dict.fromkeys(bound), key=lambda occurrence: (occurrence.span.line, occurrence.span.column)
    )


def occurrence_at(piece: ParsedPiece | None, line: int, column: int) -> Occurrence | None:
    """The name at a place, or just before it."""
    for occurrence in occurrences(piece) if piece else ():
        if (
            occurrence.span.line == line
            and occurrence.span.column <= column <= occurrence.span.end_column
        ):
            return occurrence
    return None


def _of_node(node: tree.Node, *, in_type: bool) -> Iterator[Occurrence]:
    kind = type(node).__name__
    for attribute in fields(type(node)):
        if attribute.name == "span":
            continue
        value = getattr(node, attribute.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, tree.Word):
                yield from _of_word(node, kind, attribute.name, part, in_type)
            elif isinstance(part, tree.Node):
                inner = in_type or isinstance(node, tree.TypeAlias)
                yield from _of_node(part, in_type=inner)


def _of_word(
    node: tree.Node, kind: str, name: str, word: tree.Word, in_type: bool
) -> Iterator[Occurrence]:
    if name == "cites":
        yield Occurrence(word.text, word.span, (SECTION,))
    elif (kind, name) == ("Param", "name"):
        yield Occurrence(word.text, word.span, (COLUMN if in_type else LOCAL,), True)
    elif name == "name" and kind in _DECLARES:
        yield Occurrence(word.text, word.span, (_DECLARES[kind],), True)
    elif (kind, name) in _LOCALS:
        yield Occurrence(word.text, word.span, (LOCAL,))
    elif (kinds := _kinds_of_line(node, name) or _USES.get((kind, name), ())) and (
        word.text[:1].isalpha() or word.text[:1] == "_"
    ):
        yield Occurrence(word.text, word.span, kinds)


def _kinds_of_line(node: tree.Node, name: str) -> tuple[str, ...]:
    """The kind of a name in a line that says it itself, such as `repeal rule x` and `label … rule x`."""
    if name == "name" and isinstance(node, tree.Repeal | tree.Reword | tree.DeclarationKey):
        return ("stage", "phase") if node.kind.text == "stage" else _aliases(node.kind.text)
    return ()


def _aliases(kind: str) -> tuple[str, ...]:
    return {"type": TYPES, "column": (COLUMN,)}.get(kind, (kind,))
