"""The words of the pages, in the languages of the library. They are about a table; none is of a game."""

from hots_rules._translate import Translator


def words_of_the_pages(t: Translator) -> dict[str, str]:
    """The words of the pages by the names that the pages have for them."""
    gettext = t.gettext
    return {
        "actions": gettext("Legal actions"),
        "ask": gettext("Ask why not"),
        "ask_hint": gettext("an action, or a question"),
        "back": gettext("Back (Esc)"),
        "board": gettext("Board"),
        "bot_monte-carlo": gettext("A bot that thinks for two seconds"),
        "bot_random": gettext("A bot that plays at random"),
        "change_key": gettext("Change my link"),
        "chat": gettext("Chat"),
        "chat_hint": gettext("Everybody at the table reads it, spectators too."),
        "choose": gettext("Choose what lights up on the board, or an action of the list."),
        "close": gettext("Close"),
        "confirm": gettext("Play (Enter)"),
        "copy": gettext("Copy this link"),
        "create": gettext("Open a table"),
        "dice": gettext("Check the dice"),
        "dice_bad": gettext(
            "The shares do not belong to their commitments: do not trust these dice."
        ),
        "dice_good": gettext(
            "All shares belong to their commitments, and the dice come from them."
        ),
        "dice_own": gettext("The dice of this game come from the table alone."),
        "earlier": gettext("One play back"),
        "facts": gettext("All that is known, as text"),
        "game": gettext("Game"),
        "gather": gettext("Waiting until {players} have opened their links", players="%"),
        "hide": gettext("Hide pieces (H)"),
        "hot_seat": gettext("All seats, for one screen"),
        "keep_notes": gettext("Save the notes"),
        "language": gettext("Language"),
        "later": gettext("One play on"),
        "links": gettext("One link for each seat: send each to its player, and to nobody else."),
        "log": gettext("What happened"),
        "lost": gettext("The table does not answer; trying again …"),
        "moment": gettext("One moment …"),
        "settings": gettext("Options, and readings of unclear rules"),
        "must_reload": gettext("Another action was played first; choose again."),
        "new_link": gettext("Your old link no longer works. This is the new one:"),
        "notes": gettext("Notes, for you alone"),
        "now": gettext("Now"),
        "over": gettext("The game is over."),
        "person": gettext("A person"),
        "record": gettext("Download the record"),
        "replay": gettext("Look at an earlier moment"),
        "scenario": gettext("Scenario"),
        "seat_of": gettext("Seat: {player}", player="%"),
        "send": gettext("Send"),
        "shares": gettext("Mix the dice from shares of all players"),
        "show": gettext("Show the seat of {player}", player="%"),
        "sound": gettext("Sound"),
        "spectator": gettext("Spectator"),
        "table": gettext("Table"),
        "token": gettext("Token of this table"),
        "undo": gettext("Undo"),
        "wait": gettext("Waiting for {player}", player="%"),
        "whole": gettext("Show the whole log"),
        "your_turn": gettext("It is your turn"),
        "zoom": gettext("Zoom (Z)"),
    }
