"""How a game server is run, as a value; its fields are the options of `hots serve`."""

from __future__ import annotations

from attrs import frozen

from hots_rules._options import option


@frozen(kw_only=True)
class Operation:
    """How a game server is run; by default as for friends on one machine.

    Attributes:
        rulesets: the rulesets of which games are opened, by their names; all that are installed if there are none.
        requests_per_minute: that one address may send; 0 for as many as it likes.
        token_requests_per_minute: that a program with a token may send, from all its addresses; 0 for as many as it
            likes.
        is_closed: whether games are opened by programs and people with a token alone.
        origins: other addresses whose pages may use this game server: `https://example.org`.
        has_metrics: whether `/metrics` tells figures for Prometheus.
        takes_rulesets: whether untrusted rulesets are tried, each in a process of its own.
        is_cold: whether it answers before its rulesets are loaded; then the first who ask wait for them.
        has_log: whether each request is logged, as a line of JSON without names of games, keys or addresses.
    """

    rulesets: tuple[str, ...] = option(
        (), "Of which games are opened; may be repeated. [default: all]", metavar="NAME"
    )
    requests_per_minute: int = option(
        0, "That one address may send; 0 for any number.", metavar="N", min=0
    )
    token_requests_per_minute: int = option(
        0, "That a program with a token may send; 0 for any number.", metavar="N", min=0
    )
    is_closed: bool = option(False, "Games are opened with a token only.", "--closed")
    origins: tuple[str, ...] = option(
        (), "Whose pages may use the table too; may be repeated.", "--origin", metavar="URL"
    )
    has_metrics: bool = option(False, "Tell figures at /metrics.", "--metrics")
    takes_rulesets: bool = option(False, "Try untrusted rulesets, within limits.", "--uploads")
    is_cold: bool = option(False, "Answer before all rulesets are loaded.", "--cold")
    has_log: bool = option(False, "Log each request as a line of JSON.", "--log")
