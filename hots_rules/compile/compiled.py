"""A compiled rulebook before it runs."""

from __future__ import annotations

from types import CodeType

from attrs import frozen

from hots_rules.compile.facts import CompiledFacts
from hots_rules.compile.machine import Machine


@frozen
class CompiledModule:
    """The source of a module, and the facts about it."""

    source: str
    facts: CompiledFacts

    def code(self) -> CodeType:
        """The source as Python runs it."""
        return compile(self.source, f"<rules of {self.facts.name}>", "exec")

    def machine(self, code: CodeType | None = None) -> Machine:
        """The machine; `code` is the compiled source, where it is at hand."""
        return Machine(self.code() if code is None else code, self.facts, self.source)
