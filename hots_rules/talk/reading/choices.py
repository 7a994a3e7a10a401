"""The legal actions that a sentence asks for: `where can Fox go?`, `who can reach Shore?`, `what can Fox do now?`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from attrs import evolve, frozen

from hots_rules._text import with_signs
from hots_rules._translate import translator
from hots_rules.explain.explain_action import explain_codes
from hots_rules.explain.ruling import Ruling
from hots_rules.play.action import Action
from hots_rules.play.game import BaseGame
from hots_rules.play.notation import ActionForm
from hots_rules.talk.reading.acts import (
    GENERAL,
    MAX_CANDIDATES,
    MAX_TRIED,
    PERMITS,
    asked_of,
    filled_forms,
    going,
    is_accounted_for,
    nearest_ruling,
    own_piece,
    split_phrases,
)
from hots_rules.talk.reading.lexicon import Token
from hots_rules.talk.reading.reader import Reader
from hots_rules.talk.reading.roles import Roles, owners_of, place_types
from hots_rules.talk.reading.told_acts import hidden, other_moment, told_moment, within_reach
from hots_rules.talk.reading.verbs import verbs_of
from hots_rules.talk.reading.ways import (
    Filled,
    codes_of_filled,
    legal_among,
    next_moments,
    places_of,
    seen_by,
    walk,
)

OPEN = frozenset({"where", "which", "who", "what", "legal"})
"""Concepts that ask for something of a kind."""
MORE = frozenset({"if", "or", "both", "first", "need", "why", "how", "when", "how-many", "odds"})
MORE_STILL = MORE | {"change", "happen", "not", "there-is", "must", "enemy"}
"""Concepts of sentences that ask for more than the legal actions."""
WHEN_IT_IS = frozenset({"if", "when"})
MAX_TOLD = 40


@frozen
class Choices:
    """The legal actions that a sentence asks for.

    Attributes:
        language: the language of the answer.
        legal: the texts of the legal actions.
        told: what is asked for in words: the places, the pieces, or the actions.
        sections: the sections of these actions.
        ruling: why there is none; None if there is one.
        names: the names of the actions that are asked for.
        names_something: whether the sentence names a piece, a place, or who asks.
        later: the places against which there is nothing but whose turn it is, where none is legal.
        reach: where the piece that is asked about can come to when that can be chosen next.
    """

    language: str
    legal: tuple[str, ...]
    told: tuple[str, ...]
    sections: tuple[str, ...]
    ruling: Ruling | None
    names: tuple[str, ...]
    names_something: bool
    later: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()

    @property
    def is_of_this_moment(self) -> bool:
        """Whether an action of such a name can be chosen now."""
        return self.ruling is None or other_moment(self.ruling) is None

    @property
    def is_only_of_the_moment(self) -> bool:
        """Whether nothing else is known than that nothing of it can be chosen now."""
        return not (self.is_of_this_moment or self.later or self.reach)

    def text(self) -> str:
        """What is asked for, or that there is nothing, and why."""
        gettext = translator(self.language).gettext
        moment = other_moment(self.ruling) if self.ruling is not None else None
        if self.reach and moment is not None:
            now = gettext("Not now: {reason}", reason=told_moment(moment))
            return f"{within_reach(self.language, self.reach)}\n{now}"
        if self.ruling is not None:
            text = self.ruling.text("sentence")
            if moment is not None:
                text = told_moment(moment)
            text = gettext("Nothing now: {reason}", reason=text)
            if not self.later:
                return text
            open_places = gettext(
                "By the position as it is, nothing else is against: {choices}.",
                choices="; ".join(self.later),
            )
            return _with_sections(f"{text}\n{open_places}", self.sections)
        return legal_now(self.language, self.told, self.sections, MAX_TOLD)


def legal_now(language: str, texts: Sequence[str], sections: Sequence[str], most: int) -> str:
    """The sentence that tells so many of what is legal at most, with the sections of all of it."""
    more = "; …" if len(texts) > most else ""
    text = translator(language).gettext(
        "Legal now: {choices}.", choices="; ".join(texts[:most]) + more
    )
    return _with_sections(text, sections)


def _with_sections(text: str, sections: Sequence[str]) -> str:
    cited = with_signs(sections)
    return f"{text} ({cited})" if cited else text


def choices_meant(
    game: BaseGame, reader: Reader, tokens: Sequence[Token], player: str | None
) -> Choices | None:
    """The legal actions that a sentence asks for; None if it asks for something else, or for more."""
    if game.is_over or game.is_chance:
        return None
    tokens = _without_whose_turn(split_phrases(reader, tokens))
    concepts = asked_of(tokens) | (tokens[0].concepts & {"what"} if tokens else frozenset())
    if not concepts & OPEN or concepts & MORE_STILL or not concepts & (PERMITS | {"legal"}):
        return None
    verbs_known = verbs_of(reader, game.ruleset)
    # `what moves does Fox have` asks for all that can be chosen, as `what options`.
    verbs = verbs_known.read(
        [evolve(token, text="") if "legal" in token.concepts else token for token in tokens]
    )
    if not verbs.names and all(
        "have" in token.concepts for token in tokens if token.concepts & PERMITS
    ):
        return None  # `où ai-je` asks for what somebody has
    roles = Roles.of(game, tokens, verbs, player)
    is_of_places = "who" in concepts or any(token.concepts & {"go", "enter"} for token in tokens)
    if roles is None or (not roles.named and is_of_places and not tokens[-1].concepts):
        roles = Roles.of_a_place(game, tokens, verbs) or roles  # also where a player has its name
    if roles is None or not is_accounted_for(
        reader, tokens, verbs, roles, OPEN | {"have", "played"}
    ):
        return None
    is_where = "where" in concepts or (
        "which" in concepts and _asks_for_places(game, reader, tokens)
    )
    names = verbs.names
    if not names and is_where:
        names = tuple(dict.fromkeys((*going(game, verbs_known), *_offered_to_places(game))))
    is_general = any(token.concepts & (GENERAL | {"enter"}) for token in tokens)
    if names and is_general and (is_where or _names_a_place(game, roles)):
        names = tuple(dict.fromkeys((*names, *going(game, verbs_known))))
    asks_for_pieces = not is_where and bool(concepts & {"who", "which"}) and bool(names)
    if not names and not (roles.named and concepts & {"what", "legal"}):
        return None  # `which` alone says nothing of what is done
    if asks_for_pieces and len(roles.named) == 1:
        roles = roles.as_target()  # `who can reach Shore`, also where a piece has this name
    names = names or tuple(dict.fromkeys(form.name for form in game.notation.forms))
    meant = filled_forms(game, verbs_known, names, roles)
    if is_where:
        meant = [filled for filled in meant if _goal(game, filled[0]) is not None]
    if not meant:
        return None
    legal = legal_among(game, meant, roles, player)
    ruling = None if legal else nearest_ruling(game, meant, roles, verbs, player)
    if not legal and ruling is None:
        return None
    if ruling is not None and ruling.is_legal and player is not None:
        ruling = hidden(game, ruling.action, player)
    later: tuple[str, ...] = ()
    if ruling is not None and is_where and (open_places := _later(game, meant, roles, player)):
        later, ruling = tuple(open_places), next(iter(open_places.values()))
    reach: tuple[str, ...] = ()
    if (
        not later
        and is_where
        and len(roles.named) == 1
        and ruling is not None
        and other_moment(ruling)
    ):
        reach = _reach(game, meant, roles, player)
    acts = [action.name for action in legal]
    if later:
        offered = {action.name for action in game.first_actions(MAX_TRIED)}
        acts = [form.name for form, _ in meant if form.name in offered]
    wanted = [_told(game, action, is_where=is_where, is_piece=asks_for_pieces) for action in legal]
    return Choices(
        game.language,
        tuple(action.text for action in legal),
        tuple(dict.fromkeys(wanted)),
        sections_of(game, acts),
        ruling,
        verbs.names,
        bool(roles.named) or any("i" in token.concepts for token in tokens),
        later,
        reach,
    )


def _reach(
    game: BaseGame, meant: Sequence[Filled], roles: Roles, player: str | None
) -> tuple[str, ...]:
    """Where the only piece that is named can come to when that can be chosen next; empty if that is not found out."""
    piece, names = own_piece(meant, roles, player), {filled[0].name for filled in meant}
    if piece is None:
        return ()
    reached: dict[str, None] = {}
    for later in next_moments(seen_by(game, player), names, {*owners_of(game, *piece)}):
        walked = walk(later, meant, roles, player, to_the_end=True) if later is not None else None
        if walked is None or not walked.is_whole:
            return ()
        reached |= dict.fromkeys(walked.places(piece))
    return tuple(place for place in reached if place not in {*places_of(game, *piece)})


def _later(
    game: BaseGame, meant: Sequence[Filled], roles: Roles, player: str | None
) -> dict[str, Ruling]:
    """The places to which something may go but for what is against every place alike, such as whose turn it is.

    Each with the ruling against it. Empty if that depends on what is hidden, if no place differs from the others, or
    if nothing acts so now where it stands.
    """
    acting = [*islice(game.legal_codes, MAX_TRIED)]
    names = {game.notation.form_of(code).name for code in acting}
    stands = {place for code in acting for place in _stands(game, code)}
    by_place: dict[str, list[int]] = {}
    for form, choices in meant:
        goal = _goal(game, form)
        if goal is None or form.name not in names:
            continue
        for code in islice(codes_of_filled(game, [(form, choices)], roles), MAX_TRIED):
            if stands.isdisjoint(_stands(game, code)):
                continue
            _, args = form.decode(code, len(game.ruleset.players))
            place = game.ruleset.labels.format_value(args[goal], form.params[goal][1])
            by_place.setdefault(place, []).append(code)
    rulings = {
        place: explain_codes(game, codes[:MAX_CANDIDATES], player)
        for place, codes in by_place.items()
    }
    if any(reason.kind == "secret" for ruling in rulings.values() for reason in ruling.against):
        return {}
    facts = {place: {*_facts(ruling)} for place, ruling in rulings.items()}
    common = set.intersection(*facts.values()) if facts else set()
    left = {place: rulings[place] for place in facts if facts[place] == common}
    return left if len(left) < len(facts) else {}


def _stands(game: BaseGame, code: int) -> Iterator[tuple[str, str, int]]:
    """The name of an action with the place of each piece that it is about."""
    form = game.notation.form_of(code)
    _, args = form.decode(code, len(game.ruleset.players))
    load = game.state.schema.reader(game.state.slots)
    for variable in game.ruleset.schema.location_maps:
        for (_, type_), arg in zip(form.params, args, strict=True):
            if type_ == variable.keys[0]:
                yield form.name, variable.name, load(variable.name, (arg,))


def _facts(ruling: Ruling) -> Iterator[str]:
    """What is against an action, one by one."""
    for reason in ruling.against:
        if reason.ground is None or reason.kind == "forbid":
            yield f"{reason.rule}: {reason.found}"
        else:
            yield from reason.ground.facts()


def _asks_for_places(game: BaseGame, reader: Reader, tokens: Sequence[Token]) -> bool:
    """Whether a sentence begins as `to which`, or with a word for places behind `which`."""
    slots = (slot for slot, type_ in reader.talk.slots.items() if type_ in place_types(game))
    words = frozenset().union(*(reader.talk.modifiers.get(slot, ()) for slot in slots))
    return "to" in tokens[0].concepts or any(token.concepts & words for token in tokens[1:2])


def _names_a_place(game: BaseGame, roles: Roles) -> bool:
    """Whether a sentence names one thing, and it may be a place: `who can get to Shore`."""
    places = place_types(game)
    return len(roles.named) == 1 and any(name in places for name, _ in roles.named[0].token.values)


def _without_whose_turn(tokens: Sequence[Token]) -> Sequence[Token]:
    """A sentence without `when it is his turn`, which every question for what may be done means."""
    begin = next((at for at, token in enumerate(tokens) if token.concepts & WHEN_IT_IS), None)
    if begin is None:
        return tokens
    ends = (
        at for at in range(begin + 1, len(tokens)) if tokens[at].concepts & {"turn", "whose-turn"}
    )
    end = next(ends, None)
    if end is None or not all(_tells_no_more(token) for token in tokens[begin + 1 : end]):
        return tokens
    return [*tokens[:begin], *tokens[end + 1 :]]


def _tells_no_more(token: Token) -> bool:
    """Whether a word only says whose turn it is: `it`, `is`, `my`."""
    return not token.values and (token.is_idle or token.concepts <= {"is", "i", "you", "enemy"})


def _offered_to_places(game: BaseGame) -> tuple[str, ...]:
    """The names of the legal actions that bring something to a place."""
    names = dict.fromkeys(action.name for action in game.first_actions(MAX_TRIED))
    forms = (form for form in game.notation.forms if form.name in names)
    return tuple(form.name for form in forms if _goal(game, form) is not None)


def _goal(game: BaseGame, form: ActionForm) -> int | None:
    """The parameter of an action that says where something goes; None if it has none."""
    places = place_types(game)
    at = [i for i, (_, type_) in enumerate(form.params) if str(type_) in places]
    return at[-1] if at else None


def _told(game: BaseGame, action: Action, *, is_where: bool, is_piece: bool) -> str:
    """What is told of a legal action: where it goes, the piece, or all of it."""
    form = next(form for form in game.notation.forms if form.name == action.name)
    goal = _goal(game, form)
    _, args = form.decode(action.code, len(game.ruleset.players))
    labels = game.ruleset.labels
    places = place_types(game)
    if is_where and goal is not None:
        return labels.format_value(args[goal], form.params[goal][1])
    pieces = [
        labels.format_value(arg, type_)
        for arg, (_, type_) in zip(args, form.params, strict=True)
        if str(type_) not in places
    ]
    return pieces[0] if is_piece and pieces else action.text


def sections_of(game: BaseGame, names: Iterable[str]) -> tuple[str, ...]:
    """The sections of the actions with some names."""
    declared = game.ruleset.compiled.typed.actions
    return tuple(dict.fromkeys(sec for name in names for sec in declared[name].origin.sections))
