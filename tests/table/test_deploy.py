"""The files of `deploy/`: what they run, copy and measure is there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hots_rules.cli.app import COMMANDS
from tests.folders import HOME
from tests.needs import needs

needs("httpx")
needs("litestar")

from tests.table.tables import client_on, url_in
from tests.table.test_tokens import run_as

DEPLOY = HOME / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", "")
UNIT = (DEPLOY / "table.service").read_text("utf-8")
BOARD = json.loads((DEPLOY / "board.json").read_text("utf-8"))
NAME = re.compile(r"\b(?:hots_rules|process)_\w+\b")
LABELS = re.compile(r"\{([^}]*)\}")


def options_of_serve() -> set[str]:
    serve: Any = COMMANDS["serve"].load("serve")
    return {name for parameter in serve.params for name in parameter.opts}


def options_in(words: list[str]) -> set[str]:
    return {word for word in words if word.startswith("--")}


def test_the_unit_and_the_container_give_options_that_there_are() -> None:
    unit = shlex.split(re.findall(r"^ExecStart=(.*)$", UNIT, re.MULTILINE)[0])
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", CONTAINER, re.MULTILINE)
    (command,) = re.findall(r"^CMD (.*)$", CONTAINER, re.MULTILINE)
    container = [*json.loads(entry), *json.loads(command)]

    assert unit[1] == container[1] == "serve"
    assert options_in(unit) | options_in(container) <= options_of_serve()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd is installed")
@pytest.mark.thorough
def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    file = tmp_path / "table.service"
    file.write_text(re.sub(r"ExecStart=\S+", f"ExecStart={sys.executable}", UNIT))
    run = subprocess.run(
        ["systemd-analyze", "verify", file], capture_output=True, text=True, check=False
    )

    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.thorough
def test_the_container_copies_all_that_the_package_is_made_of(tmp_path: Path) -> None:
    for line in re.findall(r"^COPY (.*)$", CONTAINER, re.MULTILINE):
        *sources, target = line.split()
        for source in sources:
            place = tmp_path / target.strip("/")
            if (HOME / source).is_dir():
                shutil.copytree(HOME / source, place)
            else:
                place.mkdir(exist_ok=True)
                shutil.copy(HOME / source, place)
    wheel = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path / "wheel"]
    subprocess.run(wheel, cwd=tmp_path / "source", check=True, capture_output=True)

    assert len([*(tmp_path / "wheel").glob("*.whl")]) == 1


def test_the_container_asks_the_table_for_its_health(tmp_path: Path) -> None:
    (port,) = re.findall(r"^EXPOSE (\d+)$", CONTAINER, re.MULTILINE)
    (address,) = re.findall(r"http://127\.0\.0\.1:(\d+/\w+)", CONTAINER)
    serve: Any = COMMANDS["serve"].load("serve")
    defaults = {parameter.name: parameter.default for parameter in serve.params}

    assert (f"{defaults['port']}", f"{port}/health") == (port, address)
    with client_on(url_in(tmp_path)) as client:
        assert client.get("/health").status_code == 200


def test_the_board_shows_figures_that_the_table_tells(tmp_path: Path) -> None:
    """Their names, their labels, and the routes that it chooses."""
    with run_as(tmp_path, has_metrics=True) as client:
        client.get("/api/words")
        told = client.get("/metrics").text
        routes = {route.path.replace(":str", "") for route in client.app.routes}
    queries = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]

    assert len(queries) >= 7
    for query in queries:
        for name in NAME.findall(query):
            assert re.search(rf"^{name}\b", told, re.MULTILINE), name
        for label in re.findall(r"(\w+)(?:=~|!~|=|!=)", " ".join(LABELS.findall(query))):
            assert label == "job" or f'{label}="' in told, label  # Prometheus itself adds the job
        for route in re.findall(r'path="([^"]*)"', query):
            assert route in routes, route


def test_a_proxy_lets_the_largest_body_through() -> None:
    from hots_rules.web.routes.record import MAX_BYTES

    (kilobytes,) = re.findall(r"client_max_body_size (\d+)k;", (DEPLOY / "nginx.conf").read_text())

    assert int(kilobytes) * 1024 >= MAX_BYTES
