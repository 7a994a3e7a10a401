"""The expectations of a test case, compared with the game after its actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from attrs import frozen

from hots_rules.compile.codes import winners_text
from hots_rules.diagnostics import HotsError
from hots_rules.explain.explain_action import refusals
from hots_rules.observe.view import view_of
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.state.data_text import UNKNOWN
from hots_rules.testing.casebook import Case, parse_entries, play_case, split_list, start_case
from hots_rules.testing.errors import BadCase


@frozen
class UnmetLine:
    """A line of a case that does not hold.

    >>> from hots_rules.testing import UnmetLine
    >>> UnmetLine(12, "state: points 3", "expected 3, got 5", "state: points 5").instead
    'state: points 5'

    Attributes:
        line: its number in the file of the case; 0 if it is not known.
        text: the line; empty if the case as a whole is at fault.
        message: what was expected, and what was found.
        instead: the line that would hold; empty if there is none.
    """

    line: int
    text: str
    message: str
    instead: str = ""


def unmet_lines(case: Case, game: BaseGame) -> list[UnmetLine]:
    """The lines of `expect` that a game does not meet.

    Raises:
        BadCase: nothing is expected, or a line cannot be read.
    """
    lines = case.numbered_lines("expect", game.ruleset.name)
    if not lines:
        raise case.error("nothing is expected")
    return [
        UnmetLine(number, line, message, met_line(game, line))
        for number, line in lines
        if (message := _unmet(case, game, line, number))
    ]


def unmet_in(case: Case, ruleset: AnyRuleset) -> list[UnmetLine]:
    """The lines of a case that do not hold in a ruleset; the fault instead if it cannot be played there."""
    try:
        return unmet_lines(case, play_case(case, start_case(case, ruleset)))
    except (HotsError, LookupError) as error:
        return [fault_of(case, error)]


def fault_of(case: Case, error: Exception) -> UnmetLine:
    """An error as a fault of a case as a whole."""
    line = error.line if isinstance(error, BadCase) else case.line
    message = str(error).removeprefix(f"{case.file}: {case.title}: ")
    return UnmetLine(line or case.line, "", message)


def _unmet(case: Case, game: BaseGame, line: str, number: int) -> str:
    """What is wrong with a line of `expect`; empty if it holds."""
    kind, _, rest = line.partition(":")
    check = _CHECKS.get(kind.strip())
    if check is None:
        kinds = ", ".join(_CHECKS)
        raise case.error(f"expected a line of {kinds}; got `{line[:60]}`", number)
    try:
        return check(game, rest.strip())
    except KeyError as error:
        return f"no {error} in {game.ruleset.name}"


def _legal_texts(game: BaseGame) -> set[str]:
    return {action.text for action in game.actions}


# ------------------------------------------------------------------ what does not hold
# Each check gets a line after its kind, and gives what is wrong with it; nothing if it holds.
def _to_move(game: BaseGame, rest: str) -> str:
    players = ", ".join(game.to_move)
    return "" if players == rest else f"expected `{rest}` to move, got `{players}`"


def _legal(game: BaseGame, rest: str) -> str:
    return (
        ""
        if rest in _legal_texts(game)
        else f"expected `{rest}` among {sorted(_legal_texts(game))}"
    )


def _illegal(game: BaseGame, rest: str) -> str:
    text, _, rule = rest.partition(" because ")
    if text in _legal_texts(game):
        return f"expected `{text}` not to be legal"
    reasons = {reason.rule for reason in refusals(game, text)}
    if not reasons:
        return f"expected a reason against `{text}`"
    if rule and rule not in reasons:
        return f"expected `{rule}` among the reasons against `{text}`: {sorted(reasons)}"
    return ""


def _choices(game: BaseGame, rest: str) -> str:
    expected, choices = {text.strip() for text in rest.split(";")}, _legal_texts(game)
    return "" if choices == expected else f"expected {sorted(expected)}, got {sorted(choices)}"


def _state(game: BaseGame, rest: str) -> str:
    above, _, value = (part.strip() for part in rest.partition(":"))
    variable = game.ruleset.schema.variables.get(above)
    if value and variable is not None and not variable.keys:
        return f"write `{above} {value}`: `{above}` has no keys"
    entries = [
        (keys, name, value)
        for above, name, written in parse_entries(rest)
        for keys, value in _values_by_keys(game, above, name, written)
    ]
    for keys, name, value in entries:
        count = len(game.ruleset.schema.variables[name].keys)
        if count and count != len(split_list(keys)):
            return f"expected the keys of `{name}` and a colon before it, as in `KEY: {name} VALUE`"
        actual = _value_at(game, keys, name)
        if actual != value:
            return f"expected {name} of {keys or 'the game'} to be {value}, got {actual}"
    return ""


def _values_by_keys(game: BaseGame, keys: str, name: str, written: str) -> list[tuple[str, str]]:
    """The keys and the value of an entry; of `coins Red 2 Blue 4`, each key with its value."""
    words = written.split()
    is_short = not keys and len(game.ruleset.schema.variables[name].keys) == 1
    if is_short and words and len(words) % 2 == 0:
        return list(zip(words[::2], words[1::2], strict=True))
    return [(keys, written)]


def _value_at(game: BaseGame, keys: str, name: str) -> str:
    """The value of an entry of the state, as a case writes it."""
    variable = game.ruleset.schema.variables[name]
    return _plain(game.state[(name, *split_list(keys))] if variable.keys else game.state[name])


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "{" + ", ".join(map(str, value)) + "}"
    return "none" if value is None else str(value)


def _seen(game: BaseGame, rest: str) -> str:
    return "" if _is_seen(game, rest) else f"expected `{rest}` to be seen, but it is hidden"


def _hidden(game: BaseGame, rest: str) -> str:
    return f"expected `{rest}` to be hidden, but it is seen" if _is_seen(game, rest) else ""


def _is_seen(game: BaseGame, rest: str) -> bool:
    """Whether a player sees an entry of the state, such as `Red: points Blue`."""
    player, _, entry = (part.strip() for part in rest.partition(":"))
    name, _, above = entry.partition(" ")
    _value_at(game, above, name)  # a name that the game does not have is an error, not a secret
    keys = split_list(above)
    shown = view_of(game, player).state[name]
    for key in keys:
        shown = shown.get(key, UNKNOWN)
    return bool(shown != UNKNOWN)


def _outcome(game: BaseGame, rest: str) -> str:
    if not game.is_over:
        return f"expected the end of the game, but {game.to_move} are asked in {game.phase}"
    if game.outcome is None:
        return f"expected the outcome `{rest}`, but no rule names one"
    actual = _outcome_text(game)
    winners, blank, reason = rest.partition(" ")
    if winners == "none":  # as in `win none`
        rest = f"{winners_text(())}{blank}{reason}"
    return "" if actual == rest else f"expected the outcome `{rest}`, got `{actual}`"


def _outcome_text(game: BaseGame) -> str:
    return f"{winners_text(game.outcome.winners)} {game.outcome.reason}" if game.outcome else ""


def _phase(game: BaseGame, rest: str) -> str:
    return "" if game.phase == rest else f"expected the phase `{rest}`, got `{game.phase}`"


def _goes_on(game: BaseGame, rest: str) -> str:
    if rest:
        return f"expected nothing after `goes on:`, got `{rest}`"
    return "" if game.to_move else f"expected the game to go on, got {game.outcome}"


_CHECKS: Mapping[str, Callable[[BaseGame, str], str]] = MappingProxyType(
    {
        "to move": _to_move,
        "legal": _legal,
        "illegal": _illegal,
        "choices": _choices,
        "state": _state,
        "seen": _seen,
        "hidden": _hidden,
        "outcome": _outcome,
        "phase": _phase,
        "goes on": _goes_on,
    }
)
KINDS = tuple(_CHECKS)


# ------------------------------------------------------------------ what would hold instead
def met_line(game: BaseGame, line: str) -> str:
    """A line that the game meets: of the same kind if there is one, else of another kind.

    It is empty if the line names something that the game does not have.
    """
    kind, _, rest = line.partition(":")
    try:
        return _MET[kind.strip()](game, rest.strip())
    except (HotsError, LookupError):
        return ""


def _met_to_move(game: BaseGame, rest: str) -> str:
    return f"to move: {', '.join(game.to_move)}" if game.to_move else _met_outcome(game, rest)


def _met_action(game: BaseGame, rest: str) -> str:
    text = rest.partition(" because ")[0]
    if text in _legal_texts(game):
        return f"legal: {text}"
    reasons = sorted({reason.rule for reason in refusals(game, text)})
    return f"illegal: {text} because {reasons[0]}" if reasons else ""


def _met_choices(game: BaseGame, rest: str) -> str:
    return (
        f"choices: {'; '.join(sorted(_legal_texts(game)))}"
        if game.to_move
        else _met_outcome(game, "")
    )


def _met_state(game: BaseGame, rest: str) -> str:
    entries = parse_entries(rest)
    met = list[str]()
    for above, name, written in entries:
        listed = [keys for keys, _ in _values_by_keys(game, above, name, written)]
        actual = [(keys, _value_at(game, keys, name)) for keys in listed]
        met.append(
            " ".join(
                [name, *(text if keys == above else f"{keys} {text}" for keys, text in actual)]
            )
        )
    first = entries[0][0]
    return f"state: {first}: {', '.join(met)}" if first else f"state: {', '.join(met)}"


def _met_view(game: BaseGame, rest: str) -> str:
    return f"{'seen' if _is_seen(game, rest) else 'hidden'}: {rest}"


def _met_outcome(game: BaseGame, rest: str) -> str:
    if game.outcome is None:  # no line fits a game that is over without one
        return _met_to_move(game, rest) if game.to_move else ""
    return f"outcome: {_outcome_text(game)}"


def _met_phase(game: BaseGame, rest: str) -> str:
    return f"phase: {game.phase}" if game.to_move else _met_outcome(game, rest)


def _met_goes_on(game: BaseGame, rest: str) -> str:
    return "goes on:" if game.to_move else _met_outcome(game, rest)


_MET: Mapping[str, Callable[[BaseGame, str], str]] = MappingProxyType(
    {
        "to move": _met_to_move,
        "legal": _met_action,
        "illegal": _met_action,
        "choices": _met_choices,
        "state": _met_state,
        "seen": _met_view,
        "hidden": _met_view,
        "outcome": _met_outcome,
        "phase": _met_phase,
        "goes on": _met_goes_on,
    }
)
