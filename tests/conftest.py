"""How hard hypothesis tries, and what a session of tests loads only once.

`HYPOTHESIS_PROFILE=nightly` is for the slower checks. A ruleset never changes, so all tests share one of each text,
with what it has worked out (its book, its clauses). A module that is about loading, keeping or racing says
`pytestmark = pytest.mark.loads_anew`; so does, without saying it, a test with a cache folder of its own.
"""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from hots_rules.play import ruleset as loading
from hots_rules.rules import Source, known_rulesets

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("nightly", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

SHIPPED = frozenset(known_rulesets())
CACHE = os.environ.get("HOTS_RULES_CACHE")
shared: dict[str, loading.Ruleset] = {}
load_anew = loading.loaded


def load_once(source: Source) -> loading.Ruleset:
    """The one ruleset of these texts, if it is shipped and the cache folder is that of the session."""
    if source.name not in SHIPPED or os.environ.get("HOTS_RULES_CACHE") != CACHE:
        return load_anew(source)
    content = source.content_hash()
    if content not in shared:
        shared[content] = load_anew(source)
    return shared[content]


loading.loaded = load_once


@pytest.fixture(autouse=True, scope="module")
def own_rulesets(request: pytest.FixtureRequest) -> Iterator[None]:
    """A module that is marked so has rulesets that nobody has used before it."""
    if request.node.get_closest_marker("loads_anew"):
        loading.loaded = load_anew
    yield
    loading.loaded = load_once
