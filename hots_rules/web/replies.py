"""What the game server answers, as JSON objects.

The description of the service, and the client in JavaScript, come from these types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

Value = bool | int | str | None


class RulesetLine(TypedDict):
    """A ruleset with the titles of its scenarios."""

    name: str
    title: str
    scenarios: dict[str, str]


class Setting(TypedDict):
    """An option, or a reading of an unclear rule."""

    name: str
    kind: str
    text: str
    sections: Sequence[str]
    values: Sequence[Value]
    texts: Sequence[str]
    default: Value
    scenarios: Sequence[str]


class BotChoice(TypedDict):
    """A kind of bot, and how it plays."""

    kind: str
    text: str


class RulesetFacts(TypedDict):
    """Who plays a game, which bots can sit there, and what can be chosen about the rules.

    `bots` has the bots that may play a player, by the player; the one that was tuned for the player comes first.
    """

    players: dict[str, str]
    bots: dict[str, Sequence[BotChoice]]
    settings: Sequence[Setting]


class Sentence(TypedDict):
    """A rule by its name, and the sentence that it has."""

    name: str
    text: str


class SectionRules(TypedDict):
    """A section of a rulebook with the sentences of its rules."""

    section: str
    heading: str
    rules: Sequence[Sentence]


class PageWords(TypedDict):
    """The words of the pages in a language."""

    language: str
    languages: Sequence[str]
    words: dict[str, str]
    takes_rulesets: bool


class NewSeats(TypedDict):
    """A game that was begun, with the key of the link of each seat; that of the seat itself, if none is claimed."""

    game: str
    keys: dict[str, str]


class LegalAction(TypedDict):
    """An action that a player may choose now; an outcome of chance has its probability as a fraction."""

    player: str
    name: str
    args: dict[str, str]
    text: str
    code: int
    probability: str | None


class GameOutcome(TypedDict):
    """How a game ended."""

    winner: str | None
    reason: str
    summary: str
    sections: Sequence[str]
    edition: str
    text: str
    winners: Sequence[str]


class Stack(TypedDict):
    """Things that a player cannot tell apart."""

    name: str
    type: str
    count: int
    text: str


class ViewOfSeat(TypedDict):
    """A view in the form `hots_rules/view.v4`, without its log."""

    schema: str
    ruleset: str
    player: str | None
    plays: int
    phase: str
    to_move: Sequence[str]
    outcome: GameOutcome | None
    undo_limit: int
    actions: Sequence[LegalAction]
    state: dict[str, object]
    stacks: Sequence[Stack]
    language: str


class Told(TypedDict):
    """A line of the log: an action, a chance or an event, with its sections."""

    kind: str
    text: str
    sections: Sequence[str]
    edition: str


class Picture(TypedDict):
    """A board in parts: those that differ from the picture `since`, which the asker has, or all of them if it is empty.

    The slots of the frame, and of parts, have the names of the parts that stand there.
    """

    name: str
    frame: str
    height: float
    since: str
    parts: dict[str, str]


class Moment(TypedDict):
    """What a seat saw after a number of plays; the board is a picture in parts if the request names one."""

    plays: int
    phase: str
    board: str
    picture: Picture | None
    facts: str
    log: Sequence[Told]


class SeenGame(TypedDict):
    """All that a seat, or a spectator, sees of a game.

    If the request names a picture, the board is a picture in parts, the facts are left out, and `state` of the view
    has only the variables that differ from those that were told with the picture `since`.
    """

    ruleset: str
    title: str
    players: dict[str, str]
    seat: str | None
    settings: dict[str, Value]
    phase: str
    outcome: str | None
    is_over: bool
    view: ViewOfSeat
    types: dict[str, dict[str, str]]
    sentences: dict[str, str]
    board: str
    picture: Picture | None
    facts: str
    log_since: int
    log: Sequence[Told]


class OddsUntil(TypedDict):
    """Until when odds can be asked for."""

    until: str
    text: str


class OpenQuestion(TypedDict):
    """A player asks the others to go back to the moment after some plays, or offers a draw; who has not answered yet.

    `kind` is `back` or `draw`.
    """

    player: str
    kind: str
    plays: int
    waiting: Sequence[str]


class Doing(TypedDict):
    """What somebody has done that is no action of the game, by its line of the log."""

    number: int
    kind: str
    player: str
    text: str


class ClockTimes(TypedDict):
    """The milliseconds that each player has left now, whose time runs, and whose is out."""

    left: dict[str, int]
    running: Sequence[str]
    days: int
    increment: int


class LostSeat(TypedDict):
    """Somebody asks for another key of the seat of a player, and shows the same code.

    `agreed` is the player who has consented, or empty. It can be answered until an instant, in milliseconds since 1970;
    then whoever asks has the seat, if somebody has consented.
    """

    player: str
    code: str
    asker: str
    agreed: str
    until: int


class Seating(TypedDict):
    """Who has sat down. If seats are not claimed, whoever opened the game has had the keys of all."""

    claims: bool
    claimed: Sequence[str]
    lost: Sequence[LostSeat]


class OpeningFact(TypedDict):
    """How a game was opened, in a sentence; the kinds that begin with `dice` are about the dice."""

    kind: str
    text: str


class State(SeenGame):
    """What a seat sees of a game, and the number of changes of the game, which the next action has to name.

    `sitting` has the players who take part, each with the kind of the bot that sits there; nothing for a person. `bots`
    tells how the bots play.
    `odds` lists until when odds are told; nothing if the game server tells none.
    """

    number: int
    sitting: dict[str, str]
    bots: dict[str, str]
    odds: Sequence[OddsUntil]
    question: OpenQuestion | None
    is_mixing: bool
    """Whether the game has gone back, and waits for the shares of its next seed."""
    clock: ClockTimes | None
    doings: Sequence[Doing]
    seating: Seating
    opening: Sequence[OpeningFact]


class Share(TypedDict):
    """What may be, with its probability."""

    text: str
    share: float


class EstimatedShare(Share):
    """What may be, with its probability and the bounds of that: its 95 % interval, or itself where it is exact."""

    low: float
    high: float


class EstimatedShares(TypedDict):
    """What may become of an entry of the state."""

    text: str
    shares: Sequence[EstimatedShare]


class OddsTold(TypedDict):
    """Odds from the view of a seat: who wins, and what may become of what is known now.

    `worlds` is the number of cases of what the seat does not know, `samples` that of random games, 0 if the odds are
    exact in each case; `assumed` tells how the players choose.
    """

    until: str
    assumed: str
    worlds: int
    exact: bool
    samples: int
    outcomes: Sequence[EstimatedShare]
    changes: Sequence[EstimatedShares]


class Said(TypedDict):
    """What the game server answers to a question."""

    text: str


class Effects(TypedDict):
    """What an action changes for certain, as sentences."""

    effects: Sequence[str]


class FormVariable(TypedDict):
    """A variable that a position sets: the types of its keys, and that of its value or of the members of its set."""

    name: str
    keys: Sequence[str]
    type: str
    is_set: bool


class PositionForm(TypedDict):
    """What can be set in the positions of a ruleset; `choices` has, by type, pairs of a value and its word."""

    variables: Sequence[FormVariable]
    choices: dict[str, Sequence[Sequence[str]]]


class PositionDraft(TypedDict):
    """A position with its faults; without any, `next` tells who is to choose first, and `actions` what.

    `values` has, by variable, the value for each combination of keys; `odds` lists until when odds can be asked for.
    """

    text: str
    faults: Sequence[str]
    board: str
    values: dict[str, dict[str, str]]
    next: str
    actions: Sequence[str]
    odds: Sequence[OddsUntil]


class UploadedRecord(TypedDict):
    """A record that was uploaded, by its name.

    It is kept until an instant, in milliseconds since 1970, unless newer ones need its room before.
    """

    name: str
    until: int


class RecordFacts(TypedDict):
    """What a record is of. Without a seal it may have lost its end."""

    ruleset: str
    title: str
    scenario: str
    players: dict[str, str]
    settings: dict[str, Value]
    plays: int
    outcome: str | None
    is_sealed: bool
    odds: Sequence[OddsUntil]


class UploadFacts(RecordFacts):
    """What an uploaded record is of, and until when it is kept."""

    until: int


class RecordMoment(Moment):
    """What everybody together saw, or one player, after a number of plays of a record."""

    actions: Sequence[str]
    odds: Sequence[OddsUntil]
    position: str


class TriedRuleset(TypedDict):
    """A ruleset that was tried: its faults as text; without any, how `games` random games ended, and its board."""

    faults: str
    title: str
    players: Sequence[str]
    scenario: str
    games: int
    decisions: int
    winners: Sequence[Share]
    board: str


class Film(TypedDict):
    """A game as an animated picture."""

    svg: str


class ChatLine(TypedDict):
    """What a seat has said."""

    player: str
    text: str


class SeatsTold(Seating):
    """Who has sat down, and whose key the request has; `is_link` if it is that of a link, which opens no seat."""

    seat: str | None
    players: dict[str, str]
    is_link: bool
    opening: Sequence[OpeningFact]


class NextGame(TypedDict):
    """The name of the next game between the same seats."""

    game: str


class NewKey(TypedDict):
    """Another key for a seat."""

    key: str


class SharesOfSeed(TypedDict):
    """Who has committed to which share of the seed; the shares and the seed when the game is over.

    The seeds that were mixed later, as all had agreed to go back, are in `later`.
    """

    seat: str | None
    is_begun: bool
    expected: Sequence[str]
    commitments: dict[str, str]
    revealed: Sequence[str]
    secrets: dict[str, str]
    seed: str
    later: Sequence[LaterShares]


class LaterShares(SharesOfSeed):
    """The shares of a seed that holds after a line of the log.

    When the game is over, `plays` tells after how many plays of the record it begins. The seed of a play is the last
    one that begins at no later play.
    """

    line: int
    plays: int | None
