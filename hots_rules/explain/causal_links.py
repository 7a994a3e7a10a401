"""Which step of a play caused which: from the order of the trace and the text of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hots_rules.compile.link import LinkedRules
from hots_rules.play.trace import Step
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.visitor import blocks_of

Source = tuple[str, str]  # the kind and the name of a procedure, an event or a phase


def causing_steps(linked: LinkedRules, steps: Iterable[Step]) -> list[int | None]:
    """For each step the index of the one that caused it; None if nothing in the play did.

    A trace is chronological, and a cause precedes its effects: an event comes after the action, phase
    or rule that raises it, a rule after the event that it answers, an effect after its rule.
    """
    raised, answering = _raised(linked), _answering_rules(linked)
    causing: list[int | None] = []
    open_steps: list[tuple[int, Step]] = []
    for index, step in enumerate(steps):
        depths = reversed(range(len(open_steps)))
        depth = next(
            (n for n in depths if _can_cause(open_steps[n][1], step, raised, answering)), 0
        )
        del open_steps[depth + 1 :]
        causing.append(open_steps[-1][0] if open_steps else None)
        open_steps.append((index, step))
    return causing


def _can_cause(
    above: Step,
    step: Step,
    raised: Mapping[Source, set[Source]],
    answering: Mapping[str, set[str]],
) -> bool:
    """Whether one step can have caused another."""
    if above.kind == "event":
        return step.kind == "rule" and step.rule in answering[above.name]
    if above.kind not in {"action", "phase", "rule"}:
        return False
    if step.kind in {"event", "phase"}:
        # A phase that resumes after a choice is noted as a rule of its name.
        kinds = (above.kind, "phase") if above.kind == "rule" else (above.kind,)
        source = step.kind, step.name
        return any(source in raised.get((kind, above.name), ()) for kind in kinds)
    return above.rule == step.rule and (step.kind != "rule" or above.kind != "rule")


def _raised(linked: LinkedRules) -> dict[Source, set[Source]]:
    """The events and phases that each action, phase and rule raises or calls itself."""
    raised: dict[Source, set[Source]] = {}
    for procedure in linked.procedures.values():
        _collect(procedure.body, (procedure.kind, procedure.name), raised)
    return raised


def _collect(body: tast.Body, source: Source, raised: dict[Source, set[Source]]) -> None:
    for node in body:
        match node:
            case tast.EmitEvent():
                raised.setdefault(source, set()).add(("event", node.event))
            case tast.CallPhase():
                raised.setdefault(source, set()).add(("phase", node.phase))
            case tast.WithOrigin():
                is_rule = source[0] in {"event", "rule"}
                _collect(node.body, ("rule", node.origin.rule) if is_rule else source, raised)
            case tast.Branch() | tast.ForEach() | tast.Loop():
                for block in blocks_of(node):
                    _collect(block, source, raised)


def _answering_rules(linked: LinkedRules) -> dict[str, set[str]]:
    """The rules that answer each event."""
    return {
        name: {handler.origin.rule for handler in event.handlers}
        for name, event in linked.typed.events.items()
    }
