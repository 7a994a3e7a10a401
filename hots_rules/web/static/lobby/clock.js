// @ts-check
// The choice of a clock for a game that is opened.
import { make } from "../parts/dom.js";

export class ClockChoice {
  /** @param {import("../parts/say.js").Words} words */
  constructor(words) {
    const number = (/** @type {string} */ name, /** @type {number} */ value, /** @type {number} */ most) =>
      make("input", { type: "number", name, min: name === "increment" ? "0" : "1", max: most, value });
    this.kind = make(
      "select",
      { name: "clock", id: "clock", onchange: () => this.#show() },
      make("option", { value: "none" }, words.clock_none),
      make("option", { value: "game" }, words.clock_game),
      make("option", { value: "turn" }, words.clock_turn),
    );
    this.minutes = number("minutes", 30, 1440);
    this.increment = number("increment", 10, 3600);
    this.days = number("days", 3, 365);
    this.game = make(
      "div",
      { class: "row" },
      make("label", {}, words.clock_minutes, this.minutes),
      make("label", {}, words.clock_increment, this.increment),
    );
    this.turn = make("div", { class: "row" }, make("label", {}, words.clock_days, this.days));
    this.place = make("fieldset", {}, make("label", { for: "clock" }, words.clock), this.kind, this.game, this.turn);
    this.#show();
  }
  #show() {
    this.game.hidden = this.kind.value !== "game";
    this.turn.hidden = this.kind.value !== "turn";
  }
  // As the table takes it; null for none.
  get chosen() {
    if (this.kind.value === "none") return null;
    if (this.kind.value === "turn") return { days: Number(this.days.value) };
    return { seconds: Number(this.minutes.value) * 60, increment: Number(this.increment.value) };
  }
}
