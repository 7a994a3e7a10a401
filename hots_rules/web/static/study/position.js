// @ts-check
// A position is set up: by clicks on the board, by values in a form, or as text; checked and drawn as it changes.
import { Analysis } from "./analysis.js";
import * as api from "../parts/api.js";
import { Board } from "../board/board.js";
import { make } from "../parts/dom.js";
import { PositionForm } from "./form.js";
import { showLobby } from "../lobby/lobby.js";
import { packed } from "../parts/packing.js";
import { Settings } from "../lobby/settings.js";
import { nameOf } from "../board/things.js";
import { toldOf } from "../parts/say.js";

const PAUSE = 500; // milliseconds after the last key before a text is read
const isPiece = (/** @type {string} */ thing) => thing.startsWith("block ");

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("../client.js").RulesetLine} RulesetLine
 * @typedef {import("../lobby/settings.js").Chosen} Chosen
 */

/**
 * What a page is about: a ruleset of several, its settings, and those that a link gives.
 * @typedef {object} About
 * @property {readonly RulesetLine[]} rulesets
 * @property {RulesetLine} line
 * @property {import("../client.js").RulesetFacts} facts
 * @property {import("../client.js").PositionForm} form
 * @property {Chosen} given
 * @property {(line: RulesetLine) => void} open another ruleset
 */

export class PositionPage {
  /**
   * @param {HTMLElement} main
   * @param {Words} words
   * @param {About} about
   */
  constructor(main, words, { rulesets, line, facts, form, given, open }) {
    this.main = main;
    this.words = words;
    this.table = api.anybody();
    this.name = line.name;
    this.given = given;
    this.isSettled = false; // whether settings were chosen here
    /** @type {string | null} */
    this.thing = null;
    this.asked = {};
    /** @type {{ variable: import("../client.js").FormVariable, value: string, word: string }[]} */
    this.strokes = [];
    /** @type {number | undefined} */
    this.waiting = undefined;
    this.place = make("div", { class: "board" });
    this.board = new Board(
      this.place,
      (thing) => this.#choose(thing),
      (thing) => this.analysis.about(nameOf(thing)),
    );
    this.form = new PositionForm(words, form, (line) => this.draft(this.area.value, line));
    this.analysis = new Analysis(
      words,
      (asked) => this.table.askPosition(this.name, { text: this.area.value, words: asked, settings: this.#settings }),
      (until, action) =>
        this.table.computePositionOdds(this.name, { text: this.area.value, until, action, settings: this.#settings }),
    );
    this.area = make("textarea", {
      name: "position",
      rows: "10",
      spellcheck: "false",
      "aria-label": words.position_text,
      oninput: () => this.#typed(),
    });
    this.faults = make("ul", { class: "faults", role: "status", id: "faults" });
    this.next = make("p", { id: "next" }, words.moment);
    this.chosen = make("p", { id: "chosen" });
    this.game = make(
      "select",
      {
        name: "ruleset",
        "aria-label": words.game,
        onchange: () => {
          const chosen = rulesets.find((each) => each.name === this.game.value) ?? line;
          open(chosen);
        },
      },
      ...rulesets.map((each) =>
        make("option", { value: each.name, selected: each === line }, `${each.title} (${each.name})`),
      ),
    );
    this.setup = make(
      "select",
      {
        name: "setup",
        "aria-label": words.setup,
        onchange: () => {
          if (this.setup.value) this.draft(`like ${this.setup.value}`);
          this.setup.value = "";
        },
      },
      make("option", { value: "" }, words.setup),
      ...Object.entries(line.scenarios).map(([name, title]) => make("option", { value: name }, title || name)),
    );
    this.settings = new Settings(words);
    this.settings.offer(facts.settings, null, this.given);
    this.settings.place.addEventListener("change", () => {
      this.isSettled = true;
      this.draft(this.area.value);
    });
    this.begin = make(
      "button",
      { type: "button", id: "begin", class: "main", onclick: () => this.#begin() },
      words.begin_here,
    );
    this.copy = make(
      "button",
      { type: "button", onclick: () => navigator.clipboard?.writeText(location.href) },
      words.copy,
    );
    this.brush = make("select", { name: "brush", "aria-label": words.brush });
    this.#offerBrushes();
    main.replaceChildren(this.#laid());
    this.chosen.textContent = words.position_hint;
    document.onkeydown = (event) => {
      if (event.key === "Escape") this.#take(null);
    };
  }

  get #settings() {
    return this.isSettled ? this.settings.chosen : this.given;
  }

  #laid() {
    const { words } = this;
    return make(
      "div",
      { class: "table editor" },
      make(
        "section",
        { class: "middle", "aria-label": words.board },
        make(
          "div",
          { class: "row" },
          this.game,
          this.setup,
          this.brush,
          make("button", { type: "button", onclick: () => this.board.toggleSize() }, words.zoom),
        ),
        this.chosen,
        this.place,
      ),
      make(
        "section",
        { class: "acts", "aria-label": words.values },
        this.next,
        this.faults,
        make("div", { class: "row" }, this.begin, this.copy),
        this.form.place,
        this.settings.place,
        make("h2", {}, words.position_text),
        this.area,
      ),
      make(
        "section",
        { class: "past-plays", "aria-label": words.analysis },
        make("h2", {}, words.analysis),
        this.analysis.place,
      ),
    );
  }

  // Values that each click on a place sets, where the board has such places.
  #offerBrushes() {
    const options = this.form.brushes.flatMap((each) =>
      this.form.form.choices[each.type].map(([value, word]) => ({ variable: each, value, word })),
    );
    this.strokes = options;
    this.brush.replaceChildren(
      make("option", { value: "" }, this.words.brush),
      ...options.map(({ variable, word }, i) =>
        make("option", { value: i }, `${variable.name.replaceAll("_", " ")}: ${word}`),
      ),
    );
  }

  /**
   * A piece is taken, and put where the next click is; a place shows its values.
   * @param {string} thing
   */
  #choose(thing) {
    const name = nameOf(thing),
      stroke = this.brush.value === "" ? null : this.strokes[Number(this.brush.value)];
    const key = stroke ? this.form.keyed(stroke.variable.keys[0], name) : undefined;
    if (stroke && key !== undefined) {
      this.draft(this.area.value, `${key}: ${stroke.variable.name} ${stroke.value}`);
      return;
    }
    const line = this.thing && !isPiece(thing) ? this.form.placing(nameOf(this.thing), name) : null;
    if (line) {
      this.#take(null);
      this.draft(this.area.value, line);
      return;
    }
    this.form.open(name);
    this.#take(thing === this.thing ? null : thing);
  }
  /** @param {string | null} thing */
  #take(thing) {
    this.thing = thing;
    this.chosen.textContent = thing ? nameOf(thing).replaceAll("_", " ") : this.words.position_hint;
    this.board.mark(thing ? [thing] : [], new Set());
  }
  #typed() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.draft(this.area.value), PAUSE);
  }

  /**
   * Reads the position, perhaps after a change; an answer that comes late is no news.
   * @param {string} text
   * @param {string} [change]
   */
  async draft(text, change = "") {
    const asked = (this.asked = {});
    try {
      const draft = await this.table.draftPosition(this.name, { text, change, settings: this.#settings });
      const link = await packed([draft.text, this.#settings]);
      if (asked !== this.asked) return;
      this.#show(draft, change !== "" || document.activeElement !== this.area);
      history.replaceState(null, "", `#edit/${this.name}/${link}`);
    } catch (error) {
      this.#tell([toldOf(error, this.words)]);
    }
  }
  /**
   * @param {import("../client.js").PositionDraft} draft
   * @param {boolean} isToWrite
   */
  #show(draft, isToWrite) {
    if (isToWrite && draft.board) this.area.value = draft.text;
    this.#tell(draft.faults);
    this.next.textContent = draft.next;
    this.begin.disabled = draft.faults.length > 0;
    this.analysis.show(draft.actions, draft.odds);
    if (draft.board) {
      this.board.show(draft.board, 0);
      this.form.show(draft.values);
      this.#take(this.thing);
    }
    this.#mark(draft.faults);
  }
  /** @param {readonly string[]} faults */
  #tell(faults) {
    const open = (/** @type {string} */ fault) => () => this.#select(Number(/line (\d+)/.exec(fault)?.[1] ?? 0));
    this.faults.replaceChildren(
      ...faults.map((fault) => make("li", {}, make("button", { type: "button", onclick: open(fault) }, fault))),
    );
  }
  /**
   * Things that a fault names are marked on the board.
   * @param {readonly string[]} faults
   */
  #mark(faults) {
    const named = new Set(faults.flatMap((fault) => fault.match(/[\p{L}\p{N}_-]+/gu) ?? []));
    /** @type {NodeListOf<SVGElement>} */
    const shapes = this.place.querySelectorAll("[data-block], [data-area]");
    for (const { classList, dataset } of shapes)
      classList.toggle("faulty", named.has(dataset.block ?? dataset.area ?? ""));
  }
  /** @param {number} line */
  #select(line) {
    if (!line) return;
    const lines = this.area.value.split("\n"),
      start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }
  #begin() {
    document.onkeydown = null;
    showLobby(this.main, this.words, { ruleset: this.name, position: this.area.value, settings: this.#settings });
  }
}
