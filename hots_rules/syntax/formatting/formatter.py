"""The text of rulesets in the one form that the formatter gives it."""

from __future__ import annotations

from hots_rules.diagnostics import EngineError, Fault
from hots_rules.syntax.comments import comments_of
from hots_rules.syntax.formatting.layout import Layout
from hots_rules.syntax.grammar import grammar
from hots_rules.syntax.parse import parse


def format_text(text: str, file: str) -> tuple[str, tuple[Fault, ...]]:
    """A text with its lines set anew, and its faults; a text with a fault stays as it is.

    Raises:
        EngineError: the formatter would change what the text declares.
    """
    source = "\n" + text.replace("\r\n", "\n")
    tree, faults = parse(source[1:], file)
    if faults:
        return text, faults
    layout = Layout(comments_of(source))
    layout.add(grammar(keep_all_tokens=True).parse(f"{source}\n", start="file"))
    formatted = "".join(f"{line}\n" for line in layout.text())
    if parse(formatted, file) != (tree, ()):
        raise EngineError(f"the formatter would change what `{file}` declares")
    return formatted, ()
