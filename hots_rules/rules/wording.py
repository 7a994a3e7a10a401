"""What players read and what their choices tell: labels and secrets."""

from __future__ import annotations

import re

from hots_rules.diagnostics import Place
from hots_rules.rules import finite as t
from hots_rules.rules.book import name_span
from hots_rules.rules.checked import Checked
from hots_rules.rules.layers import Labelled, say_key
from hots_rules.rules.secrets import unknown_in
from hots_rules.syntax import tree


def every_label_names_something(book: Checked) -> None:
    """A label gives words to what there is, and speaks of its parameters."""
    for known in book.labels.values():
        for label in known.values():
            first, second = label.key.first, label.key.second
            if second is None:
                if first.text not in book.names.owners and not _is_gone(book, first.text):
                    book.names.unknown("a value to label", first, book.names.owners)
            elif first.text in {"action", "event", "phase"}:
                _check_template(book, label, first.text, second)
            elif first.text in book.names.types:
                found = book.names.types[first.text]
                if (
                    isinstance(found, t.WordType)
                    and second.text not in found.words
                    and label.edition == book.edition
                ):
                    book.names.unknown(f"a value of {t.say(found)}", second, found.words)
            else:
                book.names.unknown(
                    "a type, `action`, `event` or `phase`",
                    first,
                    [*book.names.types, "action", "event", "phase"],
                )


def _is_gone(book: Checked, name: str) -> bool:
    return any(entry.name == name for entry in book.repealed)


def _check_template(book: Checked, label: Labelled, kind: str, name: tree.Word) -> None:
    signature = book.names.signatures.get((kind, name.text))
    if signature is None:
        if not _is_gone(book, name.text):
            book.names.unknown(
                f"an {kind} to label" if kind != "phase" else "a phase to label",
                name,
                [n for k, n in book.names.signatures if k == kind],
            )
        return
    params = [param.name for param in signature.params]
    for used in re.findall(r"\{(\w*)\}", label.text):
        if used not in params and not (
            _is_amended(book, kind, name.text) and label.edition != book.edition
        ):
            close = book.names.faults.near(used, params)
            book.names.fault(
                "unknown-name",
                f"expected a parameter of the {kind} `{name}` in the label `{say_key(label.key)}`, got `{{{used}}}`",
                label.key.span,
                [Place(signature.span, "declared here")],
                f"did you mean `{{{close}}}`?" if close else _listed(params),
            )


def _is_amended(book: Checked, kind: str, name: str) -> bool:
    entry = book.names.entries.get((kind, name))
    return entry is not None and entry.previous is not None


def _listed(params: list[str]) -> str:
    return (
        f"write one of {', '.join(f'`{{{p}}}`' for p in params)}"
        if params
        else "it has no parameters"
    )


def no_choice_tells_a_secret(book: Checked) -> None:
    """Whether an action is legal must not hang on what its player may not know."""
    if any(fault.code in {"recursive-definition", "too-large"} for fault in book.names.faults):
        return  # definitions could lead on without end
    for action, rule, secret in unknown_in(book.typed):
        entries = book.names.entries
        place = name_span(entries.get(("rule", rule), entries["action", action]).node)
        declared = name_span(entries["secret", secret].node)
        book.names.fault(
            "secret-unknown",
            f"expected a condition on what the player of `{action}` knows, got one on another's `{secret}`",
            place,
            [Place(declared, "this is secret")],
            f"ask for `{secret}` of `actor` alone, or decide in the statements of the action",
        )
