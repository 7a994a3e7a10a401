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
        """The code object of the source."""
        return compile(self.source, f"<rules of {self.facts.name}>", "exec")

    def machine(self, code: CodeType | None = None) -> Machine:
        """A machine; `code` is the code object of the source, if there is one already."""
        code = self.code() if code is None else code
        if not self.facts.is_traced:
            return Machine(code, self.facts, self.source)
        # A late import: play needs no traced machine until it is asked for a trace.
        from hots_rules.compile.traced import TracedMachine

        return TracedMachine(code, self.facts, self.source)
