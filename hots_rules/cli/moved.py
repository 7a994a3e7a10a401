"""Commands of earlier versions, and what does their work now."""

from types import MappingProxyType

MOVED = MappingProxyType(
    {
        name: f"Use `hots {now}`."
        for name, now in {
            "atlas": "diff A B --format site -o DIR",
            "cases": "test FOLDER --ruleset RULESET`, and with `--prove",
            "contents": "show RULESET [SECTION] --sentences",
            "corpus": "export corpus FOLDER RULESET SCENARIO",
            "coverage": "test FOLDER --ruleset RULESET --coverage`, or with `--statements",
            "dispute": "ask FILE",
            "diverge": "replay FILE --under RULESET",
            "explain": "why FILE`, or `hots why FILE --event WORDS",
            "export-wasm": "export wasm RULESET -o DIR",
            "schema": "export schema [FORMAT]`, or `hots export types",
            "tokens": "serve tokens",
            "why-not": "why FILE ACTION",
            "whynot": "why FILE ACTION",
        }.items()
    }
)
"""The remedy for each, as an error has it."""
