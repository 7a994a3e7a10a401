"""Plays games with and without each change that an edition of the library declares, and keeps the figures.

    python -m tests.study.measure_changes              all changes whose figures are missing or out of date
    python -m tests.study.measure_changes hots-2.3     those that an edition declares, again

They are kept in rulesets/changes.csv, which the table of changes shows.
"""

import csv
import io
import sys

import hots_rules as hr
from hots_rules.rules.editions.declared_changes import declared_changes
from hots_rules.rules.sources.find import shipped_sources
from hots_rules.study.attribution.change_figures import COLUMNS
from tests.folders import HOME

LIST = HOME / "rulesets" / "changes.csv"
SCENARIO, PLAYER = "braveheart", "Scotland"
POLICIES = ("random", "Scotland=scottish-attack,England=english-attack")


def measured(
    own: str, below: str, names: dict[str, tuple[str, ...]]
) -> list[hr.study.ChangeFigure]:
    """The figures of some changes, by their names with their members, under each policy."""
    pair = hr.load(own), hr.load(below)
    figures = []
    for name, members in names.items():
        for policy in POLICIES:
            plan = hr.study.ChangePlan(
                scenario=SCENARIO, player=PLAYER, policy=policy, changes=len(names)
            )
            try:
                figure = hr.study.measure_change(*pair, name, members, plan)
            except hr.HotsError as error:
                print(f"{own} {name}: {error}", flush=True)
                continue
            figures.append(figure)
            print(f"{own} {name} {policy}: {figure.divergent_games} {figure.points}", flush=True)
    return figures


def write(figures: list[hr.study.ChangeFigure], again: set[str]) -> None:
    """Put figures into the list, in the place of those of the same editions."""
    text = LIST.read_text(encoding="utf-8") if LIST.is_file() else ""
    kept = [row for row in csv.reader(text.splitlines()) if row[0] not in {"own", *again}]
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(
        [COLUMNS, *sorted([*kept, *hr.study.figure_rows(figures)])]
    )
    LIST.write_text(file.getvalue(), encoding="utf-8")


def main(*editions: str) -> None:
    """Measure the changes of some editions, or of those without figures."""
    for name, source in shipped_sources().items():
        names = {change.name: change.members for change in declared_changes(source)[name]}
        if not names or (editions and name not in editions):
            continue
        below = source.layers[-2].name
        if not editions and names.keys() == hr.study.change_figures(name, below).keys():
            continue
        behavioural = {
            difference.id
            for difference in hr.diff(name, below).differences
            if difference.effect == "behavioural"
        }
        played = {
            change: tuple(member for member in members if member in behavioural)
            for change, members in names.items()
        }
        write(measured(name, below, played), {name})


if __name__ == "__main__":
    main(*sys.argv[1:])
