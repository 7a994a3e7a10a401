"""Secrets: who knows the values of a variable, or the identity of a thing of some type."""

from __future__ import annotations

from hots_rules.rules.resolve.definitions import Resolver
from hots_rules.rules.resolve.expressions.scope import Scope
from hots_rules.rules.resolve.symbols import SymbolTable
from hots_rules.rules.rulebook import Entry
from hots_rules.rules.typed import tast
from hots_rules.rules.typed import value_types as types
from hots_rules.rules.wording import count_noun
from hots_rules.syntax import tree


def resolve_secrets(resolver: Resolver) -> tuple[tast.SecretDef, ...]:
    """All secrets of a ruleset."""
    secrets = [
        _secret(resolver, entry, entry.node)
        for entry in resolver.of_kind("secret")
        if isinstance(entry.node, tree.Secret)
    ]
    return tuple(secret for secret in secrets if secret is not None)


def _secret(resolver: Resolver, entry: Entry, node: tree.Secret) -> tast.SecretDef | None:
    kind, key_types = _subject(resolver.symbols, node.name)
    if not kind:
        return None
    keys = node.keys or ()
    if len(key_types) != len(keys):
        example = ", ".join("xyz"[: len(key_types)])
        resolver.symbols.fault(
            "wrong-arguments",
            f"expected {count_noun(len(key_types), 'name')} for `{node.name}`, got {len(keys)}",
            node.name.span,
            help_=f"name its keys, as in `{node.name}[{example}]`"
            if key_types
            else f"write `{node.name}` alone",
        )
    scope = resolver.scope()
    padded = [*key_types, *[types.ANY] * len(keys)]
    params = tuple(scope.bind(key, type_) for key, type_ in zip(keys, padded, strict=False))
    audiences = tuple(_audience(resolver, part, scope) for part in node.audiences)
    return tast.SecretDef(node.name.text, kind, params, audiences, entry.origin)


def _subject(symbols: SymbolTable, word: tree.Word) -> tuple[str, tuple[types.Type, ...]]:
    """`variable` or `type`, and the types of the keys; a fault and "" where the name is neither."""
    if word.text in symbols.variables:
        symbols.used.add(("variable", word.text))
        return "variable", symbols.variables[word.text].keys
    type_ = symbols.named_types.get(word.text)
    if isinstance(type_, types.WordType):
        symbols.use_type(word.text)
        return "type", (type_,)
    candidates = [*symbols.variables, *symbols.word_types()]
    symbols.unknown("a state variable or a type of words", word, candidates)
    return "", ()


def _audience(resolver: Resolver, part: tree.Audience, scope: Scope) -> tast.Audience:
    players = resolver.symbols.players
    who, member = None, None
    if isinstance(part.who, tree.Each):
        who = scope.resolve_as(part.who.players, types.SetType(players))
        scope = scope.inner()
        member = scope.bind(part.who.name, players)
    elif isinstance(part.who, tree.Reference) and part.who.name.text == types.NONE[1]:
        resolver.symbols.fault(
            "wrong-type",
            "expected a player, got `none`",
            part.who.span,
            help_="what no player is told is declared `internal`: a line of `state` ends with this word",
        )
        return tast.Audience(None, None, None)
    elif not isinstance(part.who, tree.Everybody):
        who = scope.resolve_as(part.who, players)
    when = scope.resolve_as(part.when, types.BOOL) if part.when is not None else None
    return tast.Audience(who, when, member)
