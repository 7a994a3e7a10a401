"""A game server below a path of another site: the pages have relative addresses, and requests lose the path."""

from __future__ import annotations

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send


def below(root_path: str, app: ASGIApp) -> ASGIApp:
    """An application below a path such as `/games`, whether the proxy takes the path away or leaves it."""

    async def application(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP:
            if scope["path"] == root_path:  # the addresses of the page are relative to the slash
                await _redirect(f"{root_path}/", send)
                return
            if scope["path"].startswith(f"{root_path}/"):
                scope = scope.copy()
                scope["path"] = scope["path"].removeprefix(root_path)
                scope["raw_path"] = scope["raw_path"].removeprefix(root_path.encode())
        await app(scope, receive, send)

    return application


async def _redirect(path: str, send: Send) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 308, "headers": headers})
    await send({"type": "http.response.body", "body": b"", "more_body": False})
