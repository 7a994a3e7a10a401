// What happened, in the words of the rulebook: a line for each action, and below it what its words do not tell already.
// Each section opens the rules that it has.
import { make } from "./dom.js";

const NAMES = /\p{Lu}[\p{L}’']*|\d+/gu;

// The steps of each action: what follows from it stands with it, and the same words stand there once.
export function entriesOf(steps) {
  const entries = [];
  for (const step of steps) {
    if (step.kind === "action" || entries.length === 0) entries.push({ first: step, more: [] });
    else {
      const { first, more } = entries.at(-1);
      const same = more.find((each) => each.text === step.text);
      if (same) same.times += 1;
      else more.push({ ...step, times: 1, isTold: step.kind === "chance" || !isRepeated(step.text, first.text) });
    }
  }
  return entries;
}

// Whether a text names nothing that another one does not name.
function isRepeated(text, before) {
  const known = new Set(before.match(NAMES));
  return (text.match(NAMES) ?? []).every((name) => known.has(name));
}

export function showLog(place, steps, words, onSection) {
  const open = (section, edition) =>
    make("button", { type: "button", class: "section", onclick: () => onSection(edition, section) }, `§${section}`);
  const line = ({ text, sections, edition, times = 1 }) => [
    `${times > 1 ? `${text} ×${times}` : text} `,
    ...sections.map((section) => open(section, edition)),
  ];
  const entry = ({ first, more }) => {
    const made = make("li", { class: first.kind }, make("div", { class: "first" }, ...line(first)));
    if (more.some((step) => !step.isTold)) made.firstChild.append(unfolding(made, words));
    if (more.length)
      made.append(
        make("ul", {}, ...more.map((step) => make("li", { class: step.isTold ? step.kind : "small" }, ...line(step)))),
      );
    return made;
  };
  place.replaceChildren(...entriesOf(steps).map(entry));
  place.scrollTop = place.scrollHeight;
}

// Shows all steps of an action.
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
