"""From a typed rulebook to a machine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import asdict

from hots_rules.compile.audience import by_mask, depends_on, loads_of
from hots_rules.compile.compiled import Compiled
from hots_rules.compile.emit import emit
from hots_rules.compile.layout import Block
from hots_rules.compile.program import Decision, Site
from hots_rules.compile.weave import Choosable, weave
from hots_rules.rules.rulebook import Rulebook
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types


def compile_rulebook(
    book: Rulebook, settings: Mapping[str, int], *, traced: bool = False
) -> Compiled:
    """The module of a rulebook under one choice of options and readings."""
    woven = weave(book.typed, settings)
    emitted = emit(woven, traced=traced)
    typed = book.typed
    routines = emitted.program.routines
    slots = emitted.layout.frame
    facts: dict[str, Any] = {
        "name": typed.name,
        "title": typed.title,
        "players": [value[1] for value in typed.players.values]
        if isinstance(typed.players, types.WordType)
        else [],
        "players_type": typed.players.values[0][0]
        if isinstance(typed.players, types.WordType) and typed.players.values
        else "",
        "checks": emitted.checks,
        "initial": emitted.layout.initial(),
        "scenarios": {name: routines[f"scenario {name}"].entry for name in typed.scenarios},
        "scenario_titles": {
            name: scenario.origin.summary for name, scenario in typed.scenarios.items()
        },
        "entry": routines[f"phase {typed.entry}"].entry
        if typed.entry and f"phase {typed.entry}" in routines
        else None,
        "entry_back": emitted.layout.frame[routines[f"phase {typed.entry}"].back.name]
        if f"phase {typed.entry}" in routines
        else None,
        "backs": {
            key: emitted.layout.frame[routine.back.name] for key, routine in routines.items()
        },
        "bases": list(emitted.bases.items()),
        "end": sum(_size(action.actor, *action.params) for action in woven.actions.values()),
        "actions": [_action(action) for action in woven.actions.values()],
        "events": {
            event.name: [_param(p) for p in event.params] for event in typed.events.values()
        },
        "clock": list(typed.clock),
        "map": _map(typed.map),
        "calls": _calls(typed),
        "phases": {
            phase.name: [_param(p) for p in phase.params] for phase in typed.phases.values()
        },
        "variables": [
            _variable(emitted.layout.blocks[v.name], v) for v in typed.variables.values()
        ],
        "indexes": emitted.layout.indexes,
        "settings": [_setting(s) for s in typed.settings.values()],
        "origins": [_origin(o) for o in emitted.origins],
        "labels": typed.labels,
        "sites": [_site(site) for site in emitted.program.sites],
        "secrets": [_secret(secret, typed) for secret in typed.secrets],
        "each": [type_fact(type_) for type_ in emitted.claimed],
        "invariant_loads": [
            loads_of([condition], typed) for condition, _ in woven.invariants.values()
        ],
        "frame": [
            [slots[local.name], type_fact(local.type), slots[owner]]
            for local in emitted.program.frame
            if (owner := emitted.program.owners.get(local.name)) is not None
        ],
        "invariants": [_origin(origin) for _, origin in woven.invariants.values()],
    }
    return Compiled(emitted.source, facts)


def _map(drawn: tast.MapDef | None) -> dict[str, Any] | None:
    """Where things lie in a drawing, as plain data."""
    if drawn is None:
        return None
    return {
        "variable": drawn.variable,
        "at": [[code, *spot] for code, spot in drawn.at.items()],
        "links": [{"ends": list(link.ends), "colour": link.colour} for link in drawn.links],
    }


def _calls(typed: tast.TypedRuleset) -> dict[str, list[str]]:
    """The phases that each phase plays, straight or by way of others, in the order of their names."""
    direct = {name: set(_runs(phase.body)) for name, phase in typed.phases.items()}
    return {name: sorted(_reached(name, direct)) for name in direct}


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


def type_fact(type_: types.Type) -> dict[str, Any]:
    """A type as plain data."""
    match type_:
        case types.WordType():
            return {
                "kind": "word",
                "name": type_.name,
                "values": [list(value) for value in type_.values],
            }
        case types.IntType():
            return {"kind": "int", "low": type_.low, "high": type_.high}
        case types.BoolType():
            return {"kind": "bool"}
        case types.SetType():
            return {"kind": "set", "member": type_fact(type_.member)}
        case types.PairType():
            return {"kind": "pair", "left": type_fact(type_.left), "right": type_fact(type_.right)}
        case types.DiceType():
            return {"kind": "dice", "most": type_.most, "sides": type_.sides}
    return {"kind": "any"}


def _size(*params: tast.Local) -> int:
    total = 1
    for param in params:
        total *= types.size(param.type)
    return total


def _param(local: tast.Local) -> dict[str, Any]:
    stem, _, number = local.name.rpartition("_")
    return {"name": stem if number.isdigit() else local.name, "type": type_fact(local.type)}


def _origin(origin: tast.Origin) -> dict[str, Any]:
    return {
        "rule": origin.rule,
        "kind": origin.kind,
        "edition": origin.edition,
        "sections": list(origin.sections),
        "summary": origin.summary,
        "place": asdict(origin.span),
    }


def _action(action: Choosable) -> dict[str, Any]:
    params = [_param(p) for p in action.params]
    return {"name": action.name, "params": params, "origin": _origin(action.origin)}


def _variable(block: Block, variable: tast.Variable) -> dict[str, Any]:
    return {
        "name": variable.name,
        "base": block.base,
        "keys": [type_fact(key) for key in variable.keys],
        "type": type_fact(variable.type),
        "initial": variable.initial,
    }


def _secret(secret: tast.SecretDef, typed: tast.TypedRuleset) -> dict[str, Any]:
    """A secret beside its functions; `type` is set where it is about which value something is."""
    return {
        "name": secret.name,
        "kind": secret.kind,
        "type": type_fact(secret.params[0].type) if secret.kind == "type" else None,
        "by_mask": by_mask(secret),
        "depends": depends_on(secret, typed),
    }


def _setting(setting: tast.SettingDef) -> dict[str, Any]:
    return {
        "name": setting.name,
        "kind": setting.kind,
        "type": type_fact(setting.type),
        "default": setting.default,
        "summaries": list(setting.summaries),
        "origin": _origin(setting.origin),
    }


def _site(site: Site) -> dict[str, Any]:
    return {
        "phase": site.scope.name,
        "kind": type(site).__name__.lower(),
        "origin": _origin(site.scope.origin),
        "actions": list(site.actions) if isinstance(site, Decision) else [],
        "type": None if isinstance(site, Decision) else type_fact(site.into.type),
    }
