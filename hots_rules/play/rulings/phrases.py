"""The fixed words of an answer, by language. What a game is about comes from its labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

# What is found, by the sign of a comparison and whether it holds; {other} is its other side.
_RELATIONS = {
    ("eq", True): "",
    ("eq", False): "not",
    ("ne", True): "not",
    ("ne", False): "",
    ("lt", True): "below",
    ("lt", False): "not below",
    ("le", True): "at most",
    ("le", False): "above",
    ("gt", True): "above",
    ("gt", False): "not above",
    ("ge", True): "at least",
    ("ge", False): "below",
}
# What would have to be the case instead.
_CHANGES = {
    ("eq", True): "other than",
    ("eq", False): "is",
    ("ne", True): "is",
    ("ne", False): "other than",
    ("lt", True): "at least",
    ("lt", False): "below",
    ("le", True): "above",
    ("le", False): "at most",
    ("gt", True): "at most",
    ("gt", False): "above",
    ("ge", True): "below",
    ("ge", False): "at least",
}

_EN = {
    "": "",
    "is": "{other}",
    "not": "not {other}",
    "other than": "other than {other}",
    "below": "below {other}",
    "not below": "not below {other}",
    "at most": "at most {other}",
    "above": "above {other}",
    "not above": "not above {other}",
    "at least": "at least {other}",
    "would be": "{what} would have to be {relation}",
    "plain": "{what}, {relation}",
    "fact": "{what}: {value}",
    "related": "{what}: {value}, {relation}",
    "a kind": "{kind}",
    "no kind": "no {kind}",
    "left out": "{it} is left out here",
    "of": "{name} of {keys}",
    "number": "number of {what}",
    "named value": "{what} ({value})",
    "in": "{it} is in {what}",
    "not in": "{it} is not in {what}",
    "would be in": "{it} would have to be in {what}",
    "would be outside": "{it} would have to be outside {what}",
    "nothing": "nothing",
    "would hold": "{what} would have to hold something",
    "would be empty": "{what} would have to be empty",
    "without": "{one} without {other}",
    "both": "what is both in {one} and in {other}",
    "either": "{one} or {other}",
    "yes": "yes",
    "no": "no",
    "hidden": "hidden",
    "and": "and",
    "or": "or",
    "for others": "it is for {who} to choose now",
    "choices": "the choice now is between: {choices}",
    "chance": "chance decides now: {choices}",
    "over": "the game is over",
    "no permit": "nothing permits it under these options and readings",
    "own to know": "only {who} can know whether it would be legal",
    "is legal": "{action} is legal",
    "is illegal": "{action} is not legal",
    "change": "It would take this: {change}.",
    "instead": "Legal now: {choices}.",
    "permitted": "permitted by {rule}",
    "not in the way": "not in the way: {rule}",
    "in the way": "in the way: {rule}",
    "exempt": "but {rule} exempts it",
    "no exemption": "no exemption by {rule}",
    "no way": "no permit holds: {rule}",
    "one of": "one of these would do",
    "all of": "all of these would have to change",
}
_FR = {
    "": "",
    "is": "{other}",
    "not": "non {other}",
    "other than": "autre chose que {other}",
    "below": "moins de {other}",
    "not below": "pas moins de {other}",
    "at most": "au plus {other}",
    "above": "plus de {other}",
    "not above": "pas plus de {other}",
    "at least": "au moins {other}",
    "would be": "il faudrait pour {what} : {relation}",
    "plain": "{what}, {relation}",
    "fact": "{what} : {value}",
    "related": "{what} : {value}, {relation}",
    "a kind": "{kind}",
    "no kind": "pas {kind}",
    "left out": "{it} est à part ici",
    "of": "{name} de {keys}",
    "number": "nombre de {what}",
    "named value": "{what} ({value})",
    "in": "{it} fait partie de {what}",
    "not in": "{it} ne fait pas partie de {what}",
    "would be in": "{it} devrait faire partie de {what}",
    "would be outside": "{it} ne devrait pas faire partie de {what}",
    "nothing": "rien",
    "would hold": "il faudrait quelque chose dans {what}",
    "would be empty": "il ne faudrait rien dans {what}",
    "without": "{one} sans {other}",
    "both": "ce qui fait partie de {one} et de {other}",
    "either": "{one} ou {other}",
    "yes": "oui",
    "no": "non",
    "hidden": "caché",
    "and": "et",
    "or": "ou",
    "for others": "c'est à {who} de choisir",
    "choices": "le choix est entre : {choices}",
    "chance": "le hasard décide : {choices}",
    "over": "la partie est terminée",
    "no permit": "rien ne le permet avec ces options et ces lectures",
    "own to know": "seul {who} peut savoir si ce serait légal",
    "is legal": "{action} est légal",
    "is illegal": "{action} n'est pas légal",
    "change": "Il faudrait ceci : {change}.",
    "instead": "Légal maintenant : {choices}.",
    "permitted": "permis par {rule}",
    "not in the way": "n'empêche rien : {rule}",
    "in the way": "s'y oppose : {rule}",
    "exempt": "mais {rule} en dispense",
    "no exemption": "{rule} n'en dispense pas",
    "no way": "aucune permission : {rule}",
    "one of": "un seul suffirait",
    "all of": "tout devrait changer",
}
_ES = {
    "": "",
    "is": "{other}",
    "not": "no {other}",
    "other than": "algo distinto de {other}",
    "below": "menos de {other}",
    "not below": "no menos de {other}",
    "at most": "como máximo {other}",
    "above": "más de {other}",
    "not above": "no más de {other}",
    "at least": "al menos {other}",
    "would be": "haría falta para {what}: {relation}",
    "plain": "{what}, {relation}",
    "fact": "{what}: {value}",
    "related": "{what}: {value}, {relation}",
    "a kind": "{kind}",
    "no kind": "no {kind}",
    "left out": "{it} queda aparte aquí",
    "of": "{name} de {keys}",
    "number": "número de {what}",
    "named value": "{what} ({value})",
    "in": "{it} forma parte de {what}",
    "not in": "{it} no forma parte de {what}",
    "would be in": "{it} tendría que formar parte de {what}",
    "would be outside": "{it} no tendría que formar parte de {what}",
    "nothing": "nada",
    "would hold": "tendría que haber algo en {what}",
    "would be empty": "no tendría que haber nada en {what}",
    "without": "{one} sin {other}",
    "both": "lo que forma parte de {one} y de {other}",
    "either": "{one} o {other}",
    "yes": "sí",
    "no": "no",
    "hidden": "oculto",
    "and": "y",
    "or": "o",
    "for others": "ahora elige {who}",
    "choices": "ahora se elige entre: {choices}",
    "chance": "ahora decide el azar: {choices}",
    "over": "la partida ha terminado",
    "no permit": "nada lo permite con estas opciones y lecturas",
    "own to know": "solo {who} puede saber si sería legal",
    "is legal": "{action} es legal",
    "is illegal": "{action} no es legal",
    "change": "Haría falta esto: {change}.",
    "instead": "Legal ahora: {choices}.",
    "permitted": "permitido por {rule}",
    "not in the way": "no lo impide: {rule}",
    "in the way": "lo impide: {rule}",
    "exempt": "pero {rule} exime de ello",
    "no exemption": "{rule} no exime de ello",
    "no way": "ningún permiso vale: {rule}",
    "one of": "bastaría con uno",
    "all of": "todo tendría que cambiar",
}
_KNOWN: Mapping[str, Mapping[str, str]] = {"en": _EN, "fr": _FR, "es": _ES}


@frozen
class Phrases:
    """The fixed words of one language; English where there are none of it."""

    language: str

    def say(self, phrase: str, **words: object) -> str:
        """A phrase with its words."""
        return _KNOWN.get(self.language, _EN)[phrase].format(**words)

    def relation(self, op: str, holds: bool, other: str) -> str:
        """How a value stands to the other side of a comparison; empty if that says nothing more."""
        return self.say(_RELATIONS[op, holds], other=other)

    def change(self, op: str, holds: bool, other: str) -> str:
        """How it would have to stand for the comparison to turn."""
        return self.say(_CHANGES[op, holds], other=other)

    def listed(self, words: Iterable[str], joined_by: str = "and") -> str:
        """Words one after the other."""
        said = list(words)
        last = f" {self.say(joined_by)} "
        return last.join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
