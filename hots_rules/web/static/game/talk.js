// @ts-check
// Chat, and notes that the seat alone reads.
import { make } from "../parts/dom.js";
import { toldOf } from "../parts/say.js";

export class Talk {
  /**
   * @param {import("../parts/say.js").Words} words
   * @param {(text: string) => void} tell
   */
  constructor(words, tell) {
    this.words = words;
    this.tell = tell;
    /** @type {import("../parts/api.js").Seat | null} */
    this.seat = null;
    /** @type {{ readonly [player: string]: string }} */
    this.players = {};
    this.kept = "";
    this.said = make("ol", { class: "log chat", tabindex: "0", "aria-label": words.chat, "aria-live": "polite" });
    this.text = make("input", {
      name: "message",
      maxlength: "1000",
      "aria-label": words.chat,
      placeholder: words.chat_hint,
      autocomplete: "off",
    });
    const send = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#send();
    };
    // Both are hidden until it is known whose they are.
    this.form = make("form", { class: "ask", hidden: true, onsubmit: send }, this.text, make("button", {}, words.send));
    this.notes = make("textarea", { name: "notes", rows: "4", maxlength: "10000", "aria-label": words.notes });
    this.mine = make(
      "details",
      { hidden: true },
      make("summary", {}, words.notes),
      this.notes,
      make("button", { type: "button", onclick: () => this.#keep() }, words.keep_notes),
    );
    this.place = make(
      "section",
      { class: "talk", "aria-label": words.chat },
      make("h2", {}, words.chat),
      this.said,
      this.form,
      this.mine,
    );
  }
  /**
   * Shows the notes of this seat; those that another has written here are kept for it.
   * @param {import("../parts/api.js").Seat} seat
   * @param {{ readonly [player: string]: string }} players
   */
  async open(seat, players) {
    if (this.seat && this.notes.value !== this.kept) await this.#keep();
    [this.seat, this.players] = [seat, players];
    for (const part of [this.form, this.mine]) part.hidden = seat.key === null;
    this.notes.value = this.kept = "";
    if (seat.key !== null)
      await this.#try(async () => {
        const { text } = await seat.note();
        if (seat === this.seat && this.notes.value === this.kept) this.notes.value = this.kept = text;
      });
  }
  // Shows what was said: to be called whenever the stream of events begins, and after each message.
  async look() {
    const { seat } = this;
    if (seat)
      await this.#try(async () => {
        const messages = await seat.messages();
        if (messages.length < this.said.childElementCount) return; // an answer that comes late
        this.said.replaceChildren(
          ...messages.map(({ player, text }) =>
            make("li", {}, `${this.players[player] ?? player}: ${text || this.words.erased}`),
          ),
        );
        this.said.scrollTop = this.said.scrollHeight;
      });
  }
  async #send() {
    const { seat } = this;
    if (!seat || !this.text.value.trim()) return;
    await this.#try(async () => {
      await seat.say(this.text.value);
      this.text.value = "";
      await this.look();
    });
  }
  async #keep() {
    const {
      seat,
      notes: { value },
    } = this;
    await this.#try(async () => {
      await seat?.keepNote(value);
      if (seat === this.seat) this.kept = value;
    });
  }
  /** @param {() => Promise<void>} work */
  async #try(work) {
    try {
      await work();
    } catch (error) {
      this.tell(toldOf(error, this.words));
    }
  }
}
