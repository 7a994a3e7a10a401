"""All differences of several rulesets as pages.

Takes: differences, witnesses and effect sizes.
Gives: the pages of an atlas.
Never: computes again what is kept.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
