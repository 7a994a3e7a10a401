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
    plans: dict[str, type] = {
        parameter.name: parameter.annotation for parameter in own if has(parameter.annotation)
    }
    if not plans:
        return command
    parameters_of_plan = {name: [*_parameters(plan)] for name, plan in plans.items()}
    parameters = [
        replacement
        for parameter in own
        for replacement in parameters_of_plan.get(parameter.name, [parameter])
    ]

    def run_command(**arguments: object) -> None:
        made_plans = {}
        for name, plan in plans.items():
            fields_of_plan = {
                parameter.name: arguments.pop(parameter.name)
                for parameter in parameters_of_plan[name]
            }
            given = {key: value for key, value in fields_of_plan.items() if value is not None}
            made_plans[name] = plan(**{key: _value(value) for key, value in given.items()})
        command(**made_plans, **arguments)

    keywords = [parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in parameters]
    run_command.__name__, run_command.__doc__ = command.__name__, command.__doc__
    run_command.__annotations__ = {parameter.name: parameter.annotation for parameter in keywords}
    run_command.__signature__ = Signature(keywords)  # type: ignore[attr-defined]
    return run_command


def _parameters(plan: type) -> Iterator[Parameter]:
    """The parameters of a command for the fields of a plan."""
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
    type_ = field_help.given_as | None if field_help.given_as else _typed(attribute.type)
    # Without a name typer would add `--no-NAME` to a flag.
    names = field_help.names or (f"--{attribute.name.replace('_', '-')}",)
    make: Callable[..., object] = typer.Argument if field_help.is_argument else typer.Option
    return Annotated[
        type_,
        make(
            *(() if field_help.is_argument else names), help=field_help.help, **field_help.details
        ),
    ]


def _typed(type_: object) -> object:
    """A type with lists in place of tuples of any length, which typer does not read."""
    if get_origin(type_) is tuple:
        return list[get_args(type_)[0]]  # type: ignore[misc]
    if get_origin(type_) in {Union, UnionType}:
        return Union[tuple(map(_typed, get_args(type_)))]  # noqa: UP007
    return type_


def _value(value: object) -> object:
    """The value of a field for an argument: tuples in place of the lists that typer gives."""
    return tuple(value) if isinstance(value, list) else value
