// The page: without a game in its address the lobby, else the table. The key stands behind `#`, which no server sees.
import * as api from "./api.js";
import { make } from "./dom.js";
import { showLobby } from "./lobby.js";
import { MyGames } from "./mygames.js";
import { TablePage } from "./table.js";

const LANGUAGE = "hots_rules language";
const main = document.getElementById("main");

async function start() {
  api.speak(localStorage.getItem(LANGUAGE) ?? navigator.language.slice(0, 2));
  const { language, languages, words } = await api.anybody().listWords();
  api.speak(language);
  document.documentElement.lang = language;
  document.getElementById("title").textContent = words.table;
  offerLanguages(languages, language, words);
  const [game, ...keys] = location.hash.slice(1).split(".");
  if (game) await new TablePage(main, words, game, keys).open();
  else {
    await showLobby(main, words);
    const games = new MyGames(words);
    main.append(games.place);
    await games.watch();
  }
}

function offerLanguages(languages, chosen, words) {
  const place = document.getElementById("languages");
  place.setAttribute("aria-label", words.language);
  place.replaceChildren(...languages.map((each) => make("option", { value: each, selected: each === chosen }, each)));
  place.onchange = () => { localStorage.setItem(LANGUAGE, place.value); location.reload(); };
}

window.addEventListener("hashchange", () => location.reload());
start();
