// @ts-check
// A record is looked at: the board at every step, as everybody together or one player saw it, with questions and odds.
import { Analysis } from "./analysis.js";
import * as api from "../parts/api.js";
import { Board } from "../board/board.js";
import { closest, make, part } from "../parts/dom.js";
import { showFilm } from "../parts/film.js";
import { showLog } from "../parts/log.js";
import { packed } from "../parts/packing.js";
import { Replay } from "../parts/replay.js";
import { openSection } from "../parts/rule.js";
import { nameOf } from "../board/things.js";
import { say, toldOf } from "../parts/say.js";

/** @typedef {import("../parts/say.js").Words} Words */

/**
 * @param {HTMLElement} main
 * @param {Words} words
 * @param {string} name of the record that was uploaded
 */
export async function showRecord(main, words, name) {
  const facts = await api
    .anybody()
    .readUpload(name)
    .catch((error) => {
      main.replaceChildren(make("p", { class: "links", role: "alert" }, toldOf(error, words)));
    });
  if (facts) await new RecordPage(main, words, name, facts).look();
}

class RecordPage {
  /**
   * @param {HTMLElement} main
   * @param {Words} words
   * @param {string} name
   * @param {import("../client.js").UploadFacts} facts
   */
  constructor(main, words, name, facts) {
    this.words = words;
    this.name = name;
    this.facts = facts;
    this.table = api.anybody();
    /** @type {import("../client.js").RecordMoment | null} */
    this.shown = null;
    this.asked = {};
    const { title, scenario, outcome, plays, players } = facts;
    part("title").textContent = [title, scenario].filter(Boolean).join(" – ");
    part("status").textContent = outcome ?? "";
    this.at = plays;
    this.place = make("div", { class: "board" });
    this.board = new Board(
      this.place,
      (thing) => this.analysis.about(nameOf(thing)),
      (thing) => this.analysis.about(nameOf(thing)),
    );
    this.replay = new Replay(words, (at) => {
      this.at = at ?? plays;
      this.replay.show(plays, at);
      this.look();
    });
    this.seen = make(
      "select",
      { name: "player", "aria-label": words.seen_by, onchange: () => this.look() },
      make("option", { value: "" }, words.seen_by_all),
      ...Object.entries(players).map(([player, word]) => make("option", { value: player }, word)),
    );
    this.log = make("ol", { class: "log", tabindex: "0", "aria-label": words.log });
    this.analysis = new Analysis(
      words,
      (asked) => this.table.askUpload(this.name, this.at, { words: asked }),
      (until, action) => this.table.computeUploadOdds(this.name, this.at, { until, action }),
    );
    main.replaceChildren(this.#laid());
    this.replay.show(plays, null);
    document.onkeydown = (event) => this.#key(event);
  }

  #laid() {
    const { words } = this;
    const { lang } = document.documentElement;
    const until = new Date(this.facts.until).toLocaleDateString(lang, { dateStyle: "long" });
    const notes = [
      say(words.record_until, until),
      ...(this.facts.is_sealed ? [] : [words.unsealed]),
      ...Object.entries(this.facts.settings).map(([name, value]) => `${name}: ${value}`),
    ];
    const film = () =>
      showFilm(
        words,
        () => this.table.readUploadFilm(this.name),
        (text) => {
          this.analysis.answer.textContent = text;
        },
      );
    return make(
      "div",
      { class: "table" },
      make(
        "section",
        { class: "middle", "aria-label": words.board },
        make(
          "div",
          { class: "row" },
          this.seen,
          make("button", { type: "button", onclick: () => this.board.toggleSize() }, words.zoom),
          make("button", { type: "button", id: "film", onclick: film }, words.film),
          make("button", { type: "button", id: "edit", onclick: () => this.#edit() }, words.position_edit),
        ),
        this.place,
        this.replay.place,
        ...notes.map((note) => make("p", { class: "note" }, note)),
      ),
      make(
        "section",
        { class: "acts", "aria-label": words.analysis },
        make("h2", {}, words.analysis),
        this.analysis.place,
      ),
      make("section", { class: "past-plays", "aria-label": words.log }, make("h2", {}, words.log), this.log),
    );
  }

  async look() {
    const asked = (this.asked = {});
    const player = this.seen.value || undefined;
    try {
      const moment = await this.table.readUploadMoment(this.name, this.at, { player });
      if (asked !== this.asked) return;
      this.shown = moment;
      this.board.show(moment.board, this.at);
      showLog(this.log, moment.log, this.words, (edition, section) =>
        openSection(this.words, section, () => this.table.readSection(edition, section)),
      );
      this.analysis.show(moment.actions, moment.odds);
    } catch (error) {
      this.analysis.answer.textContent = toldOf(error, this.words);
    }
  }
  async #edit() {
    if (this.shown !== null)
      location.hash = `edit/${this.facts.ruleset}/${await packed([this.shown.position, this.facts.settings])}`;
  }
  /**
   * Arrows step through the game, unless they are for something else.
   * @param {KeyboardEvent} event
   */
  #key(event) {
    if (closest(event, "input, select, textarea, dialog, svg") || event.ctrlKey || event.altKey || event.metaKey)
      return;
    if (event.key === "ArrowLeft") this.replay.step(-1);
    else if (event.key === "ArrowRight") this.replay.step(1);
    else return;
    event.preventDefault();
  }
}
