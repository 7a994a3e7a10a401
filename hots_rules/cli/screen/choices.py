"""The legal actions in at most nine numbered groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from attrs import evolve, field, frozen

import hots_rules as hr
from hots_rules._translate import translator
from hots_rules.cli.screen.columns import WIDTH, fits

MAX_GROUPS = 9  # groups, each with a digit
MIN_GROUPS = 3  # one column of them
COUNTER = "•"  # before a number of what is left, as on the map
_PARAM = re.compile(r"\{(\w+)\}")


@frozen
class ListedChoice:
    """An action, a group of them, or what leads to another page, under one number.

    Attributes:
        title: its text.
        actions: the actions; one for a choice that can be played, none for another page.
        about: the value that the actions of a group share, as it is called in the ruleset; empty if they share none.
        short: the title without the words before its first argument, for want of room; empty if it has no argument.
    """

    title: str
    actions: tuple[hr.Action, ...]
    about: str = ""
    short: str = ""

    @property
    def action(self) -> hr.Action | None:
        """The only action, if there is but one."""
        return self.actions[0] if len(self.actions) == 1 else None


@frozen
class Grouping:
    """Puts actions into groups by one of their arguments.

    Attributes:
        ruleset: the ruleset.
        width: the columns of the screen.
        counters: what is left of a value, such as the points of a place, by the type and the name of the value.
    """

    ruleset: hr.Ruleset = field(repr=False)
    width: int = WIDTH
    counters: Mapping[tuple[str, str], int] = field(factory=dict, repr=False)

    def choices(self, actions: Sequence[hr.Action], page: int = 0) -> tuple[ListedChoice, ...]:
        """At most nine choices, fewer if their texts are long; the last one leads to those that are left."""
        every = self._all_choices(actions)
        pages: list[tuple[ListedChoice, ...]] = []
        for most in range(MAX_GROUPS, MIN_GROUPS - 1, -1):
            pages = [self._shortened(listed) for listed in self._pages(every, most)]
            if all(map(self._fit, pages)):
                break
        return pages[page % len(pages)]

    def _pages(
        self, choices: tuple[ListedChoice, ...], most: int
    ) -> Iterator[tuple[ListedChoice, ...]]:
        """The choices in pages of at most `most`; the last choice of a page leads to the next page."""
        if len(choices) <= most:
            yield choices
            return
        for first in range(0, len(choices), most - 1):
            shown = choices[first : first + most - 1]
            yield (*shown, self._more(len(choices) - len(shown)))

    def _more(self, rest: int) -> ListedChoice:
        more = translator(self.ruleset.language).gettext("{number} more …", number=rest)
        return ListedChoice(more, ())

    def _shortened(self, choices: tuple[ListedChoice, ...]) -> tuple[ListedChoice, ...]:
        """Choices of a single kind lose their verb where there is no room for it."""
        names = {action.name for choice in choices for action in choice.actions if action.args}
        if self._fit(choices) or len(names) > 1:
            return choices
        return tuple(evolve(choice, title=choice.short or choice.title) for choice in choices)

    def _fit(self, choices: Sequence[ListedChoice]) -> bool:
        """Whether the titles of choices stand on the screen without being cut."""
        return fits([choice.title for choice in choices], self.width)

    def _all_choices(self, actions: Sequence[hr.Action]) -> tuple[ListedChoice, ...]:
        """Every action alone if they fit; else in the most groups that do.

        If no groups fit, every action alone if there are few; else in the fewest groups.
        """
        single = tuple(self._single(action) for action in actions)
        if len(single) <= MAX_GROUPS and self._fit(single):
            return single
        groupings = [
            groups for key in self._keys(actions) if len(groups := self._by(actions, key)) > 1
        ]
        fitting = [
            groups
            for groups in groupings
            if len(groups) <= MAX_GROUPS and (len(single) > MAX_GROUPS or self._fit(groups))
        ]
        if fitting:
            return max(fitting, key=len)
        if len(single) <= MAX_GROUPS:
            return single
        return min((single, *groupings), key=len)

    def _keys(self, actions: Sequence[hr.Action]) -> Iterator[str | None]:
        """The names of arguments, and at last None for the name of the action itself."""
        yield from dict.fromkeys(name for action in actions for name in action.args)
        yield None

    def _by(self, actions: Sequence[hr.Action], key: str | None) -> tuple[ListedChoice, ...]:
        """The actions in groups by an argument, each without it alone; or by their names."""
        groups: dict[tuple[str, str], list[hr.Action]] = {}
        for action in actions:
            if key is None:
                group = (action.name, "")
            elif key in action.args:
                group = ("", action.args[key])
            else:
                group = (action.name, str(action.code))
            groups.setdefault(group, []).append(action)
        return tuple(self._group(key, value, group) for (_, value), group in groups.items())

    def _group(self, key: str | None, value: str, actions: list[hr.Action]) -> ListedChoice:
        if len(actions) == 1:
            return self._single(actions[0])
        is_of_one_name = len({action.name for action in actions}) == 1
        if key is None:
            return ListedChoice(f"{self._form(actions)} ({len(actions)})", tuple(actions))
        title = self._form(actions) if is_of_one_name else f"{self._word(actions[0], key)} …"
        left = self._counter_suffix(actions)
        short = self._form(actions, is_short=True) if is_of_one_name else title
        return ListedChoice(f"{title}{left}", tuple(actions), value, f"{short}{left}")

    def _single(self, action: hr.Action) -> ListedChoice:
        left = self._counter_suffix([action])
        short = f"{self._form([action], is_short=True)}{left}" if action.args else ""
        return ListedChoice(f"{hr.talk.label_of(action)}{left}", (action,), short=short)

    def _counter_suffix(self, actions: Sequence[hr.Action]) -> str:
        """What is left of each value that actions share, after its sign; empty if none of these has a counter."""
        if not self.counters:
            return ""
        first, *others = (self._typed_values(action) for action in actions)
        return "".join(
            f" {COUNTER}{self.counters[typed_value]}"
            for typed_value in first
            if typed_value in self.counters and all(typed_value in values for values in others)
        )

    def _typed_values(self, action: hr.Action) -> list[tuple[str, str]]:
        """The arguments of an action in their order, each as its type and its name, without repetitions."""
        params = self.ruleset.actions[action.name].params
        return list(dict.fromkeys((params[name], word) for name, word in action.args.items()))

    def _form(self, actions: Sequence[hr.Action], *, is_short: bool = False) -> str:
        """The text that actions of one name share, with a sign for what differs; a short one starts at an argument."""
        label = self.ruleset.actions[actions[0].name].label
        start = _PARAM.search(label) if is_short else None

        def shared(match: re.Match[str]) -> str:
            words = {self._word(action, match[1]) for action in actions}
            return words.pop() if len(words) == 1 else "…"

        return _PARAM.sub(shared, label[start.start() if start else 0 :])

    def _word(self, action: hr.Action, name: str) -> str:
        """The word of an argument in the language of the ruleset."""
        type_ = self.ruleset.actions[action.name].params.get(name, "")
        return self.ruleset.words.get(type_, {}).get(action.args[name], action.args[name])
