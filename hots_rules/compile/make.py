"""From a typed rulebook to a machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hots_rules.compile.audience import by_mask, depends_on, loads_of
from hots_rules.compile.compiled import Compiled
from hots_rules.compile.emit import Emitted, emit
from hots_rules.compile.facts import (
    ActionFacts,
    CompiledFacts,
    EntryFacts,
    FrameSlot,
    InvariantFacts,
    MapFacts,
    MapLink,
    Parameter,
    PointFacts,
    ScenarioFacts,
    SecretFacts,
    SettingFacts,
    Variable,
)
from hots_rules.compile.listing import action_size
from hots_rules.compile.program import Decision, Dice, Site
from hots_rules.compile.weave import Woven, weave
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types


def compile_rulebook(
    book: Rulebook, settings: Mapping[str, int], *, traced: bool = False
) -> Compiled:
    """Compile a rulebook under one choice of options and readings."""
    woven = weave(book.typed, settings)
    emitted = emit(woven, traced=traced)
    return Compiled(emitted.source, _facts(woven, emitted))


def _facts(woven: Woven, emitted: Emitted) -> CompiledFacts:
    typed, layout, program = woven.typed, emitted.layout, emitted.program
    slots, routines = layout.frame, program.routines
    return_slots = {key: slots[routine.back.name] for key, routine in routines.items()}
    entry = f"phase {typed.entry}"
    return CompiledFacts(
        name=typed.name,
        title=typed.title,
        players=typed.players.values if isinstance(typed.players, types.WordType) else (),
        checks=tuple(emitted.checks),
        initial=tuple(layout.initial()),
        scenarios={
            name: ScenarioFacts(scenario.origin.summary, routines[f"scenario {name}"].entry)
            for name, scenario in typed.scenarios.items()
        },
        entry=EntryFacts(routines[entry].entry, return_slots[entry]) if entry in routines else None,
        return_slots=return_slots,
        actions=tuple(
            ActionFacts(
                action.name,
                _parameters(action.params),
                emitted.bases[name],
                action_size(action),
                action.origin,
            )
            for name, action in woven.actions.items()
        ),
        events={event.name: _parameters(event.params) for event in typed.events.values()},
        phases={phase.name: _parameters(phase.params) for phase in typed.phases.values()},
        calls=_calls(typed),
        clock=tuple(typed.clock),
        map=_map(typed.map),
        variables=tuple(
            Variable(v.name, layout.blocks[v.name].base, v.keys, v.type, v.initial)
            for v in typed.variables.values()
        ),
        indexes=layout.indexes,
        settings=tuple(
            SettingFacts(s.name, s.kind, s.type, s.default, s.summaries, s.origin)
            for s in typed.settings.values()
        ),
        origins=tuple(emitted.origins),
        labels=typed.labels,
        points=tuple(_point(site) for site in program.sites),
        secrets=tuple(_secret(secret, typed) for secret in typed.secrets),
        claims=tuple(emitted.claimed),
        invariants=tuple(
            InvariantFacts(origin, tuple(loads_of([condition], typed)))
            for condition, origin in woven.invariants.values()
        ),
        frame=tuple(
            FrameSlot(slots[local.name], local.type, slots[owner])
            for local in program.frame
            if (owner := program.owners.get(local.name)) is not None
        ),
    )


def _map(drawn: tast.MapDef | None) -> MapFacts | None:
    if drawn is None:
        return None
    links = tuple(MapLink(link.ends, link.colour) for link in drawn.links)
    return MapFacts(drawn.variable, drawn.at, links)


def _parameters(params: tuple[tast.Local, ...]) -> tuple[Parameter, ...]:
    return tuple(Parameter(_plain_name(param.name), param.type) for param in params)


def _plain_name(name: str) -> str:
    """A local name without the number that made it unique."""
    stem, _, number = name.rpartition("_")
    return stem if number.isdigit() else name


def _point(site: Site) -> PointFacts:
    phase, origin = site.scope.name, site.scope.origin
    if isinstance(site, Decision):
        return PointFacts(phase, "decision", origin, site.actions, None)
    kind = "dice" if isinstance(site, Dice) else "drawing"
    return PointFacts(phase, kind, origin, (), site.into.type)


def _secret(secret: tast.SecretDef, typed: tast.TypedRuleset) -> SecretFacts:
    type_ = secret.params[0].type if secret.kind == "type" else None
    return SecretFacts(secret.name, type_, by_mask(secret), tuple(depends_on(secret, typed)))


def _calls(typed: tast.TypedRuleset) -> dict[str, tuple[str, ...]]:
    """The phases that each phase calls, directly or indirectly, sorted by name."""
    direct = {name: set(_runs(phase.body)) for name, phase in typed.phases.items()}
    return {name: tuple(sorted(_reached(name, direct))) for name in direct}


def _reached(name: str, direct: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    left = [name]
    while left:
        fresh = direct[left.pop()] - reached
        reached |= fresh
        left += fresh
    return reached


def _runs(body: tast.Body) -> Iterator[str]:
    for node in body:
        match node:
            case tast.CallPhase():
                yield node.phase
            case tast.Branch():
                for _, block in node.cases:
                    yield from _runs(block)
                yield from _runs(node.otherwise)
            case tast.ForEach() | tast.Loop() | tast.WithOrigin():
                yield from _runs(node.body)
