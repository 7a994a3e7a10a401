"""Who chooses, and what a player knows, as functions of the integer program.

- `players(point)` returns the mask of those who choose;
- `hide_K(viewer)` writes what a player does not know of secret number K into the region `HIDDEN_K`;
- `own_K(player)` writes which pieces of a secret type this player can identify, and not everybody, into `OWNED_K`.

A secret of a variable has a row of words for each combination of its keys but the last, with a bit for each value of
the last one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product

from hots_rules.compile.codes import DecisionPoint, codes_of
from hots_rules.compile.facts import Variable
from hots_rules.compile.machine import Machine
from hots_rules.native.lowering import program
from hots_rules.native.lowering.bounds import Bounds
from hots_rules.native.lowering.module import ModuleLowering
from hots_rules.native.lowering.statements import FunctionLowering
from hots_rules.native.refusal import NotLowered
from hots_rules.rules.typed import value_types as types

MAX_ROWS = 256
"""The most rows of a secret: each has code of its own."""


def knowledge_rooms(machine: Machine) -> dict[str, int]:
    """The cells of the regions that the functions of a machine write.

    Raises:
        NotLowered: a secret has too many rows.
    """
    rooms: dict[str, int] = {}
    for number, secret in enumerate(machine.facts.secrets):
        cells = len(_rows(machine, number)) * row_cells(machine, number)
        rooms[f"HIDDEN_{number}"] = cells
        if secret.type is not None:
            rooms[f"OWNED_{number}"] = cells * machine.player_count
    return rooms


def row_size(machine: Machine, number: int) -> int:
    """How many pieces or cells a row of a secret has."""
    secret = machine.facts.secrets[number]
    if secret.type is not None:
        return types.size(secret.type)
    return types.size(variable_of(machine, number).keys[-1]) if secret.is_vectorized else 1


def row_cells(machine: Machine, number: int) -> int:
    """How many words a row of a secret has."""
    return -(-row_size(machine, number) // program.WORD)


def variable_of(machine: Machine, number: int) -> Variable:
    """The variable whose values a secret hides."""
    name = machine.facts.secrets[number].name
    return next(variable for variable in machine.facts.variables if variable.name == name)


def _rows(machine: Machine, number: int) -> list[tuple[int, ...]]:
    """The keys of each row.

    Raises:
        NotLowered: there are more than `MAX_ROWS`.
    """
    secret = machine.facts.secrets[number]
    if secret.type is not None:
        return [()]
    keys = variable_of(machine, number).keys
    rows = list(product(*map(codes_of, keys[:-1] if secret.is_vectorized else keys)))
    if len(rows) > MAX_ROWS:
        raise NotLowered("a secret of too many cells", secret.name)
    return rows


def knowledge(module: ModuleLowering, machine: Machine) -> list[program.Function]:
    """The functions of a machine, for a module with the regions of `knowledge_rooms`.

    Raises:
        NotLowered: a condition needs more than the integer program has.
    """
    return [_players(module, machine), *_secrets(module, machine)]


def _players(module: ModuleLowering, machine: Machine) -> program.Function:
    cases = []
    for number, point in enumerate(machine.points):
        if isinstance(point, DecisionPoint):
            call = program.Call(module.instance(f"players_{number}", [], 1).name)
            cases.append((number, (program.Return(call),)))
    return program.Function(
        "players", ("point",), (program.Switch(program.Local("point"), tuple(cases)),)
    )


def _secrets(module: ModuleLowering, machine: Machine) -> Iterator[program.Function]:
    for number, audiences in enumerate(machine.secrets):
        names = [f"knows_{number}_{place}" for place in range(len(audiences))]
        full = (1 << row_size(machine, number)) - 1
        hidden = []
        for keys in _rows(machine, number):
            shared = _union(names, full, keys)
            is_row = full > 1 or machine.facts.secrets[number].is_vectorized
            hidden.append(f"{full} & ~({shared})" if is_row else f"0 if ({shared}) else 1")
        yield _writing(module, machine, f"hide_{number}", f"HIDDEN_{number}", hidden, number)
        if machine.facts.secrets[number].type is not None:
            own = [
                name for name, (_, is_public) in zip(names, audiences, strict=True) if not is_public
            ]
            owned = [f"{full} & ({_union(own, full, ())})"]
            yield _writing(module, machine, f"own_{number}", f"OWNED_{number}", owned, number)


def _union(names: list[str], among: int, keys: tuple[int, ...]) -> str:
    """What some audiences know together, as Python."""
    args = "".join(f", {key}" for key in keys)
    return " | ".join(f"({name}(S, viewer, {among}{args}))" for name in names) or "0"


def _writing(
    module: ModuleLowering, machine: Machine, name: str, region: str, rows: list[str], number: int
) -> program.Function:
    """A function that writes the values of some expressions into a region; in `OWNED_K`, into the viewer's part."""
    lowering = FunctionLowering(module)
    params = lowering.parameter("viewer", Bounds(0, machine.player_count - 1))
    cells, memory = row_cells(machine, number), module.memory[region]
    body: list[program.Statement] = []
    for at, row in enumerate(rows):
        with lowering.own_prelude() as prelude:
            mask = lowering.number(ast.parse(row, mode="eval").body)
            words = [lowering.held(word) for word in mask.widened(cells)]
        body += prelude
        for place, word in enumerate(words):
            first = at * cells + place
            if region.startswith("HIDDEN"):
                body.append(program.Store(memory.base + first, word))
            else:
                start = program.Binary("mul", program.Local("viewer"), program.Const(cells))
                index = program.Binary("add", start, program.Const(first))
                body.append(memory.store(word, index))
    return program.Function(name, params, tuple(body))
