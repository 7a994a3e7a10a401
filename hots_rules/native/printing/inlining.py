"""Small functions in the place of their calls, for printers whose compilers inline none.

A function takes the place of a call as a `Block`: so it must end in one place. Where it returns early, under a
condition, what follows becomes the other branch. A function that returns inside a loop stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeVar, cast

from attrs import define, evolve, field, fields, frozen

from hots_rules._gc_policy import uncollected
from hots_rules.native.lowering import program as p
from hots_rules.rules.graph import reachable

MAX_INLINED = 80
"""The most nodes of a function that takes the place of every call."""
MAX_CALLED_ONCE = 600
"""The most nodes of one that is called in one place alone."""
MAX_CALLER = 5000
"""The most nodes of a function that takes others in."""
MAX_UNROLLED = 400
"""The most nodes of a loop whose turns stand one after the other, without jumps and with constant addresses."""
_RESULT = "result of the call"
_FIELDS = {
    kind: [(part.name, part.name in parts) for part in fields(kind)]
    for kind, parts in p.PARTS.items()
}
"""The attributes of each kind of node, and whether there are nodes in them."""
Names = Mapping[str, str | p.Const]
_Part = TypeVar("_Part", bound=p.Node | p.Body)


@uncollected()
def inlined(program: p.Program) -> p.Program:
    """The same program with fewer calls.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.printing.inlining import inlined
    >>> one = p.Function("one", (), (p.Return(p.Const(1)),))
    >>> two = p.Function("two", (), (p.Return(p.Call("one")),), is_exported=True)
    >>> program = p.Program((one, two), {}, p.lay_out({"SLOTS": 1, "ERROR": 1}))
    >>> [function.name for function in inlined(program).functions]
    ['two']
    """
    inliner = _Inliner(Counter(), {function.name: function for function in program.functions})
    for function in program.functions:
        nodes = list(p.walk(function.body))
        inliner.sizes[function.name] = len(nodes)
        called = [node.function for node in nodes if isinstance(node, p.Call)]
        inliner.calls.update(called)
        if called or any(map(_is_unrolled, nodes)):
            inliner.callers.add(function.name)
    for function in program.functions:
        inliner.whole(function.name)
    needed = reachable(
        inliner.kept, [function.name for function in program.functions if function.is_exported]
    )
    kept = tuple(inliner.done[f.name] for f in program.functions if f.name in needed)
    return evolve(program, functions=kept)


@frozen
class _Inlined:
    """A function as statements that give its result to a name, with all its names."""

    params: tuple[str, ...]
    body: p.Body
    names: tuple[str, ...]
    size: int


@define
class _Inliner:
    """Copies functions, with others in the place of calls."""

    calls: Counter[str]
    functions: Mapping[str, p.Function]
    callers: set[str] = field(factory=set)
    sizes: dict[str, int] = field(factory=dict)
    done: dict[str, p.Function] = field(factory=dict)
    kept: dict[str, set[str]] = field(factory=dict)
    ready: dict[str, _Inlined | None] = field(factory=dict)
    places: int = 0
    caller: str = ""

    def whole(self, name: str) -> p.Function:
        """A function of the program, once it has taken others in."""
        if name not in self.done:
            function, outer = self.functions[name], self.caller
            self.caller, self.kept[name] = name, set()
            body = self.copied(function.body, {}) if name in self.callers else function.body
            self.done[name] = evolve(function, body=body)
            self.caller = outer
        return self.done[name]

    def taken_in(self, name: str) -> _Inlined | None:
        """A function in the form in which it can take the place of a call; None if it should not."""
        if name not in self.ready:
            self.ready[name] = self._taken_in(self.whole(name))
        return self.ready[name]

    def _taken_in(self, function: p.Function) -> _Inlined | None:
        most = MAX_CALLED_ONCE if self.calls[function.name] == 1 else MAX_INLINED
        size = self.sizes[function.name]
        if function.is_exported or size > most:
            return None
        if (body := _with_one_end(function.body)) is None:
            return None
        names = (*function.params, *p.assigned_names(function), _RESULT)
        return _Inlined(function.params, body, names, size)

    def call(self, node: p.Call, names: Names) -> p.Expr:
        """A call, or what takes its place; `names` are the new names of locals."""
        args = tuple(self.copied(arg, names) for arg in node.args)
        inner = self.taken_in(node.function)
        if inner is None or self.sizes[self.caller] + inner.size > MAX_CALLER:
            self.kept[self.caller].add(node.function)
            return p.Call(node.function, args)
        self.places += 1
        self.sizes[self.caller] += inner.size
        own = {name: f"{name} {self.places}" for name in inner.names}
        given = (p.Assign(own[name], arg) for name, arg in zip(inner.params, args, strict=True))
        return p.Block((*given, *self.copied(inner.body, own)), p.Local(own[_RESULT]))

    def copied(self, part: _Part, names: Names) -> _Part:
        """A node or a body, with others in the place of calls."""
        return cast("_Part", self._copied(part, names))

    def _copied(self, part: object, names: Names) -> object:
        if isinstance(part, tuple):
            return tuple([copy for entry in part for copy in self._copies(entry, names)])
        kind = type(part)
        if kind is p.Const or kind not in _FIELDS:
            return part
        if isinstance(part, p.Call):
            return self.call(part, names)
        if isinstance(part, p.Local):
            new = names.get(part.name, part)
            return p.Local(new) if isinstance(new, str) else new
        values = []
        for name, has_nodes in _FIELDS[kind]:
            copy = getattr(part, name)
            if has_nodes:
                copy = self._copied(copy, names)
            values.append(names.get(copy, copy) if name == "name" else copy)
        return kind(*values)

    def _copies(self, part: object, names: Names) -> list[object]:
        """A part of a tuple, or the turns of a loop."""
        if isinstance(part, p.ForRange) and _is_unrolled(part):
            first, stop = (cast("p.Const", edge).value for edge in (part.first, part.stop))
            return [
                copy
                for number in range(first, stop)
                for copy in self.copied(part.body, {**names, part.name: p.Const(number)})
            ]
        return [self._copied(part, names)]


def _is_unrolled(node: p.Node) -> bool:
    match node:
        case p.ForRange(
            first=p.Const(first),
            stop=p.Const(stop),
            body=(p.Assign() | p.Store() | p.StoreBytes(),),
        ):
            return (stop - first) * len(list(p.walk(node.body))) <= MAX_UNROLLED
    return False


def _returns(node: p.Statement) -> bool:
    match node:
        case p.Return():
            return True
        case p.Branch(then=then, otherwise=otherwise):
            return any(map(_returns, (*then, *otherwise)))
        case p.Switch(cases=cases, otherwise=otherwise):
            return any(
                _returns(part) for body in (*dict(cases).values(), otherwise) for part in body
            )
        case p.While(body=body) | p.ForRange(body=body) | p.ForBits(body=body):
            return any(map(_returns, body))
    return False


def _always_returns(body: p.Body) -> bool:
    match body[-1:]:
        case (p.Return(),):
            return True
        case (p.Branch(then=then, otherwise=otherwise),):
            return _always_returns(then) and _always_returns(otherwise)
        case (p.Switch(cases=cases, otherwise=otherwise),):
            return all(_always_returns(part) for part in (*dict(cases).values(), otherwise))
    return False


def _with_one_end(body: p.Body) -> p.Body | None:
    """Statements that assign the result instead of returning it; None if they leave a loop."""
    for at, node in enumerate(body):
        if not _returns(node):
            continue
        before, rest = body[:at], body[at + 1 :]
        match node:
            case p.Return(value):
                return (*before, p.Assign(_RESULT, value))
            case p.Branch():
                if rest and not (_always_returns(node.then) or _always_returns(node.otherwise)):
                    return None  # the rest would be there twice
                then, otherwise = (
                    _with_one_end(part if _always_returns(part) else (*part, *rest))
                    for part in (node.then, node.otherwise)
                )
                if then is None or otherwise is None:
                    return None
                return (*before, p.Branch(node.condition, then, otherwise))
        return None
    return (*body, p.Assign(_RESULT, p.Const(0)))
