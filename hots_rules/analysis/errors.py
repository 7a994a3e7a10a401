"""The errors of odds and policies, with their texts."""

from __future__ import annotations

from attrs import define

from hots_rules.diagnostics import HotsError


class TooManyStates(HotsError):
    """There are more states than the limit, they need more memory, or the time is up.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.odds(until="game", policy="random", states=10, samples=0)
    Traceback (most recent call last):
    hots_rules.analysis.errors.TooManyStates: more than 10 states
    """


@define
class PolicyUndefined(HotsError):
    """A policy does not choose among several legal actions.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game.odds(until="game")
    Traceback (most recent call last):
    hots_rules.analysis.errors.PolicyUndefined: no policy chooses among `play_card`
    help: add a line such as `prefer play_card`

    Attributes:
        policy: the policy; empty if the player has none.
        choices: the names of the legal actions.
    """

    policy: str
    choices: tuple[str, ...]

    def __str__(self) -> str:
        choices = ", ".join(f"`{choice}`" for choice in self.choices)
        policy = f"no line of `{self.policy}`" if self.policy else "no policy"
        return (
            f"{policy} chooses among {choices}\nhelp: add a line such as `prefer {self.choices[0]}`"
        )
