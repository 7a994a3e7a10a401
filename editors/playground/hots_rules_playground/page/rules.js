// The rulebook: declarations that have some words, each with its text, to be changed in the folder.
import { make } from "./table/parts/dom.js";

export class RulesPanel {
  // `onChange` puts a text into the folder.
  constructor(library, onAmend) {
    Object.assign(this, { library, onAmend });
    this.ruleset = make("select", { name: "rulebook" });
    this.words = make("input", { name: "words", autocomplete: "off", placeholder: "words, a name, or a section" });
    this.fault = make("p", { class: "fault", role: "alert" });
    this.found = make("div", { class: "found", "aria-live": "polite", id: "found" });
    const asked = (event) => {
      event.preventDefault();
      this.#find();
    };
    this.panel = make(
      "div",
      {},
      make(
        "form",
        { class: "line", onsubmit: asked },
        make("label", {}, "Ruleset", this.ruleset),
        make("label", { class: "wide" }, "Find", this.words),
        make("button", {}, "Find"),
      ),
      this.fault,
      this.found,
    );
  }
  offer(own, all) {
    const chosen = this.ruleset.value;
    const names = [...Object.keys(own), ...Object.keys(all)];
    this.ruleset.replaceChildren(
      ...names.map((name) => make("option", { value: name, selected: name === chosen }, name)),
    );
  }
  async #find() {
    this.fault.textContent = "";
    try {
      const found = await this.library.ask("find", { ruleset: this.ruleset.value, words: this.words.value });
      this.found.replaceChildren(
        ...(found.length ? found.map((each) => this.#shown(each)) : [make("p", {}, "Nothing has these words.")]),
      );
    } catch (error) {
      this.fault.textContent = error.message;
    }
  }
  #shown({ kind, name, sections, summary, source, amendment }) {
    const change = make("button", { type: "button", onclick: () => this.onAmend(amendment) }, "Change this");
    return make(
      "article",
      {},
      make("h3", {}, `${kind} ${name} ${sections.map((each) => `§${each}`).join(" ")}`),
      make("p", {}, summary),
      make("pre", { tabindex: "0" }, source),
      ...(amendment ? [change] : []),
    );
  }
}
