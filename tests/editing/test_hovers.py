"""What an editor shows about a name, and completes after `:=`."""

import pytest

from hots_rules import editing

RULES = """ruleset fox-1.0 "Fox"
players Who
type Who = Red | Blue
type Where = Shore | Hill
state
  at[Where] : Who?
  # the one who leads
  lead      : Who
  far       : Where
  is_late   : bool
  home[Where] : Where

# how far one goes
define most = 3  §1

# who follows
define follower(w: Who) = first of
  Blue when w = Red
  # a comment within
  Red
# the action
action go(w: Where) §1 "Go."
  permit when at[w] != follower(actor) or most > 2 and is_late and lead = Red and home[w] = far
  {line}
phase play §1 "Play."
  choose Red: go
  win none
scenario only §1 "Only"
  play()
"""
PATH = "/fox.rules"


def space_of(line: str = "at[w] := lead") -> editing.Workspace:
    """The sample with a line of its action, in an editor."""
    space = editing.Workspace()
    space.open(PATH, RULES.replace("{line}", "at[w] := lead"))
    space.check(PATH)
    space.open(PATH, RULES.replace("{line}", line))
    return space


@pytest.mark.parametrize(
    ("word", "source"),
    [
        ("at[Where]", "  at[Where] : Who?"),
        ("is_late   :", "  is_late   : bool"),
        ("home[Where]", "  home[Where] : Where"),
        ("most = 3", "define most = 3  §1"),
        (
            "follower(w: Who)",
            "define follower(w: Who) = first of\n  Blue when w = Red\n  # a comment within\n  Red",
        ),
        ("play §1", 'phase play §1 "Play."\n  choose Red: go\n  win none'),
    ],
)
def test_a_hover_ends_where_the_declaration_ends(word: str, source: str) -> None:
    space = space_of()
    before = space.text(PATH).partition(word)[0]
    found = editing.hover(space, PATH, before.count("\n") + 1, len(before.rpartition("\n")[2]) + 2)

    assert found is not None
    assert found[0].endswith(f"```rules\n{source}\n```")


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("lead := ", ["Red", "Blue"]),
        ("at[w] := ", ["Red", "Blue", "none"]),
        ("far := ", ["Shore", "Hill"]),
        ("at[home[far]] := ", ["Red", "Blue", "none"]),
        ("at[home[home[w]]] := ", ["Red", "Blue", "none"]),
        ("is_late := ", ["true", "false"]),
        ("win ", ["Red", "Blue"]),
        ("win Red, ", ["Red", "Blue"]),
    ],
)
def test_values_of_its_type_come_first_after_a_variable_is_set(line: str, first: list[str]) -> None:
    space = space_of(line)
    at = space.text(PATH).partition(f"  {line}")[0].count("\n") + 1
    found = editing.completions(space, PATH, at, len(line) + 3)

    assert [one.text for one in found][: len(first)] == first


def test_after_completes_actions_and_players_and_shows_the_action() -> None:
    """`after` in a condition asks about an action; at the beginning of a line it handles an event."""
    space = space_of()
    text = (
        RULES.replace("{line}", "at[w] := lead")
        + 'rule slow §1 "Slow."\n  forbid go(w) when after '
    )
    row = text.count("\n") + 1
    space.open(PATH, text)
    last = len(text.rpartition("\n")[2]) + 1
    assert editing.completions(space, PATH, row, last)[0].text == "go"
    space.open(PATH, f"{text}go(Hill) by ")
    assert [one.text for one in editing.completions(space, PATH, row, last + 12)][:2] == [
        "Red",
        "Blue",
    ]
    space.open(PATH, f"{text}go(")
    assert editing.call_at(space, PATH, row, last + 3) is not None
    space.open(PATH, f"{text}go(w): at[w] = Red\n")
    assert editing.hover(space, PATH, row, last)[0].startswith("**action go** · §1")
