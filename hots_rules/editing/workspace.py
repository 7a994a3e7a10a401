"""An open folder: its texts, its rulesets, and what is known of each; a broken text keeps its last good answers."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field, frozen

from hots_rules._text import plain_text
from hots_rules.compile.constant_folding import static_values
from hots_rules.diagnostics import DEFAULT_LIMITS, Fault, RulesetError, Span
from hots_rules.editing.diagnostics_cache import FoundFaults
from hots_rules.editing.rulesets import EditedRuleset, chain_of, located_rulesets
from hots_rules.rules.checks.alike import alike_values
from hots_rules.rules.load import Checked, check_files, check_words
from hots_rules.rules.play_digest import PlayDigest
from hots_rules.rules.sources.source import Source, check_size
from hots_rules.syntax import tree
from hots_rules.syntax.pieces import ParsedPiece, ParsedText, PieceParser


@frozen(eq=False)
class Chain:
    """A ruleset with all that it extends, as it was when every text of it could be parsed.

    Attributes:
        source: its texts.
        files: the trees of its files, by path; those of the library by their names there.
        checked: what they declare.
    """

    source: Source
    files: Mapping[str, tree.File] = field(repr=False)
    checked: Checked = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the ruleset."""
        return self.source.name

    def edition_of(self, file: str) -> str:
        """The name of the ruleset of the chain that a file belongs to; empty if none does."""
        return next((layer.name for layer in self.source.layers if file in layer.files), "")


@frozen(eq=False)
class CheckJob:
    """A ruleset to check: its texts, the faults of its lines `extends`, and what of it is parsed already."""

    head: str
    source: Source
    faults: tuple[Fault, ...]
    texts: Mapping[str, str]
    known: Mapping[str, ParsedText]


@frozen(eq=False)
class CheckDone:
    """The result of a check: what was parsed for it, and what was found.

    `checked` is None where a text is malformed.
    """

    job: CheckJob
    parsed: Mapping[str, tuple[PieceParser, ParsedText]]
    files: Mapping[str, tree.File]
    faults: tuple[Fault, ...]
    checked: Checked | None

    @property
    def found(self) -> FoundFaults:
        """The faults, with the texts that they were found in."""
        texts = {**self.job.known, **{name: parsed for name, (_, parsed) in self.parsed.items()}}
        whole = self.checked.of_the_whole if self.checked is not None else self.faults
        return FoundFaults(self.faults, frozenset(whole), texts)


def run_check(job: CheckJob) -> CheckDone:
    """Check a ruleset; the workspace is neither read nor changed."""
    newly_parsed = {}
    for name, text in job.texts.items():
        if name not in job.known:
            parser = PieceParser(name)
            newly_parsed[name] = (parser, parser.parse(text))
    parsed = {**job.known, **{name: layer for name, (_, layer) in newly_parsed.items()}}
    if job.faults or any(layer.faults for layer in parsed.values()):
        return CheckDone(job, newly_parsed, {}, job.faults, None)
    files = {name: layer.file for name, layer in parsed.items()}
    try:
        check_size(job.source, DEFAULT_LIMITS)
        check_words(sum(layer.words for layer in parsed.values()), DEFAULT_LIMITS)
        checked = check_files(job.source, files, static_values)
    except RulesetError as error:
        return CheckDone(job, newly_parsed, {}, error.faults, None)
    typed = None if checked.faults else checked.typed
    alike = alike_values(typed, checked.merger.entries) if typed else ()
    return CheckDone(job, newly_parsed, files, (*checked.faults, *alike), checked)


@define(eq=False)
class Workspace:
    """The texts of an open folder by path, and what an author asks about them.

    `chains` are the rulesets as they were when they could be parsed, and `found` what their last checks found, by the
    path of the file that names each; `digests` give the digest of what decides play.

    >>> space = Workspace()
    >>> space.open("/game/fox.rules", 'ruleset fox-1.0 "Fox"\\n')
    >>> space.check("/game/fox.rules")
    ('/game/fox.rules',)
    >>> space.faults("/game/fox.rules")[0].code
    'unknown-name'
    """

    texts: dict[str, str] = field(factory=dict, repr=False)
    chains: dict[str, Chain] = field(factory=dict, repr=False)
    found: dict[str, FoundFaults] = field(factory=dict, init=False, repr=False)
    digests: dict[str, PlayDigest] = field(factory=dict, init=False, repr=False)
    _parsers: dict[str, PieceParser] = field(factory=dict, init=False, repr=False)
    _parsed: dict[str, tuple[str, ParsedText]] = field(factory=dict, init=False, repr=False)
    _located: dict[str, EditedRuleset] | None = field(default=None, init=False, repr=False)

    # -------------------------------------------------------------- texts
    def open(self, path: str, text: str) -> None:
        """Take the text of a file as it is now."""
        self.texts[path] = plain_text(text)
        self._located = None

    def remove(self, path: str) -> None:
        """Forget a file that is no longer there."""
        self.texts.pop(path, None)
        self._parsed.pop(path, None)
        self._located = None

    def parsed(self, path: str) -> ParsedText:
        """The declarations of a file of the folder or of the library; only those that changed are parsed anew."""
        return self._parsed_text(path, self.text(path))

    def _parsed_text(self, path: str, text: str) -> ParsedText:
        text_and_pieces = self._parsed.get(path)
        if text_and_pieces is None or text_and_pieces[0] != text:
            parser = self._parsers.setdefault(path, PieceParser(path))
            self._parsed[path] = text_and_pieces = (text, parser.parse(text))
        return text_and_pieces[1]

    def known(self, path: str, text: str) -> ParsedText | None:
        """The declarations of a text of a file, if they are parsed already."""
        text_and_pieces = self._parsed.get(path)
        return (
            text_and_pieces[1]
            if text_and_pieces is not None and text_and_pieces[0] == text
            else None
        )

    def text(self, path: str) -> str:
        """The text of a file of the folder, or of the library if a ruleset of the folder extends it."""
        if path in self.texts:
            return self.texts[path]
        texts = (chain.source.texts for chain in self.chains.values())
        return next((folder[path] for folder in texts if path in folder), "")

    def piece_at(self, path: str, line: int) -> ParsedPiece | None:
        """The declaration at a line of a file."""
        return self.parsed(path).piece_at(line)

    # -------------------------------------------------------------- rulesets
    def located(self) -> dict[str, EditedRuleset]:
        """The rulesets of the folder, by the path of the file that names each."""
        if self._located is None:
            self._located = located_rulesets(self.texts)
        return self._located

    def heads_for(self, path: str) -> tuple[str, ...]:
        """The rulesets that a file is a part of, the one that it belongs to first, then those that extend it."""
        return tuple(
            head
            for _, head in sorted(
                (len(source.layers), head)
                for head in self.located()
                for source in [chain_of(head, self.located())[0]]
                if path in source.texts
            )
        )

    def chain_for(self, path: str) -> Chain | None:
        """What is known of the ruleset that a file belongs to; if nothing, of one above it or below it."""
        heads = self.heads_for(path)
        chains = (self.chains.get(head) for head in heads)
        nearest = next((chain for chain in chains if chain is not None), None) or self._below(heads)
        if nearest is None and path not in self.texts:
            nearest = next((chain for chain in self.chains.values() if path in chain.files), None)
        return nearest

    def _below(self, heads: tuple[str, ...]) -> Chain | None:
        """What is known of the nearest ruleset that some rulesets extend."""
        by_name = {chain.name: chain for chain in self.chains.values()}
        for head in heads:
            for layer in reversed(chain_of(head, self.located())[0].layers):
                if layer.name in by_name:
                    return by_name[layer.name]
        return None

    # -------------------------------------------------------------- checks
    def check(self, head: str) -> tuple[str, ...]:
        """Check a ruleset anew, by the path of the file that names it; the paths of its files in the folder.

        Where a text of it cannot be parsed, or a ruleset is missing, what was known stays.
        """
        return self.accept(run_check(self.prepare(head)))

    def prepare(self, head: str) -> CheckJob:
        """What is needed to check a ruleset; `run_check` may run it in another thread, `accept` takes the result."""
        source, faults = chain_of(head, self.located())
        texts = {name: text for layer in source.layers for name, text in layer.files.items()}
        for name in texts:
            if name in self.texts and name in self._parsers:
                self.parsed(name)  # a little of it changed at most
        parsed = ((name, self.known(name, text)) for name, text in texts.items())
        layers = {name: layer for name, layer in parsed if layer is not None}
        return CheckJob(head, source, faults, texts, layers)

    def accept(self, done: CheckDone) -> tuple[str, ...]:
        """Take the result of a check; the paths of the files in the folder whose faults may be others now."""
        job = done.job
        for name, (parser, parsed) in done.parsed.items():
            self._parsers.setdefault(name, parser)
            self._parsed.setdefault(name, (job.texts[name], parsed))
        if done.checked is None and not done.faults:
            self._keep(job.head)
        else:
            self.found[job.head] = done.found
        if done.checked is not None:
            self.chains[job.head] = Chain(job.source, done.files, done.checked)
        return tuple(path for path in job.texts if path in self.texts)

    def parsed_layer(self, name: str, text: str) -> ParsedText:
        """The declarations of a file of a layer."""
        return self._parsed_text(name, self.text(name) if name in self.texts else text)

    def _keep(self, head: str) -> None:
        """Keep the faults found before a text became malformed, at the places where their declarations stand now."""
        for path in self.found[head].texts if head in self.found else ():
            if path in self.texts:
                self.found[head] = self.found[head].edited(path, self.parsed(path), ())

    def faults(self, path: str) -> tuple[Fault, ...]:
        """The faults to show in a file of the folder: what is malformed, or what its rulesets found in it.

        A fault in a file of the library is shown at the line that names the ruleset.
        """
        malformed = self.parsed(path).faults if path.endswith(".rules") else ()
        ordered: dict[Fault, None] = dict.fromkeys(malformed)
        for head in self.located().keys() & self.found.keys():
            for fault in self.found[head].faults:
                if fault.place.file == path and not malformed:
                    ordered[fault] = None
                elif head == path and fault.place.file not in self.texts:
                    ordered[_at_head(fault, path, self.texts[path])] = None
        return tuple(ordered)


def _at_head(fault: Fault, path: str, text: str) -> Fault:
    """A fault that has no place in the folder, at the line `ruleset …`."""
    lines = text.split("\n")
    line = next((n for n, row in enumerate(lines, 1) if row.startswith("ruleset ")), 1)
    place = Span(path, line, 1, line, len(lines[line - 1]) + 1)
    where = f" ({fault.place})" if fault.place.file else ""
    return Fault(fault.code, f"{fault.headline}{where}", place, fault.related, fault.help)
