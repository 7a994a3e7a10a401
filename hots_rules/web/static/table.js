// The table of one seat: the board, the legal actions, the choice, the log.
import { Seat } from "./api.js";
import { Board } from "./board.js";
import { Choice } from "./choice.js";
import { make } from "./dom.js";
import { showLog } from "./log.js";

export class TablePage {
  // With the keys of several seats, who is to choose sits before the screen.
  constructor(main, words, game, keys) {
    this.words = words;
    this.seats = (keys.length ? keys : [null]).map((key) => new Seat(game, key));
    this.seat = this.seats[0];
    this.choice = new Choice([]);
    this.record = `${this.seat.path}/record`;
    this.#lay(main);
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  async open() {
    if (this.seats.length > 1) for (const seat of this.seats) seat.player = (await seat.state()).seat;
    await this.#refresh();
    this.seat.follow(
      (number) => { if (this.#isNews(number) || this.isLost) this.#refresh(); },
      () => { this.isLost = true; this.#say(this.words.lost); },
    );
  }

  // While the screen goes to another seat there is no state, and one is on its way.
  #isNews(number) { return this.state !== undefined && number > this.state.number; }

  #lay(main) {
    const { words } = this;
    this.place = make("div", { class: "board" });
    this.board = new Board(this.place, (thing) => this.#choose(thing));
    this.chosen = make("p", { id: "chosen" });
    this.confirm = make("button", { type: "button", id: "confirm", onclick: () => this.#play() }, words.confirm);
    this.back = make("button", { type: "button", id: "back", onclick: () => this.#back() }, words.back);
    this.why = make("p", { class: "why", role: "status", id: "why" });
    this.list = make("ul", { class: "actions" });
    this.log = make("ol", { class: "log", tabindex: "0", "aria-label": words.log });
    this.question = make("input", { name: "question", "aria-label": words.ask, placeholder: words.ask_hint, autocomplete: "off" });
    const ask = (event) => { event.preventDefault(); this.#ask(this.question.value); };
    this.undo = make("button", { type: "button", id: "undo", onclick: () => this.#undo() }, words.undo);
    this.show = make("button", { type: "button", id: "show", hidden: true, onclick: () => this.#cover(false) });
    const tool = (name, action) => make("button", { type: "button", onclick: action }, words[name]);
    this.tools = make("p", {}, tool("zoom", () => this.#zoom()), " ", tool("hide", () => this.#hide()));
    main.replaceChildren(make("div", { class: "table" },
      make("section", { "aria-label": words.board }, this.tools, this.place),
      make("section", { class: "side" },
        make("div", { class: "choice" }, this.chosen, this.confirm, " ", this.back, " ", this.undo, this.show), this.why,
        make("form", { class: "ask", onsubmit: ask }, this.question, make("button", {}, words.ask)),
        make("h2", {}, words.actions), this.list, make("h2", {}, words.log), this.log)));
  }

  async #refresh() {
    try {
      const seat = this.seat;
      const state = await seat.state(this.state?.view.plays);
      if (seat === this.seat) this.#show(state);
      this.isLost = false;
    } catch (error) {
      this.#say(error.status ? error.message : this.words.lost);
    }
  }

  // The screen goes to another seat: it is covered until its player is there.
  #pass(state) {
    const next = this.seats.find((seat) => state.view.to_move.includes(seat.player));
    if (!next || next === this.seat || state.view.to_move.includes(state.seat)) return false;
    [this.seat, this.state] = [next, undefined];
    this.show.textContent = this.words.show.replace("%", state.players[next.player]);
    this.#cover(true);
    this.#refresh();
    return true;
  }

  #cover(isCovered) {
    document.getElementById("main").classList.toggle("covered", isCovered);
    this.show.hidden = !isCovered;
  }

  #show(state) {
    if (this.seats.length > 1 && this.#pass(state)) return;
    const isSameMoment = this.state?.number === state.number;
    this.#remember(state);
    this.state = state;
    if (!isSameMoment) this.choice = new Choice(state.view.actions);
    document.getElementById("title").textContent = `${state.title} – ${this.#seatName()}`;
    this.board.show(state.board, state.number);
    showLog(this.log, this.steps);
    if (state.is_over && !this.link) {
      this.link = make("a", { href: this.record, download: "", id: "record" }, this.words.record);
      this.tools.append(" ", this.link);
    }
    this.undo.hidden = state.seat === null || state.is_over || state.view.undo_limit >= state.view.plays;
    this.#say(this.#turn());
    this.#showChoice();
  }

  // The log grows by what is new; an answer that comes late has nothing new.
  #remember(state) {
    const plays = this.state?.view.plays;
    if (state.number === this.state?.number) return;
    if (state.log_since === plays && state.view.plays > plays) this.steps = [...this.steps, ...state.log];
    else if (state.view.plays > state.log_since || plays === undefined) this.steps = state.log;
    else this.seat.state().then((whole) => { this.steps = whole.log; showLog(this.log, this.steps); }); // taken back
  }

  #seatName() {
    const { seat, players } = this.state;
    return seat === null ? this.words.spectator : this.words.seat_of.replace("%", players[seat]);
  }

  #turn() {
    const { state, words } = this;
    if (state.is_over) return state.outcome ?? words.over;
    if (state.view.to_move.includes(state.seat)) return `${words.your_turn}: ${state.phase}`;
    return words.wait.replace("%", state.view.to_move.map((player) => state.players[player] ?? player).join(", "));
  }

  #say(text) {
    const status = document.getElementById("status");
    status.textContent = text;
    const isMine = Boolean(this.state?.view.actions.length);
    status.classList.toggle("mine", isMine);
    document.title = `${isMine ? "● " : ""}${this.state?.title ?? this.words.table}`;
  }

  #showChoice() {
    const { choice, words } = this;
    const action = choice.taken ?? choice.single;
    this.board.mark(choice.things, choice.next);
    this.chosen.textContent = action?.text ?? choice.things.join(" · ");
    this.confirm.disabled = !action;
    this.back.disabled = !action && choice.things.length === 0;
    const left = choice.left;
    const button = (each) => make("button", { type: "button", onclick: () => this.#take(each) }, each.text);
    this.list.replaceChildren(...left.map((each) => make("li", {}, button(each))));
    if (left.length === 0 && choice.things.length > 0) this.list.append(make("li", {}, words.none));
  }

  #choose(thing) {
    if (this.state.seat === null || this.choice.taken) return;
    this.why.textContent = "";
    const before = this.choice.things;
    this.choice.choose(thing);
    if (this.choice.left.length === 0) {
      this.#ask(this.choice.things.join(" "));
      this.choice.things = before;
    }
    this.#showChoice();
  }

  #take(action) {
    this.why.textContent = "";
    this.choice.take(action);
    this.#showChoice();
    this.confirm.focus();
  }

  #back() {
    if (this.choice.taken) this.choice = new Choice(this.state.view.actions);
    else this.choice.back();
    this.why.textContent = "";
    this.#showChoice();
  }

  async #play() {
    const action = this.choice.taken ?? this.choice.single;
    if (!action || this.isPlaying) return;
    this.isPlaying = true;
    try {
      const state = await this.seat.play(this.state.number, action.text);
      this.why.textContent = "";
      if (this.#isNews(state.number)) this.#show(state);
    } catch (error) {
      this.why.textContent = error.status === 409 ? this.words.must_reload : error.status ? error.message : this.words.lost;
      await this.#refresh();
    } finally {
      this.isPlaying = false;
    }
  }

  async #undo() {
    try {
      this.#show(await this.seat.undo(this.state.number));
    } catch (error) {
      this.why.textContent = error.status ? error.message : this.words.lost;
    }
  }

  async #ask(asked) {
    if (!asked.trim()) return;
    try {
      this.why.textContent = (await this.seat.whyNot(asked)).text;
    } catch (error) {
      this.why.textContent = error.status ? error.message : this.words.lost;
    }
  }

  #zoom() { this.place.classList.toggle("large"); }
  #hide() { this.place.classList.toggle("bare"); }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select")) return;
    if (event.key === "Escape") this.#back();
    else if (event.key === "Enter" && !event.target.closest("button, a")) this.#play();
    else if (event.key.toLowerCase() === "z") this.#zoom();
    else if (event.key.toLowerCase() === "h") this.#hide();
  }
}
