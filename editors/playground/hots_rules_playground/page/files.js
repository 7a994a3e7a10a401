// The files of the folder: a tab for each, the text of the chosen one, and the faults of all.
import { make } from "./table/dom.js";
import { Editor } from "./editor.js";
import { Tabs } from "./tabs.js";

const PAUSE = 250; // milliseconds without a change before a text is checked
export const NAME = /^[\w-][\w .()-]*(\/[\w-][\w .()-]*)*$/;

export class Files {
  // Tells of rulesets when they were checked, and of every change.
  constructor(place, table, library, { onRulesets, onChange }) {
    Object.assign(this, { library, onRulesets, onChange, texts: {}, faults: {}, name: "" });
    this.tabs = new Tabs("Files", (name) => this.choose(name));
    const host = make("div", { class: "editor", id: "editor", role: "tabpanel", "aria-label": "Text" });
    this.list = make("ul", { class: "faults", id: "faults", "aria-label": "Faults", "aria-live": "polite" });
    place.replaceChildren(this.tabs.place, host, this.list);
    this.editor = new Editor(host, table, library, (name, text) => this.#typed(name, text));
  }
  // Opens a folder in place of the one before.
  async open(texts, chosen = null) {
    this.texts = { ...texts };
    this.faults = {};
    this.editor.forget();
    this.name = "";
    const names = Object.keys(texts);
    this.choose(names.includes(chosen) ? chosen : names.find((name) => name.endsWith(".rules")) ?? names[0]);
    this.onChange();
    await this.#check(() => this.library.ask("open", { files: this.texts }));
    if (this.name) await this.check();
  }
  choose(name) {
    if (name === undefined) return;
    this.name = name;
    this.editor.show(name, this.texts[name]);
    this.#show();
    this.#mark();
    this.check();
  }
  async check() {
    const { name } = this;
    const text = this.texts[name];
    await this.#check(() => this.library.askLatest("check", { name, text }), text);
  }
  append(text) { this.editor.append(text); }

  #typed(name, text) {
    this.texts[name] = text;
    this.onChange();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }
  async #check(ask, text) {
    try {
      const found = await ask();
      if (!found) return; // another check took its place
      this.faults = found.faults;
      this.onRulesets(found.rulesets);
      this.#mark(text);
      if (text !== undefined) this.editor.showNames(found.colours, text);
    } catch (error) {
      this.list.replaceChildren(make("li", { class: "fault" }, error.message));
    }
    this.#show();
  }
  #mark(text = this.texts[this.name]) {
    this.editor.showFaults(this.faults[this.name] ?? [], text);
    const all = Object.entries(this.faults).flatMap(([name, faults]) => faults.map((fault) => [name, fault]));
    const line = ([name, fault]) => make("li", {}, make("button", { type: "button", onclick: () => this.#go(name, fault) },
      `${name}:${fault.line} ${fault.headline}${fault.help ? `\n${fault.help}` : ""}`));
    this.list.replaceChildren(...(all.length ? all.map(line) : [make("li", { class: "none" }, "No faults.")]));
  }
  #go(name, fault) {
    if (name !== this.name) this.choose(name);
    this.editor.go(fault.from);
  }
  #show() {
    const faulty = new Set(Object.keys(this.faults).filter((name) => this.faults[name].length));
    this.tabs.show(Object.fromEntries(Object.keys(this.texts).map((name) => [name, name])), this.name, { faulty, panel: "editor" });
  }
}
