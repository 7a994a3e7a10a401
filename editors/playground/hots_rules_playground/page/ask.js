// Questions about the game in words, and battles made up in one line; the answers stay below each other.
import { make } from "./table/parts/dom.js";

export class AskPanel {
  constructor(library) {
    this.library = library;
    this.words = make("input", {
      name: "question",
      autocomplete: "off",
      "aria-label": "Question",
      placeholder: "a question, an action, or a battle in one line",
    });
    this.examples = make("div", { class: "chips" });
    this.answers = make("ol", { class: "answers", "aria-live": "polite", id: "answers" });
    const asked = (event) => {
      event.preventDefault();
      this.#ask(this.words.value.trim());
    };
    this.panel = make(
      "div",
      {},
      make(
        "form",
        { class: "line", onsubmit: asked },
        make("label", { class: "wide" }, this.words),
        make("button", {}, "Ask"),
      ),
      this.examples,
      this.answers,
    );
  }
  // Offers questions that the game has.
  async offer() {
    const questions = await this.library.askLatest("questions").catch(() => []);
    if (!questions) return;
    this.examples.replaceChildren(
      ...questions.map((text) =>
        make(
          "button",
          {
            type: "button",
            onclick: () => {
              this.words.value = text;
              this.#ask(text);
            },
          },
          text,
        ),
      ),
    );
  }
  async #ask(words) {
    if (!words) return;
    const answer = make("li", {}, make("b", {}, words), "…");
    this.answers.prepend(answer);
    const text = await this.library.ask("ask", { words }).catch((error) => error.message);
    answer.replaceChildren(make("b", {}, words), text);
  }
}
