"""NumPy, which is an extra."""

from hots_rules.diagnostics import MissingLibrary

try:
    import numpy as np
except ImportError as error:
    raise MissingLibrary("numpy", "numpy") from error

__all__ = ["np"]
