"""A local name that hides a value where the value could be meant is a fault; elsewhere it may have any name."""

import pytest

from hots_rules.diagnostics import Fault, RulesetError
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source

RULES = """ruleset sample-1.0 "A sample"
players Who
type Who = Red | Blue
type File = a | b | c | f
type Piece = Fox | Hen
state
  at[Piece] : File
  man[File] : Piece?
  taken     : set of File
  pairs     : set of (Piece, File)
  turn      : 0..5
{define}
define used(p: Piece) = count(pairs) > turn and some taken and at[p] in taken and man[at[p]] = none
event goes(p: Piece, to: File) §1
rule going §1 "It goes."
  on goes(p, to)
    at[p] := to
action go(p: Piece, to: File) §1 "Go."
  permit when to in taken
{rule}
phase play §1 "Play."
  goes(Fox, a)
{body}
  choose Red: go
scenario only §1 "Only"
  play()
invariant used §1
  used(Fox)
"""


def faults(define: str = "", rule: str = "", body: str = "") -> list[Fault]:
    """The faults of the sample with a definition, a rule or statements put in."""
    text = RULES.format(define=define, rule=rule, body=body)
    try:
        load_rulebook(Source((Layer("sample-1.0", "A sample", None, {"sample.rules": text}, ""),)))
    except RulesetError as error:
        return list(error.faults)
    return []


def asked(define: str) -> str:
    """A definition, and an invariant that uses it, so that nothing is left unused."""
    name = define.partition("(")[0]
    call = f"{name}(Fox)" if "(f: Piece" in define else f"{name}(File.a)"
    call = call.replace(")", ", File.b)") if ", x: File" in define else call
    return f"define {define}\ninvariant of-{name} §1\n  {call} or true"


@pytest.mark.parametrize(
    "define",
    [
        "edge(f: File) = f in {c, f}",
        "edge(f: File) = f not in {c, f}",
        "same(f: File, x: File) = x = f",
        "same(f: File, x: File) = f != x",
        "same(f: File, x: File) = x in {f}",
        "here(f: File) = f in taken",
        "here(f: File) = man[f] = none",
        "here(f: File) = (Fox, f) in pairs",
        "here(f: File) = used(the({p in Piece where at[p] = f}))",
        "somewhere(x: File) = some f in taken: at[Fox] = f",
        "best(x: File) = x in {f in taken where man[f] = none}",
        "other(f: Piece) = at[Fox] in {c, f}",
    ],
)
def test_a_local_name_hides_a_value_that_could_be_meant(define: str) -> None:
    [fault] = [fault for fault in faults(asked(define)) if fault.code == "ambiguous-name"]
    assert fault.headline == "the local name `f` hides the value `File.f`"
    assert fault.help == "rename the local name, or, for the value, write `File.f`"


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ('rule hidden §1 "It is hidden."\n  forbid go(p, f) when at[p] = f', ""),
        ('rule hidden §1 "It is hidden."\n  after goes(p, f)\n    at[Hen] := f', ""),
        ("", "  for f in taken\n    goes(Hen, f)"),
        ("", "  let f = at[Hen]\n  at[Fox] := f"),
        ("", "  draw f from taken\n  add f to taken"),
    ],
)
def test_every_kind_of_local_name_can_hide_a_value(rule: str, body: str) -> None:
    codes = [fault.code for fault in faults(rule=rule, body=body)]
    assert codes == ["ambiguous-name"]


@pytest.mark.parametrize(
    "define",
    [
        "edge(f: File) = f in {a, c}",
        "edge(f: File) = f = a or c = f",
        "edge(x: File) = x in {c, f}",
        "edge(x: File) = some {f in File where f = c} and x = a",
        "edge(f: File) = f in {c, File.f}",
        "edge(f: File) = f = File.f",
        "other(f: Piece) = at[f] = a",
        "other(f: Piece) = f = Fox or used(f)",
        "counted(x: File) = (sum f in taken: 1) > 2 and x = a",
    ],
)
def test_a_local_name_that_nobody_takes_for_a_value_hides_none(define: str) -> None:
    assert faults(asked(define)) == []
