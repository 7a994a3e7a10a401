"""The cases of Markdown files while they are written: where they are, and which lines do not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path, PurePosixPath

from attrs import define, evolve, field, frozen

from hots_rules.diagnostics import HotsError, RulesetError
from hots_rules.editing.rulesets import chain_of
from hots_rules.editing.workspace import Workspace
from hots_rules.play.game import AnyRuleset, BaseGame
from hots_rules.rules.sources.find import shipped_source
from hots_rules.rules.sources.source import Source
from hots_rules.testing.case_files import BLOCK, parse_case_file
from hots_rules.testing.case_runs import CaseRunner
from hots_rules.testing.casebook import Case, play_case, start_case
from hots_rules.testing.errors import BadCase
from hots_rules.testing.expectations import UnmetLine


@frozen
class CasePlace:
    """A case of a file.

    Attributes:
        line: the line of its heading.
        title: its heading.
        rulesets: what it is played in: paths of files that name rulesets of the folder, or names of the library.
    """

    line: int
    title: str
    rulesets: tuple[str, ...]


def case_places(space: Workspace, path: str) -> list[CasePlace]:
    """The cases of a file of the folder."""
    try:
        cases = _cases(space, path)
    except BadCase:
        return []
    return [
        CasePlace(case.line, case.title, tuple(rulesets_of_case(space, path, case)))
        for case in cases
    ]


def cases_about(space: Workspace, head: str) -> int:
    """How many cases of the folder are played in a ruleset."""
    return sum(
        head in place.rulesets
        for path in space.texts
        if path.endswith(".md")
        for place in case_places(space, path)
    )


@define
class CaseCheck:
    """Plays the cases of a folder as its texts are now; rulesets are compiled once for each version.

    Attributes:
        compiled: gives the ruleset of some texts.
        roots: the open folders; positions elsewhere are not read.
    """

    compiled: Callable[[Source], AnyRuleset]
    roots: tuple[str, ...]
    _known: dict[str, tuple[str, AnyRuleset]] = field(factory=dict, init=False, repr=False)

    def unmet(
        self, sources: dict[str, Source], path: str, cases: Iterable[tuple[CasePlace, Case]]
    ) -> list[UnmetLine]:
        """The lines of some cases of a file that do not hold, in the texts of their rulesets."""
        lines: list[UnmetLine] = []
        for place, case in cases:
            lines += self._unmet(sources, path, place, case)
        return lines

    def _unmet(
        self, sources: dict[str, Source], path: str, place: CasePlace, case: Case
    ) -> list[UnmetLine]:
        missing = [name for name in place.rulesets if name not in sources]
        if missing or not place.rulesets:
            reason = f"no ruleset `{missing[0]}`" if missing else "no ruleset around this file"
            return [UnmetLine(place.line, "", reason)]

        def load(name: str | PathLike[str]) -> AnyRuleset:
            return self._ruleset(sources[str(name)])

        own = self._in_open_folders(case)
        names = [sources[name].name for name in place.rulesets]
        if own.editions:
            own = evolve(own, parts=own.parts | {"editions": names})
        try:
            results = CaseRunner(load, place.rulesets).run_case(Path(path), own)
        except RulesetError:
            return []  # its faults are shown where they are
        except HotsError as error:
            return [UnmetLine(place.line, "", str(error))]
        if all(outcome.is_other for outcome in results):
            return [UnmetLine(place.line, "", f"the case cannot begin in {', '.join(names)}")]
        return [unmet for outcome in results for unmet in outcome.unmet]

    def game_after(self, space: Workspace, path: str, case: Case) -> BaseGame | None:
        """The game after the actions of a case; None if they cannot be played, or nothing has compiled the ruleset."""
        for name in rulesets_of_case(space, path, case):
            source = chain_of(name, space.located())[0] if name in space.located() else None
            compiled = None if source is None else self._known.get(source.name)
            if source is None or compiled is None or compiled[0] != source.text_hash():
                return None
            try:
                own = self._in_open_folders(case)
                return play_case(own, start_case(own, compiled[1]))
            except (HotsError, LookupError):
                return None
        return None

    def _in_open_folders(self, case: Case) -> Case:
        folders = tuple(folder for folder in case.position_folders if self._is_open(folder))
        return evolve(case, position_folders=folders)

    def _ruleset(self, source: Source) -> AnyRuleset:
        texts = source.text_hash()
        compiled = self._known.get(source.name)
        if compiled is None or compiled[0] != texts:
            self._known[source.name] = compiled = (texts, self.compiled(source))
        return compiled[1]

    def _is_open(self, folder: Path) -> bool:
        real = folder.resolve()
        return any(real.is_relative_to(Path(root).resolve()) for root in self.roots)


def prepared(
    space: Workspace, path: str, title: str = ""
) -> tuple[dict[str, Source], list[tuple[CasePlace, Case]]]:
    """What is needed to play the cases of a file, or the one with a title, in another thread.

    Raises:
        BadCase: a case is malformed.
    """
    pairs = [
        (CasePlace(case.line, case.title, tuple(rulesets_of_case(space, path, case))), case)
        for case in _cases(space, path)
        if title in ("", case.title)
    ]
    sources: dict[str, Source] = {}
    for name in dict.fromkeys(name for place, _ in pairs for name in place.rulesets):
        if name in space.located():
            source, faults = chain_of(name, space.located())
            if not faults:
                sources[name] = source
        elif shipped := shipped_source(name):
            sources[name] = shipped
    return sources, pairs


def _cases(space: Workspace, path: str) -> list[Case]:
    text = space.texts.get(path, "")
    return list(parse_case_file(Path(path), text).cases) if BLOCK.search(text) else []


def rulesets_of_case(space: Workspace, path: str, case: Case) -> Iterator[str]:
    """The rulesets that a case is played in: those that it names, else those of the nearest folder above it."""
    located = space.located()
    for edition in case.editions:
        beside = {str(PurePosixPath(folder) / edition) for folder in _folders_above(path)[:2]}
        own = (
            head
            for head, ruleset in located.items()
            if ruleset.layer.name == edition or head in beside
        )
        yield next(own, edition)
    if case.editions:
        return
    for folder in _folders_above(path):
        inner = [head for head, ruleset in located.items() if folder in ruleset.around]
        if inner:
            yield from inner
            return


def _folders_above(path: str) -> list[str]:
    return [str(folder) for folder in PurePosixPath(path).parents]
