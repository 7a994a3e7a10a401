// @ts-check
// Odds on request, from what the seat knows: each value that something may have, with its percentage and a bar.
import { make, reached } from "./dom.js";
import { say, toldOf } from "./say.js";

/**
 * @typedef {import("./say.js").Words} Words
 * @typedef {import("../client.js").OddsTold} OddsTold
 * @typedef {import("../client.js").Share & { low?: number, high?: number }} Share with bounds, if it is estimated
 * @typedef {{ text: string, shares: readonly Share[] }} Shares
 * @typedef {{ outcomes: readonly Share[], changes: readonly Shares[] }} Parts
 * @typedef {Omit<OddsTold, "until" | "outcomes" | "changes"> & Parts} Told
 */

export class OddsPanel {
  /**
   * `compute` asks the table until an end.
   * @param {Words} words
   * @param {(until: string) => Promise<OddsTold>} compute
   */
  constructor(words, compute) {
    this.words = words;
    this.compute = compute;
    /** @type {object | null} */
    this.asked = null;
    this.until = make("select", { name: "until", "aria-label": words.odds_until });
    this.button = make("button", { type: "button", id: "odds", onclick: () => this.#ask() }, words.odds);
    this.shown = reached(make("div", { class: "odds", role: "status", "aria-label": words.odds, id: "odds-shown" }));
    this.place = make(
      "div",
      { class: "asks-odds", hidden: true },
      make("div", { class: "row" }, this.button, this.until),
      this.shown,
    );
  }
  /**
   * Until when odds can be asked for; none where the table tells none.
   * @param {readonly import("../client.js").OddsUntil[]} ends
   */
  offer(ends) {
    this.place.hidden = ends.length === 0;
    const kept = this.until.value;
    this.until.replaceChildren(...ends.map((each) => make("option", { value: each.until }, each.text)));
    if (ends.some((each) => each.until === kept)) this.until.value = kept;
  }
  clear() {
    this.asked = null;
    this.shown.replaceChildren();
  }

  async #ask() {
    const asked = {};
    this.asked = asked;
    this.button.disabled = true;
    this.shown.replaceChildren(make("p", {}, this.words.moment));
    try {
      const told = await this.compute(this.until.value);
      if (this.asked === asked) this.shown.replaceChildren(...shownOdds(this.words, told));
    } catch (error) {
      if (this.asked === asked) this.shown.replaceChildren(make("p", {}, toldOf(error, this.words)));
    } finally {
      this.button.disabled = false;
    }
  }
}

/**
 * The parts of an answer: who wins, what may change, and what was assumed.
 * @param {Words} words
 * @param {Told} told
 */
export function shownOdds(words, told) {
  const groups = [
    ...(told.outcomes.length ? [{ text: words.odds_winner, shares: told.outcomes }] : []),
    ...told.changes,
  ];
  const notes = [
    told.assumed,
    told.exact ? "" : say(words.odds_sampled, told.samples),
    told.worlds > 1 ? say(words.odds_worlds, told.worlds) : "",
  ].filter(Boolean);
  return [
    ...(groups.length ? groups.map(group) : [make("p", {}, words.odds_sure)]),
    ...(notes.length ? [make("p", { class: "note" }, notes.join(" "))] : []),
  ];
}

/** @param {Shares} shares */
function group({ text, shares }) {
  return make("figure", { class: "shares" }, make("figcaption", {}, text), ...shares.map(bar));
}

/** @param {number} share */
const percentOf = (share) => (share > 0 && share < 0.001 ? "< 0.1 %" : `${(100 * share).toFixed(1)} %`);

/** @param {Share} share */
function bar({ text, share, low = share, high = share }) {
  const bounds = low < high ? `${percentOf(low)} – ${percentOf(high)}` : "";
  return make(
    "div",
    { class: "share" },
    make("span", {}, text),
    make("meter", { min: "0", max: "1", value: share, "aria-label": text }),
    make("span", { class: "percent" }, percentOf(share)),
    ...(bounds ? [make("span", { class: "bounds" }, bounds)] : []),
  );
}
