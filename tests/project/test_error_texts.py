"""Where errors and their texts stand: a package has a module for them, and few texts stand elsewhere."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache

from attrs import frozen

from tests.listing import assert_none
from tests.project.modules import Module, modules

# The modules of a package that hold its errors, by the end of their name.
OF_ERRORS = ("errors", "argument_errors", "refusals", "refusal")
# These have a text of their own with values in it and are no error of the library: each is caught in its package,
# which tells the file or the place as well, or only a mistake in the library's own code raises it.
INNER = {
    "hots_rules/_toml.py": 2,
    "hots_rules/diagnostics/fault.py": 1,
    "hots_rules/draw/board/read_board.py": 5,
    "hots_rules/explain/talk_file.py": 1,
    "hots_rules/native/runtime/games.py": 1,
    "hots_rules/records/ruleset_texts.py": 1,
}
# The texts with values that are still written where they are raised. A new one goes into the module of errors of its
# package; a number here only ever falls.
MOST = {
    "BadRecord": 46,
    "BadMessage": 21,
    "BadArgument": 19,  # what to give: "a number from 1 to 20"
    "BadPosition": 14,
    "EngineError": 10,
    "BadSecret": 8,
    "BadWitness": 7,
    "BadCase": 5,
    "TooManyStates": 4,
    "NoConsistentWorld": 2,
    "CannotServe": 5,
    "TooLong": 3,
    "NotLowered": 2,
    "NotYet": 2,
    "TableError": 2,
    "NotAvailable": 1,
    "UnreadableQuestion": 2,
    "UnreadableAction": 1,
}


def is_of_errors(module: Module) -> bool:
    """Whether a module is the one of the errors of its package."""
    return module.name.rpartition(".")[2] in OF_ERRORS


@frozen
class Raised:
    """An error that is raised: where, its class, and whether its text has values filled in."""

    module: Module
    line: int
    name: str
    has_values: bool


@cache
def raised() -> tuple[Raised, ...]:
    """Every error that the library raises by a call."""
    found = []
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                parts = [part for given in node.exc.args for part in ast.walk(given)]
                has_values = any(isinstance(part, ast.JoinedStr) for part in parts)
                name = ast.unparse(node.exc.func).rpartition(".")[2]
                found.append(Raised(module, node.lineno, name, has_values))
    return tuple(found)


def declared(module: Module) -> dict[str, set[str]]:
    """The classes of a module, each with the names of what it is made from."""
    return {
        node.name: {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        for node in module.tree.body
        if isinstance(node, ast.ClassDef)
    }


def test_the_errors_of_a_package_stand_in_its_module_of_errors() -> None:
    bases = {"HotsError", "ArgumentError", "TableError"}
    assert_none(
        f"{module.place}: {name}"
        for module in modules().values()
        if not is_of_errors(module)
        for name, above in declared(module).items()
        if bases & above
    )


def test_no_error_is_raised_by_its_base() -> None:
    assert_none(
        f"{each.module.place}:{each.line}"
        for each in raised()
        if each.name in {"HotsError", "ArgumentError"}
    )


def test_a_free_text_of_a_value_error_stays_inside_its_package() -> None:
    found = Counter(
        each.module.place for each in raised() if each.name == "ValueError" and each.has_values
    )

    assert INNER == found


def test_the_texts_that_stand_where_they_are_raised_do_not_grow() -> None:
    errors = {
        name for module in modules().values() if is_of_errors(module) for name in declared(module)
    }
    found = Counter(
        each.name for each in raised() if each.has_values and not is_of_errors(each.module)
    )

    assert errors >= MOST.keys()
    assert_none(
        f"{name}: {found[name]} texts, at most {MOST.get(name, 0)}"
        for name in errors
        if found[name] > MOST.get(name, 0)
    )
