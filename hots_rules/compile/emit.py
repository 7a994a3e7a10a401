"""A program as the source of one Python module of plain functions."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from attrs import field, frozen

from hots_rules.compile.audience import audiences, members
from hots_rules.compile.chain import Chains
from hots_rules.compile.codes import lowest_code
from hots_rules.compile.express import Express
from hots_rules.compile.flatten import Flattener
from hots_rules.compile.layout import Layout, laid_out, wants_index
from hots_rules.compile.listing import Listing, action_size
from hots_rules.compile.program import Program
from hots_rules.compile.stops import Stops
from hots_rules.compile.weave import Procedure, Woven
from hots_rules.compile.write import Sheet, Writer, function_name, said
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Body, Expr
from hots_rules.rules.typed.visitor import expressions


@frozen
class Emitted:
    """The source of a module, and what the machine must know beside it."""

    source: str
    layout: Layout
    program: Program
    origins: list[tast.Origin]
    bases: dict[str, int]
    checks: list[str]
    claimed: list[types.Type]


def emit(woven: Woven, *, traced: bool) -> Emitted:
    """The module of one ruleset under one choice of settings; the traced one notes what happens in `S.log`."""
    flattener = Flattener(woven)
    program = flattener.flattened()
    layout = laid_out(woven.typed, wants_index(_all_expressions(woven), woven.typed), program.frame)
    express = Express(woven.typed, woven.folder, layout, woven.renamer)
    ending = _may_end(woven.procedures)
    sheet = Sheet(woven, program, layout, express, flattener.interrupted, traced, ending)
    return _Emitter(sheet).emitted()


def _all_expressions(woven: Woven) -> list[Expr]:
    found = [e for p in woven.procedures.values() for e in expressions(p.body)]
    found += [clause.when for action in woven.actions.values() for clause in action.clauses]
    found += [definition.body for definition in woven.typed.definitions.values()]
    return found + [condition for condition, _ in woven.invariants.values()]


def _may_end(procedures: Mapping[str, Procedure]) -> frozenset[str]:
    """The procedures that may end the game, straight or through what they call."""
    found: set[str] = set()
    grown = True
    while grown:
        fresh = {k for k, p in procedures.items() if k not in found and _ends(p.body, found)}
        grown = bool(fresh)
        found |= fresh
    return frozenset(found)


def _ends(body: Body, known: set[str]) -> bool:
    for node in body:
        match node:
            case tast.EndGame():
                return True
            case tast.EmitEvent() if f"event {node.event}" in known:
                return True
            case tast.CallPhase() if f"phase {node.phase}" in known:
                return True
            case tast.Branch():
                if any(_ends(block, known) for _, block in node.cases) or _ends(
                    node.otherwise, known
                ):
                    return True
            case tast.ForEach() | tast.Loop() | tast.WithOrigin():
                if _ends(node.body, known):
                    return True
    return False


@frozen
class _Emitter:
    sheet: Sheet
    stops: Stops = field(init=False)

    @stops.default
    def _stops(self) -> Stops:
        return Stops(self.sheet)

    @property
    def woven(self) -> Woven:
        return self.sheet.woven

    def emitted(self) -> Emitted:
        """The whole module: constants and definitions last found, first written."""
        sheet = self.sheet
        bases, base = {}, 0
        for name, action in self.woven.actions.items():
            bases[name] = base
            base += action_size(action)
        blocks = Chains(sheet).blocks()
        knowing, secrets = audiences(self.woven, sheet.express)
        claims, each, claimed = members(self.woven, sheet.express)
        parts = [*self._procedures(), *blocks.values(), *self._choices(bases), *self.stops.functions(),
                 *self._invariants(), *knowing, *claims,
                 self._tables(bases, blocks, {"SECRETS": secrets, "EACH": each})]  # fmt: skip
        constants = [f"{name} = {text}\n" for name, text in sheet.express.constants.items()]
        source = "\n\n".join(["".join(constants), *sheet.express.functions.values(), *parts])
        return Emitted(
            source, sheet.layout, sheet.program, sheet.origins, bases, sheet.express.checks, claimed
        )

    # -------------------------------------------------------------- procedures that never stop
    def _procedures(self) -> list[str]:
        found = []
        for key, procedure in self.woven.procedures.items():
            if key in self.sheet.interrupted or procedure.kind == "scenario":
                continue
            params = ", ".join(["S", *(p.name for p in procedure.params)])
            writer = Writer(self.sheet, "return", self.sheet.origin(procedure.origin))
            writer.note(procedure)
            writer.whole(procedure.body)
            body = writer.text()
            found.append(
                f"def {function_name(procedure)}({params}):  # {said(procedure.origin)}\n{body}"
            )
        return found

    # -------------------------------------------------------------- choices
    def _choices(self, bases: dict[str, int]) -> list[str]:
        found = []
        for name, action in self.woven.actions.items():
            found.append(Listing(self.sheet.express, action, bases[name]).source())
            found.append(self._choose(name, bases[name]))
        return found

    def _choose(self, name: str, base: int) -> str:
        """`choose_fire(S, code, after)`: what the chosen action does, and the block after it."""
        procedure = self.woven.procedures[f"action {name}"]
        writer = Writer(self.sheet, "return HALT", 0)
        if base:
            writer.add(f"code -= {base}")
        for param in reversed(procedure.params[1:]):
            low = lowest_code(param.type)
            writer.add(f"code, {param.name} = divmod(code, {types.size(param.type)})")
            if low:
                writer.add(f"{param.name} += {low}")
        writer.add(f"{procedure.params[0].name} = code")
        names = [p.name for p in procedure.params]
        if procedure.key in self.sheet.interrupted:
            routine = self.sheet.program.routines[procedure.key]
            for param in procedure.params:
                writer.add(f"{self.sheet.express.local(param)} = {param.name}")
            writer.add(f"{self.sheet.express.local(routine.back)} = after")
            writer.add(f"return {routine.entry}")
        else:
            writer.add(f"{function_name(procedure)}({', '.join(['S', *names])})")
            if procedure.key in self.sheet.ending:
                writer.add("if S[1]: return HALT")
            writer.add("return after")
        return f"def choose_{name}(S, code, after):\n{writer.text()}"

    # -------------------------------------------------------------- the rest
    def _invariants(self) -> list[str]:
        return [f"def invariant_{number}(S):  # {said(origin)}\n    return {self.sheet.express.condition(condition)}\n"
                for number, (condition, origin) in enumerate(self.woven.invariants.values())]  # fmt: skip

    def _tables(
        self, bases: dict[str, int], written: Container[int], more: dict[str, list[str]]
    ) -> str:
        """The tables by which the machine finds everything."""
        blocks = range(len(self.sheet.program.blocks))
        calls = self.sheet.program.calls.items()
        rows: dict[str, Iterable[str]] = {
            "BLOCKS": (f"block_{n}" if n in written else "None" for n in blocks),
            "POINTS": self.stops.rows(),
            "ACTIONS": (f"({base}, choose_{name})" for name, base in bases.items()),
            "INVARIANTS": (
                f"({name!r}, invariant_{n})" for n, name in enumerate(self.woven.invariants)
            ),
            **more,
        }
        named = ", ".join(f"{block}: {self.stops.scope(scope)}" for block, scope in calls)
        tables = [
            f"{name} = ({''.join(f'{row}, ' for row in found)})\n" for name, found in rows.items()
        ]
        return "".join([*tables, f"CALLS.update({{{named}}})\n"])
