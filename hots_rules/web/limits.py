"""Limits of requests: how many there may be, for which host, from which pages, and how long their bodies may take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from ipaddress import IPv4Address, IPv6Network, ip_address

from attrs import define, field
from litestar.datastructures import Headers
from litestar.exceptions import (
    ClientException,
    HTTPException,
    PermissionDeniedException,
    TooManyRequestsException,
)
from litestar.types import (
    ASGIApp,
    HTTPReceiveMessage,
    Middleware,
    Receive,
    Scope,
    Send,
    WebSocketReceiveMessage,
)

from hots_rules.web.operation import Operation
from hots_rules.web.refusals import TooMany
from hots_rules.web.storage.tokens import token_name

UNLIMITED = ("/health", "/metrics")
MAX_COUNTED = 100_000  # addresses; past it, the one that was counted first is forgotten
HOSTS_KEPT = 1_000  # names of hosts for which the last verdicts are kept
SECONDS_FOR_A_BODY = 30.0
# Names of machines in one network, which nobody can register elsewhere.
OF_THE_NETWORK = (".localhost", ".local", ".internal", ".home.arpa", ".lan", ".test")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


# ------------------------------------------------------------------ how often
@define
class RateLimit:
    """How often each address, or each token, has done something in its current span of time."""

    most: float
    """In a span; 0 for any number."""
    seconds: float
    """Of a span, which begins with the first time."""
    _counted: dict[str, tuple[float, float]] = field(factory=dict, init=False)
    _purged: float = field(default=0.0, init=False)

    def take(self, who: str) -> float:
        """Count one more; gives the seconds to wait if it is one too many, else 0."""
        seconds = self.wait(who)
        if not seconds:
            self.add(who, 1)
        return seconds

    def wait(self, who: str) -> float:
        """The seconds to wait for one more, which is not counted; 0 if there may be one now."""
        instant = time.monotonic()
        begun, count = self._counted.get(who, (instant, 0.0))
        is_over = instant - begun >= self.seconds
        return (
            0.0 if is_over or not self.most or count < self.most else begun + self.seconds - instant
        )

    def add(self, who: str, amount: float) -> None:
        """Count more; a negative amount gives back what was counted in this span."""
        if not self.most:
            return
        instant = time.monotonic()
        self._purge(instant)
        begun, count = self._counted.get(who, (instant, 0.0))
        if instant - begun >= self.seconds:
            begun, count = instant, 0.0
        self._counted[who] = begun, max(0.0, count + amount)

    def _purge(self, instant: float) -> None:
        if instant - self._purged >= self.seconds:
            self._purged = instant
            self._counted = {
                who: counted
                for who, counted in self._counted.items()
                if instant - counted[0] < self.seconds
            }
        if len(self._counted) >= MAX_COUNTED:
            del self._counted[next(iter(self._counted))]

    def __len__(self) -> int:
        return len(self._counted)


@define
class StreamLimit:
    """How many streams of events each address has open."""

    most: int
    """Of one address; 0 for any number."""
    _open: dict[str, int] = field(factory=dict, init=False)

    @contextmanager
    def one_of(self, who: str) -> Iterator[None]:
        """A stream more, as long as it is open.

        Raises:
            TooMany: the address has as many as it may have.
        """
        if self.most and self._open.get(who, 0) >= self.most:
            raise TooMany("this address has as many streams of events open as it may have")
        self._open[who] = self._open.get(who, 0) + 1
        try:
            yield
        finally:
            self._open[who] -= 1
            if not self._open[who]:
                del self._open[who]


def address_of(scope: Scope) -> str:
    """The address of a client: one of IPv4, or the first 64 bits of one of IPv6, as one client has all that share them.

    >>> address_of({"client": ("203.0.113.7", 1)}), address_of({"client": ("2001:db8::1:2", 1)})
    ('203.0.113.7', '2001:db8::/64')
    """
    return _network_of((scope.get("client") or ("", 0))[0])


@lru_cache(HOSTS_KEPT)
def _network_of(host: str) -> str:
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, 64), strict=False))


def limited(operation: Operation) -> Middleware:
    """Middleware that counts the requests of each address, and of each token."""
    of_addresses = RateLimit(operation.requests_per_minute, 60.0)
    of_tokens = RateLimit(operation.token_requests_per_minute, 60.0)

    def layer(app: ASGIApp) -> ASGIApp:
        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] not in UNLIMITED:
                token = token_name(scope)
                seconds_to_wait = (
                    of_addresses.take(address_of(scope))
                    if token is None
                    else of_tokens.take(f"token {token}")
                )
                if seconds_to_wait:
                    headers = {"Retry-After": str(int(seconds_to_wait) + 1)}
                    raise TooManyRequestsException(headers=headers)
            await app(scope, receive, send)

        return counted

    return layer


# ------------------------------------------------------------------ of which table, and from which pages
def checked(operation: Operation) -> Middleware:
    """Middleware that refuses requests for another host, from pages of others, and with other bodies than JSON."""

    is_own = lru_cache(HOSTS_KEPT)(partial(is_own_host, names=tuple(operation.host_names)))

    def layer(app: ASGIApp) -> ASGIApp:
        async def checking(scope: Scope, receive: Receive, send: Send) -> None:
            headers = Headers.from_scope(scope)
            host = headers.get("host", "")
            if sum(name == b"host" for name, _ in scope["headers"]) > 1:
                raise ClientException("the request names more than one host")
            if host and not is_own(host):
                raise HTTPException(
                    "this table does not have the name by which it was asked; "
                    "whoever runs it can name it: hots serve --host-name",
                    status_code=421,
                )
            if scope.get("method") not in _READING:
                origin = headers.get("origin")
                is_named = origin in (None, *operation.origins)
                if not is_named and not _is_of_host(origin or "", host, scope["scheme"]):
                    raise PermissionDeniedException(
                        "a page of another address asks; whoever runs the table can let it: hots serve --origin"
                    )
                _check_is_json(headers)
                receive = _in_time(receive)
            await app(scope, receive, send)

        return checking

    return layer


def is_own_host(host: str, names: Collection[str]) -> bool:
    """Whether a header `Host` can be meant for this table.

    An untrusted page may let its own name point to the address of this machine, and then ask as if it were a page of
    the table. Its name cannot be an address, or a name that is known in one network only.

    >>> [is_own_host(host, []) for host in ("127.0.0.1:8297", "[::1]:8297", "table", "nas.local", "a.example")]
    [True, True, True, True, False]
    """
    name = _name_of(host)
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        own_names = {spelled.lower() for spelled in names}
        return "." not in name or name in own_names or name.endswith(OF_THE_NETWORK)
    return True


def _name_of(host: str) -> str:
    """A header `Host` without its port, in small letters."""
    bracket = host.rfind("]")
    colon = host.find(":", bracket + 1)
    return (host if colon < 0 else host[:colon]).lower().rstrip(".")


def _is_of_host(origin: str, host: str, scheme: str) -> bool:
    """Whether an origin is that of the table; a proxy may leave the port out of `Host`.

    A request that came by https, as a trusted proxy says, is of a page that did, too. One that came by http may have
    come to a proxy by https that does not say so.
    """
    scheme_of_page, _, place = origin.lower().partition("://")
    if scheme_of_page not in {"https", scheme}:
        return False
    if _name_of(host) == host.lower():
        return bool(place) and _name_of(place) == _name_of(host)
    return place == host.lower()


def _check_is_json(headers: Headers) -> None:
    """Check that a request has no body, or one of JSON.

    Raises:
        HTTPException: it has another one.
    """
    kind = headers.get("content-type")
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    if kind is None and not has_body:
        return
    if (kind or "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException("the body of a request is application/json", status_code=415)


def _in_time(receive: Receive) -> Receive:
    """A function that receives the parts of a body, all of them within some seconds."""
    end: float | None = asyncio.get_running_loop().time() + SECONDS_FOR_A_BODY

    async def timely() -> HTTPReceiveMessage | WebSocketReceiveMessage:
        nonlocal end
        try:
            async with asyncio.timeout_at(end):
                message = await receive()
        except TimeoutError:
            raise ClientException(
                "the body of the request has not come in time",
                status_code=408,
                headers={"Connection": "close"},
            ) from None
        if message["type"] != "http.request" or not message["more_body"]:
            end = None
        return message

    return timely
