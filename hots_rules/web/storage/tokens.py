"""Tokens for programs: whoever runs a game server makes one for each, and may revoke it. Digests alone are kept."""

from __future__ import annotations

from attrs import frozen
from litestar.datastructures import Headers
from litestar.types import ASGIApp, Receive, Scope, Send
from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

import hots_rules as hr
from hots_rules.web.refusals import TableError, WrongToken
from hots_rules.web.storage.keys import digest_of, new_key
from hots_rules.web.storage.schema import tokens
from hots_rules.web.storage.store import Store

PREFIX = "table_"  # tells a token from the key of a seat
MAX_NAME_LENGTH = 100  # characters
_STATE = "token"


@frozen
class Tokens:
    """The tokens of a store."""

    store: Store

    async def make(self, name: str) -> str:
        """A new token with a name; it cannot be read again.

        Raises:
            TableError: there is a token with this name, or the name is empty or too long.
        """
        if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable():
            raise TableError(f"the name of a token has from 1 to {MAX_NAME_LENGTH} characters")
        key = new_key()
        try:
            row = {"name": name, "digest": digest_of(key)}
            await self.store.writing(lambda connection: connection.execute(insert(tokens), row))
        except IntegrityError:
            raise TableError(f"there is a token named `{name}`; revoke it first") from None
        return PREFIX + key

    async def revoke(self, name: str) -> None:
        """Make a token worth nothing from now on.

        Raises:
            UnknownName: there is no token with this name.
        """
        of_name = delete(tokens).where(tokens.c.name == name)
        if not await self.store.writing(lambda connection: connection.execute(of_name).rowcount):
            raise hr.UnknownName("token", name, await self.names())

    async def names(self) -> tuple[str, ...]:
        """The names of all tokens."""
        query = select(tokens.c.name).order_by(tokens.c.name)
        return tuple(
            await self.store.reading(lambda connection: connection.execute(query).scalars().all())
        )

    async def name_of(self, token: str) -> str | None:
        """The name of a token; None if there is no such token, or it was revoked."""
        digest = digest_of(token.removeprefix(PREFIX))
        query = select(tokens.c.name).where(tokens.c.digest == digest)
        return await self.store.reading(lambda connection: connection.execute(query).scalar())


# ------------------------------------------------------------------ requests
def given_token(headers: Headers) -> str | None:
    """The token that a request has after the word Bearer; None if there is none, or the key of a seat."""
    given = headers.get("authorization", "").removeprefix("Bearer ")
    return given if given.startswith(PREFIX) else None


def token_name(scope: Scope) -> str | None:
    """The name of the token of a request; None if it has none that is worth anything."""
    name: str | None = scope["state"].get(_STATE)
    return name


def find_token(app: ASGIApp) -> ASGIApp:
    """An application that knows the name of the token of each request."""

    async def with_token_name(scope: Scope, receive: Receive, send: Send) -> None:
        has_one = any(PREFIX.encode() in value for _, value in scope["headers"])
        token = given_token(Headers.from_scope(scope)) if has_one else None
        if token is not None:
            tokens = Tokens(scope["litestar_app"].state.open_games.store)
            scope["state"][_STATE] = await tokens.name_of(token)
        await app(scope, receive, send)

    return with_token_name


def refuse_wrong_token(app: ASGIApp) -> ASGIApp:
    """An application that answers no request whose token is worth nothing; it raises WrongToken."""

    async def with_right_token(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["state"].get(_STATE, "") is None:
            raise WrongToken("this token is worth nothing; ask whoever runs the table for another")
        await app(scope, receive, send)

    return with_right_token
