// A game under the rules of the folder or of the library: one person plays all seats, on the board or in the list.
import { Board } from "./table/board/board.js";
import { Choosing } from "./table/board/choosing.js";
import { make } from "./table/parts/dom.js";
import { showLog } from "./table/parts/log.js";
import { openSection } from "./table/parts/rule.js";
import { say } from "./table/parts/say.js";
import { nameOf, withThings } from "./table/board/things.js";

export class PlayPanel {
  constructor(words, library, { onGame }) {
    Object.assign(this, { words, library, onGame, state: null, number: 0 });
    this.ruleset = make("select", { name: "ruleset", onchange: () => this.#offerScenarios() });
    this.scenario = make("select", { name: "scenario" });
    this.seed = make("input", { name: "seed", size: "8", maxlength: "64", autocomplete: "off", placeholder: "random" });
    this.begin = make("button", { id: "start" }, "Play");
    this.again = make(
      "button",
      { type: "button", id: "again", hidden: true, onclick: () => this.#again() },
      "Replay under the changed rules",
    );
    this.fault = make("p", { class: "fault", role: "alert", id: "play-fault" });
    this.turn = make("p", { id: "turn", role: "status", "aria-live": "polite" });
    this.seat = make("select", {
      name: "seat",
      onchange: () => this.#try(() => this.library.ask("look", { seat: this.seat.value || null })),
    });
    this.place = make("div", { class: "board" });
    this.board = new Board(
      this.place,
      (thing) => this.choosing.choose(thing),
      (thing) => this.#ask("about", { words: nameOf(thing) }),
    );
    this.choosing = new Choosing(words, this.board, {
      play: () => this.#play(),
      undo: () => this.#try(() => this.library.ask("undo")),
      preview: (action) => this.#preview(action),
      ask: (things) => this.#ask(things.length === 1 ? "about" : "why_not", { words: things.join(" ") }),
      drop: () => {},
      isSending: () => false, // one person plays all seats, and an answer comes at once
    });
    this.odds = make("button", { type: "button", id: "odds", onclick: () => this.#odds() }, "Odds of this");
    this.bot = make(
      "button",
      {
        type: "button",
        id: "bot",
        title: "It thinks for two seconds, and knows what the seat knows",
        onclick: () => this.#try(() => this.library.ask("bot")),
      },
      "A bot plays this",
    );
    this.choosing.undo.after(this.odds, this.bot);
    this.why = make("p", { class: "why", role: "status", id: "why" });
    this.log = make("ol", { class: "log", tabindex: "0", "aria-label": words.log });
    this.facts = make("pre", { tabindex: "0", "aria-label": words.facts });
    this.details = make("details", { class: "facts" }, make("summary", {}, words.facts), this.facts);
    const start = (event) => {
      event.preventDefault();
      this.#start();
    };
    this.game = make(
      "div",
      { class: "game", hidden: true },
      make(
        "div",
        { class: "row" },
        this.turn,
        make("label", {}, "Seat ", this.seat),
        make("button", { type: "button", onclick: () => this.board.toggleSize() }, words.zoom),
      ),
      this.choosing.hand(this.why),
      this.place,
      this.details,
      make("h2", {}, words.log),
      this.log,
    );
    this.panel = make(
      "div",
      { onkeydown: (event) => this.#key(event) },
      make(
        "form",
        { class: "line", onsubmit: start },
        make("label", {}, "Ruleset", this.ruleset),
        make("label", {}, words.scenario, this.scenario),
        make("label", {}, "Seed", this.seed),
        this.begin,
        this.again,
      ),
      this.fault,
      this.game,
    );
  }

  // The rulesets that can be played: of the folder, then of the library.
  async offer(own, all) {
    const chosen = this.ruleset.value;
    const option = ([name, title]) => make("option", { value: name }, `${title} (${name})`);
    const group = (label, names) => make("optgroup", { label }, ...Object.entries(names).map(option));
    this.ruleset.replaceChildren(group("This folder", own), group("The library", all));
    const names = [...Object.keys(own), ...Object.keys(all)];
    this.ruleset.value = names.includes(chosen) && !this.isFirst ? chosen : names[0];
    this.isFirst = false;
    if (this.ruleset.value !== this.offered) await this.#offerScenarios();
  }
  chooseFirst() {
    this.isFirst = true;
    this.offered = undefined;
  }

  // The texts have changed: the game may be another under them.
  changed() {
    this.again.hidden = this.state === null;
  }

  async resume({ ruleset, record }) {
    this.ruleset.value = ruleset;
    await this.#try(() => this.library.ask("resume", { ruleset, record }));
  }
  get record() {
    return this.state && { ruleset: this.state.ruleset, record: this.state.record };
  }

  async #offerScenarios() {
    const ruleset = this.ruleset.value;
    this.offered = ruleset;
    this.begin.disabled = true;
    try {
      const found = await this.library.askLatest("scenarios", { ruleset });
      if (!found || ruleset !== this.ruleset.value) return;
      this.scenario.replaceChildren(
        ...Object.entries(found.scenarios).map(([name, title]) => make("option", { value: name }, title || name)),
      );
      this.fault.textContent = "";
    } catch (error) {
      this.offered = undefined; // asked again when the faults are gone
      this.fault.textContent = error.message;
    }
    this.begin.disabled = false;
  }
  async #start() {
    if (this.scenario.options.length === 0) await this.#offerScenarios();
    const { ruleset, scenario, seed } = this;
    await this.#try(() =>
      this.library.ask("start", { ruleset: ruleset.value, scenario: scenario.value, seed: seed.value.trim() || null }),
    );
  }
  async #again() {
    await this.#try(() => this.library.ask("again", { ruleset: this.state.ruleset }));
  }
  async #play() {
    const { action } = this.choosing;
    if (!action || this.isPlaying) return;
    this.isPlaying = true;
    await this.#try(() => this.library.ask("play", { action: action.text }));
    this.isPlaying = false;
  }
  async #try(request) {
    this.fault.textContent = "";
    this.panel.setAttribute("aria-busy", "true");
    try {
      this.#show(await request());
    } catch (error) {
      this.fault.textContent = error.message;
    }
    this.panel.removeAttribute("aria-busy");
  }
  #show(state) {
    const { words } = this;
    this.state = state;
    this.number += 1;
    this.again.hidden = true;
    this.game.hidden = false;
    this.why.textContent = state.note ?? "";
    const seats = Object.entries(state.players).map(([player, name]) =>
      make("option", { value: player, selected: !state.is_hot_seat && player === state.seat }, name),
    );
    this.seat.replaceChildren(make("option", { value: "", selected: state.is_hot_seat }, "who is to choose"), ...seats);
    this.board.show(state.board, this.number);
    this.facts.textContent = state.facts;
    if (this.board.isBare) this.details.open = true;
    this.bot.disabled = state.view.actions.length === 0;
    const mayUndo = state.view.plays > 0;
    this.choosing.offer(withThings(state, this.board.shapes), state.players[state.seat], mayUndo, state.sentences);
    showLog(this.log, state.log, words, (_, section) =>
      openSection(words, section, () => this.library.ask("section", { ruleset: state.ruleset, section })),
    );
    const name = state.players[state.seat];
    this.turn.textContent = state.is_over
      ? (state.outcome ?? words.over)
      : state.view.actions.length
        ? `${name}: ${state.phase}`
        : say(words.wait, state.view.to_move.map((each) => state.players[each]).join(", "));
    this.onGame(state);
  }
  async #odds() {
    if (this.choosing.action) await this.#ask("odds", { action: this.choosing.action.text });
    else this.why.textContent = "Choose an action first.";
  }
  async #preview(action) {
    try {
      return await this.library.ask("preview", { action: action.text });
    } catch {
      return [];
    }
  }
  async #ask(method, parameters) {
    try {
      this.why.textContent = await this.library.ask(method, parameters);
    } catch (error) {
      this.why.textContent = error.message;
    }
  }
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog"))
      return;
    if (event.key === "Escape") {
      this.why.textContent = "";
      this.choosing.takeBack();
    } else if (event.key === "Enter" && !event.target.closest("button, a, summary")) this.#play();
    else if (event.key.toLowerCase() === "z") this.board.toggleSize();
  }
}
