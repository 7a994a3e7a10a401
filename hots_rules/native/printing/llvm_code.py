"""Machine code through LLVM and llvmlite."""

from __future__ import annotations

import ctypes

import llvmlite
import llvmlite.binding as llvm
from attrs import field, frozen

from hots_rules.native.lowering import program as p
from hots_rules.native.printing.guarded_memory import MEMORIES, GuardedMemory, memory_step

_LEVEL = 2  # of optimisation
_INLINED = 10  # LLVM's measure of the largest function that is inlined; more takes longer to compile and gains nothing
_SMALL = 64  # functions of a program whose loops are not unrolled


@frozen
class LlvmBackend:
    """Machine code by LLVM: the fastest, and slow to compile. Indexes that are not proven are checked.

    >>> from hots_rules.native.lowering import program as p
    >>> from hots_rules.native.printing.llvm_code import LlvmBackend
    >>> double = p.Function("double", ("x",), (p.Return(p.Binary("add", p.Local("x"), p.Local("x"))),), True)
    >>> program = p.Program((double,), {}, p.lay_out({"SLOTS": 1, "ERROR": 1}))
    >>> backend = LlvmBackend()
    >>> backend.load(backend.compile(program), program).instance().call("double", 21)
    42

    Attributes:
        is_checked: whether an index is checked that is not proven to lie within its cells.
        level: how far LLVM optimises, 0 to 3.
        is_portable: whether the code uses only what all processors of this kind have.
    """

    is_checked: bool = True
    level: int = _LEVEL
    is_portable: bool = False
    name: str = field(default="llvm", init=False)
    version: str = field(init=False)

    @version.default
    def _version(self) -> str:
        processor = f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"
        return (
            f"{llvmlite.__version__} {processor} {self.is_checked} {self.level} {self.is_portable}"
        )

    def compile(self, program: p.Program) -> bytes:
        """See `Backend.compile`."""
        # Late imports: kept code needs no printer.
        from hots_rules.native.printing.llvm import to_llvm
        from hots_rules.native.printing.llvm_instructions import writers

        processor, features = _processor(self.is_portable)
        target = _target(self.level, self.is_portable)
        names = {function.name for function in program.functions}
        memories = MEMORIES if {"batch", "next_block"} <= names else 1
        own = writers(features, processor, memories)
        module = llvm.parse_assembly(to_llvm(program, is_checked=self.is_checked, writers=own))
        module.verify()
        if self.level:
            # In games the passes of level 1 gain as much as those of level 2, in two thirds of the time.
            tuning = llvm.create_pipeline_tuning_options(speed_level=min(self.level, 1))
            tuning.inlining_threshold = _INLINED
            # Most loops of a small program are those over lanes, where it gains nothing.
            tuning.loop_unrolling = len(program.functions) > _SMALL
            tuning.loop_interleaving = False  # takes longer to compile too: loops are short
            builder = llvm.create_pass_builder(target, tuning)
            builder.getModulePassManager().run(module, builder)
        exported = " ".join(function.name for function in program.functions if function.is_exported)
        return f"{memories} {exported}\n".encode() + bytes(target.emit_object(module))

    def load(self, code: bytes, program: p.Program) -> LlvmCode:
        """See `Backend.load`."""
        # JITLink lays code and tables next to each other, as the small model needs it.
        engine = llvm.create_lljit_compiler(
            _target(self.level, self.is_portable), use_jit_link=True
        )
        exported, _, binary = code.partition(b"\n")
        library = llvm.JITLibraryBuilder().add_object_img(binary).add_current_process()
        memories, *names = exported.decode().split()
        for name in names:
            library.export_symbol(name)
        return LlvmCode(library.link(engine, "program"), program.cells, int(memories))


def _processor(is_portable: bool) -> tuple[str, llvm.FeatureMap]:
    """The name and the features of the processor at hand, or none."""
    if is_portable:
        return "", llvm.FeatureMap()
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features()


def _target(level: int, is_portable: bool) -> llvm.TargetMachine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    processor, features = _processor(is_portable)
    return llvm.Target.from_default_triple().create_target_machine(
        opt=level,
        cpu=processor,
        features=features.flatten(),
        reloc="pic",
        codemodel="small",  # calls and tables by short distances: the large one of MCJIT costs 2 to 5 %
    )


@frozen
class LlvmCode:
    """A module in memory; see `Code`."""

    _linked: llvm.ResourceTracker
    _cells: int
    _memories: int

    def instance(self) -> LlvmInstance:
        """See `Code.instance`."""
        step = memory_step(self._cells)
        guarded = GuardedMemory((self._memories - 1) * step + self._cells)
        starts = range(0, self._memories * step, step)
        memories = tuple(guarded.words[start : start + self._cells] for start in starts)
        return LlvmInstance(self._linked, guarded, memories)


@frozen
class LlvmInstance:
    """Functions on guarded memory; see `Instance`."""

    _linked: llvm.ResourceTracker
    _guarded: GuardedMemory
    memories: tuple[memoryview, ...]

    def call(self, function: str, *words: int) -> int:
        """See `Instance.call`."""
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, *[ctypes.c_int64] * len(words))
        return int(kind(self._linked[function])(self._guarded.address, *words))
