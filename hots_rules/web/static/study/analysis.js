// Questions about a moment of which everything is known: why and why not, any question, and odds.
import { make, reached } from "../parts/dom.js";
import { OddsPanel } from "../parts/odds.js";
import { toldOf } from "../parts/say.js";

export class Analysis {
  // `ask` answers words, `odds` computes until an end after an action.
  constructor(words, ask, odds) {
    Object.assign(this, { words, ask });
    this.question = make("input", {
      name: "question",
      "aria-label": words.question,
      placeholder: words.ask_hint,
      autocomplete: "off",
    });
    this.answer = reached(make("p", { class: "why", role: "status", id: "why" }));
    this.list = make("ul", { class: "actions" });
    this.odds = new OddsPanel(words, (until) => odds(until, this.action));
    this.action = "";
    const asked = (event) => {
      event.preventDefault();
      this.#ask(this.question.value.trim());
    };
    this.place = make(
      "div",
      { class: "analysis" },
      make("form", { class: "ask", onsubmit: asked }, this.question, make("button", {}, words.question)),
      this.answer,
      this.odds.place,
      make("h2", {}, words.actions),
      this.list,
    );
  }
  // The legal actions of a moment, and until when odds can be asked for.
  show(actions, ends) {
    this.actions = actions;
    this.answer.textContent = "";
    this.odds.clear();
    this.odds.offer(ends);
    this.#choose("");
  }
  // An action is chosen for the odds, or given back by a second click.
  #choose(action) {
    this.action = action === this.action ? "" : action;
    this.list.replaceChildren(
      ...this.actions.map((text) =>
        make(
          "li",
          {},
          make(
            "button",
            { type: "button", "aria-pressed": String(text === this.action), onclick: () => this.#choose(text) },
            text,
          ),
        ),
      ),
    );
  }
  about(name) {
    this.#ask(name);
  }

  async #ask(words) {
    if (!words) return;
    try {
      this.answer.textContent = (await this.ask(words)).text;
    } catch (error) {
      this.answer.textContent = toldOf(error, this.words);
    }
  }
}
