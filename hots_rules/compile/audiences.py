"""Secrets as Python source: who knows what, and what invariants claim about single values.

`knows_3_0(S, viewer, among, …)` gives the members of `among`, values of the last key of the fourth secret, that
`viewer` knows as part of its first audience; the other keys follow. If the last key is not a word, or there is
no key, the result is a truth value for the given keys. An audience that is open to everybody ignores `viewer`.

`claim_2_0(S, b)` is a condition of the third invariant on one value of a type: such functions restrict the values
that hidden things can have.
"""

from collections.abc import Iterator

from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler
from hots_rules.compile.facts import ClaimFacts
from hots_rules.compile.link import LinkedRules
from hots_rules.compile.rewrite import substitute
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import state_read
from hots_rules.rules.typed.tast import Expr, Local, Operation


def audience_functions(
    linked: LinkedRules, compiler: ExpressionCompiler
) -> tuple[list[str], list[str]]:
    """The functions of all secrets, and their rows in the table `SECRETS`."""
    functions, rows = [], []
    for number, secret in enumerate(linked.typed.secrets):
        entries = ""
        for place, audience in enumerate(secret.audiences):
            name = f"knows_{number}_{place}"
            condition = _condition(linked, audience)
            functions.append(_function(name, secret, condition, linked, compiler))
            entries += f"({name}, {audience.who is None}), "
        rows.append(f"({entries})")
    return functions, rows


def is_vectorized(secret: tast.SecretDef) -> bool:
    """Whether the functions of a secret take a mask of values of its last key."""
    return bool(secret.params) and isinstance(secret.params[-1].type, types.WordType)


def audience_variables(secret: tast.SecretDef, typed: tast.TypedRuleset) -> tuple[str, ...]:
    """The state variables that decide who knows a secret."""
    return free_variables(
        [part for audience in secret.audiences for part in audience.conditions], typed
    )


def free_variables(conditions: list[Expr], typed: tast.TypedRuleset) -> tuple[str, ...]:
    """The state variables that conditions read, directly or through definitions, sorted by name."""
    return tuple(sorted(state_read(conditions, typed)))


def _condition(linked: LinkedRules, audience: tast.Audience) -> Expr:
    parts = [] if audience.when is None else [audience.when]
    viewer = Local("viewer", linked.typed.players)
    if audience.each is not None and audience.who is not None:
        parts = [substitute(part, {audience.each.name: viewer}) for part in parts]
        parts.insert(0, Operation("in", (viewer, audience.who), types.BOOL))
    elif audience.who is not None:
        parts.insert(0, Operation("eq", (audience.who, viewer), types.BOOL))
    return Operation("and", tuple(parts), types.BOOL)


def _function(
    name: str,
    secret: tast.SecretDef,
    condition: Expr,
    linked: LinkedRules,
    compiler: ExpressionCompiler,
) -> str:
    own = tuple(linked.renamer.fresh(param) for param in secret.params)
    names: dict[str, Expr] = {old.name: new for old, new in zip(secret.params, own, strict=True)}
    names["viewer"] = Local("viewer", linked.typed.players)
    test = linked.folder.expr(linked.renamer.expr(condition, names))
    if is_vectorized(secret):
        among = Local("among", types.SetType(own[-1].type))
        result = compiler.value(tast.Comprehension(own[-1], among, test, among.type))
        keys = own[:-1]
    else:
        result, keys = compiler.value(test), own
    params = ", ".join(["S", "viewer", "among", *(key.name for key in keys)])
    return f"def {name}({params}):  # {secret.origin.cited}\n    return {result}\n"


def claim_functions(
    linked: LinkedRules, compiler: ExpressionCompiler
) -> tuple[list[str], list[str], list[ClaimFacts]]:
    """What invariants claim about each value of a type: functions, their names for `CLAIMS`, and their facts."""
    functions, names, facts = [], [], []
    for number, (condition, origin) in enumerate(linked.invariants.values()):
        for place, (local, claim) in enumerate(_claims(condition)):
            name = f"claim_{number}_{place}"
            test = compiler.condition(linked.folder.expr(claim))
            comment = origin.cited
            functions.append(f"def {name}(S, {local.name}):  # {comment}\n    return {test}\n")
            names.append(name)
            facts.append(ClaimFacts(local.type, number))
    return functions, names, facts


def _claims(node: Expr) -> Iterator[tuple[Local, Expr]]:
    """The conditions on each member of a set, in a conjunction; of `a or b`, those of the last part."""
    match node:
        case Operation(op="and"):
            for arg in node.args:
                yield from _claims(arg)
        case Operation(op="or"):
            for local, claim in _claims(node.args[-1]):
                yield local, Operation("or", (*node.args[:-1], claim), types.BOOL)
        case tast.Quantified(kind="all"):
            yield node.local, _implied_by_membership(node.local, node.source, node.body)
        case tast.Quantified(kind="none"):
            yield node.local, _implied_by_membership(node.local, node.source, _not(node.body))
        case Operation(op="no", args=(tast.Comprehension() as members,)):
            yield (
                members.local,
                _implied_by_membership(members.local, members.source, _not(members.condition)),
            )


def _implied_by_membership(local: Local, source: Expr, holds: Expr) -> Expr:
    return Operation("or", (_not(Operation("in", (local, source), types.BOOL)), holds), types.BOOL)


def _not(node: Expr) -> Expr:
    return Operation("not", (node,), types.BOOL)
