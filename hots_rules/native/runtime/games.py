"""Whole games as restricted Python, as `Machine.run`, `Machine.play` and `simulate` play them.

A batch is played by several calls: each makes so many decisions at most (`BUDGET`), and the next goes on in the
middle of a game. So a caller may stop between two calls. `GAMES` says how many games there are, and `GAME` how many
have ended; they are cells and no arguments, since wasmtime takes longer for arguments than for a short game.
"""

from struct import Struct

from hots_rules.native.runtime.chance import DECISION, SEED_CELLS
from hots_rules.native.runtime.twister import LANES, twister_key

TWISTER_KEY_CELLS = SEED_CELLS + 8
"""Cells of the longest key of the chooser: a seed and a SHA-512 digest."""
_NAMES = ("SEED", "SEED_SIZE", "TWISTER_WORDS", "TWISTER_KEY", "DECISIONS", "ERROR", "DIGEST")
"""What a row has for each game: what it starts with, and what came of it."""
_SIZES = (SEED_CELLS, 1, 1, TWISTER_KEY_CELLS, 1, 1, 1)
ROW = {name: sum(_SIZES[:number]) for number, name in enumerate(_NAMES)}
"""The first cell of each part of a row."""
ROW_CELLS = sum(_SIZES)
_ROW = Struct(f"<{8 * SEED_CELLS}sQQ{8 * TWISTER_KEY_CELLS}s24x")
TOO_MANY_STEPS, NO_ACTION, TOO_MANY_ACTIONS, OUTSIDE_BOUNDS = range(1_000_003, 1_000_007)
"""Faults that stop a game, as numbers in the cell `ERROR`."""
CONSTANTS = {
    **{f"ROW_{name}": place for name, place in ROW.items()},
    "ROW_CELLS": ROW_CELLS,
    "SEED_CELLS": SEED_CELLS,
    "LANES": LANES,
    "DECISION": DECISION,
    "TOO_MANY_STEPS": TOO_MANY_STEPS,
    "NO_ACTION": NO_ACTION,
    "TOO_MANY_ACTIONS": TOO_MANY_ACTIONS,
    "OUTSIDE_BOUNDS": OUTSIDE_BOUNDS,
}
CHOOSER_SOURCE = """
def note_chance():
    return

def can_share(game):
    if game + LANES > S[GAMES]:
        return 0
    length = S[ROWS + game * ROW_CELLS + ROW_TWISTER_WORDS]
    for i in range(game + 1, game + LANES):
        if S[ROWS + i * ROW_CELLS + ROW_TWISTER_WORDS] != length:
            return 0
    return 1

def seed_chooser(game):
    lane = game % LANES
    if can_share(game - lane) == 0:
        seed_one(game)
    elif lane == 0:
        seed_lanes(game)
    S[LANE] = lane
    S[TWISTER_AT] = 0
"""
"""The seeding of the chooser of `simulate`."""
PLAIN_SOURCE = """
def choose_action(choices):
    return choose_below(choices)
"""
PLAY_SOURCE = """
def advance(block):
    left = MAX_STEPS
    while 1:
        while block >= 0:
            left = left - STEPS[block]
            if left < S[SPENT]:
                S[ERROR] = TOO_MANY_STEPS
                return
            block = run_block(block)
            if S[ERROR]:
                return
        if block == HALT:
            S[SLOTS] = 0
            return
        point = -1 - block
        if point >= POINT_COUNT:
            S[ERROR] = OUTSIDE_BOUNDS
            return
        S[SLOTS] = block
        if KIND[point] == DECISION:
            return
        S[SLOTS + INTO[point]] = sample(point)
        if S[ERROR]:
            return
        block = AFTER[point]

def action_of(code):
    low = 0
    high = ACTION_COUNT
    while high - low > 1:
        middle = low + high >> 1
        if BASES[middle] <= code:
            low = middle
        else:
            high = middle
    return low

def play(code):
    point = -1 - S[SLOTS]
    action = action_of(code)
    waiting = WAITING[point]
    if waiting >= 0:
        player = (code - BASES[action]) // SHARES[action]
        S[SLOTS + waiting] = S[SLOTS + waiting] & ~(1 << player)
    advance(choose(action, code, AFTER[point]))

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
    choices = legal(-1 - S[SLOTS])
    if choices == 0:
        S[ERROR] = NO_ACTION
        return
    if choices > MAX_ACTIONS:
        S[ERROR] = TOO_MANY_ACTIONS
        return
    play(S[OUT + choose_action(choices)])
    S[DECISIONS] = S[DECISIONS] + 1

def start_game(game):
    row = game * ROW_CELLS
    load_state(game)
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
        advance(S[SLOTS])

def end_game(game):
    row = game * ROW_CELLS
    for i in range(0, SLOT_CELLS):
        S[STATES + game * SLOT_CELLS + i] = S[SLOTS + i]
    S[ROWS + row + ROW_DECISIONS] = S[DECISIONS]
    S[ROWS + row + ROW_ERROR] = S[ERROR]
    S[ROWS + row + ROW_DIGEST] = S[ACTION_DIGEST]
    end_counts(game)
    S[IS_LIVE] = 0
    S[GAME] = game + 1

def batch():
    decisions = S[BUDGET]
    while S[GAME] < S[GAMES]:
        if S[IS_LIVE] == 0:
            start_game(S[GAME])
        while S[SLOTS] != 0 and S[DECISIONS] < MAX_DECISIONS and S[ERROR] == 0:
            if decisions == 0:
                return
            decisions = decisions - 1
            play_one()
        end_game(S[GAME])
"""


def row_of(seed: str) -> bytes:
    """The row of a game: its seed, the key of its chooser, and room for what comes of it.

    Raises:
        ValueError: the seed is too long, or no text of UTF-8.
    """
    text = seed.encode()
    size = len(text) + 1
    if size >= 8 * SEED_CELLS:
        raise ValueError(f"a seed of native games has at most {8 * SEED_CELLS - 2} bytes")
    return _ROW.pack(text + b"\n", size, *twister_key(text))
