// @ts-check
// The parts of the page of a game, and where they stand.
import { Board } from "../board/board.js";
import { Choosing } from "../board/choosing.js";
import { make, reached } from "../parts/dom.js";
import { OddsPanel } from "../parts/odds.js";
import { Replay } from "../parts/replay.js";
import { offerSound } from "../parts/sound.js";
import { Agreeing } from "./agreeing.js";
import { Ending } from "./ending.js";
import { Finished } from "./finished.js";
import { Players } from "./players.js";
import { SeatingPanel } from "./seating.js";
import { Talk } from "./talk.js";

/**
 * What the parts ask the page to do.
 * @typedef {import("./seating.js").SeatDeeds & OtherDeeds} Deeds
 */

/**
 * @typedef {object} OtherDeeds
 * @property {(thing: string) => void} choose
 * @property {(thing: string) => void} about
 * @property {import("../board/choosing.js").Deeds} choosing
 * @property {(at: number | null) => void} look
 * @property {() => void} askBack
 * @property {(seat: number, agrees: boolean) => void} answer
 * @property {(seat: number) => void} claim
 * @property {(end: import("./ending.js").End) => void} end
 * @property {(seat: number) => void} startClock
 * @property {(until: string) => Promise<import("../client.js").OddsTold>} odds
 * @property {(text: string) => void} notice
 * @property {(text: string) => void} ask
 * @property {() => void} uncover
 * @property {() => void} changeKey
 * @property {() => void} showWhole
 * @property {() => void} tellFacts where somebody looks at them
 */

/** @typedef {ReturnType<typeof lay>} Layout */

/**
 * @param {HTMLElement} main where they stand
 * @param {import("../parts/say.js").Words} words
 * @param {readonly import("../parts/api.js").Seat[]} seats
 * @param {Deeds} deeds
 */
export function lay(main, words, seats, deeds) {
  const [seat] = seats;
  const isSpectator = seat.key === null;
  const button = (/** @type {string} */ text, /** @type {() => void} */ onclick, properties = {}) =>
    make("button", { type: "button", ...properties, onclick }, text);
  const place = make("div", { class: "board" });
  const board = new Board(place, deeds.choose, deeds.about);
  const hide = button(words.hide, () => toggleHidden(), { id: "hide", "aria-pressed": "false" });
  const toggleHidden = () => hide.setAttribute("aria-pressed", String(place.classList.toggle("bare")));
  const facts = make("pre", { tabindex: "0", "aria-label": words.facts });
  const parts = {
    main,
    board,
    toggleHidden,
    facts,
    details: make("details", { class: "facts", ontoggle: deeds.tellFacts }, make("summary", {}, words.facts), facts),
    choosing: new Choosing(words, board, deeds.choosing),
    replay: new Replay(words, deeds.look),
    agreeing: new Agreeing(words, { ask: deeds.askBack, answer: deeds.answer }),
    seating: new SeatingPanel(words, seat.game, deeds),
    players: new Players(words, { claim: deeds.claim, start: deeds.startClock }),
    ending: new Ending(words, deeds.end),
    answers: reached(make("p", { class: "why", role: "status", id: "why" })),
    odds: new OddsPanel(words, deeds.odds),
    finished: new Finished(words, seat, deeds.notice),
    talk: new Talk(words, deeds.notice),
    log: make("ol", { class: "log", tabindex: "0", "aria-label": words.log }),
    spoken: make("p", { class: "spoken", role: "log", "aria-live": "polite", id: "spoken" }),
    showButton: button("", deeds.uncover, { id: "show", class: "main", hidden: true }),
    wholeLogButton: button(words.whole, deeds.showWhole, { id: "whole", hidden: true }),
  };
  const tool = (/** @type {string} */ word, /** @type {() => void} */ onclick) => button(words[word], onclick);
  const tools = make(
    "div",
    { class: "row tools" },
    tool("zoom", () => board.toggleSize()),
    hide,
    offerSound(words),
  );
  const rekey = button(words.change_key, deeds.changeKey, { hidden: isSpectator || seats.length > 1 });
  main.replaceChildren(
    make(
      "div",
      { class: "table" },
      make(
        "section",
        { class: "middle", "aria-label": words.board },
        place,
        make("div", { class: "row bar" }, parts.replay.place, tools),
        parts.agreeing.ask,
        parts.details,
      ),
      make(
        "section",
        { class: "acts", "aria-label": words.actions },
        parts.players.place,
        parts.seating.place,
        parts.players.start,
        parts.players.claim,
        parts.showButton,
        parts.finished.place,
        parts.agreeing.box,
        parts.choosing.hand(parts.answers),
        parts.odds.place,
        questions(words, deeds.ask, isSpectator),
        parts.ending.place,
      ),
      make(
        "section",
        { class: "past-plays", "aria-label": words.log },
        make("h2", {}, words.log),
        parts.wholeLogButton,
        parts.log,
        parts.spoken,
        parts.agreeing.done,
        parts.talk.place,
        make("div", { class: "row" }, rekey, parts.seating.tools),
      ),
    ),
  );
  return parts;
}

/**
 * Where an action or a question is typed.
 * @param {import("../parts/say.js").Words} words
 * @param {(text: string) => void} ask
 * @param {boolean} hidden
 */
function questions(words, ask, hidden) {
  const question = make("input", {
    name: "question",
    "aria-label": words.ask,
    placeholder: words.ask_hint,
    autocomplete: "off",
  });
  const onsubmit = (/** @type {Event} */ event) => {
    event.preventDefault();
    ask(question.value);
  };
  return make("form", { class: "ask", hidden, onsubmit }, question, make("button", {}, words.ask));
}
