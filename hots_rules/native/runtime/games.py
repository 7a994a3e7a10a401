"""Whole games as restricted Python, as `Machine.run`, `Machine.play` and `simulate` play them.

A batch is played by several calls: each makes so many decisions at most (`BUDGET`), and the next goes on in the
middle of a game. So a caller may stop between two calls. `GAMES` says how many games there are, and `GAME` how many
have ended; they are cells and no arguments, since wasmtime takes longer for arguments than for a short game.

A game has a row with its seed and a state of its own. If `IS_NUMBERED`, all games begin with the first state, their
seeds are made here of a prefix and a number, and of their ends only what is counted is kept, a word for each.
"""

from struct import Struct

from hots_rules.compile.codes import OUTCOME, REASON
from hots_rules.native.runtime import sha512, twister
from hots_rules.native.runtime.chance import DECISION, SEED_CELLS

_NAMES = ("SEED", "SEED_SIZE", "DECISIONS", "ERROR", "DIGEST")
"""What a row has for each game: what it starts with, and what came of it."""
_SIZES = (SEED_CELLS, 1, 1, 1, 1)
ROW = {name: sum(_SIZES[:number]) for number, name in enumerate(_NAMES)}
"""The first cell of each part of a row."""
ROW_CELLS = sum(_SIZES)
_ROW = Struct(f"<{8 * SEED_CELLS}sQ24x")
NUMBERED = 1024
"""The most games whose seeds differ by a number alone that one call plays."""
LEFT_TO_PYTHON = -(1 << 63)
"""How a numbered game ends that only Python can play."""
TOO_MANY_STEPS, NO_ACTION, TOO_MANY_ACTIONS, OUTSIDE_BOUNDS = range(1_000_003, 1_000_007)
"""Faults that stop a game, as numbers in the cell `ERROR`."""
CONSTANTS = {
    **sha512.CONSTANTS,
    **{f"ROW_{name}": place for name, place in ROW.items()},
    "ROW_CELLS": ROW_CELLS,
    "SEED_CELLS": SEED_CELLS,
    "LANES": twister.LANES,
    "NEW_LINE": ord("\n"),
    "LEFT_TO_PYTHON": LEFT_TO_PYTHON,
    "OUTCOME": OUTCOME,
    "REASON": REASON,
    "DECISION": DECISION,
    "TOO_MANY_STEPS": TOO_MANY_STEPS,
    "NO_ACTION": NO_ACTION,
    "TOO_MANY_ACTIONS": TOO_MANY_ACTIONS,
    "OUTSIDE_BOUNDS": OUTSIDE_BOUNDS,
}
CHOOSER_SOURCE = """
def note_chance():
    return

def seed_chooser(game):
    lane = game % LANES
    if lane == 0:
        seed_lanes(game * ROW_CELLS, min(LANES, S[GAMES] - game))
    start_draws(lane)
"""
"""The seeding of the chooser of `simulate`."""
PLAIN_SOURCE = """
def choose_action(choices):
    return choose_below(choices)
"""
PLAY_SOURCE = """
def go_on(block):
    while block >= 0:
        block = run_block(block)  # and the blocks that it calls; a check that fails is looked at later
        if S[STEPS_LEFT] < S[SPENT]:
            S[ERROR] = TOO_MANY_STEPS
            return
    if block == HALT:
        S[SLOTS] = 0
        return
    point = -1 - block
    if point >= POINT_COUNT:
        S[ERROR] = OUTSIDE_BOUNDS
        return
    S[SLOTS] = block
    if KIND[point] != DECISION:
        put_point(point)
        S[IS_WAITING] = S[ERROR] == 0

def resume():
    S[IS_WAITING] = 0
    point = -1 - S[SLOTS]
    S[SLOTS + INTO[point]] = outcome(point)
    if S[ERROR] == 0:
        go_on(AFTER[point])

def advance(block):
    S[STEPS_LEFT] = MAX_STEPS
    go_on(block)
    while S[IS_WAITING]:
        hash_waiting()
        resume()

def action_of(code):
    low = 0
    many = ACTION_COUNT
    while many > 1:  # as many turns for each code, and no branch depends on it
        half = many >> 1
        low = low + half * (BASES[low + half] <= code)
        many = many - half
    return low

def block_of(action, code):
    point = -1 - S[SLOTS]
    waiting = WAITING[point]
    if waiting >= 0:
        player = (code - BASES[action]) // SHARES[action]
        S[SLOTS + waiting] = S[SLOTS + waiting] & ~(1 << player)
    return choose(action, code, AFTER[point])

def play(code):
    advance(block_of(action_of(code), code))

def load_state(game):
    S[ERROR] = 0
    for i in range(0, SLOT_CELLS):
        word = S[STATES + game * SLOT_CELLS + i]
        if word < LOWEST[i] or word > HIGHEST[i]:
            S[ERROR] = OUTSIDE_BOUNDS
            word = LOWEST[i]
        S[SLOTS + i] = word
"""
"""A state from outside, checked, and from one decision to the next."""
SOURCE = """
def play_one():
    choices = list_actions(-1 - S[SLOTS])
    if choices == 0:
        S[ERROR] = NO_ACTION
        return
    if choices > MAX_ACTIONS:
        S[ERROR] = TOO_MANY_ACTIONS
        return
    code = listed(choose_action(choices))
    block = block_of(S[ACTION], code)
    S[DECISIONS] = S[DECISIONS] + 1
    S[STEPS_LEFT] = MAX_STEPS
    go_on(block)

def start_game(game):
    if S[IS_NUMBERED]:
        if game % LANES == 0:
            write_seeds(game)
        if game == 0:
            load_state(0)
            S[FIRST_ERROR] = S[ERROR]
        game = game % LANES
        S[ERROR] = S[FIRST_ERROR]
        for i in range(0, SLOT_CELLS):
            S[SLOTS + i] = S[STATES + i]
    else:
        load_state(game)
    row = game * ROW_CELLS
    for i in range(0, SEED_CELLS):
        S[SEED + i] = S[ROWS + row + i]
    S[SEED_SIZE] = S[ROWS + row + ROW_SEED_SIZE]
    seed_chooser(game)
    S[DECISIONS] = 0
    S[ACTION_DIGEST] = 0
    start_counts()
    S[IS_LIVE] = 1
    S[SPENT] = 0
    if S[ERROR] == 0:
        S[STEPS_LEFT] = MAX_STEPS
        go_on(S[SLOTS])

def write_seeds(game):
    for lane in range(0, LANES):
        for i in range(0, SEED_CELLS):
            S[SEED + i] = S[PREFIX + i]
            S[ROWS + lane * ROW_CELLS + i] = 0
        S[SEED_SIZE] = S[PREFIX_SIZE]
        start_key()
        put_number(S[FIRST_NUMBER] + game + lane)
        put_chunk(NEW_LINE, 1)
        size = S[KEY_SIZE]
        for i in range(0, size + 7 >> 3):
            S[ROWS + lane * ROW_CELLS + i] = S[KEY + i]
        S[ROWS + lane * ROW_CELLS + ROW_SEED_SIZE] = size

def end_game(game):
    S[IS_LIVE] = 0
    S[GAME] = game + 1
    if S[IS_NUMBERED]:
        if S[ERROR]:
            S[ENDS + game] = LEFT_TO_PYTHON
            return
        S[ENDS + game] = S[SLOTS + OUTCOME] << 32 | S[SLOTS + REASON] << 1 | (S[SLOTS] == 0)
        S[ALL_DECISIONS] = S[ALL_DECISIONS] + S[DECISIONS]
        return
    row = game * ROW_CELLS
    for i in range(0, SLOT_CELLS):
        S[STATES + game * SLOT_CELLS + i] = S[SLOTS + i]
    S[ROWS + row + ROW_DECISIONS] = S[DECISIONS]
    S[ROWS + row + ROW_ERROR] = S[ERROR]
    S[ROWS + row + ROW_DIGEST] = S[ACTION_DIGEST]
    end_counts(game)

def play_to_key():
    if S[IS_WAITING]:
        if S[IS_LAST] == 0:
            return 1
        resume()
    decisions = S[BUDGET]
    while S[GAME] < S[GAMES]:
        if S[IS_LIVE] == 0:
            start_game(S[GAME])
        while S[IS_WAITING] == 0 and S[SLOTS] != 0 and S[DECISIONS] < MAX_DECISIONS and S[ERROR] == 0:
            if decisions == 0:
                S[BUDGET] = 0
                return
            decisions = decisions - 1
            play_one()
        if S[IS_WAITING]:
            S[BUDGET] = decisions
            return 1
        end_game(S[GAME])

def batch():
    while play_to_key():
        hash_waiting()
"""


def row_of(seed: str) -> bytes:
    """The row of a game: its seed, and room for what comes of it.

    Raises:
        ValueError: the seed is too long, or no text of UTF-8.
    """
    text = seed.encode()
    if len(text) > sha512.MAX_SEED_BYTES:
        raise ValueError(f"a seed of native games has at most {sha512.MAX_SEED_BYTES} bytes")
    return _ROW.pack(text + b"\n", len(text) + 1)
