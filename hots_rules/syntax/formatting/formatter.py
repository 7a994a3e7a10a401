"""The text of rulesets in the one form that the formatter gives it."""

from __future__ import annotations

from hots_rules._text import composed, plain_text
from hots_rules.diagnostics import EngineError, Fault
from hots_rules.syntax.comments import comments_of
from hots_rules.syntax.formatting.layout import LineLayout
from hots_rules.syntax.grammar import grammar
from hots_rules.syntax.parse import parse


def format_text(text: str, file: str) -> tuple[str, tuple[Fault, ...]]:
    """A text in standard form, and its faults; a text with a fault is only made plain.

    Raises:
        EngineError: the formatter would change what the text declares.
    """
    text = plain_text(text)
    tree, faults = parse(text, file)
    if faults:
        return text, faults
    source = f"\n{composed(text)}"
    layout = LineLayout(comments_of(source))
    layout.add(grammar(keep_all_tokens=True).parse(f"{source}\n", start="file"))
    formatted = "".join(f"{line}\n" for line in layout.text())
    if parse(formatted, file) != (tree, ()):
        raise EngineError(f"the formatter would change what `{file}` declares")
    return formatted, ()
