// @ts-check
// Questions about a moment of which everything is known: why and why not, any question, and odds.
import { make, reached } from "../parts/dom.js";
import { OddsPanel } from "../parts/odds.js";
import { toldOf } from "../parts/say.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("../client.js").OddsTold} OddsTold
 */

export class Analysis {
  /**
   * `ask` answers words, `odds` computes until an end after an action.
   * @param {Words} words
   * @param {(words: string) => Promise<{ text: string }>} ask
   * @param {(until: string, action: string) => Promise<OddsTold>} odds
   */
  constructor(words, ask, odds) {
    this.words = words;
    this.ask = ask;
    /** @type {readonly string[]} */
    this.actions = [];
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
    const asked = (/** @type {Event} */ event) => {
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
  /**
   * The legal actions of a moment, and until when odds can be asked for.
   * @param {readonly string[]} actions
   * @param {readonly import("../client.js").OddsUntil[]} ends
   */
  show(actions, ends) {
    this.actions = actions;
    this.answer.textContent = "";
    this.odds.clear();
    this.odds.offer(ends);
    this.#choose("");
  }
  /**
   * An action is chosen for the odds, or given back by a second click.
   * @param {string} action
   */
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
  /** @param {string} name */
  about(name) {
    this.#ask(name);
  }

  /** @param {string} words */
  async #ask(words) {
    if (!words) return;
    try {
      this.answer.textContent = (await this.ask(words)).text;
    } catch (error) {
      this.answer.textContent = toldOf(error, this.words);
    }
  }
}
