"""A table below a path of another site: page, scripts, styles, streams and links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from hots_rules.cli import main
from tests.folders import HOME
from tests.needs import needs

httpx = needs("httpx")
needs("litestar")

from tests.table.proxies import proxy
from tests.table.tables import served

STATIC = HOME / "hots_rules/web/static"
REFERENCE = re.compile(r"""(?:href|src)="([^"#]+)"|from "([^"]+)";""")
STARTS_WITH_SLASH = re.compile(r"""(["'`])/[a-z#].*?\1""")


@pytest.fixture(scope="module", params=[True, False], ids=["taken away", "left"])
def address(request, tmp_path_factory) -> Iterator[str]:
    """The address below a path, which the proxy takes away or leaves."""
    folder = tmp_path_factory.mktemp("table")
    with (
        served(folder, options=["--root-path", "/some/games/"]) as (_, table),
        proxy(table.removesuffix("/some/games"), "/some/games", strips=request.param) as below,
    ):
        assert table.endswith("/some/games")
        yield below


def test_all_that_the_page_loads_is_below_the_path(address: str) -> None:
    waiting, loaded = [f"{address}/"], set[str]()
    with httpx.Client(timeout=60) as web:
        while waiting:
            place = waiting.pop()
            if place in loaded or place.startswith("data:"):
                continue
            assert place.startswith(f"{address}/"), place
            answer = web.get(place)
            assert answer.status_code == 200, place
            loaded.add(place)
            names = [href or module for href, module in REFERENCE.findall(answer.text)]
            waiting += [urljoin(place, name) for name in names]

    assert len(loaded) > 35


def test_no_script_has_an_address_from_the_root() -> None:
    """The client names the paths of the table below the address that it is given."""
    places = [file for file in STATIC.rglob("*.js") if file.name != "client.js"]
    texts = [found[0] for file in places for found in STARTS_WITH_SLASH.finditer(file.read_text())]

    assert texts == ["`/api/games/${encodeURIComponent(game)}`"]  # below the client's address


def test_a_game_is_played_and_watched_below_the_path(address: str) -> None:
    with httpx.Client(base_url=f"{address}/", timeout=60) as web:
        body = {"ruleset": "connect-four-1.0", "scenario": "empty-board", "claim": False}
        made = web.post("api/games", json=body).json()
        path, key = f"api/games/{made['game']}", made["keys"]["Red"]
        with web.stream("GET", f"{path}/events") as events:
            lines = events.iter_lines()
            assert "data: 0" in (next(lines), next(lines))
            played = web.post(
                f"{path}/actions",
                json={"number": 0, "action": "Red: a1"},
                headers={"Authorization": f"Bearer {key}"},
            )
            assert played.status_code == 200
            assert "data: 1" in (next(lines), next(lines), next(lines))
        description = web.get("api/openapi.json").json()

    assert description["servers"] == [{"url": "/some/games"}]


def test_the_path_without_its_slash_leads_to_the_page(tmp_path: Path) -> None:
    with served(tmp_path, options=["--root-path", "games"]) as (_, address):
        answer = httpx.get(address, timeout=60)

        assert (answer.status_code, answer.headers["location"]) == (308, "/games/")
        # A proxy that takes the path away, and one's own browser, ask without it.
        assert httpx.get(address.removesuffix("/games") + "/", timeout=60).status_code == 200


@pytest.mark.parametrize("path", ["/a b", "https://x.example/games", "/games?x=1"])
def test_a_root_path_is_a_path(path: str, capsys, monkeypatch) -> None:
    monkeypatch.setattr("sys.argv", ["hots", "serve", "--root-path", path])

    assert main() == 2
    assert "a root path has letters" in capsys.readouterr().err
