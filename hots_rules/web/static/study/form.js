// The values of a position as a form: those of the whole table, and those of each thing, chosen by its name.
import { make } from "../parts/dom.js";

const spaced = (name) => name.replaceAll("_", " ");
const membersOf = (value) =>
  value
    .slice(1, -1)
    .split(/,\s*(?![^(]*\))/)
    .filter(Boolean);

export class PositionForm {
  // Tells of a line of a position that changes one value.
  constructor(words, form, onChange) {
    Object.assign(this, { words, form, change: onChange });
    this.values = {};
    const keys = new Map(form.variables.map((each) => [each.keys.join(", "), each.keys]));
    this.groups = [...keys.values()].map((types) => this.#group(types));
    const first = this.groups.find((group) => group.types.length === 1) ?? this.groups[0];
    if (first) first.place.open = true;
    this.place = make("div", { class: "form" }, ...this.groups.map((group) => group.place));
  }
  show(values) {
    this.values = values;
    for (const group of this.groups) this.#fill(group);
  }
  // Opens the values of a thing: of a piece or a place that was chosen on the board.
  open(name) {
    for (const group of this.groups.filter((each) => each.keys.length === 1)) {
      const found = this.#valueNamed(group.types[0], name);
      group.place.open = found !== undefined;
      if (found === undefined) continue;
      group.keys[0].value = found;
      group.place.open = true;
      this.#fill(group);
    }
  }
  // The line that puts a thing to a place; none if no variable does that.
  placing(piece, place) {
    for (const { name, keys, type, is_set: isSet } of this.form.variables) {
      if (keys.length !== 1 || isSet) continue;
      const [key, value] = [this.#valueNamed(keys[0], piece), this.#valueNamed(type, place)];
      if (key !== undefined && value !== undefined) return `${key}: ${name} ${value}`;
    }
    return null;
  }
  // A variable of places with few values, such as what stands there, can be set by clicks alone.
  get brushes() {
    return this.form.variables.filter(
      (each) => each.keys.length === 1 && !each.is_set && this.form.choices[each.type].length > 0,
    );
  }
  keyed(type, name) {
    return this.#valueNamed(type, name);
  }

  #valueNamed(type, name) {
    return (this.form.choices[type] ?? [])
      .map(([value]) => value)
      .find((value) => value === name || value.split(".").pop() === name);
  }
  #group(types) {
    const variables = this.form.variables.filter((each) => each.keys.join(", ") === types.join(", "));
    const group = { types, variables, fields: make("div", { class: "fields" }) };
    const refill = () => this.#fill(group);
    group.keys = types.map((type) => this.#selectOf(type, refill));
    const title = types.length ? types.map(spaced).join(", ") : this.words.values;
    group.place = make(
      "details",
      { class: "group" },
      make("summary", {}, title),
      ...(types.length ? [make("div", { class: "row" }, ...group.keys)] : []),
      group.fields,
    );
    return group;
  }
  #selectOf(type, onchange) {
    const choices = this.form.choices[type];
    if (choices.length === 0) return make("input", { "aria-label": spaced(type), value: "0", onchange });
    return make(
      "select",
      { "aria-label": spaced(type), onchange },
      ...choices.map(([value, word]) => make("option", { value }, word)),
    );
  }
  #fill(group) {
    const keys = group.keys.map((each) => each.value).join(", ");
    group.fields.replaceChildren(...group.variables.map((variable) => this.#field(variable, keys)));
  }
  #field(variable, keys) {
    const { name, type, is_set: isSet } = variable;
    const value = this.values[name]?.[keys] ?? "";
    const set = (chosen) => this.change(`${keys ? `${keys}: ` : ""}${name} ${chosen}`);
    const choices = this.form.choices[type];
    if (isSet && choices.length) return this.#members(name, value, choices, set);
    const field = choices.length
      ? make(
          "select",
          { name, onchange: () => set(field.value) },
          ...choices.map(([each, word]) => make("option", { value: each, selected: each === value }, word)),
        )
      : make("input", { name, value, autocomplete: "off", onchange: () => set(field.value) });
    return make("label", {}, spaced(name), field);
  }
  #members(name, value, choices, set) {
    const inside = new Set(membersOf(value));
    const toggle = (each) => {
      if (!inside.delete(each)) inside.add(each);
      set(`{${[...inside].join(", ")}}`);
    };
    const boxes = choices.map(([each, word]) =>
      make(
        "label",
        { class: "box" },
        make("input", { type: "checkbox", checked: inside.has(each), onchange: () => toggle(each) }),
        word,
      ),
    );
    return make("details", { class: "members" }, make("summary", {}, `${spaced(name)}: ${inside.size}`), ...boxes);
  }
}
