"""How much a test tries: a little for every change, more in `.ci/nightly`."""

import os

IS_NIGHTLY = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"


def sample_size(core: int, nightly: int) -> int:
    """The number for every change, or the one for `.ci/nightly`."""
    return nightly if IS_NIGHTLY else core
