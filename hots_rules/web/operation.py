"""How a game server is run, as a value; its fields are the options of `hots serve`."""

from __future__ import annotations

from attrs import frozen

from hots_rules._options import option


def _with_slash_before(path: str) -> str:
    """A path with a slash before it and none behind it; empty for none."""
    return f"/{path.strip('/')}".rstrip("/")


@frozen(kw_only=True)
class Operation:
    """How a game server is run; by default as for friends on one machine.

    Attributes:
        rulesets: the rulesets of which games are opened, by their names; all that are installed if there are none.
        requests_per_minute: that one address may send, or all that begin with the same 64 bits in IPv6; 0 for as many
            as it likes.
        token_requests_per_minute: that a program with a token may send, from all its addresses; 0 for as many as it
            likes.
        openings_per_hour: the games, records and rulesets that one address without a token may open or send; 0 for as
            many as it likes.
        streams_per_address: the streams of events that one address may have open; 0 for as many as it likes.
        host_names: the names by which the table is asked, beside addresses and names in its own network.
        is_closed: whether games are opened by programs and people with a token alone.
        origins: other addresses whose pages may use this game server: `https://example.org`.
        has_metrics: whether `/metrics` tells figures for Prometheus.
        takes_seeds: whether whoever opens a game may give its seed, and so know its dice; all players are told.
        takes_rulesets: whether untrusted rulesets are tried, each in a process of its own.
        root_path: the path below which a proxy shows the game server, such as `/games`; empty for none.
        is_cold: whether it answers before its rulesets are loaded; then the first who ask wait for them.
        has_log: whether each request is logged, as a line of JSON without names of games, keys or addresses.
    """

    rulesets: tuple[str, ...] = option(
        (), "Of which games are opened; may be repeated. [default: all]", metavar="NAME"
    )
    requests_per_minute: int = option(
        1200, "That one address may send; 0 for any number.", metavar="N", min=0
    )
    token_requests_per_minute: int = option(
        6000, "That a program with a token may send; 0 for any number.", metavar="N", min=0
    )
    openings_per_hour: int = option(
        60, "Games and records of one address; 0 for any number.", metavar="N", min=0
    )
    streams_per_address: int = option(
        200, "Streams of events of one address; 0 for any number.", metavar="N", min=0
    )
    host_names: tuple[str, ...] = option(
        (), "Name of the table on the net; may be repeated.", "--host-name", metavar="NAME"
    )
    is_closed: bool = option(False, "Games are opened with a token only.", "--closed")
    origins: tuple[str, ...] = option(
        (), "Whose pages may use the table too; may be repeated.", "--origin", metavar="URL"
    )
    has_metrics: bool = option(False, "Tell figures at /metrics.", "--metrics")
    takes_seeds: bool = option(False, "Whoever opens a game may give its seed.", "--given-seeds")
    takes_rulesets: bool = option(False, "Try untrusted rulesets, within limits.", "--uploads")
    root_path: str = option(
        "",
        "Path below which a proxy shows the table, such as /games.",
        metavar="PATH",
        given_as=str,
        converter=_with_slash_before,
    )
    is_cold: bool = option(False, "Answer before all rulesets are loaded.", "--cold")
    has_log: bool = option(False, "Log each request as a line of JSON.", "--log")
