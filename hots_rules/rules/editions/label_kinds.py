"""The first words of a label's key, by what the label gives: a sentence, or a text with parameters."""

SENTENCES = frozenset({"rule", "option", "reading", "scenario"})
TEMPLATES = frozenset({"action", "event", "phase", "stage"})
SUMMARIZED = TEMPLATES - {"event"}


def sentence_key(kind: str, name: str) -> str:
    """The key of the label with the sentence of a declaration: `rule no-peeking`, `phase muster summary`.

    A stage has the labels of a phase.
    """
    labelled_kind = "phase" if kind == "stage" else kind
    return f"{labelled_kind} {name}" + (" summary" if kind in SUMMARIZED else "")
