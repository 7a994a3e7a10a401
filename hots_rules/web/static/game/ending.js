// @ts-check
// The end of a game otherwise than by its rules: it is aborted before the first action, resigned, or drawn.
import { make } from "../parts/dom.js";

/** @typedef {"abort" | "resign" | "draw"} End */

export class Ending {
  /**
   * @param {import("../parts/say.js").Words} words
   * @param {(end: End) => void} end of the game, as the seat before the screen wishes it
   */
  constructor(words, end) {
    const button = (/** @type {End} */ id, /** @type {string} */ text) =>
      make("button", { type: "button", id, onclick: () => confirm(`${text}?`) && end(id) }, text);
    this.abort = button("abort", words.abort);
    this.resign = button("resign", words.resign);
    this.draw = button("draw", words.draw_offer);
    this.place = make(
      "details",
      { hidden: true },
      make("summary", {}, words.end_game),
      make("div", { class: "row" }, this.abort, this.resign, this.draw),
    );
  }

  /** @param {import("./state.js").PageState} state */
  show({ seen }) {
    if (seen === null) return;
    const hasBegun = seen.view.plays > 0;
    this.place.hidden = seen.seat === null || seen.is_over || seen.is_mixing;
    this.abort.hidden = hasBegun;
    this.resign.hidden = !hasBegun || Object.keys(seen.sitting).length !== 2;
    this.draw.hidden = !hasBegun || seen.question !== null;
  }
}
