"""Libraries that only an adapter needs, installed as extras."""

from importlib import import_module
from types import ModuleType

from attrs import define

import hots_rules as hr


@define
class MissingLibrary(hr.HotsError, ImportError):
    """The library of an adapter is not installed.

    >>> print(MissingLibrary("pyspiel", "openspiel"))
    the library `pyspiel` is not installed
    help: pip install 'hots-rules[openspiel]'
    """

    library: str
    """The name of the module."""
    extra: str
    """The extra that installs it."""

    def __str__(self) -> str:
        return (
            f"the library `{self.library}` is not installed\n"
            f"help: pip install 'hots-rules[{self.extra}]'"
        )


def import_library(name: str, extra: str) -> ModuleType:
    """The module of a library.

    Raises:
        MissingLibrary: it cannot be imported; the error names the extra that installs it.

    >>> import_library("json", "openspiel").dumps([1])
    '[1]'
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingLibrary(name, extra) from error
