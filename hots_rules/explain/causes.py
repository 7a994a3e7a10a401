"""Why something happened: the steps of a play as a tree, each under the rule that brought it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from hots_rules._translate import translator
from hots_rules.compile.link import LinkedRules
from hots_rules.diagnostics import UnknownOption
from hots_rules.explain.ruling import DEPTHS, MultiDepthText
from hots_rules.observe.view import view_of
from hots_rules.play.game import BaseGame
from hots_rules.play.trace import Step
from hots_rules.rules.typed import tast

MAX_SHOWN = 20
Source = tuple[str, str]


@frozen
class TraceNode:
    """A step of a play, and the steps that it brought."""

    step: Step
    parts: tuple[TraceNode, ...] = ()


@frozen
class CausalTrace(MultiDepthText):
    """Why something happened.

    `causes` are the steps that led to it, from the action or the outcome of chance with which the
    play began; `happening` is the thing itself, with all that it brought. The answer is in `language`,
    as the texts of the steps are.
    """

    ruleset: str
    causes: tuple[Step, ...]
    happening: TraceNode
    language: str = "en"
    _repr_pretty_ = MultiDepthText._repr_pretty_  # a console looks into the class itself

    def text(self, depth: str = "paragraph") -> str:
        """The answer in words: a `sentence` with the last cause, a `paragraph` with all, or a `tree`.

        Raises:
            UnknownOption: no such depth.
        """
        if depth not in DEPTHS:
            raise UnknownOption("depth", DEPTHS, str(depth))
        said, spoken = _said(self.happening.step), translator(self.language)
        if depth == "sentence" and self.causes:
            cause = _said(self.causes[-1])
            said = spoken.gettext("{what}, because: {cause}", what=said, cause=cause)
        elif depth == "paragraph":
            for step in reversed(self.causes):
                said = spoken.gettext("{cause}; so {what}", cause=_said(step), what=said)
        return "\n".join(self._tree()) if depth == "tree" else f"{said}."

    def _tree(self) -> Iterator[str]:
        for indent, step in enumerate(self.causes):
            yield "  " * indent + _said(step)
        yield from _lines(self.happening, len(self.causes))


def _said(step: Step) -> str:
    """A step with its rule, edition and sections."""
    sections = (f"§{section}" for section in step.sections)
    source = " ".join(part for part in (step.rule, step.edition, *sections) if part)
    return f"{step.text.rstrip('.')} ({source})" if source else step.text.rstrip(".")


def _lines(happening: TraceNode, indent: int) -> Iterator[str]:
    yield "  " * indent + _said(happening.step)
    for part in happening.parts:
        yield from _lines(part, indent + 1)


def causal_trace(game: BaseGame, what: Step | str | None, player: str | None) -> CausalTrace:
    """Why a step of the last play happened; without one, all that the play brought.

    Raises:
        UnknownOption: no step of the last play is that; there is no such player, or no such language.
    """
    steps = _observed(game, player)
    # A player's steps are ordered by their texts, so their places hold in one language alone.
    others = game.ruleset.languages if player is None else ()
    translations = (game.in_language(one).trace for one in others if one != game.language)
    wanted = _wanted((steps, *translations), what)
    nodes = _placed(game.ruleset.linked_rules(game.settings), steps)
    above: list[int] = []
    at = nodes[wanted]
    while at is not None:
        above.append(at)
        at = nodes[at]
    causes = tuple(steps[one] for one in reversed(above))
    return CausalTrace(game.ruleset.name, causes, _with_parts(wanted, steps, nodes), game.language)


def _observed(game: BaseGame, player: str | None) -> tuple[Step, ...]:
    """The steps of the last play that a player observed; without a player, all of them."""
    if player is None:
        return game.trace
    return view_of(game, player, since=max(len(game.moves) - 1, 0)).log


def _wanted(told: Sequence[tuple[Step, ...]], what: Step | str | None) -> int:
    """The place of the step that is meant; the first if none is said.

    The play is told in one language or several, and the step may be of any of them.

    Raises:
        UnknownOption: no step of the play is that.
    """
    steps = told[0]
    if not steps:
        raise UnknownOption(
            "what happened", ("a play, of which there is none yet",), str(what or "")
        )
    if what is None:
        return 0
    for each in told:
        if (found := _find(each, what)) is not None:
            return found
    known = tuple(dict.fromkeys(step.text for step in steps))
    raise UnknownOption("what happened", known[:MAX_SHOWN], str(what)[:200])


def _find(steps: tuple[Step, ...], what: Step | str) -> int | None:
    """The last step that is meant: itself, or the one whose text it is, or whose text has it."""
    if isinstance(what, Step):
        found = [place for place, step in enumerate(steps) if step == what]
    else:
        said = what.casefold()
        found = [place for place, step in enumerate(steps) if step.text.casefold() == said]
        found = found or [p for p, step in enumerate(steps) if said in step.text.casefold()]
    return found[-1] if found else None


def _with_parts(at: int, steps: tuple[Step, ...], above: list[int | None]) -> TraceNode:
    below = [place for place, parent in enumerate(above) if parent == at]
    return TraceNode(steps[at], tuple(_with_parts(place, steps, above) for place in below))


# ------------------------------------------------------------------ the tree
def _placed(linked: LinkedRules, steps: Iterable[Step]) -> list[int | None]:
    """For each step the one that brought it; None for those that nothing in the play brought.

    A trace is in the order in which things happened, so what is done stands above what it did: an
    event under the action, phase or rule that raises it, a rule under the event that it answers, and an
    effect under the rule that has it.
    """
    brings, answers = _brings(linked), _answers(linked)
    found: list[int | None] = []
    open_: list[tuple[int, Step]] = []
    for place, step in enumerate(steps):
        deep = next(
            (n for n in reversed(range(len(open_))) if _led(open_[n][1], step, brings, answers)), 0
        )
        del open_[deep + 1 :]
        found.append(open_[-1][0] if open_ else None)
        open_.append((place, step))
    return found


def _led(
    above: Step, step: Step, brings: Mapping[Source, set[Source]], answers: Mapping[str, set[str]]
) -> bool:
    """Whether one step can have brought another."""
    if above.kind == "event":
        return step.kind == "rule" and step.rule in answers[above.name]
    if above.kind not in {"action", "phase", "rule"}:
        return False
    if step.kind in {"event", "phase"}:
        # A phase that goes on after somebody chose is noted as a rule of its name.
        kinds = (above.kind, "phase") if above.kind == "rule" else (above.kind,)
        return any((step.kind, step.name) in brings.get((k, above.name), ()) for k in kinds)
    return above.rule == step.rule and (step.kind != "rule" or above.kind != "rule")


def _brings(linked: LinkedRules) -> dict[Source, set[Source]]:
    """The events and phases that each action, phase and rule brings by itself."""
    found: dict[Source, set[Source]] = {}
    for procedure in linked.procedures.values():
        _gather(procedure.body, (procedure.kind, procedure.name), found)
    return found


def _gather(body: tast.Body, source: Source, found: dict[Source, set[Source]]) -> None:
    for node in body:
        match node:
            case tast.EmitEvent():
                found.setdefault(source, set()).add(("event", node.event))
            case tast.CallPhase():
                found.setdefault(source, set()).add(("phase", node.phase))
            case tast.WithOrigin():
                inner = ("rule", node.origin.rule) if source[0] in {"event", "rule"} else source
                _gather(node.body, inner, found)
            case tast.Branch():
                for _, block in node.cases:
                    _gather(block, source, found)
                _gather(node.otherwise, source, found)
            case tast.ForEach() | tast.Loop():
                _gather(node.body, source, found)


def _answers(linked: LinkedRules) -> dict[str, set[str]]:
    """The rules that answer each event."""
    return {
        name: {handler.origin.rule for handler in event.handlers}
        for name, event in linked.typed.events.items()
    }
