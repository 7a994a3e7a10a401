// @ts-check
// The token of a table that is closed to strangers: asked for when the table refuses somebody without one.
import { make } from "./dom.js";
import { statusOf } from "./say.js";

export class TokenField {
  /** @param {import("./say.js").Words} words */
  constructor(words) {
    this.input = make("input", { name: "token", type: "password", autocomplete: "off" });
    this.place = make("label", { hidden: true }, words.token, this.input);
  }
  get value() {
    return this.input.value.trim() || null;
  }
  /**
   * After a refusal; it stays where somebody has entered one.
   * @param {unknown} error
   */
  askFor(error) {
    this.place.hidden = statusOf(error) !== 401 && this.value === null;
  }
}
