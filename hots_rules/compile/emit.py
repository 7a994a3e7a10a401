"""A program as the source of one Python module of plain functions."""

from __future__ import annotations

from attrs import define, field

from hots_rules.compile.evaluate import codes_of, lowest_code
from hots_rules.compile.express import Express
from hots_rules.compile.flatten import Flattener
from hots_rules.compile.layout import Block as Slots
from hots_rules.compile.layout import Layout, laid_out, wants_index
from hots_rules.compile.listing import Listing, action_size
from hots_rules.compile.program import (
    Ask,
    Back,
    Block,
    Decision,
    Dice,
    Drawing,
    Goto,
    Program,
    Scope,
    Site,
    Test,
)
from hots_rules.compile.rewrite import expressions
from hots_rules.compile.weave import Procedure, Woven
from hots_rules.rules import finite as t
from hots_rules.rules import typed as ty
from hots_rules.rules.typed import Body, Expr, Statement


MAX_INDENT = 16


@define
class Emitted:
    """The source of a module, and what the machine must know beside it."""

    source: str
    layout: Layout
    program: Program
    origins: list[ty.Origin]
    bases: dict[str, int]
    checks: list[str]


@define
class Emitter:
    """Writes the module of one ruleset under one choice of settings; `traced` writes the second one,
    which notes what happens in `S.log`."""

    woven: Woven
    traced: bool
    program: Program = field(init=False)
    express: Express = field(init=False)
    layout: Layout = field(init=False)
    interrupted: frozenset[str] = field(init=False)
    entries: dict[int, Procedure] = field(init=False)
    alone: frozenset[int] = field(init=False)
    written: dict[int, str] = field(init=False)
    origins: list[ty.Origin] = field(factory=list)
    ending: set[str] = field(factory=set)

    def emitted(self) -> Emitted:
        """The whole module."""
        flattener = Flattener(self.woven)
        self.program = flattener.flattened()
        self.interrupted = flattener.interrupted
        self.layout = laid_out(
            self.woven.typed,
            wants_index(self._all_expressions(), self.woven.typed),
            self.program.frame,
        )
        self.express = Express(self.woven.typed, self.woven.folder, self.layout, self.woven.renamer)
        self.ending = self._may_end()
        bases, base = {}, 0
        for name, action in self.woven.actions.items():
            bases[name] = base
            base += action_size(action)
        parts = [
            *self._procedures(),
            *self._blocks(),
            *self._choices(bases),
            *self._sites(),
            *self._invariants(),
            self._tables(bases),
        ]
        constants = [f"{name} = {text}\n" for name, text in self.express.constants.items()]
        functions = list(self.express.functions.values())
        source = "\n\n".join(["".join(constants), *functions, *parts])
        return Emitted(source, self.layout, self.program, self.origins, bases, self.express.checks)

    def _all_expressions(self) -> list[Expr]:
        found = [e for p in self.woven.procedures.values() for e in expressions(p.body)]
        found += [
            clause.when for action in self.woven.actions.values() for clause in action.clauses
        ]
        found += [definition.body for definition in self.woven.typed.definitions.values()]
        return found + [condition for condition, _ in self.woven.invariants.values()]

    def _may_end(self) -> set[str]:
        """The procedures that may end the game, straight or through what they call."""
        found: set[str] = set()
        grown = True
        while grown:
            grown = False
            for key, procedure in self.woven.procedures.items():
                if key not in found and _ends(procedure.body, found):
                    found.add(key)
                    grown = True
        return found

    def origin(self, origin: ty.Origin) -> int:
        """The number of a rule in the module's list of sources."""
        if origin not in self.origins:
            self.origins.append(origin)
        return self.origins.index(origin)

    # -------------------------------------------------------------- procedures that never stop
    def _procedures(self) -> list[str]:
        found = []
        for key, procedure in self.woven.procedures.items():
            if key in self.interrupted or procedure.kind == "scenario":
                continue
            params = ", ".join(["S", *(p.name for p in procedure.params)])
            writer = _Writer(self, "return", self.origin(procedure.origin))
            writer.note(procedure)
            writer.body(procedure.body)
            body = writer.text() or "    pass\n"
            found.append(
                f"def {function_name(procedure)}({params}):  # {said(procedure.origin)}\n{body}"
            )
        return found

    # -------------------------------------------------------------- blocks
    def _blocks(self) -> list[str]:
        """A function for each block that is come to from several sides or by its number.

        A block that only one other leads to is written into that one, so that play seldom jumps.
        """
        self.entries = {
            routine.entry: self.woven.procedures[key]
            for key, routine in self.program.routines.items()
        }
        self.alone = alone(self.program)
        self.written: dict[int, str] = {}
        pending = [number for number in range(len(self.program.blocks)) if number not in self.alone]
        while pending:
            number = pending.pop(0)
            if number not in self.written:
                writer = _Writer(self, "return HALT", 0)
                self.written[number] = ""
                pending += self._chain(number, writer, 0)
                entry = self.entries.get(number)
                comment = f"  # {said(entry.origin)}" if entry is not None else ""
                self.written[number] = f"def block_{number}(S):{comment}\n{writer.text()}"
        return [self.written[number] for number in sorted(self.written)]

    def _chain(self, number: int, writer: _Writer, depth: int) -> list[int]:
        """Writes a block and those that only it leads to; the blocks that could not be written here."""
        block = self.program.blocks[number]
        if number in self.entries:
            writer.note(self.entries[number])
        writer.body(block.body)
        match block.end:
            case Goto():
                return self._on(block.end.block, writer, depth)
            case Test():
                writer.add(f"if {self.express.condition(block.end.condition)}:")
                writer.indent += "    "
                left = self._on(block.end.then, writer, depth + 1)
                writer.indent = writer.indent[:-4]
                return left + self._on(block.end.otherwise, writer, depth)
            case Ask():
                writer.add(f"return {-1 - block.end.site}")
            case Back():
                slot = self.express.local(block.end.to)
                writer.add(f"k, {slot} = {slot}, 0")
                writer.add("return k")
            case _:
                writer.add("return HALT")
        return []

    def _on(self, number: int, writer: _Writer, depth: int) -> list[int]:
        number = self._threaded(number)
        if number in self.alone and depth < MAX_INDENT:
            return self._chain(number, writer, depth)
        writer.add(f"return {number}")
        return [number] if number in self.alone else []

    def _threaded(self, number: int) -> int:
        """Past blocks that only lead on."""
        seen = {number}
        while True:
            block = self.program.blocks[number]
            plain = not block.body and isinstance(block.end, Goto) and number not in self.entries
            if not plain or not isinstance(block.end, Goto) or block.end.block in seen:
                return number
            number = block.end.block
            seen.add(number)

    # -------------------------------------------------------------- choices
    def _choices(self, bases: dict[str, int]) -> list[str]:
        found = []
        for name, action in self.woven.actions.items():
            found.append(Listing(self.express, action, bases[name]).source())
            found.append(self._choose(name, bases[name]))
        return found

    def _choose(self, name: str, base: int) -> str:
        """`choose_fire(S, code, after)`: what the chosen action does, and the block after it."""
        procedure = self.woven.procedures[f"action {name}"]
        writer = _Writer(self, "return HALT", 0)
        if base:
            writer.add(f"code -= {base}")
        for param in reversed(procedure.params[1:]):
            low = lowest_code(param.type)
            writer.add(f"code, {param.name} = divmod(code, {t.size(param.type)})")
            if low:
                writer.add(f"{param.name} += {low}")
        writer.add(f"{procedure.params[0].name} = code")
        names = [p.name for p in procedure.params]
        if procedure.key in self.interrupted:
            routine = self.program.routines[procedure.key]
            for param in procedure.params:
                writer.add(f"{self.express.local(param)} = {param.name}")
            writer.add(f"{self.express.local(routine.back)} = after")
            writer.add(f"return {routine.entry}")
        else:
            writer.add(f"{function_name(procedure)}({', '.join(['S', *names])})")
            if procedure.key in self.ending:
                writer.add(f"if S[1]: return {'HALT'}")
            writer.add("return after")
        return f"def choose_{name}(S, code, after):\n{writer.text()}"

    # -------------------------------------------------------------- sites
    def _sites(self) -> list[str]:
        return [self._site(number, site) for number, site in enumerate(self.program.sites)]

    def _site(self, number: int, site: Site) -> str:
        key = self._key(number, site)
        match site:
            case Decision():
                return self._decision(number, site)
            case Dice():
                number_of = self.express.value(site.number) if site.number is not None else "1"
                return f"def dice_{number}(S):\n    return {number_of}\n\n\n{key}"
            case Drawing():
                source = self.express.value(site.source)
                text = f"def source_{number}(S):\n    return {source}\n\n\n{key}"
                if site.weight is not None:
                    into = self.express.local(site.into)
                    weight = self.express.value(site.weight)
                    if into.startswith("S["):
                        weight = weight.replace(into, site.into.name)
                    text += (
                        f"\n\n\ndef weight_{number}(S, {site.into.name}):\n    return {weight}\n"
                    )
                return text

    def _decision(self, number: int, site: Decision) -> str:
        writer = _Writer(self, "return", 0)
        writer.add("out = []")
        if site.waiting is None:
            writer.add(f"p = {self.express.value(site.players)}")
            for action in site.actions:
                writer.add(f"list_{action}(S, p, out)")
            players = f"1 << {self.express.value(site.players)}"
        else:
            writer.add(f"for p in bits({self.express.local(site.waiting)}):")
            for action in site.actions:
                writer.add(f"    list_{action}(S, p, out)")
            players = self.express.local(site.waiting)
        writer.add("return out")
        return f"def legal_{number}(S):\n{writer.text()}\n\ndef players_{number}(S):\n    return {players}\n"

    def _key(self, number: int, site: Site) -> str:
        """The place of a chance point in the rules, in words that other editions share."""
        if isinstance(site, Decision):
            return ""
        clock = [
            self._shown(ty.Load(name, (), self.woven.typed.variables[name].type))
            for name in self.woven.typed.clock
        ]
        keys = [self._shown(key) for key in site.keys]
        path = f"scope(S, {self._scope(site.scope)})"
        pieces = " ".join(f"{{{piece}}}" for piece in clock)
        tail = "".join(f" {{{piece}}}" for piece in keys)
        return f'def key_{number}(S):\n    return f"{pieces}{{{path}}}{tail}"\n'

    def _shown(self, node: Expr) -> str:
        """Source of the word for a value."""
        if isinstance(node.type, t.WordType):
            words = tuple(value[1] for value in node.type.values)
            return f"{self.express.constant(f'words_{node.type.name}'.replace('?', '_or_none').replace(' | ', '_'), repr(words))}[{self.express.value(node)}]"
        return self.express.value(node)

    def _scope(self, scope: Scope) -> str:
        """A scope as data: name, slots of its values with their words, slot of the block to go back to."""
        values = []
        for local in scope.values:
            words = (
                repr(tuple(v[1] for v in local.type.values))
                if isinstance(local.type, t.WordType)
                else "None"
            )
            values.append(f"({self.layout.frame[local.name]}, {words})")
        back = self.layout.frame[scope.back.name] if scope.back is not None else None
        text = f"({scope.name!r}, ({', '.join(values)}{',' if values else ''}), {back})"
        return self.express.constant("scope_" + scope.name.replace("-", "_"), text)

    # -------------------------------------------------------------- the rest
    def _invariants(self) -> list[str]:
        return [f"def invariant_{number}(S):  # {said(origin)}\n    return {self.express.condition(condition)}\n"
                for number, (condition, origin) in enumerate(self.woven.invariants.values())]  # fmt: skip

    def _tables(self, bases: dict[str, int]) -> str:
        blocks = ", ".join(
            f"block_{n}" if n in self.written else "None" for n in range(len(self.program.blocks))
        )
        sites = ", ".join(self._site_row(n, site) for n, site in enumerate(self.program.sites))
        actions = ", ".join(f"({base}, choose_{name})" for name, base in bases.items())
        calls = ", ".join(
            f"{block}: {self._scope(scope)}" for block, scope in self.program.calls.items()
        )
        invariants = ", ".join(
            f"({name!r}, invariant_{n})" for n, name in enumerate(self.woven.invariants)
        )
        return f"BLOCKS = ({blocks},)\nSITES = ({sites},)\nACTIONS = ({actions},)\nCALLS.update({{{calls}}})\nINVARIANTS = ({invariants},)\n"

    def _site_row(self, number: int, site: Site) -> str:
        match site:
            case Decision():
                waiting = self.layout.frame[site.waiting.name] if site.waiting is not None else None
                return f"(0, legal_{number}, players_{number}, {waiting}, {site.after})"
            case Dice():
                most = site.into.type.most if isinstance(site.into.type, t.DiceType) else None
                into = self.layout.frame[site.into.name]
                return (
                    f"(1, dice_{number}, key_{number}, {site.sides}, {most}, {into}, {site.after})"
                )
            case Drawing():
                weight = f"weight_{number}" if site.weight is not None else None
                return f"(2, source_{number}, key_{number}, {weight}, {self.layout.frame[site.into.name]}, {site.after})"


def alone(program: Program) -> frozenset[int]:
    """The blocks that one other block leads to, and no number in the state can."""
    leading: dict[int, int] = {}
    for block in program.blocks:
        targets: tuple[int, ...] = ()
        if isinstance(block.end, Goto):
            targets = (block.end.block,)
        elif isinstance(block.end, Test):
            targets = (block.end.then, block.end.otherwise)
        for target in targets:
            leading[target] = leading.get(target, 0) + 1
    numbered = {site.after for site in program.sites} | set(program.calls)
    return frozenset(block for block, many in leading.items() if many == 1) - numbered


def function_name(procedure: Procedure) -> str:
    """The name of the Python function of a procedure."""
    return procedure.key.replace(" ", "_").replace("-", "_")


def said(origin: ty.Origin) -> str:
    """A source as a comment, e.g. "capture §5.7"."""
    return f"{origin.rule} {' '.join('§' + s for s in origin.sections)}".strip()


def _ends(body: Body, known: set[str]) -> bool:
    for node in body:
        match node:
            case ty.End():
                return True
            case ty.Raise() if f"event {node.event}" in known:
                return True
            case ty.Run() if f"phase {node.phase}" in known:
                return True
            case ty.Branch():
                if any(_ends(block, known) for _, block in node.cases) or _ends(
                    node.otherwise, known
                ):
                    return True
            case ty.Each() | ty.Loop() | ty.By():
                if _ends(node.body, known):
                    return True
    return False


class _Writer:
    """Writes statements that never stop, line by line."""

    def __init__(self, emitter: Emitter, halt: str, origin: int) -> None:
        self.emitter = emitter
        self.express = emitter.express
        self.halt = halt
        self.origin = origin
        self.lines: list[str] = []
        self.indent = "    "

    def text(self) -> str:
        """What was written."""
        return "".join(f"{line}\n" for line in self.lines)

    def add(self, line: str) -> None:
        """One line at the present indentation."""
        self.lines.append(self.indent + line)

    def note(self, procedure: Procedure) -> None:
        """In the traced module: that a procedure began."""
        if self.emitter.traced and procedure.kind != "scenario":
            values = "".join(f"{self.express.local(p)}, " for p in procedure.params)
            origin = self.emitter.origin(procedure.origin)
            self.add(
                f"S.log.append(({procedure.kind!r}, {procedure.name!r}, ({values}), {origin}))"
            )

    def body(self, body: Body) -> None:
        """A block of statements."""
        for statement in body:
            self.statement(statement)

    def _inner(self, body: Body) -> None:
        outer, self.indent = self.indent, self.indent + "    "
        before = len(self.lines)
        self.body(body)
        if len(self.lines) == before:
            self.add("pass")
        self.indent = outer

    def statement(self, node: Statement) -> None:
        """One statement."""
        match node:
            case ty.Store():
                self._store(node)
            case ty.Reset():
                self._reset(node)
            case ty.Bind():
                self.add(f"{self.express.local(node.local)} = {self.express.value(node.value)}")
            case ty.Branch():
                for number, (condition, block) in enumerate(node.cases):
                    self.add(f"{'elif' if number else 'if'} {self.express.condition(condition)}:")
                    self._inner(block)
                if node.otherwise:
                    self.add("else:")
                    self._inner(node.otherwise)
            case ty.Each():
                self.add(f"for {node.local.name} in {self._domain(node)}:")
                self._inner(node.body)
            case ty.Loop():
                self.add(f"for _ in range({self.express.value(node.bound)}):")
                self.indent += "    "
                self.add(f"if not {self.express.condition(node.condition)}: break")
                self.body(node.body)
                self.indent = self.indent[:-4]
            case ty.Raise():
                self._call(f"event {node.event}", node.args)
            case ty.Run():
                self._call(f"phase {node.phase}", node.args)
            case ty.End():
                self._end(node)
            case ty.Leave():
                self.add("break")
            case ty.Return():
                self.add("return")
            case ty.By():
                self._by(node)

    def _by(self, node: ty.By) -> None:
        outer, self.origin = self.origin, self.emitter.origin(node.origin)
        if self.emitter.traced and self.origin != outer:
            self.add(f"S.log.append(('rule', {self.origin}))")
        self.body(node.body)
        self.origin = outer

    def _domain(self, node: ty.Each) -> str:
        if isinstance(node.domain, tuple):
            return f"({', '.join(self.express.value(item) for item in node.domain)},)"
        if node.last is not None:
            return f"range({self.express.value(node.domain)}, {self.express.value(node.last)} + 1)"
        return f"bits({self.express.value(node.domain)})"

    def _call(self, key: str, args: tuple[Expr, ...]) -> None:
        procedure = self.emitter.woven.procedures[key]
        self.add(
            f"{function_name(procedure)}({', '.join(['S', *(self.express.value(a) for a in args)])})"
        )
        if key in self.emitter.ending:
            self.add(f"if S[1]: {self.halt}")

    def _end(self, node: ty.End) -> None:
        players = self.emitter.woven.typed.players
        many = t.size(players)
        if isinstance(node.player, ty.Const):
            self.add(f"S[1] = {1 if node.player.value == many else node.player.value + 2}")
        else:
            found = self.express.value(node.player)
            self.add(f"S[1] = {found} + 2")
            self.add(f"if S[1] == {many + 2}: S[1] = 1")
        self.add(f"S[2] = {self.origin}")
        self.add(self.halt)

    # -------------------------------------------------------------- the state
    def _store(self, node: ty.Store) -> None:
        slots = self.emitter.layout.blocks[node.variable]
        index = self.emitter.layout.indexes.get(node.variable)
        if self.emitter.traced:
            self.add(f"i = {self.express.index(node.variable, node.keys)}")
        if index is not None:
            self._store_indexed(node, slots, index)
        else:
            self.add(
                f"{self.express.load(node.variable, node.keys)} = {self.express.value(node.value)}"
            )
        if self.emitter.traced:
            self.add(f"S.log.append(('set', {node.variable!r}, i, S[i], {self.origin}))")

    def _store_indexed(self, node: ty.Store, slots: Slots, index: int) -> None:
        """The index follows the map: out of the old value's set, into the new one's."""
        key = self.express.value(node.keys[0])
        plain = key.isidentifier() or key.isdigit()
        if not plain:
            self.add(f"k = {key}")
            key = "k"
        slot = f"S[{slots.base + int(key)}]" if key.isdigit() else f"S[{slots.base} + {key}]"
        self.add(f"v = {self.express.value(node.value)}")
        self.add(f"S[{index} + {slot}] ^= 1 << {key}")
        self.add(f"S[{index} + v] ^= 1 << {key}")
        self.add(f"{slot} = v")

    def _reset(self, node: ty.Reset) -> None:
        slots = self.emitter.layout.blocks[node.variable]
        lowest = _lowest(slots.type)
        if node.keys:
            value: Expr = ty.Const(lowest, slots.type)
            variable = self.emitter.woven.typed.variables[node.variable]
            self._store(ty.Store(node.variable, node.keys, value, variable.origin.span))
            return
        count = slots.count
        if count == 1:
            self.add(f"S[{slots.base}] = {lowest}")
        else:
            self.add(f"S[{slots.base}:{slots.base + count}] = [{lowest}] * {count}")
        index = self.emitter.layout.indexes.get(node.variable)
        if index is not None:
            codes = codes_of(slots.type)
            masks = [(1 << count) - 1 if value == lowest else 0 for value in codes]
            self.add(f"S[{index + codes.start}:{index + codes.stop}] = {masks}")
        if self.emitter.traced:
            self.add(f"S.log.append(('clear', {node.variable!r}, {self.origin}))")


def _lowest(type_: t.Type) -> int:
    if isinstance(type_, t.WordType):
        return type_.codes.get(t.NONE, 0)
    return type_.low if isinstance(type_, t.IntType) else 0
