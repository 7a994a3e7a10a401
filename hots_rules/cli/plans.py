"""Commands that take plans: each field of an attrs class is an option or an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from inspect import Parameter, Signature, signature
from types import UnionType
from typing import Annotated, Union, get_args, get_origin

import typer
from attrs import NOTHING, Attribute, fields, has, resolve_types

from hots_rules._options import KEY, FieldHelp
from hots_rules.cli.exits import with_exit_code


def runnable(command: Callable[..., None], *, compares: bool = False) -> Callable[..., None]:
    """A command as typer takes it: with plans and exit codes."""
    return with_exit_code(with_plans(command), compares=compares)


def with_plans(command: Callable[..., None]) -> Callable[..., None]:
    """A command that has the fields of its plans as parameters.

    A plan is a parameter whose type is an attrs class. Its fields that `hots_rules._options` made are parameters of the
    command; the plan is made from them, and fields that are not given have their defaults.
    """
    own = signature(command, eval_str=True).parameters.values()
    plans: dict[str, Callable[..., object]] = {
        parameter.name: parameter.annotation for parameter in own if has(parameter.annotation)
    }
    if not plans:
        return command
    names = {
        parameter.name: [*_parameters(parameter.annotation)]
        for parameter in own
        if parameter.name in plans
    }
    parameters = [
        replacement for parameter in own for replacement in names.get(parameter.name, [parameter])
    ]

    def run_command(**given: object) -> None:
        made = {}
        for name, plan in plans.items():
            values = {parameter.name: given.pop(parameter.name) for parameter in names[name]}
            made[name] = plan(**{key: _value(it) for key, it in values.items() if it is not None})
        command(**made, **given)

    given = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    run_command.__name__, run_command.__doc__ = command.__name__, command.__doc__
    run_command.__annotations__ = {parameter.name: parameter.annotation for parameter in given}
    run_command.__signature__ = Signature(given)  # type: ignore[attr-defined]
    return run_command


def _parameters(plan: type) -> Iterator[Parameter]:
    for attribute in fields(resolve_types(plan)):
        field_help: FieldHelp | None = attribute.metadata.get(KEY)
        if field_help is None:
            continue
        default, annotation = attribute.default, _annotation(attribute, field_help)
        if default is NOTHING:
            default = Parameter.empty
        elif field_help.given_as:
            default = None
        elif isinstance(default, tuple):
            default = list(default)
        yield Parameter(
            attribute.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation
        )


def _annotation(attribute: Attribute[object], field_help: FieldHelp) -> object:
    """The type of a field as typer reads it, with its help."""
    of = field_help.given_as | None if field_help.given_as else _typed(attribute.type)
    # Without a name typer would add `--no-NAME` to a flag.
    names = field_help.names or (f"--{attribute.name.replace('_', '-')}",)
    make: Callable[..., object] = typer.Argument if field_help.is_argument else typer.Option
    return Annotated[
        of,
        make(
            *(() if field_help.is_argument else names), help=field_help.help, **field_help.details
        ),
    ]


def _typed(of: object) -> object:
    """A type with lists in place of tuples of any length, which typer does not read."""
    if get_origin(of) is tuple:
        return list[get_args(of)[0]]  # type: ignore[misc]
    if get_origin(of) in {Union, UnionType}:
        return Union[tuple(map(_typed, get_args(of)))]  # noqa: UP007
    return of


def _value(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value
