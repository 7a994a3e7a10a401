// @ts-check
// What a finished game offers: its record and how to check it on one's own machine, a film, and a look at every step.
import * as api from "../parts/api.js";
import { make } from "../parts/dom.js";
import { showFilm } from "../parts/film.js";
import { areDiceFair } from "./shares.js";
import { toldOf } from "../parts/say.js";

export class Finished {
  /**
   * `tell` says the answer to what was asked.
   * @param {import("../parts/say.js").Words} words
   * @param {import("../parts/api.js").Seat} seat
   * @param {(text: string) => void} tell
   */
  constructor(words, seat, tell) {
    this.words = words;
    this.seat = seat;
    this.tell = tell;
    /** @type {readonly string[]} */
    this.dice = []; // where they come from
    this.place = make("section", { class: "finished", hidden: true, "aria-label": words.finished });
  }
  /** @param {readonly import("../client.js").OpeningFact[]} opening how the game was opened */
  show(opening) {
    this.dice = opening.filter(({ kind }) => kind.startsWith("dice")).map(({ text }) => text);
    if (!this.place.hidden) return;
    const { words, seat } = this,
      { game } = seat,
      file = `game-${game}.txt`,
      seeds = `game-${game}-seeds.json`;
    const button = (/** @type {string} */ id, /** @type {string} */ word, /** @type {() => void} */ onclick) =>
      make("button", { type: "button", id, onclick }, word);
    this.place.replaceChildren(
      make("h2", {}, words.finished),
      make(
        "div",
        { class: "row" },
        make("a", { href: `.${seat.path}/record`, download: file, id: "record", class: "button" }, words.record),
        make("a", { href: `.${seat.path}/shares`, download: seeds, id: "seeds", class: "button" }, words.seeds),
        seat.key === null ? "" : button("rematch", words.rematch, () => this.#again()),
        button("film", words.film, () => showFilm(words, () => seat.film(), this.tell)),
        button("look", words.record_open, () => this.#look()),
        button("dice", words.dice, () => this.#check()),
      ),
      make("p", { class: "note" }, words.verify),
      make("pre", {}, make("code", { id: "verify" }, `hots verify ${file} --seeds ${seeds}`)),
    );
    this.place.hidden = false;
  }
  // The keys of this screen open the next game as well.
  async #again() {
    await this.#try(async () => {
      const { game } = await this.seat.rematch();
      location.hash = location.hash.replace(this.seat.game, game);
    });
  }
  async #look() {
    await this.#try(async () => {
      const { name } = await api.anybody().uploadRecord({ record: await this.seat.record() });
      location.hash = `record/${name}`;
    });
  }
  async #check() {
    const { words } = this;
    await this.#try(async () => {
      const isFair = await areDiceFair(this.seat);
      const checked = isFair === null ? [] : [isFair ? words.dice_good : words.dice_bad];
      this.tell([...this.dice, ...checked].join(" "));
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
