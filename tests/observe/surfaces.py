"""What surfaces show to one player, asked of twins: adapters, the tools of assistants, the prompt and the screen."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from types import MappingProxyType

import hots_rules as hr
from hots_rules.cli.prompt.repl import Repl
from hots_rules.cli.prompt.session import Session
from hots_rules.cli.screen.desk import Desk
from hots_rules.cli.screen.seat import Seat
from tests.observe.answers import NAMES, Answer, Asked
from tests.observe.twins import Twin, attempt


# ------------------------------------------------------------------ adapters
def _environment(twin: Twin) -> object:
    """An environment of PettingZoo that stands where the game stands."""
    from hots_rules.adapters import pettingzoo

    game = twin.game
    env = pettingzoo.env(game.ruleset.name, game.scenario, render_mode="ansi")
    env.reset(seed=1)
    env._moment = hr.formats.ObservedMoment.of(game)
    env._select_agent()
    seen = env.observe(twin.player)
    return (
        seen["observation"].tobytes(),
        seen["action_mask"].tobytes(),
        env.action_mask(twin.player).tobytes(),
        env.render() if env.agent_selection == twin.player else "",
    )


def _node(twin: Twin) -> object:
    """A moment as the adapter for OpenSpiel keeps it."""
    from hots_rules.adapters.seats import HistoryNode

    node = HistoryNode.of(twin.moments[0])
    for game in twin.moments[1:]:
        node = node.after(game.moves[-1])
    return node.view(twin.player), node.information_state(twin.player)


def _spiel(twin: Twin) -> object:
    """What the observers and the information states of OpenSpiel give."""
    import pyspiel

    from hots_rules.adapters import open_spiel
    from hots_rules.adapters.seats import HistoryNode

    game = open_spiel.game(twin.game.ruleset.name, twin.game.scenario, recall=4)
    state = game.new_initial_state()
    node = HistoryNode.of(twin.moments[0])
    for moment in twin.moments[1:]:
        node = node.after(moment.moves[-1])
    state._node = node
    number = twin.game.ruleset.players.index(twin.player or "")
    shown: list[object] = [state.information_state_tensor(number)]
    for has_recall in (False, True):
        kind = pyspiel.IIGObservationType(
            perfect_recall=has_recall,
            public_info=True,
            private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
        )
        observer = game.make_py_observer(kind)
        shown.append(observer.string_from(state, number))
        if observer.tensor is not None:
            observer.set_from(state, number)
            shown.append(observer.tensor.tobytes())
    return shown


ADAPTERS: Mapping[str, Callable[[Twin], object]] = MappingProxyType(
    {
        "pettingzoo.AecEnv.action_mask": _environment,
        "pettingzoo.AecEnv.observe": _environment,
        "open_spiel.SpielState.information_state_tensor": _spiel,
        "seats.HistoryNode.information_state": _node,
        "seats.HistoryNode.view": _node,
        "spiel_observer.Observer.set_from": _spiel,
        "spiel_observer.Observer.string_from": _spiel,
    }
)
"""What the adapters give to a player, by the method that gives it."""

ADAPTERS_SHOW_NO_GAME: Mapping[str, str] = MappingProxyType(
    {
        "pettingzoo.AecEnv.action_space": "follows from the ruleset",
        "pettingzoo.AecEnv.observation_space": "follows from the ruleset",
        "seats.HistoryNode.decisions": "whole games, from which the tensor takes what the player saw and chose",
        "seats.SeatedScenario.checked_seat": "follows from the ruleset",
        "seats.SeatedScenario.code": "follows from the ruleset",
        "seats.SeatedScenario.seat": "follows from the ruleset",
    }
)


def methods_for_players() -> frozenset[str]:
    """The public functions and methods of the adapters that take a player."""
    modules = ("pettingzoo", "open_spiel", "seats", "spiel_observer")
    return frozenset(
        f"{module}.{name}" for module in modules for name, function in _functions(module)
        if NAMES & inspect.signature(function).parameters.keys()
    )  # fmt: skip


def _functions(module: str) -> Iterator[tuple[str, Callable[..., object]]]:
    loaded = import_module(f"hots_rules.adapters.{module}")
    for name, defined in vars(loaded).items():
        if name.startswith("_") or getattr(defined, "__module__", "") != loaded.__name__:
            continue
        if inspect.isfunction(defined):
            yield name, defined
        elif inspect.isclass(defined):
            for method, function in vars(defined).items():
                if not method.startswith("_") and inspect.isfunction(function):
                    yield f"{name}.{method}", function


# ------------------------------------------------------------------ assistants
ToolCalls = Callable[[Asked], list[dict[str, object]]]

TOOLS: Mapping[str, ToolCalls] = MappingProxyType(
    {
        "ask": lambda asked: [{"question": words} for words in asked.sentences],
        "ask_editions": lambda asked: [{"question": words} for words in asked.sentences],
        "bot_choice": lambda _: [{"bot": "random"}, {"bot": "monte-carlo:2"}],
        "legal_actions": lambda asked: [{}, *({"words": word} for word in asked.words)],
        "look_up": lambda asked: [{"name": word} for word in asked.words],
        "odds": lambda _: [{}],
        "set_up": lambda asked: [{"actions": list(asked.legal)}],
        "show": lambda _: [{}],
        "why": lambda asked: [{"action": text} for text in (*asked.legal, *asked.others)],
        "why_not": lambda asked: [{"action": text} for text in (*asked.legal, *asked.others)],
    }
)
"""For each tool that is asked about a game, what it is given."""


def tools_about_a_game() -> frozenset[str]:
    """The tools that are asked about a game."""
    from hots_rules.cli.assistant.server import make_server

    tools = asyncio.run(make_server().list_tools())
    return frozenset(tool.name for tool in tools if "game" in tool.input_schema["properties"])


def tool(name: str) -> Answer:
    """The answers of a tool about a game that one player sees."""

    def answers(twin: Twin, asked: Asked) -> object:
        from mcp.server.mcpserver.exceptions import ToolError

        from hots_rules.cli.assistant.server import make_server

        async def called() -> list[str]:
            server = make_server(game=twin.game, player=twin.player)
            texts = []
            for given in TOOLS[name](asked):
                about = {"game": "match", **given}
                if name == "look_up":
                    about["ruleset"] = twin.game.ruleset.name
                try:
                    texts.append(repr(await server.call_tool(name, about)))
                except ToolError as error:
                    texts.append(str(error))
            return texts

        return asyncio.run(called())

    return answers


# ------------------------------------------------------------------ the prompt
AT_THE_PROMPT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ask": ("{name} {question}", "{name} {word}"),
        "as": ("{name} {player}",),
        "board": ("{name}",),
        "bookmark": ("{name} here",),
        "bookmarks": ("{name}",),
        "contents": ("{name}",),
        "depth": ("{name} sentence",),
        "dispute": ("{name} {legal}",),
        "explain": ("{name}", "{name} {legal}", "{name} {other}"),
        "find": ("{name} {word}",),
        "goto": ("{name} nowhere",),
        "help": ("{name}",),
        "is this legal in every edition": ("{name} {legal}",),
        "legal": ("{name}", "{name} {word}"),
        "odds": ("{name}",),
        "play": ("{name} {other}",),
        "position": ("{name}",),
        "preview": ("{name} {legal}", "{name} {other}"),
        "questions": ("{name}",),
        "show": ("{name} {word}",),
        "what does": ("{name} {word} mean",),
        "what if": ("{name} {other}",),
        "why": ("{name} {legal}", "{name} {other}"),
        "why not": ("{name} {legal}", "{name} {other}"),
    }
)
"""For each command of the prompt that tells of the game, lines to type."""

PROMPT_SHOWS_NO_GAME: Mapping[str, str] = MappingProxyType(
    {
        "diff": "tells of rulesets alone",
        "draw": "writes a file; the picture is that of `draw.draw`",
        "like": "begins another game",
        "load": "reads another game",
        "save": "writes the record, which has everything",
        "since which edition": "tells of rulesets alone",
        "start": "begins another game",
        "under": "executes another line under another ruleset",
        "undo": "goes back to what was shown before",
        "what changed about": "tells of rulesets alone",
    }
)


def commands_of_the_prompt() -> frozenset[str]:
    """The names of all commands."""
    game = hr.load("goofspiel-1.0").start("full-hands", seed=1)
    return frozenset(Repl(Session(game))._commands)


def typed(lines: tuple[str, ...], name: str = "") -> Answer:
    """What the prompt prints for lines, while the view is that of the player."""

    def answers(twin: Twin, asked: Asked) -> object:
        words = {
            "name": name,
            "player": twin.player or "",
            "legal": (*asked.legal, "")[0],
            "other": asked.others[0],
            "word": (*asked.words, "somebody")[0],
            "question": (*asked.questions, "")[0],
        }
        session = Session(twin.game)
        session.view_as(twin.player)
        repl, out = Repl(session), StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            for line in lines:
                attempt(lambda line=line: repl.execute(line.format_map(words)))
        return out.getvalue()

    return answers


# ------------------------------------------------------------------ the screen
SCREEN = ("map", "help", "show {word}", "why not {other}", "{sentence}", "where is {word}?")
"""What is entered on the screen; none of it plays an action."""


def screen(twin: Twin, asked: Asked) -> object:
    """What stands on the screen of a player, before and after what is entered, and while it is typed."""
    words = {
        "word": (*asked.words, "somebody")[0],
        "other": asked.others[0],
        "sentence": asked.sentences[0] if asked.sentences else "what",
    }
    desk, shown = Desk(Seat(twin.game, twin.player or "")), list[object]()
    shown.append(desk.rows)
    for line in SCREEN:
        desk.type(line.format_map(words)[:6])
        shown.append(desk.rows)
        desk.type("")
        attempt(lambda line=line: desk.enter(line.format_map(words)))
        shown += [desk.rows, desk.message]
    return shown
