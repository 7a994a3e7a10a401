"""Making the record of a game, and games in which each outcome of chance is an action."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import TypeVar, cast

from attrs import evolve

from hots_rules._version import __version__
from hots_rules.compile.codes import OUTCOME, POINT, winners_text
from hots_rules.compile.sampling import RNG
from hots_rules.diagnostics import BadArgument, BadRecord, check_kind
from hots_rules.play.game import AnyRuleset, BaseGame, G
from hots_rules.play.notation import CHANCE, outcome_at
from hots_rules.play.restart import begin_as
from hots_rules.play.settings import Setting, SettingValue
from hots_rules.records.body import Entry
from hots_rules.records.hash_chain import SHORT_DIGEST, HashChain, first_digest
from hots_rules.records.record import Record
from hots_rules.records.ruleset_texts import keep_texts, pack
from hots_rules.state.position import position_text

T = TypeVar("T")


def format_choice(value: object) -> str:
    """The value of an option or a reading as text.

    >>> format_choice(True), format_choice(None), format_choice(3)
    ('yes', 'none', '3')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def kept_choices(
    choices: Mapping[str, T], settings: Mapping[str, Setting]
) -> tuple[dict[str, T], dict[str, T]]:
    """The choices that some settings allow, then the others; a choice is a value or the text of one."""
    kept: dict[str, T] = {}
    lost: dict[str, T] = {}
    for name, value in choices.items():
        allowed = map(format_choice, settings[name].values) if name in settings else ()
        (kept if format_choice(value) in allowed else lost)[name] = value
    return kept, lost


def parse_choices(choices: Mapping[str, str], ruleset: AnyRuleset) -> dict[str, SettingValue]:
    """The values of some options or readings; an unknown text is left as it is, for the ruleset to refuse."""
    values: dict[str, SettingValue] = {}
    for name, text in choices.items():
        setting = ruleset.settings.get(name)
        candidates = setting.values if setting is not None else ()
        values[name] = next((value for value in candidates if format_choice(value) == text), text)
    return values


def record_game(game: BaseGame, *, texts: bool = False) -> Record:
    """The record of a game; `hots_rules.replay` is the inverse.

    Args:
        game: the game at any moment.
        texts: whether to store the texts of the ruleset in the record, so that it can always be replayed.

    Raises:
        BadRecord: the game is a sampled world.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> game = game.play(game.actions[0])
    >>> record = hr.records.record_game(game, texts=True)
    >>> hr.replay(record) == game
    True
    """
    check_kind("game", game, BaseGame, "a game")
    if game.root is not None:
        raise BadRecord("cannot record a sampled world; record the game it was sampled from")
    head = Record(
        game.ruleset.name,
        game.ruleset.content_hash,
        __version__,
        RNG,
        game.seed,
        game.chance,
        "" if game.initial_position is not None else game.scenario,
        game.initial_position,
        {name: format_choice(value) for name, value in game.options.items()},
        {name: format_choice(value) for name, value in game.readings.items()},
        texts=pack(game.ruleset.source) if texts else "",
    )
    return with_actions(head, game)


def save_game(game: BaseGame, path: str | PathLike[str], *, texts: bool = False) -> None:
    """Write the record of a game to a file, completely or not at all.

    The texts of the ruleset are kept in the cache folder as well, for `content="pinned"`.

    Raises:
        OSError: the file cannot be written; its old content is unchanged.
    """
    record_game(game, texts=texts).write(path)
    keep_texts(game.ruleset)


def with_actions(head: Record, game: BaseGame) -> Record:
    """A record with the actions, digests and seal of a game, under a given head."""
    start = initial_game(game)
    chain = chain_at_start(head, start)
    entries = tuple(chained_entries(chain, start, game))
    return evolve(head, entries=entries, seal=chain.last)


def chain_at_start(head: Record, start: BaseGame) -> HashChain:
    """The chain of a record before the first action of its game."""
    return HashChain(start.ruleset.schema, first_digest(head, position_text(start.state)))


def seals_of(game: BaseGame) -> list[str]:
    """The seal of the record of a game before its first action, and after each."""
    start = initial_game(game)
    chain = chain_at_start(record_game(start), start)
    seals = [chain.last]
    for _ in chained_entries(chain, start, game):  # each moves the chain on
        seals.append(chain.last)
    return seals


def chained_entries(chain: HashChain, before: BaseGame, after: BaseGame) -> Iterator[Entry]:
    """The actions between two moments of a game; each is appended to the chain."""
    machine, seed = after.machine, after.chance_seed
    slots = before.state.slots
    for code in after.moves[len(before.moves) :]:
        new = list(slots)
        machine.move(new, code, seed)
        yield chained_entry(chain, after, code, slots, new)
        slots = tuple(new)


def chained_entry(
    chain: HashChain, game: BaseGame, code: int, before: Sequence[int], after: Sequence[int]
) -> Entry:
    """The action with a code, from one packed state of a game to the next; it is appended to the chain."""
    text = _action_text(game, before, code)
    digest = chain.add(text, before, after, _continuation(game, after))
    return Entry(text, digest[:SHORT_DIGEST])


def _action_text(game: BaseGame, slots: Sequence[int], code: int) -> str:
    """The text of an action; in the exact notation if its label is ambiguous at that moment."""
    machine, notation = game.machine, game.ruleset.in_language("en").notation
    if code < 0:
        return outcome_at(machine, list(slots), notation, -1 - code)
    homonyms = notation.homonyms(code)
    is_ambiguous = bool(homonyms) and not homonyms.isdisjoint(machine.legal(list(slots)))
    return notation.exact(code) if is_ambiguous else notation.text(code)


def _continuation(game: BaseGame, slots: Sequence[int]) -> str:
    """The phase of the next decision, or how the game ended: who won, else the code of its outcome."""
    if slots[POINT] < 0:
        return game.machine.facts.points[-1 - slots[POINT]].phase
    winners = game.machine.facts.winners(slots[OUTCOME])
    return f"over {winners_text(winners) if winners else slots[OUTCOME]}"


def initial_game(game: G) -> G:
    """The game before its first action."""
    return cast("G", begin_as(game, game.ruleset, game.options, game.readings))


def with_explicit_chance(game: G) -> G:
    """The same game with `chance="ask"`: each outcome so far is an action of its own.

    Raises:
        BadRecord: the game is a sampled world.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297)
    >>> explicit = hr.records.with_explicit_chance(game)
    >>> explicit.chance, explicit.position == game.position
    ('ask', True)
    """
    check_kind("game", game, BaseGame, "a game")
    if game.chance == "ask":
        return game
    actions = [entry.text for entry in record_game(game).entries]
    explicit = initial_game(evolve(game, chance="ask"))
    for later in play_with_outcomes(explicit, actions, ()):
        explicit = later
    return explicit


def play_with_outcomes(game: G, actions: Iterable[str], outcomes: Iterable[str]) -> Iterator[G]:
    """The game after each of some actions and of the chance points that follow them.

    Args:
        game: a game with `chance="ask"`.
        actions: the actions, in order.
        outcomes: the outcomes of the chance points, in order, such as `roll 2 4 5` or `draw Fox`. When there are no
            more of them, the seed of the game decides.

    Raises:
        IllegalAction: an action is not legal, or an outcome is not possible.
        UnreadableAction: a text is not an action or an outcome.
        BadArgument: there are more outcomes than chance points.

    >>> import hots_rules as hr
    >>> game = hr.load("hots-4.0").start("braveheart", seed=1297, chance="ask")
    >>> games = list(hr.records.play_with_outcomes(game, [], []))
    >>> games[-1].to_move == ("chance",)
    False
    """
    check_kind("game", game, BaseGame, "a game")
    remaining = list(outcomes)
    for action in (*actions, None):
        while game.to_move == (CHANCE,):
            outcome = (
                f"{CHANCE}: {remaining.pop(0)}" if remaining else game.sample_chance(game.seed)
            )
            game = game.play(outcome)
            yield game
        if action is not None:
            game = game.play(action)
            yield game
    if remaining:
        raise BadArgument("outcome", remaining[0], "none: there are no more chance points")
