"""The entries of the state that a clause reads, with their values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from attrs import frozen

from hots_rules.compile.evaluate import Evaluator
from hots_rules.compile.link import LinkedClause
from hots_rules.explain.action_status import value_or_none
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.tast import Expr
from hots_rules.rules.typed.visitor import walk
from hots_rules.state.labels import Labels

MAX_VALUES = 12


@frozen
class StateInspector:
    """Lists the entries of the state that conditions read."""

    evaluator: Evaluator
    labels: Labels

    def values(self, clause: LinkedClause, local: Mapping[str, int]) -> tuple[str, ...]:
        """The entries that a clause reads; of a permit that fails only those that decide it."""
        match clause.kind, clause.when:
            case "permit", tast.Operation(op="and", args=parts):
                failed = tuple(part for part in parts if not self._value(part, local))
            case _:
                failed = ()
        entries = (
            entry for part in failed or (clause.when,) for entry in self._entries(part, local)
        )
        return tuple(dict.fromkeys(entries))[:MAX_VALUES]

    def _entries(self, condition: Expr, local: Mapping[str, int]) -> Iterator[str]:
        """The entries that a condition reads, as far as their keys have values."""
        for node in walk(condition):
            if isinstance(node, tast.Load):
                keys = self._values(node.keys, local)
                if keys is not None:
                    yield self._entry(node.variable, keys)
            elif isinstance(node, tast.DefinitionCall):
                args = self._values(node.args, local)
                if args is not None:
                    definition = self.evaluator.typed.definitions[node.define]
                    names = (param.name for param in definition.params)
                    yield from self._entries(definition.body, dict(zip(names, args, strict=True)))

    def _entry(self, name: str, keys: tuple[int, ...]) -> str:
        variable = self.labels.schema.variables[name]
        value = self.labels.format_value(self.evaluator.load(name, keys), variable.type)
        key_texts = [
            self.labels.format_value(key, type_)
            for key, type_ in zip(keys, variable.keys, strict=True)
        ]
        return f"{self.labels.cell_label(name, key_texts)} = {value}"

    def _value(self, node: Expr, local: Mapping[str, int]) -> int | None:
        return value_or_none(self.evaluator, node, local)

    def _values(self, nodes: tuple[Expr, ...], local: Mapping[str, int]) -> tuple[int, ...] | None:
        values = [self._value(node, local) for node in nodes]
        codes = tuple(value for value in values if value is not None)
        return codes if len(codes) == len(values) else None
