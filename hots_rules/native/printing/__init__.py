"""Printers of an integer program: Python, WebAssembly, LLVM."""
