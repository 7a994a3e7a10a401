"""Every field of every class of the tree, by whether it decides play: a new field has to be added to one of these."""

from __future__ import annotations

from attrs import fields

from hots_rules.syntax import tree

# Class: the fields that decide play; after `|` those that do not.
_FIELDS = """
Players: name
Clock: names
Board: type shape diagonals | cites
TypeAlias: name type | cites
UnionType: members
NamedType: name
ProductType: name parts
RangeType: low high
SetType: member
PairType: left right
OptionalType: member
Table: name columns rows | cites head
Column: name type
Row: name cells
Cell: words
Variable: name keys type initial internal
Secret: name keys audiences | cites
Audience: who when
Everybody:
Each: name players
Define: name params type body | cites
Param: name type
FirstOf: cases
Case: value when
Event: name params | cites summary
Action: name params parts | cites summary
Permit: lets when | because
Binding: name value
Rule: name parts | cites summary
Guard: condition
ExceptionTo: rules
Forbid: actions lets when | because
Allow: actions lets when | because
Exempt: actions rule when
Target: name names
Handler: timing events when block
On:
Before:
Instead:
After:
Phase: name params block | cites summary
Stage: name params block | cites summary
Scenario: name block | cites summary
PositionEntry: phase
Option: name type default scenarios | cites summary
AllBut: scenarios
Reading: name alternatives | cites summary
Alternative: name default definitions | summary
Redefinition: name params body
Invariant: name condition | cites summary
Block: statements
Assign: place value
Increase: place value
Decrease: place value
Add: value place
Remove: value place
Clear: places
Let: name value
If: condition block rest
Elif: condition block
For: name domain block
Range: low high
List: items
While: condition bound block
Choose: player actions
ChooseEach: name players actions
Roll: number die name keys
Draw: name source weight keys
Shuffle: source into keys
Call: name args
Win: player others
Leave:
Return:
Step: block | name
Place: name keys
Conditional: condition then otherwise
Or: parts
And: parts
Not: body
Some: body
NoneOf: body
Quantifier: name source body
SomeIn: name source body
AllIn: name source body
NoneIn: name source body
SumIn: name source body
MaxIn: name source body
MinIn: name source body
ReachIn: name source body
DistanceIn: name source goal body
LetIn: lets body
AfterIn: action args player body
Compare: left operator right
IsA: body type
ScenarioIs: operator name
UnionOf: parts
Intersection: parts
Plus: left right
Minus: left right
Times: left right
Div: left right
Mod: left right
Cast: body type
Negative: body
Number: value
Unlimited:
Truth: value
Reference: name
Qualified: type name
Apply: name args
Index: name keys
Pair: left right
Set: members
Comprehension: name source condition
"""

FOR_READERS = {
    "Head": "columns",
    "Map": "variable across down terrain links",
    "Links": "table ends colour",
    "Promise": "name actions cites summary condition",
    "Policy": "name cites summary parts",
    "Prefer": "actions when",
    "Question": "name params body cites summary",
    "Because": "sentence givens",
    "Sentence": "text values",
    "Given": "name value",
}
"""Classes of which nothing decides play."""

CHANGES = {
    "File": "items",
    "Ruleset": "name title extends",
    "Amend": "declaration",
    "AmendPart": "owner name cites",
    "AmendCell": "owner name column cell cites",
    "AmendStep": "owner name cites summary block",
    "AmendClause": "owner name cites summary parts",
    "AmendRow": "verb owner name cites cells",
    "AmendColumn": "verb owner name type cell cites",
    "AmendAlternative": "verb owner name cites summary default definitions",
    "Repeal": "kind name cites",
    "RepealPart": "part owner name cites",
    "Reword": "kind name cites reason summary",
    "Settle": "reading alternative cites",
    "State": "cites variables",
    "Label": "language entries",
    "Entry": "key text",
    "ValueKey": "type name",
    "DeclarationKey": "kind name summary",
    "TextKey": "text",
}
"""Classes that are applied before the digest is taken: it covers what they have changed."""


def decides_play() -> dict[tuple[str, str], bool]:
    """Whether a field decides play, by its class and its name."""
    found = {}
    for line in _FIELDS.strip().splitlines():
        kind, _, names = line.partition(":")
        deciding, _, others = names.partition("|")
        found |= {(kind, name): True for name in deciding.split()}
        found |= {(kind, name): False for name in others.split()}
    return found


def listed_fields() -> dict[str, set[str]]:
    """The fields that are listed here, by their class."""
    found = {line.partition(":")[0]: set[str]() for line in _FIELDS.strip().splitlines()}
    for kind, name in decides_play():
        found[kind].add(name)
    others = FOR_READERS | CHANGES
    return found | {kind: set(names.split()) for kind, names in others.items()}


def fields_of_the_tree() -> dict[str, set[str]]:
    """The fields of the tree without their places, by their class."""
    kinds = (
        kind
        for kind in vars(tree).values()
        if isinstance(kind, type) and issubclass(kind, tree.Node) and kind is not tree.Node
    )
    return {kind.__name__: {each.name for each in fields(kind)} - {"span"} for kind in kinds}
