"""Memory between two pages that can be neither read nor written.

Code that leaves it stops the process, and harms nothing.
"""

from __future__ import annotations

import ctypes
import mmap
import sys

from attrs import field, frozen

_UNREADABLE = 0  # PROT_NONE
_NO_ACCESS = 1  # PAGE_NOACCESS
MEMORIES = 4
"""How many memories of a program play their games in turns."""


def memory_step(cells: int) -> int:
    """How far one of several memories of so many cells lies behind the one before.

    Cells of the same number are in different lines of the processor's cache.
    """
    return (cells | 511) + 137


@frozen(eq=False)
class GuardedMemory:
    """`count` zeroed words; the last one borders an unreadable page.

    >>> from hots_rules.native.printing.guarded_memory import GuardedMemory
    >>> GuardedMemory(3).words.tolist()
    [0, 0, 0]

    Raises:
        OSError: the system does not protect the pages.
    """

    count: int
    address: int = field(init=False)
    words: memoryview = field(init=False)
    _pages: mmap.mmap = field(init=False)

    def __attrs_post_init__(self) -> None:
        size = mmap.PAGESIZE
        room = -(-8 * self.count // size) * size
        pages = mmap.mmap(-1, room + 2 * size)
        start = ctypes.addressof(ctypes.c_char.from_buffer(pages))
        _protect(start, size)
        _protect(start + size + room, size)
        first = size + room - 8 * self.count
        object.__setattr__(self, "_pages", pages)
        object.__setattr__(self, "address", start + first)
        object.__setattr__(self, "words", memoryview(pages)[first : size + room].cast("q"))


def _protect(address: int, size: int) -> None:
    """Makes pages unreadable."""
    place, room = ctypes.c_void_p(address), ctypes.c_size_t(size)
    if sys.platform == "win32":
        is_done = ctypes.windll.kernel32.VirtualProtect(
            place, room, _NO_ACCESS, ctypes.byref(ctypes.c_ulong())
        )
    else:
        is_done = not ctypes.CDLL(None, use_errno=True).mprotect(place, room, _UNREADABLE)
    if not is_done:
        raise OSError(
            ctypes.get_errno(), "the pages around the memory of native code stay readable"
        )
