"""What a back end gives: machine code as bytes, and copies of a program that run on memories of their own."""

from __future__ import annotations

from typing import Protocol

from hots_rules.native.lowering import program as p


class NativeFault(RuntimeError):
    """Machine code stopped where the integer program does not: its caller plays the games in Python."""


class Instance(Protocol):
    """A program with memories of its own. One thread at a time uses it."""

    @property
    def memories(self) -> tuple[memoryview, ...]:
        """The cells, as numbers with signs; they can be written to.

        Where there are several memories, the function `batch` plays the games of all of them. Others use the first.
        """

    def call(self, function: str, *words: int) -> int:
        """What an exported function returns; the interpreter is free while it runs.

        Raises:
            NativeFault: the code stopped.
        """


class Code(Protocol):
    """Loaded machine code. Threads may share it."""

    def instance(self) -> Instance:
        """The program with a new memory of zeros."""


class Backend(Protocol):
    """A printer with its compiler."""

    @property
    def name(self) -> str:
        """The name by which users choose it."""

    @property
    def version(self) -> str:
        """The version of the compiler and the processor; other code cannot be loaded."""

    def compile(self, program: p.Program) -> bytes:
        """The machine code of a program."""

    def load(self, code: bytes, program: p.Program) -> Code:
        """The code of a program, as `compile` gave it in this version. Load only what you trust.

        Raises:
            NativeFault: the code is of another version or processor.
        """
