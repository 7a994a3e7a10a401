// A bar over the whole game: the board as this seat saw it after each play.
import { make } from "./dom.js";

export class Replay {
  // Tells of the number of plays to show; null for now.
  constructor(words, onMoment) {
    this.words = words;
    this.tell = onMoment;
    this.range = make("input", {
      type: "range",
      min: "0",
      "aria-label": words.replay,
      id: "moment",
      oninput: () => this.#go(Number(this.range.value)),
    });
    this.text = make("output", { id: "moment-text" });
    const step = (label, title, by) =>
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
    this.plays = 0;
    this.at = null;
  }
  // The game has so many plays now.
  set(plays) {
    this.plays = plays;
    this.range.max = plays;
    this.place.hidden = plays === 0;
    if (this.at !== null && this.at >= plays) this.at = null;
    this.#show();
  }
  step(by) {
    this.#go(Number(this.range.value) + by);
  }
  #go(plays) {
    const at = Math.min(Math.max(plays, 0), this.plays);
    this.at = at === this.plays ? null : at;
    this.#show();
    this.tell(this.at);
  }
  #show() {
    const shown = this.at ?? this.plays;
    this.range.value = shown;
    this.text.textContent = `${shown} / ${this.plays}`;
    this.now.disabled = this.at === null;
  }
}
