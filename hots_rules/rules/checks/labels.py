"""Checks of labels: each translates something that exists, with its parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hots_rules.diagnostics import Edit, Fix, RelatedPlace, Span
from hots_rules.rules.checks.context import CheckContext
from hots_rules.rules.editions.label_kinds import SUMMARIZED, TEMPLATES
from hots_rules.rules.editions.labels import EditionLabel, written_key
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.wording import alternatives, placeholders, with_article
from hots_rules.syntax import tree


def every_label_names_something(context: CheckContext) -> None:
    """A label is for a declaration or a value, and names only its parameters."""
    for labels in context.labels.values():
        for label in labels.values():
            match label.key:
                case tree.TextKey():
                    _check_because(context, label, label.key.text)
                case tree.ValueKey():
                    _check_value(context, label, label.key)
                case tree.DeclarationKey():
                    _check_declaration(context, label, label.key)


def _check_declaration(
    context: CheckContext, label: EditionLabel, key: tree.DeclarationKey
) -> None:
    if key.summary is not None:
        _check_summary(context, key)
    elif key.kind.text in TEMPLATES:
        _check_template(context, label, key)
    elif key.kind.text == "question" and key.name.text in context.typed.questions:
        _check_question(context, label, key)
    else:
        _check_declared(context, key.kind.text, key.name)


def _check_product(context: CheckContext, label: EditionLabel, name: tree.Word) -> None:
    """The label of the words of a product has only names of its parts in braces."""
    table = context.symbols.tables.get(name.text)
    parts = list(table.columns) if table is not None else []
    for used in placeholders(label.text):
        if used not in parts:
            headline = f"the product `{name}` has no part `{{{used}}}`"
            if parts:
                _unknown_placeholder(context, label, headline, used, parts)
                continue
            whole = context.symbols.products[name.text].params
            named = ", ".join(f"part_{number}: {part}" for number, part in enumerate(whole, 1))
            remedy = f"name its parts where it is declared, as in `{name}({named})`"
            context.symbols.fault("unknown-name", headline, label.key.span, (), remedy)


def _check_because(context: CheckContext, label: EditionLabel, key: tree.Word) -> None:
    """The label is for the text of a clause, and uses only names of that text."""
    names = context.sentences.get(key.text)
    if names is None:
        if label.edition == context.edition:
            context.symbols.unknown("a text of `because` to label", key, context.sentences)
        return
    for used in placeholders(label.text):
        if used not in names:
            headline = f"the text of `because` has no name `{{{used}}}`"
            _unknown_placeholder(context, label, headline, used, sorted(names))


def _unknown_placeholder(
    context: CheckContext,
    label: EditionLabel,
    headline: str,
    used: str,
    names: list[str],
    related: Sequence[RelatedPlace] = (),
) -> None:
    near = context.symbols.faults.suggest(used, names)
    fixes = [_renamed(label, used, name) for name in near.candidates or names]
    remedy = near.spelled("{{{}}}".format).help(_listed(names))
    context.symbols.fault(
        "unknown-name",
        headline,
        label.key.span,
        related,
        remedy,
        [fix for fix in fixes if fix is not None],
    )


def _renamed(label: EditionLabel, used: str, name: str) -> Fix | None:
    """Another name in the braces of a label; None where its text is written over several lines."""
    span, written = label.span, f"{{{used}}}"
    if span.line != span.end_line or span.end_column - span.column != len(label.text) + len('""'):
        return None
    edits = []
    for match in re.finditer(re.escape(written), label.text):
        column = span.column + 1 + match.start()
        place = Span(span.file, span.line, column, span.line, column + len(written))
        edits.append(Edit(place, f"{{{name}}}"))
    return Fix(f"write `{{{name}}}`", edits) if edits else None


def _check_value(context: CheckContext, label: EditionLabel, key: tree.ValueKey) -> None:
    """The value that the label translates exists, in the type that the key names."""
    name, word = key.type, key.name
    if name is None:
        owners = context.symbols.owners
        if word.text in context.symbols.products:
            _check_product(context, label, word)
        elif word.text not in owners and not _is_repealed(context, word.text):
            context.symbols.unknown("a value to label", word, owners)
        return
    type_ = context.symbols.named_types.get(name.text)
    if type_ is None:
        if not _is_repealed(context, name.text):
            context.symbols.unknown("a type", name, context.symbols.named_types)
    elif (
        isinstance(type_, types.WordType)
        and word.text not in type_.words
        and label.edition == context.edition
    ):
        context.symbols.unknown(f"a value of {types.describe(type_)}", word, type_.words)


def _signature_kind(kind: tree.Word) -> str:
    """The kind under which the signature of a declaration is known: a stage is a phase."""
    return "phase" if kind.text == "stage" else kind.text


def _is_repealed(context: CheckContext, name: str) -> bool:
    return any(entry.name == name for entry in context.repealed)


def _check_declared(context: CheckContext, kind: str, name: tree.Word) -> None:
    """The declaration whose sentence or name the label translates exists."""
    entries, columns = context.symbols.entries, context.symbols.columns
    kinds = ("type", "table") if kind == "type" else (kind,)
    is_column = kind == "column" and name.text in columns
    # Of a type of products, each kind of value has a name of its own: "a tile of Ben".
    is_product = kind == "type" and name.text in context.symbols.products
    is_declared = is_column or is_product or any((kind, name.text) in entries for kind in kinds)
    if not is_declared and not _is_repealed(context, name.text):
        names = list(columns) if kind == "column" else [n for k, n in entries if k in kinds]
        context.symbols.unknown(f"{with_article(kind)} to label", name, names)


def _check_summary(context: CheckContext, key: tree.DeclarationKey) -> None:
    name, kind = key.name, _signature_kind(key.kind)
    if key.kind.text not in SUMMARIZED:
        context.symbols.fault(
            "unknown-name",
            f"expected a key such as `action {name} summary`, got `{written_key(key)}`",
            key.span,
            help_=f"a `summary` belongs to {alternatives(sorted(SUMMARIZED))}",
        )
    elif (kind, name.text) not in context.symbols.signatures and not _is_repealed(
        context, name.text
    ):
        names = list(context.symbols.names_of_kind(kind))
        context.symbols.unknown(f"{with_article(key.kind.text)} to label", name, names)


def _check_template(context: CheckContext, label: EditionLabel, key: tree.DeclarationKey) -> None:
    name, kind = key.name, _signature_kind(key.kind)
    signature = context.symbols.signatures.get((kind, name.text))
    if signature is None:
        if not _is_repealed(context, name.text):
            names = list(context.symbols.names_of_kind(kind))
            context.symbols.unknown(f"{with_article(kind)} to label", name, names)
        return
    if label.edition != context.edition and _is_amended(context, kind, name.text):
        return
    params = [param.name for param in signature.params]
    for used in placeholders(label.text):
        if used not in params:
            headline = (
                f"the {kind} `{name}` has no parameter `{{{used}}}`, "
                f"in the label `{written_key(key)}`"
            )
            declared = [RelatedPlace(signature.span, "declared here")]
            _unknown_placeholder(context, label, headline, used, params, declared)


def _check_question(context: CheckContext, label: EditionLabel, key: tree.DeclarationKey) -> None:
    """A question in another language has each of its parameters once, and nothing else in braces."""
    name = key.name
    names = list(context.typed.questions[name.text].names)
    used = placeholders(label.text)
    if sorted(used) != sorted(names) and label.edition == context.edition:
        context.symbols.fault(
            "wrong-arguments",
            f"expected each parameter once in the label `{written_key(key)}`, got `{label.text}`",
            key.span,
            [RelatedPlace(context.span_of("question", name.text), "declared here")],
            _listed(names),
        )


def _is_amended(context: CheckContext, kind: str, name: str) -> bool:
    entry = context.symbols.entries.get((kind, name))
    return entry is not None and entry.previous is not None


def _listed(params: list[str]) -> str:
    if not params:
        return "it has no parameters"
    return f"write one of {', '.join(f'`{{{param}}}`' for param in params)}"
