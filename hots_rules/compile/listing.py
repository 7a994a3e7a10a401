"""The functions that list the legal instances of an action.

The parameters are tried in their order. A condition is looked at as soon as all it speaks of is
known; a condition that is membership in a set narrows the loop instead of testing inside it.
"""

from __future__ import annotations

from attrs import define, field

from hots_rules.compile.codes import codes_of, lowest_code
from hots_rules.compile.express import Express, free_names
from hots_rules.compile.fold import FALSE
from hots_rules.compile.masks import Found, Mask, Masks, full, mentions
from hots_rules.compile.weave import Choosable
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local, Operation


def conditions(action: Choosable) -> list[Expr]:
    """What must hold for an action to be legal: a permit, and no forbid."""
    permits = [clause.when for clause in action.clauses if clause.kind == "permit"]
    forbids = [clause.when for clause in action.clauses if clause.kind == "forbid"]
    if not permits:
        return [FALSE]
    allowed = permits[0] if len(permits) == 1 else Operation("or", tuple(permits), types.BOOL)
    return [allowed, *(Operation("not", (forbid,), types.BOOL) for forbid in forbids)]


@define
class _Level:
    """What is done once a number of parameters is known: tests, masks for later parameters, and late
    masks, which may fail and so must wait until all that stands before them has held for something."""

    tests: list[Expr] = field(factory=list)
    masks: dict[int, list[Found]] = field(factory=dict)
    late: dict[int, list[Found]] = field(factory=dict)


class Listing:
    """Writes the listing function of one action."""

    def __init__(self, express: Express, action: Choosable, base: int) -> None:
        self.express = express
        self.action = action
        self.base = base
        self.levels = [_Level() for _ in range(len(action.params) + 1)]
        self.lines: list[str] = []

    def source(self) -> str:
        """`def list_move(S, actor, out)`, appending the codes of legal moves to `out`."""
        self._sort_conditions()
        self.lines = [f"def list_{self.action.name}(S, {self.action.actor.name}, out):"]
        self._level(0, "    ", {})
        return "\n".join(self.lines) + "\n"

    def _sort_conditions(self) -> None:
        reached = 0
        for condition in (
            part for c in conditions(self.action) for part in self.express.conjuncts(c)
        ):
            reached = max(reached, self._sort(condition, reached))

    def _sort(self, condition: Expr, reached: int) -> int:
        """Puts a condition where it is looked at; the level at which it is known to hold.

        What may fail stays behind all that was written before it, because that may guard it.
        """
        names = [param.name for param in self.action.params]
        used = sorted({names.index(name) for name in free_names(condition) if name in names})
        last = used[-1] if used else -1
        early = used[-2] + 1 if len(used) > 1 else 0
        if self.express.may_fail(condition):
            inside = self._set_that_may_fail(condition, last)
            if inside is not None and reached <= early:
                self.levels[early].late.setdefault(last, []).append(inside)
                return early
            at = max(reached, last + 1)
            self.levels[at].tests.append(condition)
            return at
        if used and (mask := self._mask(condition, last)) is not None:
            self.levels[early].masks.setdefault(last, []).append(mask)
            return early
        self.levels[last + 1].tests.append(condition)
        return last + 1

    def _mask(self, condition: Expr, at: int) -> Found | None:
        param = self.action.params[at]
        if not isinstance(param.type, types.WordType):
            return None
        return Masks(self.express, param).mask(condition)

    def _set_that_may_fail(self, condition: Expr, at: int) -> Found | None:
        """`x in S` or `x not in S`, where finding `S` may fail but does not depend on `x`."""
        negated = isinstance(condition, Operation) and condition.op == "not"
        inner = condition.args[0] if isinstance(condition, Operation) and negated else condition
        if at < 0 or not isinstance(inner, Operation) or inner.op != "in":
            return None
        param = self.action.params[at]
        if (
            inner.args[0] != param
            or mentions(inner.args[1], param)
            or not isinstance(param.type, types.WordType)
        ):
            return None
        return Mask(self.express.value(inner.args[1]), inverted=negated)

    def _level(self, level: int, indent: str, masks: dict[int, str]) -> None:
        """What is known after `level` parameters: masks of later ones, tests, then the next loop."""
        params = self.action.params
        leave = "return" if level == 0 else "continue"
        found = self.levels[level]
        if found.tests:
            tests = " and ".join(self.express.condition(test) for test in found.tests)
            self.lines.append(f"{indent}if not ({tests}): {leave}")
        known = dict(masks)
        for late, at, parts in [
            *((0, a, p) for a, p in sorted(found.masks.items())),
            *((1, a, p) for a, p in sorted(found.late.items())),
        ]:
            whole = Masks(self.express, params[at]).all_of(
                [*([Mask(known[at])] if at in known else []), *parts]
            )
            if at == level and at not in known and not found.late:
                known[at] = whole
                continue
            known[at] = f"m{at}at{level}{'late' if late else ''}"
            self.lines += [f"{indent}{known[at]} = {whole}", f"{indent}if not {known[at]}: {leave}"]
        if level == len(params):
            self.lines.append(f"{indent}out.append({self._code()})")
        else:
            self._loop(level, indent, known)

    def _loop(self, level: int, indent: str, masks: dict[int, str]) -> None:
        params = self.action.params
        domain = self._domain(level, masks)
        if level == len(params) - 1 and self._is_plain(level + 1):
            head = self._code(len(params) - 1)
            tail = self._digit(params[-1])
            self.lines += [
                f"{indent}head = {head}",
                f"{indent}out += [head + {tail} for {params[-1].name} in {domain}]",
            ]
        elif level == len(params) - 2 and self._is_plain(level + 1) and self._is_plain(level + 2):
            self._last_two(indent, domain, self._domain(level + 1, masks))
        else:
            self.lines.append(f"{indent}for {params[level].name} in {domain}:")
            self._level(level + 1, indent + "    ", masks)

    def _last_two(self, indent: str, first: str, second: str) -> None:
        """Two parameters that do not depend on each other: every pair at once."""
        one, other = self.action.params[-2:]
        many = types.size(other.type)
        pair = f"{self._digit(one)} * {many} + {self._digit(other)}"
        loops = f"for {one.name} in {first} for {other.name} in inner"
        self.lines += [
            f"{indent}head = {self._code(len(self.action.params) - 2)}",
            f"{indent}inner = {second}",
            f"{indent}out += [head + {pair} {loops}]",
        ]

    def _domain(self, level: int, masks: dict[int, str]) -> str:
        type_ = self.action.params[level].type
        if isinstance(type_, types.WordType):
            return f"bits({masks.get(level, str(full(type_)))})"
        codes = codes_of(type_)
        return f"range({codes.start}, {codes.stop})"

    def _is_plain(self, level: int) -> bool:
        """Whether nothing is looked at on a level."""
        found = self.levels[level]
        return not (found.tests or found.masks or found.late)

    @staticmethod
    def _digit(param: Local) -> str:
        low = lowest_code(param.type)
        return param.name if low == 0 else f"({param.name} - {low})"

    def _code(self, known: int | None = None) -> str:
        """The number of an action: its base, then actor and parameters in mixed radix.

        With `known` the parameters after so many count as 0.
        """
        known = len(self.action.params) if known is None else known
        text = self.action.actor.name
        for i, param in enumerate(self.action.params):
            text = f"({text}) * {types.size(param.type)}"
            if i < known:
                text += f" + {self._digit(param)}"
        return f"{self.base} + {text}"


def action_size(action: Choosable) -> int:
    """How many instances an action has, legal or not."""
    total = 1
    for param in (action.actor, *action.params):
        total *= types.size(param.type)
    return total
