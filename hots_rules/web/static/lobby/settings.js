// The options and readings of a ruleset, to choose before a game.
import { make } from "../parts/dom.js";

export class Settings {
  constructor(words) {
    this.place = make("details", { hidden: true }, make("summary", {}, words.settings));
    this.selects = [];
    this.words = words;
  }
  // Offers those that a scenario has, or without one all; some may be chosen already.
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
      this.place.firstChild,
      ...this.selects.map((each) => make("label", {}, textOf(each), each.select)),
    );
  }
  // What differs from the usual.
  get chosen() {
    const chosen = this.selects.map(({ name, values, select }) => [name, values[Number(select.value)]]);
    const usual = new Map(this.selects.map((each) => [each.name, each.default]));
    return Object.fromEntries(chosen.filter(([name, value]) => value !== usual.get(name)));
  }
}

const textOf = (setting) => `${setting.text} ${setting.sections.map((section) => `§${section}`).join(" ")}`;

function choiceOf({ name, values, texts }, chosen, words) {
  const textAt = (i) =>
    texts[i].toLowerCase() !== String(values[i])
      ? texts[i]
      : ({ true: words.yes, false: words.no }[values[i]] ?? texts[i]);
  return make(
    "select",
    { name },
    ...values.map((value, i) => make("option", { value: i, selected: value === chosen }, textAt(i))),
  );
}
