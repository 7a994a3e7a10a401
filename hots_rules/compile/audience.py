"""Who knows what, as Python source: a function for each audience of each secret.

`knows_3_0(S, viewer, among, …)` gives the members of `among`, values of the secret's last key, that
`viewer` knows by that audience; the other keys come before. Where the last key is no word, or there is
none, it gives a truth for all the keys. An audience that is open to all has no viewer to compare.

`each_2_0(S, b)` is what the third invariant says of one value of a type: by these functions the values of
hidden things are narrowed down.
"""

from __future__ import annotations

from collections.abc import Iterator

from hots_rules.compile.express import Express
from hots_rules.compile.weave import Woven
from hots_rules.compile.write import said
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation
from hots_rules.rules.typed.visitor import walk


def audiences(woven: Woven, express: Express) -> tuple[list[str], list[str]]:
    """The functions of all secrets, and their rows in the table `SECRETS`."""
    functions, rows = [], []
    for number, secret in enumerate(woven.typed.secrets):
        names = []
        for place, (who, when) in enumerate(secret.audiences):
            name = f"knows_{number}_{place}"
            functions.append(_function(name, secret, _condition(woven, who, when), woven, express))
            names.append(f"({name}, {who is None})")
        rows.append(f"({''.join(f'{name}, ' for name in names)})")
    return functions, rows


def by_mask(secret: tast.SecretDef) -> bool:
    """Whether who knows is asked for many values of the last key at once."""
    return bool(secret.params) and isinstance(secret.params[-1].type, types.WordType)


def depends_on(secret: tast.SecretDef, typed: tast.TypedRuleset) -> list[str]:
    """The variables on which it hangs who knows a secret."""
    return loads_of([p for audience in secret.audiences for p in audience if p is not None], typed)


def loads_of(conditions: list[Expr], typed: tast.TypedRuleset) -> list[str]:
    """The variables that conditions look at, by way of definitions too."""
    found: set[str] = set()
    left = list(conditions)
    definitions: set[str] = set()
    while left:
        for node in walk(left.pop()):
            if isinstance(node, tast.Load):
                found.add(node.variable)
            elif isinstance(node, tast.DefinitionCall) and node.define not in definitions:
                definitions.add(node.define)
                left.append(typed.definitions[node.define].body)
    return sorted(found)


def _condition(woven: Woven, who: Expr | None, when: Expr | None) -> Expr:
    parts = [] if when is None else [when]
    if who is not None:
        viewer = Local("viewer", woven.typed.players)
        parts.insert(0, Operation("eq", (who, viewer), types.BOOL))
    return Operation("and", tuple(parts), types.BOOL)


def _function(
    name: str, secret: tast.SecretDef, condition: Expr, woven: Woven, express: Express
) -> str:
    own = tuple(woven.renamer.fresh(param) for param in secret.params)
    known: dict[str, Expr] = {old.name: new for old, new in zip(secret.params, own, strict=True)}
    known["viewer"] = Local("viewer", woven.typed.players)
    asked = woven.folder.expr(woven.renamer.expr(condition, known))
    if by_mask(secret):
        among = Local("among", types.SetType(own[-1].type))
        found = express.value(tast.Comprehension(own[-1], among, asked, among.type))
        keys = own[:-1]
    else:
        found, keys = express.value(asked), own
    params = ", ".join(["S", "viewer", "among", *(key.name for key in keys)])
    return f"def {name}({params}):  # {said(secret.origin)}\n    return {found}\n"


def members(woven: Woven, express: Express) -> tuple[list[str], list[str], list[types.Type]]:
    """What invariants say of every value of a type: functions, their rows in `EACH`, and the types."""
    functions, rows, claimed = [], [], []
    for number, (condition, origin) in enumerate(woven.invariants.values()):
        for place, (local, holds) in enumerate(_claims(condition)):
            name = f"each_{number}_{place}"
            functions.append(
                f"def {name}(S, {local.name}):  # {said(origin)}\n"
                f"    return {express.condition(woven.folder.expr(holds))}\n"
            )
            rows.append(name)
            claimed.append(local.type)
    return functions, rows, claimed


def _claims(node: Expr) -> Iterator[tuple[Local, Expr]]:
    """The conditions on every member of a set, in a conjunction."""
    match node:
        case Operation(op="and"):
            for arg in node.args:
                yield from _claims(arg)
        case tast.Quantified(kind="all"):
            yield node.local, _unless_in(node.local, node.source, node.body)
        case tast.Quantified(kind="none"):
            yield node.local, _unless_in(node.local, node.source, _not(node.body))
        case Operation(op="no", args=(tast.Comprehension() as found,)):
            yield found.local, _unless_in(found.local, found.source, _not(found.condition))


def _unless_in(local: Local, source: Expr, holds: Expr) -> Expr:
    return Operation("or", (_not(Operation("in", (local, source), types.BOOL)), holds), types.BOOL)


def _not(node: Expr) -> Expr:
    return Operation("not", (node,), types.BOOL)
