// @ts-check
// The page: without a game in its address the lobby, else the table. The key stands behind `#`, which no server sees.
import * as api from "./parts/api.js";
import { make, part } from "./parts/dom.js";
import { showLobby } from "./lobby/lobby.js";
import { MyGames } from "./lobby/mygames.js";
import { showPosition } from "./study/opening.js";
import { showRecord } from "./study/record.js";
import { GamePage } from "./game/page.js";
import { showTrying } from "./lobby/trying.js";
import { showUpload } from "./lobby/upload.js";

/** @typedef {import("./parts/say.js").Words} Words */

const LANGUAGE = "hots_rules language";
const main = part("main");

async function start() {
  api.speak(localStorage.getItem(LANGUAGE) ?? navigator.language.slice(0, 2));
  const { language, languages, words, takes_rulesets: takesRulesets } = await api.anybody().listWords();
  api.speak(language);
  document.documentElement.lang = language;
  part("title").textContent = words.table;
  offerLanguages(languages, language, words);
  showPlaces(words, takesRulesets);
  await openPage(words, location.hash.slice(1));
}

/**
 * What stands behind `#`: a position to set up, a record to look at, or a game with the keys of seats.
 * @param {Words} words
 * @param {string} address
 */
async function openPage(words, address) {
  const [kind, name, rest] = address.split("/");
  document.body.classList.toggle("playing", !["", "edit", "try"].includes(kind) && address !== "record");
  if (kind === "edit") return showPosition(main, words, name, rest);
  if (kind === "record") return name ? showRecord(main, words, name) : showUpload(main, words);
  if (kind === "try") return showTrying(main, words);
  const [game, ...keys] = address.split(".");
  return game ? new GamePage(main, words, game, keys).open() : openLobby(words);
}

/** @param {Words} words */
async function openLobby(words) {
  await showLobby(main, words);
  const games = new MyGames(words);
  main.prepend(games.place);
  await games.watch();
}

/**
 * The links to the other pages; at a game the name of the table alone leads away.
 * @param {Words} words
 * @param {boolean} takesRulesets
 */
function showPlaces(words, takesRulesets) {
  const place = part("places"),
    link = (/** @type {string} */ address, /** @type {string} */ word) => make("a", { href: address }, word);
  place.setAttribute("aria-label", words.places);
  place.replaceChildren(
    link("./", words.lobby),
    link("./#edit", words.position_edit),
    link("./#record", words.record_open),
    ...(takesRulesets ? [link("./#try", words.rules_try)] : []),
  );
}

/**
 * @param {readonly string[]} languages
 * @param {string} chosen
 * @param {Words} words
 */
function offerLanguages(languages, chosen, words) {
  const place = part("languages");
  place.setAttribute("aria-label", words.language);
  place.replaceChildren(
    ...languages.map((each) => make("option", { value: each, selected: each === chosen }, nameOfLanguage(each))),
  );
  place.onchange = () => {
    if (place instanceof HTMLSelectElement) localStorage.setItem(LANGUAGE, place.value);
    location.reload();
  };
}

/**
 * In the language itself, with a capital letter.
 * @param {string} code
 */
function nameOfLanguage(code) {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

window.addEventListener("hashchange", () => location.reload());
start();
