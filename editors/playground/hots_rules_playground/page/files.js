// The files of the folder: a tab for each, the text of the chosen one, and the faults of all.
import { make } from "./table/parts/dom.js";
import { Editor } from "./editor.js";
import { NAME } from "./names.js";
import { Tabs } from "./tabs.js";

const PAUSE = 250; // milliseconds without a change before a text is checked

export class Files {
  // Tells of rulesets when they were checked, and of every change.
  constructor(place, table, library, { onRulesets, onChange }) {
    Object.assign(this, { library, onRulesets, onChange, texts: {}, faults: {}, name: "" });
    this.tabs = new Tabs("Files", (name) => this.choose(name));
    const host = make("div", { class: "editor", id: "editor", role: "tabpanel", "aria-label": "Text" });
    this.list = make("ul", { class: "faults", id: "faults", "aria-label": "Faults", "aria-live": "polite" });
    const button = (text, title, onclick) =>
      make("button", { type: "button", title, "aria-label": title, onclick }, text);
    const bar = make(
      "div",
      { class: "bar" },
      this.tabs.place,
      make(
        "div",
        { class: "row" },
        button("+", "New file", () => this.#add()),
        button("✎", "Rename this file", () => this.#rename()),
        button("×", "Remove this file", () => this.#remove()),
        button("Format", "Set this file in standard form", () => this.#format()),
      ),
    );
    place.replaceChildren(bar, host, this.list);
    this.editor = new Editor(host, table, library, (name, text) => this.#typed(name, text));
  }
  // Opens a folder in place of the one before.
  async open(texts, chosen = null) {
    this.texts = { ...texts };
    this.faults = {};
    this.isChecked = false;
    this.folder = (this.folder ?? 0) + 1;
    this.editor.forget();
    this.name = "";
    const names = Object.keys(texts);
    this.choose(names.includes(chosen) ? chosen : (names.find((name) => name.endsWith(".rules")) ?? names[0]));
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
  append(text) {
    this.editor.append(text);
  }

  #add() {
    this.#named("new.rules", (name) => {
      this.texts[name] = "";
      this.choose(name);
    });
  }
  #rename() {
    const old = this.name;
    this.#named(old, (name) => {
      const texts = Object.entries(this.texts).map(([each, text]) => [each === old ? name : each, text]);
      this.open(Object.fromEntries(texts), name);
    });
  }
  #remove() {
    if (Object.keys(this.texts).length < 2 || !confirm(`Remove ${this.name}?`)) return;
    const { [this.name]: _, ...others } = this.texts;
    this.open(others);
  }
  async #format() {
    await this.check();
    try {
      this.editor.replace(await this.library.ask("format", { name: this.name }));
    } catch {
      /* the faults are shown */
    }
  }
  #named(name, use) {
    const given = prompt("Name of the file, such as `game.rules` or `cases/game.md`:", name)?.trim();
    if (!given || (given === name && name in this.texts)) return;
    if (!NAME.test(given) || given in this.texts)
      this.list.replaceChildren(make("li", { class: "fault" }, `The name ${given} is taken, or is none for a file.`));
    else use(given);
  }

  #typed(name, text) {
    this.texts[name] = text;
    this.onChange();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), PAUSE);
  }
  // Sends what was typed, if it was not sent yet.
  settle() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.check();
  }
  async #check(ask, text) {
    const { folder } = this;
    try {
      const found = await ask();
      if (!found || folder !== this.folder) return; // another check took its place, or another folder is open
      this.faults = found.faults;
      this.isChecked = true;
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
    const correct = (name, fix) =>
      make("button", { type: "button", class: "fix", onclick: () => this.#correct(name, fix) }, fix.title);
    const line = ([name, fault]) =>
      make(
        "li",
        {},
        make(
          "button",
          { type: "button", onclick: () => this.#go(name, fault.from) },
          `${name}:${fault.line} ${fault.headline}${fault.help ? `\n${fault.help}` : ""}`,
        ),
        ...fault.fixes.map((fix) => correct(name, fix)),
      );
    this.list.replaceChildren(
      ...(all.length
        ? all.map(line)
        : [make("li", { class: this.isChecked ? "none" : "pending" }, this.isChecked ? "No faults." : "Checking …")]),
    );
  }
  #go(name, offset) {
    if (name !== this.name) this.choose(name);
    this.editor.go(offset);
  }
  // The places are those of the text that was checked, which has to be the one that is there.
  #correct(name, fix) {
    this.#go(name, fix.changes[0].from);
    if (!this.timer) this.editor.apply(fix);
  }
  #show() {
    const faulty = new Set(Object.keys(this.faults).filter((name) => this.faults[name].length));
    this.tabs.show(Object.fromEntries(Object.keys(this.texts).map((name) => [name, name])), this.name, {
      faulty,
      panel: "editor",
    });
  }
}
