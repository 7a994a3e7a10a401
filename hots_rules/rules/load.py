"""From the texts of a ruleset to its checked rulebook."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from attrs import evolve, frozen

from hots_rules.diagnostics import DEFAULT_LIMITS, Fault, Limits, RulesetError, Span, how_to_raise
from hots_rules.rules.boards import add_definitions_of_board
from hots_rules.rules.checks import citations, effects, labels, secrecy, termination, usage
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.set_sizes import StaticValuesOf
from hots_rules.rules.editions.declared_changes import check_changes
from hots_rules.rules.editions.merger import EditionMerger
from hots_rules.rules.editions.sections import Sections, read_sections
from hots_rules.rules.faults import MAX_FAULTS
from hots_rules.rules.play_digest import PLAY_MARK, PlayDigest
from hots_rules.rules.resolve.ruleset import resolve_ruleset, resolve_some
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry, Rulebook
from hots_rules.rules.sources.source import Source, check_size
from hots_rules.rules.typed.tast import TypedRuleset
from hots_rules.syntax import parse, tree
from hots_rules.syntax.limits import count_words

STEPS_PER_WORD = 60

CHECKS: tuple[Callable[[CheckContext], None], ...] = (
    citations.every_rule_cites,
    citations.every_section_exists,
    usage.every_definition_is_used,
    usage.every_let_is_used,
    usage.every_stage_is_reached,
    usage.every_action_is_permitted,
    usage.every_rule_does_something,
    usage.every_question_can_be_asked,
    labels.every_label_names_something,
    termination.nothing_calls_itself,
    effects.every_effect_is_certain,
    effects.no_effect_leads_to_itself,
    termination.nothing_takes_too_long,
    secrecy.no_condition_reveals_a_secret,
    secrecy.no_roll_becomes_a_secret,
    secrecy.nothing_internal_decides_who_knows,
)


def load_rulebook(
    source: Source, limits: Limits = DEFAULT_LIMITS, static_values: StaticValuesOf | None = None
) -> Rulebook:
    """The checked rulebook of a ruleset.

    `static_values` makes what computes sets that read no state: without it, they count as large as their types.

    Raises:
        RulesetError: with every fault that was found. Where a text is malformed, only that is checked.
    """
    check_texts(source, limits)
    files, faults = _parse_all(source)
    if faults:
        raise RulesetError(faults, source.texts)
    return rulebook_of(source, files, check_files(source, files, static_values))


def rulebook_of(
    source: Source,
    files: Mapping[str, tree.File],
    checked: Checked,
    digest: PlayDigest | None = None,
) -> Rulebook:
    """The rulebook of texts that were parsed and checked; `digest` has given that of an earlier version.

    Raises:
        RulesetError: with every fault that was found.
    """
    if checked.faults:
        raise RulesetError(checked.faults, source.texts)
    assert checked.typed is not None
    return Rulebook(
        source,
        (digest or PlayDigest()).of(
            source.name, checked.merger.entries, checked.translations.get("en", {})
        ),
        checked.merger.entries,
        checked.repealed,
        checked.headings,
        checked.translations,
        checked.typed,
        checked.notes,
    )


def content_hash(source: Source, limits: Limits = DEFAULT_LIMITS) -> str:
    """The digest of what decides play in texts that need not be checked: see `play_digest`.

    Texts that cannot be parsed, or are too large for that, have a digest of their own.
    """
    of_texts = source.text_hash()[: -len(PLAY_MARK)] + PLAY_MARK
    try:
        check_texts(source, limits)
        files, faults = _parse_all(source)
    except RulesetError:
        return of_texts
    if faults:
        return of_texts
    merger, _, _ = _merged(source, files)
    return PlayDigest().of(source.name, merger.entries, merger.labels_in_force().get("en", {}))


@frozen
class Checked:
    """What the trees of a ruleset declare, and all faults but malformed texts.

    `headings` are those of each edition by number, `notes` the reasons why no rule cites a section. `typed` is None
    where the definitions nest too deeply.
    """

    merger: EditionMerger
    symbols: SymbolTable
    headings: dict[str, dict[str, str]]
    notes: dict[str, dict[str, str]]
    translations: dict[str, dict[str, str]]
    typed: TypedRuleset | None

    @property
    def of_the_whole(self) -> tuple[Fault, ...]:
        """The faults that no declaration shows by itself."""
        return self.faults[self.symbols.resolved :]

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults, in the order in which they were found."""
        return tuple(self.symbols.faults)

    @property
    def repealed(self) -> tuple[Entry, ...]:
        """The declarations that a layer removed."""
        return tuple(repeal.entry for repeal in self.merger.repealed.values())


def check_files(
    source: Source, files: Mapping[str, tree.File], static_values: StaticValuesOf | None = None
) -> Checked:
    """The declarations in the trees of all files of a ruleset, merged and checked; nothing is raised.

    For `static_values` see `load_rulebook`.
    """
    merger, sections, symbols = _merged(source, files)
    translations = merger.labels_in_force()
    headings = {layer.name: sections.headings(layer.name) for layer in source.layers}
    notes = {layer.name: sections.notes(layer.name) for layer in source.layers}
    checked = Checked(merger, symbols, headings, notes, translations, None)
    repealed = ((entry.kind, entry.name) for entry in checked.repealed)
    check_changes(source, {*merger.entries, *repealed}, headings, merger.faults)
    try:
        typed = resolve_ruleset(symbols, source.name, source.layers[-1].title, translations)
        run_checks(
            CheckContext(
                symbols,
                typed,
                source.name,
                headings,
                merger.labels,
                checked.repealed,
                static_values,
            )
        )
    except RecursionError:
        symbols.fault(
            "too-large", "definitions nest too deeply", symbols.head, help_="write some of them out"
        )
        return checked
    return evolve(checked, typed=typed)


def check_places(
    source: Source, files: Mapping[str, tree.File], places: Collection[Span]
) -> tuple[Fault, ...]:
    """The faults of the declarations in some places that show without the bodies of the others."""
    merger, _, symbols = _merged(source, files)
    wanted = frozenset(
        key
        for key, entry in merger.entries.items()
        if any(is_within(part.span, places) for part in (entry.node, *entry.lines))
    )
    with suppress(RecursionError):  # the check of the whole reports it
        resolve_some(symbols, wanted)
    return tuple(fault for fault in symbols.faults if is_within(fault.place, places))


def is_within(span: Span, places: Collection[Span]) -> bool:
    """Whether a part of a text begins in one of some places."""
    return any(
        place.file == span.file and place.line <= span.line <= place.end_line for place in places
    )


def _merged(
    source: Source, files: Mapping[str, tree.File]
) -> tuple[EditionMerger, Sections, SymbolTable]:
    merger = EditionMerger()
    for layer in source.layers:
        merger.apply(layer.name, [files[name] for name in layer.files])
    add_definitions_of_board(merger.entries, merger.faults)
    sections = read_sections(source, merger.faults)
    merger.resolve_citations(sections)
    head = merger.heads[-1] if merger.heads else Span.nowhere()
    symbols = SymbolTable(merger.entries, head, merger.repealed, merger.faults)
    return merger, sections, symbols


def check_texts(source: Source, limits: Limits) -> None:
    """Refuse texts that are too large to be parsed.

    Raises:
        RulesetError: they are.
    """
    check_size(source, limits)
    texts = (text for layer in source.layers for text in layer.files.values())
    check_words(sum(map(count_words, texts)), limits)


def check_words(words: int, limits: Limits) -> None:
    """Refuse a ruleset that has too many words and signs together with all that it extends.

    Raises:
        RulesetError: it has.
    """
    if words * STEPS_PER_WORD > limits.ruleset_steps:
        headline = (
            f"expected at most {limits.ruleset_steps // STEPS_PER_WORD:,} words and signs in a ruleset "
            f"and all that it extends, got {words:,}"
        )
        remedy = how_to_raise("ruleset_steps")
        raise RulesetError([Fault("too-large", headline, Span.nowhere(), help=remedy)])


def _parse_all(source: Source) -> tuple[dict[str, tree.File], list[Fault]]:
    """The trees of all files by name, and what is malformed.

    Raises:
        RulesetError: too much is malformed.
    """
    faults: list[Fault] = []
    files: dict[str, tree.File] = {}
    for layer in source.layers:
        for name, text in layer.files.items():
            files[name], file_faults = parse(text, name)
            faults += file_faults
            if len(faults) > MAX_FAULTS:
                raise RulesetError(faults[: MAX_FAULTS + 1], source.texts)
    return files, faults


def run_checks(context: CheckContext) -> None:
    """Runs every check; faults are recorded in the symbol table."""
    for check in CHECKS:
        check(context)
