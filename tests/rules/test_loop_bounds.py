"""A loop needs no bound where each iteration is certain to bring its end closer."""

import pytest

from hots_rules.diagnostics import RulesetError
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source
from hots_rules.rules.typed import tast
from hots_rules.rules.typed.visitor import walk_statements

RULES = """ruleset sample-1.0 "A sample"
players Who
type Who = Red | Blue
table Spot §1 ()
  North
  South
  East
state
  ready       : set of Spot
  done        : set of Spot
  owner[Spot] : Who?
  stones[Who] : 0..9
  turn        : 0..5
define empty = {{s in Spot where owner[s] = none}}
define fresh(spots: set of Spot) = spots - done
define goes_on = some fresh(ready)
event taken(s: Spot) §1
rule taking §1 "It is taken."
  on taken(s)
    remove s from ready
event kept(s: Spot) §1
rule keeping §1 "It is taken, unless it is North."
  on kept(s)
    if s != North
      remove s from ready
action take(s: Spot) §1 "Take."
  permit when s in fresh(ready)
  taken(s)
action keep(s: Spot) §1 "Keep."
  permit when s in ready
  kept(s)
action any(s: Spot) §1 "Take anything."
  permit when s in done
  taken(s)
action all_of_them §1 "Take all."
  permit
  clear ready
action own(s: Spot) §1 "Own."
  permit when s in empty and not (s = North and turn = 0)
  owner[s] := actor
action claim(s: Spot) §1 "Claim."
  permit
  owner[s] := actor
action leave_it(s: Spot) §1 "Leave."
  permit
  remove s from ready
rule once-only §1 "Each is claimed and left once."
  forbid claim(s) when owner[s] != none or turn = 5
  forbid leave_it(s) when s not in ready
action give §1 "Give a stone."
  permit when stones[actor] > 0
  stones[actor] -= 1
action wait §1 "Wait."
  permit
phase again §1 "More."
  add North to ready
phase once §1 "Once, perhaps."
  if turn = 0
    return
  clear ready
phase play §1 "Play."
{body}
scenario only §1 "Only"
  play()
  others()
phase others §1 "What the loop may not use."
  choose Red: take, keep, any, all_of_them, own, give, wait, claim, leave_it
  again()
  once()
  if goes_on
    win none
"""


def bound_of(loop: str) -> tuple[int | None, list[str]]:
    """The bound that is found for a loop, and the codes of the faults."""
    body = "".join(f"  {line}\n" for line in loop.split("\n"))
    text = RULES.format(body=body)
    try:
        book = load_rulebook(
            Source((Layer("sample-1.0", "A sample", None, {"sample.rules": text}, ""),))
        )
    except RulesetError as error:
        return None, [fault.code for fault in error.faults]
    for node in walk_statements(book.typed.phases["play"].body):
        if isinstance(node, tast.Loop) and isinstance(node.bound, tast.Const):
            return node.bound.value, []
    return None, []


@pytest.mark.parametrize(
    ("loop", "bound"),
    [
        ("while some ready\n  choose Red: take", 3),
        ("while goes_on\n  choose Red: take, all_of_them", 3),
        ("while some x in ready: x != North\n  clear ready", 3),
        ("while some ready\n  draw s from ready\n  taken(s)", 3),
        ("while some ready\n  if turn > 2\n    leave\n  choose Blue: take", 3),
        ("while some ready\n  if turn > 2\n    choose Red: take\n  else\n    clear ready", 3),
        ("while count(ready) = 1\n  let s = the(ready)\n  remove s from ready", 3),
        ("while some empty\n  choose Red: own", 3),
        ("while some empty\n  choose Red: claim", 3),
        ("while some ready\n  choose Red: leave_it, take", 3),
        ("while some empty\n  draw s from empty - ready\n  owner[s] := Blue", 3),
        ("while turn < 4\n  turn += 1", 6),
        ("while turn < 4 and some ready\n  turn += 2\n  again()", 6),
        ("while turn > 0\n  turn -= 1\n  choose Red: wait", 6),
        ("while stones[Red] > 0 or stones[Blue] > 0\n  choose Red: give", 20),
        ("while some w in Who: stones[w] > 0\n  clear stones", 20),
    ],
)
def test_the_end_of_a_loop_is_seen(loop: str, bound: int) -> None:
    assert (bound, []) == bound_of(loop)


@pytest.mark.parametrize(
    "loop",
    [
        "while some ready\n  choose Red: take, wait",  # an action that takes nothing
        "while some ready\n  choose Red: any",  # perhaps nothing that is there
        "while some ready\n  choose Red: keep",
        "while some ready\n  choose Red: take\n  again()",  # and put back
        "while some ready\n  once()",
        "while some ready\n  if turn > 2\n    choose Red: take",
        "while some ready\n  remove North from ready",
        "while turn = 0\n  choose Red: take",  # nothing that the condition reads
        "while turn < 4\n  turn += 1\n  turn -= 1",
        "while turn < 4\n  turn := min(turn + 1, 5)",
        "while stones[Red] < 4\n  stones[Blue] += 1",
        "while some empty\n  choose Red: own\n  owner[North] := none",
        "while some done\n  clear ready",
        "while no ready\n  clear ready",
        "while true\n  turn += 1",
    ],
)
def test_a_loop_without_a_visible_end_needs_a_bound(loop: str) -> None:
    assert (None, ["endless-loop"]) == bound_of(loop)
    assert [] == bound_of(loop.replace("\n", " up to 2\n", 1))[1]
