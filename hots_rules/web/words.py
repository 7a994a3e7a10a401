"""The words of the pages, in the languages of the library. They are about a table; none is of a game."""

from hots_rules._translate import Translator


def words_of_the_pages(t: Translator) -> dict[str, str]:
    """The words of the pages by the names that the pages have for them."""
    gettext = t.gettext
    return {
        "actions": gettext("Legal actions"),
        "ask": gettext("Ask why not"),
        "ask_hint": gettext("an action, or a question"),
        "back": gettext("Take back the choice (Esc)"),
        "board": gettext("Board"),
        "bot_monte-carlo": gettext("A bot that thinks for two seconds"),
        "bot_random": gettext("A bot that plays at random"),
        "confirm": gettext("Play (Enter)"),
        "copy": gettext("Copy this link"),
        "create": gettext("Open a table"),
        "game": gettext("Game"),
        "hide": gettext("Hide all pieces (H)"),
        "language": gettext("Language"),
        "log": gettext("What happened"),
        "hot_seat": gettext("All seats, for one screen"),
        "lost": gettext("The table does not answer; trying again …"),
        "must_reload": gettext("Another action was played first; choose again."),
        "none": gettext("No legal action has all that is chosen."),
        "links": gettext("One link for each seat: send each to its player, and to nobody else."),
        "over": gettext("The game is over."),
        "person": gettext("A person"),
        "record": gettext("Download the record"),
        "scenario": gettext("Scenario"),
        "seat_of": gettext("Seat: {player}", player="%"),
        "spectator": gettext("Spectator"),
        "show": gettext("Show the seat of {player}", player="%"),
        "table": gettext("Table"),
        "undo": gettext("Take the last action back"),
        "wait": gettext("Waiting for {player}", player="%"),
        "your_turn": gettext("It is your turn"),
        "zoom": gettext("Fit the board or enlarge it (Z)"),
    }
