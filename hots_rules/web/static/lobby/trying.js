// @ts-check
// A ruleset is given to the table, which checks it and plays it at random in a process with limits.
import * as api from "../parts/api.js";
import { Board } from "../board/board.js";
import { make } from "../parts/dom.js";
import { shownOdds } from "../parts/odds.js";
import { TokenField } from "../parts/token.js";
import { say, toldOf } from "../parts/say.js";

/**
 * @param {HTMLElement} main
 * @param {import("../parts/say.js").Words} words
 */
export function showTrying(main, words) {
  const text = make("textarea", { name: "rules", rows: "16", spellcheck: "false", "aria-label": words.rules_text });
  const file = make("input", {
    type: "file",
    name: "file",
    "aria-label": words.record_file,
    accept: ".rules,text/plain",
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (chosen) text.value = await chosen.text();
  });
  const faults = make("pre", { class: "rules-faults", id: "fault", role: "alert", tabindex: "0" });
  const shown = make("section", { id: "tried", role: "status" });
  const token = new TokenField(words);
  const button = make("button", { type: "submit", class: "main" }, words.rules_try);
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    shown.replaceChildren();
    [faults.textContent, button.disabled] = [words.moment, true];
    try {
      const found = await api.anybody(token.value).tryRuleset({ text: text.value });
      faults.textContent = found.faults;
      if (!found.faults) show(shown, words, found);
    } catch (error) {
      faults.textContent = toldOf(error, words);
      token.askFor(error);
    } finally {
      button.disabled = false;
    }
  };
  main.replaceChildren(
    make(
      "form",
      { class: "lobby", onsubmit: send },
      make("p", {}, words.rules_hint),
      make("label", {}, words.record_file, file),
      make("label", {}, words.rules_text, text),
      token.place,
      button,
      faults,
      shown,
    ),
  );
}

/**
 * @param {HTMLElement} place
 * @param {import("../parts/say.js").Words} words
 * @param {import("../client.js").TriedRuleset} found
 */
function show(place, words, found) {
  const board = make("div", { class: "board" });
  const games = say(words.rules_games, found.games);
  place.replaceChildren(
    make("h2", {}, found.title),
    make("p", {}, `${found.scenario} · ${games}`),
    ...(found.winners.length
      ? shownOdds(words, { outcomes: found.winners, changes: [], assumed: "", worlds: 1, exact: true, samples: 0 })
      : []),
    board,
  );
  new Board(
    board,
    () => {},
    () => {},
  ).show(found.board, 0);
}
