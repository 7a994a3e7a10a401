"""The points where somebody is asked, as Python source: who may choose what, what falls, under which key."""

from __future__ import annotations

from attrs import frozen

from hots_rules.compile.program import Decision, Dice, Drawing, Scope, Site
from hots_rules.compile.rewrite import substituted
from hots_rules.compile.write import Sheet, Writer
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.tast import Expr, Local


@frozen
class Stops:
    """Writes the functions of all sites, and their rows in the table `POINTS`."""

    sheet: Sheet

    def functions(self) -> list[str]:
        """The functions of every site."""
        return [self._site(number, site) for number, site in enumerate(self.sheet.program.sites)]

    def rows(self) -> list[str]:
        """The row of every site in the table: its kind, its functions, its slots, the block after it."""
        return [self._row(number, site) for number, site in enumerate(self.sheet.program.sites)]

    def _site(self, number: int, site: Site) -> str:
        key = self._key(number, site)
        match site:
            case Decision():
                return self._decision(number, site)
            case Dice():
                number_of = (
                    self.sheet.express.value(site.number) if site.number is not None else "1"
                )
                return f"def dice_{number}(S):\n    return {number_of}\n\n\n{key}"
            case Drawing():
                source = self.sheet.express.value(site.source)
                text = f"def source_{number}(S):\n    return {source}\n\n\n{key}"
                if site.weight is not None:
                    text += "\n\n\n" + self._weight(number, site.weight, site.into)
                return text

    def _weight(self, number: int, weight: Expr, into: Local) -> str:
        """The weight of a member, before it is drawn."""
        member = Local("member", into.type)
        found = self.sheet.express.value(substituted(weight, {into.name: member}))
        return f"def weight_{number}(S, member):\n    return {found}\n"

    def _decision(self, number: int, site: Decision) -> str:
        writer = Writer(self.sheet, "return", 0)
        writer.add("out = []")
        if site.waiting is None:
            writer.add(f"p = {self.sheet.express.value(site.players)}")
            for action in site.actions:
                writer.add(f"list_{action}(S, p, out)")
            players = f"1 << {self.sheet.express.value(site.players)}"
        else:
            writer.add(f"for p in bits({self.sheet.express.local(site.waiting)}):")
            for action in site.actions:
                writer.add(f"    list_{action}(S, p, out)")
            players = self.sheet.express.local(site.waiting)
        writer.add("return out")
        return f"def legal_{number}(S):\n{writer.text()}\n\ndef players_{number}(S):\n    return {players}\n"

    def _key(self, number: int, site: Site) -> str:
        """The place of a chance point in the rules, in words that other editions share."""
        if isinstance(site, Decision):
            return ""
        clock = [
            self._shown(tast.Load(name, (), self.sheet.woven.typed.variables[name].type))
            for name in self.sheet.woven.typed.clock
        ]
        keys = [self._shown(key) for key in site.keys]
        path = f"scope(S, {self.scope(site.scope)})"
        pieces = " ".join(f"{{{piece}}}" for piece in clock)
        tail = "".join(f" {{{piece}}}" for piece in keys)
        return f'def key_{number}(S):\n    return f"{pieces}{{{path}}}{tail}"\n'

    def _shown(self, node: Expr) -> str:
        """Source of the word for a value."""
        found = self.sheet.express.value(node)
        if not isinstance(node.type, types.WordType):
            return found
        words = repr(tuple(value[1] for value in node.type.values))
        name = "words_" + "".join(sign if sign.isalnum() else "_" for sign in node.type.name)
        return f"{self.sheet.express.constant(name, words)}[{found}]"

    def scope(self, scope: Scope) -> str:
        """A scope as data: name, slots of its values with their words, slot of the way back."""
        values = []
        for local in scope.values:
            words = (
                repr(tuple(v[1] for v in local.type.values))
                if isinstance(local.type, types.WordType)
                else "None"
            )
            values.append(f"({self.sheet.layout.frame[local.name]}, {words})")
        back = self.sheet.layout.frame[scope.back.name] if scope.back is not None else None
        text = f"({scope.name!r}, ({', '.join(values)}{',' if values else ''}), {back})"
        return self.sheet.express.constant("scope_" + scope.name.replace("-", "_"), text)

    def _row(self, number: int, site: Site) -> str:
        frame = self.sheet.layout.frame
        match site:
            case Decision():
                waiting = frame[site.waiting.name] if site.waiting is not None else None
                return f"DecisionPoint(legal_{number}, players_{number}, {waiting}, {site.after})"
            case Dice():
                most = site.into.type.most if isinstance(site.into.type, types.DiceType) else None
                into = frame[site.into.name]
                return f"DicePoint(dice_{number}, key_{number}, {site.sides}, {most}, {into}, {site.after})"
            case Drawing():
                weight = f"weight_{number}" if site.weight is not None else None
                into = frame[site.into.name]
                return f"DrawPoint(source_{number}, key_{number}, {weight}, {into}, {site.after})"
