"""Rulebooks as data: played, questioned, compared and embedded.

>>> import hots_rules
>>> [name for name in hots_rules.rulesets() if name == "hots-4.0"]
['hots-4.0']
"""

from typing import TYPE_CHECKING

from hots_rules._version import __version__ as __version__
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
    NoWorld,
    PluginWarning,
    RulesetError,
    UnknownOption,
    UnreadableAction,
    UnreadableQuestion,
)
from hots_rules.play.action import Action
from hots_rules.play.game import Game, Outcome
from hots_rules.play.reason import Ground, Reason
from hots_rules.play.ruleset import Ruleset, Setting, load
from hots_rules.play.simulate import Simulation, Tally, simulate
from hots_rules.rules import known_rulesets as rulesets
from hots_rules.state.state import State

# What explains is imported when it is first asked for: a game starts without it.
if TYPE_CHECKING:
    from hots_rules.explain.ask import Answer, Matrix, ask
    from hots_rules.explain.board import Panel, board
    from hots_rules.explain.carry import carried
    from hots_rules.explain.chart import chart
    from hots_rules.explain.coverage import Coverage, coverage
    from hots_rules.explain.diff import Change, Diff, Difference, diff
    from hots_rules.explain.enquiry import Reply, questions, reply
    from hots_rules.explain.history import Version, history
    from hots_rules.explain.parting import Cause, Moment, Parting, divergence
    from hots_rules.explain.show import Shown, UnknownRule, cited, find_shown, headings, source_of
    from hots_rules.explain.story import Story
    from hots_rules.formats.convert import from_json, to_json
    from hots_rules.formats.corpus import Corpus, corpus
    from hots_rules.formats.messages import Decision, Refusal, decision, refusal
    from hots_rules.formats.samples import corpus_files
    from hots_rules.formats.shipped import schema, schemas, typescript_types
    from hots_rules.play.bots import Bot, MonteCarloBot, RandomBot
    from hots_rules.play.casebook import BadCase
    from hots_rules.play.odds.futures import TooManyStates
    from hots_rules.play.odds.odds import Odds
    from hots_rules.play.odds.policy import Best, NothingPreferred
    from hots_rules.play.records.dictate import dictated, with_open_luck
    from hots_rules.play.records.fairness import commitment, is_kept, mixed_seed, new_secret
    from hots_rules.play.records.journal import Journal
    from hots_rules.play.records.migrate import Divergence, Migration, Verification, migrate, verify
    from hots_rules.play.records.record import Entry, Record, parse_record, record_text
    from hots_rules.play.records.replay import read, read_record, record_of, replay
    from hots_rules.play.rulings.account import Account, Happening
    from hots_rules.play.rulings.ruling import Ruling
    from hots_rules.play.trace import Step
    from hots_rules.play.views.preview import Effect, Preview
    from hots_rules.play.views.view import Stack, View
    from hots_rules.rules.sections import Citation
else:
    _LATER = {
        "Panel": "explain.board",
        "board": "explain.board",
        "carried": "explain.carry",
        "chart": "explain.chart",
        "Coverage": "explain.coverage",
        "coverage": "explain.coverage",
        "Bot": "play.bots",
        "MonteCarloBot": "play.bots",
        "RandomBot": "play.bots",
        "BadCase": "play.casebook",
        "Answer": "explain.ask",
        "Matrix": "explain.ask",
        "ask": "explain.ask",
        "Cause": "explain.parting",
        "Moment": "explain.parting",
        "Parting": "explain.parting",
        "divergence": "explain.parting",
        "Change": "explain.diff",
        "Diff": "explain.diff",
        "Difference": "explain.diff",
        "diff": "explain.diff",
        "Reply": "explain.enquiry",
        "questions": "explain.enquiry",
        "reply": "explain.enquiry",
        "dictated": "play.records.dictate",
        "with_open_luck": "play.records.dictate",
        "Version": "explain.history",
        "history": "explain.history",
        "Citation": "rules.sections",
        "Shown": "explain.show",
        "UnknownRule": "explain.show",
        "cited": "explain.show",
        "find_shown": "explain.show",
        "headings": "explain.show",
        "source_of": "explain.show",
        "Story": "explain.story",
        "from_json": "formats.convert",
        "to_json": "formats.convert",
        "Corpus": "formats.corpus",
        "corpus": "formats.corpus",
        "Decision": "formats.messages",
        "Refusal": "formats.messages",
        "decision": "formats.messages",
        "refusal": "formats.messages",
        "corpus_files": "formats.samples",
        "schema": "formats.shipped",
        "schemas": "formats.shipped",
        "typescript_types": "formats.shipped",
        "commitment": "play.records.fairness",
        "is_kept": "play.records.fairness",
        "mixed_seed": "play.records.fairness",
        "new_secret": "play.records.fairness",
        "Journal": "play.records.journal",
        "Divergence": "play.records.migrate",
        "Migration": "play.records.migrate",
        "Verification": "play.records.migrate",
        "migrate": "play.records.migrate",
        "verify": "play.records.migrate",
        "Entry": "play.records.record",
        "Record": "play.records.record",
        "parse_record": "play.records.record",
        "record_text": "play.records.record",
        "read": "play.records.replay",
        "read_record": "play.records.replay",
        "record_of": "play.records.replay",
        "replay": "play.records.replay",
        "Account": "play.rulings.account",
        "Happening": "play.rulings.account",
        "Ruling": "play.rulings.ruling",
        "Effect": "play.views.preview",
        "Preview": "play.views.preview",
        "Step": "play.trace",
        "Best": "play.odds.policy",
        "NothingPreferred": "play.odds.policy",
        "Odds": "play.odds.odds",
        "TooManyStates": "play.odds.futures",
        "Stack": "play.views.view",
        "View": "play.views.view",
    }

    def __getattr__(name):
        from importlib import import_module

        if name not in _LATER:
            raise AttributeError(f"module `hots_rules` has no attribute `{name}`")
        return getattr(import_module(f"hots_rules.{_LATER[name]}"), name)


__all__ = [
    "Account",
    "Action",
    "AmbiguousAction",
    "Answer",
    "BadCase",
    "BadMessage",
    "BadPosition",
    "BadRecord",
    "BadSecret",
    "Best",
    "Bot",
    "Cause",
    "Change",
    "Citation",
    "Corpus",
    "Coverage",
    "Decision",
    "Diff",
    "Difference",
    "Divergence",
    "Effect",
    "EngineError",
    "Entry",
    "Fault",
    "Game",
    "Ground",
    "Happening",
    "HotsError",
    "IllegalAction",
    "Journal",
    "Matrix",
    "Migration",
    "Moment",
    "MonteCarloBot",
    "NoWorld",
    "NothingPreferred",
    "Odds",
    "Outcome",
    "Panel",
    "Parting",
    "PluginWarning",
    "Preview",
    "RandomBot",
    "Reason",
    "Record",
    "Refusal",
    "Reply",
    "Ruleset",
    "RulesetError",
    "Ruling",
    "Setting",
    "Shown",
    "Simulation",
    "Stack",
    "State",
    "Step",
    "Story",
    "Tally",
    "TooManyStates",
    "UnknownOption",
    "UnknownRule",
    "UnreadableAction",
    "UnreadableQuestion",
    "Verification",
    "Version",
    "View",
    "ask",
    "board",
    "carried",
    "chart",
    "cited",
    "commitment",
    "corpus",
    "corpus_files",
    "coverage",
    "decision",
    "dictated",
    "diff",
    "divergence",
    "find_shown",
    "from_json",
    "headings",
    "history",
    "is_kept",
    "load",
    "migrate",
    "mixed_seed",
    "new_secret",
    "parse_record",
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
    "schemas",
    "simulate",
    "source_of",
    "to_json",
    "typescript_types",
    "verify",
    "with_open_luck",
]
