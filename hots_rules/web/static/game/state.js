// @ts-check
// The state of the page of a game as plain data, the events that change it, and what can be read from it.

/**
 * @typedef {import("../board/board.js").Drawn} Drawn
 * @typedef {import("../client.js").State & { drawn: Drawn }} Seen what the table tells a seat
 * @typedef {import("../client.js").Told} Told
 * @typedef {import("../client.js").Moment & { drawn: Drawn }} Moment
 * @typedef {import("../client.js").LegalAction} LegalAction
 */

/**
 * What the line at the top tells: whose turn it is, that an answer is on its way, that there is none, whose shares
 * are missing, or a text.
 * @typedef {"turn" | "wait" | "lost" | { missing: readonly string[] } | { text: string }} Status
 */

/**
 * What the place of answers tells: nothing, that one is on its way, that a choice is open no longer, that nothing is
 * played at an earlier moment, or a text.
 * @typedef {"" | "wait" | "reload" | "past" | { text: string }} Notice
 */

/**
 * @typedef {object} PageState
 * @property {readonly (string | null)[]} seats the players of the seats at this screen; null for a spectator
 * @property {number} seat the place in `seats` of the one before the screen; `seen.seat` is that player
 * @property {{ [player: string]: string }} names of the players
 * @property {number} number the version of the game (its number of changes) in the newest answer to a seat here
 * @property {Seen | null} seen the newest answer to the seat before the screen
 * @property {readonly Told[]} steps of the log
 * @property {boolean} isCut whether the log begins later than the game
 * @property {"" | "recent" | "whole"} wanted the part of the log that is to be read anew
 * @property {number | null} at the number of plays of the earlier moment that is looked at
 * @property {Moment | null} moment what the seat saw then, as soon as it is known
 * @property {number | null} sent the version of the game for which a change was sent that is not answered yet
 * @property {boolean} isLost whether the stream of events is cut
 * @property {boolean} isCovered whether the screen waits for the player of its next seat
 * @property {boolean} isAwaited whether that player is there, and waits for what the seat sees
 * @property {Status} status
 * @property {Notice} notice
 * @property {number} question how many questions and notices there were; an answer to an older one is dropped
 * @property {{ text: string }} spoken what a screen reader tells
 */

/**
 * What happens: the players of the seats are known (`seated`), the table answers with the state of a game (`stated`),
 * the stream of events is cut (`lost`), a state could not be had (`failed`), shares of a seed are missing (`missing`).
 * A change is on its way (`sent`), is so for some time (`slow`), was answered or refused (`answered`).
 * A question is put (`asked`) and answered (`told`); there is something to notice (`noticed`).
 * Somebody wants more of the log or it is here (`logWanted`), looks at a moment (`looked`), which comes (`remembered`),
 * or sits down at a covered screen (`uncovered`). A `seat` is a place in `PageState.seats`.
 * @typedef {{ type: "seated", players: readonly (string | null)[] }
 *   | { type: "stated", seat: number, seen: Seen, isAnew?: boolean }
 *   | { type: "lost" }
 *   | { type: "failed", text: string }
 *   | { type: "missing", players: readonly string[] }
 *   | { type: "sent" }
 *   | { type: "slow", number: number }
 *   | { type: "answered", number: number }
 *   | { type: "asked" }
 *   | { type: "told", question: number, text: string }
 *   | { type: "noticed", notice: Notice }
 *   | { type: "logWanted", wanted: "" | "whole" }
 *   | { type: "looked", at: number | null }
 *   | { type: "remembered", seat: number, at: number, moment: Moment }
 *   | { type: "uncovered" }} PageEvent
 */

/**
 * What a screen holds of the seat before it, while it has been told nothing of that seat.
 * @type {Pick<PageState, "seen" | "steps" | "isCut" | "wanted" | "at" | "moment">}
 */
export const nothingSeen = { seen: null, steps: [], isCut: false, wanted: "", at: null, moment: null };

/**
 * The state before the table has told anything.
 * @param {number} seats
 * @returns {PageState}
 */
export const beginning = (seats) => ({
  seats: Array(seats).fill(null),
  seat: 0,
  names: {},
  number: -1,
  ...nothingSeen,
  sent: null,
  isLost: false,
  isCovered: false,
  isAwaited: false,
  status: { text: "" },
  notice: "",
  question: 0,
  spoken: { text: "" },
});

/**
 * The line of the log of the table at which the game went back last.
 * @param {Seen} seen
 */
export const lastReturn = (seen) => seen.doings.findLast(({ kind }) => kind === "went_back")?.number;

/**
 * Whether a change is on its way whose outcome isn't known.
 * @param {PageState} state
 */
export const isBusy = ({ sent, seen }) => sent !== null && seen?.number === sent;

/**
 * Whether somebody before this screen has not answered yet whether the game goes back.
 * @param {PageState} state
 */
export const isToAnswer = ({ seats, seen }) =>
  seen !== null && !seen.is_over && seats.some((player) => player !== null && seen.question?.waiting.includes(player));

/**
 * Whether somebody before this screen has something to do.
 * @param {PageState} state
 */
export const isMine = (state) => Boolean(state.seen?.view.actions.length) || isToAnswer(state);

/**
 * Whether nobody is waited for but bots.
 * @param {Seen} seen
 */
export const isThinking = ({ sitting, view }) =>
  view.to_move.length > 0 && view.to_move.every((player) => sitting[player]);

/**
 * Whether an action whose answer is lost, so that nobody knows whether the table got it, is still to be chosen: nothing
 * has changed since; or the choice is the same and the log has no further action of its text, which it would have left.
 * @param {LegalAction} action
 * @param {PageState} before it was sent
 * @param {PageState} after
 */
export function mayStillPlay(action, before, after) {
  if (before.seen === null || after.seen === null || isBusy(after)) return false;
  const played = (/** @type {readonly Told[]} */ log) =>
    log.filter(({ kind, text }) => kind === "action" && text === action.text).length;
  const isSame = hasSameChoice(before.seen, after.seen) && played(after.steps) <= played(before.steps);
  return after.seen.number === before.seen.number || isSame;
}

/**
 * Whether the seat may take its last action back.
 * @param {Seen} seen
 */
export const mayUndo = ({ seat, is_over: isOver, is_mixing: isMixing, view }) =>
  seat !== null && !isOver && !isMixing && view.undo_limit < view.plays;

/**
 * Whether a seat has the same legal actions in two answers.
 * @param {Seen} one
 * @param {Seen} other
 */
function hasSameChoice(one, other) {
  const texts = (/** @type {Seen} */ seen) => seen.view.actions.map(({ text }) => text).join("\n");
  return one.seat === other.seat && texts(one) === texts(other);
}
