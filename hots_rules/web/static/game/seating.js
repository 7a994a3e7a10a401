// @ts-check
// Who has sat down at the seats, links for other devices, and what is asked about a seat whose key is lost.
import { make } from "../parts/dom.js";
import { say } from "../parts/say.js";
import { askedAt } from "./sitting.js";

/**
 * @typedef {import("../client.js").LostSeat} LostSeat
 * @typedef {import("../client.js").Seating} SeatingTold
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").Seen} Seen
 */

/**
 * @typedef {object} SeatDeeds
 * @property {() => void} addDevice
 * @property {(player: string) => void} askFor
 * @property {(seat: number, player: string, agrees: boolean) => void} answerLost for a seat of the screen
 */

/**
 * Who sits where, in words.
 * @param {import("../parts/say.js").Words} words
 * @param {SeatingTold} seating
 * @param {readonly string[]} people the players who are no bots
 * @param {{ [player: string]: string }} names
 */
export function seatingText(words, { claims, claimed }, people, names) {
  if (!claims) return people.length > 1 ? words.keys_kept : "";
  const named = (/** @type {readonly string[]} */ players) => players.map((player) => names[player]).join(", ");
  const empty = people.filter((player) => !claimed.includes(player));
  const seated = claimed.length > 0 ? [say(words.seated, named(claimed))] : [];
  return [...seated, ...(empty.length > 0 ? [say(words.seats_empty, named(empty))] : [])].join(" ");
}

/** @param {readonly import("../client.js").OpeningFact[]} facts how a game was opened */
export const openingLines = (facts) => facts.map(({ text }) => make("li", {}, text));

export class SeatingPanel {
  /**
   * @param {import("../parts/say.js").Words} words
   * @param {string} game
   * @param {SeatDeeds} deeds
   */
  constructor(words, game, deeds) {
    this.words = words;
    this.game = game;
    this.deeds = deeds;
    this.text = make("p", { class: "note", id: "seated", role: "status" });
    this.opening = make("ul", { class: "note", id: "opening", "aria-label": words.opening });
    this.lost = make("div", {});
    this.place = make("div", {}, this.text, this.opening, this.lost);
    this.device = make(
      "button",
      { type: "button", id: "device", hidden: true, onclick: deeds.addDevice },
      words.device,
    );
    this.choice = make("select", { "aria-label": words.players });
    const ask = make(
      "button",
      { type: "button", id: "lost", onclick: () => deeds.askFor(this.choice.value) },
      words.ask_seat,
    );
    this.form = make("details", { hidden: true }, make("summary", {}, words.lost_seat), this.choice, ask);
    this.tools = make("div", { class: "row" }, this.device, this.form);
    this.shown = "";
  }

  /** @param {PageState} state */
  show({ seen, seats }) {
    if (seen === null) return;
    const asked = askedAt(this.game),
      drawn = JSON.stringify([seen.seating, seen.opening, seats, asked]);
    if (drawn === this.shown) return;
    this.shown = drawn;
    const { seating, sitting, players } = seen;
    const people = Object.keys(sitting).filter((player) => !sitting[player]);
    this.text.textContent = seatingText(this.words, seating, people, players);
    this.opening.replaceChildren(...openingLines(seen.opening));
    this.lost.replaceChildren(...seating.lost.map((line) => this.#lost(line, seen, seats, asked?.code)));
    const isSeated = seats.some((player) => player !== null);
    this.device.hidden = !seating.claims || !isSeated || seats.length > 1;
    this.form.hidden = !seating.claims || isSeated || people.length < 2;
    const options = people.filter((player) => !seating.lost.some((line) => line.player === player));
    this.choice.replaceChildren(...options.map((player) => make("option", { value: player }, players[player])));
  }

  /**
   * @param {LostSeat} line
   * @param {Seen} seen
   * @param {readonly (string | null)[]} seats
   * @param {string} [own] the code of what this browser has asked
   */
  #lost({ player, code, asker, agreed, until }, { players }, seats, own) {
    const { words, deeds } = this;
    const hour = new Date(until).toLocaleString(document.documentElement.lang, {
      dateStyle: "short",
      timeStyle: "short",
    });
    const holder = seats.indexOf(player),
      seat = seats.findIndex((each) => each !== null);
    const judge = seats.findIndex((each) => each !== null && each !== player && each !== asker);
    const texts = [
      say(words.lost_asked, players[player]),
      say(own === code ? words.lost_own : words.lost_code, code),
      say(agreed ? words.lost_until : words.lost_open, hour),
    ];
    const button = (/** @type {string} */ id, /** @type {string} */ word, /** @type {number} */ of, agrees = false) =>
      make("button", { type: "button", id, onclick: () => deeds.answerLost(of, player, agrees) }, word);
    return make(
      "div",
      { class: "question", role: "status" },
      make("p", {}, [...texts, ...(holder >= 0 ? [words.lost_yours] : [])].join(" ")),
      make(
        "div",
        { class: "row" },
        ...(judge >= 0 && !agreed ? [button("lost-agree", words.lost_agree, judge, true)] : []),
        ...(seat >= 0 ? [button("lost-refuse", words.refuse, holder >= 0 ? holder : seat)] : []),
      ),
    );
  }
}
