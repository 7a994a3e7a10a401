// The players at the table, and the time that each has left. The table keeps it; the page counts on from what it was
// told.
import { make } from "../parts/dom.js";
import { say } from "../parts/say.js";

const TICK = 500; // milliseconds
const DAY = 86400;
const two = (number) => String(number).padStart(2, "0");

export function timeText(milliseconds, words) {
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
  constructor(words, onClaim, onStart) {
    this.words = words;
    this.place = make("ul", { class: "players", "aria-label": words.players });
    this.claim = make(
      "button",
      { type: "button", id: "claim", hidden: true, onclick: () => onClaim(this.claimer) },
      words.claim,
    );
    this.start = make(
      "button",
      {
        type: "button",
        id: "start-clock",
        hidden: true,
        onclick: () => onStart(this.seats.find((seat) => seat.player)),
      },
      words.start_clock,
    );
    setInterval(() => this.#tick(), TICK);
  }
  // With the seats that sit before this screen.
  show(state, seats) {
    Object.assign(this, { state, seats, told: performance.now() });
    // Until somebody has played or started it, a clock stands.
    const isStanding =
      state.clock?.running.length === 0 && state.view.plays === 0 && !state.is_over && !state.is_mixing;
    this.start.hidden = !isStanding || !seats.some((seat) => seat.player);
    this.times = new Map(
      Object.keys(state.clock?.left ?? {}).map((player) => [player, make("span", { role: "timer", class: "time" })]),
    );
    this.place.replaceChildren(...Object.keys(state.sitting).map((player) => this.#line(player)));
    this.#tick();
  }
  #line(player) {
    const { state, words, seats } = this;
    const isMine = seats.length === 1 && player === state.seat,
      isBot = state.sitting[player] !== "";
    const who = isMine ? words.you : isBot ? words.bot : "",
      isNext = state.view.to_move.includes(player);
    return make(
      "li",
      { class: isNext ? "next" : "", title: isBot ? (words[`bot_${state.sitting[player]}`] ?? "") : null },
      state.players[player],
      who && make("span", { class: "who" }, ` (${who})`),
      this.times.has(player) ? ": " : "",
      this.times.get(player) ?? "",
    );
  }
  #tick() {
    const { clock, is_over: isOver, is_mixing: isMixing } = this.state ?? {};
    if (!clock) return;
    const isRunning = (player) => clock.running.includes(player) && !isOver;
    const left = (player) => Math.max(clock.left[player] - (isRunning(player) ? performance.now() - this.told : 0), 0);
    const isOut = (player) => isRunning(player) && left(player) === 0;
    for (const [player, shown] of this.times) {
      shown.textContent = timeText(left(player), this.words);
      shown.parentElement?.classList.toggle("runs", isRunning(player));
    }
    const known = [...this.times.keys()];
    this.claimer = this.seats.find(
      (seat) => seat.player && !isOut(seat.player) && known.some((player) => player !== seat.player && isOut(player)),
    );
    this.claim.hidden = isOver || isMixing || this.claimer === undefined;
  }
}
