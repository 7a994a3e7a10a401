"""A table that says it is ready answers each request soon, the first one of each kind as well."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.needs import needs

httpx = needs("httpx")
needs("litestar")

from tests.table.tables import served

pytestmark = [
    pytest.mark.nightly,  # a machine that is busy with other work measures more
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc is that of Linux"),
]
MOST = 0.3  # seconds of the processor that a request may cost
RULESETS = ("hots-4.0", "connect-four-1.0", "lords-of-scotland")
QUESTIONS = ("why can I not move", "what may I do", "xyzzy", "who is Wallace")


def seconds_of(pid: int) -> float:
    """The seconds of the processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def requests_of(web: object, name: str, scenario: str) -> Iterator[tuple[str, str, dict]]:
    """What somebody asks who comes first: method, path, and the rest of a request."""
    yield "GET", f"/api/rulesets/{name}", {}
    yield "GET", f"/api/rulesets/{name}/form", {}
    yield "GET", f"/api/rulesets/{name}/sections/3.1", {}
    yield "POST", "/api/games", {"json": {"ruleset": name, "scenario": scenario, "claim": False}}
    made = web.post(
        "/api/games", json={"ruleset": name, "scenario": scenario, "claim": False}
    ).json()
    path = f"/api/games/{made['game']}"
    for key in made["keys"].values():
        headers = {"Authorization": f"Bearer {key}"}
        for language in ("en", "fr", "es"):
            spoken = {"params": {"language": language}}
            yield "GET", path, {**spoken, "headers": {**headers, "Known-Picture": ""}}
            yield "GET", path, {**spoken, "headers": headers}
            for words in QUESTIONS:
                asked = {**spoken, "headers": headers, "json": {"words": words}}
                yield "POST", f"{path}/why-not", asked
            for thing in ("Wallace", *made["keys"]):
                asked = {**spoken, "headers": headers, "json": {"words": thing}}
                yield "POST", f"{path}/about", asked
        state = web.get(path, headers=headers).json()
        for action in state["view"]["actions"][:1]:
            body = {"words": action["text"]}
            yield "POST", f"{path}/preview", {"headers": headers, "json": body}
            body = {"number": state["number"], "action": action["text"]}
            yield "POST", f"{path}/actions", {"headers": headers, "json": body}
        yield "GET", f"{path}/moments/0", {"headers": headers}
        yield "GET", f"{path}/facts", {"headers": headers}


def test_no_request_costs_much_once_the_table_is_ready(tmp_path: Path) -> None:
    options = [word for name in RULESETS for word in ("--rulesets", name)]
    costs = []
    with (
        served(tmp_path, options=options) as (process, address),
        httpx.Client(base_url=address, timeout=60) as web,
    ):
        pages = [("GET", path, {}) for path in ("/", "/api/words", "/api/openapi.json")]
        offered = {line["name"]: line for line in web.get("/api/rulesets").json()}
        games = (
            request
            for name in RULESETS
            for request in requests_of(web, name, next(iter(offered[name]["scenarios"])))
        )
        for method, path, sent in (*pages, *games):
            before = seconds_of(process.pid)
            status = web.request(method, path, **sent).status_code
            assert status < 500
            costs.append((seconds_of(process.pid) - before, method, path, status, sent))
    assert sorted(offered) == sorted(RULESETS)
    assert len(costs) > 100
    assert [cost for cost in costs if cost[0] > MOST] == []
