// Tabs as people with a keyboard know them: arrows go from one to the next.
import { make } from "./table/parts/dom.js";

export class Tabs {
  constructor(label, onChoose) {
    this.choose = onChoose;
    this.place = make("div", {
      class: "tabs",
      role: "tablist",
      "aria-label": label,
      onkeydown: (event) => this.#key(event),
    });
  }
  // Shows tabs by name with their texts; those of `faulty` are marked.
  show(texts, chosen, { faulty = new Set(), panel = null } = {}) {
    const hadFocus = this.place.contains(document.activeElement);
    this.place.replaceChildren(
      ...Object.entries(texts).map(([name, text]) =>
        make(
          "button",
          {
            type: "button",
            role: "tab",
            id: `tab-${name}`,
            "data-name": name,
            "aria-selected": String(name === chosen),
            "aria-controls": panel ?? `panel-${name}`,
            tabindex: name === chosen ? "0" : "-1",
            class: faulty.has(name) ? "faulty" : null,
            onclick: () => this.choose(name),
          },
          text,
        ),
      ),
    );
    if (hadFocus) this.place.querySelector("[aria-selected=true]")?.focus();
  }
  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...this.place.children];
    const next = tabs[(tabs.findIndex((tab) => tab === document.activeElement) + step + tabs.length) % tabs.length];
    event.preventDefault();
    this.choose(next.dataset.name);
  }
}
