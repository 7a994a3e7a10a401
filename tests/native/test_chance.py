"""Chance as an integer program: the bytes of `hashlib`, the numbers of `random.Random` and of the machine."""

from hashlib import blake2b
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hots_rules as hr
from hots_rules.compile.codes import DrawPoint, Slots, bits, dice_rolls
from hots_rules.compile.sampling import chance_digest, sample_dice, sample_draw
from hots_rules.native.batch import NativeGames
from hots_rules.native.cached_code import NativeCode
from hots_rules.native.lowering import program as p
from hots_rules.native.lowering.lower import lower
from hots_rules.native.lowering.read import read_functions
from hots_rules.native.lowering.slots import SlotMap
from hots_rules.native.printing.python import load_python
from hots_rules.native.runtime import chance, games, sha512, twister
from hots_rules.native.runtime.blake2b import IV, blake2b_source
from hots_rules.native.runtime.complete import complete
from tests.native.stepping import PRINTERS, wasm

SET_WORDS = 3
TEXTS = ("", "|levy", " Wallace", " Äcksö", "a text of more than sixteen bytes", "12345678")
DICE = ((1, 2), (4, 6), (10, 2), (16, 2))
ROLL_TABLES = chance.roll_tables([None, None, *DICE])
MEMORY = p.lay_out(
    {
        "SLOTS": 2,
        "ERROR": 1,
        "SOURCE": SET_WORDS,
        "ROWS": twister.LANES * games.ROW_CELLS,
    }
    | twister.ROOMS
    | chance.ROOMS
)
# Point 0 is a draw, point 1 a draw by weight; the key is a text.
RULES = """
def key(point):
    put_text(0)

def number(point):
    return 0

def source(point):
    return count(S[SOURCE]) + count(S[SOURCE + 1]) + count(S[SOURCE + 2])

def note_chance():
    return

def weight(point, member):
    return member * member % 11 * S[SLOTS]
"""
CONSTANTS = {**chance.CONSTANTS, **games.CONSTANTS}
PROGRAM = p.Program(
    read_functions(RULES + chance.chance_source() + twister.twister_source(), MEMORY, CONSTANTS),
    chance.chunk_tables([text.encode() for text in TEXTS])
    | ROLL_TABLES
    | {
        "FRESH_TWISTER": twister.fresh_twister(),
        "BLAKE2B_IV": IV,
        "SHA512_WORDS": sha512.round_words(),
        "KIND": (chance.DRAW, chance.DRAW),
        "WEIGHED": (0, 1),
        "SIDES": (0, 0),
    },
    MEMORY,
)
S, RUN = load_python(PROGRAM)
seeds = st.text(st.characters(codec="utf-8"), max_size=30)


def put(name: str, content: bytes) -> None:
    """Writes bytes into a region, and rubbish after them."""
    region = MEMORY[name]
    padded = content + b"\0" * (-len(content) % 8)
    for i in range(region.room):
        word = padded[8 * i : 8 * i + 8]
        S[region.base + i] = int.from_bytes(word, "little") if word else 0xDEAD


def taken(name: str, size: int) -> bytes:
    """The first bytes of a region."""
    region = MEMORY[name]
    words = S[region.base : region.base + region.room]
    return b"".join(word.to_bytes(8, "little") for word in words)[:size]


def start_key(seed: str) -> None:
    """Begins a key with a seed."""
    put("ROWS", games.row_of(seed))
    put("SEED", taken("ROWS", 8 * chance.SEED_CELLS))
    S[MEMORY["SEED_SIZE"].base] = S[MEMORY["ROWS"].base + games.ROW["SEED_SIZE"]]
    RUN["start_key"](S)


@settings(max_examples=60)
@given(st.binary(max_size=8 * chance.KEY_CELLS))
def test_the_digest_of_a_key_is_that_of_hashlib(key: bytes) -> None:
    put("KEY", key)
    S[MEMORY["KEY_SIZE"].base] = len(key)
    S[MEMORY["HASHED"].base] = S[MEMORY["IS_LAST"].base] = 0
    RUN["hash_key"](S)
    assert blake2b(key).digest() == taken("DIGEST", 64)


@pytest.mark.parametrize("backend", PRINTERS)
def test_machine_code_digests_as_hashlib(backend: str) -> None:
    functions = read_functions(blake2b_source(), MEMORY, CONSTANTS, ["hash_key"])
    program, printer = p.Program(functions, {"BLAKE2B_IV": IV}, MEMORY), PRINTERS[backend]()
    instance = printer.load(printer.compile(program), program).instance()
    cells = instance.memories[0].cast("B")
    for size in (0, 1, 63, 64, 127, 128, 129, 300, 8 * chance.KEY_CELLS):
        key = Random(size).randbytes(size)
        first, digest = 8 * MEMORY["KEY"].base, 8 * MEMORY["DIGEST"].base
        cells[first : first + size] = key
        instance.memories[0][MEMORY["KEY_SIZE"].base] = size
        instance.memories[0][MEMORY["HASHED"].base] = instance.memories[0][
            MEMORY["IS_LAST"].base
        ] = 0
        instance.call("hash_key")
        assert cells[digest : digest + 64].tobytes() == blake2b(key).digest()


parts = st.integers(1 - (1 << 63), (1 << 63) - 1) | st.integers(-99, 99) | st.sampled_from(TEXTS)


@given(seeds, st.lists(parts, max_size=25))
def test_a_key_is_the_seed_and_then_its_texts_and_numbers(
    seed: str, content: list[int | str]
) -> None:
    start_key(seed)
    for part in content:
        if isinstance(part, str):
            RUN["put_text"](S, TEXTS.index(part))
        else:
            RUN["put_number"](S, part & p.FULL)
    meant = f"{seed}\n{''.join(map(str, content))}".encode()
    assert meant == taken("KEY", S[MEMORY["KEY_SIZE"].base])
    assert S[MEMORY["ERROR"].base] == 0


def test_a_key_that_is_too_long_is_a_fault() -> None:
    start_key("seed")
    for _ in range(8 * chance.KEY_CELLS // 33 + 1):
        RUN["put_text"](S, 4)
    assert chance.TOO_LONG_KEY == S[MEMORY["ERROR"].base]
    S[MEMORY["ERROR"].base] = 0


@given(st.sampled_from(range(len(DICE))), st.binary(min_size=64, max_size=64), st.data())
def test_dice_are_those_of_the_machine(kind: int, digest: bytes, data: st.DataObject) -> None:
    most, sides = DICE[kind]
    number = data.draw(st.integers(0, most))
    put("DIGEST", digest)
    code = RUN["sample_dice"](S, ROLL_TABLES["ROLLS"][2 + kind], number, sides)
    assert sample_dice(number, sides, digest) == dice_rolls(most, sides)[code]


def draw_point(mask: int, weights: int) -> DrawPoint:
    """A point that draws from a set, by weight where `weights` is not 0."""

    def weight(slots: Slots, member: int) -> int:
        return member * member % 11 * weights

    return DrawPoint(lambda _: mask, lambda _: "", weight if weights else None, 0, 0)


@given(
    seeds,
    st.sets(st.integers(0, 64 * SET_WORDS - 1), min_size=1),
    st.sampled_from([0, 1, 3, 1 << 31, (1 << 40) + 7]),
)
def test_draws_are_those_of_the_machine(seed: str, members: set[int], weights: int) -> None:
    mask = sum(1 << member for member in members)
    point = draw_point(mask, weights)
    start_key(seed)
    put("SOURCE", mask.to_bytes(8 * SET_WORDS, "little"))
    S[MEMORY["SLOTS"].base] = weights
    RUN["put_point"](S, int(weights > 0))
    RUN["hash_waiting"](S)
    outcome = RUN["outcome"](S, int(weights > 0))
    if weights and not any(member % 11 for member in members):
        assert chance.NOTHING_TO_DRAW == S[MEMORY["ERROR"].base]
        S[MEMORY["ERROR"].base] = 0
    else:
        assert sample_draw([], point, chance_digest(seed, "")) == outcome
        assert outcome in bits(mask)


def draws(seed: str, numbers: list[int]) -> list[int]:
    """What Python's chooser draws below some numbers."""
    chooser = Random(seed)
    return [int(chooser.random() * number) for number in numbers]


@settings(max_examples=20)
def check_choosers(own: list[str], numbers: list[int]) -> None:
    """Choosers with these seeds, seeded together, draw what those of Python draw."""
    put("ROWS", b"".join(map(games.row_of, own)))
    RUN["seed_lanes"](S, 0, len(own))
    for lane, seed in enumerate(own):
        RUN["start_draws"](S, lane)
        assert [RUN["choose_below"](S, n) for n in numbers] == draws(seed, numbers)


@given(
    st.lists(
        seeds | st.text("\0x", max_size=sha512.MAX_SEED_BYTES), min_size=1, max_size=3, unique=True
    ),
    st.lists(st.integers(1, 1 << 31), min_size=1, max_size=40),
)
def test_the_choosers_are_those_of_python(own: list[str], numbers: list[int]) -> None:
    check_choosers(own, numbers)


def test_choosers_that_are_seeded_together_are_those_of_python() -> None:
    own, numbers = [f"ä{lane:02}" for lane in range(twister.LANES)], [1 << 31] * 40
    check_choosers(own, numbers)
    check_choosers(own[:4], [1 << 31] * 700)


def test_the_chooser_goes_round_its_numbers() -> None:
    put("ROWS", games.row_of("7"))
    RUN["seed_lanes"](S, 0, 1)
    RUN["start_draws"](S, 0)
    numbers = [1 << 31] * 750
    assert [RUN["choose_below"](S, n) for n in numbers] == draws("7", numbers)


@pytest.mark.thorough
def test_webassembly_plays_the_same_games_in_two_memories_and_in_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine, backend = hr.load("lords-of-scotland").compiled.default_machine, wasm()
    from hots_rules.native.printing import wasm_pairs

    program = complete(lower(machine, has_runs=True), most_games=8, most_decisions=1000)
    regions = {name: p.Region(part.base, part.room) for name, part in program.memory.items()}
    slots, found = SlotMap(machine.facts, len(machine.blocks)), []
    for memories in (2, 1):
        code = backend.load(backend.compile(program), program)
        assert len(code.instance().memories) == memories
        games = NativeGames(NativeCode(code, regions, slots))
        found.append(games.count(slots.pack(machine.begin("3-players")), "", range(30)))
        monkeypatch.setattr(wasm_pairs, "to_pairs", lambda _: b"no module")
    assert found[0] == found[1]
