"""The command `hots`.

Takes: what is typed, and what the front door of the library offers.
Gives: text for a person or JSON for a program, and an exit code.
Never: looks behind the front door, decides anything about a game, or shows a traceback.
"""

import sys

EXTRA = frozenset({"typer", "rich", "prompt_toolkit"})


def main() -> int:
    """Runs `hots` with the arguments of the process; the exit code."""
    try:
        from hots_rules.cli.app import app
        from hots_rules.cli.exits import run

        return run(app)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        missing = f"expected the package `{error.name}`, which the extra `cli` brings"
        print(f"hots: {missing}: pip install 'hots-rules[cli]'", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
