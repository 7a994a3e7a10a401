// The table of one seat: it puts the board, the choice, the log and the replay together.
import { Agreeing, lastReturn } from "./agreeing.js";
import { PAUSE, Seat, anybody, isTemporary } from "../parts/api.js";
import { Board } from "../board/board.js";
import { Choosing } from "../board/choosing.js";
import { Players } from "./players.js";
import { make, reached } from "../parts/dom.js";
import { OddsPanel } from "../parts/odds.js";
import { Finished } from "./finished.js";
import { showLog } from "../parts/log.js";
import { rememberGame } from "../lobby/mygames.js";
import { News } from "./news.js";
import { Replay } from "../parts/replay.js";
import { openSection } from "../parts/rule.js";
import { gather, look } from "./shares.js";
import { offerSound, ring } from "../parts/sound.js";
import { Talk } from "./talk.js";
import { nameOf, withThings } from "../board/things.js";
import { say, toldOf } from "../parts/say.js";

const LATE = 400; // milliseconds after which it is said that an answer is on its way

export class TablePage {
  // With the keys of several seats, who is to choose sits before the screen.
  constructor(main, words, game, keys) {
    Object.assign(this, { main, words, game });
    this.seats = (keys.length ? keys : [null]).map((key) => new Seat(game, key));
    this.seat = this.seats[0];
    this.steps = [];
    this.sent = null; // the number of the state at which a change was sent that is not answered yet
    this.news = new News({
      ask: () => this.#stateNow(),
      show: (state) => this.#show(state),
      fail: (error) => this.#say(this.#wordsOf(error)),
    });
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  async open() {
    if (!(await gather(this.main, this.words, this.seats, (text) => this.#say(text)))) return;
    this.#lay(this.main);
    if (!(await this.#sitDown())) return;
    rememberGame(this.game, this.seats.map((seat) => seat.key).filter(Boolean));
    await this.news.look();
    this.seat.follow(
      (number) => this.news.hear(number),
      () => this.talk.look(),
      () => {
        this.news.isLost = true;
        this.#say(this.words.lost);
      },
    );
    await this.talk.open(this.seat, this.state?.players ?? {});
  }

  // Who sits at each seat; whether the table has told it.
  async #sitDown() {
    for (;;) {
      try {
        for (const seat of this.seats) seat.player = (await seat.glance()).seat;
        return true;
      } catch (error) {
        this.#say(this.#wordsOf(error));
        if (!isTemporary(error)) return false;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  // While a change is on its way, no other is sent.
  get isSending() {
    return this.sent !== null && this.state?.number === this.sent;
  }

  #lay(main) {
    const { words } = this;
    this.place = make("div", { class: "board" });
    this.board = new Board(
      this.place,
      (thing) => this.#choose(thing),
      (thing) => this.#about(thing),
    );
    this.choosing = new Choosing(words, this.board, {
      play: () => this.#play(),
      undo: () => this.#change((number) => this.seat.undo(number)),
      preview: (action) => this.#preview(action),
      isSending: () => this.isSending,
      drop: () => this.#tell(words.must_reload),
      ask: (things) =>
        this.#ask(things.length === 1 ? () => this.seat.about(things[0]) : () => this.seat.whyNot(things.join(" "))),
    });
    this.replay = new Replay(words, (plays) => this.#look(plays));
    this.agreeing = new Agreeing(words, {
      ask: () => this.#change((number) => this.seat.askBack(number, this.replay.at)),
      answer: (seat, agrees) => this.#change((number) => seat.answer(number, agrees)),
    });
    this.sitting = new Players(
      words,
      (seat) => this.#change((number) => seat.claim(number)),
      (seat) => this.#change((number) => seat.startClock(number)),
    );
    this.why = reached(make("p", { class: "why", role: "status", id: "why" }));
    this.odds = new OddsPanel(words, (until) => this.seat.odds(until, this.choosing.action?.text ?? ""));
    this.finished = new Finished(words, this.seat, (text) => this.#tell(text));
    this.log = make("ol", { class: "log", tabindex: "0", "aria-label": words.log });
    this.spoken = make("p", { class: "spoken", role: "log", "aria-live": "polite", id: "spoken" });
    this.facts = make("pre", { tabindex: "0", "aria-label": words.facts });
    this.details = make("details", { class: "facts" }, make("summary", {}, words.facts), this.facts);
    this.question = make("input", {
      name: "question",
      "aria-label": words.ask,
      placeholder: words.ask_hint,
      autocomplete: "off",
    });
    const asked = (event) => {
      event.preventDefault();
      this.#typed(this.question.value);
    };
    this.show = make("button", {
      type: "button",
      id: "show",
      class: "main",
      hidden: true,
      onclick: () => this.#uncover(),
    });
    const tool = (name, action) => make("button", { type: "button", onclick: action }, words[name]);
    this.hide = make(
      "button",
      { type: "button", id: "hide", "aria-pressed": "false", onclick: () => this.#hide() },
      words.hide,
    );
    this.tools = make(
      "div",
      { class: "row tools" },
      tool("zoom", () => this.board.toggleSize()),
      this.hide,
      offerSound(words),
    );
    this.talk = new Talk(words, (text) => this.#tell(text));
    this.rekey = make(
      "button",
      { type: "button", hidden: this.seat.key === null || this.seats.length > 1, onclick: () => this.#changeKey() },
      words.change_key,
    );
    this.whole = make(
      "button",
      { type: "button", id: "whole", hidden: true, onclick: () => this.#showWhole() },
      words.whole,
    );
    main.replaceChildren(
      make(
        "div",
        { class: "table" },
        make(
          "section",
          { class: "middle", "aria-label": words.board },
          this.place,
          make("div", { class: "row bar" }, this.replay.place, this.tools),
          this.agreeing.ask,
          this.details,
        ),
        make(
          "section",
          { class: "acts", "aria-label": words.actions },
          this.sitting.place,
          this.sitting.start,
          this.sitting.claim,
          this.show,
          this.finished.place,
          this.agreeing.box,
          this.choosing.hand(this.why),
          this.odds.place,
          make(
            "form",
            { class: "ask", hidden: this.seat.key === null, onsubmit: asked },
            this.question,
            make("button", {}, words.ask),
          ),
        ),
        make(
          "section",
          { class: "past-plays", "aria-label": words.log },
          make("h2", {}, words.log),
          this.whole,
          this.log,
          this.spoken,
          this.agreeing.done,
          this.talk.place,
          this.rekey,
        ),
      ),
    );
  }

  // What the seat before the screen sees; nothing if another seat has come there meanwhile.
  async #stateNow() {
    const { seat } = this;
    const state = await seat.state(this.state?.view.plays);
    return seat === this.seat ? state : null;
  }

  // The screen goes to another seat: it is covered until its player is there, and nothing of the seat before stays.
  #pass(state) {
    const next = this.seats.find((seat) => state.view.to_move.includes(seat.player));
    if (!next || next === this.seat || state.view.to_move.includes(state.seat)) return false;
    [this.seat, this.state, this.steps] = [next, undefined, []];
    this.show.textContent = say(this.words.show, state.players[next.player]);
    this.#cover(true);
    this.board.clear();
    this.choosing.offer([], "", false, {});
    this.odds.clear();
    this.replay.at = null;
    this.facts.textContent = this.spoken.textContent = "";
    this.#tell("");
    this.#showLog();
    this.#say(this.words.moment); // what it said was for who sat there before
    this.news.look();
    this.talk.open(next, state.players);
    return true;
  }

  // Who comes to the screen before the table has answered sees nothing yet.
  #uncover() {
    this.isAwaited = this.state === undefined;
    if (this.isAwaited) this.#say(this.words.moment);
    else this.#cover(false);
  }

  #cover(isCovered) {
    document.getElementById("main").classList.toggle("covered", isCovered);
    this.show.hidden = !isCovered;
    if (isCovered) this.show.focus();
  }

  #show(state) {
    if (this.seats.length > 1 && this.#pass(state)) return;
    const before = this.state;
    const isSameMoment = before?.number === state.number;
    if (before && lastReturn(before) !== lastReturn(state)) this.replay.at = null;
    this.#remember(state);
    this.state = state;
    const news = this.agreeing.show(state, this.seats, before);
    if (news.length > 0) this.spoken.textContent = news.join(" ");
    this.sitting.show(state, this.seats);
    document.getElementById("title").textContent = `${state.title} – ${this.#seatName()}`;
    this.replay.set(state.view.plays);
    document.getElementById("main").classList.toggle("past", this.replay.at !== null);
    if (this.replay.at === null) this.#draw(state);
    if (!isSameMoment) this.#offer();
    else this.choosing.show();
    this.#showLog();
    if (state.is_over) this.finished.show(this.game);
    this.agreeing.offer(state, this.replay.at);
    this.#say(this.#turn());
    if (this.isAwaited) this.#uncover();
    if (state.is_mixing) this.#mix();
    if (before && !isSameMoment && before.view.actions.length === 0 && state.view.actions.length > 0) ring();
  }

  #draw(shown) {
    this.board.show(shown.board, this.state.number);
    const unusual = Object.entries(this.state.settings).map(([name, value]) => `${name}: ${value}\n`);
    this.facts.textContent = unusual.join("") + shown.facts;
    if (this.board.isBare) this.details.open = true;
  }

  #offer() {
    const { state } = this;
    const mayUndo =
      state.seat !== null && !state.is_over && !state.is_mixing && state.view.undo_limit < state.view.plays;
    this.odds.clear();
    this.odds.offer(state.odds);
    this.choosing.offer(withThings(state, this.board.shapes), state.players[state.seat], mayUndo, state.sentences);
  }

  #showLog() {
    showLog(this.log, this.steps, this.words, (edition, section) =>
      openSection(this.words, section, () => anybody().readSection(edition, section)),
    );
    this.whole.hidden = !this.isCut;
  }

  // The log grows by what is new; an answer that comes late has nothing new.
  #remember(state) {
    const plays = this.state?.view.plays;
    if (state.number === this.state?.number) return;
    if (lastReturn(state) !== lastReturn(this.state) && this.state) this.#readLog();
    else if (state.log_since === plays && state.view.plays > plays) {
      this.steps = [...this.steps, ...state.log];
      this.spoken.textContent = state.log.map((step) => step.text).join(". ");
    } else if (state.view.plays > state.log_since || plays === undefined) {
      this.steps = state.log;
      this.isCut = state.log_since > 0;
    } else if (state.view.plays < plays) this.#readLog(); // taken back
  }

  async #readLog() {
    const { log, log_since: since } = await this.seat.state();
    [this.steps, this.isCut] = [log, since > 0];
    this.#showLog();
  }

  // The game has gone back: the shares of its next seed are given here, and by the other players.
  async #mix() {
    if (this.isMixing) return;
    this.isMixing = true;
    while (this.state?.is_mixing) {
      try {
        const missing = await look(this.seats);
        if (missing === null) await this.news.look();
        else this.#say(say(this.words.gather, missing.join(", ")));
      } catch (error) {
        this.#say(this.#wordsOf(error));
      }
      if (this.state?.is_mixing) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    this.isMixing = false;
  }

  // Send a change of the game as it stands, and show what comes of it. Gives why the table has not taken it, or null.
  async #change(work) {
    if (this.isSending || this.state === undefined) {
      this.#tell(this.words.moment);
      return null;
    }
    const { number } = this.state;
    this.sent = number;
    this.choosing.show();
    setTimeout(() => {
      if (this.isSending) this.#say(this.words.moment);
    }, LATE);
    try {
      const state = await work(number);
      this.#tell("");
      if (state.seat === this.seat.player) this.news.take(state);
      else await this.news.look(); // the seat that has answered is not before the screen
      return null;
    } catch (error) {
      this.#tell(error.status === 409 ? this.words.must_reload : this.#wordsOf(error));
      await this.news.look();
      return error;
    } finally {
      if (this.sent === number) this.sent = null; // another may be on its way by now
      this.choosing.show();
    }
  }

  async #showWhole() {
    try {
      const whole = await this.seat.state(0);
      [this.steps, this.isCut] = [whole.log, false];
      this.#showLog();
    } catch (error) {
      this.#tell(this.#wordsOf(error));
    }
  }

  // The board as it was after a number of plays; null for now. What is chosen stays, but nothing is played meanwhile.
  async #look(plays) {
    document.getElementById("main").classList.toggle("past", plays !== null);
    this.agreeing.offer(this.state, plays);
    if (plays === null) {
      this.#draw(this.state);
      this.#offer();
      this.#say(this.#turn());
      return;
    }
    const { seat } = this;
    const moment = await seat.moment(plays).catch((error) => this.#tell(this.#wordsOf(error)));
    if (!moment || this.replay.at !== plays || this.seat !== seat) return;
    this.#draw(moment);
    this.board.mark([], new Set());
    this.#say(moment.log.find((step) => step.kind === "action")?.text ?? moment.log[0]?.text ?? moment.phase);
  }

  #seatName() {
    const { seat, players } = this.state;
    return seat === null ? this.words.spectator : say(this.words.seat_of, players[seat]);
  }

  #turn() {
    const { state, words } = this;
    if (state.is_over) return state.outcome ?? words.over;
    if (state.is_mixing) return words.moment;
    if (state.view.to_move.includes(state.seat)) return `${words.your_turn}: ${state.phase}`;
    const names = state.view.to_move.map((player) => state.players[player] ?? player).join(", ");
    return say(this.#isThinking() ? words.thinks : words.wait, names);
  }

  // Whether nobody is waited for but bots.
  #isThinking() {
    const { to_move: next } = this.state.view;
    return next.length > 0 && next.every((player) => this.state.sitting[player]);
  }

  #say(text) {
    const status = document.getElementById("status");
    status.textContent = text;
    const isMine = Boolean(this.state?.view.actions.length || this.agreeing?.isToAnswer);
    status.classList.toggle("mine", isMine && !document.getElementById("main").classList.contains("past"));
    status.classList.toggle("thinking", this.state !== undefined && !isMine && !this.news.isLost && this.#isThinking());
    document.title = `${isMine ? "● " : ""}${this.state?.title ?? this.words.table}`;
  }

  #choose(thing) {
    this.#tell(this.replay.at === null ? "" : this.words.past);
    if (this.replay.at !== null) return;
    if (this.state.seat !== null) this.choosing.choose(thing);
  }

  // What was not played can be sent again, if it is still open.
  async #play() {
    const { action } = this.choosing,
      { state: before, steps } = this;
    if (!action || this.replay.at !== null) return;
    if (!this.isSending) this.choosing.clear();
    const error = await this.#change((number) => this.seat.play(number, action.text));
    if (error && (isTemporary(error) || error.status === 409) && this.#isOpenStill(action, before, steps))
      this.choosing.take(action);
  }

  // Whether an action that may not have come to the table can be chosen as before: an answer may be lost as well.
  #isOpenStill(action, before, steps) {
    const { state } = this,
      played = (log) => log.filter((step) => step.kind === "action" && step.text === action.text).length;
    if (state === undefined || this.isSending) return false;
    return state.number === before.number || (hasSameChoice(state, before) && played(this.steps) <= played(steps));
  }

  async #preview(action) {
    try {
      return (await this.seat.preview(action.text, this.state.number)).effects;
    } catch {
      return []; // what is wrong is told when the action is played
    }
  }

  // What was typed is an action, or else a question.
  #typed(text) {
    const wanted = text.trim();
    const isIt = (action) =>
      action.text === wanted || action.text === `${this.state.players[this.state.seat]}: ${wanted}`;
    const action = this.choosing.actions.find(isIt);
    if (action) this.choosing.take(action);
    else if (wanted) this.#ask(() => this.seat.whyNot(wanted));
  }

  #about(thing) {
    if (this.state.seat !== null) this.#ask(() => this.seat.about(nameOf(thing)));
  }

  // An answer that comes after another question is no news.
  async #ask(question) {
    const asked = (this.asked = {});
    this.why.textContent = this.words.moment;
    const text = await question().then(
      (answer) => answer.text,
      (error) => this.#wordsOf(error),
    );
    if (asked === this.asked) this.why.textContent = text;
  }

  // What is said in place of an answer, which is not waited for any more.
  #tell(text) {
    this.asked = null;
    this.why.textContent = text;
  }

  #wordsOf(error) {
    return toldOf(error, this.words);
  }

  // The page goes on with the new key, which stands in its address.
  async #changeKey() {
    await this.#ask(async () => {
      const { key } = await this.seat.changeKey();
      this.seat.key = key;
      rememberGame(this.game, [key]);
      history.replaceState(null, "", `#${this.game}.${key}`);
      return { text: `${this.words.new_link} ${location.href}` };
    });
  }

  #hide() {
    this.hide.setAttribute("aria-pressed", this.place.classList.toggle("bare"));
  }

  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea, dialog"))
      return;
    if (event.key === "Escape") {
      this.#tell("");
      this.choosing.takeBack();
    } else if (event.key === "Enter" && !event.target.closest("button, a, summary")) this.#play();
    else if (event.key.toLowerCase() === "z") this.board.toggleSize();
    else if (event.key.toLowerCase() === "h") this.#hide();
  }
}

// Whether a seat has the same legal actions in two states.
function hasSameChoice(one, other) {
  const texts = (state) => state.view.actions.map((action) => action.text).join("\n");
  return one.seat === other.seat && texts(one) === texts(other);
}
