// @ts-check
// The table as the pages ask it. The key of a seat is sent in a header, never in an address.
import { Pictures } from "../board/picture.js";
import { Table } from "../client.js";
import { statusOf } from "./say.js";

/**
 * @typedef {import("../client.js").State} State
 * @typedef {import("../client.js").Moment} Moment
 * @typedef {import("../board/board.js").Drawn} Drawn
 */

export const PAUSE = 1000; // milliseconds before a table that did not answer is asked again
const LONGEST = 30_000; // milliseconds for an answer: a connection that is dead says nothing, and is one of a few
const SILENCE = 45_000; // milliseconds after which a stream is dead: the table says every 15 seconds that it is there

/**
 * Whether what the table refuses may be asked again: it has not answered, is busy, or has failed.
 * @param {unknown} error
 */
export const isTemporary = (error) => [0, 429].includes(statusOf(error)) || statusOf(error) >= 500;

// The table stands where the page does, perhaps under a path of another site.
const HOME = ".";

let language = "en";
/** @param {string} chosen */
export const speak = (chosen) => {
  language = chosen;
};

/**
 * The table for somebody without a seat, perhaps with a token.
 * @param {string | null} [token]
 */
export const anybody = (token = null) => new Table(HOME, { language, token });

/**
 * An answer with all values of its view, if it has one.
 * @template {State | Moment} Answer
 * @param {Answer} answer
 * @param {State["view"]["state"]} state
 * @returns {Answer}
 */
const withValues = (answer, state) => ("view" in answer ? { ...answer, view: { ...answer.view, state } } : answer);

// A seat at a game; without a key, a spectator.
export class Seat {
  /**
   * @param {string} game
   * @param {string | null} key
   */
  constructor(game, key) {
    this.game = game;
    /** @type {string | null} */
    this.player = null; // until the table has told it
    this.path = `/api/games/${encodeURIComponent(game)}`;
    this.table = new Table(HOME, { key, language, picture: "", longest: LONGEST });
    this.ruleset = "";
    this.pictures = new Pictures((frame) => this.table.readFrame(this.ruleset, frame));
  }
  // The same table for what may take long: odds, films, and a first question.
  get #patient() {
    return new Table(HOME, { key: this.key, language });
  }
  get key() {
    return this.table.key;
  }
  /** @param {string | null} key */
  set key(key) {
    this.table.key = key;
  }
  /**
   * What the table answers, with its picture; without parts the table tells the whole board.
   * @template {State | Moment} Answer
   * @param {() => Promise<Answer>} ask
   * @returns {Promise<Answer & { drawn: Drawn } | null>}
   */
  async #drawn(ask) {
    if (this.table.picture !== null) this.table.picture = this.pictures.newest;
    const answer = await ask();
    if ("ruleset" in answer) this.ruleset = answer.ruleset;
    if (answer.picture === null) return { ...answer, drawn: answer.board };
    try {
      const whole = await this.pictures.take(answer.picture, "view" in answer ? answer.view.state : {});
      if (whole !== null) return withValues({ ...answer, drawn: whole }, whole.values);
      this.pictures.newest = "";
    } catch (error) {
      if (isTemporary(error)) throw error;
      this.table.picture = null; // a table of another version answers, which has another frame
    }
    return null;
  }
  /** @param {() => Promise<State>} ask */
  async #seen(ask) {
    return (await this.#drawn(ask)) ?? this.state();
  }
  /**
   * What the seat sees; its log begins after a number of plays, or some plays ago.
   * @param {number} [since]
   * @returns {Promise<State & { drawn: Drawn }>}
   */
  async state(since) {
    const ask = () => this.table.readGame(this.game, { since });
    return (await this.#drawn(ask)) ?? this.state(since);
  }
  // All that is known, as text.
  facts() {
    return this.table.readFacts(this.game);
  }
  // The same without the picture and the log.
  glance() {
    return this.table.readGame(this.game, { since: 1e6, board: false });
  }
  /**
   * @param {number} number
   * @param {string} action
   */
  play(number, action) {
    return this.#seen(() => this.table.playAction(this.game, { number, action }));
  }
  /** @param {number} number */
  undo(number) {
    return this.#seen(() => this.table.undoAction(this.game, { number }));
  }
  /**
   * All others are asked to go back to the moment after a number of plays; they agree or refuse.
   * @param {number} number
   * @param {number} plays
   */
  askBack(number, plays) {
    return this.#seen(() => this.table.askBack(this.game, { number, plays }));
  }
  /**
   * @param {number} number
   * @param {boolean} agrees
   */
  answer(number, agrees) {
    return this.#seen(() => this.table.answerQuestion(this.game, { number, agrees }));
  }
  /** @param {number} number */
  startClock(number) {
    return this.#seen(() => this.table.startClock(this.game, { number }));
  }
  /** @param {number} number */
  claim(number) {
    return this.#seen(() => this.table.claimGame(this.game, { number }));
  }
  /**
   * The game is aborted or resigned, or a draw is offered.
   * @param {import("../game/ending.js").End} end
   * @param {number} number
   */
  end(end, number) {
    const { game, table } = this;
    return this.#seen(() => {
      if (end === "abort") return table.abortGame(game, { number });
      return end === "resign" ? table.resignGame(game, { number }) : table.offerDraw(game, { number });
    });
  }
  /** @param {string} words */
  whyNot(words) {
    return this.#patient.explainRefusal(this.game, { words });
  }
  /**
   * @param {string} words
   * @param {number} number
   */
  preview(words, number) {
    return this.table.previewAction(this.game, { words, number });
  }
  /**
   * @param {string} until
   * @param {string} action
   */
  odds(until, action) {
    return this.#patient.computeOdds(this.game, { until, action });
  }
  /** @param {string} words */
  about(words) {
    return this.#patient.explainThing(this.game, { words });
  }
  /**
   * What the seat saw after a number of plays.
   * @param {number} plays
   * @returns {Promise<Moment & { drawn: Drawn }>}
   */
  async moment(plays) {
    return (await this.#drawn(() => this.table.readMoment(this.game, plays))) ?? this.moment(plays);
  }
  rematch() {
    return this.table.openRematch(this.game);
  }
  messages() {
    return this.table.readMessages(this.game);
  }
  /** @param {string} text */
  say(text) {
    return this.table.say(this.game, { text });
  }
  note() {
    return this.table.readNote(this.game);
  }
  /** @param {string} text */
  keepNote(text) {
    return this.table.keepNote(this.game, { text });
  }
  changeKey() {
    return this.table.changeKey(this.game);
  }
  seats() {
    return this.table.readSeats(this.game);
  }
  /** @param {string} key */
  sitDown(key) {
    return this.table.sitDown(this.game, { key });
  }
  addDevice() {
    return this.table.addDevice(this.game);
  }
  /**
   * @param {string} player
   * @param {string} key
   */
  askForSeat(player, key) {
    return this.table.askForSeat(this.game, { player, key });
  }
  /**
   * @param {string} player
   * @param {boolean} agrees
   */
  answerLost(player, agrees) {
    return this.table.answerLostSeat(this.game, { player, agrees });
  }
  record() {
    return this.table.readRecord(this.game);
  }
  film() {
    return this.#patient.readFilm(this.game);
  }
  shares() {
    return this.table.readShares(this.game);
  }
  /** @param {string} commitment */
  commit(commitment) {
    return this.table.commitShare(this.game, { commitment });
  }
  /** @param {string} secret */
  reveal(secret) {
    return this.table.revealShare(this.game, { secret });
  }
  /**
   * Tells of each change, each message and who sits down, and anew after a lost connection: what was said meanwhile is
   * not told again. A stream that is silent is lost.
   * @param {(number: number, isFirst: boolean) => void} onNumber and whether it is the first after the connection
   * @param {() => void} onChat and when the stream begins
   * @param {() => void} onSeats when who sits where has changed
   * @param {() => void} onLost
   */
  follow(onNumber, onChat, onSeats, onLost) {
    const events = this.table.followGame(this.game);
    const followAnew = () => this.follow(onNumber, onChat, onSeats, onLost);
    let isFirst = true;
    /** @type {number | undefined} */
    let timer = undefined;
    const heard = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        events.close();
        onLost();
        followAnew();
      }, SILENCE);
    };
    /** @type {[string, (event: MessageEvent) => void][]} */
    const listeners = [
      ["message", ({ data }) => onNumber(Number(data), isFirst)],
      ["still-here", ({ data }) => onNumber(Number(data), false)],
      ["chat", onChat],
      ["seats", onSeats],
    ];
    for (const [kind, listener] of listeners)
      events.addEventListener(kind, (event) => {
        heard();
        listener(event);
        isFirst = false;
      });
    events.onopen = () => {
      isFirst = true;
      heard();
      onChat();
    };
    events.onerror = () => {
      clearTimeout(timer);
      onLost();
      // A browser gives a stream up that is refused, by a table that is busy or by a proxy that finds none.
      if (events.readyState === EventSource.CLOSED) setTimeout(followAnew, PAUSE);
      else heard();
    };
    heard();
  }
}
