"""The command `hots`.

Takes: the arguments of the process, and the public API of the library.
Gives: text for a person or JSON for a program, and an exit code.
Never: uses more than the public API, decides a rule of a game, or shows a traceback.
"""

import sys

EXTRA = frozenset({"typer", "rich", "prompt_toolkit"})


def main() -> int:
    """Run `hots` with the arguments of the process; return its exit code."""
    from hots_rules.cli.streams import open_closed_streams

    open_closed_streams()
    try:
        from hots_rules.cli.app import app
        from hots_rules.cli.exits import run

        return run(app)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        fault = f"the package `{error.name}` is not installed"
        print(f"hots: {fault}; run: pip install 'hots-rules[cli]'", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
