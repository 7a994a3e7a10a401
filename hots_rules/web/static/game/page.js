// @ts-check
// The page of a game at one screen: it asks the table, and each event makes a state, which is shown.
import { nameOf } from "../board/things.js";
import { Seat, isTemporary } from "../parts/api.js";
import { closest, make, part } from "../parts/dom.js";
import { keepFor } from "../parts/keys.js";
import { statusOf, toldOf } from "../parts/say.js";
import { ring } from "../parts/sound.js";
import { rememberGame } from "../lobby/mygames.js";
import { effectsOf } from "./effects.js";
import { lay } from "./layout.js";
import { News } from "./news.js";
import { render, renderFacts } from "./render.js";
import { atATime, mix, readLog, remember, sitDown } from "./requests.js";
import { gather } from "./shares.js";
import { askFor, grantedAt, takeSeats } from "./sitting.js";
import { beginning, isBusy, mayStillPlay } from "./state.js";
import { step } from "./step.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("./state.js").PageEvent} PageEvent
 * @typedef {import("./state.js").Seen} Seen
 */

const LOOK = 60_000; // milliseconds between two looks whether a seat that was asked for is given
const LATE = 400; // milliseconds after which it is said that an answer is on its way

export class GamePage {
  /**
   * With the keys of several seats, who is to choose sits before the screen.
   * @param {HTMLElement} main
   * @param {Words} words
   * @param {string} game
   * @param {readonly string[]} keys
   */
  constructor(main, words, game, keys) {
    this.main = main;
    this.words = words;
    this.game = game;
    this.seats = (keys.length ? keys : [null]).map((key) => new Seat(game, key));
    this.state = beginning(this.seats.length);
    /** @type {PageEvent[]} */
    this.events = [];
    this.news = new News({
      ask: () => this.#stateNow(),
      show: (answer) => this.happens({ type: "stated", ...answer }),
      fail: (error) => this.fails(error),
    });
    this.readLog = atATime(() => readLog(this));
    this.mix = atATime(() => mix(this));
  }

  async open() {
    const tell = (/** @type {string} */ text) => {
      part("status").textContent = text;
    };
    if (await this.#isGranted()) return;
    if (!(await takeSeats(this.seats, this.words, tell))) {
      this.main.replaceChildren(make("p", { class: "links" }, make("a", { href: `#${this.game}` }, this.words.watch)));
      return;
    }
    this.#address(this.seats.flatMap(({ key }) => key ?? []));
    if (!(await gather(this.main, this.words, this.seats, tell))) return;
    this.parts = lay(this.main, this.words, this.seats, this.#deeds());
    document.addEventListener("keydown", (event) => this.#key(event));
    if (!(await sitDown(this))) return;
    rememberGame(
      this.game,
      this.seats.flatMap(({ key }) => key ?? []),
    );
    if (this.state.seen === null) await this.news.look();
    this.seat.follow(
      (number, isFirst) => {
        if (isFirst && this.state.isLost) this.news.lookAnew();
        else if (number > this.state.number || this.state.isLost) this.news.look();
      },
      () => this.parts?.talk.look(),
      () => this.#reseated(),
      () => this.happens({ type: "lost" }),
    );
    setInterval(() => this.#isGranted(), LOOK);
    await this.parts.talk.open(this.seat, this.state.names);
  }

  // The one before the screen.
  get seat() {
    return this.seats[this.state.seat];
  }

  /** @returns {import("./layout.js").Deeds} */
  #deeds() {
    const { seats } = this;
    return {
      choose: (thing) => this.#choose(thing),
      about: (thing) => this.#about(thing),
      choosing: {
        play: () => this.#play(),
        undo: () => this.#change((number) => this.seat.undo(number)),
        preview: (action) => this.#preview(action),
        isSending: () => isBusy(this.state),
        drop: () => this.happens({ type: "noticed", notice: "reload" }),
        ask: (things) =>
          this.#ask(() => (things.length === 1 ? this.seat.about(things[0]) : this.seat.whyNot(things.join(" ")))),
      },
      look: (at) => this.happens({ type: "looked", at }),
      askBack: () => this.#change((number) => this.seat.askBack(number, this.state.at ?? 0)),
      answer: (seat, agrees) => this.#change((number) => seats[seat].answer(number, agrees)),
      claim: (seat) => this.#change((number) => seats[seat].claim(number)),
      end: (end) => this.#change((number) => this.seat.end(end, number)),
      startClock: (seat) => this.#change((number) => seats[seat].startClock(number)),
      odds: (until) => this.seat.odds(until, this.parts?.choosing.action?.text ?? ""),
      notice: (text) => this.happens({ type: "noticed", notice: { text } }),
      ask: (text) => this.#typed(text),
      uncover: () => this.happens({ type: "uncovered" }),
      changeKey: () => this.#changeKey(),
      tellFacts: () => this.#tellFacts(),
      addDevice: () => this.#addDevice(),
      askFor: (player) => this.#askFor(player),
      answerLost: (seat, player, agrees) => this.#answerLost(seat, player, agrees),
      showWhole: () => this.happens({ type: "logWanted", wanted: "whole" }),
    };
  }

  // ---------------------------------------------------------------- events
  /**
   * An event that comes while another one is shown waits for it.
   * @param {PageEvent} event
   */
  happens(event) {
    this.events.push(event);
    if (this.events.length > 1) return;
    for (let [first] = this.events; first; [first] = this.events) {
      try {
        this.#step(first);
      } catch (error) {
        reportError(error); // the events that wait are no part of it
      }
      this.events.shift();
    }
  }

  /** @param {PageEvent} event */
  #step(event) {
    const before = this.state;
    this.state = step(before, event);
    if (this.state === before || !this.parts) return;
    render(this.parts, this.words, this.state, before);
    if (this.state.seen !== before.seen || this.state.at !== before.at) this.#tellFacts();
    for (const effect of effectsOf(before, this.state)) this.#follow(effect);
  }

  /** @param {import("./effects.js").Effect} effect */
  #follow(effect) {
    if (effect === "sit") {
      this.news.look();
      this.parts?.talk.open(this.seat, this.state.names);
    } else if (effect === "log") this.readLog();
    else if (effect === "moment") remember(this);
    else if (effect === "mix") this.mix();
    else ring();
  }

  // All that is known is asked for only where somebody looks at it.
  async #tellFacts() {
    const { seen, at } = this.state;
    if (!this.parts?.details.open || seen === null || at !== null) return;
    const text = await this.seat.facts().then(
      (answer) => answer.text,
      () => "", // it is told with the next state
    );
    if (text && this.state.seen === seen && this.state.at === null) renderFacts(this.parts.facts, seen, text);
  }

  /** @param {unknown} error */
  fails(error) {
    this.happens({ type: "failed", text: toldOf(error, this.words) });
  }

  /** @param {unknown} error */
  refused(error) {
    const notice = statusOf(error) === 409 ? "reload" : { text: toldOf(error, this.words) };
    this.happens({ type: "noticed", notice });
  }

  // ---------------------------------------------------------------- what the table is asked
  async #stateNow() {
    const { seat, seen } = this.state;
    return { seat, seen: await this.seats[seat].state(seen?.view.plays) };
  }

  /**
   * Send a change of the game as it stands, and show what comes of it. Gives why the table has not taken it, or null.
   * @param {(number: number) => Promise<Seen>} work
   * @returns {Promise<unknown>}
   */
  async #change(work) {
    const { sent } = this.state;
    this.happens({ type: "sent" });
    const number = this.state.sent;
    if (number === null || number === sent) return null;
    setTimeout(() => this.happens({ type: "slow", number }), LATE);
    try {
      const seen = await work(number);
      this.happens({ type: "noticed", notice: "" });
      const seat = this.state.seats.indexOf(seen.seat),
        isBefore = seat === this.state.seat;
      if (isBefore) this.happens({ type: "stated", seat, seen });
      else await this.news.look();
      return null;
    } catch (error) {
      this.refused(error);
      await this.news.look();
      return error;
    } finally {
      this.happens({ type: "answered", number });
    }
  }

  /** @param {() => Promise<{ text: string }>} question */
  async #ask(question) {
    this.happens({ type: "asked" });
    const number = this.state.question;
    const text = await question().then(
      (answer) => answer.text,
      (error) => toldOf(error, this.words),
    );
    this.happens({ type: "told", question: number, text });
  }

  /** @param {import("../client.js").LegalAction} action */
  async #preview(action) {
    try {
      return (await this.seat.preview(action.text, this.state.number)).effects;
    } catch {
      return []; // what is wrong is told when the action is played
    }
  }

  // ---------------------------------------------------------------- what somebody does
  /** @param {string} thing */
  #choose(thing) {
    const { at, seen } = this.state;
    this.happens({ type: "noticed", notice: at === null ? "" : "past" });
    if (at === null && seen !== null && seen.seat !== null) this.parts?.choosing.choose(thing);
  }

  // What was not played can be sent again, if it is still open.
  async #play() {
    const { state: before, parts } = this;
    const action = parts?.choosing.action;
    if (!parts || !action || before.at !== null) return;
    if (!isBusy(before)) parts.choosing.clear();
    const error = await this.#change((number) => this.seat.play(number, action.text));
    if (error && (isTemporary(error) || statusOf(error) === 409) && mayStillPlay(action, before, this.state))
      parts.choosing.take(action);
  }

  /**
   * What was typed is an action, or else a question.
   * @param {string} text
   */
  #typed(text) {
    const { seen } = this.state,
      wanted = text.trim();
    if (seen === null || !wanted) return;
    const name = seen.seat === null ? "" : seen.players[seen.seat];
    const action = this.parts?.choosing.actions.find((each) => [wanted, `${name}: ${wanted}`].includes(each.text));
    if (action) this.parts?.choosing.take(action);
    else this.#ask(() => this.seat.whyNot(wanted));
  }

  /** @param {string} thing */
  #about(thing) {
    if (this.seat.key !== null) this.#ask(() => this.seat.about(nameOf(thing)));
  }

  // The page goes on with the new key, which stands in its address.
  async #changeKey() {
    await this.#ask(async () => {
      const { key } = await this.seat.changeKey();
      if (this.seat.key !== null) keepFor(this.game, this.seat.key, key);
      this.seat.key = key;
      rememberGame(this.game, [key]);
      this.#address([key]);
      return { text: `${this.words.new_link} ${location.href}` };
    });
  }

  /** @param {readonly string[]} keys */
  #address(keys) {
    history.replaceState(null, "", `#${[this.game, ...keys].join(".")}`);
  }

  async #addDevice() {
    await this.#ask(async () => {
      const { key } = await this.seat.addDevice();
      return { text: `${this.words.device_link} ${new URL(`#${this.game}.${key}`, location.href).href}` };
    });
  }

  /** @param {string} player */
  async #askFor(player) {
    await this.#try(() => askFor(this.seat, player));
  }

  /**
   * @param {number} seat
   * @param {string} player
   * @param {boolean} agrees
   */
  async #answerLost(seat, player, agrees) {
    await this.#try(() => this.seats[seat].answerLost(player, agrees));
  }

  /** @param {() => Promise<unknown>} work */
  async #try(work) {
    try {
      await work();
    } catch (error) {
      this.refused(error);
    }
    await this.#reseated();
  }

  async #reseated() {
    if (!(await this.#isGranted())) await this.news.look();
  }

  // Whether the seat for which this browser has asked is its own by now; then the page goes there.
  async #isGranted() {
    const key = await grantedAt(this.game).catch(() => null); // it is looked at again
    if (key !== null) location.hash = `${this.game}.${key}`;
    return key !== null;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || closest(event, "input, select, textarea, dialog")) return;
    if (event.key === "Escape") {
      this.happens({ type: "noticed", notice: "" });
      this.parts?.choosing.takeBack();
    } else if (event.key === "Enter" && !closest(event, "button, a, summary")) this.#play();
    else if (event.key.toLowerCase() === "z") this.parts?.board.toggleSize();
    else if (event.key.toLowerCase() === "h") this.parts?.toggleHidden();
  }
}
