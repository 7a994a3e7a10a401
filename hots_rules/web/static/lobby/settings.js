// @ts-check
// The options and readings of a ruleset, to choose before a game.
import { make } from "../parts/dom.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("../client.js").Setting} Setting
 * @typedef {NonNullable<import("../client.js").NewGame["settings"]>} Chosen values by their names
 */

export class Settings {
  /** @param {Words} words */
  constructor(words) {
    this.heading = make("summary", {}, words.settings);
    this.place = make("details", { hidden: true }, this.heading);
    /** @type {(Setting & { select: HTMLSelectElement })[]} */
    this.selects = [];
    this.words = words;
  }
  /**
   * Offers those that a scenario has, or without one all; some may be chosen already.
   * @param {readonly Setting[]} settings
   * @param {string | null} scenario
   * @param {Chosen} [chosen]
   */
  offer(settings, scenario, chosen = {}) {
    const fitting = settings.filter(
      (each) => scenario === null || each.scenarios.length === 0 || each.scenarios.includes(scenario),
    );
    this.selects = fitting.map((each) => ({
      ...each,
      select: choiceOf(each, chosen[each.name] ?? each.default, this.words),
    }));
    this.place.hidden = fitting.length === 0;
    this.place.replaceChildren(
      this.heading,
      ...this.selects.map((each) => make("label", {}, textOf(each), each.select)),
    );
  }
  // What differs from the usual.
  get chosen() {
    /** @type {Chosen} */
    const chosen = {};
    for (const { name, values, default: usual, select } of this.selects) {
      const value = values[Number(select.value)];
      if (value !== usual && value !== null) chosen[name] = value;
    }
    return chosen;
  }
}

/** @param {Setting} setting */
const textOf = (setting) => `${setting.text} ${setting.sections.map((section) => `§${section}`).join(" ")}`;

/**
 * @param {Setting} setting
 * @param {Setting["default"]} chosen
 * @param {Words} words
 */
function choiceOf({ name, values, texts }, chosen, words) {
  const textAt = (/** @type {number} */ i) => {
    const value = values[i];
    if (typeof value !== "boolean" || texts[i].toLowerCase() !== String(value)) return texts[i];
    return value ? words.yes : words.no;
  };
  return make(
    "select",
    { name },
    ...values.map((value, i) => make("option", { value: i, selected: value === chosen }, textAt(i))),
  );
}
