"""`option … for …` and `option … except …`: an option that only some scenarios have."""

import pytest

import hots_rules as hr
from hots_rules.diagnostics import RulesetError
from hots_rules.rules.load import load_rulebook
from hots_rules.rules.sources.source import Layer, Source

RULES = """ruleset sample-1.0 "A sample"
players Who
type Who = Red | Blue
state
  snow : bool
option fog : bool = false {limit} §1 "Whether there is fog."
action wait §1 "Wait."
  permit
  snow := fog
phase play §1 "Play."
  choose Red: wait
  win Red
scenario short §1 "Short"
  play()
scenario long §1 "Long"
  play()
scenario wet §1 "Wet"
  play()
"""


def source(limit: str) -> Source:
    text = RULES.format(limit=limit)
    return Source((Layer("sample-1.0", "A sample", None, {"sample.rules": text}, ""),))


@pytest.mark.parametrize(
    ("limit", "scenarios"),
    [
        ("", ()),
        ("for long", ("long",)),
        ("for long, wet", ("long", "wet")),
        ("except short", ("long", "wet")),
        ("except wet, short", ("long",)),
    ],
)
def test_an_option_is_for_the_named_scenarios_or_all_others(
    tmp_path, limit: str, scenarios: tuple[str, ...]
) -> None:
    path = tmp_path / "sample.rules"
    path.write_text(RULES.format(limit=limit), "utf-8")
    rules = hr.load(path)

    assert rules.options["fog"].scenarios == scenarios
    for scenario in rules.scenarios:
        if not scenarios or scenario in scenarios:
            rules.start(scenario, options={"fog": True})
            continue
        for value in (True, False):
            with pytest.raises(hr.IgnoredOption):
                rules.start(scenario, options={"fog": value})


def test_an_option_for_no_scenario_is_a_fault() -> None:
    with pytest.raises(RulesetError) as error:
        load_rulebook(source("except short, long, wet"))

    [fault] = error.value.faults
    assert fault.code == "not-allowed-here"
    assert fault.headline == "the option `fog` is for no scenario: all are excepted"
    assert fault.help == "name fewer scenarios after `except`"


def test_an_excepted_scenario_that_is_unknown_has_its_place() -> None:
    with pytest.raises(RulesetError) as error:
        load_rulebook(source("except shrt"))

    [fault] = error.value.faults
    assert (fault.code, fault.place.line) == ("unknown-name", 6)
    assert fault.help == "did you mean `short`?"
