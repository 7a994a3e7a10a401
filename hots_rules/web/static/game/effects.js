// @ts-check
// What the page has to do when a state follows another.
import { isToAnswer } from "./state.js";

/**
 * To look at the game as its next seat, to read the log or a moment, to give shares of a seed, or to ring.
 * @typedef {"sit" | "log" | "moment" | "mix" | "ring"} Effect
 * @typedef {import("./state.js").PageState} PageState
 */

/**
 * What follows from a step.
 * @param {PageState} before
 * @param {PageState} after
 * @returns {Effect[]}
 */
export function effectsOf(before, after) {
  /** @type {[Effect, boolean][]} */
  const effects = [
    ["sit", after.seat !== before.seat],
    ["log", after.wanted !== ""],
    ["moment", after.at !== null && after.at !== before.at],
    ["mix", after.seen !== null && after.seen !== before.seen && after.seen.is_mixing],
    ["ring", isCalled(before, after)],
  ];
  return effects.filter(([, isDue]) => isDue).map(([effect]) => effect);
}

/**
 * Whether it is the turn of this screen, or a question is asked, as it was not before.
 * @param {PageState} before
 * @param {PageState} after
 */
function isCalled(before, after) {
  if (before.seen === null || after.seen === null || before.seen === after.seen) return false;
  const isTurn = before.seen.view.actions.length === 0 && after.seen.view.actions.length > 0;
  const isAsked = after.seen.seat !== null && after.seen.seating.lost.length > before.seen.seating.lost.length;
  if (isAsked) return true;
  return (isTurn && after.seen.number !== before.seen.number) || (before.seen.question === null && isToAnswer(after));
}
