"""The fault codes, each with its meaning."""

from collections.abc import Mapping
from types import MappingProxyType

CODES: Mapping[str, str] = MappingProxyType(
    {
        # the text
        "malformed-text": "the text does not follow the grammar of the language",
        "too-large": "a file, a type or a loop exceeds a limit",
        # names
        "unknown-name": "a name that is not declared",
        "duplicate-name": "two declarations with the same name",
        "ambiguous-name": "a name with more than one possible meaning",
        "unused-definition": "a declaration that is never used",
        "recursive-definition": "a definition that depends on itself",
        # types
        "wrong-type": "a value of the wrong type",
        "wrong-arguments": "arguments of the wrong number or type",
        "out-of-range": "a value outside the range of its type",
        "not-an-action": "something other than an action where an action is required",
        "not-allowed-here": "a construct that is not allowed in this place",
        "uncertain-effect": "an `after` of an action that meets chance or a choice",
        # the rulebook
        "uncited-rule": "a rule without a citation",
        "unknown-section": "a citation of a section that does not exist",
        "two-rules-collide": "two rules that replace the same event, without an order",
        "exception-cycle": "rules that are exceptions to each other in a circle",
        "reading-without-default": "a reading without exactly one default",
        # the editions
        "missing-ruleset": "a ruleset that cannot be found",
        "extension-cycle": "a ruleset that extends itself, directly or indirectly",
        "amends-nothing": "a change of a declaration that does not exist",
        "repealed-but-needed": "a repealed declaration that is still used",
        # the game
        "stage-never-reached": "a phase or stage that is unreachable",
        "endless-loop": "a loop without a bound or a visible end",
        "secret-unknown": "a condition that depends on information hidden from its player",
        "unproven-secret": "a choice that may depend on information hidden from its player",
        "secret-rolled": "dice, which everybody sees, kept as a secret",
    }
)
