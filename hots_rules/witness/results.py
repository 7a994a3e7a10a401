"""The result of a search for a witness."""

from __future__ import annotations

from attrs import evolve, frozen

from hots_rules.witness.witnesses import Witness


@frozen(repr=False)
class Search:
    """The result of a search for a witness; true if there is one.

    >>> import hots_rules as hr
    >>> rules = hr.load("hots-4.0")
    >>> hr.witness.witness(rules, rules)
    <Search: no witness, nothing that was asked for differs in play>

    Attributes:
        witness: the smallest witness found; None if there is none.
        walks: how many walks through games and positions were tried.
        positions: how many moments were compared.
        divergences: how often the rulesets diverged; without a witness, never in a way that was asked for.
        is_exhausted: whether every moment that play can reach from the scenarios was compared; without a witness
            this proves that the rulesets play the same there.
        is_same: whether there is no difference of play at all.
        is_kept: whether nothing was searched, since the library keeps a witness, or the reason why there is none.
        is_stopped: whether Ctrl-C ended the search.
        why: the reason why none is kept, in a sentence.
    """

    witness: Witness | None
    walks: int = 0
    positions: int = 0
    divergences: int = 0
    is_exhausted: bool = False
    is_same: bool = False
    is_kept: bool = False
    is_stopped: bool = False
    why: str = ""

    def __bool__(self) -> bool:
        return self.witness is not None

    def __repr__(self) -> str:
        if self.witness is not None:
            return f"<Search: {self.witness!r}>"
        return f"<Search: no witness, {self.tried}>"

    @property
    def tried(self) -> str:
        """What was tried, in words."""
        if self.is_kept:
            return self.why or "the library keeps it"
        if self.is_same:
            return "nothing that was asked for differs in play"
        if self.is_exhausted:
            return f"every moment of play was compared, {self.positions} in all"
        return (
            f"{self.positions} positions in {self.walks} walks were compared; others are possible"
        )

    def with_more(self, later: Search) -> Search:
        """A later search with what this one has tried; the later one counts positions from those of this one on."""
        is_exhausted = self.is_exhausted and later.is_exhausted
        return evolve(
            later,
            walks=self.walks + later.walks,
            divergences=self.divergences + later.divergences,
            is_exhausted=is_exhausted,
        )

    def as_json(self) -> dict[str, object]:
        """Plain data with stable keys, for `json`."""
        return {
            "found": bool(self),
            "witness": self.witness.as_json() if self.witness else None,
            "tried": self.tried,
            "walks": self.walks,
            "positions": self.positions,
            "exhausted": self.is_exhausted or self.is_same,
            "kept": self.is_kept,
        }
