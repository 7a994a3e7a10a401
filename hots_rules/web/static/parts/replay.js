// @ts-check
// A bar over the whole game: the board as this seat saw it after each play.
import { make } from "./dom.js";

export class Replay {
  /**
   * @param {import("./say.js").Words} words
   * @param {(at: number | null) => void} onMoment is told the number of plays to show; null for now
   */
  constructor(words, onMoment) {
    this.tell = onMoment;
    this.plays = 0;
    this.range = make("input", {
      type: "range",
      min: "0",
      "aria-label": words.replay,
      id: "moment",
      oninput: () => this.#go(Number(this.range.value)),
    });
    this.text = make("output", { id: "moment-text" });
    const step = (/** @type {string} */ label, /** @type {string} */ title, /** @type {number} */ by) =>
      make("button", { type: "button", title, "aria-label": title, onclick: () => this.step(by) }, label);
    this.now = make("button", { type: "button", id: "now", onclick: () => this.#go(this.plays) }, words.now);
    this.place = make(
      "div",
      { class: "replay" },
      step("◀", words.earlier, -1),
      this.range,
      step("▶", words.later, 1),
      this.text,
      this.now,
    );
  }

  /**
   * The game has so many plays, of which so many are shown; null for all.
   * @param {number} plays
   * @param {number | null} at
   */
  show(plays, at) {
    this.plays = plays;
    this.range.max = String(plays);
    this.range.value = String(at ?? plays);
    this.text.textContent = `${at ?? plays} / ${plays}`;
    this.now.disabled = at === null;
    this.place.hidden = plays === 0;
  }

  /** @param {number} by */
  step(by) {
    this.#go(Number(this.range.value) + by);
  }

  /** @param {number} plays */
  #go(plays) {
    const at = Math.min(Math.max(plays, 0), this.plays);
    this.tell(at === this.plays ? null : at);
  }
}
