"""Many games, one decision at a time, as restricted Python: `step()` goes over all games of a memory.

For each game `CHOICES` has the number of an action, `WAIT`, or `BEGIN` with the number of the game in `NUMBERS`. The
number of an action is its code without its player. Of each game then `SEATS` has who chooses (-1 at the end),
`OUTCOMES` the outcome, `FAULTS` what stopped it; `ENDS`, from its second cell on, says where its actions end in
`LISTED`, and `MARK_ENDS` where its marks end in `VECTORS`. `step` returns before `GAMES` when one of these is full;
`FROM` is the next game.

A game that a fault stops stays as it was: its caller plays on in Python. Loops over games end at a constant, so that
LLVM need not check the indexes of their words.
"""

from __future__ import annotations

from hots_rules.compile.machine import Machine
from hots_rules.native.lowering.program import WORD, Region
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.runtime.chance import SEED_CELLS
from hots_rules.native.runtime.layout import Stepping
from hots_rules.native.runtime.observing import observing_source, row_words
from hots_rules.native.runtime.tables import NumberTables
from hots_rules.native.runtime.tracking import piece_room, piece_words, tracking_source

WAIT, BEGIN = -1, -2
"""What a game does that plays no action: it waits, or another one begins in its place."""
KEPT = 256
"""The legal actions of a game that are kept for the next step; those of one with more are listed again."""
LISTED_PER_GAME = 64
"""How many legal actions there is room for, on average."""
MARKS_PER_GAME = 1024
"""How many marks of sparse vectors there is room for, on average."""
_SOURCE = """
def note_chance():
    if S[IS_TRACKED]:
        track()

def copy_in(game):
    for i in range(0, SLOT_CELLS):
        S[SLOTS + i] = S[STATES + game * SLOT_CELLS + i]
    for i in range(0, TRACK_CELLS):
        S[TRACK + i] = S[TRACKS + game * TRACK_CELLS + i]
    for i in range(0, SEED_CELLS):
        S[SEED + i] = S[SEEDS + game * SEED_CELLS + i]
    S[SEED_SIZE] = S[SEED_SIZES + game]

def copy_out(game):
    for i in range(0, SLOT_CELLS):
        S[STATES + game * SLOT_CELLS + i] = S[SLOTS + i]
    for i in range(0, TRACK_CELLS):
        S[TRACKS + game * TRACK_CELLS + i] = S[TRACK + i]

def begin(game):
    for i in range(0, SEED_CELLS):
        S[SEED + i] = S[PREFIX + i]
    S[SEED_SIZE] = S[PREFIX_SIZE]
    start_key()
    put_number(S[NUMBERS + game])
    put_chunk(10, 1)
    for i in range(0, SEED_CELLS):
        S[SEED + i] = S[KEY + i]
        S[SEEDS + game * SEED_CELLS + i] = S[KEY + i]
    S[SEED_SIZE] = S[KEY_SIZE]
    S[SEED_SIZES + game] = S[KEY_SIZE]
    for i in range(0, SLOT_CELLS):
        S[STATES + game * SLOT_CELLS + i] = S[START + i]
    load_state(game)
    S[IS_TRACKED] = 0
    if S[ERROR] == 0:
        advance(S[SLOTS])
    S[IS_TRACKED] = 1
    start_tracking()

def first_player():
    return first(players(-1 - S[SLOTS]))

def code_of(number, seat):
    low = 0
    high = ACTION_COUNT
    while high - low > 1:
        middle = low + high >> 1
        if FIRST_NUMBERS[middle] <= number:
            low = middle
        else:
            high = middle
    return BASES[low] + seat * SHARES[low] + number - FIRST_NUMBERS[low]

def list_numbers(game, seat):
    choices = legal(-1 - S[SLOTS])
    if choices > MAX_ACTIONS:
        S[ERROR] = TOO_MANY_ACTIONS
        return
    action = 0
    at = S[LISTED_END]
    many = 0
    for i in range(0, choices):
        code = S[OUT + i]
        if code < BASES[action] or code >= BASES[action] + PLAYERS * SHARES[action]:
            action = action_of(code)
        place = code - BASES[action] - seat * SHARES[action]
        if place >= 0 and place < SHARES[action]:
            number = FIRST_NUMBERS[action] + place
            S[LISTED + at + many] = number
            if many < KEPT:
                S[KEPT_NUMBERS + game * KEPT + many] = number
            many = many + 1
    if many == 0:
        S[ERROR] = NO_ACTION
        return
    S[LISTED_END] = at + many
    S[COUNTS + game] = many

def look(game):
    seat = 0 - 1
    if S[SLOTS] < 0:
        seat = first_player()
        list_numbers(game, seat)
    else:
        S[COUNTS + game] = 0
    S[SEATS + game] = seat
    S[OUTCOMES + game] = S[SLOTS + OUTCOME]
    viewer = S[VIEWER]
    if seat < 0:
        viewer = S[LAST_VIEWER]
    elif viewer < 0:
        viewer = seat
    if viewer >= 0:
        observe(game, viewer)
    else:
        unobserved(game)

def look_again(game):
    many = S[COUNTS + game]
    if many > KEPT or IS_SPARSE:
        copy_in(game)
        look(game)
        return
    at = S[LISTED_END]
    for i in range(0, many):
        S[LISTED + at + i] = S[KEPT_NUMBERS + game * KEPT + i]
    S[LISTED_END] = at + many

def step_game(game):
    choice = S[CHOICES + game]
    S[ERROR] = 0
    S[SPENT] = 0
    at = S[LISTED_END]
    marks = S[MARKS]
    if choice == WAIT:
        if S[FAULTS + game] == 0:
            look_again(game)
    else:
        if choice == BEGIN:
            begin(game)
        else:
            copy_in(game)
            play(code_of(choice, S[SEATS + game]))
        if S[ERROR] == 0:
            track()
            look(game)
        S[FAULTS + game] = S[ERROR]
        if S[ERROR]:
            S[LISTED_END] = at
            S[MARKS] = marks
        else:
            copy_out(game)
    S[FAULTY] = S[FAULTY] | S[FAULTS + game]
    S[ENDS + game + 1] = S[LISTED_END]
    S[MARK_ENDS + game + 1] = S[MARKS]

def step():
    S[LISTED_END] = 0
    S[MARKS] = 0
    S[FAULTY] = 0
    for game in range(0, CAPACITY):
        if game >= S[GAMES]:
            return
        if game >= S[FROM]:
            if S[LISTED_END] + MOST_LISTED > LISTED_ROOM or S[MARKS] + MOST_MARKS > MARKS_ROOM:
                return
            step_game(game)
            S[FROM] = game + 1

def is_listed(game, choice):
    many = S[COUNTS + game]
    if many <= KEPT:
        for i in range(0, many):
            if S[KEPT_NUMBERS + game * KEPT + i] == choice:
                return 1
        return 0
    copy_in(game)
    S[ERROR] = 0
    S[LISTED_END] = 0
    list_numbers(game, S[SEATS + game])
    for i in range(0, many):
        if S[LISTED + i] == choice:
            return 1
    return 0

def illegal():
    for game in range(0, CAPACITY):
        if game >= S[GAMES]:
            return 0 - 1
        choice = S[CHOICES + game]
        if choice >= 0 and is_listed(game, choice) == 0:
            return game
    return 0 - 1
"""
_UNOBSERVED = {
    "dense": """
def unobserved(game):
    for i in range(0, ROW_WORDS):
        S[VECTORS + game * ROW_WORDS + i] = 0
""",
    "sparse": "\ndef unobserved(game):\n    return\n",
    "none": "\ndef unobserved(game):\n    return\n",
}


def stepping_source(
    stepping: Stepping, machine: Machine, slots: SlotMap, tables: NumberTables
) -> str:
    """The functions beside those of a ruleset and of chance."""
    layout = stepping.layout
    return (
        tracking_source(layout, machine, slots, tables)
        + observing_source(layout, stepping.form, machine, slots, tables)
        + _UNOBSERVED[stepping.form]
        + _SOURCE
    )


def stepping_rooms(stepping: Stepping, machine: Machine, slots: int, listed: int) -> dict[str, int]:
    """The cells of the regions, for a state of so many cells and lists of at most so many actions."""
    layout, games = stepping.layout, stepping.games
    track = track_cells(stepping, machine)
    pieces = max(map(piece_room, layout.pieces), default=1)
    return {
        **dict.fromkeys(
            (
                "GAMES",
                "FROM",
                "FAULTY",
                "VIEWER",
                "LAST_VIEWER",
                "LISTED_END",
                "MARKS",
                "IS_TRACKED",
            ),
            1,
        ),
        **dict.fromkeys(
            ("CHOICES", "NUMBERS", "SEATS", "OUTCOMES", "FAULTS", "COUNTS"),
            games,
        ),
        **dict.fromkeys(("ENDS", "MARK_ENDS"), games + 1),
        "PREFIX": SEED_CELLS,
        "PREFIX_SIZE": 1,
        "START": slots,
        "STATES": games * slots,
        "SEEDS": games * SEED_CELLS,
        "SEED_SIZES": games,
        "TRACK": max(track, 1),
        "TRACKS": max(games * track, 1),
        **dict.fromkeys(("CHANGED", "LEFT"), -(-pieces // WORD)),
        **dict.fromkeys(("NEW_SEEN", "NEW_NAMED", "OLD"), pieces),
        "KEPT_NUMBERS": games * KEPT,
        "LISTED": max(games * LISTED_PER_GAME, 2 * listed),
        "VECTORS": _vector_room(stepping),
    }


def _vector_room(stepping: Stepping) -> int:
    if stepping.form == "dense":
        return stepping.games * row_words(stepping.layout)
    if stepping.form == "sparse":
        return max(stepping.games * MARKS_PER_GAME, 2 * stepping.layout.size)
    return 1


def track_cells(stepping: Stepping, machine: Machine) -> int:
    """How many words the stacks of all players take."""
    return machine.player_count * sum(piece_words(part) for part in stepping.layout.pieces)


def stepping_constants(
    stepping: Stepping, machine: Machine, memory: dict[str, Region]
) -> dict[str, int]:
    """The constants beside those of chance and of games."""
    is_sparse = stepping.form == "sparse"
    return {
        "WAIT": WAIT,
        "BEGIN": BEGIN,
        "CAPACITY": stepping.games,
        "KEPT": KEPT,
        "PLAYERS": machine.player_count,
        "OUTCOME": 1,
        "IS_SPARSE": int(is_sparse),
        "ROW_WORDS": row_words(stepping.layout),
        "TRACK_CELLS": track_cells(stepping, machine),
        "MOST_LISTED": memory["OUT"].room,
        "LISTED_ROOM": memory["LISTED"].room,
        "MOST_MARKS": stepping.layout.size if is_sparse else 0,
        "MARKS_ROOM": memory["VECTORS"].room,
    }


def first_numbers(machine: Machine) -> tuple[int, ...]:
    """The number of the first action of each name."""
    return tuple(base // machine.player_count for base in machine.bases) or (0,)
