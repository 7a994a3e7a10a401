"""Lines as people type them: what each of them means, and the answers to questions.

Takes: a line, a game, the player who types it, and the commands of the surface on which it is typed.
Gives: what the line means, as a command, an action, a change, or a question; and the answer to a question.
Never: changes a game, writes a file, or shows a player what is hidden from that player.
"""

from hots_rules._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__)
