"""Witnesses: a position and an action to which two rulesets give different answers."""

from pathlib import Path

import pytest
from test_compare import TINY, house

import hots_rules as hr

MARCH = """## rule castles-hold

```witness
kind: legal
old: tiny-1.0
new: house
isolates: rule castles-hold
position:
  Wallace: place Mar, strength 4
  ready {Wallace}
  begin at choose in blows(index 1) in game
action: Scotland: march Wallace to Fife
old says:
  illegal
new says:
  legal
parted: 3 of 20
```
"""
OPEN = "repeal rule castles-hold §2.2\n"


@pytest.fixture(name="pair")
def rulesets(tmp_path: Path) -> tuple[hr.Ruleset, hr.Ruleset]:
    return hr.load(TINY), hr.load(house(tmp_path, OPEN))


# ---------------------------------------------------------------- text
def test_a_witness_is_read_as_it_is_written() -> None:
    (title, witness), *_ = hr.compare.read_witnesses(MARCH).items()

    assert witness.text(title) == MARCH
    assert (witness.kind, witness.games, witness.parted) == ("legal", 20, 3)


@pytest.mark.parametrize(
    ("line", "other", "fault"),
    [
        ("kind: legal", "kind: odd", "expected a kind of legal, outcome, odds, got `odd`"),
        ("old: tiny-1.0\n", "", "expected a line `old: …`, got none"),
        ("action:", "deed:", "expected a line such as `kind: legal`, got `deed: Scotland"),
        ("3 of 20", "few", "expected a line such as `parted: 3 of 1000`, got `few`"),
    ],
)
def test_a_damaged_witness_is_refused(line: str, other: str, fault: str) -> None:
    with pytest.raises(hr.compare.BadWitness) as error:
        hr.compare.read_witnesses(MARCH.replace(line, other))

    assert fault in str(error.value)


# ---------------------------------------------------------------- replay
def test_a_witness_is_replayed_from_its_text(pair: tuple[hr.Ruleset, hr.Ruleset]) -> None:
    (witness,) = hr.compare.read_witnesses(MARCH).values()

    assert witness.replayed(*pair) == witness
    assert [answer.verdict for answer in witness.answers(*pair)] == ["illegal", "legal"]
    assert "the castle of Fife is 2" in witness.answers(*pair)[0].lines[0]


def test_a_witness_on_which_the_rulesets_agree_is_refused() -> None:
    (witness,) = hr.compare.read_witnesses(MARCH).values()
    rules = hr.load(TINY)

    with pytest.raises(hr.compare.BadWitness):
        witness.replayed(rules, rules)
