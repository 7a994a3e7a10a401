"""What the browser would compile at each start is compiled beforehand, by its own Python: modules, tables, rulesets."""

import compileall
import json
import shutil
import sys
import zipfile
from pathlib import Path
from py_compile import PycInvalidationMode

LIBRARY = Path("/library")
PACKAGES = LIBRARY / "packages"
EPOCH = (1980, 1, 1, 0, 0, 0)

shutil.copytree("/given", PACKAGES)
sys.path.insert(0, str(PACKAGES))

from hots_rules_playground.answers.session import Session  # noqa: E402


def ask(session, method, **parameters):
    """The result of a request of the page."""
    answer = json.loads(session.answer(json.dumps({"method": method, **parameters})))
    assert "result" in answer, answer
    return answer["result"]


def warm_up() -> None:
    """Do what a page does with each ruleset, so that the cache keeps what is compiled for it."""
    session = Session()
    known = ask(session, "library")
    ask(session, "open", files=ask(session, "example", **_named(known["examples"][0])))
    for ruleset in known["rulesets"]:
        scenario = next(iter(ask(session, "scenarios", ruleset=ruleset)["scenarios"]))
        state = ask(session, "start", ruleset=ruleset, scenario=scenario, seed="1")
        ask(session, "play", action=state["view"]["actions"][0]["text"])
        ask(session, "find", ruleset=ruleset, words="the")
        ask(session, "questions")


def _named(example: dict[str, str]) -> dict[str, str]:
    return {"kind": example["kind"], "name": example["name"]}


def pack(target: Path) -> None:
    """All files of the library in one archive, the same whenever it is made."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(LIBRARY.rglob("*")):
            if path.is_file():
                info = zipfile.ZipInfo(path.relative_to(LIBRARY).as_posix(), EPOCH)
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = 0o600 << 16
                archive.writestr(info, path.read_bytes())


warm_up()
for cached in PACKAGES.rglob("__pycache__"):
    shutil.rmtree(cached)
compileall.compile_dir(PACKAGES, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
pack(Path("/library.zip"))
