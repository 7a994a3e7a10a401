"""The Python modules of a program: plain functions, and the tables by which the machine finds them."""

from collections.abc import Container, Iterable, Iterator, Mapping

from attrs import frozen

from hots_rules.compile.audiences import audience_functions, claim_functions
from hots_rules.compile.codegen.block_writer import BlockWriter, PointWriter
from hots_rules.compile.codegen.emitted_steps import EmittedSteps
from hots_rules.compile.codegen.expression_compiler import ExpressionCompiler
from hots_rules.compile.codegen.legal_actions import LegalActionsWriter
from hots_rules.compile.codegen.statement_writer import (
    EffectWriter,
    ModuleContext,
    StatementWriter,
    function_name,
    module_source,
)
from hots_rules.compile.constant_folding import static_values
from hots_rules.compile.facts import CheckFacts, ClaimFacts
from hots_rules.compile.layout import Layout, make_layout, variables_to_index
from hots_rules.compile.link import LinkedRules, PreferredSpec, Procedure
from hots_rules.compile.lower import Lowering
from hots_rules.compile.program import DecisionPause, Program
from hots_rules.diagnostics import Fault, RulesetError
from hots_rules.rules.checks.cost import CostEstimator
from hots_rules.rules.checks.set_sizes import SetSizes
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.typed.call_graph import called_by, procedures_with
from hots_rules.rules.typed.tast import Expr
from hots_rules.rules.typed.visitor import expressions
from hots_rules.rules.wording import number_text

MAX_COMBINATIONS = 500_000  # of arguments of all actions of a decision, by all players
MAX_UNCOUNTED = 150_000_000  # steps to list the legal actions of a decision


@frozen
class EmittedModule:
    """The plain and the traced module, which logs in `S.log` what happens, and what is known about them.

    `text` has the lines of both: see `module_source`. `bases` has the first code of each action, `checks` the checks at
    run time, `claims` those of the functions of the table `CLAIMS`; `origins` and `traced_origins` are the rules that
    each module refers to by number. `listing_steps` has the most steps to list the legal codes of each action for a
    player, `clause_steps` those that each of its clauses takes of them. Where `counts_steps`, the worst case takes too
    long, so play counts the members of loops.
    """

    text: str
    layout: Layout
    program: Program
    origins: tuple[tast.Origin, ...]
    traced_origins: tuple[tast.Origin, ...]
    bases: dict[str, int]
    checks: list[CheckFacts]
    claims: list[ClaimFacts]
    listing_steps: dict[str, int]
    clause_steps: dict[str, tuple[int, ...]]
    counts_steps: bool


def emit(linked: LinkedRules) -> EmittedModule:
    """The modules of a ruleset under one choice of settings."""
    lowering = Lowering(linked)
    program = lowering.program()
    indexed = variables_to_index(_all_expressions(linked), linked.typed)
    layout = make_layout(linked.typed, indexed, program.frame)
    sizes = SetSizes(linked.typed, static_values(linked.typed, linked.folder.settings))
    estimator = CostEstimator(linked.typed, linked.bodies(), sizes=sizes)
    compiler = ExpressionCompiler(linked.typed, linked.folder, layout, linked.renamer, estimator)
    ending = procedures_with(linked.bodies(), lambda node: isinstance(node, tast.EndGame))
    return _Emitter(
        ModuleContext(linked, program, layout, compiler, lowering.suspending, ending, estimator)
    ).module()


def _all_expressions(linked: LinkedRules) -> Iterator[Expr]:
    for procedure in linked.procedures.values():
        yield from expressions(procedure.body)
    for action in linked.actions.values():
        yield from (clause.when for clause in action.clauses)
    yield from (definition.body for definition in linked.typed.definitions.values())
    yield from (condition for condition, _ in linked.invariants.values())


class _Emitter:
    def __init__(self, context: ModuleContext) -> None:
        self.context = context
        self.linked = context.linked
        self.compiler = context.compiler
        self.points = PointWriter(context)
        self.writers: dict[str, LegalActionsWriter] = {}

    def module(self) -> EmittedModule:
        """Both modules; constants and definitions come first, but are complete only at the end."""
        context, compiler = self.context, self.compiler
        bases, base = {}, 0
        for name, action in self.linked.actions.items():
            bases[name] = base
            base += action.code_count
        writer = BlockWriter(context)
        blocks = writer.functions()
        audiences, secrets = audience_functions(self.linked, compiler)
        claims, claim_names, claim_facts = claim_functions(self.linked, compiler)
        functions = [
            *self._procedures(),
            *blocks.values(),
            *self._choices(bases),
            *self.points.functions(),
            *self._invariants(),
            *audiences,
            *claims,
            *self._effects(),
        ]
        emitted = self._step_counter(functions)
        tables = self._tables(
            bases,
            blocks,
            {**self._steps(writer, emitted), "SECRETS": secrets, "CLAIMS": claim_names},
        )
        listing = {name: writer.steps(emitted) for name, writer in self.writers.items()}
        constants = [f"{name} = {text}\n" for name, text in compiler.constants.items()]
        text = "\n\n".join(["".join(constants), *compiler.functions.values(), *functions, tables])
        return EmittedModule(
            text,
            context.layout,
            context.program,
            tuple(context.origins),
            tuple(context.traced_origins),
            bases,
            compiler.checks,
            claim_facts,
            listing,
            {name: writer.steps_of_clauses(emitted) for name, writer in self.writers.items()},
            self._most_listing_steps(listing) > MAX_UNCOUNTED,
        )

    def _step_counter(self, functions: Iterable[str]) -> EmittedSteps:
        """What counts the steps of the plain functions."""
        plain = (module_source(function, traced=False) for function in functions)
        by_name = {function.partition("(")[0].removeprefix("def "): function for function in plain}
        cells = len(self.context.layout.initial())
        return EmittedSteps({**self.compiler.functions, **by_name}, self.compiler.loops, cells)

    def _steps(self, writer: BlockWriter, emitted: EmittedSteps) -> dict[str, Iterable[str]]:
        """The most steps of each block and invariant, with and without those for the members of loops.

        Also the most steps for one member of a loop: in any function, and in those that test conditions.
        """
        counting, in_conditions = (
            EmittedSteps(emitted.functions, emitted.bounds, emitted.cells, counts_members=True)
            for _ in range(2)
        )
        own = writer.steps(counting)
        for name in emitted.functions:
            counting.of_function(name)
            if name.partition("_")[0] in {"invariant", "knows", "list"}:
                in_conditions.of_function(name)
        lists = (
            in_conditions.of_function(action.list_name) for action in self.linked.actions.values()
        )
        invariants = range(len(self.linked.invariants))
        return {
            "STEPS": map(str, writer.steps(emitted)),
            "OWN_STEPS": map(str, own),
            "PER_MEMBER": [str(counting.per_member)],
            "INVARIANT_STEPS": [
                str(in_conditions.of_function(f"invariant_{number}")) for number in invariants
            ],
            "PER_MEMBER_IN_CONDITIONS": [str(max([in_conditions.per_member, *lists]))],
        }

    # -------------------------------------------------------------- procedures that never suspend
    def _procedures(self) -> Iterator[str]:
        for key, procedure in self.linked.procedures.items():
            if key in self.context.suspending or procedure.kind == "scenario":
                continue
            origin = self.context.origin(procedure.origin)
            yield self._function(procedure, StatementWriter(self.context, "return", origin))

    @staticmethod
    def _function(procedure: Procedure, writer: StatementWriter) -> str:
        params = ", ".join(["S", *(param.name for param in procedure.params)])
        writer.log_entry(procedure)
        writer.suite(procedure.body)
        head = f"def {writer.called(procedure)}({params}):"
        return f"{head}  # {procedure.origin.cited}\n{writer.text()}"

    def _effects(self) -> list[str]:
        """The functions of the procedures that `after` plays, and of all that these call."""
        bodies = self.linked.bodies()
        written: dict[str, str] = {}
        while (
            pending := {key for action in self.compiler.acted for key in called_by(bodies, action)}
            - written.keys()
        ):
            for key in sorted(pending):
                procedure = self.linked.procedures[key]
                origin = self.context.origin(procedure.origin)
                writer = EffectWriter(self.context, "return", origin)
                written[key] = self._function(procedure, writer)
        return list(written.values())

    # -------------------------------------------------------------- choices
    def _choices(self, bases: dict[str, int]) -> Iterator[str]:
        for name, action in self.linked.actions.items():
            self.writers[name] = LegalActionsWriter(self.compiler, action, bases[name])
            yield self.writers[name].source()
            yield self._choose(name, bases[name])
        for preferred in self.linked.preferences:
            if isinstance(preferred, PreferredSpec):
                base = bases[preferred.name]
                yield LegalActionsWriter(self.compiler, preferred, base).source()
        for suspension in self.context.program.suspensions:
            if isinstance(suspension, DecisionPause):
                self._check_decision(suspension)

    def _most_listing_steps(self, listing: Mapping[str, int]) -> int:
        """The most steps to list the legal actions of any decision."""
        players = types.size(self.linked.typed.players)
        return max(
            (
                sum(listing[name] for name in decision.actions)
                * (players if decision.waiting is not None else 1)
                for decision in self.context.program.suspensions
                if isinstance(decision, DecisionPause)
            ),
            default=0,
        )

    def _check_decision(self, decision: DecisionPause) -> None:
        """Refuse a decision among too many combinations of arguments, legal or not."""
        combinations = sum(self.linked.actions[name].code_count for name in decision.actions)
        if combinations > MAX_COMBINATIONS:
            headline = (
                f"expected at most {MAX_COMBINATIONS:,} combinations of arguments at a decision, "
                f"got {number_text(combinations)}"
            )
            span, remedy = decision.frame.origin.span, "choose fewer arguments at once"
            raise RulesetError([Fault("too-large", headline, span, help=remedy)])

    def _choose(self, name: str, base: int) -> str:
        """`choose_fire(S, code, after)`: plays the action and returns the next block."""
        procedure = self.linked.procedures[f"action {name}"]
        writer = StatementWriter(self.context, "return HALT")
        if base:
            writer.add(f"code -= {base}")
        for param in reversed(procedure.params[1:]):
            low = types.lowest_code(param.type)
            writer.add(f"code, {param.name} = divmod(code, {types.size(param.type)})")
            if low:
                writer.add(f"{param.name} += {low}")
        writer.add(f"{procedure.params[0].name} = code")
        if procedure.key in self.context.suspending:
            routine = self.context.program.routines[procedure.key]
            for param in procedure.params:
                writer.add(f"{self.compiler.local(param)} = {param.name}")
            writer.add(f"{self.compiler.local(routine.return_block)} = after")
            writer.add(f"return {routine.entry}")
        else:
            args = ", ".join(["S", *(param.name for param in procedure.params)])
            writer.add(f"{function_name(procedure)}({args})")
            if procedure.key in self.context.ending:
                writer.add("if S[1]: return HALT")
            writer.add("return after")
        return f"def choose_{name}(S, code, after):\n{writer.text()}"

    # -------------------------------------------------------------- the rest
    def _invariants(self) -> Iterator[str]:
        for number, (condition, origin) in enumerate(self.linked.invariants.values()):
            test = self.compiler.condition(condition)
            yield f"def invariant_{number}(S):  # {origin.cited}\n    return {test}\n"

    def _tables(
        self, bases: dict[str, int], written: Container[int], more: dict[str, Iterable[str]]
    ) -> str:
        """The tables by which the machine finds the functions."""
        blocks = range(len(self.context.program.blocks))
        rows: dict[str, Iterable[str]] = {
            "BLOCKS": (f"block_{n}" if n in written else "None" for n in blocks),
            "POINTS": self.points.rows(),
            "ACTIONS": (f"({base}, choose_{name})" for name, base in bases.items()),
            "INVARIANTS": (
                f"({name!r}, invariant_{n})" for n, name in enumerate(self.linked.invariants)
            ),
            **more,
        }
        tables = [
            f"{name} = ({''.join(f'{entry}, ' for entry in entries)})\n"
            for name, entries in rows.items()
        ]
        callers = ", ".join(
            f"{block}: {self.points.frame(frame)}"
            for block, frame in self.context.program.callers.items()
        )
        return "".join([*tables, f"CALLERS.update({{{callers}}})\n"])
