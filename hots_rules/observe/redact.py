"""Values of a state as text for one viewer: a piece of unknown identity becomes `a piece of …`."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from attrs import field, frozen

from hots_rules.compile.codes import bits
from hots_rules.compile.facts import Variable
from hots_rules.compile.traced import SetNote
from hots_rules.observe.observer import Observer, Visibility
from hots_rules.rules.typed import value_types as types
from hots_rules.state.labels import Labels
from hots_rules.state.schema import StateSchema

_AFTER_VALUES = 1 << 20
_AFTER_PIECES = 1 << 40


@frozen(slots=False, eq=False)
class RedactedFormatter:
    """Formats values for one viewer, with the identities of hidden pieces redacted.

    Attributes:
        visibility: what is hidden from the viewer.
        slots: the packed state, which decides who can identify a hidden piece.
        labels: the words of values.
    """

    visibility: Visibility
    slots: Sequence[int] = field(repr=False)
    labels: Labels

    @property
    def _observer(self) -> Observer:
        return self.visibility.observer

    @property
    def _schema(self) -> StateSchema:
        return self._observer.schema

    # -------------------------------------------------------------- values
    def format_value(self, code: int, type_: types.Type) -> str:
        """The value of a code as text, without the identity of a piece that is hidden."""
        match type_:
            case types.SetType():
                members = sorted(bits(code), key=lambda m: self.sort_key(m, type_.member))
                texts = (self.format_value(member, type_.member) for member in members)
                return "{" + ", ".join(counted(texts)) + "}"
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                left_text = self.format_value(left, type_.left)
                return f"({left_text}, {self.format_value(right, type_.right)})"
            case types.WordType() if piece := self.visibility.hidden_piece(code, type_):
                return self._redacted(*piece, self.labels)
        return self.labels.format_value(code, type_)

    def sort_key(self, code: int, type_: types.Type) -> tuple[int, str]:
        """The key that sorts values: visible ones as in the ruleset, then hidden pieces by their texts."""
        match type_:
            case types.PairType():
                left, right = types.pair_parts(type_, code)
                keys = self.sort_key(left, type_.left), self.sort_key(right, type_.right)
                if all(not text for _, text in keys):
                    return code, ""
                return _AFTER_PIECES, " ".join(f"{number:6} {text}" for number, text in keys)
            case types.WordType() if piece := self.visibility.hidden_piece(code, type_):
                return _AFTER_VALUES, self._redacted(*piece, self.labels.english)
        return code, ""

    def _redacted(self, type_number: int, piece: int, labels: Labels) -> str:
        """The text of a hidden piece: its type, and the players who can identify it."""
        owners = tuple([mask >> piece & 1 for mask in self._owners_of_hidden(type_number)])
        texts, key = self._observer.texts_of_hidden, (labels.language, type_number, owners)
        if key not in texts:
            texts[key] = self._text_of_hidden(type_number, owners, labels)
        return texts[key]

    def _owners_of_hidden(self, type_number: int) -> list[int]:
        """For each player, which hidden pieces of a type the player can identify, as a mask."""
        masks = self.visibility.owners.get(type_number)
        if masks is None:
            secret = self._observer.secret_types[type_number]
            hidden = self.visibility.pieces[type_number]
            masks = secret.owners(self.slots, len(self._schema.players), hidden)
            self.visibility.owners[type_number] = masks
        return masks

    def _text_of_hidden(self, type_number: int, owners: tuple[int, ...], labels: Labels) -> str:
        secret = self._observer.secret_types[type_number]
        players = [
            labels.word(player)
            for player, is_owner in zip(self._schema.facts.players, owners, strict=True)
            if is_owner
        ]
        name, words = labels.name("type", secret.name).lower(), labels.translator
        if not players:
            return words.gettext("an unknown {type}", type=name)
        listed = words.join_list(players)
        if name[0] in "aeiou":
            return words.gettext("an {type} of {players}", type=name, players=listed)
        return words.gettext("a {type} of {players}", type=name, players=listed)

    # -------------------------------------------------------------- values of events
    def format_event_value(
        self,
        code: int,
        type_: types.Type,
        laid_open: Callable[[], Collection[types.Value]] = frozenset,
    ) -> str:
        """An argument of an event or an action as text; `hidden` if it may come from a hidden cell.

        This is cautious rather than exact: a value of a type that a secret variable holds is shown only if
        the viewer can read the same value in a cell of such a variable, or if it is one of those that the play lays
        open, which `laid_open` gives.
        """
        if self._observer.has_secret_values(type_) and not self._is_readable(code, type_):
            assert isinstance(type_, types.WordType)
            if type_.values[code] not in laid_open():
                return self.labels.translator.gettext("hidden")
        return self.format_value(code, type_)

    def hides_draws_of(self, type_: types.Type) -> bool:
        """Whether a draw from a type could reveal what a secret variable holds."""
        return self._observer.has_secret_values(type_)

    def _is_readable(self, code: int, type_: types.Type) -> bool:
        """Whether a visible cell of a secret variable holds a value, or is not blank and has it as a key."""
        for name in self._observer.secret_variables:
            variable = self._schema.variables[name]
            for offset, keys in enumerate(variable.key_codes):
                held = self.slots[variable.base + offset]
                is_blank = held == types.blank_code(variable.type)
                has_key = (code, type_) in zip(keys, variable.keys, strict=True)
                if not self.visibility.hides(variable, offset) and (
                    _holds(held, variable.type, code, type_) or (has_key and not is_blank)
                ):
                    return True
        return False


def _holds(held: int, held_type: types.Type, code: int, type_: types.Type) -> bool:
    if isinstance(held_type, types.SetType):
        return held_type.member == type_ and bool(held >> code & 1)
    if not isinstance(held_type, types.WordType) or not isinstance(type_, types.WordType):
        return False
    return held_type.values[held] == type_.values[code]


def counted(texts: Iterable[str]) -> Iterator[str]:
    """Texts without repetition, each with its count if it is repeated: `a piece of X ×2`."""
    for text, count in Counter(texts).items():
        yield text if count == 1 else f"{text} ×{count}"


def gained_values(variable: Variable, note: SetNote, slots: Sequence[int]) -> Iterator[types.Value]:
    """The words that a cell holds after it is set, and did not hold before."""
    old, new = slots[note.slot], note.code
    if isinstance(variable.type, types.WordType) and new != old:
        yield variable.type.values[new]
    elif isinstance(variable.type, types.SetType) and isinstance(
        variable.type.member, types.WordType
    ):
        yield from (variable.type.member.values[member] for member in bits(new & ~old))
    if new > old:
        keys = variable.key_codes[note.slot - variable.base]
        for code, type_ in zip(keys, variable.keys, strict=True):
            if isinstance(type_, types.WordType):
                yield type_.values[code]
