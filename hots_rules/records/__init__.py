"""Games as texts that outlive the program.

Takes: a game, or the text of one from a stranger.
Gives: records, journals, digests, replay, migration and verification.
Never: trusts what a text claims: the claim is replayed and compared.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
