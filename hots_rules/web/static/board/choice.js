// @ts-check
// What was chosen so far, and which legal actions have all of it. No rule is known here: each action comes with the
// ids of the shapes that stand for its arguments.
import { rankOf } from "./things.js";

/** @typedef {import("./things.js").ActionOnBoard} ActionOnBoard */

export class Choice {
  /** @param {readonly ActionOnBoard[]} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {readonly string[]} */
    this.things = [];
    /** @type {ActionOnBoard | null} */
    this.taken = null;
  }
  get left() {
    return this.actions.filter((action) => this.things.every((thing) => action.things.includes(thing)));
  }
  // The things to light up: of each action that is left, what people choose first. What all have in common decides
  // nothing.
  get next() {
    const left = this.left;
    if (this.single) return new Set();
    const isCommon = (/** @type {string} */ thing) =>
      left.length > 1 && left.every((action) => action.things.includes(thing));
    return new Set(
      left.flatMap((action) => {
        const open = action.things.filter((thing) => !this.things.includes(thing) && !isCommon(thing));
        const least = Math.min(...open.map(rankOf));
        return open.filter((thing) => rankOf(thing) === least);
      }),
    );
  }
  // The pieces that all actions that are left are about, where none was chosen.
  get acting() {
    const { left } = this;
    if (this.single || left.length < 2) return [];
    return left[0].things.filter(
      (thing) =>
        rankOf(thing) === 0 && !this.things.includes(thing) && left.every((action) => action.things.includes(thing)),
    );
  }
  // Whether only one action is left of several, or was asked for.
  get single() {
    return this.things.length > 0 && this.left.length === 1 ? this.left[0] : null;
  }
  /** @param {string} thing */
  choose(thing) {
    if (this.things.includes(thing)) this.things = this.things.filter((other) => other !== thing);
    else this.things = [...this.things, thing];
  }
  /** @param {ActionOnBoard} action */
  take(action) {
    this.things = [];
    this.actions = this.actions.filter((other) => other === action);
    this.taken = action;
  }
  back() {
    this.things = this.things.slice(0, -1);
  }
}
