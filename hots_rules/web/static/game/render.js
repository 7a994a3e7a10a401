// @ts-check
// Shows a state of the page of a game in its parts; what has not changed since the state before stays as it is.
import { withThings } from "../board/things.js";
import { anybody } from "../parts/api.js";
import { part } from "../parts/dom.js";
import { showLog } from "../parts/log.js";
import { openSection } from "../parts/rule.js";
import { say } from "../parts/say.js";
import { isMine, isThinking, mayUndo } from "./state.js";

/**
 * @typedef {import("../parts/say.js").Words} Words
 * @typedef {import("./layout.js").Layout} Layout
 * @typedef {import("./state.js").PageState} PageState
 * @typedef {import("./state.js").Seen} Seen
 * @typedef {import("./state.js").Notice} Notice
 */

/**
 * @param {Layout} parts
 * @param {Words} words
 * @param {PageState} state
 * @param {PageState} before
 */
export function render(parts, words, state, before) {
  const { seen, at } = state;
  parts.main.classList.toggle("past", at !== null);
  renderCover(parts, words, state, before);
  if (seen === null) clear(parts, before);
  else {
    part("title").textContent = `${seen.title} – ${seatName(seen, words)}`;
    parts.players.show(state);
    parts.seating.show(state);
    parts.replay.show(seen.view.plays, at);
    renderBoard(parts, seen, state, before);
    renderChoice(parts, seen, state, before);
    if (seen.is_over) parts.finished.show(seen.opening);
  }
  parts.agreeing.show(state);
  parts.ending.show(state);
  renderLog(parts, words, state, before);
  renderTexts(parts, words, state, before);
}

// ------------------------------------------------------------------ whose screen it is
/**
 * @param {Layout} parts
 * @param {Words} words
 * @param {PageState} state
 * @param {PageState} before
 */
function renderCover({ main, showButton }, words, { isCovered, seats, seat, names }, before) {
  main.classList.toggle("covered", isCovered);
  showButton.hidden = !isCovered;
  if (!isCovered) return;
  showButton.textContent = say(words.show, names[seats[seat] ?? ""] ?? "");
  if (!before.isCovered || before.seat !== seat) showButton.focus();
}

/**
 * Nothing of the seat before stays.
 * @param {Layout} parts
 * @param {PageState} before
 */
function clear({ board, choosing, odds, facts }, before) {
  if (before.seen === null) return;
  board.clear();
  choosing.offer([], "", false, {});
  odds.clear();
  facts.textContent = "";
}

/**
 * @param {Seen} seen
 * @param {Words} words
 */
const seatName = ({ seat, players }, words) => (seat === null ? words.spectator : say(words.seat_of, players[seat]));

// ------------------------------------------------------------------ the board and the choice
/**
 * @param {Layout} parts
 * @param {Seen} seen
 * @param {PageState} state
 * @param {PageState} before
 */
function renderBoard({ board, facts, details }, seen, { at, moment }, before) {
  const shown = at === null ? seen : moment;
  if (shown === null || shown === (before.at === null ? before.seen : before.moment)) return;
  board.show(shown.drawn, seen.number);
  if (shown.facts) renderFacts(facts, seen, shown.facts);
  if (board.isBare) details.open = true;
}

/**
 * @param {HTMLElement} place
 * @param {Seen} seen
 * @param {string} text
 */
export function renderFacts(place, seen, text) {
  const unusual = Object.entries(seen.settings).map(([name, value]) => `${name}: ${value}\n`);
  place.textContent = unusual.join("") + text;
}

/**
 * @param {Layout} parts
 * @param {Seen} seen
 * @param {PageState} state
 * @param {PageState} before
 */
function renderChoice({ board, choosing, odds }, seen, { at, moment, sent }, before) {
  const isBackAtNow = at === null && before.at !== null;
  if (seen.number !== before.seen?.number || isBackAtNow) {
    odds.clear();
    odds.offer(seen.odds);
    const name = seen.seat === null ? "" : seen.players[seen.seat];
    choosing.offer(withThings(seen, board.shapes), name, mayUndo(seen), seen.sentences);
  } else if (seen !== before.seen || sent !== before.sent) choosing.show();
  if (at !== null && moment !== null) board.mark([], new Set()); // what can be chosen now is not marked there
}

// ------------------------------------------------------------------ the log
/**
 * @param {Layout} parts
 * @param {Words} words
 * @param {PageState} state
 * @param {PageState} before
 */
function renderLog({ log, wholeLogButton }, words, { steps, isCut }, before) {
  wholeLogButton.hidden = !isCut;
  if (steps === before.steps) return;
  showLog(log, steps, words, (edition, section) =>
    openSection(words, section, () => anybody().readSection(edition, section)),
  );
}

// ------------------------------------------------------------------ texts
/**
 * @param {Layout} parts
 * @param {Words} words
 * @param {PageState} state
 * @param {PageState} before
 */
function renderTexts({ answers, spoken }, words, state, before) {
  const { seen } = state;
  if (state.notice !== before.notice) answers.textContent = noticeText(state.notice, words);
  if (state.spoken !== before.spoken) spoken.textContent = state.spoken.text;
  const status = part("status"),
    text = statusText(state, words);
  if (status.textContent !== text) status.textContent = text;
  const isActive = isMine(state);
  status.classList.toggle("mine", isActive && state.at === null);
  status.classList.toggle("thinking", seen !== null && !isActive && !state.isLost && isThinking(seen));
  document.title = `${isActive ? "● " : ""}${seen?.title ?? words.table}`;
}

/**
 * @param {Notice} notice
 * @param {Words} words
 */
function noticeText(notice, words) {
  if (typeof notice === "object") return notice.text;
  return { "": "", wait: words.moment, reload: words.must_reload, past: words.past }[notice];
}

/**
 * @param {PageState} state
 * @param {Words} words
 */
function statusText({ status, seen }, words) {
  if (typeof status === "object") return "text" in status ? status.text : say(words.gather, status.missing.join(", "));
  if (status === "lost") return words.lost;
  return status === "wait" || seen === null ? words.moment : turnText(seen, words);
}

/**
 * @param {Seen} seen
 * @param {Words} words
 */
function turnText(seen, words) {
  const { view, players, seat } = seen;
  if (seen.is_over) return seen.outcome ?? words.over;
  if (seen.is_mixing) return words.moment;
  if (seat !== null && view.to_move.includes(seat)) return say(words.your_turn_in, seen.phase);
  const names = view.to_move.map((player) => players[player] ?? player).join(", ");
  return isThinking(seen) ? say(words.thinks, names) : say(words.wait, names);
}
