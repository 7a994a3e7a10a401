// The box with what is chosen: what it would change, Enter to play it, Esc to take it back, and the list of actions.
import { Choice } from "./choice.js";
import { make } from "./dom.js";
import { nameOf } from "./things.js";

const wordOf = (thing) => nameOf(thing).replaceAll("_", " ");

export class Choosing {
  constructor(words, board, deeds) {
    Object.assign(this, { words, board, deeds });
    this.choice = new Choice([]);
    this.chosen = make("p", { id: "chosen" });
    this.effects = make("ul", { id: "effects" });
    this.confirm = make("button", { type: "button", id: "confirm", onclick: deeds.play }, words.confirm);
    this.back = make("button", { type: "button", id: "back", onclick: () => this.takeBack() }, words.back);
    this.undo = make("button", { type: "button", id: "undo", hidden: true, onclick: deeds.undo }, words.undo);
    this.list = make("ul", { class: "actions" });
    this.box = make("div", { class: "choice" }, this.chosen, this.effects, make("div", { class: "row" }, this.confirm, this.back, this.undo));
  }
  get action() { return this.choice.taken ?? this.choice.single; }

  // The legal actions of the seat, and the name of its player, which their texts need not repeat.
  offer(actions, name, mayUndo) {
    this.actions = actions;
    this.name = name;
    this.undo.hidden = !mayUndo;
    this.choice = new Choice(actions);
    this.show();
  }
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
    const { choice, words, action } = this;
    this.board.mark(choice.things, choice.next);
    this.chosen.textContent = action ? this.#short(action) : choice.things.map(wordOf).join(" · ") || (this.actions.length ? words.choose : "");
    this.confirm.disabled = !action;
    this.back.disabled = !action && choice.things.length === 0;
    this.box.classList.toggle("ready", Boolean(action));
    const button = (each) => make("button", { type: "button", onclick: () => this.take(each) }, this.#short(each));
    this.list.replaceChildren(...choice.left.map((each) => make("li", {}, button(each))));
    this.#preview(action);
  }
  #short(action) {
    const start = `${this.name}: `;
    return action.text.startsWith(start) ? action.text.slice(start.length) : action.text;
  }
  async #preview(action) {
    this.effects.replaceChildren();
    if (!action) return;
    const effects = await this.deeds.preview(action);
    if (action === this.action) this.effects.replaceChildren(...effects.map((effect) => make("li", {}, effect)));
  }
}
