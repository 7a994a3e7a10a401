"""The first words of a label's key, by what the label gives: a sentence, or a text with parameters."""

SENTENCES = frozenset({"rule", "option", "reading", "scenario"})
TEMPLATES = frozenset({"action", "event", "phase", "stage"})
SUMMARIZED = TEMPLATES - {"event"}
