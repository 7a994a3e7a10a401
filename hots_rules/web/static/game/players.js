// @ts-check
// The players at the table, and the time that each has left. The table keeps it; the page counts on from what it was
// told.
import { make } from "../parts/dom.js";
import { say } from "../parts/say.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").Seen} Seen
 */

const TICK = 500; // milliseconds
const DAY = 86400;
const two = (/** @type {number} */ number) => String(number).padStart(2, "0");

/**
 * @param {number} milliseconds
 * @param {Words} words
 */
function timeText(milliseconds, words) {
  const seconds = Math.ceil(milliseconds / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / DAY),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${say(words.days, days)} ${hours}:${two(minutes)}`;
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// Who takes part, whose turn it is, and the time that each has left.
export class Players {
  /**
   * @param {Words} words
   * @param {{ claim: (seat: number) => void, start: (seat: number) => void }} deeds of a seat of the screen
   */
  constructor(words, deeds) {
    this.words = words;
    /** @type {readonly (string | null)[]} */
    this.seats = [];
    /** @type {Seen | null} */
    this.seen = null;
    this.told = 0;
    /** @type {Map<string, HTMLElement>} */
    this.times = new Map();
    this.claimer = -1;
    this.place = make("ul", { class: "players", "aria-label": words.players });
    this.claim = make(
      "button",
      { type: "button", id: "claim", hidden: true, onclick: () => deeds.claim(this.claimer) },
      words.claim,
    );
    const start = () => deeds.start(this.seats.findIndex((player) => player !== null));
    this.start = make("button", { type: "button", id: "start-clock", hidden: true, onclick: start }, words.start_clock);
    setInterval(() => this.#tick(), TICK);
  }

  /** @param {PageState} state */
  show({ seen, seats }) {
    if (seen === null || seen === this.seen) return;
    Object.assign(this, { seen, seats, told: performance.now() });
    const { clock, view, is_over: isOver, is_mixing: isMixing, sitting } = seen;
    // Until somebody has played or started it, a clock stands.
    const isStanding = clock?.running.length === 0 && view.plays === 0 && !isOver && !isMixing;
    this.start.hidden = !isStanding || seats.every((player) => player === null);
    this.times = new Map(
      Object.keys(clock?.left ?? {}).map((player) => [player, make("span", { role: "timer", class: "time" })]),
    );
    this.place.replaceChildren(...Object.keys(sitting).map((player) => this.#line(seen, player)));
    this.#tick();
  }

  /**
   * @param {Seen} seen
   * @param {string} player
   */
  #line({ seat, sitting, bots, view, players }, player) {
    const { words } = this;
    const isMine = this.seats.length === 1 && player === seat,
      isBot = sitting[player] !== "";
    const who = isMine ? words.you : isBot ? `${words.bot}, ${sitting[player]}` : "",
      isNext = view.to_move.includes(player);
    return make(
      "li",
      { class: isNext ? "next" : "", title: bots[player] ?? null },
      players[player],
      who && make("span", { class: "who" }, ` (${who})`),
      this.times.has(player) ? ": " : "",
      this.times.get(player) ?? "",
    );
  }

  #tick() {
    if (this.seen === null || this.seen.clock === null) return;
    const { clock, is_over: isOver, is_mixing: isMixing } = this.seen;
    const isRunning = (/** @type {string} */ player) => clock.running.includes(player) && !isOver;
    const left = (/** @type {string} */ player) =>
      Math.max(clock.left[player] - (isRunning(player) ? performance.now() - this.told : 0), 0);
    const isOut = (/** @type {string} */ player) => isRunning(player) && left(player) === 0;
    for (const [player, shown] of this.times) {
      shown.textContent = timeText(left(player), this.words);
      shown.parentElement?.classList.toggle("runs", isRunning(player));
    }
    const known = [...this.times.keys()];
    this.claimer = this.seats.findIndex(
      (seat) => seat !== null && !isOut(seat) && known.some((player) => player !== seat && isOut(player)),
    );
    this.claim.hidden = isOver || isMixing || this.claimer < 0;
  }
}
