// @ts-check
// What happened, in the words of the rulebook: a line for each action, and below it what its words do not tell already.
// Each section opens the rules that it has.
import { make } from "./dom.js";

/**
 * @typedef {import("../client.js").Told} Told
 * @typedef {Told & { times: number, isTold: boolean }} Following what follows, how often, and whether it is told at
 *   once
 */

const NAMES = /\p{Lu}[\p{L}’']*|\d+/gu;

/**
 * The steps of each action: what follows from it stands with it, and the same words stand there once.
 * @param {readonly Told[]} steps
 */
export function entriesOf(steps) {
  /** @type {{ first: Told, more: Following[] }[]} */
  const entries = [];
  for (const step of steps) {
    const last = entries.at(-1);
    if (step.kind === "action" || !last) entries.push({ first: step, more: [] });
    else {
      const { first, more } = last;
      const same = more.find((each) => each.text === step.text);
      if (same) same.times += 1;
      else more.push({ ...step, times: 1, isTold: step.kind === "chance" || !isRepeated(step.text, first.text) });
    }
  }
  return entries;
}

/**
 * Whether a text names nothing that another one does not name.
 * @param {string} text
 * @param {string} before
 */
function isRepeated(text, before) {
  const known = new Set(before.match(NAMES));
  return (text.match(NAMES) ?? []).every((name) => known.has(name));
}

/**
 * @param {HTMLElement} place
 * @param {readonly Told[]} steps
 * @param {import("./say.js").Words} words
 * @param {(edition: string, section: string) => void} onSection
 */
export function showLog(place, steps, words, onSection) {
  const open = (/** @type {string} */ section, /** @type {string} */ edition) =>
    make("button", { type: "button", class: "section", onclick: () => onSection(edition, section) }, `§${section}`);
  const line = (/** @type {Told} */ { text, sections, edition }, times = 1) => [
    `${times > 1 ? `${text} ×${times}` : text} `,
    ...sections.map((section) => open(section, edition)),
  ];
  const entry = (/** @type {{ first: Told, more: Following[] }} */ { first, more }) => {
    const head = make("div", { class: "first" }, ...line(first));
    const made = make("li", { class: first.kind }, head);
    if (more.some((step) => !step.isTold)) head.append(unfolding(made, words));
    if (more.length)
      made.append(
        make(
          "ul",
          {},
          ...more.map((step) => make("li", { class: step.isTold ? step.kind : "small" }, ...line(step, step.times))),
        ),
      );
    return made;
  };
  place.replaceChildren(...entriesOf(steps).map(entry));
  place.scrollTop = place.scrollHeight;
}

/**
 * Shows all steps of an action.
 * @param {HTMLElement} entry
 * @param {import("./say.js").Words} words
 */
function unfolding(entry, words) {
  const button = make(
    "button",
    {
      type: "button",
      class: "section unfold",
      "aria-expanded": "false",
      "aria-label": words.details,
      title: words.details,
      onclick: () => {
        button.setAttribute("aria-expanded", String(entry.classList.toggle("whole")));
      },
    },
    "…",
  );
  return button;
}
