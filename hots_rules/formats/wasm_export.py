"""A ruleset as a module of WebAssembly, with all that Node and browsers need to play it."""

from __future__ import annotations

import json
from importlib.resources import files

from hots_rules.compile.codes import codes_of, value_text
from hots_rules.diagnostics import check_kind
from hots_rules.native.cached_code import BATCH, MAX_DECISIONS
from hots_rules.native.lowering.lower import Lowered, lower
from hots_rules.native.lowering.program import Program
from hots_rules.native.printing.wasm import to_wasm
from hots_rules.native.runtime import games
from hots_rules.native.runtime.complete import complete
from hots_rules.play.game import AnyRuleset
from hots_rules.play.notation import ActionForm, Notation
from hots_rules.play.ruleset import BaseRuleset
from hots_rules.play.settings import Choices
from hots_rules.rules.typed import value_types as types

_REGIONS = (
    *("SLOTS", "ERROR", "OUT", "SEED", "SEED_SIZE"),
    *("GAMES", "BUDGET", "GAME", "IS_LIVE", "ROWS", "STATES"),
)
_STATIC = ("rules.mjs", "rules.d.mts")


def wasm_files(
    ruleset: AnyRuleset, options: Choices | None = None, readings: Choices | None = None
) -> dict[str, bytes]:
    """The files of a ruleset for Node and browsers, by name: `rules.wasm`, `rules.json`, `rules.mjs` and its types.

    >>> import hots_rules as hr
    >>> sorted(hr.formats.wasm_files(hr.load("hots-4.0")))
    ['rules.d.mts', 'rules.json', 'rules.mjs', 'rules.wasm']

    Raises:
        NotLowered: the ruleset needs more than the integer program has.
        ArgumentError: no such option, reading or value.
    """
    check_kind("ruleset", ruleset, BaseRuleset, "a ruleset")
    lowered = lower(ruleset.machine(ruleset.chosen(options or {}, readings or {})))
    program = complete(lowered, most_games=BATCH, most_decisions=MAX_DECISIONS)
    layout = json.dumps(_layout(ruleset.notation, lowered, program), ensure_ascii=False)
    folder = files("hots_rules.formats") / "wasm"
    return {
        "rules.wasm": to_wasm(program),
        "rules.json": f"{layout}\n".encode(),
        **{name: (folder / name).read_bytes() for name in _STATIC},
    }


def _layout(notation: Notation, lowered: Lowered, program: Program) -> dict[str, object]:
    """Where the module has what, and the texts."""
    facts = lowered.machine.facts
    return {
        "format": "hots_rules/wasm.v1",
        "ruleset": facts.name,
        "content": facts.content_digest,
        "players": notation.labels.players,
        "scenarios": {name: scenario.entry for name, scenario in facts.scenarios.items()},
        "reasons": [origin.rule for origin in facts.origins],
        "checks": [check.text for check in facts.checks],
        "actions": [_action(notation, form) for form in notation.forms],
        "initial": [str(word) for word in lowered.slots.words(facts.initial)],
        "regions": {name: program.memory[name].base for name in _REGIONS},
        "row": games.ROW,
        "rowCells": games.ROW_CELLS,
        "batch": BATCH,
    }


def _action(notation: Notation, form: ActionForm) -> dict[str, object]:
    """An action with the texts of its arguments: in the label, and by the names of the ruleset."""
    return {
        "name": form.name,
        "base": form.base,
        "template": notation.template(form),
        "params": [
            {"name": name, "low": types.lowest_code(type_), "size": types.size(type_)}
            | _texts(notation, type_)
            for name, type_ in form.params
        ],
    }


def _texts(notation: Notation, type_: types.Type) -> dict[str, list[str]]:
    """The texts of all values of a type; numbers are their own."""
    if isinstance(type_, types.IntType):
        return {}
    codes = codes_of(type_)
    return {
        "texts": [notation.labels.format_value(code, type_) for code in codes],
        "names": [value_text(code, type_) for code in codes],
    }
