// Going back by agreement: who asks, who answers, and what was done at the table beside the actions of the game.
import { make } from "../parts/dom.js";
import { ring } from "../parts/sound.js";

export class Agreeing {
  // `deeds` has `ask` for the moment that is looked at, and `answer` for a seat and whether it agrees.
  constructor(words, deeds) {
    Object.assign(this, { words, deeds });
    const button = (id, text, action) => make("button", { type: "button", id, onclick: action }, text);
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
  // With the seats that sit before this screen. Gives what is new since the state before.
  show(state, seats, before) {
    const { question, doings } = state;
    const isAsked = question !== null && !state.is_over;
    this.waiting = seats.find((seat) => question?.waiting.includes(seat.player));
    this.asker = seats.find((seat) => question?.player === seat.player);
    this.box.hidden = !isAsked;
    this.text.textContent = isAsked ? doings.findLast((doing) => doing.kind === "asked").text : "";
    this.agree.hidden = this.refuse.hidden = this.waiting === undefined;
    this.withdraw.hidden = this.asker === undefined;
    this.done.hidden = doings.length === 0;
    this.list.replaceChildren(...doings.map((doing) => make("li", {}, doing.text)));
    this.list.scrollTop = this.list.scrollHeight;
    if (before && before.question === null && this.isToAnswer) ring();
    return before ? doings.filter((doing) => doing.number >= before.number).map((doing) => doing.text) : [];
  }
  // Whether somebody before this screen has not answered yet.
  get isToAnswer() {
    return this.waiting !== undefined && !this.box.hidden;
  }
  // Whether the seat may ask to go back to the moment that it looks at.
  offer(state, at) {
    this.ask.hidden = at === null || state.seat === null || state.is_over || state.is_mixing || state.question !== null;
  }
}

// The line of the log at which the game went back last.
export const lastReturn = (state) => state?.doings.findLast((doing) => doing.kind === "went_back")?.number;
