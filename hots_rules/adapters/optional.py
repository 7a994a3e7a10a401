"""Libraries that only an adapter needs, installed as extras."""

from importlib import import_module
from types import ModuleType

from hots_rules.diagnostics import MissingLibrary


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
