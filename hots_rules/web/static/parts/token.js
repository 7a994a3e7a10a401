// The token of a table that is closed to strangers: asked for when the table refuses somebody without one.
import { make } from "./dom.js";

export class TokenField {
  constructor(words) {
    this.input = make("input", { name: "token", type: "password", autocomplete: "off" });
    this.place = make("label", { hidden: true }, words.token, this.input);
  }
  get value() {
    return this.input.value.trim() || null;
  }
  // After a refusal; it stays where somebody has entered one.
  askFor(error) {
    this.place.hidden = error.status !== 401 && this.value === null;
  }
}
