// What happened, in the words of the rulebook, each with its sections.
import { make } from "./dom.js";

export function showLog(place, steps) {
  place.replaceChildren(...steps.map((step) => {
    const sections = step.sections.map((section) => `§${section}`).join(" ");
    return make("li", { class: step.kind }, `${step.text} `, make("small", {}, sections));
  }));
  place.scrollTop = place.scrollHeight;
}
