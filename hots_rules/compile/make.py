"""From a typed rulebook to compiled modules with their facts."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from hots_rules.compile import facts
from hots_rules.compile.audiences import audience_variables, free_variables, is_vectorized
from hots_rules.compile.cache import CompiledModule
from hots_rules.compile.codegen.emit import EmittedModule, emit
from hots_rules.compile.codegen.statement_writer import module_source
from hots_rules.compile.evaluate import Budget
from hots_rules.compile.link import LinkedRules, link_rules
from hots_rules.compile.program import DecisionPause, DiceRoll, Program, Suspension
from hots_rules.diagnostics import DEFAULT_LIMITS, Limits
from hots_rules.rules.graph import reachable
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.visitor import walk_statements


@frozen
class Compilation:
    """The plain and the traced module of a ruleset: they share nearly all of their lines.

    `text` has the lines of both, `facts` are those of the plain one.
    """

    text: str = field(repr=False)
    facts: facts.CompiledFacts = field(repr=False)
    traced_origins: tuple[tast.Origin, ...] = field(repr=False)

    def module(self, *, traced: bool) -> CompiledModule:
        """One of the two modules."""
        source = module_source(self.text, traced=traced)
        if not traced:
            return CompiledModule(source, self.facts)
        return CompiledModule(
            source, evolve(self.facts, is_traced=True, origins=self.traced_origins)
        )


def compile_typed(
    typed: tast.TypedRuleset,
    content: str,
    settings: Mapping[str, int],
    *,
    limits: Limits = DEFAULT_LIMITS,
    policy: tast.PolicyDef | None = None,
) -> Compilation:
    """The modules of a typed tree under one choice of options and readings; `content` is its digest.

    With a policy, the modules list at each decision only those legal actions that are preferred by the first line that
    prefers any; all of them, where none does. Their states are the same as without a policy.

    Raises:
        RulesetError: it takes more than `Limits.ruleset_steps`, or a decision has too many actions.
    """
    linked = link_rules(typed, settings, Budget.to_compile(limits.ruleset_steps), policy)
    emitted = emit(linked)
    plain = _facts(linked, emitted, content, settings)
    return Compilation(emitted.text, plain, emitted.traced_origins)


def _is_of_team(body: tast.Body) -> bool:
    """Whether some statement lets several players win."""
    return any(
        isinstance(node, tast.EndGame) and isinstance(node.winners.type, types.SetType)
        for node in walk_statements(body)
    )


def _facts(
    linked: LinkedRules, emitted: EmittedModule, content: str, settings: Mapping[str, int]
) -> facts.CompiledFacts:
    typed, layout, program = linked.typed, emitted.layout, emitted.program
    slots, routines = layout.frame, program.routines
    return_slots = {key: slots[routine.return_block.name] for key, routine in routines.items()}
    entry = f"phase {typed.entry}"
    return facts.CompiledFacts(
        name=typed.name,
        title=typed.title,
        content_digest=content,
        is_traced=False,
        has_teams=any(map(_is_of_team, linked.bodies().values())),
        counts_steps=emitted.counts_steps,
        players=typed.players.values if isinstance(typed.players, types.WordType) else (),
        checks=tuple(emitted.checks),
        initial=tuple(layout.initial()),
        scenarios={
            name: facts.ScenarioFacts(scenario.origin.summary, routines[f"scenario {name}"].entry)
            for name, scenario in typed.scenarios.items()
        },
        entry=facts.EntryFacts(routines[entry].entry, return_slots[entry])
        if entry in routines
        else None,
        return_slots=return_slots,
        routines={
            key: facts.RoutineFacts(
                routine.entry, len(routine.params), tuple(program.returns.get(key, ()))
            )
            for key, routine in routines.items()
        },
        actions=tuple(
            facts.ActionFacts(
                action.name,
                _parameters(action.params),
                emitted.bases[name],
                action.code_count,
                action.origin,
                tuple(
                    dict.fromkeys(
                        spec.list_name
                        for spec in (action, *linked.preferences)
                        if spec.name == name
                    )
                ),
            )
            for name, action in linked.actions.items()
        ),
        clauses=_clauses(linked, emitted),
        events={event.name: _parameters(event.params) for event in typed.events.values()},
        phases={phase.name: _parameters(phase.params) for phase in typed.phases.values()},
        calls=_calls(typed),
        clock=tuple(typed.clock),
        map=_map(linked),
        variables=tuple(layout.variables.values()),
        indexes=layout.indexes,
        settings=tuple(map(_setting, typed.settings.values())),
        chosen=tuple(sorted(settings.items())),
        origins=emitted.origins,
        labels=typed.labels,
        points=tuple(_point(suspension) for suspension in program.suspensions),
        secrets=tuple(_secret(secret, typed) for secret in typed.secrets),
        claims=tuple(emitted.claims),
        invariants=tuple(
            facts.InvariantFacts(origin, free_variables([condition], typed))
            for condition, origin in linked.invariants.values()
        ),
        frame=_frame(program, slots),
    )


def _frame(program: Program, slots: Mapping[str, int]) -> tuple[facts.FrameSlot, ...]:
    """The slots of all locals that belong to a procedure; `slots` are those of the frame by name."""
    return tuple(
        facts.FrameSlot(
            slots[local.name],
            local.type,
            slots[program.owners[local.name]],
            local.word,
            program.defaults.get(local.name, 0),
        )
        for local in program.frame
        if local.name in program.owners
    )


def _clauses(linked: LinkedRules, emitted: EmittedModule) -> tuple[facts.ClauseFacts, ...]:
    return tuple(
        facts.ClauseFacts(name, clause.kind, clause.origin, steps)
        for name, action in linked.actions.items()
        for clause, steps in zip(action.clauses, emitted.clause_steps[name], strict=True)
    )


def _setting(setting: tast.SettingDef) -> facts.SettingFacts:
    return facts.SettingFacts(
        setting.name,
        setting.kind,
        setting.type,
        setting.default,
        setting.summaries,
        setting.origin,
        setting.scenarios,
    )


def _map(linked: LinkedRules) -> facts.MapFacts | None:
    drawn = linked.typed.map
    if drawn is None:
        return None
    links = tuple(facts.MapLink(link.ends, link.colour) for link in drawn.links)
    terrains = [linked.folder.expr(terrain) for terrain in drawn.terrain]
    type_ = drawn.terrain[0].type if drawn.terrain else None
    return facts.MapFacts(
        drawn.variable,
        drawn.at,
        links,
        drawn.is_board,
        drawn.shape,
        {
            code: terrain.value
            for code, terrain in zip(drawn.at, terrains, strict=False)
            if isinstance(terrain, tast.Const)
        },
        type_ if isinstance(type_, types.WordType) else None,
    )


def _parameters(params: tuple[tast.Local, ...]) -> tuple[facts.Parameter, ...]:
    return tuple(facts.Parameter(param.word, param.type) for param in params)


def _point(suspension: Suspension) -> facts.PointFacts:
    frame = suspension.frame
    key = f"{frame.kind} {frame.name}"
    if isinstance(suspension, DecisionPause):
        return facts.PointFacts(frame.name, "decision", frame.origin, suspension.actions, None, key)
    kind, type_ = "dice" if isinstance(suspension, DiceRoll) else "drawing", suspension.into.type
    return facts.PointFacts(frame.name, kind, frame.origin, (), type_, key)


def _secret(secret: tast.SecretDef, typed: tast.TypedRuleset) -> facts.SecretFacts:
    type_ = secret.params[0].type if secret.kind == "type" else None
    return facts.SecretFacts(
        secret.name, type_, is_vectorized(secret), audience_variables(secret, typed)
    )


def _calls(typed: tast.TypedRuleset) -> dict[str, tuple[str, ...]]:
    """The phases that each phase calls, directly or indirectly, sorted by name."""
    calls = {
        name: {
            node.phase for node in walk_statements(phase.body) if isinstance(node, tast.CallPhase)
        }
        for name, phase in typed.phases.items()
    }
    return {name: tuple(sorted(reachable(calls, calls[name]))) for name in calls}
