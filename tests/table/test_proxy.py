"""The table behind nginx, as the file of `deploy/` sets it up."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.folders import HOME
from tests.needs import needs

httpx = needs("httpx")
needs("litestar")
needs("playwright.sync_api")

from tests.browsing import NEEDS_BROWSER, Player, opened_browser
from tests.table.tables import new_game, served
from tests.table.test_postgres import told_by
from tests.table.test_tokens import GAME

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(NGINX is None, reason="no nginx is installed"),
]
PAGE = (HOME / "docs/how-to/deploy-a-table.md").read_text("utf-8")
CONF = (HOME / "deploy/nginx.conf").read_text("utf-8")
AROUND = """
daemon off; pid nginx.pid; error_log errors.log; user root;
events {{ }}
http {{
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  types {{ }}
{conf}
}}
"""


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def behind_nginx(folder: Path, changes: Mapping[str, str]) -> Iterator[str]:
    """The address of nginx with the file of `deploy/`, in which some texts are changed."""
    folder.mkdir()
    port = free_port()
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run(
        [*made, "-out", certificate, "-keyout", key], check=True, capture_output=True, cwd=folder
    )
    letters = "/etc/letsencrypt/live/table.example.org"
    conf = CONF
    for old, new in {
        "listen 443": f"listen 127.0.0.1:{port}",
        "listen 80": f"listen 127.0.0.1:{free_port()}",
        f"{letters}/fullchain.pem": str(certificate),
        f"{letters}/privkey.pem": str(key),
        **changes,
    }.items():
        assert old in conf, old
        conf = conf.replace(old, new)
    text = AROUND.format(conf=conf)
    (folder / "nginx.conf").write_text(
        text if os.geteuid() == 0 else text.replace("user root;", "")
    )
    assert NGINX is not None
    command = [NGINX, "-p", folder, "-c", folder / "nginx.conf", "-e", folder / "errors.log"]
    running = subprocess.Popen(command, cwd=folder)
    try:
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"https://127.0.0.1:{port}"
    finally:
        running.terminate()
        running.wait()


@contextmanager
def browsing(address: str) -> Iterator[object]:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    with httpx.Client(base_url=address, timeout=60, verify=trusting) as web:
        yield web


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Iterator[str]:
    """The host and port of a table."""
    with served(tmp_path_factory.mktemp("table"), options=["--metrics"]) as (_, address):
        yield address.partition("//")[2]


@pytest.fixture(scope="module")
def proxied(table: str, tmp_path_factory) -> Iterator[str]:
    """The address of nginx before a table."""
    folder = tmp_path_factory.mktemp("proxy") / "nginx"
    with behind_nginx(folder, {"127.0.0.1:8297": table}) as url:
        yield url


def test_answers_have_hsts_and_are_compressed(proxied: str) -> None:
    with browsing(proxied) as web:
        page = web.get("/")
        _, seats = new_game(web, "hots-4.0", "braveheart")
        with web.stream("GET", seats[None].path) as answer:
            raw = b"".join(answer.iter_raw())

    assert page.headers["strict-transport-security"] == "max-age=63072000"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert answer.headers["content-encoding"] == "gzip"
    assert len(raw) < len(gzip.decompress(raw)) / 3


def test_strangers_get_no_metrics_and_send_no_large_body(proxied: str) -> None:
    with browsing(proxied) as web:
        assert web.get("/metrics").status_code == 404
        large = web.post("/api/records", content=b"0" * 1_300_000)
        assert large.status_code == 413


def test_events_come_at_once(proxied: str) -> None:
    with browsing(proxied) as web:
        _, seats = new_game(web, "connect-four-1.0", "empty-board")
        with web.stream("GET", f"{seats[None].path}/events") as events:
            told = told_by(events)
            assert next(told) == ("number", "0")
            for number, action in enumerate(("Red: a1", "Yellow: b1")):
                begun = time.monotonic()
                player = action.partition(":")[0]
                assert seats[player].play(number, action).status_code == 200
                assert next(told) == ("number", str(number + 1))
                assert time.monotonic() - begun < 5


def test_an_address_that_asks_too_often_is_refused(table: str, tmp_path: Path) -> None:
    changes = {"127.0.0.1:8297": table, "rate=20r/s": "rate=1r/m", "burst=100": "burst=5"}
    with behind_nginx(tmp_path / "nginx", changes) as url, browsing(url) as web:
        statuses = [web.get("/health").status_code for _ in range(8)]

    assert statuses == [200] * 6 + [429] * 2


def below_a_path(table: str) -> dict[str, str]:
    """What is changed in the file, so that the table stands below `/games/`, as the page says."""
    (below,) = re.findall(r"```text\n(  location /games/ .*?)```", PAGE, re.DOTALL)
    root = "  location / {"
    added = below.replace("127.0.0.1:8297", table)
    return {"server 127.0.0.1:8297": f"server {table}", root: f"{added}\n{root}"}


def test_a_game_is_played_and_watched_below_a_path_of_another_site(
    table: str, tmp_path: Path
) -> None:
    with (
        behind_nginx(tmp_path / "nginx", below_a_path(table)) as url,
        browsing(f"{url}/games/") as web,
    ):
        page = web.get("")
        assert page.status_code == 200
        named = re.findall(r'(?:src|href)="([^":,]*)"', page.text)
        assert any(address.endswith("main.js") for address in named)
        for address in named:  # relative, so that it stands below the path
            assert not address.startswith("/")
            assert web.get(address).status_code == 200
        assert web.get("metrics").status_code == 404
        made = web.post("api/games", json=GAME).json()
        path, key = f"api/games/{made['game']}", made["keys"]["Red"]
        with web.stream("GET", f"{path}/events") as events:
            told = told_by(events)
            assert next(told) == ("number", "0")
            action = {"number": 0, "action": "Red: a1"}
            headers = {"Authorization": f"Bearer {key}"}
            assert web.post(f"{path}/actions", json=action, headers=headers).status_code == 200
            assert next(told) == ("number", "1")


@NEEDS_BROWSER
def test_two_browsers_play_behind_nginx_below_a_path(table: str, tmp_path: Path) -> None:
    with behind_nginx(tmp_path / "nginx", below_a_path(table)) as url, opened_browser() as browser:
        links = {"Red": "", "Yellow": ""}
        with browsing(f"{url}/games/") as web:
            made = web.post("api/games", json=GAME).json()
        for player, key in made["keys"].items():
            links[player] = f"{url}/games/#{made['game']}.{key}"
        red, yellow = (
            Player(browser, links[name], ignore_https_errors=True) for name in ("Red", "Yellow")
        )
        red.waits_for("It is your turn")
        red.click("area", "Cell_a_1")
        red.confirm()
        yellow.waits_for("It is your turn")
        assert red.faults == yellow.faults == []
