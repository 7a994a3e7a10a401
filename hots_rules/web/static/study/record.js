// A record is looked at: the board at every step, as everybody together or one player saw it, with questions and odds.
import { Analysis } from "./analysis.js";
import * as api from "../parts/api.js";
import { Board } from "../board/board.js";
import { make } from "../parts/dom.js";
import { showFilm } from "../parts/film.js";
import { showLog } from "../parts/log.js";
import { packed } from "../parts/packing.js";
import { Replay } from "../parts/replay.js";
import { openSection } from "../parts/rule.js";
import { nameOf } from "../board/things.js";
import { toldOf } from "../parts/say.js";

export class RecordPage {
  constructor(main, words, name) {
    Object.assign(this, { main, words, name, table: api.anybody() });
  }

  async open() {
    const { words } = this;
    try {
      this.facts = await this.table.readUpload(this.name);
    } catch (error) {
      this.main.replaceChildren(make("p", { class: "links", role: "alert" }, toldOf(error, words)));
      return;
    }
    const { title, scenario, outcome, is_sealed: isSealed, plays, players, settings } = this.facts;
    document.getElementById("title").textContent = [title, scenario].filter(Boolean).join(" – ");
    document.getElementById("status").textContent = outcome ?? "";
    this.at = plays;
    this.place = make("div", { class: "board" });
    this.board = new Board(
      this.place,
      (thing) => this.analysis.about(nameOf(thing)),
      (thing) => this.analysis.about(nameOf(thing)),
    );
    this.replay = new Replay(words, (at) => {
      this.at = at ?? plays;
      this.#look();
    });
    this.seen = make(
      "select",
      { name: "player", "aria-label": words.seen_by, onchange: () => this.#look() },
      make("option", { value: "" }, words.seen_by_all),
      ...Object.entries(players).map(([player, word]) => make("option", { value: player }, word)),
    );
    this.log = make("ol", { class: "log", tabindex: "0", "aria-label": words.log });
    this.analysis = new Analysis(
      words,
      (asked) => this.table.askUpload(this.name, this.at, { words: asked }),
      (until, action) => this.table.computeUploadOdds(this.name, this.at, { until, action }),
    );
    const notes = [
      ...(isSealed ? [] : [words.unsealed]),
      ...Object.entries(settings).map(([name, value]) => `${name}: ${value}`),
    ];
    const film = () =>
      showFilm(
        words,
        () => this.table.readUploadFilm(this.name),
        (text) => {
          this.analysis.answer.textContent = text;
        },
      );
    this.main.replaceChildren(
      make(
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
      ),
    );
    this.replay.set(plays);
    document.onkeydown = (event) => this.#key(event);
    await this.#look();
  }

  async #look() {
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
    location.hash = `edit/${this.facts.ruleset}/${await packed([this.shown.position, this.facts.settings])}`;
  }
  // Arrows step through the game, unless they are for something else.
  #key(event) {
    if (event.target.closest("input, select, textarea, dialog, svg") || event.ctrlKey || event.altKey || event.metaKey)
      return;
    if (event.key === "ArrowLeft") this.replay.step(-1);
    else if (event.key === "ArrowRight") this.replay.step(1);
    else return;
    event.preventDefault();
  }
}
