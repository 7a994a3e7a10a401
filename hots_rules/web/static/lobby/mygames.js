// @ts-check
// The games of this browser: their links stand in its storage, and the list tells where it is one's turn.
import { Seat } from "../parts/api.js";
import { make } from "../parts/dom.js";
import { ring } from "../parts/sound.js";
import { say, toldOf } from "../parts/say.js";

/** @typedef {{ game: string, keys: string[] }} KeptGame */

const GAMES = "hots_rules games";
const MOST = 30;
const PAUSE = 20_000; // milliseconds between two looks

/** @returns {KeptGame[]} */
const kept = () => JSON.parse(localStorage.getItem(GAMES) ?? "[]");
/** @param {readonly KeptGame[]} games */
const keep = (games) => localStorage.setItem(GAMES, JSON.stringify(games.slice(0, MOST)));

/**
 * The seats of a game at this screen; keys that were changed take the place of the old ones.
 * @param {string} game
 * @param {string[]} keys
 */
export function rememberGame(game, keys) {
  if (keys.length > 0) keep([{ game, keys }, ...kept().filter((each) => each.game !== game)]);
}

export class MyGames {
  /** @param {import("../parts/say.js").Words} words */
  constructor(words) {
    this.words = words;
    this.list = make("ul", { class: "games" });
    this.place = make("section", { class: "links", hidden: true }, make("h2", {}, words.my_games), this.list);
    /** @type {number | null} */
    this.turns = null;
  }
  async watch() {
    await this.look();
    setTimeout(() => this.watch(), PAUSE);
  }
  async look() {
    const lines = await Promise.all(kept().map((each) => this.#line(each)));
    lines.sort((one, other) => Number(other.isMine) - Number(one.isMine));
    this.place.hidden = lines.length === 0;
    this.list.replaceChildren(...lines.map((line) => line.element));
    const turns = lines.filter((line) => line.isMine).length;
    if (this.turns !== null && turns > this.turns) ring();
    this.turns = turns;
    document.title = `${turns > 0 ? "● " : ""}${this.words.table}`;
  }
  /** @param {KeptGame} kept */
  async #line({ game, keys }) {
    const { isMine, text } = await this.#told(game, keys);
    const forget = make(
      "button",
      {
        type: "button",
        onclick: () => {
          keep(kept().filter((each) => each.game !== game));
          this.look();
        },
      },
      this.words.forget,
    );
    const link = make("a", { href: `./#${[game, ...keys].join(".")}` }, text);
    return { isMine, element: make("li", { class: isMine ? "mine" : "" }, link, " ", forget) };
  }
  /**
   * @param {string} game
   * @param {readonly string[]} keys
   */
  async #told(game, keys) {
    const { words } = this;
    try {
      /** @type {import("../client.js").State[]} */
      const states = [];
      for (const key of keys) states.push(await new Seat(game, key).glance());
      const [{ title, players, view, is_over: isOver, outcome }] = states;
      const isMine = states.some(
        ({ seat, view: { to_move: next }, question, seating }) =>
          seat !== null && (next.includes(seat) || question?.waiting.includes(seat) || seating.lost.length > 0),
      );
      const who = states.map(({ seat }) => (seat === null ? words.spectator : players[seat])).join(", ");
      const waiting = say(words.wait, view.to_move.map((player) => players[player] ?? player).join(", "));
      return {
        isMine,
        text: `${title} – ${who}: ${isOver ? (outcome ?? words.over) : isMine ? words.your_turn : waiting}`,
      };
    } catch (error) {
      return { isMine: false, text: `${game}: ${toldOf(error, words)}` };
    }
  }
}
