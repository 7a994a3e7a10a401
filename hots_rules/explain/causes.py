"""Why something happened: the steps of a play as a tree, each under the step that caused it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import field, frozen

from hots_rules._translate import translator
from hots_rules.diagnostics import BadArgument, UnknownName, abbreviated
from hots_rules.explain.depth_text import MultiDepthText, source_text
from hots_rules.observe.view import view_of
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import Step
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.visitor import blocks_of

if TYPE_CHECKING:
    from hots_rules.compile.link import LinkedRules

MAX_SHOWN = 20
ProcedureName = tuple[str, str]  # the kind and the name of an action, a phase, an event or a rule


@frozen(repr=False)
class TraceNode:
    """A step of a play, with the steps that it caused.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> node = game.play(game.actions[0]).explain().happening
    >>> node.step.kind, [part.step.kind for part in node.parts]
    ('action', ['set', 'set'])

    Attributes:
        step: the step.
        parts: the steps that it caused, each with its own.
    """

    step: Step
    parts: tuple[TraceNode, ...] = ()

    def __repr__(self) -> str:
        return f"<TraceNode: {self.step}, parts: {len(self.parts)}>"


@frozen(repr=False)
class CausalTrace(MultiDepthText):
    """Why a step of the last play happened, and what it caused: the result of `Game.explain`.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> after = game.play(game.actions[0])
    >>> trace = after.explain(after.trace[-1])
    >>> [step.kind for step in trace.causes], trace.happening.step.kind
    (['action'], 'set')

    Attributes:
        ruleset: the name of the ruleset.
        causes: the steps that led to it, beginning with the action or the outcome of chance.
        happening: the step itself, with all that it caused.
        language: the language of the texts.
        outcome: how the game ended, if it did with this play and no step was asked for.
    """

    ruleset: str
    causes: tuple[Step, ...]
    happening: TraceNode
    language: str = "en"
    outcome: str = field(default="", eq=False)  # it follows from the step, and is not sent
    _repr_pretty_ = MultiDepthText._repr_pretty_  # IPython looks in the class itself

    def __repr__(self) -> str:
        return f"<CausalTrace: {self.happening.step}, causes: {len(self.causes)}>"

    def _sentence(self) -> str:
        text = _step_text(self.happening.step)
        if self.causes:
            cause = _step_text(self.causes[-1])
            gettext = translator(self.language).gettext
            text = gettext("{what}, because: {cause}", what=text, cause=cause)
        return self._with_outcome(f"{text}.")

    def _paragraph(self) -> str:
        text, gettext = _step_text(self.happening.step), translator(self.language).gettext
        for step in reversed(self.causes):
            text = gettext("{cause}; so {what}", cause=_step_text(step), what=text)
        return self._with_outcome(f"{text}.")

    def _tree(self) -> str:
        causes = ("  " * depth + _step_text(step) for depth, step in enumerate(self.causes))
        lines = [*causes, *_node_lines(self.happening, len(self.causes))]
        return self._with_outcome("\n".join(lines))

    def _with_outcome(self, text: str) -> str:
        return f"{text}\n{self.outcome}" if self.outcome else text


def _step_text(step: Step) -> str:
    """A step with its rule, edition and sections."""
    text, source = step.text.rstrip("."), source_text(step.rule, step.edition, step.sections)
    return f"{text} ({source})" if source else text


def _node_lines(node: TraceNode, depth: int) -> Iterator[str]:
    yield "  " * depth + _step_text(node.step)
    for part in node.parts:
        yield from _node_lines(part, depth + 1)


def causal_trace(game: BaseGame, wanted: Step | str | None, player: str | None) -> CausalTrace:
    """Why a step of the last play happened; without one, all that the play caused, or the step that ended the game.

    Raises:
        BadArgument: nothing was played yet, or what happened is neither a step nor a text.
        UnknownName: no step of the last play matches, or there is no such player.
    """
    steps = _observed_steps(game, player)
    # The steps that a player observed are sorted by their texts, so an index holds in one language alone.
    others = game.ruleset.languages if player is None else ()
    translations = (
        game.in_language(language).trace for language in others if language != game.language
    )
    index = _step_index((steps, *translations), wanted)
    outcome = str(game.outcome or "") if wanted is None else ""
    if outcome:
        index = len(steps) - 1
    causing = causing_steps(game.ruleset.linked_rules(game.settings), steps)
    cause_indices: list[int] = []
    cause = causing[index]
    while cause is not None:
        cause_indices.append(cause)
        cause = causing[cause]
    causes = tuple(steps[cause] for cause in reversed(cause_indices))
    node = _node(index, steps, causing)
    return CausalTrace(game.ruleset.name, causes, node, game.language, outcome)


def _observed_steps(game: BaseGame, player: str | None) -> tuple[Step, ...]:
    """The steps of the last play that a player observed; without a player, all of them."""
    if player is None:
        return game.trace
    return view_of(game, player, since=max(len(game.moves) - 1, 0)).log


def _step_index(translations: Sequence[tuple[Step, ...]], wanted: Step | str | None) -> int:
    """The index of the wanted step, in any of the languages; 0 if none is wanted.

    Raises:
        BadArgument: there is no step, or the wanted one is neither a step nor a text.
        UnknownName: no step of the play matches.
    """
    steps = translations[0]
    if not steps:
        raise BadArgument("step", wanted or "", "one after the first play")
    if wanted is None:
        return 0
    if not isinstance(wanted, Step | str):
        needed = "a step of the trace, or words of one"
        raise BadArgument("what happened", abbreviated(wanted), needed)
    for translation in translations:
        if (index := _find_step(translation, wanted)) is not None:
            return index
    texts = tuple(dict.fromkeys(step.text for step in steps))
    raise UnknownName("step of the last play", str(wanted)[:200], texts[:MAX_SHOWN])


def _find_step(steps: tuple[Step, ...], wanted: Step | str) -> int | None:
    """The last step that is the wanted one, has its text, or contains its text."""
    if isinstance(wanted, Step):
        matching = [index for index, step in enumerate(steps) if step == wanted]
        return matching[-1] if matching else None
    spelled = [index for index, step in enumerate(steps) if step.text == wanted]
    wanted, texts = wanted.casefold(), [step.text.casefold() for step in steps]
    matching = spelled or [index for index, text in enumerate(texts) if text == wanted]
    matching = matching or [index for index, text in enumerate(texts) if wanted in text]
    return matching[-1] if matching else None


def _node(index: int, steps: tuple[Step, ...], causing: list[int | None]) -> TraceNode:
    caused = [later for later, cause in enumerate(causing) if cause == index]
    return TraceNode(steps[index], tuple(_node(later, steps, causing) for later in caused))


def causing_steps(linked: LinkedRules, steps: Iterable[Step]) -> list[int | None]:
    """For each step the index of the one that caused it; None if nothing in the play did.

    A trace is chronological, and a cause precedes its effects: an event comes after the action, phase
    or rule that raises it, a rule after the event that it answers, an effect after its rule. A step without any other
    possible cause is caused by the first one.
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
    raised: Mapping[ProcedureName, set[ProcedureName]],
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
    # An effect is caused by the step of its own rule.
    return above.rule == step.rule and (step.kind != "rule" or above.kind != "rule")


def _raised(linked: LinkedRules) -> dict[ProcedureName, set[ProcedureName]]:
    """The events and phases that each action, phase and rule raises or calls itself."""
    raised: dict[ProcedureName, set[ProcedureName]] = {}
    for procedure in linked.procedures.values():
        _collect(procedure.body, (procedure.kind, procedure.name), raised)
    return raised


def _collect(
    body: tast.Body, source: ProcedureName, raised: dict[ProcedureName, set[ProcedureName]]
) -> None:
    for node in body:
        match node:
            case tast.EmitEvent():
                raised.setdefault(source, set()).add(("event", node.event))
            case tast.CallPhase():
                raised.setdefault(source, set()).add(("phase", node.phase))
            case tast.WithOrigin():
                # In an event or a rule it marks the body of one rule.
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
