// @ts-check
// The box with what is chosen: what it would change, Enter to play it, Esc to take it back, and the list of actions.
import { Choice } from "./choice.js";
import { make, reached } from "../parts/dom.js";
import { nameOf } from "./things.js";

/**
 * @typedef {import("./things.js").ActionOnBoard} ActionOnBoard
 * @typedef {{ [name: string]: string }} Sentences of the rules of actions, by their names
 */

const MANY = 8; // actions, which are listed close together
const FEW = 3; // actions, which in a narrow window stand in the box
const wordOf = (/** @type {string} */ thing) => nameOf(thing).replaceAll("_", " ");

/**
 * What the box asks the page to do.
 * @typedef {object} Deeds
 * @property {() => void} play
 * @property {() => void} undo
 * @property {(action: ActionOnBoard) => Promise<readonly string[]>} preview
 * @property {() => boolean} isSending
 * @property {() => void} drop
 * @property {(things: readonly string[]) => void} ask
 */

export class Choosing {
  /**
   * @param {import("../parts/say.js").Words} words
   * @param {import("./board.js").Board} board
   * @param {Deeds} deeds
   */
  constructor(words, board, deeds) {
    this.words = words;
    this.board = board;
    this.deeds = deeds;
    /** @type {readonly ActionOnBoard[]} */
    this.actions = [];
    /** @type {readonly ActionOnBoard[]} */
    this.listed = [];
    this.name = "";
    /** @type {Sentences} */
    this.told = {};
    this.isTold = false;
    /** @type {Promise<void>} */
    this.released = Promise.resolve();
    this.choice = new Choice([]);
    this.chosen = make("p", { id: "chosen" });
    this.effects = reached(make("ul", { id: "effects" }));
    this.confirm = make("button", { type: "button", id: "confirm", onclick: deeds.play }, words.confirm);
    this.back = make("button", { type: "button", id: "back", onclick: () => this.takeBack() }, words.back);
    this.undo = make("button", { type: "button", id: "undo", hidden: true, onclick: deeds.undo }, words.undo);
    this.sentences = make("p", { class: "note", id: "sentences" });
    this.list = make("ul", { class: "actions" });
    this.heading = make("h2", { hidden: true }, words.actions);
    this.place = make("div", { class: "hand" });
    this.box = make(
      "div",
      { class: "choice" },
      this.chosen,
      this.sentences,
      this.effects,
      make("div", { class: "row" }, this.confirm, this.back, this.undo),
    );
    this.box.addEventListener("pointerdown", () => this.#press());
  }
  /**
   * The box and the list, with the place of answers between them.
   * @param {Node} answers
   */
  hand(answers) {
    this.place.append(make("div", { class: "told" }, this.box, answers), this.heading, this.list);
    return this.place;
  }
  get action() {
    return this.choice.taken ?? this.choice.single;
  }

  /**
   * The legal actions of the seat, and the name of its player, which their texts need not repeat.
   * A choice stays if all of it can still be made: another player may have acted meanwhile.
   * @param {readonly ActionOnBoard[]} actions
   * @param {string} name
   * @param {boolean} mayUndo
   * @param {Sentences} sentences
   */
  offer(actions, name, mayUndo, sentences) {
    const { things, taken } = this.name === name ? this.choice : new Choice([]);
    // The board has no way to these, so the list begins with them.
    const isOnList = (/** @type {ActionOnBoard} */ action) => action.things.length === 0;
    actions = [...actions.filter(isOnList), ...actions.filter((action) => !isOnList(action))];
    [this.actions, this.name, this.told] = [actions, name, sentences];
    this.undo.hidden = !mayUndo;
    this.choice = new Choice(actions);
    const again = taken && actions.find((action) => action.text === taken.text);
    const isOpen = actions.some((action) => things.every((thing) => action.things.includes(thing)));
    if (again) this.choice.take(again);
    else if (isOpen) this.choice.things = things;
    if (actions.length > 0 && (taken ? !again : !isOpen)) this.deeds.drop();
    this.show();
  }
  // What was chosen is sent to be played: nothing of it stays for the next choice, but the box tells it until the
  // answer.
  clear() {
    [this.choice, this.isTold] = [new Choice(this.actions), true];
  }
  /** @param {string} thing */
  choose(thing) {
    if (this.choice.taken) this.choice = new Choice(this.actions);
    const before = this.choice.things;
    this.choice.choose(thing);
    if (this.choice.left.length === 0) {
      this.deeds.ask(this.choice.things.map(nameOf));
      this.choice.things = before;
    }
    this.show();
  }
  /** @param {ActionOnBoard} action */
  take(action) {
    this.choice.take(action);
    this.show();
    this.confirm.focus();
  }
  takeBack() {
    if (this.choice.taken) this.choice = new Choice(this.actions);
    else this.choice.back();
    this.show();
  }
  show() {
    const { choice, words, action } = this,
      isSending = this.deeds.isSending();
    this.box.setAttribute("aria-busy", String(isSending));
    this.confirm.disabled = !action || isSending;
    this.undo.disabled = isSending;
    this.box.classList.toggle("ready", Boolean(action) && !isSending);
    this.isTold &&= isSending && !action && choice.things.length === 0;
    if (this.isTold) return;
    this.board.mark(choice.things, choice.next, choice.acting);
    this.chosen.textContent = action ? this.#short(action) : this.#asked();
    this.sentences.textContent = action ? (this.told[action.name] ?? "") : "";
    this.back.disabled = !action && choice.things.length === 0;
    this.box.classList.toggle("idle", this.actions.length === 0);
    this.place.classList.toggle("few", !action && choice.left.length > 0 && choice.left.length <= FEW);
    this.#list(choice.left);
    this.#preview(action);
  }
  /**
   * Each kind of action has the sentence of its rule above it. The list stays as it is, with its focus, as long as it
   * has the same actions.
   * @param {readonly ActionOnBoard[]} left
   */
  #list(left) {
    this.listed = left;
    this.heading.hidden = left.length === 0;
    const texts = left.map((each) => this.#short(each)),
      key = texts.join("\n");
    if (key === this.list.dataset.key) return;
    this.list.dataset.key = key;
    this.list.classList.toggle("many", left.length > MANY);
    const sentence = (/** @type {number} */ at) =>
      at > 0 && left[at].name === left[at - 1].name ? "" : this.told[left[at].name];
    this.list.replaceChildren(
      ...texts.flatMap((text, at) => [
        ...(sentence(at) ? [make("li", { class: "note" }, sentence(at))] : []),
        make("li", {}, make("button", { type: "button", onclick: () => this.take(this.listed[at]) }, text)),
      ]),
    );
  }
  // What was chosen, and what is to be done next.
  #asked() {
    const { choice, words } = this,
      chosen = choice.things.map(wordOf).join(" · ");
    if (chosen) return `${chosen}: ${words.choose_next}`;
    if (this.actions.length === 0) return "";
    return choice.next.size > 0 ? words.choose : words.choose_listed;
  }
  /** @param {ActionOnBoard} action */
  #short(action) {
    const start = `${this.name}: `;
    return action.text.startsWith(start) ? action.text.slice(start.length) : action.text;
  }
  // A press ends on the button on which it began: what comes meanwhile, and would move it, waits for the click.
  #press() {
    const isOver = new AbortController();
    this.released = new Promise((resolve) => {
      const release = () => {
        isOver.abort();
        setTimeout(resolve);
      };
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { signal: isOver.signal });
    });
  }
  /** @param {ActionOnBoard | null} action */
  async #preview(action) {
    this.effects.replaceChildren();
    if (!action) return;
    const effects = await this.deeds.preview(action);
    await this.released;
    if (action === this.action) this.effects.replaceChildren(...effects.map((effect) => make("li", {}, effect)));
  }
}
