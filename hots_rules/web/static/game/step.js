// @ts-check
// What each event makes of the state of the page. Nothing here draws, asks or waits.
//
// Answers come in any order. Each tells the number of changes of the game, so an older one never replaces a newer one;
// what was asked for a seat, a moment or a question that nobody looks at any more is dropped.
import { isBusy, lastReturn, nothingSeen } from "./state.js";

/**
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").PageEvent} PageEvent
 * @typedef {import("./state.js").Notice} Notice
 * @typedef {import("./state.js").Seen} Seen
 * @typedef {import("./state.js").Moment} Moment
 */

/**
 * The state after an event; the same one if the event comes too late.
 * @param {PageState} state
 * @param {PageEvent} event
 * @returns {PageState}
 */
export function step(state, event) {
  switch (event.type) {
    case "seated":
      return { ...state, seats: event.players };
    case "stated":
      return stated(state, event.seat, event.seen, event.isAnew ?? false);
    case "lost":
      return { ...state, isLost: true, status: "lost" };
    case "failed":
      return { ...state, status: { text: event.text } };
    case "missing":
      return state.seen?.is_mixing ? { ...state, status: { missing: event.players } } : state;
    case "sent": // while a change is on its way, no other is sent
      return isBusy(state) || state.seen === null ? noticed(state, "wait") : { ...state, sent: state.seen.number };
    case "slow":
      return isBusy(state) && state.sent === event.number ? { ...state, status: "wait" } : state;
    case "answered": // another change may be on its way by now
      return state.sent === event.number ? { ...state, sent: null } : state;
    case "asked":
      return noticed(state, "wait");
    case "told":
      return state.question === event.question ? { ...state, notice: { text: event.text } } : state;
    case "noticed":
      return noticed(state, event.notice);
    case "logWanted":
      return { ...state, wanted: event.wanted };
    case "looked":
      return { ...state, at: event.at, moment: null, status: event.at === null ? "turn" : state.status };
    case "remembered":
      return event.seat === state.seat && event.at === state.at
        ? { ...state, moment: event.moment, status: { text: titleOf(event.moment) } }
        : state;
    case "uncovered": // who comes before the table has answered sees nothing yet
      return state.seen === null
        ? { ...state, isAwaited: true, status: "wait" }
        : { ...state, isAwaited: false, isCovered: false };
  }
}

/**
 * The state with another notice; the answer to an earlier question is dropped from then on.
 * @param {PageState} state
 * @param {Notice} notice
 */
const noticed = (state, notice) => ({ ...state, notice, question: state.question + 1 });

/** @param {Moment} moment */
const titleOf = ({ log, phase }) => log.find(({ kind }) => kind === "action")?.text ?? log[0]?.text ?? phase;

/**
 * @param {PageState} state
 * @param {number} seat
 * @param {Seen} seen
 * @param {boolean} isAnew whether the log was asked for, and takes the place of the one that is known
 * @returns {PageState}
 */
function stated(state, seat, seen, isAnew) {
  // What comes too late does not tell what was missed while the stream was cut.
  if (seat !== state.seat || seen.number < state.number) return state;
  const next = nextSeat(state, seen);
  if (next !== seat) return passed(state, next, seen);
  const before = state.seen;
  const gameWentBack = before !== null && lastReturn(before) !== lastReturn(seen);
  const isNow = gameWentBack || state.at === null || state.at >= seen.view.plays;
  return {
    ...state,
    ...(isAnew ? logAnew(seen) : logAfter(state, seen, gameWentBack)),
    names: seen.players,
    number: seen.number,
    seen,
    at: isNow ? null : state.at,
    moment: isNow ? null : state.moment,
    isCovered: state.isCovered && !state.isAwaited,
    isAwaited: false,
    isLost: false,
    status: "turn", // at an earlier moment, too: it is news
    spoken: newDoings(before, seen) ?? newSteps(before, seen) ?? state.spoken,
  };
}

/**
 * The seat before the screen: the one that sits there if it is to choose, else the first one that is.
 * @param {PageState} state
 * @param {Seen} seen
 */
function nextSeat({ seats, seat }, seen) {
  const isToMove = (/** @type {string | null} */ player) => player !== null && seen.view.to_move.includes(player);
  const next = seats.findIndex(isToMove);
  return seats.length < 2 || next < 0 || isToMove(seen.seat) ? seat : next;
}

/**
 * The screen is covered until its next player is there, and nothing of the seat before stays.
 * @param {PageState} state
 * @param {number} seat
 * @param {Seen} seen by the seat before
 * @returns {PageState}
 */
const passed = (state, seat, seen) => ({
  ...noticed(state, ""),
  seat,
  names: seen.players,
  number: seen.number,
  ...nothingSeen,
  isCovered: true,
  isAwaited: false,
  isLost: false,
  status: "wait",
  spoken: { text: "" },
});

// ------------------------------------------------------------------ the log
/** @typedef {Pick<PageState, "steps" | "isCut" | "wanted">} Log */

/**
 * @param {Seen} seen
 * @returns {Log}
 */
const logAnew = (seen) => ({ steps: seen.log, isCut: seen.log_since > 0, wanted: "" });

/**
 * The log after an answer.
 * @param {PageState} state
 * @param {Seen} seen
 * @param {boolean} gameWentBack
 * @returns {Log}
 */
function logAfter({ seen: before, steps, isCut, wanted }, seen, gameWentBack) {
  const { plays } = seen.view;
  if (before === null) return logAnew(seen);
  // Nothing has changed.
  if (before.number === seen.number) return { steps, isCut, wanted };
  // After a return, or an action that was taken back, it is to be read anew.
  if (gameWentBack || plays < before.view.plays) return { steps, isCut, wanted: wanted || "recent" };
  // What is new follows on what is known; or it does not, and stands alone; or nothing was played.
  if (isLogAfter(before, seen)) return { steps: [...steps, ...seen.log], isCut, wanted };
  return plays > seen.log_since ? { ...logAnew(seen), wanted } : { steps, isCut, wanted };
}

/**
 * Whether the log of an answer goes on where that of another one ends.
 * @param {Seen} before
 * @param {Seen} seen
 */
const isLogAfter = (before, seen) => seen.log_since === before.view.plays && seen.view.plays > before.view.plays;

/**
 * @param {Seen | null} before
 * @param {Seen} seen
 */
function newSteps(before, seen) {
  const isNew = before !== null && before.number !== seen.number && lastReturn(before) === lastReturn(seen);
  return isNew && isLogAfter(before, seen) ? { text: seen.log.map(({ text }) => text).join(". ") } : null;
}

/**
 * @param {Seen | null} before
 * @param {Seen} seen
 */
function newDoings(before, seen) {
  const doings = before === null ? [] : seen.doings.filter(({ number }) => number >= before.number);
  return doings.length > 0 ? { text: doings.map(({ text }) => text).join(" ") } : null;
}
