"""Every code that a fault may bear."""

from collections.abc import Mapping
from types import MappingProxyType

CODES: Mapping[str, str] = MappingProxyType(
    {
        # the text
        "malformed-text": "the text does not follow the grammar of the language",
        "too-large": "a file, a type or a loop is larger than a ruleset may be",
        # names
        "unknown-name": "a name that nothing declares",
        "duplicate-name": "two declarations of one name in one ruleset",
        "ambiguous-name": "a name that could mean two different things here",
        "unused-definition": "a definition that no rule needs",
        "recursive-definition": "a definition that needs itself",
        # types
        "wrong-type": "a value of one kind where another kind is needed",
        "wrong-arguments": "too few or too many arguments, or one of the wrong kind",
        "out-of-range": "a value that lies outside the range of its type",
        "not-an-action": "something else than an action where a player has to choose",
        "not-allowed-here": "a sentence that is sound but has no meaning in this place",
        # the rulebook
        "uncited-rule": "a rule that names no section of the rulebook",
        "unknown-section": "a citation of a section that the rulebook does not have",
        "two-rules-collide": "two rules replace the same event and neither goes first",
        "exception-cycle": "rules that are, in a circle, exceptions to one another",
        "reading-without-default": "a reading of unclear text with no default, or with several",
        # the editions
        "missing-ruleset": "a ruleset that is not found where rulesets are kept",
        "extension-cycle": "a ruleset that extends itself, perhaps by way of others",
        "amends-nothing": "an edition that changes what the ruleset below it does not have",
        "repealed-but-needed": "a repealed declaration that something still names",
        # the game
        "stage-never-reached": "a phase or stage that play never enters",
        "endless-loop": "a loop that nothing brings to an end",
        "secret-unknown": "a condition that looks at what its player may not know",
    }
)
