"""The route for untrusted rulesets, where whoever runs the game server takes them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

from litestar import post
from litestar.params import JSONBody

import hots_rules as hr
from hots_rules.web.answering.sandbox import tried
from hots_rules.web.bodies import RulesetText
from hots_rules.web.refusals import NotTaken, TooLong
from hots_rules.web.replies import TriedRuleset
from hots_rules.web.requests import SeatRequest, SpokenLanguage, untrusted_worker
from hots_rules.web.routes.lobby import counted

MAX_BYTES = 700_000  # of the body of a request
FILE = "yours.rules"


@post("/api/rulesets/try", status_code=200, request_max_body_size=MAX_BYTES)
async def try_ruleset(
    data: JSONBody[RulesetText], request: SeatRequest, language: SpokenLanguage = "en"
) -> TriedRuleset:
    """Check, compile and play a ruleset at random, in a process that is ended when it overruns its limits."""
    if not request.app.state.operation.takes_rulesets:
        raise NotTaken("this table takes no rulesets; whoever runs it can: hots serve --uploads")
    with counted(request) as attempt:
        if len(data.text.encode(errors="replace")) > hr.Limits().ruleset_bytes:
            raise TooLong(f"a ruleset has at most {hr.Limits().ruleset_bytes:,} bytes")
        with TemporaryDirectory(prefix="hots_rules-") as folder:
            path = Path(folder, FILE)
            await asyncio.to_thread(path.write_text, data.text, "utf-8", "replace", "\n")
            report: TriedRuleset = await untrusted_worker(request).run(tried, str(path), language)
        attempt.is_accepted = not report["faults"]
    return {**report, "faults": report["faults"].replace(str(path), FILE)}


ROUTES = (try_ruleset,)
