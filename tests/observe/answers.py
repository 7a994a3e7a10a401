"""Everything in the public API that takes a player, asked of a game: the registry of the test of twins."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import pairwise
from random import Random
from types import MappingProxyType, ModuleType

from attrs import frozen

import hots_rules as hr
from tests.observe.twins import Twin, attempt

PACKAGES = (
    *("diagnostics", "syntax", "rules", "compile", "native", "state", "play", "observe", "records"),
    *("explain", "draw", "analysis", "testing", "compare", "witness", "study", "atlas", "talk"),
    *("editing", "formats", "adapters"),
)
NAMES = frozenset({"player", "viewer", "seat", "agent"})
"""Parameters that say for whom an answer is."""


# ------------------------------------------------------------------ what is asked
@frozen
class Asked:
    """What a player asks: the same in each of the twins.

    Attributes:
        legal: the texts of some of the player's legal actions.
        others: the texts of actions that are hardly legal now, and of one that is none.
        codes: the codes of all of these that are actions.
        questions: questions that the ruleset declares.
        sentences: questions in words.
        words: names of the ruleset.
    """

    legal: tuple[str, ...]
    others: tuple[str, ...]
    codes: tuple[int, ...]
    questions: tuple[str, ...]
    sentences: tuple[str, ...]
    words: tuple[str, ...]


def asked_of(twin: Twin, chance: Random, most: int = 2) -> Asked:
    """Something for a player to ask."""
    game, player = twin.game, twin.player
    own = [each for each in game.actions if each.player == player]
    notation, forms = game.notation, [each for each in game.notation.forms if each.size]
    legal = chance.sample(own, min(most, len(own)))
    drawn = [chance.choice(forms) for _ in range(most)]
    codes = [form.base + chance.randrange(form.size) for form in drawn]
    acts = [notation.text(code).partition(": ")[2] for code in codes]
    words = [word for code in codes for word in notation.action(code).args.values()]
    words = chance.sample(words, min(most, len(words)))
    questions = chance.sample(game.questions, min(most, len(game.questions)))
    return Asked(
        tuple(each.text for each in legal),
        (*(f"{player}: {act}" for act in acts), f"{player}: look under the table"),
        (*(each.code for each in legal), *codes),
        tuple(_filled(game, each, chance) for each in questions),
        tuple(_sentences(game, acts, words, chance)),
        tuple(words),
    )


def _filled(game: hr.Game, question: str, chance: Random) -> str:
    """A question with its parameter left out, or with a word that is hardly one of its values."""
    return (
        question.partition(" {")[0] if chance.random() < 0.8 else question.format_map(_Anything())
    )


class _Anything(dict[str, str]):
    def __missing__(self, _: str) -> str:
        return "anything"


def _sentences(game: hr.Game, acts: list[str], words: list[str], chance: Random) -> Iterator[str]:
    for act in acts:
        short = " ".join(act.split()[:2])
        yield chance.choice(("why can't I {}", "can I {}?", "why not {}")).format(act)
        yield chance.choice(("why can't I {}", "can I {}?", "why not {}")).format(short)
    for word in words:
        form = chance.choice(("where is {}?", "who is {}", "how strong is {}?", "what about {}?"))
        yield form.format(word.replace("_", " "))
    yield from hr.talk.closest_questions(game, " ".join(words) or "who")[:1]
    yield "why did that happen?"


# ------------------------------------------------------------------ the registry
Answer = Callable[[Twin, Asked], object]


def _for_each(texts: str, ask: Callable[[Twin, str], object]) -> Answer:
    """An answer to each of some texts, or an error."""

    def answers(twin: Twin, asked: Asked) -> object:
        chosen = [text for kind in texts.split() for text in getattr(asked, kind)]
        return [attempt(lambda text=text: ask(twin, text)) for text in chosen]

    return answers


def _understood(twin: Twin, words: str) -> object:
    understood = hr.talk.understand(words, twin.game, twin.player)
    is_question = isinstance(understood, hr.talk.Question)
    return hr.talk.answer(understood) if is_question else understood


def _of_game(ask: Callable[[hr.Game, str | None], object]) -> Answer:
    return lambda twin, _: attempt(lambda: ask(twin.game, twin.player))


def _of_chooser(ask: Callable[[hr.Game, str], object]) -> Answer:
    """An answer for a player who has to choose; the others are refused."""
    return _of_game(lambda game, player: ask(game, player) if player else None)


def _number(twin: Twin) -> int:
    return twin.game.ruleset.players.index(twin.player or "")


def _refused(twin: Twin, text: str) -> None:
    """Why a text is not played; what is played belongs to whoever has the game."""
    twin.game.play(text, player=twin.player)


def _logged(twin: Twin, _: Asked) -> object:
    log = hr.explain.GameLog(twin.player)
    told = [[*log.describe(*pair)] for pair in pairwise(twin.moments)]
    return told, log.headings(twin.game)


def _vectors(twin: Twin, vector: Callable[[hr.formats.ObservedMoment, int], object]) -> object:
    """The vectors of a player at each moment; one continues what the one before has computed."""
    moment = hr.formats.ObservedMoment.of(twin.moments[0])
    vectors = [vector(moment, _number(twin))]
    for game in twin.moments[1:]:
        moment = moment.after(game.moves[-1])
        vectors.append(vector(moment, _number(twin)))
    return vectors


def _settled(twin: Twin, _: Asked) -> object:
    rules, player = twin.game.ruleset, twin.player
    policies = hr.analysis.named_policies(rules)
    return [hr.analysis.Settler(rules, name, player).choose(twin.game) for name in policies]


def _by_policies(twin: Twin, asked: Asked) -> object:
    policies = hr.analysis.tuned_policies(twin.game.ruleset)
    return [_of_chooser(hr.analysis.PolicyBot(name, 3).choose)(twin, asked) for name in policies]


def _odds(twin: Twin, asked: Asked) -> object:
    """Odds by a number of samples that is reached long before the time is over."""
    action = asked.legal[0] if asked.legal else None
    return attempt(
        lambda: hr.analysis.player_odds(twin.game, twin.player, action, seconds=600, seed=1)
    )


ANSWERS: Mapping[str, Answer] = MappingProxyType(
    {
        "analysis.Bot.choose": _of_chooser(hr.RandomBot(seed=3).choose),
        "analysis.ISMCTSBot.choose": _of_chooser(
            hr.analysis.ISMCTSBot(1, iterations=4, worlds=2, backend="python").choose
        ),
        "analysis.MonteCarloBot.choose": _of_chooser(
            hr.MonteCarloBot(1, rollouts=2, worlds=2, backend="python").choose
        ),
        "analysis.PolicyBot.choose": _by_policies,
        "analysis.RandomBot.choose": _of_chooser(hr.RandomBot(seed=7).choose),
        "analysis.Settler": _settled,
        "analysis.player_odds": _odds,
        "draw.draw": _of_game(lambda game, player: hr.draw.draw(game, player, is_live=True)),
        "draw.drawing": _of_game(
            lambda game, player: (
                hr.draw.drawing(game, player).frame.svg,
                hr.draw.drawing(game, player).parts,
            )
        ),
        "draw.film": _of_game(lambda game, player: hr.draw.film(game, player)),
        "draw.page": _of_game(lambda game, player: hr.draw.page(game, player)),
        "draw.targets_of": _for_each(
            "words", lambda twin, word: sorted(hr.draw.targets_of(twin.game, word, twin.player))
        ),
        "draw.text_board": _of_game(lambda game, player: hr.draw.text_board(game, player)),
        "explain.GameLog": _logged,
        "talk.card": _for_each(
            "words", lambda twin, word: hr.talk.card(twin.game, word, player=twin.player)
        ),
        "talk.cards": _for_each(
            "words", lambda twin, word: hr.talk.cards(twin.game, word, player=twin.player)
        ),
        "talk.ask": _for_each(
            "sentences", lambda twin, words: hr.talk.ask(twin.game, words, twin.player)
        ),
        "explain.find_actions": _of_game(
            lambda game, player: hr.explain.find_actions(game, player=player)
        ),
        "explain.render_board": _of_game(
            lambda game, player: hr.explain.render_board(game, player)
        ),
        "talk.understand": _for_each(
            "sentences", lambda twin, words: repr(_understood(twin, words))
        ),
        "formats.ActionNumbering.legal": _of_game(
            lambda game, player: hr.formats.ActionNumbering(game.ruleset).legal(game, player)
        ),
        "formats.ObservedMoment.dense_vector": lambda twin, _: _vectors(
            twin, lambda moment, number: moment.dense_vector(number).tobytes()
        ),
        "formats.ObservedMoment.vector": lambda twin, _: _vectors(
            twin, lambda moment, number: moment.vector(number)
        ),
        "formats.PackedMoment.codes_of": lambda twin, _: hr.formats.PackedMoment.of(
            twin.game
        ).codes_of(_number(twin)),
        "formats.decision": _of_game(lambda game, player: hr.formats.decision(game, player)),
        "game.Game.ask": _for_each(
            "questions", lambda twin, words: twin.game.ask(words, player=twin.player)
        ),
        "game.Game.draw": _of_game(lambda game, player: game.draw(player, public=True)),
        "game.Game.explain": _of_game(lambda game, player: game.explain(player=player)),
        "game.Game.observed_trace": _of_game(
            lambda game, player: game.observed_trace(player, since=0)
        ),
        "game.Game.play": _for_each("others", _refused),
        "game.Game.preview": _for_each(
            "legal others", lambda twin, text: twin.game.preview(text, twin.player)
        ),
        "game.Game.reasons_against": lambda twin, asked: twin.game.reasons_against(
            asked.codes, player=twin.player
        ),
        "game.Game.undo_limit": _of_game(lambda game, player: game.undo_limit(player)),
        "game.Game.view": _of_game(
            lambda game, player: (game.view(player), game.view(player, since=0))
        ),
        "game.Game.why": _for_each(
            "legal others", lambda twin, text: twin.game.why(text, player=twin.player)
        ),
        "game.Game.why_not": _for_each(
            "legal others", lambda twin, text: twin.game.why_not(text, player=twin.player)
        ),
        "game.Game.worlds": _of_game(
            lambda game, player: [
                (world.seed, world.state.slots) for world in game.worlds(player, 2, "seen")
            ]
        ),
    }
)
"""By its name, each function that answers for a player."""

FOR_SPECTATORS = frozenset({"game.Game.draw", "game.Game.observed_trace", "game.Game.view"})
"""Those that also answer for nobody in particular; without a player the others use the whole game."""

SHOWS_NO_GAME: Mapping[str, str] = MappingProxyType(
    {
        "study.AttributionPlan": "what is played of its own",
        "study.ChangeFigure": "of games that were played for it",
        "study.ChangePlan": "what is played of its own",
        "analysis.playing_policies": "follows from the ruleset",
        "analysis.tuned_policies": "follows from the ruleset",
        "analysis.usual_opponent": "follows from the ruleset",
        "explain.Ruling": "what `why` gives",
        "formats.ActionNumbering.code": "follows from the ruleset",
        "formats.GameBatch": "plays games of its own; a step has the vectors of `formats.ObservedMoment`",
        "formats.GameBatch.of": "plays games of its own",
        "formats.PackedMoment": "a whole game, for the program that plays it",
        "formats.ViewEncoding.player_index": "follows from the ruleset",
        "formats.ViewEncoding.turn_index": "follows from the ruleset",
        "observe.View": "what `view` gives",
        "play.Action": "what the answers are made of",
        "records.commitment": "hides what is given to it",
        "records.commitment_matches": "hides what is given to it",
        "talk.Question": "what `understand` gives",
        "testing.assert_no_leak": "a test",
        "testing.assert_same_answers": "a test",
    }
)
"""Those with such a parameter that no twins are asked for, and why not."""


# ------------------------------------------------------------------ what there is
def functions_for_players() -> frozenset[str]:
    """The names of all public functions, classes and methods that take a player, with their packages."""
    modules = (hr, *(import_module(f"hots_rules.{package}") for package in PACKAGES))
    return frozenset(
        name
        for module in modules
        for value in _public(module)
        for name, function in _callables(value)
        if _takes_player(function)
    )


def _public(module: ModuleType) -> Iterator[object]:
    """What a package exports; of a module that lists nothing, what it defines."""
    listed = getattr(module, "__all__", None)
    for name in vars(module).copy() if listed is None else listed:
        value = getattr(module, name)
        if listed is not None or getattr(value, "__module__", None) == module.__name__:
            yield value


def _callables(value: object) -> Iterator[tuple[str, Callable[..., object]]]:
    """A function, or a class with its public methods, by name."""
    name = getattr(value, "__name__", "_")
    if not callable(value) or name.startswith("_"):
        return
    name = f"{value.__module__.split('.')[1]}.{name}"
    yield name, value
    if inspect.isclass(value):
        for method, function in inspect.getmembers(value, callable):
            if not method.startswith("_"):
                yield f"{name}.{method}", function


def _takes_player(function: Callable[..., object]) -> bool:
    try:
        return bool(NAMES & inspect.signature(function).parameters.keys())
    except (TypeError, ValueError):  # of a class without a signature
        return False
