// @ts-check
// Going back, or a draw, by agreement: who asks, who answers, and what was done at the table beside the actions.
import { make } from "../parts/dom.js";
import { isToAnswer } from "./state.js";

/** @typedef {import("./state.js").PageState} PageState */

export class Agreeing {
  /**
   * @param {import("../parts/say.js").Words} words
   * @param {{ ask: () => void, answer: (seat: number, agrees: boolean) => void }} deeds for the moment that is looked
   *   at, and for a seat of the screen
   */
  constructor(words, deeds) {
    const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ onclick) =>
      make("button", { type: "button", id, onclick }, text);
    this.words = words;
    this.waiting = -1;
    this.asker = -1;
    this.ask = button("ask-back", words.ask_back, deeds.ask);
    this.ask.hidden = true;
    this.text = make("p", { role: "status" });
    this.agree = button("agree", words.agree, () => deeds.answer(this.waiting, true));
    this.refuse = button("refuse", words.refuse, () => deeds.answer(this.waiting, false));
    this.withdraw = button("withdraw", words.withdraw, () => deeds.answer(this.asker, false));
    this.box = make(
      "div",
      { class: "question", hidden: true },
      this.text,
      make("div", { class: "row" }, this.agree, this.refuse, this.withdraw),
    );
    this.list = make("ol", { class: "log", tabindex: "0", "aria-label": words.doings });
    this.done = make("section", { "aria-label": words.doings, hidden: true }, make("h2", {}, words.doings), this.list);
  }

  /** @param {PageState} state */
  show(state) {
    const { seen, seats, at } = state;
    if (seen === null) return;
    const { question, doings } = seen;
    const isAsked = question !== null && !seen.is_over;
    this.waiting = seats.findIndex((player) => player !== null && question?.waiting.includes(player));
    this.asker = seats.findIndex((player) => player !== null && question?.player === player);
    this.box.hidden = !isAsked;
    const text = isAsked ? (doings.findLast((doing) => doing.kind === "asked")?.text ?? "") : "";
    if (this.text.textContent !== text) this.text.textContent = text;
    const isDraw = question?.kind === "draw";
    this.agree.textContent = isDraw ? this.words.draw_agree : this.words.agree;
    this.refuse.textContent = isDraw ? this.words.draw_refuse : this.words.refuse;
    this.agree.hidden = this.refuse.hidden = !isToAnswer(state);
    this.withdraw.hidden = this.asker < 0;
    this.ask.hidden = at === null || seen.seat === null || seen.is_over || seen.is_mixing || question !== null;
    this.#list(doings);
  }

  /** @param {readonly import("../client.js").Doing[]} doings */
  #list(doings) {
    if (doings.length === this.list.childElementCount) return;
    this.done.hidden = doings.length === 0;
    this.list.replaceChildren(...doings.map((doing) => make("li", {}, doing.text)));
    this.list.scrollTop = this.list.scrollHeight;
  }
}
