// @ts-check
// The values of a position as a form: those of the whole table, and those of each thing, chosen by its name.
import { make } from "../parts/dom.js";

/**
 * @typedef {import("../client.js").FormVariable} FormVariable
 * @typedef {import("../client.js").PositionForm["choices"][string]} Choices of a value: each with its word
 * @typedef {HTMLSelectElement | HTMLInputElement} Field
 * @typedef {{ [variable: string]: { [keys: string]: string } }} Values
 * @typedef {{ types: readonly string[], variables: FormVariable[], fields: HTMLElement, keys: Field[],
 *   place: HTMLDetailsElement }} Group of the variables with keys of the same types
 */

const spaced = (/** @type {string} */ name) => name.replaceAll("_", " ");
const membersOf = (/** @type {string} */ value) =>
  value
    .slice(1, -1)
    .split(/,\s*(?![^(]*\))/)
    .filter(Boolean);

export class PositionForm {
  /**
   * Tells of a line of a position that changes one value.
   * @param {import("../parts/say.js").Words} words
   * @param {import("../client.js").PositionForm} form
   * @param {(line: string) => void} onChange
   */
  constructor(words, form, onChange) {
    this.words = words;
    this.form = form;
    this.change = onChange;
    /** @type {Values} */
    this.values = {};
    const keys = new Map(form.variables.map((each) => [each.keys.join(", "), each.keys]));
    this.groups = [...keys.values()].map((types) => this.#group(types));
    const first = this.groups.find((group) => group.types.length === 1) ?? this.groups[0];
    if (first) first.place.open = true;
    this.place = make("div", { class: "form" }, ...this.groups.map((group) => group.place));
  }
  /** @param {Values} values */
  show(values) {
    this.values = values;
    for (const group of this.groups) this.#fill(group);
  }
  /**
   * Opens the values of a thing: of a piece or a place that was chosen on the board.
   * @param {string} name
   */
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
  /**
   * The line that puts a thing to a place; none if no variable does that.
   * @param {string} piece
   * @param {string} place
   */
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
  /**
   * @param {string} type
   * @param {string} name
   */
  keyed(type, name) {
    return this.#valueNamed(type, name);
  }

  /**
   * @param {string} type
   * @param {string} name
   */
  #valueNamed(type, name) {
    return (this.form.choices[type] ?? [])
      .map(([value]) => value)
      .find((value) => value === name || value.split(".").pop() === name);
  }
  /**
   * @param {readonly string[]} types
   * @returns {Group}
   */
  #group(types) {
    const variables = this.form.variables.filter((each) => each.keys.join(", ") === types.join(", "));
    const fields = make("div", { class: "fields" });
    const keys = types.map((type) => this.#selectOf(type, () => this.#fill(group)));
    const title = types.length ? types.map(spaced).join(", ") : this.words.values;
    const place = make(
      "details",
      { class: "group" },
      make("summary", {}, title),
      ...(types.length ? [make("div", { class: "row" }, ...keys)] : []),
      fields,
    );
    const group = { types, variables, fields, keys, place };
    return group;
  }
  /**
   * @param {string} type
   * @param {() => void} onchange
   * @returns {Field}
   */
  #selectOf(type, onchange) {
    const choices = this.form.choices[type];
    if (choices.length === 0) return make("input", { "aria-label": spaced(type), value: "0", onchange });
    return make(
      "select",
      { "aria-label": spaced(type), onchange },
      ...choices.map(([value, word]) => make("option", { value }, word)),
    );
  }
  /** @param {Group} group */
  #fill(group) {
    const keys = group.keys.map((each) => each.value).join(", ");
    group.fields.replaceChildren(...group.variables.map((variable) => this.#field(variable, keys)));
  }
  /**
   * @param {FormVariable} variable
   * @param {string} keys
   */
  #field(variable, keys) {
    const { name, type, is_set: isSet } = variable;
    const value = this.values[name]?.[keys] ?? "";
    const set = (/** @type {string} */ chosen) => this.change(`${keys ? `${keys}: ` : ""}${name} ${chosen}`);
    const choices = this.form.choices[type];
    if (isSet && choices.length) return this.#members(name, value, choices, set);
    /** @type {Field} */
    const field = choices.length
      ? make(
          "select",
          { name, onchange: () => set(field.value) },
          ...choices.map(([each, word]) => make("option", { value: each, selected: each === value }, word)),
        )
      : make("input", { name, value, autocomplete: "off", onchange: () => set(field.value) });
    return make("label", {}, spaced(name), field);
  }
  /**
   * @param {string} name
   * @param {string} value
   * @param {Choices} choices
   * @param {(chosen: string) => void} set
   */
  #members(name, value, choices, set) {
    const inside = new Set(membersOf(value));
    const toggle = (/** @type {string} */ each) => {
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
