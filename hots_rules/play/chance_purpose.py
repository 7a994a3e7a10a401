"""What dice or a draw are for, and for whom: read from the key of the chance point."""

from __future__ import annotations

from hots_rules.diagnostics.braces import filled
from hots_rules.play.notation import Notation


def chance_purpose(notation: Notation, key: str) -> str:
    """The action or the phase in which chance decides, with its player and arguments: `Red: fire Fox`.

    The second part of a key names them: `1297|fire Red Fox|…`; what follows are values of loops.
    """
    name, *words = key.split("|")[1].split(" ")
    schema, labels = notation.schema, notation.labels
    form = next((form for form in notation.forms if form.name == name), None)
    who = words.pop(0) if form is not None else ""
    params = schema.facts.phases.get(name, ()) if form is None else form.params
    parser = schema.value_parser()
    codes = [parser.value(word, type_) for word, (_, type_) in zip(words, params, strict=False)]
    arguments = tuple(code for code in codes if code is not None)
    if form is not None and len(arguments) == len(params):
        return notation.text(form.encode(schema.players.index(who), arguments))
    values = {
        param: labels.format_value(code, type_)
        for code, (param, type_) in zip(arguments, params, strict=False)
    }
    template = labels.label(f"phase {name}", name.replace("_", " "))
    text = filled(template, values)
    unnamed = [value for value in values.values() if value not in text]
    loops = [word.replace("_", " ") for word in words[len(params) :] if not word.isdigit()]
    details = ", ".join([*unnamed, *loops])
    return f"{text}: {details}" if details else text
