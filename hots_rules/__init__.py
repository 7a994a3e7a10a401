"""Rulebooks as data: played, questioned, compared and embedded.

>>> import hots_rules
>>> [name for name in hots_rules.rulesets() if name == "hots-4.0"]
['hots-4.0']
"""

from typing import TYPE_CHECKING

from hots_rules._version import __version__ as __version__
from hots_rules.analysis.simulate import Simulation, SimulationTotals, simulate
from hots_rules.diagnostics import (
    AmbiguousAction,
    BadMessage,
    BadPosition,
    BadRecord,
    BadSecret,
    EngineError,
    Fault,
    HotsError,
    IllegalAction,
    NoConsistentWorld,
    PluginWarning,
    RulesetError,
    UnknownOption,
    UnreadableAction,
    UnreadableQuestion,
)
from hots_rules.play.action import Action
from hots_rules.play.game import Game, Outcome
from hots_rules.play.reason import Explanation, Reason
from hots_rules.play.ruleset import Ruleset, Setting, load
from hots_rules.rules import known_rulesets as rulesets
from hots_rules.state.state import State

# What explains is imported when it is first asked for: a game starts without it.
if TYPE_CHECKING:
    from hots_rules.analysis.bots import Bot, MonteCarloBot, RandomBot
    from hots_rules.analysis.casebook import BadCase
    from hots_rules.analysis.chart import chart
    from hots_rules.analysis.coverage import Coverage, coverage
    from hots_rules.analysis.odds import Odds
    from hots_rules.analysis.outcome_tree import TooManyStates
    from hots_rules.analysis.policy import Best, PolicyUndefined
    from hots_rules.compare.ask import AnswerTable, EditionAnswer, ask
    from hots_rules.compare.diff import Change, Diff, Difference, diff
    from hots_rules.compare.divergence import Cause, Divergence, Moment, divergence
    from hots_rules.compare.history import Version, history
    from hots_rules.compare.rebase import carried
    from hots_rules.explain.action_search import find_actions
    from hots_rules.explain.board import BoardSection, board
    from hots_rules.explain.causes import CausalTrace, TraceNode
    from hots_rules.explain.declarations import (
        Declaration,
        UnknownRule,
        cited,
        find_declarations,
        headings,
        source_of,
    )
    from hots_rules.explain.narration import GameLog
    from hots_rules.explain.query import Answer, questions, reply
    from hots_rules.explain.ruling import Ruling
    from hots_rules.formats.convert import from_json, to_json
    from hots_rules.formats.game_corpus import Corpus, build_corpus
    from hots_rules.formats.messages import Decision, Refusal, decision, refusal
    from hots_rules.formats.samples import corpus_files
    from hots_rules.formats.shipped import format_names, schema, typescript_types
    from hots_rules.observe.preview import Effect, Preview
    from hots_rules.observe.view import Stack, View
    from hots_rules.play.trace import Step
    from hots_rules.records.commit_reveal import (
        combine_seeds,
        commitment,
        commitment_matches,
        new_secret,
    )
    from hots_rules.records.explicit_chance import play_with_outcomes, with_explicit_chance
    from hots_rules.records.journal import Journal
    from hots_rules.records.migration import (
        Migration,
        ReplayMismatch,
        Verification,
        migrate,
        verify,
    )
    from hots_rules.records.record import Entry, Record, parse_record, record_text
    from hots_rules.records.replaying import read, read_record, record_of, replay
    from hots_rules.rules.editions.sections import Citation
else:
    _LATER = {
        "find_actions": "explain.action_search",
        "BoardSection": "explain.board",
        "board": "explain.board",
        "carried": "compare.rebase",
        "chart": "analysis.chart",
        "Coverage": "analysis.coverage",
        "coverage": "analysis.coverage",
        "Bot": "analysis.bots",
        "MonteCarloBot": "analysis.bots",
        "RandomBot": "analysis.bots",
        "BadCase": "analysis.casebook",
        "EditionAnswer": "compare.ask",
        "AnswerTable": "compare.ask",
        "ask": "compare.ask",
        "Cause": "compare.divergence",
        "Moment": "compare.divergence",
        "Divergence": "compare.divergence",
        "divergence": "compare.divergence",
        "Change": "compare.diff",
        "Diff": "compare.diff",
        "Difference": "compare.diff",
        "diff": "compare.diff",
        "Answer": "explain.query",
        "questions": "explain.query",
        "reply": "explain.query",
        "play_with_outcomes": "records.explicit_chance",
        "with_explicit_chance": "records.explicit_chance",
        "Version": "compare.history",
        "history": "compare.history",
        "Citation": "rules.editions.sections",
        "Declaration": "explain.declarations",
        "UnknownRule": "explain.declarations",
        "cited": "explain.declarations",
        "find_declarations": "explain.declarations",
        "headings": "explain.declarations",
        "source_of": "explain.declarations",
        "GameLog": "explain.narration",
        "from_json": "formats.convert",
        "to_json": "formats.convert",
        "Corpus": "formats.game_corpus",
        "build_corpus": "formats.game_corpus",
        "Decision": "formats.messages",
        "Refusal": "formats.messages",
        "decision": "formats.messages",
        "refusal": "formats.messages",
        "corpus_files": "formats.samples",
        "schema": "formats.shipped",
        "format_names": "formats.shipped",
        "typescript_types": "formats.shipped",
        "commitment": "records.commit_reveal",
        "commitment_matches": "records.commit_reveal",
        "combine_seeds": "records.commit_reveal",
        "new_secret": "records.commit_reveal",
        "Journal": "records.journal",
        "ReplayMismatch": "records.migration",
        "Migration": "records.migration",
        "Verification": "records.migration",
        "migrate": "records.migration",
        "verify": "records.migration",
        "Entry": "records.record",
        "Record": "records.record",
        "parse_record": "records.record",
        "record_text": "records.record",
        "read": "records.replaying",
        "read_record": "records.replaying",
        "record_of": "records.replaying",
        "replay": "records.replaying",
        "CausalTrace": "explain.causes",
        "TraceNode": "explain.causes",
        "Ruling": "explain.ruling",
        "Effect": "observe.preview",
        "Preview": "observe.preview",
        "Step": "play.trace",
        "Best": "analysis.policy",
        "PolicyUndefined": "analysis.policy",
        "Odds": "analysis.odds",
        "TooManyStates": "analysis.outcome_tree",
        "Stack": "observe.view",
        "View": "observe.view",
    }

    def __getattr__(name):
        from importlib import import_module

        if name in ("records", "formats"):
            return import_module(f"hots_rules.{name}")
        if name not in _LATER:
            raise AttributeError(f"module `hots_rules` has no attribute `{name}`")
        return getattr(import_module(f"hots_rules.{_LATER[name]}"), name)


__all__ = [
    "Action",
    "AmbiguousAction",
    "Answer",
    "AnswerTable",
    "BadCase",
    "BadMessage",
    "BadPosition",
    "BadRecord",
    "BadSecret",
    "Best",
    "BoardSection",
    "Bot",
    "CausalTrace",
    "Cause",
    "Change",
    "Citation",
    "Corpus",
    "Coverage",
    "Decision",
    "Declaration",
    "Diff",
    "Difference",
    "Divergence",
    "EditionAnswer",
    "Effect",
    "EngineError",
    "Entry",
    "Explanation",
    "Fault",
    "Game",
    "GameLog",
    "HotsError",
    "IllegalAction",
    "Journal",
    "Migration",
    "Moment",
    "MonteCarloBot",
    "NoConsistentWorld",
    "Odds",
    "Outcome",
    "PluginWarning",
    "PolicyUndefined",
    "Preview",
    "RandomBot",
    "Reason",
    "Record",
    "Refusal",
    "ReplayMismatch",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "Setting",
    "Simulation",
    "SimulationTotals",
    "Stack",
    "State",
    "Step",
    "TooManyStates",
    "TraceNode",
    "UnknownOption",
    "UnknownRule",
    "UnreadableAction",
    "UnreadableQuestion",
    "Verification",
    "Version",
    "View",
    "ask",
    "board",
    "build_corpus",
    "carried",
    "chart",
    "cited",
    "combine_seeds",
    "commitment",
    "commitment_matches",
    "corpus_files",
    "coverage",
    "decision",
    "diff",
    "divergence",
    "find_actions",
    "find_declarations",
    "format_names",
    "from_json",
    "headings",
    "history",
    "load",
    "migrate",
    "new_secret",
    "parse_record",
    "play_with_outcomes",
    "questions",
    "read",
    "read_record",
    "record_of",
    "record_text",
    "refusal",
    "replay",
    "reply",
    "rulesets",
    "schema",
    "simulate",
    "source_of",
    "to_json",
    "typescript_types",
    "verify",
    "with_explicit_chance",
]
