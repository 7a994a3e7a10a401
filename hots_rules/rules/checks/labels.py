"""What players read and what their choices tell: labels and secrets."""

from __future__ import annotations

import re

from hots_rules.diagnostics import Place
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.checks.secrecy import unknown_in
from hots_rules.rules.editions.merger import LABELLED, SUMMARIZED, TEMPLATES, Labelled, say_key
from hots_rules.rules.resolve.symbols import with_article
from hots_rules.rules.rulebook import name_span
from hots_rules.rules.typed import value_types as types
from hots_rules.syntax import tree


def every_label_names_something(book: CheckContext) -> None:
    """A label gives words to what there is, and speaks of its parameters."""
    for known in book.labels.values():
        for label in known.values():
            if isinstance(label.key, tree.TextKey):
                _check_because(book, label, label.key)
                continue
            first, second, third = label.key.first, label.key.second, label.key.third
            if second is None:
                if first.text not in book.names.owners and not _is_gone(book, first.text):
                    book.names.unknown("a value to label", first, book.names.owners)
            elif label.key.is_value and third is not None:
                _check_value(book, label, first, third)
            elif third is not None:
                _check_summary(book, label, first, second, third)
            elif first.text in TEMPLATES:
                _check_template(book, label, _kind_of(first), second)
            elif first.text == "question" and second.text in book.typed.questions:
                _check_question(book, label, second)
            elif first.text in LABELLED:
                _check_declared(book, first.text, second)
            else:
                kinds = sorted(LABELLED)
                said = f"{', '.join(f'`{kind}`' for kind in kinds[:-1])} or `{kinds[-1]}`"
                book.names.unknown(said, first, kinds)


def _check_because(book: CheckContext, label: Labelled, key: tree.TextKey) -> None:
    """What some clause says that it found, and no name that it does not have."""
    clauses = (clause for action in book.typed.actions.values() for clause in action.clauses)
    known = {one.because.text: one.because for one in clauses if one.because is not None}
    because = known.get(key.said.text)
    if because is None:
        if label.edition == book.edition:
            book.names.unknown("a text of `because` to label", key.said, list(known))
        return
    names = [name for name, _ in because.values]
    for used in re.findall(r"\{(\w*)\}", label.text):
        if used not in names:
            close = book.names.faults.closest_match(used, names)
            book.names.fault(
                "unknown-name",
                f"expected a name that the text of `because` has, got `{{{used}}}`",
                key.span,
                help_=f"did you mean `{{{close}}}`?" if close else _listed(names),
            )


def _check_value(book: CheckContext, label: Labelled, type_: tree.Word, word: tree.Word) -> None:
    """The value of a type that a label gives."""
    found = book.names.named_types.get(type_.text)
    if found is None:
        if not _is_gone(book, type_.text):
            book.names.unknown("a type", type_, book.names.named_types)
    elif (
        isinstance(found, types.WordType)
        and word.text not in found.words
        and label.edition == book.edition
    ):
        book.names.unknown(f"a value of {types.describe(found)}", word, found.words)


def _kind_of(first: tree.Word) -> str:
    return "phase" if first.text == "stage" else first.text


def _is_gone(book: CheckContext, name: str) -> bool:
    return any(entry.name == name for entry in book.repealed)


def _check_declared(book: CheckContext, kind: str, name: tree.Word) -> None:
    """The declaration whose sentence, or whose name, a label gives."""
    kinds = {"type", "table"} if kind == "type" else {kind}
    known = [n for k, n in book.names.entries if k in kinds]
    if kind == "column":
        known = list(book.names.columns)
    if name.text not in known and not _is_gone(book, name.text):
        book.names.unknown(f"{with_article(kind)} to label", name, known)


def _check_summary(
    book: CheckContext, label: Labelled, first: tree.Word, name: tree.Word, third: tree.Word
) -> None:
    if first.text not in SUMMARIZED or third.text != "summary":
        kinds = sorted(SUMMARIZED)
        book.names.fault(
            "unknown-name",
            f"expected a key such as `action {name} summary`, got `{say_key(label.key)}`",
            label.key.span,
            help_=f"a sentence of its own, `summary`, has {' or '.join(f'`{k}`' for k in kinds)}",
        )
    elif (_kind_of(first), name.text) not in book.names.signatures and not _is_gone(
        book, name.text
    ):
        known = [n for k, n in book.names.signatures if k == _kind_of(first)]
        book.names.unknown(f"{with_article(first.text)} to label", name, known)


def _check_template(book: CheckContext, label: Labelled, kind: str, name: tree.Word) -> None:
    signature = book.names.signatures.get((kind, name.text))
    if signature is None:
        if not _is_gone(book, name.text):
            book.names.unknown(
                f"{with_article(kind)} to label",
                name,
                [n for k, n in book.names.signatures if k == kind],
            )
        return
    params = [param.name for param in signature.params]
    for used in re.findall(r"\{(\w*)\}", label.text):
        if used not in params and not (
            _is_amended(book, kind, name.text) and label.edition != book.edition
        ):
            close = book.names.faults.closest_match(used, params)
            book.names.fault(
                "unknown-name",
                f"expected a parameter of the {kind} `{name}` in the label `{say_key(label.key)}`, got `{{{used}}}`",
                label.key.span,
                [Place(signature.span, "declared here")],
                f"did you mean `{{{close}}}`?" if close else _listed(params),
            )


def _check_question(book: CheckContext, label: Labelled, name: tree.Word) -> None:
    """A question in another language has a place for each of its parameters, and for nothing else."""
    names = list(book.typed.questions[name.text].names)
    used = re.findall(r"\{(\w*)\}", label.text)
    if sorted(used) != sorted(names) and label.edition == book.edition:
        node = book.names.entries["question", name.text].node
        book.names.fault(
            "wrong-arguments",
            f"expected each parameter once, in the label `{say_key(label.key)}`",
            label.key.span,
            [Place(name_span(node), "declared here")],
            _listed(names),
        )


def _is_amended(book: CheckContext, kind: str, name: str) -> bool:
    entry = book.names.entries.get((kind, name))
    return entry is not None and entry.previous is not None


def _listed(params: list[str]) -> str:
    return (
        f"write one of {', '.join(f'`{{{p}}}`' for p in params)}"
        if params
        else "it has no parameters"
    )


def no_choice_tells_a_secret(book: CheckContext) -> None:
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
