// What happened, in the words of the rulebook; each section opens the rules that it has.
import { make } from "./dom.js";

export function showLog(place, steps, onSection) {
  const open = (section, edition) => make("button", { type: "button", class: "section", onclick: () => onSection(edition, section) }, `§${section}`);
  place.replaceChildren(...steps.map((step) => make("li", { class: step.kind }, `${step.text} `,
    ...step.sections.map((section) => open(section, step.edition)))));
  place.scrollTop = place.scrollHeight;
}
