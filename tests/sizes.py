"""How much a test tries: a little for every change, more in `.ci/nightly`."""

import os

IS_NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
NIGHT = os.environ.get("HOTS_RULES_NIGHT", "")
"""The date of a nightly run, so that samples differ from night to night; else empty."""


def sample_size(core: int, nightly: int) -> int:
    """The number for every change, or the one for `.ci/nightly`."""
    return nightly if IS_NIGHTLY else core
