// Two rulesets side by side, section by section.
import { make } from "./table/parts/dom.js";

export class ComparePanel {
  constructor(library) {
    this.library = library;
    this.old = make("select", { name: "old" });
    this.new = make("select", { name: "new" });
    this.fault = make("p", { class: "fault", role: "alert" });
    this.place = make("div", { class: "differences", "aria-live": "polite", id: "differences" });
    const asked = (event) => {
      event.preventDefault();
      this.#compare();
    };
    this.panel = make(
      "div",
      {},
      make(
        "form",
        { class: "line", onsubmit: asked },
        make("label", {}, "From", this.old),
        make("label", {}, "To", this.new),
        make("button", {}, "Compare"),
      ),
      this.fault,
      this.place,
    );
  }
  // The ruleset of the folder is compared to the one that it extends, unless others were chosen.
  offer(own, all, bases) {
    const names = [...Object.keys(own), ...Object.keys(all)];
    const first = names[0];
    const chosen = [this.old.value || bases[first] || first, this.new.value || first];
    for (const [select, wanted] of [
      [this.old, chosen[0]],
      [this.new, chosen[1]],
    ])
      select.replaceChildren(...names.map((name) => make("option", { value: name, selected: name === wanted }, name)));
  }
  forget() {
    this.old.replaceChildren();
    this.new.replaceChildren();
    this.place.replaceChildren();
  }
  async #compare() {
    this.fault.textContent = "";
    this.place.replaceChildren(make("p", {}, "Comparing …"));
    try {
      const { names, summary, sections } = await this.library.ask("compare", {
        old: this.old.value,
        new: this.new.value,
      });
      this.place.replaceChildren(
        ...summary.map((line) => make("p", {}, line)),
        ...sections.map((section) => shown(section, names)),
      );
    } catch (error) {
      this.place.replaceChildren();
      this.fault.textContent = error.message;
    }
  }
}

function shown({ title, rows }, names) {
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
  const row = (each) => [
    make(
      "tr",
      {},
      make(
        "th",
        { scope: "rowgroup", colspan: names.length },
        `${each.title} (${each.changes})${each.notes.map((note) => `\n${note}`).join("")}`,
      ),
    ),
    make("tr", {}, ...each.cells.map((cell) => make("td", {}, cell.join("\n") || "—"))),
  ];
  return make(
    "section",
    {},
    make("h3", {}, title),
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows.flatMap(row))),
  );
}
